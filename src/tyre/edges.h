// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel on a road of lines and arcs that are more curved than the wheel: steps, kerbs, stairs.
#ifndef TYRE_EDGES_H
#define TYRE_EDGES_H

#include "road/road_profile.h"
#include "tyre/tyre.h"

// Whether a tyre may touch a road at several places, and the profile of such a road.
int tyre_meets_edges(const artTyre *tyre, const artRoad *road, roadProfile *profile);

// How far to either side of the wheel centre a profile is looked at.
static inline double tyre_edge_reach(const artTyre *tyre)
{
  return 1.1 * art_tyre_free_radius(tyre, 0);
}

// All contacts in one: axes, deflection and load of their resultant.
artStatus tyre_press_edges(const artTyre *tyre, const roadProfile *profile, const artWheel *wheel,
                           tyrePress *press);

#endif
