// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Aerodynamic drag on a point of a body. With the velocity u of the point against the air, along the
// axes of its frame,
//   F = rho A/2 |u| (-cx ux, -cy uy, -cz uz + cl |u|)
#ifndef LAW_DRAG_H
#define LAW_DRAG_H

#include "spatial/spatial.h"

// all finite; density and area not negative: the builder sees to it
typedef struct forceDrag {
  double half;    // rho A/2
  v3 coefficient; // cx, cy, cz
  double lift;    // cl
  v3 wind;        // velocity of the air, ground axes
} forceDrag;

v3 drag_force(const forceDrag *drag, v3 u);

// Symmetric part of -dF/du.
s3 drag_damping(const forceDrag *drag, v3 u);

#endif
