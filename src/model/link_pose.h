// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses of frames, for laying out the tree, and small displacements of its links.
#ifndef MODEL_LINK_POSE_H
#define MODEL_LINK_POSE_H

#include "model/links.h"
#include "spatial/pose.h"

// Turn a quaternion by the rotation vector u, in the axes it describes.
void pose_turn_quaternion(double e[4], const double u[3]);

// The coordinates of one link in q[nq], moved by its part of a displacement[nv].
static inline void pose_move_link(const treeLink *link, double *q, const double *displacement)
{
  const int straight = link_straight(link);
  for (int k = 0; k < straight; k++) q[link->q0 + k] += displacement[link->v0 + k];
  if (!link_turns(link)) return;
  pose_turn_quaternion(q + link->q0 + straight, displacement + link->v0 + straight);
}

#endif
