// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of expressions against differences in extended precision.
#include <math.h>
#include <stdlib.h>

#include "eqn/list.h"
#include "spatial/dual.h"
#include "support/check.h"

CHECK_KEEPER(keep_pool, exprPool, expr_free)

enum { SYMBOLS = 4, MOST = 60 };

//---- expressions in extended precision -----------------------------------------------------------

static long double apply(exprOp op, long double a, long double b)
{
  switch (op) {
  case EXPR_NEG: return -a;
  case EXPR_SQRT: return sqrtl(a);
  case EXPR_SIN: return sinl(a);
  case EXPR_COS: return cosl(a);
  case EXPR_ADD: return a + b;
  case EXPR_SUB: return a - b;
  case EXPR_MUL: return a * b;
  case EXPR_DIV: return a / b;
  case EXPR_TAN: return tanl(a);
  case EXPR_ASIN: return asinl(a);
  case EXPR_ACOS: return acosl(a);
  case EXPR_ATAN: return atanl(a);
  case EXPR_SINH: return sinhl(a);
  case EXPR_COSH: return coshl(a);
  case EXPR_TANH: return tanhl(a);
  case EXPR_EXP: return expl(a);
  case EXPR_LOG: return logl(a);
  case EXPR_LOG10: return log10l(a);
  case EXPR_ABS: return fabsl(a);
  case EXPR_POW: return powl(a, b);
  case EXPR_ATAN2: return atan2l(a, b);
  case EXPR_HYPOT: return hypotl(a, b);
  case EXPR_MOD: return a - b * floorl(a / b);
  case EXPR_MIN: return a <= b ? a : b;
  case EXPR_MAX: return a >= b ? a : b;
  default: return (long double) expr_apply(op, (double) a, (double) b);
  }
}


// value of every node up to the one that is asked for
static long double value_at(const exprPool *p, int node, const long double *symbols)
{
  long double *x = calloc((size_t) node + 1, sizeof *x);
  for (int i = 0; i <= node; i++) {
    const exprNode n = p->nodes[i];
    if (n.op == EXPR_CONSTANT)
      x[i] = (long double) n.value;
    else if (n.op == EXPR_SYMBOL)
      x[i] = symbols[n.a];
    else if (n.op == EXPR_SELECT)
      x[i] = x[expr_argument(p, i, x[expr_argument(p, i, 0)] != 0 ? 1 : 2)];
    else
      x[i] = apply(n.op, x[n.a], expr_arity(n.op) == 2 ? x[n.b] : 0);
  }
  const long double value = x[node];
  free(x);
  return value;
}


// (45 (f1 - f-1) - 9 (f2 - f-2) + f3 - f-3) / 60 h, of sixth order
static double slope_at(const exprPool *p, int node, const double *symbols, const double *direction)
{
  static const long double weight[] = {0.75L, -0.15L, 1.0L / 60};
  const long double h = 2e-4L;
  long double sum = 0;
  for (int k = 1; k <= 3; k++) {
    long double more[SYMBOLS], less[SYMBOLS];
    for (int i = 0; i < SYMBOLS; i++) {
      const long double x = (long double) symbols[i], d = k * h * (long double) direction[i];
      more[i] = x + d;
      less[i] = x - d;
    }
    sum += weight[k - 1] * (value_at(p, node, more) - value_at(p, node, less)) / h;
  }
  return (double) sum;
}


static double evaluate(const exprPool *p, int node, const double *symbols)
{
  double *values = malloc(sizeof *values * (size_t) p->count);
  expr_evaluate(p, symbols, values);
  const double value = values[node];
  free(values);
  return value;
}


static void make_symbols(exprPool *p, int *s)
{
  for (int i = 0; i < SYMBOLS; i++) s[i] = expr_symbol(p, "s", i);
}

//---- operations one by one -----------------------------------------------------------------------

