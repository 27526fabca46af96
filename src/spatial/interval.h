// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Intervals [lo, hi] that enclose all values of an expression where its arguments vary within intervals, and the scalar `real` as
// an interval (ART_INTERVAL).
//
// Results are widened by units in the last place, so that rounding is enclosed; the rounding mode is not changed. Functions of
// the C library are taken to be right within four units. Where a function has no value for some of the arguments it is
// enclosed for the others; where it has none for all of them, or a quotient has a zero below it, everything is possible.
// An exact zero stays exact, so that what does not change is seen not to change.
#ifndef SPATIAL_INTERVAL_H
#define SPATIAL_INTERVAL_H

#include <float.h>
#include <math.h>

typedef struct enclosure {
  double lo, hi;
} enclosure;

// Conditions on intervals.
enum { INTERVAL_NO, INTERVAL_YES, INTERVAL_MAYBE };

//---- ends ----------------------------------------------------------------------------------------

static inline double interval_below(double x)
{
  return isinf(x) ? x : x - DBL_EPSILON * fabs(x);
}


static inline double interval_above(double x)
{
  return isinf(x) ? x : x + DBL_EPSILON * fabs(x);
}


static inline enclosure interval_point(double x)
{
  return (enclosure){x, x};
}


static inline enclosure interval_whole(void)
{
  return (enclosure){-INFINITY, INFINITY};
}


// Ends as they were computed, widened; a NaN makes everything possible.
static inline enclosure interval_widen(double lo, double hi)
{
  if (!(lo <= hi)) return interval_whole();
  return (enclosure){interval_below(lo), interval_above(hi)};
}


// The same of functions of the C library.
static inline enclosure interval_of_library(double lo, double hi)
{
  if (!(lo <= hi)) return interval_whole();
  return (enclosure){lo - 4 * DBL_EPSILON * fabs(lo), hi + 4 * DBL_EPSILON * fabs(hi)};
}


static inline double interval_width(enclosure a)
{
  return a.hi - a.lo;
}


static inline double interval_middle(enclosure a)
{
  return a.lo + 0.5 * (a.hi - a.lo);
}


// the largest magnitude
static inline double interval_size(enclosure a)
{
  return fmax(fabs(a.lo), fabs(a.hi));
}


static inline int interval_holds(enclosure a, double x)
{
  return a.lo <= x && x <= a.hi;
}


static inline enclosure interval_hull(enclosure a, enclosure b)
{
  return (enclosure){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}


// The part of a within [lo, hi]; where there is none, the end that is nearest.
static inline enclosure interval_clip(enclosure a, double lo, double hi)
{
  return (enclosure){fmin(fmax(a.lo, lo), hi), fmin(fmax(a.hi, lo), hi)};
}


//---- operations ----------------------------------------------------------------------------------

static inline enclosure interval_neg(enclosure a)
{
  return (enclosure){-a.hi, -a.lo};
}


static inline enclosure interval_add(enclosure a, enclosure b)
{
  return interval_widen(a.lo + b.lo, a.hi + b.hi);
}


static inline enclosure interval_sub(enclosure a, enclosure b)
{
  return interval_widen(a.lo - b.hi, a.hi - b.lo);
}


// 0 times anything is 0
static inline double interval_product(double a, double b)
{
  return a == 0 || b == 0 ? 0 : a * b;
}


static inline enclosure interval_mul(enclosure a, enclosure b)
{
  const double p = interval_product(a.lo, b.lo), q = interval_product(a.lo, b.hi);
  const double r = interval_product(a.hi, b.lo), s = interval_product(a.hi, b.hi);
  enclosure out = interval_widen(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));

  // products that underflow
  if (out.lo == 0 && ((a.lo < 0 && b.hi > 0) || (a.hi > 0 && b.lo < 0))) out.lo = -DBL_MIN;
  if (out.hi == 0 && ((a.hi > 0 && b.hi > 0) || (a.lo < 0 && b.lo < 0))) out.hi = DBL_MIN;
  return out;
}


static inline enclosure interval_scale(double k, enclosure a)
{
  return interval_mul(interval_point(k), a);
}


