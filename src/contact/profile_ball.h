// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A profile and a sphere, point, or cylinder across its plane.
#ifndef CONTACT_PROFILE_BALL_H
#define CONTACT_PROFILE_BALL_H

#include "contact/profile_nearest.h"


static inline contactPoint contact_profile_ball(const contactBody *a, const contactBody *b)
{
  const v3 in = m3_mul(a->axes, v3_sub(b->at, a->at));
  const profileNearest near = profile_nearest(a->profile, a->chain, in.x, in.y);
  const v3 normal = m3_back(a->axes, v3_make(near.nx, near.ny, r_const(0)));
  const real gap = r_sub(near.distance, b->radius);
  const real depth = r_add(b->radius, r_mul(r_const(0.5), gap));
  return (contactPoint){gap, normal, v3_sub(b->at, v3_scale(depth, normal))};
}

#endif
