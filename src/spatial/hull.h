// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Convex hulls of points in space.
#ifndef SPATIAL_HULL_H
#define SPATIAL_HULL_H

#include "spatial/spatial.h"

typedef struct hullFace {
  int corner[3]; // numbers of points, counter-clockwise from outside
  v3 normal;
  double distance; // of its plane along the normal
} hullFace;

// Faces that there is room for: a hull has 2 n - 4 at most, and a point that is added sees a rim of n more.
#define HULL_ROOM(n) (3 * (size_t) (n))

// Triangles of the hull into face[HULL_ROOM(n)]; points outside of it by no more than the tolerance are left out. Returns
// their number, 0 where all points lie in a plane but for the tolerance.
int hull_find(int n, const v3 *point, double tolerance, hullFace *face);

#endif
