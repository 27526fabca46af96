// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass: uniform bars of mass m between a point j of one link and a point k of another, which have no
// coordinates of their own. All that moves is linear between the ends, so
//
//   T = m/6 (v_j.v_j + v_j.v_k + v_k.v_k) = m/12 (v_j.v_j + v_k.v_k) + m/12 |v_j + v_k|^2
//
// The first part is that of point masses m/6 at the ends, which the compiled links carry already (compile_tree.c); the
// functions below are about the second, which couples them. One text for numbers and symbols.
#ifndef MODEL_ROD_PHYSICS_H
#define MODEL_ROD_PHYSICS_H

#include "spatial/spatial.h"

static inline real rod_part(double part, real m)
{
  return r_mul(r_const(part), m);
}


// m/12 |v_j + v_k|^2
static inline real rod_kinetic_of(real m, v3 v_j, v3 v_k)
{
  const v3 s = v3_add(v_j, v_k);
  return r_mul(rod_part(1.0 / 12, m), v3_dot(s, s));
}


// -m/2 g.r of an end, of which links have a third; ground has no mass
static inline real rod_potential_of(real m, v3 gravity, v3 r, int is_on_ground)
{
  return r_neg(r_mul(rod_part(is_on_ground ? 0.5 : 1.0 / 3, m), v3_dot(gravity, r)));
}


// P = m/3 (v_j + v_k),  L = m/6 (r_j + r_k) x (v_j + v_k)
static inline wrench rod_momentum_of(real m, const v3 r[2], const v3 v[2])
{
  const v3 place = v3_add(r[0], r[1]), rate = v3_add(v[0], v[1]);
  return (wrench){v3_scale(rod_part(1.0 / 6, m), v3_cross(place, rate)),
                  v3_scale(rod_part(1.0 / 3, m), rate)};
}


// Tension in the middle. The end loads take m/6 a_j + m/3 a_k; half the bar beyond its middle takes
// m/8 a_j + 3m/8 a_k, which is m/24 (a_k - a_j) more, and along the bar that is m/24 |v_k - v_j|^2 / l inwards.
static inline real rod_tension_of(real m, real length, v3 v_j, v3 v_k, real thrust)
{
  const v3 rate = v3_sub(v_k, v_j);
  return r_sub(r_div(r_mul(rod_part(1.0 / 24, m), v3_dot(rate, rate)), length), thrust);
}


// p = -m/6 s, felt by both ends alike, where s = a_j + a_k less gravity
static inline v3 rod_pull(real m, v3 s)
{
  return v3_scale(rod_part(-1.0 / 6, m), s);
}


// The force that the body at an end feels, at the acceleration a of the end less gravity:
//   f_j = -lambda u + p - m/6 a_j,  f_k = lambda u + p - m/6 a_k
static inline v3 rod_end_force(real m, v3 thrust, v3 p, v3 a)
{
  return v3_add(v3_add(thrust, p), rod_pull(m, a));
}


static inline real rod_span(v3 r_j, v3 r_k)
{
  const v3 span = v3_sub(r_k, r_j);
  return r_sqrt(v3_dot(span, span));
}


// A bar that has become a rod: the point at s of its ends, or of their velocities or accelerations.
static inline v3 rod_bar_point(real s, v3 j, v3 k)
{
  return v3_add(v3_scale(r_sub(r_const(1), s), j), v3_scale(s, k));
}


// Its angular velocity d x d' / l^2, and d x d'' / l^2: its spin, which nothing determines, is none.
static inline v3 rod_bar_turn(const v3 r[2], v3 rate_j, v3 rate_k)
{
  const v3 span = v3_sub(r[1], r[0]);
  return v3_scale(r_div(r_const(1), v3_dot(span, span)), v3_cross(span, v3_sub(rate_k, rate_j)));
}

#endif
