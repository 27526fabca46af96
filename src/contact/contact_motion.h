// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The motion of a body that touches, in numbers.
#ifndef CONTACT_CONTACT_MOTION_H
#define CONTACT_CONTACT_MOTION_H

#include "contact/surface_pairs.h"

// One body: its shape, reference point, axes by rows, and their motion, in ground axes.
typedef struct surfaceMotion {
  contactShape shape;
  double at[3], velocity[3];
  double axes[9], omega[3];
  double radius, top, tube, half[3];
  const contactProfile *profile;
  int chain;
  const contactHull *hull;
  const artRoad *road;
  double bend;
} surfaceMotion;

#endif
