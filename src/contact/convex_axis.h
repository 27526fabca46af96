// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The axis along which two convex shapes are furthest apart, or overlap least, in numbers (convex_point.h finds it to rounding, with
// its rates). A shape is the convex hull of generators: vertices of a hull, ends of the line of a capsule, rims of a cylinder or cone,
// an ellipsoid. Radii of spheres and capsules are left out.
#ifndef CONTACT_CONVEX_AXIS_H
#define CONTACT_CONVEX_AXIS_H

#include "contact/contact_motion.h"

// In any axes; the members of a body that its shape has.
typedef struct convexShape {
  contactShape shape;
  double at[3], axes[9]; // rows: axes of the shape
  double radius, top, half[3];
  const contactHull *hull;
  double size; // largest distance from `at`
} convexShape;

// A flat of a hull, or an end of a cylinder or cone: its outward normal. -1: there is none.
typedef struct convexFlat {
  int side, face;
  double normal[3];
} convexFlat;

typedef struct convexAxis {
  double normal[3], gap; // unit vector from the first to the second
  convexFlat flat;       // that looks most along it
  double along;          // cosine of its angle
} convexAxis;

int convex_generators(const convexShape *s);

// The point of generator i furthest along n.
void convex_point_of(const convexShape *s, int i, const double n[3], double point[3]);

// The generator furthest along n.
int convex_support(const convexShape *s, const double n[3], double point[3]);

// n.x from the furthest point of the first shape along n to the nearest of the second one
double convex_separation(const convexShape s[2], const double n[3]);

int convex_flats(const convexShape *s);
void convex_flat_normal(const convexShape *s, int face, double normal[3]);

// Shapes in each other beyond their middles have an axis that is one of several.
void convex_find_axis(const convexShape s[2], convexAxis *axis);

#endif
