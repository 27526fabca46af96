// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parallel loop over many work items.
#include "par/parallel_for.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct farm {
  atomic_long next;
  long n;
  parallelTask work;
  void *context;
} farm;

typedef struct parallelWorker {
  farm *shared;
  int number;
  int is_running;
  pthread_t thread;
} parallelWorker;


static void *work_on(void *argument)
{
  const parallelWorker *worker = argument;
  farm *shared = worker->shared;
  for (;;) {
    const long piece = atomic_fetch_add(&shared->next, 1);
    if (piece >= shared->n) return NULL;
    if (!shared->work(shared->context, worker->number, piece)) {
      atomic_store(&shared->next, shared->n);
    }
  }
}


artStatus parallel_for(int threads, long n, parallelTask work, void *context, artError *error)
{
  ART_ASSERT(threads >= 1 && n >= 0 && work);
  farm shared = {.n = n, .work = work, .context = context};
  parallelWorker *worker = MEM_ARRAY(parallelWorker, threads);
  if (!worker) return base_no_memory(error);
  atomic_init(&shared.next, 0);
  for (int i = 0; i < threads; i++) {
    worker[i] = (parallelWorker){.shared = &shared, .number = i};
    worker[i].is_running =
        i > 0 && pthread_create(&worker[i].thread, NULL, work_on, &worker[i]) == 0;
  }
  work_on(&worker[0]);
  for (int i = 1; i < threads; i++) {
    if (worker[i].is_running) pthread_join(worker[i].thread, NULL);
  }
  mem_free(worker);
  return ART_OK;
}
