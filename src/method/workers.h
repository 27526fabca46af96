// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Workers for the branches of a machine in the recursive method: the caller alone, a team of
// threads, or MPI ranks. Threads and ranks are tried at the first evaluation, and used if that is
// faster.
#ifndef METHOD_WORKERS_H
#define METHOD_WORKERS_H

#include "method/method.h"
#include "method/recursive_work.h"

// Run a phase on all branches.
artStatus workers_run(const artModel *m, artData *d, recursivePhase *phase, artError *error);

// Does the caller share the work with others?
int workers_is_sharing(const artData *d);

// Is there a team that has not been timed yet?
int workers_is_undecided(const artData *d);

// Time evaluations at the present state and choose. Allocates memory.
typedef artStatus workersEvaluation(const artModel *m, artData *d, artError *error);
artStatus workers_decide(const artModel *m, artData *d, workersEvaluation *evaluate,
                         artError *error);

// An evaluation, timed if the work is shared: when these become slower than one thread was, because
// other programs need the cores, the choice is made again.
artStatus workers_evaluate(const artModel *m, artData *d, workersEvaluation *evaluate,
                           artError *error);

//---- branches on ranks of MPI (branch_messages.c) ------------------------------------------------

// Rank 0 has the whole machine and runs everything else. The other ranks wait for its messages, run
// a phase on their branches, and return what rank 0 needs. All ranks have read the same model.
typedef struct methodRanks methodRanks;

// On rank 0: assign branches to the others; worker[branch] is a rank. A rank that does not answer
// within `limit` seconds has stalled.
artStatus ranks_start(methodRanks **out, const artModel *m, artData *d, const int *worker,
                      double limit, artError *error);

// A phase on all branches, on rank 0. ART_STALLED, naming the rank, when one did not answer.
artStatus ranks_run(methodRanks *ranks, const artModel *m, artData *d, recursivePhase *phase,
                    artError *error);

// Exchange messages once per evaluation, or once per phase (initially). Results are bit-identical.
// ranks_trips: round trips so far.
void ranks_use_one_trip(methodRanks *ranks, int in_one_trip);
long ranks_trips(const methodRanks *ranks);

// Release the other ranks; accepts NULL.
void ranks_stop(methodRanks *ranks);

// Release ranks that were never started.
void ranks_dismiss(void);

#endif
