// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The lowest point of a circle, or of a torus, on a plane.
#ifndef CONTACT_PLANE_RIM_H
#define CONTACT_PLANE_RIM_H

#include "contact/contact_body.h"


// With the axis u of the circle, w = n - (n.u) u points up within it, and s = |w| is the sine of its slope. Its lowest point,
// b - r w/s, would jump where the circle comes to be parallel to the plane. With e = RIM_ROUNDING
//   gap = n.(b - a) - r f(s),  f = s^2/sqrt(s^2 + e^2),  point b - r (f'(s)/s) w:
// it goes to the centre within slopes of e, the gap is exact where the circle is parallel, off by r e^2/(2 s) at larger slopes
// and by less than 0.4 r e at any, and has the rate of that point: what pushes there keeps energy. The tube of a torus is a
// sphere about this point.
static inline contactPoint contact_plane_rim(const contactBody *a, const contactBody *b)
{
  static const double RIM_ROUNDING = 1e-3;
  const real square = r_const(RIM_ROUNDING * RIM_ROUNDING);
  const v3 n = a->axes.z, u = b->axes.z;
  const v3 w = v3_sub(n, v3_scale(v3_dot(n, u), u));
  const real slope = v3_dot(w, w), sum = r_add(slope, square), root = r_sqrt(sum);
  const real f = r_div(slope, root);
  const real reach = r_div(r_add(sum, square), r_mul(sum, root));
  const real gap = r_sub(v3_dot(n, v3_sub(b->at, a->at)), r_add(r_mul(b->radius, f), b->tube));
  const v3 low = v3_sub(b->at, v3_scale(r_mul(b->radius, reach), w));

  // halfway between the plane and the circle
  const real height = v3_dot(n, v3_sub(low, a->at));
  return (contactPoint){gap, n, v3_sub(low, v3_scale(r_sub(height, r_mul(r_const(0.5), gap)), n))};
}

#endif
