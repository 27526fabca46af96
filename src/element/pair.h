// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Displacements between two frames (law/pair_laws.h): their kinematics, and the effect of forces
// along them on the frames.
#ifndef ELEMENT_PAIR_H
#define ELEMENT_PAIR_H

#include "spatial/spatial.h"

// A frame: its axes by rows in ground, its point, and their velocities.
typedef struct pairFrame {
  m3 axes;
  v3 point, velocity, omega;
} pairFrame;

// Relative position of the frames.
typedef struct portPair {
  m3 axes;           // of `from`: v_from = axes v_ground
  v3 span;           // from the point of `from` to that of `to`, ground axes
  v3 r;              // rotation vector of `to` in `from`
  real cosine, sine; // of the rotation angle, sine >= 0
  real curve;        // coefficient c of J^-1
} portPair;

// Effect of forces along the displacements, in ground axes: force and torque on `to` at its point,
// and the torque whose opposite acts on `from` at its own point.
typedef struct pairForce {
  v3 own; // torque in the axes of `from`
  v3 force, torque, lever;
} pairForce;


// (1 + h [r] + c [r]^2) w:  J^-1 with h = -1/2, J^-T with h = 1/2
static inline v3 pair_turn(const portPair *pair, double h, v3 w)
{
  const v3 rw = v3_cross(pair->r, w), rrw = v3_cross(pair->r, rw);
  return v3_add(v3_add(w, v3_scale(r_const(h), rw)), v3_scale(pair->curve, rrw));
}


// r of R = A B^T, from  sin(a) n = 1/2 (R32 - R23, ..),  cos(a) = (trace R - 1)/2
static inline void pair_find_rotation(m3 A, m3 B, portPair *pair)
{
  const real half = r_const(0.5), one = r_const(1), zero = r_const(0);
  const v3 twice = {r_sub(v3_dot(A.z, B.y), v3_dot(A.y, B.z)),
                    r_sub(v3_dot(A.x, B.z), v3_dot(A.z, B.x)),
                    r_sub(v3_dot(A.y, B.x), v3_dot(A.x, B.y))};
  const real trace = r_add(r_add(v3_dot(A.x, B.x), v3_dot(A.y, B.y)), v3_dot(A.z, B.z));
  pair->sine = r_mul(half, r_sqrt(v3_dot(twice, twice)));
  pair->cosine = r_mul(half, r_sub(trace, one));
  const real angle = r_atan2(pair->sine, pair->cosine);
  const real stretch = r_select(r_less(zero, pair->sine), r_div(angle, pair->sine), one);
  pair->r = v3_scale(r_mul(half, stretch), twice);
}


// c = (1 - a/2 cot(a/2))/a^2, cot(a/2) = (1 + cos a)/sin a; by its series where that suffers from
// cancellation
static inline real pair_curve(const portPair *pair)
{
  static const double series[4] = {1. / 12, 1. / 720, 1. / 30240, 1. / 1209600};
  const real half = r_const(0.5), one = r_const(1), aa = v3_dot(pair->r, pair->r);
  real near = r_const(0);
  for (int i = 3; i >= 0; i--) near = r_add(r_mul(near, aa), r_const(series[i]));
  if (r_surely(r_less(aa, r_const(1e-2)))) return near;
  const real cot = r_div(r_add(one, pair->cosine), pair->sine);
  const real far = r_div(r_sub(one, r_mul(half, r_mul(r_sqrt(aa), cot))), aa);
  return r_select(r_less(aa, r_const(1e-2)), near, far);
}


static inline void pair_store(real out[6], v3 first, v3 second)
{
  out[0] = first.x, out[1] = first.y, out[2] = first.z;
  out[3] = second.x, out[4] = second.y, out[5] = second.z;
}


// The pair, its displacements x and their rates v.
static inline portPair port_pair(const pairFrame *from, const pairFrame *to, real x[6], real v[6])
{
  portPair pair = {.axes = from->axes, .span = v3_sub(to->point, from->point)};
  pair_find_rotation(from->axes, to->axes, &pair);
  pair.curve = pair_curve(&pair);
  pair_store(x, m3_mul(pair.axes, pair.span), pair.r);

  // d' = v_b - v_a - w_a x d,   r' = J^-1 w
  const v3 slip = v3_sub(v3_sub(to->velocity, from->velocity), v3_cross(from->omega, pair.span));
  const v3 w = m3_mul(pair.axes, v3_sub(to->omega, from->omega));
  pair_store(v, m3_mul(pair.axes, slip), pair_turn(&pair, -0.5, w));
  return pair;
}


// Effect of forces s along the displacements.
static inline pairForce port_pair_force(const portPair *pair, const real s[6])
{
  pairForce f = {.own = pair_turn(pair, 0.5, v3_make(s[3], s[4], s[5]))};
  f.force = m3_back(pair->axes, v3_make(s[0], s[1], s[2]));
  f.torque = m3_back(pair->axes, f.own);
  f.lever = v3_add(f.torque, v3_cross(pair->span, f.force));
  return f;
}

#endif
