// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A team of threads that lives as long as its owner and runs one function at a time on all threads:
//
//   static void sweep(void *context, int worker)
//   {
//     struct job *job = context;
//     outward(job, worker);
//   }
//   parTeam *team = par_create_team(4, PAR_STALL_LIMIT, &error);
//   ... in each step: par_run(team, "sweep", sweep, &job, &error) ...
//   par_free_team(team);
//
// The caller is worker 0; workers 1 to n - 1 are threads of the team. par_run takes no lock and
// allocates nothing. After par_run the caller sees everything that the workers wrote. The function
// decides what each worker does. For results that do not depend on the number of workers, let each
// worker write separate entries and sum them in a fixed order.
//
// Only one par_run at a time, from the thread that created the team; the function must not call
// par_run or par_free_team.
#ifndef PAR_TEAM_H
#define PAR_TEAM_H

#include "articula/base.h"

typedef struct parTeam parTeam;

typedef void parWork(void *context, int worker);

// Maximum number of workers of a team.
enum { PAR_MOST_WORKERS = 256 };

// Seconds after which a missing worker counts as stalled, for functions that take milliseconds at
// most.
#define PAR_STALL_LIMIT 10.0

// Create a team of n workers including the caller: starts n - 1 threads. A wait for a worker lasts
// at most `limit` seconds; 0: no limit (work that may take hours). NULL with an error when n is not
// in 1 .. PAR_MOST_WORKERS or the system has no more threads.
parTeam *par_create_team(int n, double limit, artError *error);

// Stop the threads; accepts NULL. Returns 0 when a stalled worker is still running: it cannot be
// stopped, so the memory of the team, and everything that the function uses, must not be freed.
int par_free_team(parTeam *team);

// Run work(context, worker) once on every worker and wait for all. ART_STALLED, naming the worker
// and `what`, when one did not finish within the limit; then the team is unusable. A stall of the
// caller itself is not detected.
artStatus par_run(parTeam *team, const char *what, parWork *work, void *context, artError *error);

#endif
