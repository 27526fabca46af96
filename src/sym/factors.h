// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Terms, and factors of products, for the rewriting rules.
#ifndef SYM_FACTORS_H
#define SYM_FACTORS_H

#include "sym/expr.h"

// A term c * base; a number is c * (node 1).
typedef struct symTerm {
  double c;
  int base;
} symTerm;

enum { MAX_FACTORS = 16 };

// A product c * node[0] * node[1] ...
typedef struct symFactors {
  double c;
  int count;
  int node[MAX_FACTORS];
} symFactors;

symTerm factors_term(exprPool *pool, int x);
int factors_scaled(exprPool *pool, double c, int base);

// List the factors of a term in f; returns 0 when there are more than MAX_FACTORS.
int factors_list(const exprPool *pool, symTerm t, symFactors *f);

// Move the common factors of f and g to `common`.
void factors_common(symFactors *f, symFactors *g, symFactors *common);

int factors_product(exprPool *pool, const symFactors *f);

//---- rewriting (simplify.c) ----------------------------------------------------------------------

// Each looks for a rule that applies to an operation about to be recorded, and returns the
// rewritten expression or EXPR_NO_RULE. Rules hold for real numbers, and for machine numbers up to
// the last bits. Exact folding has been tried before: no argument is 0 and not both are numbers. A
// sum is a + b with sign 1, a - b with sign -1.
int simplify_sum(exprPool *pool, int a, int sign, int b);
int simplify_product(exprPool *pool, int a, int b);
int simplify_quotient(exprPool *pool, int a, int b);

//---- sums of angles from rotations about parallel axes (angle.c) ---------------------------------

// Combine two terms f and g times their common factors, or return EXPR_NO_RULE:
//   cos a cos b -+ sin a sin b = cos(a +- b),   sin a cos b +- cos a sin b = sin(a +- b)
int angle_join(exprPool *pool, const symFactors *f, const symFactors *g, const symFactors *common);

// Sine or cosine of an angle times a sum of two parts, each of which contains a sine or cosine.
typedef struct angleTurned {
  int trig, angle;
  int part[2], sign[2]; // sign[0] is 1
} angleTurned;
int angle_turned(const exprPool *pool, int x, angleTurned *t); // returns 0 if x has another form

#endif
