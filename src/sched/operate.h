// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Construction of an operation list with propagation of signs and merging of equal operations
// (value numbering).
#ifndef SCHED_OPERATE_H
#define SCHED_OPERATE_H

#include "eqn/list.h"
#include "sched/schedule_units.h"

// An operand of an operation.
typedef struct schedOperand {
  int op;       // operation that computes it; -1: a leaf
  int leaf;     // node of the list's pool: number, symbol, precomputed constant, sine of an input
  int negative; // only in sums and outputs
  int element;  // index in the results of a call
} schedOperand;

enum { SCHED_WAITS = 6 };

typedef struct schedOperation {
  exprOp op; // EXPR_NEG: a change of sign that nothing absorbs, 0 - x
  int noperand;
  schedOperand *operand;
  const char *name;
  int called;       // index of the external function of a call
  int stage, ahead; // of the function
  // operations that must finish before, although their results are not read
  int nwait, wait[SCHED_WAITS];
} schedOperation;

// Shape of sums and products with more than two terms.
typedef enum schedShape {
  SCHED_CASCADE,  // sequential, in the order of the equations: bit-identical values
  SCHED_BALANCED, // earliest terms first: shortest critical path; last bits change
} schedShape;

typedef struct schedBinaryOptions {
  schedShape shape;
  int with_sines; // sines of inputs are operations; otherwise they are inputs, as in the thesis
  int latency[SCHED_KINDS]; // latencies used for balancing
  int transfer;
} schedBinaryOptions;

typedef struct schedOps {
  baseArena *arena;
  int n, capacity;
  schedOperation *op;
  int nslot, *slot; // hash table: operation + 1, or 0
  int merged;
} schedOps;

// Common properties of the operations added next.
typedef struct schedOpPlace {
  const char *name;
  int called;
  int stage, ahead;
  int nwait, wait[SCHED_WAITS];
} schedOpPlace;

static inline schedOperand operand_leaf(int node)
{
  return (schedOperand){.op = -1, .leaf = node};
}

static inline schedOperand operand_flip(schedOperand a, int is_negative)
{
  a.negative ^= is_negative != 0;
  return a;
}

// Result of an operation with one or two operands; b is ignored if there is one.
schedOperand ops_operate(schedOps *ops, exprOp op, schedOperand a, schedOperand b,
                         const schedOpPlace *place);

// Calls and selections; their operands must have no sign (ops_without_sign).
schedOperand ops_many(schedOps *ops, exprOp op, int noperand, const schedOperand *operand,
                      const schedOpPlace *place);
schedOperand ops_without_sign(schedOps *ops, schedOperand a, const schedOpPlace *place);

// Kind of unit that executes an operation.
schedKind ops_kind(exprOp op);

//---- sums and products of many terms (tree_height.c) ---------------------------------------------

// Copy the operations to a new list that has no more operations. A sum that is read only by another
// sum is merged with it, unless it is a root. Terms are added in pairs, earliest first. now[i]: new
// operand of old operation i, with op -1 if it was merged into another one.
void balance_ops(schedOps *balanced, const schedOps *old, const int *is_root,
                 const schedBinaryOptions *options, schedOperand *now);

// Convert an operand of an old operation to the new list.
schedOperand balance_parameter_map(const schedOperand *now, schedOperand old);

#endif
