// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stops: one-sided springs and dampers beyond the limits of a coordinate.
#include "law/stop.h"

#include <math.h>


// 1 for the limits above, -1 for those below, 0 inside
static int side(stopSegment segment)
{
  if (segment == STOP_ABOVE || segment == STOP_LEFT_ABOVE) return 1;
  if (segment == STOP_BELOW || segment == STOP_LEFT_BELOW) return -1;
  return 0;
}


static double depth(const forceStop *stop, int side, double x)
{
  return side > 0 ? x - stop->upper : stop->lower - x;
}


// 1 + c d', which fades the damping in and must stay positive
static double push(const forceStop *stop, int side, double v)
{
  return 1 + stop->damping * side * v;
}


stopSegment stop_segment(const forceStop *stop, double x, double v)
{
  if (x > stop->upper) return push(stop, 1, v) > 0 ? STOP_ABOVE : STOP_LEFT_ABOVE;
  if (x < stop->lower) return push(stop, -1, v) > 0 ? STOP_BELOW : STOP_LEFT_BELOW;
  return STOP_INSIDE;
}


static int is_pushing(stopSegment segment)
{
  return segment == STOP_ABOVE || segment == STOP_BELOW;
}


double stop_force(const forceStop *stop, stopSegment segment, double x, double v)
{
  if (!is_pushing(segment)) return 0;
  // F = k d (1 + c d'), against the coordinate
  const int s = side(segment);
  return -s * stop->stiffness * depth(stop, s, x) * push(stop, s, v);
}


double stop_force_x(const forceStop *stop, stopSegment segment, double x, double v)
{
  (void) x;
  if (!is_pushing(segment)) return 0;
  return -stop->stiffness * push(stop, side(segment), v);
}


double stop_force_v(const forceStop *stop, stopSegment segment, double x, double v)
{
  (void) v;
  if (!is_pushing(segment)) return 0;
  return -stop->stiffness * depth(stop, side(segment), x) * stop->damping;
}


double stop_spring_force(const forceStop *stop, stopSegment segment, double x)
{
  const int s = side(segment);
  return s == 0 ? 0 : -s * stop->stiffness * depth(stop, s, x);
}


double stop_potential(const forceStop *stop, stopSegment segment, double x)
{
  const int s = side(segment);
  if (s == 0) return 0;
  const double d = depth(stop, s, x);
  return 0.5 * stop->stiffness * d * d;
}


// mean of max(x, 0) between a and b
static double mean_depth(double a, double b)
{
  if (a >= 0 && b >= 0) return 0.5 * (a + b);
  if (a <= 0 && b <= 0) return 0;
  const double out = fmax(a, b);
  return 0.5 * out * out / fabs(b - a);
}


double stop_mean_spring_force(const forceStop *stop, double a, double b)
{
  const double above = mean_depth(a - stop->upper, b - stop->upper);
  const double below = mean_depth(stop->lower - a, stop->lower - b);
  return stop->stiffness * (below - above);
}


double stop_margin(const forceStop *stop, stopSegment segment, double x, double v)
{
  const int s = side(segment);
  if (s == 0) return fmin(x - stop->lower, stop->upper - x);
  return fmin(depth(stop, s, x), is_pushing(segment) ? push(stop, s, v) : -push(stop, s, v));
}


stopSegment stop_next(const forceStop *stop, stopSegment segment, double x, double v)
{
  const int s = side(segment);
  if (s == 0) return x - stop->lower < stop->upper - x ? STOP_BELOW : STOP_ABOVE;

  // out of the stop, or over between pushing and not
  const double turn = is_pushing(segment) ? push(stop, s, v) : -push(stop, s, v);
  if (depth(stop, s, x) < turn) return STOP_INSIDE;
  if (is_pushing(segment)) return s > 0 ? STOP_LEFT_ABOVE : STOP_LEFT_BELOW;
  return s > 0 ? STOP_ABOVE : STOP_BELOW;
}
