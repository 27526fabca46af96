// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shares of threads in evaluations (eqn/share.h), in texts for GPUs.
#ifndef EMIT_THREAD_PARTITION_H
#define EMIT_THREAD_PARTITION_H

#include "emit/machine/machine.h"

typedef struct threadPartition {
  eqnShares shares;
  eqnProgram program; // of the machine, with functions of the shares
  eqnProgram *programs[1];
  baseArena arena;
} threadPartition;

// The simulation with shares of at least `least` operations, if it has any: its program then has more functions, whose
// names go to the end of `needs`. Returns 0 when memory ran out; close it in any case.
int thread_partition_open(threadPartition *shares, emitSimulation *simulation, int least,
                          simulationNeed *needs);
void thread_partition_close(threadPartition *shares);

// Numbers that threads of an instance exchange in shared memory.
int thread_partition_places(const eqnShares *shares);

// Sizes, and which entry of parameters and states each thread has instead of one of the first branch.
void thread_partition_print(FILE *out, const eqnShares *shares, const eqnProgram *program);

#endif
