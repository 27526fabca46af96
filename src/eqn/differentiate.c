// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forward differentiation through the pool for one symbol after the other; nodes that do not depend
// on the symbol cost nothing.
#include "base/error.h"
#include "eqn/list_builder.h"


// 1 - x^2
static int one_minus_square(exprPool *p, int x)
{
  return expr_sub(p, expr_constant(p, 1), expr_mul(p, x, x));
}


// a_x x + a_y y
static int combine_slopes(exprPool *p, int ax, int x, int ay, int y)
{
  return expr_add(p, expr_mul(p, ax, x), expr_mul(p, ay, y));
}


// derivative of a function y of one argument a with derivative da
static int of_one(exprPool *p, exprOp op, int y, int a, int da)
{
  switch (op) {
  case EXPR_NEG: return expr_neg(p, da);
  case EXPR_SQRT: return expr_div(p, expr_mul(p, expr_constant(p, 0.5), da), y);
  case EXPR_SIN: return expr_mul(p, expr_cos(p, a), da);
  case EXPR_COS: return expr_neg(p, expr_mul(p, expr_sin(p, a), da));
  case EXPR_TAN: return expr_mul(p, expr_add(p, expr_constant(p, 1), expr_mul(p, y, y)), da);
  case EXPR_ASIN: return expr_div(p, da, expr_sqrt(p, one_minus_square(p, a)));
  case EXPR_ACOS: return expr_neg(p, expr_div(p, da, expr_sqrt(p, one_minus_square(p, a))));
  case EXPR_ATAN: return expr_div(p, da, expr_add(p, expr_constant(p, 1), expr_mul(p, a, a)));
  case EXPR_SINH: return expr_mul(p, expr_operate(p, EXPR_COSH, a, 0), da);
  case EXPR_COSH: return expr_mul(p, expr_operate(p, EXPR_SINH, a, 0), da);
  case EXPR_TANH: return expr_mul(p, one_minus_square(p, y), da);
  case EXPR_EXP: return expr_mul(p, y, da);
  case EXPR_LOG: return expr_div(p, da, a);
  case EXPR_LOG10:
    return expr_div(p, expr_mul(p, expr_constant(p, 0x1.bcb7b1526e50ep-2), da), a); // 1 / ln 10
  case EXPR_ABS: return expr_mul(p, expr_operate(p, EXPR_SIGN, a, 0), da);
  default: return 0; // piecewise constant functions
  }
}


// x^y: y x^(y-1) dx + x^y ln(x) dy
static int of_power(exprPool *p, int power, int x, int y, int dx, int dy)
{
  const int less = expr_pow(p, x, expr_sub(p, y, expr_constant(p, 1)));
  const int by_base = expr_mul(p, expr_mul(p, y, less), dx);
  if (dy == 0) return by_base;
  const int log = expr_operate(p, EXPR_LOG, x, 0);
  return expr_add(p, by_base, expr_mul(p, expr_mul(p, power, log), dy));
}


// minimum or maximum of a and b; where they are equal the mean, so that  min + max  has the
// derivative of  a + b
static int of_extreme(exprPool *p, int is_first, int a, int b, int da, int db)
{
  const int mean = expr_mul(p, expr_constant(p, 0.5), expr_add(p, da, db));
  return expr_select(p, expr_operate(p, EXPR_EQUAL, a, b), mean, expr_select(p, is_first, da, db));
}


static int of_two(exprPool *p, exprOp op, int y, int a, int b, int da, int db)
{
  switch (op) {
  case EXPR_ADD: return expr_add(p, da, db);
  case EXPR_SUB: return expr_sub(p, da, db);
  case EXPR_MUL: return combine_slopes(p, b, da, a, db);
  case EXPR_DIV: // (da - y db) / b
    return expr_div(p, expr_sub(p, da, expr_mul(p, y, db)), b);
  case EXPR_POW: return of_power(p, y, a, b, da, db);
  case EXPR_ATAN2: // (b da - a db) / (a^2 + b^2)
    return expr_div(p, expr_sub(p, expr_mul(p, b, da), expr_mul(p, a, db)),
                    combine_slopes(p, a, a, b, b));
  case EXPR_HYPOT: return expr_div(p, combine_slopes(p, a, da, b, db), y);
  case EXPR_MIN: return of_extreme(p, expr_operate(p, EXPR_LESS_EQUAL, a, b), a, b, da, db);
  case EXPR_MAX: return of_extreme(p, expr_operate(p, EXPR_LESS_EQUAL, b, a), a, b, da, db);
  case EXPR_MOD: { // a - floor(a / b) b
    const int cell = expr_operate(p, EXPR_FLOOR, expr_div(p, a, b), 0);
    return expr_sub(p, da, expr_mul(p, cell, db));
  }
  default: return 0; // conditions
  }
}


