// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The lowest point of a circle on a plane.
#ifndef CONTACT_PLANE_RIM_H
#define CONTACT_PLANE_RIM_H

#include "contact/contact_body.h"


// With the axis u of the circle, w = n - (n.u) u points up within it; its lowest point is b - r w/|w|.
// A circle parallel to the plane touches by its centre.
static inline contactPoint contact_plane_rim(const contactBody *a, const contactBody *b)
{
  const real zero = r_const(0);
  const v3 n = a->axes.z, u = b->axes.z;
  const v3 w = v3_sub(n, v3_scale(v3_dot(n, u), u));
  const real slope = r_sqrt(v3_dot(w, w));
  const real reach = r_select(r_less(zero, slope), r_div(b->radius, slope), zero);
  const v3 low = v3_sub(b->at, v3_scale(reach, w));
  const real gap = v3_dot(n, v3_sub(low, a->at));
  return (contactPoint){gap, n, v3_sub(low, v3_scale(r_mul(r_const(0.5), gap), n))};
}

#endif
