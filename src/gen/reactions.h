// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations of links, and forces through joints, cuts and rods, once the accelerations are known.
#ifndef GEN_REACTIONS_H
#define GEN_REACTIONS_H

#include "gen/build.h"

typedef struct genSettled {
  int *acc;      // [6 n] of links at their origins, in their axes, less gravity
  int *on_link;  // [6 n] what parents do to links through joints, moment and force
  int *on_joint; // [nv] of elements, couplings and drives together
  node3 *to_force, *to_torque, *from_force; // [ncut] on bodies, ground axes
} genSettled;

// Find all of it, once. After the machine was made.
const genSettled *gen_settle(genBuild *b);

#endif
