// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Places where a wheel touches a profile of lines and arcs, for numbers and symbols.
#ifndef TYRE_EDGE_PLACES_H
#define TYRE_EDGE_PLACES_H

#include "road/road_profile.h"
#include "tyre/contact_axes.h"

// the wheel plane, P + a e1 + b e3 with e1 = (e1x, e1y, 0) turned to point along the profile and e3 = (e3x, e3y, q), in
// the axes of the profile:  x = X + k a + m b,   z = Z + q b
typedef struct wheelCut {
  real X, Z, k, m, q;
  real turn, e1x, e1y, e3x, e3y;
} wheelCut;

// a point of the profile, with the direction (c, s) there, and in the wheel plane
typedef struct profilePoint {
  real x, z, c, s;
  real a, b;
} profilePoint;

// an arc of the radius R, positive where it turns up, around (x, z)
typedef struct profileArc {
  real R, x, z;
} profileArc;

// sums over all places that are touched
typedef struct edgeSums {
  v3 load, spring;     // forces, with and without dampers
  real weight, radius; // sum of elastic loads; of these times radii
} edgeSums;

wheelCut R_NAME(cut_profile)(const roadProfile *profile, v3 centre, v3 axis);

// k q times the derivative of (a^2 + b^2)/2 along the profile, a and b being found.
real R_NAME(edge_misfit)(const wheelCut *cut, profilePoint *p);

// The point of a line where the misfit vanishes.
profilePoint R_NAME(edge_on_line)(const wheelCut *cut, const profilePoint *start);

// The centre of an arc from its beginning; the point where the profile has the angle t; the derivative of the misfit by
// this angle; and the angle at which the misfit vanishes with a and b of the centre, all of it when the cut is upright.
profileArc R_NAME(edge_arc)(real R, const profilePoint *start);
profilePoint R_NAME(edge_at_angle)(const profileArc *arc, real t);
real R_NAME(edge_turning_slope)(const wheelCut *cut, const profileArc *arc, const profilePoint *p);
real R_NAME(edge_first_angle)(const wheelCut *cut, const profileArc *arc);

discContact R_NAME(edge_contact_at)(const roadProfile *profile, const wheelCut *cut, v3 axis,
                                    const profilePoint *p);
void R_NAME(edge_add)(edgeSums *sums, const discContact *contact, real load, real spring);

#endif
