// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Branches of a machine on ranks of MPI. Rank 0 has the whole machine and everything that happens to it;
// the others wait for its messages, do a phase on their branches, and send back what it asks for. All
// have read the same model.
#ifndef METHOD_BRANCH_MESSAGES_H
#define METHOD_BRANCH_MESSAGES_H

#include "method/recursive_work.h"

typedef struct methodRanks methodRanks;

// On rank 0: let the others take their branches, worker[branch] being a rank. Nobody is waited for longer
// than limit seconds.
artStatus ranks_start(methodRanks **out, const artModel *m, artData *d, const int *worker,
                      double limit, artError *error);

// A phase on all branches, on rank 0. ART_STALLED, naming the rank, when one did not answer.
artStatus ranks_run(methodRanks *ranks, const artModel *m, artData *d, recursivePhase *phase,
                    artError *error);

// Send the others home; accepts NULL.
void ranks_stop(methodRanks *ranks);

// For those who were never asked for anything.
void ranks_dismiss(void);

#endif
