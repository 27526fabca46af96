// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The lowest point of a profile on a plane across its own.
#ifndef CONTACT_PLANE_PROFILE_H
#define CONTACT_PLANE_PROFILE_H

#include "contact/contact_body.h"
#include "contact/surface_profile.h"

// in the axes of the profile: height above its origin
typedef struct profileLow {
  real height, x, y;
} profileLow;


static inline profileLow profile_lower(profileLow a, profileLow b)
{
  return (profileLow){r_select(r_less(b.height, a.height), b.height, a.height),
                      r_select(r_less(b.height, a.height), b.x, a.x),
                      r_select(r_less(b.height, a.height), b.y, a.y)};
}


// the corner, and c - r n of an arc that has that point, for the unit normal n = (x, y)
static inline profileLow profile_low(const profilePiece *piece, real x, real y)
{
  const real px = r_const(piece->from[0]), py = r_const(piece->from[1]);
  const profileLow corner = {r_add(r_mul(x, px), r_mul(y, py)), px, py};
  if (!(piece->radius > 0)) return corner;
  const real r = r_const(piece->radius);
  const real cx = r_const(piece->centre[0]), cy = r_const(piece->centre[1]);
  const real ahead =
      r_neg(r_add(r_mul(x, r_const(piece->axis[0])), r_mul(y, r_const(piece->axis[1]))));
  const real height = r_sub(r_add(r_mul(x, cx), r_mul(y, cy)), r);
  const profileLow arc = {r_select(r_less(ahead, r_const(piece->begin)), corner.height, height),
                          r_sub(cx, r_mul(r, x)), r_sub(cy, r_mul(r, y))};
  return profile_lower(corner, arc);
}


static inline contactPoint contact_plane_profile(const contactBody *a, const contactBody *b)
{
  const v3 n = a->axes.z, own = m3_mul(b->axes, n);
  profileLow low = profile_low(&b->profile->piece[0], own.x, own.y);
  for (int i = 1; i < b->profile->count; i++) {
    low = profile_lower(low, profile_low(&b->profile->piece[i], own.x, own.y));
  }
  const real gap = r_add(v3_dot(n, v3_sub(b->at, a->at)), low.height);
  const v3 lowest = v3_add(b->at, m3_back(b->axes, v3_make(low.x, low.y, r_const(0))));

  // halfway between the plane and the lowest point
  return (contactPoint){gap, n, v3_sub(lowest, v3_scale(r_mul(r_const(0.5), gap), n))};
}

#endif
