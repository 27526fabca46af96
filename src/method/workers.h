// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Who works on the branches of a machine in the recursive method: the caller alone, a team of threads, or
// ranks of MPI. The others are tried at the first evaluation, and used if that is quicker.
#ifndef METHOD_CREW_H
#define METHOD_CREW_H

#include "method/method.h"
#include "method/recursive_work.h"

// Do a phase on all branches.
artStatus workers_run(const artModel *m, artData *d, recursivePhase *phase, artError *error);

// Do others share the work?
int workers_is_sharing(const artData *d);

// Is there a team of which it is not known whether it pays?
int workers_is_undecided(const artData *d);

// Find out, by evaluations at the present state. Takes memory.
typedef artStatus workersEvaluation(const artModel *m, artData *d, artError *error);
artStatus workers_decide(const artModel *m, artData *d, workersEvaluation *evaluate,
                         artError *error);

// An evaluation, timed where others share it: when these have become slower than one alone was, because
// somebody else needs the cores, it is undecided again.
artStatus workers_evaluate(const artModel *m, artData *d, workersEvaluation *evaluate,
                           artError *error);

//---- branches on ranks of MPI (branch_messages.c) ------------------------------------------------

// Rank 0 has the whole machine and everything that happens to it; the others wait for its messages, do a phase on
// their branches, and send back what it asks for. All have read the same model.
typedef struct methodRanks methodRanks;

// On rank 0: let the others take their branches, worker[branch] being a rank. Nobody is waited for longer
// than limit seconds.
artStatus ranks_start(methodRanks **out, const artModel *m, artData *d, const int *worker,
                      double limit, artError *error);

// A phase on all branches, on rank 0. ART_STALLED, naming the rank, when one did not answer.
artStatus ranks_run(methodRanks *ranks, const artModel *m, artData *d, recursivePhase *phase,
                    artError *error);

// Messages go out and come back once for an evaluation, or once for each phase, which is how it begins. Results are the
// same to the last bit. Round trips so far.
void ranks_use_one_trip(methodRanks *ranks, int in_one_trip);
long ranks_trips(const methodRanks *ranks);

// Send the others home; accepts NULL.
void ranks_stop(methodRanks *ranks);

// For those who were never asked for anything.
void ranks_dismiss(void);

#endif
