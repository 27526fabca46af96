// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations added to a growing list: signs go through them where they can, and old ones are found again.
#ifndef SCHED_OPERATE_H
#define SCHED_OPERATE_H

#include "eqn/list.h"
#include "sched/schedule_units.h"

// An operand of an operation.
typedef struct schedOperand {
  int op;   // operation whose result it is; -1: a leaf
  int leaf; // node of the list's pool: number, symbol, constant worked out ahead, sine of an input
  int negative; // sums and outputs alone
  int element;  // of the result of a call
} schedOperand;

enum { SCHED_WAITS = 6 };

typedef struct schedOperation {
  exprOp op; // EXPR_NEG: a change of sign that nothing absorbs, 0 - x
  int noperand;
  schedOperand *operand;
  const char *name;
  int called;                   // external function of a call
  int stage, ahead;             // of the function
  int nwait, wait[SCHED_WAITS]; // operations whose results it does not read but has to wait for
} schedOperation;

// How sums and products of more than two are done.
typedef enum schedShape {
  SCHED_CASCADE, // one after the other, as the equations were recorded: the values are theirs, bit for bit
  SCHED_BALANCED, // those that are there first, first: the shortest way; last bits change
} schedShape;

typedef struct schedBinaryOptions {
  schedShape shape;
  int with_sines; // sines of inputs are operations; else they are inputs, as in the thesis
  int latency[SCHED_KINDS]; // by which trees are balanced
  int transfer;
} schedBinaryOptions;

typedef struct schedOps {
  baseArena *arena;
  int n, capacity;
  schedOperation *op;
  int nslot, *slot; // hash table: operation + 1, or 0
  int merged;
} schedOps;

// Properties that the next operations have in common.
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

// The result of an operation of one or two operands; b is not looked at where there is one.
schedOperand ops_operate(schedOps *ops, exprOp op, schedOperand a, schedOperand b,
                         const schedOpPlace *place);

// Calls and selections, whose operands are without sign (ops_without_sign).
schedOperand ops_many(schedOps *ops, exprOp op, int noperand, const schedOperand *operand,
                      const schedOpPlace *place);
schedOperand ops_without_sign(schedOps *ops, schedOperand a, const schedOpPlace *place);

// The kind of unit that does an operation.
schedKind ops_kind(exprOp op);

//---- sums and products of many terms (tree_height.c) ---------------------------------------------

// The old operations once more, as a new list with no more of them. A sum that only another sum reads is one with it,
// unless it is a root; terms are added two at a time, those that are there first, first. now[i] is what old
// operation i has become, with op -1 where it is inside another.
void balance_ops(schedOps *balanced, const schedOps *old, const int *is_root,
                 const schedBinaryOptions *options, schedOperand *now);

// An operand among the old operations as one among the new.
schedOperand balance_parameter_map(const schedOperand *now, schedOperand old);

#endif
