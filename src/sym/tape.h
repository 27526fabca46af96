// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tapes: the nodes that some outputs need, as a flat program. No external functions are called; for
// these see eqn/list.h.
#ifndef SYM_TAPE_H
#define SYM_TAPE_H

#include "sym/expr.h"

// One step makes one value from earlier ones.
typedef struct exprStep {
  exprOp op;
  int a, b, c;  // earlier steps; of a symbol a is its ordinal in the pool
  int node;     // in the pool it was made from
  double value; // of a constant
} exprStep;

typedef struct exprTape {
  int count;
  exprStep *steps;
  int output_count;
  int *outputs; // the step that makes each output
} exprTape;

// The steps behind the given nodes, in the order of the pool. NULL when there is no memory or the pool
// ran out of it before.
exprTape *expr_tape_create(const exprPool *pool, const int *outputs, int output_count);
void expr_tape_free(exprTape *tape);

// Evaluate all steps with the machine's arithmetic.
//   reads  symbols, one value for each symbol of the pool, by ordinal
//   writes values, one for each step; output i is values[tape->outputs[i]]
void expr_evaluate(const exprTape *tape, const double *symbols, double *values);

#endif
