// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions that the makers of tree forms share.
#ifndef GEN_TREE_PART_H
#define GEN_TREE_PART_H

#include "gen/build.h"

// Inputs of a function by their letters, in this order: positions q, velocities v, accelerations a, joint forces t,
// applied wrenches f.
void gen_put_inputs(genBuild *b, eqnFunction *f, const char *letters);

// A function of one straight stage with such inputs; name NULL: that of its kind.
eqnFunction *gen_add_plain(genBuild *b, eqnFunctionKind kind, const char *name, const char *what,
                           const char *letters, int noutput, eqnGroup group);

// Position, motion and Jacobian of every frame that moves.
void gen_add_frames(genBuild *b);

// Energy and momentum.
void gen_add_energy(genBuild *b);

// Reactions: forces and torques of joints on the bodies they lead to.
void gen_add_reactions(genBuild *b);

#endif
