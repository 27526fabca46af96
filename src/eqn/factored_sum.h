// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums of products with common factors extracted.
#ifndef EQN_FACTORED_SUM_H
#define EQN_FACTORED_SUM_H

#include "sym/expr.h"

// coefficient * factor[0] * factor[1] ...; the coefficient is a constant (a number or a combination
// of parameters), so its products with other constants cost nothing at run time.
typedef struct sumTerm {
  int coefficient;
  // indices into the factor array of the sum: first .. first + nfactor - 1, sorted by node
  int nfactor, first;
  unsigned key; // hash of the factors
  int is_sole;  // its last factor is used nowhere else
} sumTerm;

// Initialise with a pool and an arena, both of which throw (base/throw.h); sum_clear keeps the
// memory for reuse.
typedef struct sumTerms {
  exprPool *pool;
  baseArena *arena;
  int n, capacity;
  sumTerm *term;
  int nfactor, factor_capacity;
  int *factor;
  int *tally; // counters
  int tally_capacity;
  struct sumPart *part; // work array for the terms
  int part_capacity;
  int *depth; // for the first ndepth nodes of the pool: operations in the longest chain to them
  int ndepth, depth_capacity;
} sumTerms;

void sum_clear(sumTerms *s);

// Kinds of factors.
typedef enum sumKind {
  SUM_SHARED,   // also used elsewhere
  SUM_SOLE,     // used nowhere else
  SUM_CONSTANT, // multiplied into the coefficient
} sumKind;

// sum_add_term: start a new term with coefficient 1 or -1. sum_add_factor: add a factor to the last
// term.
void sum_add_term(sumTerms *s, int sign);
void sum_add_factor(sumTerms *s, int node, sumKind kind);

// Would the constant cancel in the coefficient of the last term, as k in k / k?
int sum_cancels(const sumTerms *s, int constant);

// Build the sum of all terms as a node.
int sum_build(sumTerms *s);

#endif
