// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Position, velocity and acceleration of the point r of a link in ground axes, and a force at that
// point.
#ifndef TREE_POINT_H
#define TREE_POINT_H

#include "spatial/spatial.h"

// position of a link in ground axes
typedef struct treeWorld {
  m3 R; // v_link = R v_ground
  v3 o; // origin, in ground
} treeWorld;


static inline v3 point_place(const treeWorld *link, v3 r)
{
  return v3_add(link->o, m3_back(link->R, r));
}


// vel: velocity of the link at its origin in link axes
static inline v3 point_velocity(const treeWorld *link, const motion *vel, v3 r)
{
  return m3_back(link->R, v3_add(vel->lin, v3_cross(vel->ang, r)));
}


// a + alpha x r + omega x (omega x r); minus gravity, like acc
static inline v3 point_acceleration(const treeWorld *link, v3 omega, const motion *acc, v3 r)
{
  const v3 turning = v3_add(v3_cross(acc->ang, r), v3_cross(omega, v3_cross(omega, r)));
  return m3_back(link->R, v3_add(acc->lin, turning));
}


// convert a force in ground axes to a wrench at the link's origin in link axes
static inline wrench point_wrench(const treeWorld *link, v3 r, v3 force)
{
  const v3 own = m3_mul(link->R, force);
  return (wrench){v3_cross(r, own), own};
}

#endif
