// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Two profiles in parallel planes. Corners and outward arcs of each are spheres for the other one.
#ifndef CONTACT_PROFILE_PROFILE_H
#define CONTACT_PROFILE_PROFILE_H

#include "contact/profile_nearest.h"

// The plane of a second profile in axes of the first: its origin, and its axes.
typedef struct profilePlane {
  real x, y, ex[2], ey[2];
} profilePlane;

// Least gap so far, in axes of the first profile: contact point in the middle, normal from the first to the second.
typedef struct profileTouch {
  real gap, x, y, nx, ny;
} profileTouch;


static inline profileTouch profile_closer(profileTouch a, profileTouch b)
{
  return (profileTouch){
      r_select(r_less(b.gap, a.gap), b.gap, a.gap), r_select(r_less(b.gap, a.gap), b.x, a.x),
      r_select(r_less(b.gap, a.gap), b.y, a.y), r_select(r_less(b.gap, a.gap), b.nx, a.nx),
      r_select(r_less(b.gap, a.gap), b.ny, a.ny)};
}


// A sphere of the first profile on a chain of the second one: at (x, y), with the radius r; an arc where it faces the chain.
static inline profileTouch profile_sphere_first(const profilePiece *arc, real x, real y, double r,
                                                const contactBody *b, const profilePlane *at)
{
  const real dx = r_sub(x, at->x), dy = r_sub(y, at->y);
  const real u = r_add(r_mul(at->ex[0], dx), r_mul(at->ex[1], dy));
  const real v = r_add(r_mul(at->ey[0], dx), r_mul(at->ey[1], dy));
  const profileNearest near = profile_nearest(b->profile, b->chain, u, v);
  const real nx = r_neg(r_add(r_mul(near.nx, at->ex[0]), r_mul(near.ny, at->ey[0])));
  const real ny = r_neg(r_add(r_mul(near.nx, at->ex[1]), r_mul(near.ny, at->ey[1])));
  real gap = r_sub(near.distance, r_const(r));
  const real reach = r_add(r_const(r), r_mul(r_const(0.5), gap));
  if (arc) {
    const real facing = r_add(r_mul(nx, r_const(arc->axis[0])), r_mul(ny, r_const(arc->axis[1])));
    gap = r_select(r_less(facing, r_const(arc->begin)), r_const(PROFILE_FAR), gap);
  }
  return (profileTouch){gap, r_add(x, r_mul(reach, nx)), r_add(y, r_mul(reach, ny)), nx, ny};
}


// A sphere of the second profile, in its axes, on a chain of the first one.
static inline profileTouch profile_sphere_second(const profilePiece *arc, double x, double y,
                                                 double r, const contactBody *a,
                                                 const profilePlane *at)
{
  const real cx = r_const(x), cy = r_const(y);
  const real u = r_add(at->x, r_add(r_mul(cx, at->ex[0]), r_mul(cy, at->ey[0])));
  const real v = r_add(at->y, r_add(r_mul(cx, at->ex[1]), r_mul(cy, at->ey[1])));
  const profileNearest near = profile_nearest(a->profile, a->chain, u, v);
  real gap = r_sub(near.distance, r_const(r));
  const real reach = r_add(r_const(r), r_mul(r_const(0.5), gap));
  if (arc) {
    const real own_x = r_add(r_mul(near.nx, at->ex[0]), r_mul(near.ny, at->ex[1]));
    const real own_y = r_add(r_mul(near.nx, at->ey[0]), r_mul(near.ny, at->ey[1]));
    const real facing =
        r_neg(r_add(r_mul(own_x, r_const(arc->axis[0])), r_mul(own_y, r_const(arc->axis[1]))));
    gap = r_select(r_less(facing, r_const(arc->begin)), r_const(PROFILE_FAR), gap);
  }
  return (profileTouch){gap, r_sub(u, r_mul(reach, near.nx)), r_sub(v, r_mul(reach, near.ny)),
                        near.nx, near.ny};
}


static inline profileTouch profile_spheres(const contactBody *a, const contactBody *b,
                                           const profilePlane *at, profileTouch best)
{
  const contactProfile *one = a->profile, *two = b->profile;
  for (int i = one->first[a->chain]; i <= one->first[a->chain + 1]; i++) {
    const profilePiece *p = &one->piece[i % one->count];
    if (!p->is_concave)
      best = profile_closer(
          best, profile_sphere_first(NULL, r_const(p->from[0]), r_const(p->from[1]), 0, b, at));
    if (i == one->first[a->chain + 1] || !(p->radius > 0)) continue;
    best = profile_closer(best, profile_sphere_first(p, r_const(p->centre[0]),
                                                     r_const(p->centre[1]), p->radius, b, at));
  }
  for (int i = two->first[b->chain]; i <= two->first[b->chain + 1]; i++) {
    const profilePiece *p = &two->piece[i % two->count];
    if (!p->is_concave)
      best = profile_closer(best, profile_sphere_second(NULL, p->from[0], p->from[1], 0, a, at));
    if (i == two->first[b->chain + 1] || !(p->radius > 0)) continue;
    best = profile_closer(best,
                          profile_sphere_second(p, p->centre[0], p->centre[1], p->radius, a, at));
  }
  return best;
}


static inline contactPoint contact_profile_profile(const contactBody *a, const contactBody *b)
{
  const v3 in = m3_mul(a->axes, v3_sub(b->at, a->at));
  const v3 ex = m3_mul(a->axes, b->axes.x), ey = m3_mul(a->axes, b->axes.y);
  const profilePlane at = {in.x, in.y, {ex.x, ex.y}, {ey.x, ey.y}};
  const real zero = r_const(0), half = r_const(0.5);
  const profileTouch touch = profile_spheres(
      a, b, &at, (profileTouch){r_const(PROFILE_FAR), zero, zero, r_const(1), zero});
  const v3 point = v3_make(touch.x, touch.y, r_mul(half, in.z));
  return (contactPoint){touch.gap, m3_back(a->axes, v3_make(touch.nx, touch.ny, zero)),
                        v3_add(a->at, m3_back(a->axes, point))};
}

#endif
