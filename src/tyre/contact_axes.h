// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Axes of the contact of a wheel, a thin disc, with the ground, its motion and its forces, for numbers and symbols.
// All vectors are in ground axes.
#ifndef TYRE_CONTACT_AXES_H
#define TYRE_CONTACT_AXES_H

#include "spatial/spatial.h"

typedef struct discContact {
  v3 forward, left, normal; // the ISO axes
  v3 arm;                   // from the centre of the wheel to the point
  real radius;              // its length
  real sine, cosine;        // of camber
} discContact;

// a ray from the centre downward in the wheel plane, along -T3, and the tangent T1 of the disc at its end
typedef struct discRay {
  v3 T1, T3;
} discRay;

// the velocity of the contact point, spin left out, in the axes of the contact
typedef struct contactMotion {
  real Vx, Vy, approach;
} contactMotion;

// The contact on a plane with the normal n, without its radius: forward = a x n / |a x n|.
discContact R_NAME(contact_on_plane)(v3 axis, v3 normal);

// Radius and arm of this contact.
void R_NAME(reach_plane)(discContact *contact, v3 axis, real radius);

// The ray that is turned by an angle from e3 towards e1, unit vectors of the wheel plane.
discRay R_NAME(turn_ray)(v3 e1, v3 e3, real angle);

// The contact at the end of a ray of the length r, where the road has the normal n.
discContact R_NAME(contact_of_ray)(v3 axis, const discRay *ray, v3 normal, real r);

// Of a contact with its normal and forward direction: left and camber.
void R_NAME(complete_contact)(discContact *contact, v3 axis);

real R_NAME(contact_camber)(const discContact *contact);

// The motion of a contact with the velocity of the wheel centre and the angular velocity of the wheel without spin.
contactMotion R_NAME(contact_motion)(const discContact *contact, v3 velocity, v3 turning);

// Force and moment in the axes of the contact, at the wheel centre.
wrench R_NAME(contact_wrench)(const discContact *contact, v3 force, v3 moment);

#endif
