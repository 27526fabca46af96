// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums of products with their common factors taken out.
#ifndef EQN_FACTORED_SUM_H
#define EQN_FACTORED_SUM_H

#include "sym/expr.h"

// coefficient * factor[0] * factor[1] ...; the coefficient is a constant (a number or a combination of
// parameters), so its product with another one costs nothing at run time.
typedef struct sumTerm {
  int coefficient;
  int nfactor, first; // factors are at first .. in the sum's array, by number
  unsigned key;       // equal for equal factors
  int is_sole;        // its last factor is used nowhere else
} sumTerm;

// Start with a pool and an arena, both of which leave (base/leave.h); the room is used again after sum_clear.
typedef struct sumTerms {
  exprPool *pool;
  baseArena *arena;
  int n, capacity;
  sumTerm *term;
  int nfactor, factor_capacity;
  int *factor;
  int *tally; // for counting
  int tally_capacity;
  struct sumPart *part; // the terms
  int part_capacity;
  int *depth; // of the first ndepth nodes of the pool: operations in the longest chain to them
  int ndepth, depth_capacity;
} sumTerms;

void sum_clear(sumTerms *s);

// Kinds of factors.
typedef enum sumKind {
  SUM_SHARED,   // others use it too
  SUM_SOLE,     // used nowhere else
  SUM_CONSTANT, // goes to the coefficient
} sumKind;

// A new term 1 (or -1), and one more factor of the last term.
void sum_add_term(sumTerms *s, int sign);
void sum_add_factor(sumTerms *s, int node, sumKind kind);

// Whether a constant vanishes in the coefficient of the last term, as k in k / k.
int sum_cancels(const sumTerms *s, int constant);

// The sum of all terms as a node.
int sum_build(sumTerms *s);

#endif
