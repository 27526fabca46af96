// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where two features of convex shapes are nearest: points, rims, ellipsoids, and lines between two of them. With the points a and b of
// both in the directions n and -n, on a line a = a_1 + s (a_2 - a_1), the unit vector n, the gap g and the places s, t solve
//
//   b - a - g n = 0,   (n.n - 1)/2 = 0,   n.(a_2 - a_1) = 0,   n.(b_2 - b_1) = 0
//
// which is regular whether shapes are apart or overlap.
#ifndef CONTACT_CONVEX_TOUCH_H
#define CONTACT_CONVEX_TOUCH_H

#include "contact/convex_axis.h"

enum { TOUCH_UNKNOWNS = 6 }; // n, g, s, t

typedef struct convexTouch {
  int count[2], generator[2][2]; // of both shapes: one, or two of a line
  double normal[3], gap, place[2];
  double size;                                    // unit of length of residuals and of the gap
  double inverse[TOUCH_UNKNOWNS][TOUCH_UNKNOWNS]; // of the derivatives
} convexTouch;

// Solve for given features from the axis; returns 0: they have no such place, as lines that are parallel.
int convex_solve(const convexShape s[2], convexTouch *touch);

// The features that are nearest along the axis, and their place; returns 0: they are not found.
int convex_find_touch(const convexShape s[2], const convexAxis *axis, convexTouch *touch);

#endif
