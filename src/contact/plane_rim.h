// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The lowest point of a circle on a plane.
#ifndef CONTACT_PLANE_RIM_H
#define CONTACT_PLANE_RIM_H

#include "contact/contact_body.h"


// With the axis u of the circle, w = n - (n.u) u points up within it, and s = |w| is the sine of its slope. Its lowest point,
// b - r w/s, would jump where the circle comes to be parallel to the plane. With e = RIM_ROUNDING
//   gap = n.(b - a) - r f(s),  f = sqrt(s^2 + e^2) - e (1 - s^2),  point b - r (f'(s)/s) w:
// it goes to the centre within slopes of e, the gap is exact where the circle is parallel or upright, off by less than r e
// between, and has the rate of that point: what pushes there keeps energy.
static inline contactPoint contact_plane_rim(const contactBody *a, const contactBody *b)
{
  static const double RIM_ROUNDING = 1e-3;
  const real e = r_const(RIM_ROUNDING), one = r_const(1);
  const v3 n = a->axes.z, u = b->axes.z;
  const v3 w = v3_sub(n, v3_scale(v3_dot(n, u), u));
  const real slope = v3_dot(w, w), root = r_sqrt(r_add(slope, r_mul(e, e)));
  const real f = r_sub(root, r_mul(e, r_sub(one, slope)));
  const real reach = r_add(r_div(one, root), r_mul(r_const(2), e));
  const real gap = r_sub(v3_dot(n, v3_sub(b->at, a->at)), r_mul(b->radius, f));
  const v3 low = v3_sub(b->at, v3_scale(r_mul(b->radius, reach), w));

  // halfway between the plane and the circle
  const real height = v3_dot(n, v3_sub(low, a->at));
  return (contactPoint){gap, n, v3_sub(low, v3_scale(r_sub(height, r_mul(r_const(0.5), gap)), n))};
}

#endif
