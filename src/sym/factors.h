// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Terms and the factors of products, for the rewriting rules.
#ifndef SYM_FACTORS_H
#define SYM_FACTORS_H

#include "sym/expr.h"

// A term c * base; a number is c times the node 1.
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

// The factors of a term in f; returns 0 when there are more than anyone wants to look at.
int factors_list(const exprPool *pool, symTerm t, symFactors *f);

// Move the factors that f and g share to common.
void factors_common(symFactors *f, symFactors *g, symFactors *common);

int factors_product(exprPool *pool, const symFactors *f);

#endif
