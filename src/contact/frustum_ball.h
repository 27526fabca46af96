// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A cylinder, cone or frustum and a sphere, or a point.
#ifndef CONTACT_FRUSTUM_BALL_H
#define CONTACT_FRUSTUM_BALL_H

#include "contact/contact_body.h"

// Distance to the frustum and its normal, in a plane through the axis: (from the axis, along it).
typedef struct meridianPoint {
  real distance, across, along;
} meridianPoint;


// 1 if a < b, else 0
static inline real frustum_less(real a, real b)
{
  return r_select(r_less(a, b), r_const(1), r_const(0));
}


// the first, second or third value, where the first or second of two masks is 1, or none
static inline real frustum_select(const real mask[2], real a, real b, real c)
{
  const real half = r_const(0.5);
  return r_select(r_less(half, mask[0]), a, r_select(r_less(half, mask[1]), b, c));
}


// Outside, masks of the end and of the side: is the nearest point within them? Inside, the face is
// nearest that has the largest (least negative) distance. `place` runs along the side from its upper
// edge, to `length`; the rim of the end has the given radius.
static inline void frustum_masks(real end, real side, real off, real rim, real place, real length,
                                 real mask[2])
{
  const real zero = r_const(0), one = r_const(1);
  const real is_in = r_sub(one, frustum_less(zero, r_max(end, side)));
  const real is_side = frustum_less(end, side);
  const real over = r_mul(frustum_less(zero, end), r_sub(one, frustum_less(rim, off)));
  const real within = r_sub(one, r_max(frustum_less(place, zero), frustum_less(length, place)));
  mask[0] = r_max(over, r_mul(is_in, r_sub(one, is_side)));
  mask[1] = r_max(r_mul(frustum_less(zero, side), within), r_mul(is_in, is_side));
}


// In that plane the frustum is a trapezoid with the half height h and the sides `radius` at -h and
// `top` at h.
static inline meridianPoint frustum_nearest(const contactBody *a, real off, real z)
{
  const real zero = r_const(0), one = r_const(1), h = a->half[2];
  const real sign = r_select(r_less(z, zero), r_const(-1), one);
  const real end = r_sub(r_abs(z), h);
  const real rim = r_select(r_less(z, zero), a->radius, a->top);

  // the side: unit vector (slope, -rise) from the upper edge to the lower one, normal (rise, slope)
  const real wide = r_sub(a->radius, a->top), high = r_mul(r_const(2), h);
  const real length = r_sqrt(r_add(r_mul(wide, wide), r_mul(high, high)));
  const real slope = r_div(wide, length), rise = r_div(high, length);
  const real out = r_sub(off, a->top), up = r_sub(z, h);
  const real side = r_add(r_mul(rise, out), r_mul(slope, up));
  const real place = r_sub(r_mul(slope, out), r_mul(rise, up));
  real mask[2];
  frustum_masks(end, side, off, rim, place, length, mask);

  // the edge that is nearer along the side
  const real middle = r_mul(r_const(0.5), length);
  const real across = r_sub(off, r_select(r_less(place, middle), a->top, a->radius));
  const real along = r_sub(z, r_select(r_less(place, middle), h, r_neg(h)));
  const real span = r_sqrt(r_add(r_mul(across, across), r_mul(along, along)));
  const real inverse = r_select(r_less(zero, span), r_div(one, span), zero);
  return (meridianPoint){frustum_select(mask, end, side, span),
                         frustum_select(mask, zero, rise, r_mul(inverse, across)),
                         frustum_select(mask, sign, slope, r_mul(inverse, along))};
}


static inline contactPoint contact_frustum_ball(const contactBody *a, const contactBody *b)
{
  const real zero = r_const(0);
  const v3 in = m3_mul(a->axes, v3_sub(b->at, a->at));
  const real off = r_sqrt(r_add(r_mul(in.x, in.x), r_mul(in.y, in.y)));
  const meridianPoint at = frustum_nearest(a, off, in.z);
  const real scale = r_select(r_less(zero, off), r_div(at.across, off), zero);
  const v3 own = v3_make(r_mul(scale, in.x), r_mul(scale, in.y), at.along);
  const v3 normal = m3_back(a->axes, own);
  const real gap = r_sub(at.distance, b->radius);
  const real depth = r_add(b->radius, r_mul(r_const(0.5), gap));
  return (contactPoint){gap, normal, v3_sub(b->at, v3_scale(depth, normal))};
}

#endif
