// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A sphere, or a point, on a plane.
#ifndef CONTACT_PLANE_BALL_H
#define CONTACT_PLANE_BALL_H

#include "contact/contact_body.h"


// gap = n.(b - a) - r
static inline contactPoint contact_plane_ball(const contactBody *a, const contactBody *b)
{
  const v3 n = a->axes.z;
  const real gap = r_sub(v3_dot(n, v3_sub(b->at, a->at)), b->radius);
  const real depth = r_add(b->radius, r_mul(r_const(0.5), gap));
  return (contactPoint){gap, n, v3_sub(b->at, v3_scale(depth, n))};
}

#endif