// f(u, v) with u = s0 s1 + s2, v = s1 - s3 / 2, so that the chain rule is used too
static void check_operation(exprOp op, exprLevel level, uint64_t *seed)
{
  exprPool *p = keep_pool(expr_create(level));
  int s[SYMBOLS], d[SYMBOLS];
  make_symbols(p, s);
  const int half = expr_constant(p, 0.5);
  const int u = expr_add(p, expr_mul(p, s[0], s[1]), s[2]);
  const int v = expr_sub(p, s[1], expr_mul(p, half, s[3]));
  const int f = expr_operate(p, op, u, v);

  // u in [0.3, 0.7], v in [0.2, 0.5]
  const double x[SYMBOLS] = {check_uniform(seed, 0.1, 0.3), check_uniform(seed, 0.5, 0.6),
                             check_uniform(seed, 0.25, 0.5), check_uniform(seed, 0.2, 0.6)};
  eqn_differentiate(p, 1, &f, SYMBOLS, s, 0, NULL, d, &(baseArena){0});
  for (int j = 0; j < SYMBOLS; j++) {
    double direction[SYMBOLS] = {0};
    direction[j] = 1;
    const double want = slope_at(p, f, x, direction);
    CHECK_CLOSE(evaluate(p, d[j], x), want, 2e-13 * (1 + fabs(want)));
  }
}


TEST(every_operation_has_its_derivative)
{
  uint64_t seed = 1;
  for (int op = EXPR_NEG; op < EXPR_SELECT; op++) {
    const int is_step = op == EXPR_MOD || op == EXPR_FLOOR || op == EXPR_MIN || op == EXPR_MAX ||
                        (op >= EXPR_LESS && op <= EXPR_EQUAL);
    for (int trial = 0; !is_step && trial < 20; trial++)
      check_operation((exprOp) op, trial % 2 ? EXPR_SIMPLIFY : EXPR_RECORD, &seed);
  }
}


TEST(derivatives_of_branches_are_those_of_the_branch_taken)
{
  exprPool *p = keep_pool(expr_create(EXPR_SIMPLIFY));
  int s[SYMBOLS], d[4 * SYMBOLS];
  make_symbols(p, s);
  const int square = expr_mul(p, s[0], s[0]);
  const int f[4] = {
      expr_operate(p, EXPR_MIN, square, s[1]),
      expr_operate(p, EXPR_MAX, square, s[1]),
      expr_select(p, expr_operate(p, EXPR_LESS, s[2], s[3]), square, expr_neg(p, s[1])),
      expr_operate(p, EXPR_MOD, s[1], s[2]),
  };
  eqn_differentiate(p, 4, f, SYMBOLS, s, 0, NULL, d, &(baseArena){0});
  static const double points[2][SYMBOLS] = {{1.5, 3, 0.7, 1}, {2, 3, 0.7, 0.5}};
  static const double want[2][4][3] = {{{3, 0, 0}, {0, 1, 0}, {3, 0, 0}, {0, 1, -4}},
                                       {{0, 1, 0}, {4, 0, 0}, {0, -1, 0}, {0, 1, -4}}};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 4; i++) {
      double got[3];
      for (int j = 0; j < 3; j++) got[j] = evaluate(p, d[i * SYMBOLS + j], points[k]);
      CHECK_NEAR(got, want[k][i], 3, 1e-15);
    }
  }
}


