// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A torus and a sphere, or a point.
#ifndef CONTACT_RIM_BALL_H
#define CONTACT_RIM_BALL_H

#include "contact/contact_body.h"


// The point of the circle nearest to the centre lies in its direction from the axis; every point of
// the circle is as near to a centre on the axis, and the first one is taken.
static inline contactPoint contact_rim_ball(const contactBody *a, const contactBody *b)
{
  const real zero = r_const(0), one = r_const(1);
  const v3 in = m3_mul(a->axes, v3_sub(b->at, a->at));
  const real off = r_sqrt(r_add(r_mul(in.x, in.x), r_mul(in.y, in.y)));
  const v3 near =
      v3_make(r_mul(a->radius, r_select(r_less(zero, off), r_div(in.x, off), one)),
              r_mul(a->radius, r_select(r_less(zero, off), r_div(in.y, off), zero)), zero);
  return contact_of_spheres(v3_add(a->at, m3_back(a->axes, near)), a->tube, b->at, b->radius);
}

#endif
