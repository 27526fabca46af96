// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Heights of src/road on symbols, from nodes to nodes.
#ifndef GEN_ROAD_SYMBOLIC_H
#define GEN_ROAD_SYMBOLIC_H

#include "road/road.h"
#include "sym/expr.h"

// Height of a road and its derivatives at a point.
typedef struct roadNodes {
  int z, x, y, xx, xy, yy;
} roadNodes;

// Whether a road and all its parts have short equations; these.
int sym_road_has_equations(const artRoad *road);
roadNodes sym_road(exprPool *pool, const artRoad *road, int x, int y);

#endif
