// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Convex hulls of points in space.
#ifndef SPATIAL_HULL_H
#define SPATIAL_HULL_H

#include "spatial/spatial.h"

typedef struct hullFace {
  int corner[3]; // indices of points, counter-clockwise seen from outside
  v3 normal;
  double distance; // of its plane from the origin, along the normal
} hullFace;

// Capacity in faces: a hull has at most 2 n - 4, and adding a point creates up to n more along its
// rim.
#define HULL_ROOM(n) (3 * (size_t) (n))

// Write the triangles of the hull into face[HULL_ROOM(n)]; ignores points outside by at most the
// tolerance. Returns their number, 0 if all points are coplanar within the tolerance.
int hull_find(int n, const v3 *point, double tolerance, hullFace *face);

#endif
