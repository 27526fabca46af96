// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Construction of an operation list with absorption of signs and merging of equal operations.
#include "sched/operate.h"

#include <string.h>

#include "base/hash.h"

//---- equal operations ----------------------------------------------------------------------------

static int is_commutative(exprOp op)
{
  return op == EXPR_ADD || op == EXPR_MUL;
}


static uint64_t hash_operand(const schedOperand *a)
{
  const int key[3] = {a->op, a->op < 0 ? a->leaf : 0, a->element};
  return base_hash(BASE_HASH_EMPTY, key, sizeof key);
}


// independent of the order of operands
static uint64_t hash_operation(exprOp op, const schedOperand *a, const schedOperand *b)
{
  const uint64_t both = hash_operand(a) + (b ? hash_operand(b) : 0);
  const int word = (int) op;
  return base_hash(both, &word, sizeof word);
}


static int is_same_operand(const schedOperand *a, const schedOperand *b)
{
  return a->op == b->op && a->element == b->element && (a->op >= 0 || a->leaf == b->leaf);
}


static int is_it(const schedOperation *x, exprOp op, const schedOperand *a, const schedOperand *b)
{
  if (x->op != op || x->noperand != (b ? 2 : 1)) return 0;
  if (!b) return is_same_operand(&x->operand[0], a);
  if (is_same_operand(&x->operand[0], a) && is_same_operand(&x->operand[1], b)) return 1;
  return is_commutative(op) && is_same_operand(&x->operand[0], b) &&
         is_same_operand(&x->operand[1], a);
}


// an existing equal operation, or -1
static int find_operation(const schedOps *ops, exprOp op, const schedOperand *a,
                          const schedOperand *b)
{
  if (ops->nslot == 0) return -1;
  const uint64_t mask = (uint64_t) ops->nslot - 1;
  for (uint64_t k = hash_operation(op, a, b) & mask; ops->slot[k]; k = (k + 1) & mask) {
    if (is_it(&ops->op[ops->slot[k] - 1], op, a, b)) return ops->slot[k] - 1;
  }
  return -1;
}


static void enter_operation_slot(schedOps *ops, int i)
{
  const schedOperation *x = &ops->op[i];
  if (x->noperand > 2) return;
  const uint64_t mask = (uint64_t) ops->nslot - 1;
  uint64_t k =
      hash_operation(x->op, &x->operand[0], x->noperand == 2 ? &x->operand[1] : NULL) & mask;
  while (ops->slot[k]) k = (k + 1) & mask;
  ops->slot[k] = i + 1;
}


static void widen_operation_slots(schedOps *ops)
{
  if (2 * ops->n < ops->nslot) return;
  ops->nslot = ops->nslot ? 2 * ops->nslot : 256;
  ARENA_TAKE(ops->arena, ops->slot, ops->nslot);
  for (int i = 0; i < ops->n; i++) enter_operation_slot(ops, i);
}

//---- new operations ------------------------------------------------------------------------------

schedOperand ops_many(schedOps *ops, exprOp op, int noperand, const schedOperand *operand,
                      const schedOpPlace *place)
{
  schedOperation x = {.op = op,
                      .noperand = noperand,
                      .name = place->name,
                      .called = place->called,
                      .stage = place->stage,
                      .ahead = place->ahead,
                      .nwait = place->nwait};
  memcpy(x.wait, place->wait, sizeof x.wait);
  x.operand = arena_copy(ops->arena, operand, (size_t) noperand, sizeof *operand);
  widen_operation_slots(ops);
  ops->op = arena_grow(ops->arena, ops->op, ops->n, &ops->capacity, sizeof *ops->op);
  ops->op[ops->n] = x;
  enter_operation_slot(ops, ops->n);
  return (schedOperand){.op = ops->n++};
}


// operands must have no sign
static schedOperand add_operation(schedOps *ops, exprOp op, schedOperand a, const schedOperand *b,
                                  const schedOpPlace *place)
{
  const int found = find_operation(ops, op, &a, b);
  if (found >= 0) {
    ops->merged++;
    return (schedOperand){.op = found};
  }
  const schedOperand both[2] = {a, b ? *b : a};
  return ops_many(ops, op, b ? 2 : 1, both, place);
}


schedOperand ops_without_sign(schedOps *ops, schedOperand a, const schedOpPlace *place)
{
  if (!a.negative) return a;
  a.negative = 0;
  return add_operation(ops, EXPR_NEG, a, NULL, place);
}

//---- signs ---------------------------------------------------------------------------------------

// a - b, or the negative of b - a if that already exists
static schedOperand subtract_operands(schedOps *ops, schedOperand a, schedOperand b,
                                      const schedOpPlace *place)
{
  const int found = find_operation(ops, EXPR_SUB, &b, &a);
  if (found < 0) return add_operation(ops, EXPR_SUB, a, &b, place);
  ops->merged++;
  return (schedOperand){.op = found, .negative = 1};
}


// -a - b = -(a + b),  -a + b = b - a
static schedOperand sum_operands(schedOps *ops, schedOperand a, schedOperand b,
                                 const schedOpPlace *place)
{
  const int is_minus_a = a.negative, is_minus_b = b.negative;
  a.negative = b.negative = 0;
  if (is_minus_a && is_minus_b) {
    return operand_flip(add_operation(ops, EXPR_ADD, a, &b, place), 1);
  }
  if (is_minus_a) return subtract_operands(ops, b, a, place);
  return is_minus_b ? subtract_operands(ops, a, b, place)
                    : add_operation(ops, EXPR_ADD, a, &b, place);
}


static int is_odd(exprOp op)
{
  return op == EXPR_SIN || op == EXPR_TAN || op == EXPR_ASIN || op == EXPR_ATAN ||
         op == EXPR_SINH || op == EXPR_TANH || op == EXPR_SIGN;
}


static int is_even_operation(exprOp op)
{
  return op == EXPR_COS || op == EXPR_COSH || op == EXPR_ABS;
}


schedOperand ops_operate(schedOps *ops, exprOp op, schedOperand a, schedOperand b,
                         const schedOpPlace *place)
{
  const int is_minus = a.negative;
  switch (op) {
  case EXPR_ADD: return sum_operands(ops, a, b, place);
  case EXPR_SUB: return sum_operands(ops, a, operand_flip(b, 1), place);
  case EXPR_MUL:
  case EXPR_DIV: {
    const int negative = a.negative ^ b.negative;
    a.negative = b.negative = 0;
    return operand_flip(add_operation(ops, op, a, &b, place), negative);
  }
  default: break;
  }
  if (is_odd(op) || is_even_operation(op)) {
    a.negative = 0;
    return operand_flip(add_operation(ops, op, a, NULL, place), is_minus && is_odd(op));
  }
  a = ops_without_sign(ops, a, place);
  if (expr_arity(op) < 2) return add_operation(ops, op, a, NULL, place);
  b = ops_without_sign(ops, b, place);
  return add_operation(ops, op, a, &b, place);
}


schedKind ops_kind(exprOp op)
{
  switch (op) {
  case EXPR_MUL: return SCHED_MUL;
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_NEG: return SCHED_ADD;
  case EXPR_DIV: return SCHED_DIV;
  case EXPR_SIN:
  case EXPR_COS: return SCHED_SIN;
  default: return SCHED_OTHER;
  }
}
