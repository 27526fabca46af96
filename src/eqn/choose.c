// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Choice of the nodes that become equations; the others are inlined.
#include "eqn/list_builder.h"

enum {
  MAX_EXPRESSION_OPERATIONS = 24, // maximum operations of an expression after inlining
};


int list_builder_is_leaf(const exprPool *pool, int node)
{
  const exprOp op = pool->nodes[node].op;
  return op == EXPR_CONSTANT || op == EXPR_SYMBOL || op == EXPR_ELEMENT;
}


int list_builder_operations(const exprPool *pool, int node)
{
  const exprOp op = pool->nodes[node].op;
  return !list_builder_is_leaf(pool, node) && op != EXPR_CALL && op != EXPR_NEG;
}


static int is_sign(const listBuilder *d, int node)
{
  return d->pool->nodes[node].op == EXPR_NEG && d->passes & 1u << PASS_SIGN;
}


// is a node inlined, given that its readers are decided? Expressions do not cross buckets
static int stands_in_place(const listBuilder *d, int node, int reader)
{
  const exprNode *n = &d->pool->nodes[node];
  if (list_builder_is_leaf(d->pool, node) || is_sign(d, node)) return 1;
  if (n->op == EXPR_CALL || !(d->passes & 1u << PASS_INLINE)) return 0;
  return d->uses[node] == 1 && reader >= 0 &&
         list_builder_bucket(d, node) == list_builder_bucket(d, reader);
}


void list_builder_choose_equations(listBuilder *d)
{
  // the only reader of a node (used if there is just one); uses the memory of d->size
  int *reader = d->size;
  for (int i = 0; i < d->n; i++) reader[i] = -1;


  // outputs are equations; a node assigned to a symbol needs a variable
  for (builderRoot r = {0}; list_builder_next_root(d->function, &r);) {
    if (!r.is_forced || list_builder_is_leaf(d->pool, *r.node)) continue;
    d->is_equation[*r.node] = 1;
    d->uses[*r.node] += r.is_output ? 1 : 2;
  }

  // backward, because readers have larger numbers and must be decided first
  for (int i = d->n - 1; i >= 0; i--) {
    if (!d->needed[i]) continue;
    if (!d->is_equation[i]) d->is_equation[i] = !stands_in_place(d, i, reader[i]);
    const int is_passed_on = is_sign(d, i) && !d->is_equation[i];
    for (int k = 0; k < expr_argument_count(d->pool, i); k++) {
      const int a = expr_argument(d->pool, i, k);
      d->uses[a] += is_passed_on ? d->uses[i] : 1;
      reader[a] = is_passed_on ? reader[i] : i;
    }
  }

  // split expressions that are too long at their largest argument
  for (int i = 0; i < d->n; i++) {
    int total = d->needed[i] ? list_builder_operations(d->pool, i) : 0, largest = -1;
    for (int k = 0; d->needed[i] && k < expr_argument_count(d->pool, i); k++) {
      const int a = expr_argument(d->pool, i, k), own = d->is_equation[a] ? 0 : d->size[a];
      total += own;
      if (own > 0 && (largest < 0 || own > d->size[largest])) largest = a;
    }
    if (total > MAX_EXPRESSION_OPERATIONS && largest >= 0 && !is_sign(d, largest)) {
      d->is_equation[largest] = 1;
      total -= d->size[largest];
    }
    d->size[i] = total;
  }
}
