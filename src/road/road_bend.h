// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A road as numbers alone, for sources on any scalar: its height with derivatives, and how sharply it bends.
#ifndef ROAD_ROAD_BEND_H
#define ROAD_ROAD_BEND_H

#include "articula/road.h"

// z, z_x, z_y, z_xx, z_xy, z_yy
void road_derivatives(const artRoad *road, double x, double y, double z[6]);

// Upper bounds of the curvature of a road, 1/m: in valleys, where it turns upward, and on crests. INFINITY: none is known (tracks,
// functions of the user). A ball of a smaller curvature does not fit into a valley.
typedef struct roadBend {
  double valley, crest;
} roadBend;
roadBend road_bend(const artRoad *road);

#endif