// At a corner the slope is the mean of both sides, so that pieces that make up a smooth whole have its slope there.
TEST(corners_have_the_mean_of_both_slopes)
{
  exprPool *p = keep_pool(expr_create(EXPR_SIMPLIFY));
  int s[SYMBOLS], d[7 * SYMBOLS];
  make_symbols(p, s);
  const int x = s[0], zero = expr_constant(p, 0), one = expr_constant(p, 1);
  const int above = expr_operate(p, EXPR_MAX, x, zero), below = expr_operate(p, EXPR_MIN, x, zero);
  const int beyond = expr_operate(p, EXPR_MAX, zero, x), under = expr_operate(p, EXPR_MIN, zero, x);
  const int back = expr_operate(p, EXPR_MAX, expr_neg(p, x), zero);
  const int narrow = expr_operate(p, EXPR_MIN, expr_operate(p, EXPR_MAX, x, s[1]), s[1]);
  const int f[7] = {expr_add(p, above, below),
                    expr_add(p, beyond, under),
                    expr_add(p, above, under),
                    expr_sub(p, above, back),
                    expr_operate(p, EXPR_ABS, x, 0),
                    expr_operate(p, EXPR_MIN, above, one),
                    narrow};
  static const double at[3] = {-0.25, 0, 0.25};
  static const double want[7][3] = {{1, 1, 1},  {1, 1, 1},   {1, 1, 1}, {1, 1, 1},
                                    {-1, 0, 1}, {0, 0.5, 1}, {0, 0, 0}};
  eqn_differentiate(p, 7, f, SYMBOLS, s, 0, NULL, d, &(baseArena){0});
  for (int k = 0; k < 3; k++) {
    const double here[SYMBOLS] = {at[k]};
    for (int i = 0; i < 7; i++) {
      CHECK_CLOSE(evaluate(p, d[i * SYMBOLS], here), want[i][k], 0);
    }

    // and in dual numbers
    const real y = {at[k], 1}, none = {0, 0};
    CHECK_CLOSE(r_add(r_max(y, none), r_min(y, none)).d, 1, 0);
    CHECK_CLOSE(r_add(r_max(none, y), r_min(y, none)).d, 1, 0);
    CHECK_CLOSE(r_sub(r_max(y, none), r_max(r_neg(y), none)).d, 1, 0);
    CHECK_CLOSE(r_abs(y).d, want[4][k], 0);
    CHECK_CLOSE(r_min(r_max(y, none), r_const(1)).d, want[5][k], 0);
  }
}

//---- whole expressions ---------------------------------------------------------------------------

// a random expression of moderate size and smooth operations
static int random_expression(exprPool *p, const int *s, uint64_t *seed)
{
  static const exprOp ops[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL,  EXPR_MUL,  EXPR_SIN,
                               EXPR_COS, EXPR_NEG, EXPR_ATAN, EXPR_TANH, EXPR_HYPOT};
  int node[MOST], n = 0;
  for (; n < SYMBOLS; n++) node[n] = s[n];
  for (; n < MOST; n++) {
    const exprOp op = ops[check_pick(seed, 10)];
    node[n] =
        expr_operate(p, op, node[check_pick(seed, n)], node[n - 1 - check_pick(seed, SYMBOLS)]);
    if (op == EXPR_MUL) node[n] = expr_sin(p, node[n]);
    if (node[n] == 0) node[n] = s[0];
  }
  return node[n - 1];
}


TEST(random_expressions_have_the_slopes_of_differences)
{
  uint64_t seed = 2;
  for (int trial = 0; trial < 100; trial++) {
    exprPool *p = keep_pool(expr_create(trial % 2 ? EXPR_SIMPLIFY : EXPR_RECORD));
    int s[SYMBOLS], d[SYMBOLS];
    double x[SYMBOLS];
    make_symbols(p, s);
    for (int i = 0; i < SYMBOLS; i++) x[i] = check_uniform(&seed, 0.3, 1);
    const int f = random_expression(p, s, &seed);
    eqn_differentiate(p, 1, &f, SYMBOLS, s, 0, NULL, d, &(baseArena){0});
    for (int j = 0; j < SYMBOLS; j++) {
      double direction[SYMBOLS] = {0};
      direction[j] = 1;
      const double want = slope_at(p, f, x, direction), got = evaluate(p, d[j], x);
      if (fabs(want) < 100) CHECK_CLOSE(got, want, 1e-11 * (1 + fabs(want)));
    }
  }
}