// result i of a call: sum of df_i/dx_j dx_j
static int of_element(exprPool *p, int call, int i, const int *d)
{
  const int narg = expr_argument_count(p, call);
  int sum = 0;
  expr_push(p, expr_external_derivative(p, expr_called(p, call)));
  for (int k = 0; k < narg; k++) expr_push(p, expr_argument(p, call, k));
  const int slope = expr_node_n(p, EXPR_CALL, narg + 1);
  for (int k = 0; k < narg; k++) {
    const int dx = d[expr_argument(p, call, k)];
    if (dx != 0) sum = expr_add(p, sum, expr_mul(p, expr_element(p, slope, i * narg + k), dx));
  }
  return sum;
}


// derivative of a node, given the derivatives d of its arguments
static int of_node(exprPool *p, int node, const int *d)
{
  const exprNode n = p->nodes[node];
  const int narg = expr_argument_count(p, node);
  if (n.op == EXPR_ELEMENT) return d[n.a] == 0 ? 0 : of_element(p, n.a, n.b, d);
  int moves = 0;
  for (int k = 0; k < narg; k++) moves |= d[expr_argument(p, node, k)] != 0;
  if (!moves) return 0;

  if (n.op == EXPR_CALL) return 1; // a mark for its elements
  if (n.op == EXPR_SELECT)
    return expr_select(p, expr_argument(p, node, 0), d[expr_argument(p, node, 1)],
                       d[expr_argument(p, node, 2)]);
  return narg == 1 ? of_one(p, n.op, node, n.a, d[n.a])
                   : of_two(p, n.op, node, n.a, n.b, d[n.a], d[n.b]);
}


void eqn_differentiate(exprPool *pool, int nnode, const int *node, int nsymbol, const int *symbol,
                       int ngiven, const eqnDependent *given, int *result, baseArena *scratch)
{
  ART_ASSERT(nnode >= 0 && nsymbol >= 0 && ngiven >= 0);
  const size_t count = (size_t) pool->count;
  int *d = arena_alloc(scratch, count, sizeof *d), *list = arena_alloc(scratch, count, sizeof *d);
  unsigned char *needed = arena_alloc(scratch, count, 1);
  int n = 0;

  // list the operations that the nodes need, in order
  for (int i = 0; i < nnode; i++) needed[node[i]] = 1;
  expr_mark_arguments(pool, (int) count, needed);
  for (int i = 0; i < (int) count; i++) {
    if (needed[i] && expr_arity(pool->nodes[i].op) != 0) list[n++] = i;
  }

  for (int j = 0; j < nsymbol; j++) {
    for (int k = 0; k < ngiven; k++) d[given[k].symbol] = given[k].d[j];
    if (symbol) d[symbol[j]] = expr_constant(pool, 1);
    for (int i = 0; i < n; i++) d[list[i]] = of_node(pool, list[i], d);
    for (int i = 0; i < nnode; i++) result[i * nsymbol + j] = d[node[i]];
    if (symbol) d[symbol[j]] = 0;
  }
  arena_free(scratch);
}


void eqn_complete_externals(eqnProgram *program)
{
  ART_ASSERT(program->nexternal <= program->pool->external_count);
  const exprPool *pool = program->pool;
  const int have = program->nexternal, n = pool->external_count;
  eqnExternal *all = arena_alloc(&program->arena, (size_t) n, sizeof *all);
  for (int i = 0; i < have; i++) all[i] = program->external[i];
  for (int i = have; i < n; i++) {
    const exprExternal *f = &pool->external[i];
    ART_ASSERT(f->derivative_of >= 0 && f->derivative_of < i);
    const char *of = all[f->derivative_of].name;
    all[i] = (eqnExternal){.narg = f->narg, .n = f->n};
    all[i].name = arena_format(&program->arena, "%s_derivative", of);
    all[i].what = arena_format(&program->arena, "derivatives of the results of %s, row by row", of);
  }
  program->external = all;
  program->nexternal = n;
}
