// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Terms, and factors of products, for the rewriting rules.
#include "sym/factors.h"

#include "base/error.h"

//---- terms: a number times the rest --------------------------------------------------------------

symTerm factors_term(exprPool *pool, int x)
{
  symTerm t = {1, x};
  if (pool->nodes[x].op == EXPR_NEG) t = (symTerm){-1, pool->nodes[x].a};

  const exprNode n = pool->nodes[t.base];
  if (n.op == EXPR_CONSTANT) return (symTerm){t.c * n.value, expr_constant(pool, 1)};
  if (n.op == EXPR_MUL && expr_is_constant(pool, n.a))
    return (symTerm){t.c * pool->nodes[n.a].value, n.b};
  return t;
}


int factors_scaled(exprPool *pool, double c, int base)
{
  return expr_mul(pool, expr_constant(pool, c), base);
}


//---- factors of a product ------------------------------------------------------------------------

// list the factors of a term in f; returns 0 when there are more than MAX_FACTORS
int factors_list(const exprPool *pool, symTerm t, symFactors *f)
{
  int todo[MAX_FACTORS] = {t.base}, todo_count = 1;
  f->c = t.c;
  f->count = 0;
  while (todo_count > 0) {
    const int x = todo[--todo_count];
    const exprNode n = pool->nodes[x];
    if (n.op == EXPR_CONSTANT) {
      f->c *= n.value;
    } else if (n.op != EXPR_MUL) {
      if (f->count == MAX_FACTORS) return 0;
      f->node[f->count++] = x;
    } else {
      if (todo_count + 2 > MAX_FACTORS) return 0;
      todo[todo_count++] = n.b;
      todo[todo_count++] = n.a;
    }
  }
  return 1;
}


// move the common factors of f and g to `common`
void factors_common(symFactors *f, symFactors *g, symFactors *common)
{
  ART_ASSERT(f != g);
  common->c = 1;
  common->count = 0;
  for (int i = 0; i < f->count; i++) {
    int j = 0;
    while (j < g->count && g->node[j] != f->node[i]) j++;
    if (j == g->count) continue;
    common->node[common->count++] = f->node[i];
    f->node[i--] = f->node[--f->count];
    g->node[j] = g->node[--g->count];
  }
}


int factors_product(exprPool *pool, const symFactors *f)
{
  int x = expr_constant(pool, f->c);
  for (int i = 0; i < f->count; i++) x = expr_mul(pool, x, f->node[i]);
  return x;
}