// s2 and s3 depend on s0 by 2 and sin s1, on s1 by s0 and 0
TEST(dependent_symbols_bring_their_own_derivatives)
{
  uint64_t seed = 3;
  for (int trial = 0; trial < 20; trial++) {
    exprPool *p = keep_pool(expr_create(EXPR_SIMPLIFY));
    int s[SYMBOLS], d[2];
    double x[SYMBOLS];
    make_symbols(p, s);
    for (int i = 0; i < SYMBOLS; i++) x[i] = check_uniform(&seed, 0.3, 1);
    const int f = random_expression(p, s, &seed);
    const int d2[] = {expr_constant(p, 2), s[0]}, d3[] = {expr_sin(p, s[1]), 0};
    const eqnDependent given[] = {{s[2], d2}, {s[3], d3}};
    eqn_differentiate(p, 1, &f, 2, s, 2, given, d, &(baseArena){0});
    const double direction[2][SYMBOLS] = {{1, 0, 2, sin(x[1])}, {0, 1, x[0], 0}};
    for (int j = 0; j < 2; j++) {
      const double want = slope_at(p, f, x, direction[j]), got = evaluate(p, d[j], x);
      if (fabs(want) < 100) CHECK_CLOSE(got, want, 1e-11 * (1 + fabs(want)));
    }
  }
}

//---- external functions --------------------------------------------------------------------------

// f(a, b) = (a^2 b, sin a + b) and its derivatives
static void external(void *context, int number, const double *a, double *result)
{
  (void) context;
  if (number == 0) {
    result[0] = a[0] * a[0] * a[1];
    result[1] = sin(a[0]) + a[1];
  } else {
    result[0] = 2 * a[0] * a[1];
    result[1] = a[0] * a[0];
    result[2] = cos(a[0]);
    result[3] = 1;
  }
}


TEST(external_functions_bring_in_their_derivatives)
{
  exprPool *p = keep_pool(expr_create(EXPR_SIMPLIFY));
  int s[SYMBOLS], d[2];
  make_symbols(p, s);
  const int f = expr_external(p, 2, 2);
  const int call = expr_call(p, f, (int[]){expr_mul(p, s[0], s[1]), s[0]});
  const int y = expr_mul(p, expr_element(p, call, 0), expr_element(p, call, 1));
  eqn_differentiate(p, 1, &y, 2, s, 0, NULL, d, &(baseArena){0});

  eqnExternal known = {.name = "law", .what = "a law", .narg = 2, .n = 2};
  eqnVector in = {.name = "s", .n = SYMBOLS, .node = s}, out = {.name = "d", .n = 2, .node = d};
  eqnStage stage = {.title = "all"};
  eqnFunction function = {.name = "slopes",
                          .ninput = 1,
                          .input = &in,
                          .noutput = 1,
                          .output = &out,
                          .nstage = 1,
                          .stage = &stage};
  eqnProgram program = {.pool = p, .nexternal = 1, .external = &known};
  program.parameter.name = "p";
  eqn_complete_externals(&program);
  CHECK_EQ_INT(program.nexternal, 2);
  CHECK_TEXT(program.external[1].name, "law_derivative");
  CHECK_EQ_INT(program.external[1].n, 4);

  eqnList *list = eqn_list_create(&program, &function, NULL);
  double x[SYMBOLS] = {0.7, 1.3}, got[2], *input = x, *output = got;
  CHECK_EQ_INT(eqn_evaluate(list, NULL, &input, &output, external, NULL), 0);
  const double a = x[0] * x[1], b = x[0], f0 = a * a * b, f1 = sin(a) + b;
  const double want[2] = {
      (2 * a * b * x[1] + a * a) * f1 + f0 * (cos(a) * x[1] + 1),
      2 * a * b * x[0] * f1 + f0 * cos(a) * x[0],
  };
  CHECK_REL(got, want, 2, 1e-14);
  eqn_list_free(list);
  arena_free(&program.arena);
}
