// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Savings that expansion leaves. Postiau's thesis (2004, 1.7) puts definitions in the place of
// variables when an equation is made, multiplies out, and keeps what has fewer operations: x = u cos a, y = u sin
// a, z = x cos a + y sin a, so z = u. Expressions of a pool are their own definitions, and products, like terms and
// angles are brought together when a sum is made. Whatever expansion could find besides, to any depth, is an
// equation that has the value of another one for all numbers: these are searched for here by random numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/study.h"
#include "support/programs.h"

enum { POINTS = 3 };

typedef struct value {
  double at[POINTS];
  int is_new; // takes an operation at run time
} value;


static int by_size(const void *a, const void *b)
{
  const value *x = a, *y = b;
  return x->at[0] < y->at[0] ? -1 : x->at[0] > y->at[0];
}


static int is_same(const value *a, const value *b)
{
  int same = 1;
  for (int k = 0; same && k < POINTS; k++) {
    same = fabs(a->at[k] - b->at[k]) <= 1e-11 * (fabs(a->at[k]) + 1e-3);
  }
  return same;
}


static void *taken(size_t n, size_t size)
{
  void *room = calloc(n + 1, size);
  if (!room) abort();
  return room;
}


// which nodes take an operation at run time: what follows from parameters alone takes none
static void mark_new(const eqnList *list, const unsigned char *is_needed, value *v)
{
  const exprPool *pool = list->pool;
  char *is_constant = taken((size_t) pool->count, 1);
  for (int p = 0; p < list->nconstant; p++) is_constant[list->constant[p]] = 1;
  for (int i = 0; i < pool->count; i++) {
    const exprNode *n = &pool->nodes[i];
    const int arity = expr_arity(n->op);
    if (n->op == EXPR_CONSTANT || (arity > 0 && is_constant[expr_argument(pool, i, 0)] &&
                                   (arity == 1 || is_constant[expr_argument(pool, i, 1)])))
      is_constant[i] = 1;
    if (is_needed[i]) v++->is_new = arity > 0 && n->op != EXPR_NEG && !is_constant[i];
  }
  free(is_constant);
}


// magnitudes of all that a function computes or reads, at random points
static int find_values(const eqnList *list, value **out)
{
  const int count = list->pool->count;
  unsigned char *is_needed = taken((size_t) count, 1);
  value *v = taken((size_t) count, sizeof *v);
  double *x = taken((size_t) count, sizeof *x);
  double *symbol = taken((size_t) list->pool->symbol_count, sizeof *symbol);
  uint64_t seed = 5;
  int n = 0;
  for (int e = 0; e < list->n; e++) is_needed[list->equation[e].node] = 1;
  expr_mark_arguments(list->pool, count, is_needed);
  mark_new(list, is_needed, v);
  for (int k = 0; k < POINTS; k++) {
    for (int i = 0; i < list->pool->symbol_count; i++) symbol[i] = check_uniform(&seed, 0.5, 1.5);
    expr_evaluate(list->pool, symbol, x);
    n = 0;
    for (int i = 0; i < count; i++) {
      if (is_needed[i]) v[n++].at[k] = fabs(x[i]);
    }
  }
  free(is_needed), free(x), free(symbol);
  *out = v;
  return n;
}


// operations whose value somebody else has; changes of sign have one for nothing
static int count_equal(const eqnList *list, int *operations)
{
  value *v;
  const int n = find_values(list, &v);
  int equal = 0;
  qsort(v, (size_t) n, sizeof *v, by_size);
  *operations = 0;
  for (int i = 0; i < n; i++) {
    *operations += v[i].is_new;
    const double near = v[i].at[0] - 1e-11 * (v[i].at[0] + 1e-3);
    int k = i - 1;
    while (k >= 0 && v[k].at[0] >= near && !is_same(&v[i], &v[k])) k--;
    equal += v[i].is_new && k >= 0 && v[k].at[0] >= near;
  }
  free(v);
  return equal;
}


typedef struct tally {
  int equal, operations;
} tally;


static void add_form(tally *t, const char *file, unsigned form, genParameters parameters)
{
  artModel *m = keep_machine(file);
  const genOptions options = {.forms = form, .parameters = parameters};
  const eqnProgram *p = keep_program(m, keep_fresh_data(m), &options);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnList *list = keep_function(p, p->function[i].name, NULL);
    int operations;
    t->equal += count_equal(list, &operations);
    t->operations += operations;
    CHECK_EQ_INT(operations, list->total.total);
  }
}


// the example of the thesis, z = u, and the operation that finds it
static int count_in_example(exprLevel level)
{
  exprPool *pool = expr_create(level);
  int in[2] = {expr_symbol(pool, "u", 0), expr_symbol(pool, "a", 0)}, out[3], operations;
  const int sine = expr_sin(pool, in[1]), cosine = expr_cos(pool, in[1]);
  out[0] = expr_mul(pool, in[0], cosine);
  out[1] = expr_mul(pool, in[0], sine);
  out[2] = expr_add(pool, expr_mul(pool, out[0], cosine), expr_mul(pool, out[1], sine));
  eqnStage stage = {.title = "all"};
  eqnVector input = {.name = "x", .n = 2, .node = in}, output = {.name = "y", .n = 3, .node = out};
  eqnFunction f = {EQN_OTHER, "example", "an example", 1, &input, 1, &output, 1, &stage, 0};
  const eqnProgram p = {.pool = pool, .name = "example", .nfunction = 1, .function = &f};
  const eqnOptions none = {0};
  eqnList *list = eqn_list_create(&p, &f, &none);
  const int equal = count_equal(list, &operations);
  eqn_list_free(list);
  expr_free(pool);
  return equal;
}


TEST(the_search_finds_what_is_not_brought_together)
{
  CHECK_EQ_INT(count_in_example(EXPR_RECORD), 1);
  CHECK_EQ_INT(count_in_example(EXPR_SIMPLIFY), 0);
}


TEST(of_ten_thousand_operations_of_trees_one_finds_what_is_there)
{
  static const char *const files[] = {
      "generator/puma-thesis", "puma560",           "iiwa", "motorcycle",
      "generator/quadruped",   "generator/humanoid"};
  const unsigned forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_N;
  tally t = {0};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    add_form(&t, files[i], forms, GEN_CLASSICAL);
    add_form(&t, files[i], forms, GEN_BARYCENTRIC);
  }
  CHECK(t.operations > 100000);
  if (!CHECK(t.equal <= 15)) printf("  %d of %d\n", t.equal, t.operations);
}


TEST(of_two_hundred_operations_of_loops_one_finds_what_is_there)
{
  static const char *const files[] = {"loops/planar-robot-1", "loops/delta", "loops/stewart"};
  tally t = {0};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    add_form(&t, files[i], GEN_ACCELERATE, GEN_CLASSICAL);
  }
  CHECK(t.operations > 6800);
  if (!CHECK(t.equal <= 35)) printf("  %d of %d\n", t.equal, t.operations);
}
