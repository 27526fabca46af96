// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers, laws and stops of elements, on numbers and dual numbers. Included by port.h.
#ifndef ELEMENT_PORT_NUMBERS_H
#define ELEMENT_PORT_NUMBERS_H

#include "law/law_values.h"

// The value of a scalar.
#ifdef ART_DUAL
#define PORT_VALUE(a) ((a).x)
#else
#define PORT_VALUE(a) (a)
#endif

// Constant number k of `count` constants with that name.
static inline real port_entry(const portMotion *in, const double *x, const char *name, int count,
                              int k)
{
  (void) in;
  (void) name;
  (void) count;
  (void) k;
  return r_const(*x);
}

// Segment of a law at x: the frozen one, if modes are frozen and the law is not smooth.
static inline int port_segment(const portMotion *in, const portLaw *own, double x)
{
  return in->from.mode && !law_is_smooth(own->law) ? in->from.mode[own->mode]
                                                   : law_segment(own->law, x);
}

// A law at x, or its integral from 0.
static inline real port_curve(const portMotion *in, const portLaw *own, real x, int is_integral)
{
  if (!own->law) return r_const(0);
  const int segment = port_segment(in, own, PORT_VALUE(x));
  return law_on_segment(own->law, segment, x, NULL, is_integral);
}

// A conservative law at displacement k minus its rest value: its value, or its mean over the step,
// (V1 - V0)/(x1 - x0).
static inline real port_spring(const portMotion *in, portLaw own, int k, real rest)
{
  if (!own.law || !in->from.begin) return port_curve(in, &own, r_sub(in->x[k], rest), 0);
  const double offset = PORT_VALUE(rest), a = in->from.begin[k] - offset;
  const double b = in->from.end[k] - offset;
  const int is_held = in->from.mode && !law_is_smooth(own.law);
  return r_const(is_held ? law_segment_mean(own.law, in->from.mode[own.mode], a, b)
                         : law_mean(own.law, a, b));
}

// Contact at the upper (side 1) or lower limit of a stop, at the depth `beyond` and with c d' =
// damping.
static inline portTouch port_touch(const portMotion *in, const forceStop *stop, int mode, int side,
                                   real beyond, real damping)
{
  const int sign = side ? 1 : -1;
  const stopSegment segment = in->from.mode
                                  ? (stopSegment) in->from.mode[mode]
                                  : stop_segment(stop, PORT_VALUE(in->x[0]), PORT_VALUE(in->v[0]));
  portTouch touch = {r_const(0), r_const(0), r_const(0)};
  if (stop_side(segment) == sign) {
    touch.depth = touch.mean = beyond;
    touch.damping = stop_is_pushing(segment) ? damping : r_const(-1);
  }
  if (!in->from.begin) return touch;
  const double a = in->from.begin[0], b = in->from.end[0];
  if (!in->from.mode) {
    touch.mean = r_const(stop_mean_depth(stop, sign, a, b));
  } else if (stop_side(segment) == sign) {
    touch.mean = r_const(stop_depth(stop, sign, 0.5 * (a + b)));
  }
  return touch;
}

#endif
