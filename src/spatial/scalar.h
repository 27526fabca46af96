// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The scalar of the recursions. With ART_SYMBOLIC undefined `real` is double and every operation is
// the machine's; with it, `real` is a node of an expression graph and every operation records itself.
// Code that calls only these operations, and branches on topology alone, serves both.
#ifndef SPATIAL_SCALAR_H
#define SPATIAL_SCALAR_H

#ifdef ART_SYMBOLIC
#include "sym/scalar.h"
#else

#include <math.h>

#include "spatial/sincos.h"

typedef double real;

// clang-format off
static inline real r_const(double x) { return x; }
static inline real r_add(real a, real b) { return a + b; }
static inline real r_sub(real a, real b) { return a - b; }
static inline real r_mul(real a, real b) { return a * b; }
static inline real r_div(real a, real b) { return a / b; }
static inline real r_neg(real a) { return -a; }
static inline real r_sqrt(real a) { return sqrt(a); }
// clang-format on

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
