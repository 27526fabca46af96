// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Convex polyhedra: boxes, and hulls of points, with their faces and edges for contact.
#ifndef CONTACT_SURFACE_HULL_H
#define CONTACT_SURFACE_HULL_H

#include "articula/model.h"
#include "base/arena.h"

enum { MAX_HULL_POINTS = 100, HULL_POINTS = 4 }; // points of a hull; contact points of two

// n.x <= offset inside; its corners, counterclockwise from outside: corner[first], ...
typedef struct contactFace {
  double normal[3], offset;
  int first, count;
} contactFace;

// Two corners, and the faces on either side.
typedef struct hullEdge {
  int end[2], face[2];
} hullEdge;

typedef struct contactHull {
  int nvertex, nface, nedge;
  const double (*vertex)[3]; // about the reference point
  const contactFace *face;
  const int *corner;
  const hullEdge *edge;
  double size, thickness; // largest distance of a vertex; least width, halved
} contactHull;

// The hull of points, or of a box; NULL: it has no volume.
const contactHull *hull_of_points(baseArena *arena, int n, const double *points);
const contactHull *hull_make(baseArena *arena, const artSurfaceDef *def);

// Of n points, the furthest inside their hull, relative to its size: 0 for the corners of a convex body.
double hull_dent(const contactHull *hull, int n, const double *points);

#endif
