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
#include "sym/tape.h"

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


// which steps take an operation at run time: what follows from parameters alone takes none
static void mark_new(const eqnList *list, const exprTape *tape, value *v)
{
  char *is_constant = taken((size_t) tape->count, 1);
  char *is_parameter = taken((size_t) list->pool->symbol_count, 1);
  for (int p = 0; p < list->nconstant; p++) {
    is_parameter[list->pool->nodes[list->constant[p]].a] = 1;
  }
  for (int i = 0; i < tape->count; i++) {
    const exprStep *s = &tape->steps[i];
    const int arity = expr_arity(s->op);
    is_constant[i] = s->op == EXPR_CONSTANT || (s->op == EXPR_SYMBOL && is_parameter[s->a]) ||
                     (arity > 0 && is_constant[s->a] && (arity == 1 || is_constant[s->b]));
    v[i].is_new = arity > 0 && s->op != EXPR_NEG && !is_constant[i];
  }
  free(is_constant), free(is_parameter);
}


// magnitudes of all that a function computes or reads, at random points
static int find_values(const eqnList *list, value **out)
{
  int *node = taken((size_t) list->n, sizeof *node);
  for (int e = 0; e < list->n; e++) node[e] = list->equation[e].node;
  exprTape *tape = expr_tape_create(list->pool, node, list->n);
  const int n = tape->count;
  value *v = taken((size_t) n, sizeof *v);
  double *x = taken((size_t) n, sizeof *x);
  double *symbol = taken((size_t) list->pool->symbol_count, sizeof *symbol);
  uint64_t seed = 5;
  mark_new(list, tape, v);
  for (int k = 0; k < POINTS; k++) {
    for (int i = 0; i < list->pool->symbol_count; i++) symbol[i] = check_uniform(&seed, 0.5, 1.5);
    expr_evaluate(tape, symbol, x);
    for (int i = 0; i < n; i++) v[i].at[k] = fabs(x[i]);
  }
  free(node), free(x), free(symbol);
  expr_tape_free(tape);
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
  eqnFunction f = {"example", "an example", 1, &input, 1, &output, 1, &stage, 0};
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
