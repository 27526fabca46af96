// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Points of contact of a wheel with a profile of lines and arcs, for numbers and symbols.
#ifndef TYRE_EDGE_PLACES_H
#define TYRE_EDGE_PLACES_H

#include "road/road_profile.h"
#include "tyre/contact_axes.h"

// the wheel plane, P + a e1 + b e3, with e1 = (e1x, e1y, 0) pointing along the profile and e3 =
// (e3x, e3y, q), in profile axes:  x = X + k a + m b,   z = Z + q b
typedef struct wheelCut {
  real X, Z, k, m, q;
  real turn, e1x, e1y, e3x, e3y;
} wheelCut;

// a point of the profile: its position, its direction (c, s), and its coordinates in the wheel
// plane
typedef struct profilePoint {
  real x, z, c, s;
  real a, b;
} profilePoint;

// an arc of radius R around (x, z), R > 0 if it bends upward
typedef struct profileArc {
  real R, x, z;
} profileArc;

// sums over all points of contact
typedef struct edgeSums {
  v3 load, spring;     // forces, with and without dampers
  real weight, radius; // sum of elastic loads; sum of elastic loads times radii
} edgeSums;

wheelCut R_NAME(cut_profile)(const roadProfile *profile, v3 centre, v3 axis);

// Compute a and b of a point, and return g = k q times the derivative of (a^2 + b^2)/2 along the
// profile.
real R_NAME(edge_misfit)(const wheelCut *cut, profilePoint *p);

// The point of a line where g = 0.
profilePoint R_NAME(edge_on_line)(const wheelCut *cut, const profilePoint *start);

// edge_arc: an arc from its first point; edge_at_angle: the point where the profile has the angle
// t; edge_turning_slope: dg/dt; edge_first_angle: the angle where g = 0 with a and b of the arc's
// centre, exact for an upright wheel.
profileArc R_NAME(edge_arc)(real R, const profilePoint *start);
profilePoint R_NAME(edge_at_angle)(const profileArc *arc, real t);
real R_NAME(edge_turning_slope)(const wheelCut *cut, const profileArc *arc, const profilePoint *p);
real R_NAME(edge_first_angle)(const wheelCut *cut, const profileArc *arc);

discContact R_NAME(edge_contact_at)(const roadProfile *profile, const wheelCut *cut, v3 axis,
                                    const profilePoint *p);
void R_NAME(edge_add)(edgeSums *sums, const discContact *contact, real load, real spring);

#endif
