// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A team of threads that lives as long as its owner and runs one function at a time, together:
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
// The caller is worker 0; workers 1 to n - 1 are threads of the team. par_run takes no lock and no memory. The caller
// reads all that workers wrote after par_run. Which worker does what is the work's affair: for results that do not depend on
// the number of workers, let each write places of its own and add them up in a fixed order.
//
// One par_run at a time, from the thread that made the team; the work calls neither par_run nor
// par_free_team.
#ifndef PAR_TEAM_H
#define PAR_TEAM_H

#include "articula/base.h"

typedef struct parTeam parTeam;

typedef void parWork(void *context, int worker);

// The most workers of a team.
enum { PAR_MOST_WORKERS = 256 };

// Seconds after which a worker that did not come counts as stalled, for work of less than milliseconds.
#define PAR_STALL_LIMIT 10.0

// A team of n workers, the caller being one of them: n - 1 threads are started. Nobody waits longer than
// limit seconds for a worker; 0 stands for no limit (work that may take hours). NULL with an error when n
// is not from 1 to PAR_MOST_WORKERS or the system has no more threads.
parTeam *par_create_team(int n, double limit, artError *error);

// End the threads; accepts NULL. Returns 0 when a stalled worker is still at work: it cannot be stopped,
// so the team's memory stays taken, and so must everything that the work uses.
int par_free_team(parTeam *team);

// Run work(context, worker) once on every worker and wait for all. ART_STALLED, naming the worker and
// what it was at, when one of them did not come to the end within the limit; the team
// is of no more use then. A caller that stalls itself is its owner's affair.
artStatus par_run(parTeam *team, const char *what, parWork *work, void *context, artError *error);

#endif
