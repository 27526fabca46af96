// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads that are one profile of lines and arcs along one direction: ramps, stairs and linear tables, placed
// ones, and sums of them. The ground at a point of the profile is known without its height as a function,
// so that risers may be as steep as one likes.
#ifndef ROAD_ROAD_PROFILE_H
#define ROAD_ROAD_PROFILE_H

#include "road/road_kinds.h"

// The profile begins at (x, y, z) and runs along (c, s).
typedef struct roadProfile {
  const polylineRoad *line;
  double x, y, z, c, s;
} roadProfile;

// The profile of a road; 0 when it has none.
int road_find_profile(const artRoad *road, roadProfile *profile);

// The least radius of all corners of a road and of its parts; INFINITY: it has none.
double road_sharpest(const artRoad *road);

// The angles of the directions at the beginning and at the end of piece i.
double profile_angle(const polylineRoad *line, int i, int at_end);

#endif
