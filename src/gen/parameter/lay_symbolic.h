// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of the compiled tree as expressions of parameters of the user.
#ifndef GEN_LAY_SYMBOLIC_H
#define GEN_LAY_SYMBOLIC_H

#include "articula/model.h"
#include "base/arena.h"

struct layPlan;
typedef struct genBuild genBuild;

// Nodes of the pool in use. Rotations by rows, then places.
enum {
  LAID_LINK = 24,
  LAID_MASS = 14,
  LAID_FIRST = 15,
  LAID_MOMENTS = 18,
  LAID_FRAME = 12,
  LAID_LENGTH = 28,
  LAID_ROD = 29,
  LAID_SURFACE = 30,
  LAID_CUT = 33
};
typedef struct laidTree {
  int *link;  // [LAID_LINK nlink] R 9, p 3, pitch, rotor, mass, h 3, J 6 as s3 has them
  int *frame; // [LAID_FRAME nframe] R 9, r 3
  // [LAID_CUT ncut] of both sides R 9, r 3; axis2 3, pitch, length, two thirds of the mass; of the
  // surface where it rolls radius, and sine and cosine of the half angle
  int *cut;
  int nlink, nframe, ncut;
} laidTree;

// The node of a number of a definition.
int gen_laid_number(genBuild *b, const double *x);

// Among n nodes of one kind, some are numbers whatever the parameters are, but for rounding relative to the largest of them,
// and become these numbers; and the value of a node at present.
void gen_fold_constants(genBuild *b, int n, int *node);
double gen_present_value(genBuild *b, int node);

// Nodes that are equal whatever the parameters are, but for rounding, become the first of them.
void gen_join_nodes(genBuild *b, int n, int *node);

// Into an arena that leaves where memory runs out.
void gen_lay(genBuild *b, const struct layPlan *plan, int nlink, baseArena *arena, laidTree *out);

// Places in bodies as viewers draw them: [2 njoint] ends of joints, place and z axis; [nframe] places of frames; [nbody]
// centres of mass.
typedef struct laidPlaces {
  int *end, *frame, *com;
} laidPlaces;
void gen_lay_places(genBuild *b, const struct layPlan *plan, baseArena *arena, laidPlaces *out);

// Place, x axis and z axis in the body, of a solid and of a pose.
void gen_lay_solid(genBuild *b, const artSolidDef *solid, int out[9]);
void gen_lay_pose(genBuild *b, const artPose *pose, int out[9]);

// Of a model that has been built, which keeps no definitions, a body is known by its compiled frame in its link, v_body = R v_link, and
// a rod by its ends in the links there. Laid are mass, first and second moments of links, and masses of rods.
typedef struct laidBody {
  int link;
  const double *mass, *com, *inertia;
  double R[9], r[3];
} laidBody;
typedef struct laidRod {
  int cut, link[2];
  const double *mass;
  double r[2][3];
} laidRod;
void gen_lay_compiled(genBuild *b, int nbody, const laidBody *body, int nrod, const laidRod *rod,
                      int nlink, int ncut, baseArena *arena, laidTree *out);

#endif
