// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A capsule and a sphere.
#ifndef CONTACT_SEGMENT_BALL_H
#define CONTACT_SEGMENT_BALL_H

#include "contact/contact_body.h"


// the point of the line nearest to b is a + s u
static inline contactPoint contact_segment_ball(const contactBody *a, const contactBody *b)
{
  const v3 u = a->axes.z;
  const real s = contact_clamp(v3_dot(u, v3_sub(b->at, a->at)), a->half[2]);
  return contact_of_spheres(v3_add(a->at, v3_scale(s, u)), a->radius, b->at, b->radius);
}

#endif
