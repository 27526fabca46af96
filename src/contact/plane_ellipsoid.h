// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An ellipsoid on a plane.
#ifndef CONTACT_PLANE_ELLIPSOID_H
#define CONTACT_PLANE_ELLIPSOID_H

#include "contact/contact_body.h"


// With the normal n and the half diameters h_k along the axes e_k, the support function is
//   s = sqrt(sum (h_k n.e_k)^2),  gap = n.(b - a) - s,  lowest point b - sum h_k^2 (n.e_k) e_k / s
static inline contactPoint contact_plane_ellipsoid(const contactBody *a, const contactBody *b)
{
  const v3 n = a->axes.z, own = m3_mul(b->axes, n);
  const v3 reach =
      v3_make(r_mul(b->half[0], own.x), r_mul(b->half[1], own.y), r_mul(b->half[2], own.z));
  const real support = r_sqrt(v3_dot(reach, reach));
  const v3 low =
      v3_make(r_mul(b->half[0], reach.x), r_mul(b->half[1], reach.y), r_mul(b->half[2], reach.z));
  const real gap = r_sub(v3_dot(n, v3_sub(b->at, a->at)), support);
  const v3 lowest = v3_sub(b->at, v3_scale(r_div(r_const(1), support), m3_back(b->axes, low)));

  // halfway between the plane and the lowest point
  return (contactPoint){gap, n, v3_sub(lowest, v3_scale(r_mul(r_const(0.5), gap), n))};
}

#endif
