// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The scalar as a dual number x + d eps with eps^2 = 0: a value with its derivative in one
// direction.
#ifndef SPATIAL_DUAL_H
#define SPATIAL_DUAL_H

#include <math.h>

#include "spatial/functions.h"

typedef struct real {
  double x, d;
} real;

// clang-format off
static inline real r_const(double x) { return (real){x, 0}; }
static inline real r_add(real a, real b) { return (real){a.x + b.x, a.d + b.d}; }
static inline real r_sub(real a, real b) { return (real){a.x - b.x, a.d - b.d}; }
static inline real r_mul(real a, real b) { return (real){a.x * b.x, a.x * b.d + a.d * b.x}; }
static inline real r_neg(real a) { return (real){-a.x, -a.d}; }
static inline real r_div(real a, real b)
{
  const double x = a.x / b.x;
  return (real){x, (a.d - x * b.d) / b.x};
}

// chain rule; a constant argument gives derivative 0 even if the slope is not finite
static inline real r_chain(real a, double f, double slope) { return (real){f, a.d == 0 ? 0 : slope * a.d}; }
#define DUAL_FUNCTION(name, function, rule, slope, bend) \
  static inline real r_##function(real a) { const double x = a.x, f = function(x); return r_chain(a, f, slope); }
SMOOTH_FUNCTIONS(DUAL_FUNCTION)
#undef DUAL_FUNCTION

// for a > 0 and a constant exponent
static inline real r_pow(real a, real b) { const double p = pow(a.x, b.x); return r_chain(a, p, b.x * p / a.x); }

static inline real r_atan2(real a, real b)
{
  return (real){atan2(a.x, b.x), (a.d * b.x - a.x * b.d) / (a.x * a.x + b.x * b.x)};
}

// at a kink the mean of both slopes; a NaN in the first argument is propagated
static inline real r_meet(real a, real b) { return (real){a.x, 0.5 * (a.d + b.d)}; }
static inline real r_min(real a, real b) { return b.x == a.x ? r_meet(a, b) : b.x < a.x ? b : a; }
static inline real r_max(real a, real b) { return b.x == a.x ? r_meet(a, b) : b.x > a.x ? b : a; }
static inline real r_abs(real a) { return a.x == 0 ? r_const(0) : a.x < 0 ? r_neg(a) : a; }

static inline int r_less(real a, real b) { return a.x < b.x; }
static inline int r_at_most(real a, real b) { return a.x <= b.x; }
static inline int r_and(int a, int b) { return a && b; }
static inline int r_or(int a, int b) { return a || b; }
static inline int r_not(int a) { return !a; }
static inline real r_same(real a) { return a; }
// clang-format on

// evaluates only the selected branch
#define r_select(condition, a, b) ((condition) ? (a) : (b))

// convert a number or a scalar to a scalar
#define r_of(x) _Generic((x), real : r_same, default : r_const)(x)

// is the condition certain? (with symbols never)
#define r_surely(condition) (condition)

// name of a function that is compiled for several scalars
#define R_NAME(name) name##_dual

#endif
