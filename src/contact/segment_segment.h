// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Two capsules: the nearest points of their lines (Ericson, Real-Time Collision Detection, 5.1.9).
#ifndef CONTACT_SEGMENT_SEGMENT_H
#define CONTACT_SEGMENT_SEGMENT_H

#include "contact/contact_body.h"


// |d + s u - t w|^2 is least where s = (u.w) t - u.d and t = (u.w) s + w.d. Parallel lines begin with
// the middle of the first.
static inline contactPoint contact_segment_segment(const contactBody *a, const contactBody *b)
{
  const v3 u = a->axes.z, w = b->axes.z, d = v3_sub(a->at, b->at);
  const real c = v3_dot(u, w), ud = v3_dot(u, d), wd = v3_dot(w, d);
  const real crossing = r_sub(r_const(1), r_mul(c, c)), tiny = r_const(1e-12);
  const real free = r_div(r_sub(r_mul(c, wd), ud), r_max(crossing, tiny));
  const real first = r_select(r_less(tiny, crossing), contact_clamp(free, a->half[2]), r_const(0));
  const real t = contact_clamp(r_add(r_mul(c, first), wd), b->half[2]);
  const real s = contact_clamp(r_sub(r_mul(c, t), ud), a->half[2]);
  return contact_of_spheres(v3_add(a->at, v3_scale(s, u)), a->radius, v3_add(b->at, v3_scale(t, w)),
                            b->radius);
}

#endif
