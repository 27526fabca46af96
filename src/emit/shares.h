// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shares of threads in evaluations (eqn/share.h), in texts for graphics processors.
#ifndef EMIT_SHARES_H
#define EMIT_SHARES_H

#include "emit/machine.h"

typedef struct emitShares {
  eqnShares shares;
  eqnProgram program; // of the machine, with functions of the shares
  eqnProgram *programs[1];
  baseArena arena;
} emitShares;

// The simulation with shares of at least so many operations, where it has such: its program has more functions then, whose
// names go to the end of `needs`. Returns 0 when memory ran out; close it in any case.
int shares_open(emitShares *shares, emitSimulation *simulation, int least, simulationNeed *needs);
void shares_close(emitShares *shares);

// Numbers that threads of an instance exchange in shared memory.
int shares_places(const eqnShares *shares);

// Sizes, and which entry of parameters and states each thread has in the place of one of the first branch.
void shares_print(FILE *out, const eqnShares *shares, const eqnProgram *program);

#endif
