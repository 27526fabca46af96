// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A function shared by threads, one for each branch of a tree that is built like others (family.h), as the subtrees of a
// humanoid.
//
// Threads of a family run the text of its first branch, with coordinates and parameters of their own in the places of
// that branch's. Nodes that depend on several branches are the trunk's. Each thread finds the nodes of its branch that the trunk
// needs, and hands them over; each thread of one family, the carrier, finds all of the trunk, and gives others the nodes they need.
#ifndef EQN_SHARE_H
#define EQN_SHARE_H

#include "eqn/family.h"
#include "eqn/program.h"

typedef struct eqnShare {
  eqnFunction
      function; // NAME_limb_1, ...: with vectors `hand`, `met` and `given` behind the inputs
  int members;  // threads
  int thread;   // the first of them
  int nhand;    // numbers that each hands over ...
  int first;    // ... the first thread's from here on among all, `met`
  const unsigned char *is_own; // [symbols] of coordinates: 1, its own, 2: the trunk's
} eqnShare;

typedef struct eqnShares {
  int n; // families; 0: the function cannot be shared
  eqnShare *share;
  int nthread;
  int carrier; // a family
  int nmet;    // numbers that all threads hand over
  int ngiven;  // that each thread of the carrier gives
  int **
      twin; // [threads] [symbols] by ordinals: the twin of a symbol of the first branch of the thread's family
} eqnShares;

// Shares of a function of straight stages and at least so many operations, whose outputs are `a` and perhaps `power`; of a
// share these are accelerations of its branch and of the trunk, zero else, and what its branch and, in the carrier, the trunk add to the power. New expressions go into the program's pool. Returns 0 when memory ran out.
int eqn_share(eqnShares *shares, const eqnProgram *program, const eqnFunction *function, int least,
              baseArena *arena);

#endif
