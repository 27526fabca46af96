// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The point of a chain of a profile that is nearest to a point in its plane.
#ifndef CONTACT_PROFILE_NEAREST_H
#define CONTACT_PROFILE_NEAREST_H

#include "contact/contact_body.h"
#include "contact/surface_profile.h"

// Signed distance from the chain, positive outside, and its outward normal. `off` is the distance by which
// candidates are compared.
typedef struct profileNearest {
  real off, distance, nx, ny;
} profileNearest;

// farther than any candidate
static const double PROFILE_FAR = 1e30;


// the nearer of two
static inline profileNearest profile_nearer(profileNearest a, profileNearest b)
{
  return (profileNearest){r_select(r_less(b.off, a.off), b.off, a.off),
                          r_select(r_less(b.off, a.off), b.distance, a.distance),
                          r_select(r_less(b.off, a.off), b.nx, a.nx),
                          r_select(r_less(b.off, a.off), b.ny, a.ny)};
}


// |distance|, unless the point is so far behind that it is on another side of the material
static inline real profile_off(const profilePiece *piece, real distance)
{
  return r_select(r_less(distance, r_const(-piece->limit)), r_const(PROFILE_FAR), r_abs(distance));
}


// with the unit vector t along the line, its outward normal is (t_y, -t_x)
static inline profileNearest profile_line(const profilePiece *piece, real x, real y)
{
  const real tx = r_const(piece->axis[0]), ty = r_const(piece->axis[1]);
  const real u = r_sub(x, r_const(piece->from[0])), v = r_sub(y, r_const(piece->from[1]));
  const real along = r_add(r_mul(u, tx), r_mul(v, ty));
  const real distance = r_sub(r_mul(u, ty), r_mul(v, tx));
  const real beyond = r_max(r_sub(r_const(piece->begin), along), r_sub(along, r_const(piece->end)));
  const real off =
      r_select(r_less(r_const(0), beyond), r_const(PROFILE_FAR), profile_off(piece, distance));
  return (profileNearest){off, distance, ty, r_neg(tx)};
}


// Outward from the centre, or towards it: the sign of the radius. The centre is as near to all points, and takes the middle.
static inline profileNearest profile_arc(const profilePiece *piece, real x, real y)
{
  const real zero = r_const(0), sign = r_const(piece->radius > 0 ? 1 : -1);
  const real ax = r_const(piece->axis[0]), ay = r_const(piece->axis[1]);
  const real u = r_sub(x, r_const(piece->centre[0])), v = r_sub(y, r_const(piece->centre[1]));
  const real rho = r_sqrt(r_add(r_mul(u, u), r_mul(v, v)));
  const real inverse = r_select(r_less(zero, rho), r_div(r_const(1), rho), zero);
  const real distance = r_sub(r_mul(sign, rho), r_const(piece->radius));
  const real beyond = r_sub(r_mul(rho, r_const(piece->begin)), r_add(r_mul(u, ax), r_mul(v, ay)));
  const real off =
      r_select(r_less(zero, beyond), r_const(PROFILE_FAR), profile_off(piece, distance));
  return (profileNearest){off, distance,
                          r_mul(sign, r_select(r_less(zero, rho), r_mul(inverse, u), ax)),
                          r_mul(sign, r_select(r_less(zero, rho), r_mul(inverse, v), ay))};
}


// A corner is nearest from outside, from a gap of rounding between pieces, as its mean normal tells, or from another side of the
// material, which counts as outside, as where a chain ends.
static inline profileNearest profile_corner(const profilePiece *piece, real x, real y)
{
  const real zero = r_const(0), one = r_const(1), limit = r_const(piece->limit);
  const real nx = r_const(piece->corner[0]), ny = r_const(piece->corner[1]);
  const real u = r_sub(x, r_const(piece->from[0])), v = r_sub(y, r_const(piece->from[1]));
  const real length = r_sqrt(r_add(r_mul(u, u), r_mul(v, v)));
  const real behind = r_select(r_less(limit, length), one, r_const(-1));
  const real side = piece->is_chain
                        ? one
                        : r_select(r_less(r_add(r_mul(u, nx), r_mul(v, ny)), zero), behind, one);
  const real scale = r_select(r_less(zero, length), r_div(side, length), zero);
  return (profileNearest){length, r_mul(side, length),
                          r_select(r_less(zero, length), r_mul(scale, u), nx),
                          r_select(r_less(zero, length), r_mul(scale, v), ny)};
}


// in the axes of the profile
static inline profileNearest profile_nearest(const contactProfile *p, int chain, real x, real y)
{
  const real far = r_const(PROFILE_FAR), size = r_const(p->size);
  profileNearest best = {far, size, r_const(1), r_const(0)};
  for (int i = p->first[chain]; i < p->first[chain + 1]; i++) {
    const profilePiece *piece = &p->piece[i];
    best = profile_nearer(best, profile_corner(piece, x, y));
    best = profile_nearer(best, piece->radius == 0 ? profile_line(piece, x, y)
                                                   : profile_arc(piece, x, y));
  }
  if (p->nchain > 1)
    best = profile_nearer(best, profile_corner(&p->piece[p->first[chain + 1] % p->count], x, y));
  return best;
}

#endif
