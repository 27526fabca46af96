// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bounds of the height of a road and its slopes over a rectangle.
#ifndef ROAD_ROAD_BOUNDS_H
#define ROAD_ROAD_BOUNDS_H

#include "articula/road.h"
#include "spatial/interval.h"

typedef struct roadBounds {
  enclosure z, x, y; // height, slopes along x and y
} roadBounds;

// A road by a function counts as level, here and as a part of a sum.
roadBounds road_bounds(const artRoad *road, enclosure x, enclosure y);

#endif