static inline enclosure interval_div(enclosure a, enclosure b)
{
  if (interval_holds(b, 0)) return interval_whole();
  const double p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
  return interval_widen(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}


static inline enclosure interval_square(enclosure a)
{
  const double lo = interval_holds(a, 0) ? 0 : fmin(fabs(a.lo), fabs(a.hi));
  const double hi = interval_size(a);
  return interval_widen(lo * lo, hi * hi);
}


static inline enclosure interval_abs(enclosure a)
{
  if (a.lo >= 0) return a;
  if (a.hi <= 0) return interval_neg(a);
  return (enclosure){0, interval_size(a)};
}


static inline enclosure interval_min(enclosure a, enclosure b)
{
  return (enclosure){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
}


static inline enclosure interval_max(enclosure a, enclosure b)
{
  return (enclosure){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
}


static inline enclosure interval_floor(enclosure a)
{
  return (enclosure){floor(a.lo), floor(a.hi)};
}


static inline enclosure interval_hypot(enclosure a, enclosure b)
{
  const enclosure x = interval_abs(a), y = interval_abs(b);
  return interval_of_library(hypot(x.lo, y.lo), hypot(x.hi, y.hi));
}


//---- functions -----------------------------------------------------------------------------------

// Whether a place  first + k period  may lie within a.
static inline int interval_meets(enclosure a, double first, double period)
{
  const double low = (a.lo - first) / period, high = (a.hi - first) / period;
  const double rounding = 8 * DBL_EPSILON * (1 + fmax(fabs(low), fabs(high)));
  return floor(high + rounding) > floor(low - rounding) || !(rounding < 0.1);
}


static inline enclosure interval_wave(enclosure a, double (*wave)(double), double highest)
{
  static const double turn = 0x1.921fb54442d18p+2;
  if (!(interval_width(a) < turn)) return (enclosure){-1, 1};
  const double p = wave(a.lo), q = wave(a.hi);
  enclosure out = interval_of_library(fmin(p, q), fmax(p, q));
  if (interval_meets(a, highest, turn) || !(out.hi < 1)) out.hi = 1;
  if (interval_meets(a, highest - 0.5 * turn, turn) || !(out.lo > -1)) out.lo = -1;
  return out;
}


static inline enclosure interval_sin(enclosure a)
{
  return interval_wave(a, sin, 0x1.921fb54442d18p+0);
}


static inline enclosure interval_cos(enclosure a)
{
  return interval_wave(a, cos, 0);
}


static inline enclosure interval_tan(enclosure a)
{
  static const double half_turn = 0x1.921fb54442d18p+1;
  if (!(interval_width(a) < half_turn) || interval_meets(a, 0.5 * half_turn, half_turn)) {
    return interval_whole();
  }
  return interval_of_library(tan(a.lo), tan(a.hi));
}


// of functions that rise
static inline enclosure interval_rise(enclosure a, double (*function)(double))
{
  return interval_of_library(function(a.lo), function(a.hi));
}


static inline enclosure interval_asin(enclosure a)
{
  return interval_rise(interval_clip(a, -1, 1), asin);
}


static inline enclosure interval_acos(enclosure a)
{
  const enclosure x = interval_clip(a, -1, 1);
  return interval_of_library(acos(x.hi), acos(x.lo));
}


static inline enclosure interval_atan(enclosure a)
{
  return interval_rise(a, atan);
}


static inline enclosure interval_sinh(enclosure a)
{
  return interval_rise(a, sinh);
}


static inline enclosure interval_cosh(enclosure a)
{
  return interval_rise(interval_abs(a), cosh);
}


static inline enclosure interval_tanh(enclosure a)
{
  return interval_rise(a, tanh);
}


static inline enclosure interval_exp(enclosure a)
{
  return interval_rise(a, exp);
}


static inline enclosure interval_log(enclosure a)
{
  return a.hi < 0 ? interval_whole() : interval_rise(interval_clip(a, 0, INFINITY), log);
}


static inline enclosure interval_log10(enclosure a)
{
  return a.hi < 0 ? interval_whole() : interval_rise(interval_clip(a, 0, INFINITY), log10);
}


static inline enclosure interval_sqrt(enclosure a)
{
  return a.hi < 0 ? interval_whole() : interval_rise(interval_clip(a, 0, INFINITY), sqrt);
}


// a^n of a whole n
static inline enclosure interval_whole_power(enclosure a, double n)
{
  if (n == 0) return interval_point(1);
  if (n < 0) return interval_div(interval_point(1), interval_whole_power(a, -n));
  if (fmod(n, 2) == 0) {
    const enclosure x = interval_abs(a);
    return interval_of_library(pow(x.lo, n), pow(x.hi, n));
  }
  return interval_of_library(pow(a.lo, n), pow(a.hi, n));
}


// b log a is extreme where both are
static inline enclosure interval_pow(enclosure a, enclosure b)
{
  if (b.lo == b.hi && b.lo == floor(b.lo)) return interval_whole_power(a, b.lo);
  if (a.hi < 0) return interval_whole();
  const enclosure x = interval_clip(a, 0, INFINITY);
  const double p = pow(x.lo, b.lo), q = pow(x.lo, b.hi), r = pow(x.hi, b.lo), s = pow(x.hi, b.hi);
  return interval_of_library(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}


// Angles of (x, y); `from` is where they begin to count: -pi for atan2.
static inline enclosure interval_angle(enclosure y, enclosure x, double from)
{
  static const double turn = 0x1.921fb54442d18p+2;
  const double edge[4] = {atan2(y.lo, x.lo), atan2(y.lo, x.hi), atan2(y.hi, x.lo),
                          atan2(y.hi, x.hi)};
  enclosure out = {INFINITY, -INFINITY};
  if (interval_holds(x, 0) && interval_holds(y, 0)) return (enclosure){from, from + turn};
  for (int k = 0; k < 4; k++) {
    const double angle = edge[k] < from          ? edge[k] + turn
                         : edge[k] > from + turn ? edge[k] - turn
                                                 : edge[k];
    out = interval_hull(out, interval_point(angle));
  }
  // corners of a box next to the origin are less than half a turn apart, or the box lies across the beginning
  if (!(interval_width(out) < 0.5 * turn)) return (enclosure){from, from + turn};
  return interval_of_library(out.lo, out.hi);
}


static inline enclosure interval_atan2(enclosure y, enclosure x)
{
  return interval_angle(y, x, -0x1.921fb54442d18p+1);
}


//---- conditions ----------------------------------------------------------------------------------

static inline int interval_less(enclosure a, enclosure b)
{
  return a.hi < b.lo ? INTERVAL_YES : a.lo >= b.hi ? INTERVAL_NO : INTERVAL_MAYBE;
}


static inline int interval_at_most(enclosure a, enclosure b)
{
  return a.hi <= b.lo ? INTERVAL_YES : a.lo > b.hi ? INTERVAL_NO : INTERVAL_MAYBE;
}


static inline int interval_not(int a)
{
  return a == INTERVAL_MAYBE ? a : !a;
}


static inline int interval_and(int a, int b)
{
  if (a == INTERVAL_NO || b == INTERVAL_NO) return INTERVAL_NO;
  return a == INTERVAL_MAYBE || b == INTERVAL_MAYBE ? INTERVAL_MAYBE : INTERVAL_YES;
}


static inline int interval_or(int a, int b)
{
  return interval_not(interval_and(interval_not(a), interval_not(b)));
}


static inline enclosure interval_select(int condition, enclosure a, enclosure b)
{
  return condition == INTERVAL_MAYBE ? interval_hull(a, b) : condition ? a : b;
}


//---- the scalar ----------------------------------------------------------------------------------

#ifdef ART_INTERVAL

#include "spatial/functions.h"

typedef enclosure real;

// clang-format off
static inline real r_const(double x) { return interval_point(x); }
static inline real r_add(real a, real b) { return interval_add(a, b); }
static inline real r_sub(real a, real b) { return interval_sub(a, b); }
static inline real r_mul(real a, real b) { return interval_mul(a, b); }
static inline real r_div(real a, real b) { return interval_div(a, b); }
static inline real r_neg(real a) { return interval_neg(a); }
static inline real r_abs(real a) { return interval_abs(a); }
static inline real r_floor(real a) { return interval_floor(a); }
static inline real r_pow(real a, real b) { return interval_pow(a, b); }
static inline real r_atan2(real a, real b) { return interval_atan2(a, b); }
static inline real r_hypot(real a, real b) { return interval_hypot(a, b); }
static inline real r_min(real a, real b) { return interval_min(a, b); }
static inline real r_max(real a, real b) { return interval_max(a, b); }
static inline int r_less(real a, real b) { return interval_less(a, b); }
static inline int r_at_most(real a, real b) { return interval_at_most(a, b); }
static inline int r_and(int a, int b) { return interval_and(a, b); }
static inline int r_or(int a, int b) { return interval_or(a, b); }
static inline int r_not(int a) { return interval_not(a); }
static inline real r_select(int condition, real a, real b) { return interval_select(condition, a, b); }
static inline real r_same(real a) { return a; }
#define INTERVAL_FUNCTION(name, function, rule, slope, bend) static inline real r_##function(real a) { return interval_##function(a); }
SMOOTH_FUNCTIONS(INTERVAL_FUNCTION)
#undef INTERVAL_FUNCTION
// clang-format on

#define r_of(x)             _Generic((x), real : r_same, default : r_const)(x)
#define r_surely(condition) ((condition) == INTERVAL_YES)
#define R_NAME(name)        name##_interval

static inline void r_sincos_all(int n, const real *angle, real *s, real *c)
{
  for (int k = 0; k < n; k++) {
    s[k] = interval_sin(angle[k]);
    c[k] = interval_cos(angle[k]);
  }
}

#endif

#endif
