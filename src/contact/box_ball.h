// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A box and a sphere, or a point.
#ifndef CONTACT_BOX_BALL_H
#define CONTACT_BOX_BALL_H

#include "contact/contact_body.h"


// the face that is nearest to a centre inside the box: its distance (negative) and outward normal
static inline real box_face(const real p[3], const real half[3], v3 *normal)
{
  const real zero = r_const(0), one = r_const(1);
  real far[3], sign[3];
  for (int k = 0; k < 3; k++) {
    far[k] = r_sub(r_abs(p[k]), half[k]);
    sign[k] = r_select(r_less(p[k], zero), r_const(-1), one);
  }
  const real largest = r_max(r_max(far[0], far[1]), far[2]);
  const real is_x = r_select(r_less(far[0], largest), zero, one);
  const real is_y = r_select(r_less(far[1], largest), zero, r_sub(one, is_x));
  const real is_z = r_sub(r_sub(one, is_x), is_y);
  *normal = v3_make(r_mul(is_x, sign[0]), r_mul(is_y, sign[1]), r_mul(is_z, sign[2]));
  return largest;
}


// outside, the nearest point of the box is the centre with its coordinates limited to the box
static inline contactPoint contact_box_ball(const contactBody *a, const contactBody *b)
{
  const real zero = r_const(0);
  const v3 in = m3_mul(a->axes, v3_sub(b->at, a->at));
  const real p[3] = {in.x, in.y, in.z};
  const v3 near = {contact_clamp(p[0], a->half[0]), contact_clamp(p[1], a->half[1]),
                   contact_clamp(p[2], a->half[2])};
  const v3 span = v3_sub(in, near);
  const real length = r_sqrt(v3_dot(span, span));
  v3 face;
  const real inside = box_face(p, a->half, &face);
  const real is_out = r_select(r_less(zero, length), r_const(1), zero);
  const real scale = r_select(r_less(zero, length), r_div(r_const(1), length), zero);
  const v3 own = v3_add(v3_scale(scale, span), v3_scale(r_sub(r_const(1), is_out), face));
  const real distance = r_add(length, r_mul(r_sub(r_const(1), is_out), inside));
  const v3 normal = m3_back(a->axes, own);
  const real gap = r_sub(distance, b->radius);
  const real depth = r_add(b->radius, r_mul(r_const(0.5), gap));
  return (contactPoint){gap, normal, v3_sub(b->at, v3_scale(depth, normal))};
}

#endif
