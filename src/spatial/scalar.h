// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The scalar of the recursions. Without ART_SYMBOLIC `real` is double and operations are those of
// the machine. With ART_SYMBOLIC `real` is a node of an expression graph and every operation is
// recorded. Code that uses only these operations, and branches on topology only, works with both.
// With ART_DUAL `real` is a dual number (dual.h), with ART_INTERVAL an interval (interval.h).
// Sources written with operators, x*x + 1, are lowered to these calls by the build (tools/lower.c).
#ifndef SPATIAL_SCALAR_H
#define SPATIAL_SCALAR_H

#ifdef ART_SYMBOLIC
#include "sym/symbol_scalar.h"
#elif defined ART_DUAL
#include "spatial/dual.h"
#elif defined ART_INTERVAL
#include "spatial/interval.h"
#else

#include <math.h>

#include "spatial/functions.h"
#include "spatial/sincos.h"

typedef double real;

// clang-format off
static inline real r_const(double x) { return x; }
static inline real r_add(real a, real b) { return a + b; }
static inline real r_sub(real a, real b) { return a - b; }
static inline real r_mul(real a, real b) { return a * b; }
static inline real r_div(real a, real b) { return a / b; }
static inline real r_neg(real a) { return -a; }
static inline real r_abs(real a) { return fabs(a); }
static inline real r_floor(real a) { return floor(a); }
static inline real r_pow(real a, real b) { return pow(a, b); }
static inline real r_atan2(real a, real b) { return atan2(a, b); }
static inline real r_hypot(real a, real b) { return hypot(a, b); }

// a NaN in the first argument is propagated
static inline real r_min(real a, real b) { return b < a ? b : a; }
static inline real r_max(real a, real b) { return b > a ? b : a; }

static inline int r_less(real a, real b) { return a < b; }

#define NUMBER_FUNCTION(name, function, rule, slope, bend) static inline real r_##function(real a) { return function(a); }
SMOOTH_FUNCTIONS(NUMBER_FUNCTION)
#undef NUMBER_FUNCTION
// clang-format on

// evaluates only the selected branch
#define r_select(condition, a, b) ((condition) ? (a) : (b))

// is the condition certain? (with symbols never)
#define r_surely(condition)       (condition)

// name of a function that is compiled for several scalars
#define R_NAME(name)              name

// sines and cosines of n angles
static inline void r_sincos_all(int n, const real *angle, real *s, real *c)
{
  sincos_all(n, angle, s, c);
}

// name x in recorded equations; no effect on numbers
static inline void r_name(real x, const char *what, int i)
{
  (void) x;
  (void) what;
  (void) i;
}

#endif

#endif
