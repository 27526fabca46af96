// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The scalar of the recursions as a node of an expression graph: every operation is recorded in the
// pool of expr_use. It is a struct so that + or * on a scalar does not compile; {0} is the constant
// 0.
#ifndef SYM_SYMBOL_SCALAR_H
#define SYM_SYMBOL_SCALAR_H

#include "spatial/functions.h"
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
static inline real r_pow(real a, real b) { return (real){expr_pow(expr_used(), a.node, b.node)}; }
static inline real r_operate(exprOp op, real a, real b) { return (real){expr_operate(expr_used(), op, a.node, b.node)}; }
static inline real r_abs(real a) { return r_operate(EXPR_ABS, a, a); }
static inline real r_floor(real a) { return r_operate(EXPR_FLOOR, a, a); }
static inline real r_atan2(real a, real b) { return r_operate(EXPR_ATAN2, a, b); }
static inline real r_hypot(real a, real b) { return r_operate(EXPR_HYPOT, a, b); }
static inline real r_min(real a, real b) { return r_operate(EXPR_MIN, a, b); }
static inline real r_max(real a, real b) { return r_operate(EXPR_MAX, a, b); }

#define NODE_FUNCTION(name, function, rule, slope, bend) static inline real r_##function(real a) { return r_operate(EXPR_##name, a, a); }
SMOOTH_FUNCTIONS(NODE_FUNCTION)
#undef NODE_FUNCTION

// conditions have the values 1 and 0
static inline real r_less(real a, real b) { return r_operate(EXPR_LESS, a, b); }
static inline real r_at_most(real a, real b) { return r_operate(EXPR_LESS_EQUAL, a, b); }
static inline real r_and(real a, real b) { return r_operate(EXPR_AND, a, b); }
static inline real r_or(real a, real b) { return r_operate(EXPR_OR, a, b); }
static inline real r_not(real a) { return r_operate(EXPR_NOT, a, a); }
static inline real r_select(real condition, real a, real b) { return (real){expr_select(expr_used(), condition.node, a.node, b.node)}; }
static inline real r_same(real a) { return a; }
// clang-format on

// convert a number or a scalar to a scalar
#define r_of(x) _Generic((x), real : r_same, default : r_const)(x)

// is the condition certain? (never with symbols)
#define r_surely(condition) ((void) (condition), 0)

// name of a function that is compiled for several scalars
#define R_NAME(name) name##_symbolic

// sines and cosines of n angles
static inline void r_sincos_all(int n, const real *angle, real *s, real *c)
{
  for (int k = 0; k < n; k++) {
    s[k].node = expr_sin(expr_used(), angle[k].node);
    c[k].node = expr_cos(expr_used(), angle[k].node);
  }
}

// name x for readers of the recorded equations
static inline void r_name(real x, const char *what, int i)
{
  expr_name(expr_used(), x.node, what, i);
}

#endif
