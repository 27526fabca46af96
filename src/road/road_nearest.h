// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The point of a road that is nearest to a given one.
#ifndef ROAD_ROAD_NEAREST_H
#define ROAD_ROAD_NEAREST_H

#include "road/road.h"
#include "spatial/spatial.h"

// A point of the road, with its height and derivatives.
typedef struct roadFoot {
  double x, y;
  roadJet jet;
} roadFoot;

// Found by Newton's method from the point below p; p is near the road, closer than its hollows are round.
roadFoot road_nearest(const artRoad *road, v3 p);

// The least radius of a hollow of the road, m; INFINITY: it has none, or it is not known.
double road_least_hollow(const artRoad *road);

#endif
