// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel on a road of lines and arcs that are more curved than the wheel: steps, kerbs, stairs.
#ifndef TYRE_EDGES_H
#define TYRE_EDGES_H

#include "road/road_profile.h"
#include "tyre/tyre.h"

// 1 if a tyre may touch a road at several points, and the profile of that road.
int tyre_meets_edges(const artTyre *tyre, const artRoad *road, roadProfile *profile);

// Half the length of the profile that is searched around the wheel centre.
static inline double tyre_edge_reach(const artTyre *tyre)
{
  return 1.1 * art_tyre_free_radius(tyre, 0);
}

// The resultant of all contacts: axes, deflection and load.
artStatus tyre_press_edges(const artTyre *tyre, const roadProfile *profile, const artWheel *wheel,
                           tyrePress *press);

#endif
