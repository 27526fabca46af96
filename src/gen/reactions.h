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

// Find all of it, once; 0 when memory ran out. After the machine was made.
int gen_settle(genBuild *b);

// Force and torque on `to` of a joint, at the joint, in ground axes.
void gen_settled_reaction(genBuild *b, int joint, int reaction[6]);

// Place, velocity or acceleration of an end of a rod; its length; a part of its mass.
node3 gen_rod_end(genBuild *b, int cut, int side, int order);
int gen_rod_length(genBuild *b, int cut);
int gen_rod_mass(genBuild *b, int cut, double part);

#endif
