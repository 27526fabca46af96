// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the makers of tree forms share.
#ifndef GEN_TREE_PART_H
#define GEN_TREE_PART_H

#include "gen/build.h"

// A function of one straight stage; NULL when memory ran out.
eqnFunction *gen_add_plain(genBuild *b, const char *name, const char *what, int ninput, int noutput,
                           eqnGroup group);

// Applied wrenches on links 1 to n as an input, "f".
eqnVector gen_applied(genBuild *b);

// Position, motion and Jacobian of every frame that moves.
void gen_add_frames(genBuild *b);

// Energy and momentum.
void gen_add_energy(genBuild *b);

// What joints do to the bodies they lead to.
void gen_add_reactions(genBuild *b);

#endif
