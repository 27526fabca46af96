// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations added to a growing list: signs go through them where they can, and what is there already is found.
#ifndef SCHED_OPERATE_H
#define SCHED_OPERATE_H

#include "sched/binary.h"

typedef struct schedOps {
  baseArena *arena;
  int n, capacity;
  schedOperation *op;
  int nslot, *slot; // hash table: operation + 1, or 0
  int merged;
  int failed; // memory ran out at any time
} schedOps;

void ops_free(schedOps *ops);

// What the next operations have in common.
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

#endif
