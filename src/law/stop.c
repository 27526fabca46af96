// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stops: one-sided springs and dampers beyond the limits of a coordinate.
#include "law/stop.h"

#include <math.h>

#include "base/error.h"


int stop_side(stopSegment segment)
{
  if (segment == STOP_ABOVE || segment == STOP_LEFT_ABOVE) return 1;
  if (segment == STOP_BELOW || segment == STOP_LEFT_BELOW) return -1;
  return 0;
}


double stop_depth(const forceStop *stop, int side, double x)
{
  ART_ASSERT(side == 1 || side == -1);
  return side > 0 ? x - stop->upper : stop->lower - x;
}


// 1 + c d', the damping factor, which must stay positive
static double stop_push_factor(const forceStop *stop, int side, double v)
{
  return 1 + stop->damping * side * v;
}


stopSegment stop_segment(const forceStop *stop, double x, double v)
{
  ART_ASSERT(stop->lower < stop->upper);
  if (x > stop->upper) return stop_push_factor(stop, 1, v) > 0 ? STOP_ABOVE : STOP_LEFT_ABOVE;
  if (x < stop->lower) return stop_push_factor(stop, -1, v) > 0 ? STOP_BELOW : STOP_LEFT_BELOW;
  return STOP_INSIDE;
}


int stop_is_pushing(stopSegment segment)
{
  return segment == STOP_ABOVE || segment == STOP_BELOW;
}


double stop_mean_depth(const forceStop *stop, int side, double a, double b)
{
  const double x = stop_depth(stop, side, a), y = stop_depth(stop, side, b);
  if (x >= 0 && y >= 0) return 0.5 * (x + y);
  if (x <= 0 && y <= 0) return 0;
  const double out = fmax(x, y);
  return 0.5 * out * out / fabs(y - x);
}


void stop_margins(const forceStop *stop, stopSegment segment, double x, double v,
                  double g[STOP_MARGINS])
{
  const int s = stop_side(segment);
  if (s == 0) {
    g[0] = isinf(stop->lower) ? 1 : x - stop->lower;
    g[1] = isinf(stop->upper) ? 1 : stop->upper - x;
    return;
  }
  const double push = stop_push_factor(stop, s, v);
  g[0] = stop_depth(stop, s, x);
  g[1] = stop_is_pushing(segment) ? push : -push;
}


stopSegment stop_next(stopSegment segment, int i)
{
  ART_ASSERT(i >= 0 && i < STOP_MARGINS);
  const int s = stop_side(segment);
  if (s == 0) return i == 0 ? STOP_BELOW : STOP_ABOVE;
  if (i == 0) return STOP_INSIDE;
  if (stop_is_pushing(segment)) return s > 0 ? STOP_LEFT_ABOVE : STOP_LEFT_BELOW;
  return s > 0 ? STOP_ABOVE : STOP_BELOW;
}
