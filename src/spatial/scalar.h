// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The scalar of the recursions. With ART_SYMBOLIC undefined `real` is double and every operation is
// the machine's; with it, `real` is a node of an expression graph and every operation records itself.
// Code that calls only these operations, and branches on topology alone, serves both. With ART_DUAL `real` is
// a dual number (dual.h), with ART_INTERVAL an interval (interval.h). Text with operators, x*x + 1, is lowered to these calls by the build (tools/lower.c).
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

// a first argument that is not a number stays
static inline real r_min(real a, real b) { return b < a ? b : a; }
static inline real r_max(real a, real b) { return b > a ? b : a; }

static inline int r_less(real a, real b) { return a < b; }

#define NUMBER_FUNCTION(name, function, rule, slope, bend) static inline real r_##function(real a) { return function(a); }
SMOOTH_FUNCTIONS(NUMBER_FUNCTION)
#undef NUMBER_FUNCTION
// clang-format on

// only the one that is chosen is evaluated
#define r_select(condition, a, b) ((condition) ? (a) : (b))

// whether a condition on values holds for certain; of symbols it never does
#define r_surely(condition)       (condition)

// the name of a function of text that is compiled for several scalars
#define R_NAME(name)              name

// sines and cosines of n angles
static inline void r_sincos_all(int n, const real *angle, real *s, real *c)
{
  sincos_all(n, angle, s, c);
}

// a name for x in recorded equations, nothing to do for numbers
static inline void r_name(real x, const char *what, int i)
{
  (void) x;
  (void) what;
  (void) i;
}

#endif

#endif
