// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Copy of some expressions of a pool to a new pool.
#include "sym/expr.h"

#include "base/error.h"

// SELECT and CALL; for a call, the function precedes the arguments
static int copy_long(exprPool *to, const exprPool *from, int node, const int *now)
{
  const exprNode *n = &from->nodes[node];
  if (n->op == EXPR_CALL) expr_push(to, expr_called(from, node));
  for (int k = 0; k < expr_argument_count(from, node); k++) {
    expr_push(to, now[expr_argument(from, node, k)]);
  }
  return expr_node_n(to, n->op, n->b);
}


int extract_node(exprPool *to, const exprPool *from, int node, const int *now)
{
  ART_ASSERT(to != from && node >= 0 && node < from->count);
  const exprNode *n = &from->nodes[node];
  switch (n->op) {
  case EXPR_CONSTANT: return expr_constant(to, n->value);
  case EXPR_SYMBOL: {
    const int symbol = expr_symbol(to, n->name, n->index);
    if (!to->failed) to->nodes[symbol].a = n->a;
    return symbol;
  }
  case EXPR_SELECT:
  case EXPR_CALL: return copy_long(to, from, node, now);
  case EXPR_ELEMENT: return expr_node(to, n->op, now[n->a], n->b);
  default: return expr_node(to, n->op, now[n->a], expr_arity(n->op) == 2 ? now[n->b] : 0);
  }
}


static int is_choice_by(const exprPool *pool, int node, int given)
{
  const exprNode *n = &pool->nodes[node];
  return given > 0 && n->op == EXPR_SELECT && pool->more[n->a] == given;
}


void extract_pool(exprPool *to, const exprPool *pool, const unsigned char *needed, int given,
                  int *now)
{
  ART_ASSERT(to->failed || (to->count == 1 && to->external_count == 0)); // must be new
  for (int i = 0; i < pool->external_count && !to->failed; i++) {
    expr_external(to, pool->external[i].narg, pool->external[i].n);
    if (!to->failed) to->external[i] = pool->external[i];
  }
  for (int node = 0; node < pool->count && !to->failed; node++) {
    if (!needed[node]) continue;
    const exprNode *old = &pool->nodes[node];
    const int is_chosen = is_choice_by(pool, node, given);
    now[node] = is_chosen ? now[pool->more[old->a + 1]] : extract_node(to, pool, node, now);
    if (to->failed || is_chosen || !old->name || old->op == EXPR_SYMBOL) continue;
    to->nodes[now[node]].name = old->name;
    to->nodes[now[node]].index = old->index;
  }
  to->symbol_count = pool->symbol_count;
}
