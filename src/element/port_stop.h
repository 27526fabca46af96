// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stops of a joint or of the line between two points (equations: law/stop.h).
#ifndef ELEMENT_PORT_STOP_H
#define ELEMENT_PORT_STOP_H

#include <math.h>

#include "element/port.h"

typedef struct stopForce {
  real elastic, resisting; // along the coordinate
  real potential;
} stopForce;

// Force of the stops at the displacement of a port; mode: index of their mode.
static inline stopForce stop_act(const portMotion *in, const forceStop *stop, int mode)
{
  static const char *const name[2] = {"stop_lower", "stop_upper"};
  const double *const limit[2] = {&stop->lower, &stop->upper};
  const real k = port_number(in, &stop->stiffness, "stop_stiffness");
  const real c = port_number(in, &stop->damping, "stop_damping"), half = r_const(0.5);
  stopForce sum = {r_const(0), r_const(0), r_const(0)};
  for (int side = 0; side < 2; side++) {
    if (!isfinite(*limit[side])) continue;
    const real border = port_number(in, limit[side], name[side]);
    const real beyond = side ? r_sub(in->x[0], border) : r_sub(border, in->x[0]);
    const real rate = side ? in->v[0] : r_neg(in->v[0]);
    const portTouch touch = port_touch(in, stop, mode, side, beyond, r_mul(c, rate));

    // F = k d + k d c d',  V = k d^2/2
    const real spring = r_mul(k, touch.mean), loaded = r_mul(k, touch.depth);
    const real damping = r_mul(loaded, touch.damping);
    sum.elastic = side ? r_sub(sum.elastic, spring) : r_add(sum.elastic, spring);
    sum.resisting = side ? r_sub(sum.resisting, damping) : r_add(sum.resisting, damping);
    sum.potential = r_add(sum.potential, r_mul(half, r_mul(loaded, touch.depth)));
  }
  return sum;
}

// For elements that consist of stops only.
static inline void stop_act_alone(const modelElement *e, const portMotion *in, portForce *out)
{
  const stopForce stop = stop_act(in, &e->stop, 0);
  out->elastic[0] = stop.elastic;
  out->resisting[0] = stop.resisting;
}

static inline real stop_potential_alone(const modelElement *e, const portMotion *in)
{
  return stop_act(in, &e->stop, 0).potential;
}

#endif
