// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cost of values on their way from core to core: lines of the cache that one thread writes and another reads, all
// together or one after the other. src/sched takes its costs of transfers from here and from bench/parallel.
//   lines
// A turn: the writer fills n lines that the reader holds and raises a flag; the reader reads a number of each line and
// answers. Times are the middle of many turns, nanoseconds.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/clock.h"
#include "par/wait.h"
#include "team_times.h"

enum { TURNS = 2001, LINE = 8, MAX_LINES = 256 };

typedef struct linesJob {
  _Alignas(128) atomic_int flag;
  _Alignas(128) atomic_int answer;
  _Alignas(128) double place[MAX_LINES * LINE];
  int n, is_chain; // chain: each line says which one is next
  double sum;
  double write[TURNS], read[TURNS];
} linesJob;


static double read_together(const linesJob *job)
{
  double sum = 0;
  for (int i = 0; i < job->n; i++) sum += job->place[i * LINE];
  return sum;
}


// the address of a line depends on what was in the one before
static double read_chain(const linesJob *job)
{
  double next = 0;
  for (int i = 0; i < job->n; i++) next = job->place[(int) next * LINE];
  return next;
}


static void *read_lines(void *context)
{
  linesJob *job = context;
  for (int turn = 1; turn <= TURNS; turn++) {
    while (atomic_load_explicit(&job->flag, memory_order_acquire) < turn) {
    }
    const double begin = base_now();
    job->sum += job->is_chain ? read_chain(job) : read_together(job);
    job->read[turn - 1] = base_now() - begin;
    atomic_store_explicit(&job->answer, turn, memory_order_release);
  }
  return NULL;
}


// lines follow one another by a stride that no prefetcher guesses
static void write_lines(linesJob *job)
{
  for (int i = 0; i < job->n; i++) {
    const int next = job->n > 1 ? (i * 5 + 3) % job->n : 0;
    for (int k = 0; k < LINE; k++) job->place[i * LINE + k] = next;
  }
}


static int run(linesJob *job, int n, int is_chain)
{
  pthread_t reader;
  job->n = n;
  job->is_chain = is_chain;
  atomic_store(&job->flag, 0);
  atomic_store(&job->answer, 0);
  team_pin_workers();
  if (pthread_create(&reader, NULL, read_lines, job) != 0) return 0;
  team_pin_caller();
  for (int turn = 1; turn <= TURNS; turn++) {
    const double begin = base_now();
    write_lines(job);
    atomic_store_explicit(&job->flag, turn, memory_order_release);
    job->write[turn - 1] = base_now() - begin;
    while (atomic_load_explicit(&job->answer, memory_order_acquire) < turn) {
    }
  }
  pthread_join(reader, NULL);
  return 1;
}


int main(void)
{
  static linesJob job;
  printf("%6s %12s %12s %12s %12s\n", "lines", "written", "a line", "read, a line", "one by one");
  for (int n = 1; n <= MAX_LINES; n *= 2) {
    if (!run(&job, n, 0)) return 1;
    const double write = 1e9 * par_median(job.write, TURNS),
                 read = 1e9 * par_median(job.read, TURNS);
    if (!run(&job, n, 1)) return 1;
    printf("%6d %12.0f %12.1f %12.1f %12.1f\n", n, write, write / n, read / n,
           1e9 * par_median(job.read, TURNS) / n);
  }
  return 0;
}
