// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rolling on spheres, cylinders, cones and roads: where a ball, disc or blade touches, and the rates of its rows.
//
// A surface is known by its distance from a point x, the unit normal n there, which is the gradient of the distance, and
// the rate of n as x moves by u,
//   n' = H u,   H n = 0,   H symmetric
// The point x whose distance counts is the centre of a ball, of which it is the radius, the nearest point of a rim, or the
// origin of a blade, of which it is zero. One text for numbers and symbols.
#ifndef MODEL_ROLL_SURFACE_H
#define MODEL_ROLL_SURFACE_H

#include "articula/model.h"
#include "model/roll_physics.h"

// The shapes of artRollSurface, and roads.
typedef enum rollShape {
  ROLL_ON_PLANE = ART_ROLL_PLANE,
  ROLL_ON_SPHERE = ART_ROLL_SPHERE,
  ROLL_ON_CYLINDER = ART_ROLL_CYLINDER,
  ROLL_ON_CONE = ART_ROLL_CONE,
  ROLL_ON_ROAD
} rollShape;

// What rolls on it is outside (sense 1), or inside (-1).
typedef struct modelSurface {
  rollKind kind; // of what rolls
  rollShape shape;
  double sense;
  double radius;       // of a sphere or cylinder; 0
  double sine, cosine; // of the half angle of a cone; 0 and 1
  const artRoad *road;
} modelSurface;

#ifdef ART_SYMBOLIC
typedef struct rollSurface {
  rollKind kind;
  rollShape shape;
  double sense;
  real radius, sine, cosine;
} rollSurface;
#else
typedef modelSurface rollSurface;
#endif

// The distance at a point; along, across and the normal are square to each other. H in their axes: xx, xy, yy.
typedef struct rollField {
  real distance, xx, xy, yy;
  v3 normal, along, across;
} rollField;

// What may touch, in axes in common with its surface.
typedef struct rollBodyPlace {
  m3 surface; // rows: axes of the surface
  v3 origin;  // of the surface
  v3 centre, axis;
  real radius;
} rollBodyPlace;

// The place of contact, the gap there, and H along and across.
typedef struct rollTouch {
  rollPlace place;
  real gap;
  v3 bend[2];
} rollTouch;

// Does a rim on the surface touch where its plane is nearest to the surface as seen from its centre? On others its point is
// found by iteration.
static inline bool roll_has_rim(rollShape shape)
{
  return shape == ROLL_ON_PLANE || shape == ROLL_ON_SPHERE;
}


// The field of a surface at a point in its own axes.
rollField R_NAME(roll_field)(const rollSurface *on, v3 x);

// The point that touches.
rollTouch R_NAME(roll_touch)(const rollSurface *on, const rollBodyPlace *body);

// Second derivative of the gap, then the rates of the rows of velocities (roll_directions).
void R_NAME(roll_touch_rates)(rollKind kind, const rollTouch *touch, real radius,
                              const rollMotion *m, real rate[3]);

// Parts that are found by iteration, for numbers alone (roll_search.c): the field of a road, and the unit vector from the
// centre of a disc to the point of its rim that is nearest to the surface, from `guess`.
#ifdef ART_SYMBOLIC
static inline rollField roll_road_field(const rollSurface *on, v3 x)
{
  (void) on;
  (void) x;
  return (rollField){0};
}


static inline v3 roll_search_rim(const rollSurface *on, const rollBodyPlace *body, v3 guess)
{
  (void) on;
  (void) body;
  return guess;
}
#else
rollField roll_road_field(const rollSurface *on, v3 x);
v3 roll_search_rim(const rollSurface *on, const rollBodyPlace *body, v3 guess);

// What is wrong with a contact that is not one point; NULL: nothing. A body that does not touch yet needs no more than a
// place on the surface and a heading.
const char *roll_trouble(const rollSurface *on, const rollBodyPlace *body, bool touches);
#endif

#endif
