// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parallel evaluation of a function by threads, one for each of several isomorphic branches
// (family.h), such as the subtrees of a humanoid.
//
// Threads of a family run the code of its first branch with their own coordinates and parameters.
// Nodes that depend on several branches belong to the trunk. Each thread computes those nodes of
// its branch that the trunk needs and hands them over. Each thread of one family, the carrier,
// computes the whole trunk and gives the other threads the nodes that they need.
#ifndef EQN_SHARE_H
#define EQN_SHARE_H

#include "eqn/family.h"
#include "eqn/program.h"

typedef struct eqnShare {
  eqnFunction function; // NAME_limb_1, ...: with additional input vectors `hand`, `met` and `given`
  int members;          // number of threads
  int thread;           // index of the first thread
  int nhand;            // values that each thread hands over
  int first;            // index of the first thread's values in `met`
  const unsigned char *is_own; // [symbols] of coordinates: 1: own branch, 2: trunk
} eqnShare;

typedef struct eqnShares {
  int n; // families; 0: the function cannot be partitioned
  eqnShare *share;
  int nthread;
  int carrier; // index of a family
  int nmet;    // values handed over by all threads
  int ngiven;  // values given by each thread of the carrier
  // [threads] [symbols] by ordinal: counterpart of a symbol of the first branch of the thread's
  // family
  int **twin;
} eqnShares;

// Partition a function of straight stages with at least `least` operations, whose outputs are `a`
// and possibly `power`. A part computes accelerations of its branch and of the trunk (other entries
// are zero), and the power of its branch and, for the carrier, of the trunk. Adds expressions to
// the program's pool. Returns 0 when memory ran out.
int eqn_share(eqnShares *shares, const eqnProgram *program, const eqnFunction *function, int least,
              baseArena *arena);

#endif
