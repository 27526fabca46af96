// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tree-height reduction: terms of a sum or product are combined in pairs, earliest first, which
// gives the earliest result if all combinations take the same time.
#include "sched/operate.h"

typedef struct balanceWork {
  schedOps *ops; // the new list
  const schedOps *old;
  const schedBinaryOptions *options;
  schedOperand *now;
  unsigned char *is_inside; // [old->n] merged into another sum or product
  int nready, ready_capacity;
  int *ready; // [ops->n] time when the result of a new operation is available
  int nterm, term_capacity;
  schedOperand *term; // terms of the present sum
} balanceWork;


schedOperand balance_parameter_map(const schedOperand *now, schedOperand old)
{
  if (old.op < 0) return old;
  schedOperand x = operand_flip(now[old.op], old.negative);
  x.element = old.element;
  return x;
}

//---- merging of sums and products ----------------------------------------------------------------

// sums can be merged with sums, products with products
static exprOp operation_family(exprOp op)
{
  return op == EXPR_SUB ? EXPR_ADD : op;
}


static int may_join(const schedOperation *inner, const schedOperation *outer)
{
  const exprOp op = operation_family(inner->op);
  return (op == EXPR_ADD || op == EXPR_MUL) && operation_family(outer->op) == op &&
         inner->nwait == 0 && outer->nwait == 0 && inner->stage == outer->stage &&
         inner->ahead == outer->ahead;
}


static void find_inside(balanceWork *w, const int *is_root)
{
  const schedOps *old = w->old;
  int *uses, *user;
  ARENA_TAKE(old->arena, uses, old->n + 1);
  ARENA_TAKE(old->arena, user, old->n + 1);
  for (int i = 0; i < old->n; i++) {
    for (int k = 0; k < old->op[i].noperand; k++) {
      const int a = old->op[i].operand[k].op;
      if (a < 0) continue;
      uses[a]++;
      user[a] = i;
    }
  }
  for (int i = 0; i < old->n; i++) {
    w->is_inside[i] = !is_root[i] && uses[i] == 1 && may_join(&old->op[i], &old->op[user[i]]);
  }
}

//---- times ---------------------------------------------------------------------------------------

static int operand_ready_time(const balanceWork *w, const schedOperand *a)
{
  return a->op < 0 ? 0 : w->ready[a->op];
}


// times of the operations added since the last call
static void note_ready(balanceWork *w)
{
  for (; w->nready < w->ops->n; w->nready++) {
    w->ready = arena_grow(w->ops->arena, w->ready, w->nready, &w->ready_capacity, sizeof(int));
    const schedOperation *x = &w->ops->op[w->nready];
    int at = 0;
    for (int k = 0; k < x->noperand; k++) {
      const int a = operand_ready_time(w, &x->operand[k]) + w->options->transfer;
      if (x->operand[k].op >= 0 && at < a) at = a;
    }
    w->ready[w->nready] = at + w->options->latency[ops_kind(x->op)];
  }
}

//---- terms ---------------------------------------------------------------------------------------

// collect the terms of old operation i in order
static void gather_terms(balanceWork *w, int i, int negative)
{
  const schedOperation *x = &w->old->op[i];
  for (int k = 0; k < x->noperand; k++) {
    schedOperand a = x->operand[k];
    const int sign = negative ^ (k == 1 && x->op == EXPR_SUB);
    if (a.op >= 0 && w->is_inside[a.op]) {
      gather_terms(w, a.op, sign);
      continue;
    }
    w->term = arena_grow(w->ops->arena, w->term, w->nterm, &w->term_capacity, sizeof *w->term);
    w->term[w->nterm++] = operand_flip(balance_parameter_map(w->now, a), sign);
  }
}


// remove and return the earliest term
static schedOperand take_first(balanceWork *w)
{
  int first = 0;
  for (int k = 1; k < w->nterm; k++) {
    if (operand_ready_time(w, &w->term[k]) < operand_ready_time(w, &w->term[first])) first = k;
  }
  const schedOperand taken = w->term[first];
  w->nterm--;
  for (int k = first; k < w->nterm; k++) w->term[k] = w->term[k + 1];
  return taken;
}


static schedOpPlace balanced_op_place(balanceWork *w, const schedOperation *x, int part)
{
  schedOpPlace place = {.name = x->name,
                        .called = x->called,
                        .stage = x->stage,
                        .ahead = x->ahead,
                        .nwait = x->nwait};
  for (int k = 0; k < x->nwait; k++) place.wait[k] = w->now[x->wait[k]].op;
  if (part > 0) place.name = arena_format(w->ops->arena, "%ss%d", x->name, part);
  return place;
}


static void join_terms(balanceWork *w, int i)
{
  const schedOperation *x = &w->old->op[i];
  w->nterm = 0;
  gather_terms(w, i, 0);
  for (int part = 1; w->nterm > 1; part++) {
    const schedOpPlace place = balanced_op_place(w, x, w->nterm > 2 ? part : 0);
    const schedOperand a = take_first(w), b = take_first(w);
    const schedOperand result = ops_operate(w->ops, operation_family(x->op), a, b, &place);
    note_ready(w);
    w->term[w->nterm++] = result;
  }
  w->now[i] = w->term[0];
}


// copy any other operation unchanged
static void keep_operation(balanceWork *w, int i)
{
  const schedOperation *x = &w->old->op[i];
  const schedOpPlace place = balanced_op_place(w, x, 0);
  if (x->op != EXPR_CALL && x->op != EXPR_SELECT && x->op != EXPR_NEG) {
    const schedOperand a = balance_parameter_map(w->now, x->operand[0]);
    const schedOperand b = x->noperand == 2 ? balance_parameter_map(w->now, x->operand[1]) : a;
    w->now[i] = ops_operate(w->ops, x->op, a, b, &place);
    note_ready(w);
    return;
  }
  schedOperand *operand;
  ARENA_TAKE(w->ops->arena, operand, x->noperand + 1);
  for (int k = 0; k < x->noperand; k++) {
    operand[k] = balance_parameter_map(w->now, x->operand[k]);
    operand[k] = ops_without_sign(w->ops, operand[k], &place);
  }
  w->now[i] = ops_many(w->ops, x->op, x->noperand, operand, &place);
  note_ready(w);
}


void balance_ops(schedOps *balanced, const schedOps *old, const int *is_root,
                 const schedBinaryOptions *options, schedOperand *now)
{
  balanceWork w = {.ops = balanced, .old = old, .options = options, .now = now};
  ARENA_TAKE(balanced->arena, w.is_inside, old->n + 1);
  find_inside(&w, is_root);
  for (int i = 0; i < old->n; i++) {
    const exprOp op = operation_family(old->op[i].op);
    now[i] = operand_leaf(0);
    if (w.is_inside[i]) continue;
    if (op == EXPR_ADD || op == EXPR_MUL) {
      join_terms(&w, i);
    } else {
      keep_operation(&w, i);
    }
  }
}
