// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Aerodynamic drag on a point of a body. With the velocity u of the point relative to the air, in
// the axes of its frame,
//   F = rho A/2 |u| (-cx ux, -cy uy, -cz uz + cl |u|)
#ifndef LAW_DRAG_H
#define LAW_DRAG_H

// all finite; density and area not negative (ensured by the builder)
typedef struct forceDrag {
  double half;           // rho A/2
  double coefficient[3]; // cx, cy, cz
  double lift;           // cl
  double wind[3];        // velocity of the air, ground axes
} forceDrag;

#endif
