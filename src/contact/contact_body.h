// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the geometry of a pair gets and gives, on the scalar `real`, in ground axes.
#ifndef CONTACT_CONTACT_BODY_H
#define CONTACT_CONTACT_BODY_H

#include "articula/road.h"
#include "contact/surface_hull.h"
#include "contact/surface_profile.h"
#include "spatial/spatial.h"

typedef struct contactBody {
  v3 at;   // reference point
  m3 axes; // rows: axes of the shape
  real radius, top, tube, half[3];
  const contactProfile *profile;
  int chain; // of the profile; of hulls: number of the point
  const contactHull *hull;
  const artRoad *road;
  double bend; // of the road: its largest curvature, 1/m
#ifdef ART_SYMBOLIC
  void *builder; // of the equations of a road
#endif
} contactBody;

// The point lies in the middle of the overlap; the normal points from the first body to the second.
typedef struct contactPoint {
  real gap;
  v3 normal, point;
} contactPoint;


// Two spheres; those with one centre have no normal, and touch with no force.
static inline contactPoint contact_of_spheres(v3 a, real radius_a, v3 b, real radius_b)
{
  const real zero = r_const(0), half = r_const(0.5);
  const v3 span = v3_sub(b, a);
  const real length = r_sqrt(v3_dot(span, span));
  const v3 normal = v3_scale(r_select(r_less(zero, length), r_div(r_const(1), length), zero), span);
  const real gap = r_sub(length, r_add(radius_a, radius_b));
  return (contactPoint){gap, normal,
                        v3_add(a, v3_scale(r_add(radius_a, r_mul(half, gap)), normal))};
}


#ifndef ART_SYMBOLIC
// the value, by which numbers choose features
static inline double contact_number(real x)
{
#ifdef ART_DUAL
  return x.x;
#else
  return x;
#endif
}
#endif


static inline real contact_clamp(real x, real limit)
{
  return r_min(r_max(x, r_neg(limit)), limit);
}

#endif
