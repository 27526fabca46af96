// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads that are one profile of lines and arcs along one direction: ramps, stairs and linear
// tables, placed ones, and sums of them. The profile is a curve and not a height function, so
// risers may be arbitrarily steep.
#ifndef ROAD_ROAD_PROFILE_H
#define ROAD_ROAD_PROFILE_H

#include "road/road_kinds.h"

// The profile starts at (x, y, z) and extends along (c, s).
typedef struct roadProfile {
  const polylineRoad *line;
  double x, y, z, c, s;
} roadProfile;

// The profile of a road; 0 if it has none.
int road_find_profile(const artRoad *road, roadProfile *profile);

// The smallest corner radius of a road and its parts; INFINITY if there are no corners.
double road_sharpest(const artRoad *road);

// The direction angle at the start or the end of piece i.
double profile_angle(const polylineRoad *line, int i, int at_end);

#endif
