// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The scalar of the recursions as a node of an expression graph: every operation records itself in
// the pool of expr_use. A struct, so that + or * on a scalar does not compile; {0} is the constant 0.
#ifndef SYM_SCALAR_H
#define SYM_SCALAR_H

#include "sym/expr.h"

typedef struct real {
  int node;
} real;

// clang-format off
static inline real r_const(double x) { return (real){expr_constant(expr_used(), x)}; }
static inline real r_add(real a, real b) { return (real){expr_add(expr_used(), a.node, b.node)}; }
static inline real r_sub(real a, real b) { return (real){expr_sub(expr_used(), a.node, b.node)}; }
static inline real r_mul(real a, real b) { return (real){expr_mul(expr_used(), a.node, b.node)}; }
static inline real r_div(real a, real b) { return (real){expr_div(expr_used(), a.node, b.node)}; }
static inline real r_neg(real a) { return (real){expr_neg(expr_used(), a.node)}; }
static inline real r_sqrt(real a) { return (real){expr_sqrt(expr_used(), a.node)}; }
// clang-format on

// sines and cosines of n angles
static inline void r_sincos_all(int n, const real *angle, real *s, real *c)
{
  for (int k = 0; k < n; k++) {
    s[k].node = expr_sin(expr_used(), angle[k].node);
    c[k].node = expr_cos(expr_used(), angle[k].node);
  }
}

// the name under which readers of the recorded equations will find x
static inline void r_name(real x, const char *what, int i)
{
  expr_name(expr_used(), x.node, what, i);
}

#endif
