// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers, laws and stops as elements read them, on symbols. Included by element/port.h.
#ifndef GEN_PORT_SYMBOLIC_H
#define GEN_PORT_SYMBOLIC_H

#include "gen/element/port_equations.h"

static inline real port_entry(const portMotion *in, const double *x, const char *name, int count,
                              int k)
{
  return (real){gen_parameter_at(in->from.b, x, name, count * in->from.index + k)};
}


static inline real port_curve(const portMotion *in, const portLaw *own, real x, int is_integral)
{
  const int i = in->from.index, index = own->count > 0 ? own->count * i + own->k : i;
  return (real){gen_law(in->from.b, own->law, in->from.mode0 + own->mode, x.node, own->name, index,
                        is_integral)};
}


static inline real port_spring(const portMotion *in, portLaw own, int k, real rest)
{
  return port_curve(in, &own, r_sub(in->x[k], rest), 0);
}


static inline real port_is_mode(real mode, stopSegment segment)
{
  return r_operate(EXPR_EQUAL, mode, r_const((double) segment));
}


// by the mode, or by depth and damping themselves
static inline portTouch port_touch(const portMotion *in, const forceStop *stop, int mode, int side,
                                   real beyond, real damping)
{
  const real zero = r_const(0), one = r_const(1), least = r_const(-1);
  const real held = {gen_mode(in->from.b, in->from.mode0 + mode)};
  (void) stop;
  if (gen_may_go(in->from.b, held.node)) {
    const real push = r_select(r_less(zero, beyond), r_add(one, damping), one);
    const real depth = {
        gen_turn_value(in->from.b, beyond.node, r_max(beyond, zero).node, beyond.node, zero.node)};
    const real rate = {gen_turn_value(in->from.b, push.node, r_max(damping, least).node,
                                      damping.node, least.node)};
    return (portTouch){depth, depth, rate};
  }
  if (held.node >= 0 && !gen_has_modes(in->from.b)) {
    const int own = 2 * side;
    const real touches = {gen_knot_side(in->from.b, held.node, own)};
    const real pushes = {gen_knot_side(in->from.b, held.node, own + 1)};
    const real depth = r_select(touches, beyond, zero);
    gen_knot_margin(in->from.b, held.node, own, beyond.node);
    gen_knot_margin(in->from.b, held.node, own + 1,
                    r_select(touches, r_add(one, damping), one).node);
    return (portTouch){depth, depth, r_select(pushes, damping, least)};
  }
  if (held.node >= 0) {
    const real touches = port_is_mode(held, side ? STOP_ABOVE : STOP_BELOW);
    const real has_left = port_is_mode(held, side ? STOP_LEFT_ABOVE : STOP_LEFT_BELOW);
    const real depth = r_select(r_or(touches, has_left), beyond, zero);
    return (portTouch){depth, depth, r_select(touches, damping, least)};
  }
  gen_watch(in->from.b, beyond.node);
  gen_watch(in->from.b, r_select(r_less(zero, beyond), r_add(one, damping), one).node);
  const real depth = r_max(beyond, zero);
  return (portTouch){depth, depth, r_max(damping, least)};
}

#endif
