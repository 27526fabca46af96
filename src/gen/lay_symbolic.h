// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of the compiled tree as expressions of parameters of the user.
#ifndef GEN_LAY_SYMBOLIC_H
#define GEN_LAY_SYMBOLIC_H

#include "base/arena.h"

struct layPlan;
typedef struct genBuild genBuild;

// Nodes of the pool in use. Rotations by rows, then places.
enum { LAID_LINK = 24, LAID_MOMENTS = 18, LAID_FRAME = 12, LAID_LENGTH = 28, LAID_CUT = 30 };
typedef struct laidTree {
  int *link;  // [LAID_LINK nlink] R 9, p 3, pitch, rotor, mass, h 3, J 6 as s3 has them
  int *frame; // [LAID_FRAME nframe] R 9, r 3
  int *
      cut; // [LAID_CUT ncut] of both sides R 9, r 3; axis2 3, pitch, length, two thirds of the mass
  int nlink, nframe, ncut;
} laidTree;

// The node of a number of a definition.
int gen_laid_number(genBuild *b, const double *x);

// Among n nodes of one kind, some are numbers whatever the parameters are, but for rounding beside the largest of them,
// and become these numbers; and the value of a node at present.
void gen_neat_nodes(genBuild *b, int n, int *node);
double gen_present_value(genBuild *b, int node);

// Nodes that are equal whatever the parameters are, but for rounding, become the first of them.
void gen_join_nodes(genBuild *b, int n, int *node);

// Into an arena that leaves where memory runs out.
void gen_lay(genBuild *b, const struct layPlan *plan, int nlink, baseArena *arena, laidTree *out);

#endif
