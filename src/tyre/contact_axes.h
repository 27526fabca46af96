// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Axes, motion and forces of the contact of a wheel, a thin disc, with the ground, for numbers and
// symbols. All vectors are in ground axes.
#ifndef TYRE_CONTACT_AXES_H
#define TYRE_CONTACT_AXES_H

#include "spatial/spatial.h"

typedef struct discContact {
  v3 forward, left, normal; // ISO axes
  v3 arm;                   // from the wheel centre to the contact point
  real radius;              // length of arm
  real sine, cosine;        // of camber
} discContact;

// a ray from the centre downward in the wheel plane, along -T3, and the disc's tangent T1 at its
// end
typedef struct discRay {
  v3 T1, T3;
} discRay;

// Residuals of a ray whose end is on a road with the normal N = (-z_x, -z_y, 1): dr is missing in
// its length to reach the tangent plane, g = T1 . N is the slope of the road along the disc's
// tangent, and fall = T3 . N is the rate at which g falls as the ray rotates.
typedef struct rayMiss {
  real dr, g, fall;
} rayMiss;

// velocity of the contact point without spin, in contact axes
typedef struct contactMotion {
  real Vx, Vy, approach;
} contactMotion;

// The contact on a plane with the unit normal n, without its radius: forward = a x n / |a x n|.
discContact R_NAME(contact_on_plane)(v3 axis, v3 normal);

// Set radius and arm of this contact.
void R_NAME(reach_plane)(discContact *contact, v3 axis, real radius);

// The ray rotated by an angle from e3 towards e1, unit vectors of the wheel plane.
discRay R_NAME(turn_ray)(v3 e1, v3 e3, real angle);

// The normal with z component 1 for these slopes, and the unit normal.
static inline v3 road_normal(real slope_x, real slope_y)
{
  return v3_make(r_neg(slope_x), r_neg(slope_y), r_const(1));
}

static inline v3 unit_normal(v3 N)
{
  return v3_scale(r_div(r_const(1), r_sqrt(v3_dot(N, N))), N);
}

// The end of a ray of length r, and the residuals of a ray whose end is at the height `above` over
// the road.
static inline v3 ray_end(v3 centre, const discRay *ray, real r)
{
  return v3_sub(centre, v3_scale(r, ray->T3));
}

static inline rayMiss miss_of_ray(const discRay *ray, real above, v3 N)
{
  const real fall = v3_dot(ray->T3, N);
  return (rayMiss){.dr = r_div(above, fall), .g = v3_dot(ray->T1, N), .fall = fall};
}

// The next rotation of a ray, from g and the rate `slope` at which it falls with the angle; a
// smaller slope than 0.05 results from a road more curved than the wheel.
static inline real next_turn(real g, real slope)
{
  const real turn = r_div(g, r_max(slope, r_const(0.05)));
  return r_max(r_min(turn, r_const(0.3)), r_const(-0.3));
}

// The contact at the end of a ray of length r where the road has the normal N.
discContact R_NAME(contact_of_ray)(v3 axis, const discRay *ray, v3 N, real r);

// Compute `left` and camber of a contact from its normal and forward direction.
void R_NAME(complete_contact)(discContact *contact, v3 axis);

real R_NAME(contact_camber)(const discContact *contact);

// The motion of a contact, from the velocity of the wheel centre and the angular velocity of the
// wheel without spin.
contactMotion R_NAME(contact_motion)(const discContact *contact, v3 velocity, v3 turning);

// The wrench at the wheel centre of a force and moment in contact axes.
wrench R_NAME(contact_wrench)(const discContact *contact, v3 force, v3 moment);

#endif
