// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The team: each worker counts its completed calls in a cache line of its own, which the caller
// reads. So a late worker is known by number.
#include "par/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"
#include "par/wait.h"

// cache lines have 64 or 128 bytes
enum { CACHE_LINE_BYTES = 128 };

enum { NOBODY = -1 };

// extra time in seconds for a stalled worker before its thread is abandoned
static const double last_chance = 0.1;

typedef struct teamWorker {
  atomic_long done;   // completed calls
  atomic_int is_home; // its thread has ended
  parTeam *team;
  pthread_t thread;
  char room[CACHE_LINE_BYTES];
} teamWorker;

struct parTeam {
  int n, is_full;
  double limit;
  parWork *work;
  void *context;
  char room[CACHE_LINE_BYTES];
  atomic_long call;   // number of calls requested
  atomic_int is_over; // the threads shall end
  int stalled;        // a worker that missed its limit
  char more_room[CACHE_LINE_BYTES];
  teamWorker worker[];
};

// wait until a worker has completed a call
static int wait_for_worker(parTeam *team, int worker, long call)
{
  ART_ASSERT(worker >= 0 && worker < team->n);
  parWait wait = {.limit = team->limit, .is_full = team->is_full};
  while (atomic_load_explicit(&team->worker[worker].done, memory_order_acquire) < call) {
    if (par_wait(&wait)) continue;
    team->stalled = worker;
    return 0;
  }
  return 1;
}


//---- threads -------------------------------------------------------------------------------------


static void *worker_thread_loop(void *argument)
{
  teamWorker *self = argument;
  parTeam *team = self->team;
  const int worker = (int) (self - team->worker);
  for (long seen = 0;; seen++) {
    parWait wait = {.is_full = team->is_full};
    while (atomic_load_explicit(&team->call, memory_order_acquire) == seen) par_wait(&wait);
    if (atomic_load(&team->is_over)) break;
    team->work(team->context, worker);
    atomic_store_explicit(&self->done, seen + 1, memory_order_release);
  }
  atomic_store(&self->is_home, 1);
  return NULL;
}


// signals of the user go to the thread that created the team
static int start_thread(teamWorker *worker)
{
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  const int failed = pthread_create(&worker->thread, NULL, worker_thread_loop, worker);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return !failed;
}


parTeam *par_create_team(int n, double limit, artError *error)
{
  if (n < 1 || n > PAR_MOST_WORKERS) {
    base_fail(error, ART_BAD_INPUT, base_nowhere(),
              "a team of %d workers is asked for, expected 1 to %d", n, PAR_MOST_WORKERS);
    return NULL;
  }
  parTeam *team = mem_alloc(1, sizeof *team + (size_t) n * sizeof team->worker[0]);
  if (!team) {
    base_no_memory(error);
    return NULL;
  }
  team->limit = limit;
  team->is_full = n > par_cores();
  team->stalled = NOBODY;
  for (team->n = 1; team->n < n; team->n++) {
    teamWorker *worker = &team->worker[team->n];
    worker->team = team;
    if (start_thread(worker)) continue;
    base_fail(error, ART_NO_MEMORY, base_nowhere(),
              "the system has no thread left for worker %d of %d", team->n + 1, n);
    par_free_team(team);
    return NULL;
  }
  return team;
}


// wait for the end of a worker's thread; a stalled one gets only `last_chance`
static int goes_home(parTeam *team, teamWorker *worker)
{
  parWait wait = {.limit = team->stalled == NOBODY ? 0 : last_chance};
  while (!atomic_load(&worker->is_home)) {
    if (!par_wait(&wait)) return 0;
  }
  return 1;
}


int par_free_team(parTeam *team)
{
  if (!team) return 1;
  atomic_store(&team->is_over, 1);
  atomic_fetch_add_explicit(&team->call, 1, memory_order_release);
  int left = 0;
  for (int i = 1; i < team->n; i++) {
    if (goes_home(team, &team->worker[i])) {
      pthread_join(team->worker[i].thread, NULL);
    } else {
      pthread_detach(team->worker[i].thread);
      left++;
    }
  }
  if (left == 0) mem_free(team);
  return left == 0;
}


//---- work ----------------------------------------------------------------------------------------


static artStatus report_stall(parTeam *team, const char *what, artError *error)
{
  return base_fail(error, ART_STALLED, base_nowhere(),
                   "worker %d of %d has stalled in '%s': the others have waited %.3g s for it and "
                   "give up; run with one thread, or look for what holds that thread",
                   team->stalled + 1, team->n, what, team->limit);
}


artStatus par_run(parTeam *team, const char *what, parWork *work, void *context, artError *error)
{
  ART_ASSERT(work);
  ART_ASSERT(!atomic_load(&team->is_over));
  if (team->stalled != NOBODY) return report_stall(team, what, error);
  team->work = work;
  team->context = context;
  const long call = 1 + atomic_fetch_add_explicit(&team->call, 1, memory_order_release);
  work(context, 0);
  for (int i = 1; i < team->n; i++) {
    if (!wait_for_worker(team, i, call)) return report_stall(team, what, error);
  }
  return ART_OK;
}
