// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Convex hulls of balls about a few points in space, as triangles.
#ifndef SHOW_HULL_H
#define SHOW_HULL_H

#include "base/arena.h"

typedef struct ioHull {
  int nvertex, ntriangle;
  float *vertex; // [nvertex][3]
  int *triangle; // [ntriangle][3] counter-clockwise from outside
} ioHull;

// The hull of balls of a radius about n points: of 14 directions each, so that lines and planes of
// points become solids as well. Memory comes from the arena; 0 when it ran out.
int hull_around(ioHull *hull, int n, const double *point, double radius, baseArena *arena);

#endif
