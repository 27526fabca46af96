// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "base/interior_minimum.h"

#include <float.h>
#include <math.h>

enum { MAX_PARTS = 160 };

// of a part: distance of the two samples that give a rate
static const double APART = 1e-5;

// of the larger end of a part: what the middle may leave its cubic
static const double AGREES = 0.05;

// of the interval: parts this short are not divided
static const double SHORTEST = 1e-9;

typedef struct sample {
  double t, g, rate;
} sample;

typedef struct search {
  const interiorSearch *s;
  double shortest, at;
  int parts, has_failed;
} search;


static double interior_value(search *x, double t)
{
  return x->has_failed ? NAN : x->s->value(x->s->context, t, &x->has_failed);
}


// the rate at t, where the value is g, by a sample that is a part APART of `length` from it, towards the inside
static sample take_rate(search *x, double t, double g, double length)
{
  const double apart = fmax(APART * length, 64 * DBL_EPSILON * fabs(t));
  const double other = t + apart <= x->s->to ? t + apart : fmax(t - apart, x->s->from);
  return (sample){t, g, (interior_value(x, other) - g) / (other - t)};
}


// Where tangents at both ends meet below both of them, and how high; 0: they do not.
static int find_meeting(sample a, sample b, double *t, double *g)
{
  if (!(a.rate < 0 && b.rate > 0)) return 0;
  const double at = a.t + (a.g - b.g + b.rate * (b.t - a.t)) / (b.rate - a.rate);
  if (!(at > a.t && at < b.t)) return 0;
  *t = at;
  *g = a.g + a.rate * (at - a.t);
  return 1;
}


// The lowest point of the cubic inside; 0: it is at an end.
static int find_cubic_minimum(sample a, sample b, double *t)
{
  // g' = p + 2 q u + r u^2, u from 0 to 1
  const double h = b.t - a.t, p = a.rate * h, end = b.rate * h, rise = b.g - a.g;
  const double q = 3 * rise - 2 * p - end, r = 3 * (p + end) - 6 * rise;
  const double root = q * q - p * r;
  if (!(root >= 0)) return 0;
  const double way = q + copysign(sqrt(root), q);
  const double u[2] = {r != 0 ? -way / r : -1, way != 0 ? -p / way : -1};
  for (int k = 0; k < 2; k++) {
    // a minimum: the slope rises there
    if (u[k] > 0 && u[k] < 1 && q + r * u[k] > 0) {
      *t = a.t + u[k] * h;
      return 1;
    }
  }
  return 0;
}


// Where to look in a part: where tangents meet and at its lowest point by turns.
static double point_of_look(sample a, sample b, int turn)
{
  const double h = b.t - a.t;
  double t = a.t + 0.5 * h, meeting = t, low;
  const int meets = find_meeting(a, b, &meeting, &low), prefers_meeting = turn && meets;
  if (prefers_meeting || !find_cubic_minimum(a, b, &t)) t = meeting;
  return fmin(fmax(t, a.t + h / 16), b.t - h / 16);
}


// Rates have the rounding of values over APART of the part.
static int may_sink(const search *x, sample a, sample b)
{
  const double h = b.t - a.t, noise = x->s->noise / APART;
  double t, g;
  if (a.g + a.rate * h / 3 < -noise || b.g - b.rate * h / 3 < -noise) return 1;
  return find_meeting(a, b, &t, &g) && g < -noise;
}


// The cubic in the middle of a part; functions that pass zero while they fall faster and faster leave it there.
static int follows_cubic(const search *x, sample a, sample b, double g)
{
  const double cubic = (a.g + b.g) / 2 + (a.rate - b.rate) * (b.t - a.t) / 8;
  return fabs(g - cubic) <= AGREES * fmax(a.g, b.g) + x->s->noise / APART;
}


static interiorResult search_interior(search *x, sample a, sample b, int turn)
{
  const double h = b.t - a.t;
  const int sinks = may_sink(x, a, b);
  if (h <= x->shortest) return INTERIOR_CLEAR;
  if (++x->parts > MAX_PARTS) return sinks ? INTERIOR_UNRESOLVED : INTERIOR_CLEAR;
  const double t = sinks ? point_of_look(a, b, turn) : a.t + 0.5 * h, g = interior_value(x, t);
  if (x->has_failed || !isfinite(g)) return INTERIOR_FAILED;
  if (g < -x->s->zero) {
    x->at = t;
    return INTERIOR_NEGATIVE;
  }
  if (!sinks && follows_cubic(x, a, b, g)) return INTERIOR_CLEAR;
  const sample middle = take_rate(x, t, g, h);
  if (x->has_failed || !isfinite(middle.rate)) return INTERIOR_FAILED;
  const interiorResult first = search_interior(x, a, middle, !turn);
  return first == INTERIOR_CLEAR ? search_interior(x, middle, b, !turn) : first;
}


interiorResult interior_search(const interiorSearch *s, double *at)
{
  const double length = s->to - s->from;
  search x = {.s = s};
  x.shortest = fmax(SHORTEST * length, 256 * DBL_EPSILON * fmax(fabs(s->from), fabs(s->to)));
  if (!(length > x.shortest)) return INTERIOR_CLEAR;
  sample a = take_rate(&x, s->from, s->g_from, length);
  const sample b = take_rate(&x, s->to, s->g_to, length);
  a.rate = fmin(a.rate, s->rate_before); // a corner may lie between the two samples
  if (x.has_failed || !isfinite(a.rate) || !isfinite(b.rate)) return INTERIOR_FAILED;
  const interiorResult result = search_interior(&x, a, b, 1);
  *at = x.at;
  return result;
}
