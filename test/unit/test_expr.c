// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions: sharing, folding, exactness against doubles, failing memory.
#define ART_SYMBOLIC
#include "spatial/scalar.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "spatial/sincos.h"
#include "support/check.h"
#include "support/heap.h"
#include "sym/expr.h"

CHECK_KEEPER(keep_pool, exprPool, expr_free)

// a pool with a few symbols to play with
typedef struct bench {
  exprPool *pool;
  int x, y, z, one;
} bench;


static bench open_bench(exprLevel level)
{
  exprPool *p = keep_pool(expr_create(level));
  return (bench){p, expr_symbol(p, "x", 0), expr_symbol(p, "y", 0), expr_symbol(p, "z", 0),
                 expr_constant(p, 1)};
}

//---- exact foldings ------------------------------------------------------------------------------

TEST(zeros_and_ones_are_absorbed)
{
  const bench b = open_bench(EXPR_RECORD);
  exprPool *p = b.pool;
  const int before = p->count;

  CHECK_EQ_INT(expr_constant(p, 0.0), 0);
  CHECK_EQ_INT(expr_constant(p, -0.0), 0);
  CHECK_EQ_INT(expr_add(p, b.x, 0), b.x);
  CHECK_EQ_INT(expr_add(p, 0, b.x), b.x);
  CHECK_EQ_INT(expr_sub(p, b.x, 0), b.x);
  CHECK_EQ_INT(expr_sub(p, b.x, b.x), 0);
  CHECK_EQ_INT(expr_mul(p, b.x, b.one), b.x);
  CHECK_EQ_INT(expr_mul(p, b.one, b.x), b.x);
  CHECK_EQ_INT(expr_mul(p, b.x, 0), 0);
  CHECK_EQ_INT(expr_mul(p, 0, b.x), 0);
  CHECK_EQ_INT(expr_div(p, b.x, b.one), b.x);
  CHECK_EQ_INT(expr_div(p, 0, b.x), 0);
  CHECK_EQ_INT(expr_sin(p, 0), 0);
  CHECK_EQ_INT(expr_cos(p, 0), b.one);
  CHECK_EQ_INT(p->count, before);
}


TEST(signs_move_outwards_and_meet)
{
  const bench b = open_bench(EXPR_RECORD);
  exprPool *p = b.pool;
  const int nx = expr_neg(p, b.x), ny = expr_neg(p, b.y), minus_one = expr_constant(p, -1);
  const int xy = expr_mul(p, b.x, b.y), difference = expr_sub(p, b.x, b.y);

  CHECK_EQ_INT(expr_neg(p, nx), b.x);
  CHECK_EQ_INT(expr_sub(p, 0, b.x), nx);
  CHECK_EQ_INT(expr_mul(p, minus_one, b.x), nx);
  CHECK_EQ_INT(expr_div(p, b.x, minus_one), nx);
  CHECK_EQ_INT(expr_add(p, b.x, ny), difference);
  CHECK_EQ_INT(expr_add(p, ny, b.x), difference);
  CHECK_EQ_INT(expr_sub(p, b.x, ny), expr_add(p, b.x, b.y));
  CHECK_EQ_INT(expr_sub(p, nx, b.y), expr_neg(p, expr_add(p, b.x, b.y)));
  CHECK_EQ_INT(expr_neg(p, difference), expr_sub(p, b.y, b.x));
  CHECK_EQ_INT(expr_mul(p, nx, b.y), expr_neg(p, xy));
  CHECK_EQ_INT(expr_mul(p, nx, ny), xy);
  CHECK_EQ_INT(expr_div(p, b.x, ny), expr_neg(p, expr_div(p, b.x, b.y)));
  CHECK_EQ_INT(expr_add(p, b.x, expr_constant(p, -3)), expr_sub(p, b.x, expr_constant(p, 3)));
}


TEST(equal_expressions_are_one_node)
{
  const bench b = open_bench(EXPR_RECORD);
  exprPool *p = b.pool;
  const int sum = expr_add(p, expr_mul(p, b.x, b.y), b.z);

  CHECK_EQ_INT(expr_add(p, b.z, expr_mul(p, b.y, b.x)), sum);
  CHECK(expr_sub(p, b.x, b.y) != expr_sub(p, b.y, b.x));
  CHECK(expr_div(p, b.x, b.y) != expr_div(p, b.y, b.x));
  CHECK_EQ_INT(expr_constant(p, 0.1), expr_constant(p, 0.1));
  CHECK(expr_constant(p, 0.1) != expr_constant(p, nextafter(0.1, 1)));
  CHECK_EQ_INT(expr_constant(p, NAN), expr_constant(p, NAN));
  CHECK_EQ_INT(expr_add(p, expr_constant(p, 0.1), expr_constant(p, 0.2)),
               expr_constant(p, 0.1 + 0.2));
}


TEST(symbols_are_told_apart_by_name_and_index)
{
  exprPool *p = keep_pool(expr_create(EXPR_RECORD));
  char name[] = "arm/mass";
  const int mass = expr_symbol(p, name, 3);
  memset(name, '?', sizeof name - 1);

  CHECK_EQ_INT(expr_symbol(p, "arm/mass", 3), mass);
  CHECK(expr_symbol(p, "arm/mass", 4) != mass);
  CHECK(expr_symbol(p, "arm/com", 3) != mass);
  CHECK_TEXT(p->nodes[mass].name, "arm/mass");
  CHECK_EQ_INT(p->symbol_count, 3);
  CHECK_EQ_INT(p->nodes[mass].a, 0);
  CHECK_EQ_INT(p->nodes[expr_symbol(p, "arm/com", 3)].a, 2);
}


TEST(the_first_name_of_a_node_stays)
{
  const bench b = open_bench(EXPR_RECORD);
  exprPool *p = b.pool;
  const int sum = expr_add(p, b.x, b.y);
  expr_name(p, sum, "om", 5);
  expr_name(p, sum, "vel", 6);
  expr_name(p, b.x, "vel", 6);
  expr_name(p, 0, "vel", 6);

  CHECK_TEXT(p->nodes[sum].name, "om");
  CHECK_EQ_INT(p->nodes[sum].index, 5);
  CHECK_TEXT(p->nodes[b.x].name, "x");
  CHECK(!p->nodes[0].name);
  CHECK_EQ_INT(expr_add(p, b.y, b.x), sum);
}

//---- random expressions, recorded and computed side by side --------------------------------------

enum { SYMBOLS = 6, GROWTH = 120 };

typedef struct twin {
  int count;
  int node[GROWTH];
  double value[GROWTH];
  double symbols[SYMBOLS];
} twin;


static void add_twin(twin *t, int node, double value)
{
  t->node[t->count] = node;
  t->value[t->count++] = value;
}


static double symbol_value(uint64_t *seed, int whole)
{
  return whole ? check_pick(seed, 7) - 3 : check_uniform(seed, -3, 3);
}


static void start_twin(twin *t, exprPool *p, uint64_t *seed, int whole)
{
  static const double numbers[] = {0, 1, -1, 2, -3};
  t->count = 0;
  for (int i = 0; i < SYMBOLS; i++) {
    t->symbols[i] = symbol_value(seed, whole);
    add_twin(t, expr_symbol(p, "s", i), t->symbols[i]);
  }
  for (int i = 0; i < 5; i++) add_twin(t, expr_constant(p, numbers[i]), numbers[i]);
  const double number = symbol_value(seed, whole);
  add_twin(t, expr_constant(p, number), number);
}


// record op on two of the values made so far, unless the number would leave what is compared
static void grow_twin(twin *t, exprPool *p, exprOp op, uint64_t *seed, double limit)
{
  const int i = check_pick(seed, t->count), j = check_pick(seed, t->count);
  const double value = expr_apply(op, t->value[i], t->value[j]);

  // the sign of a zero, which may be lost, decides half a turn
  if (op == EXPR_ATAN2 && (t->value[i] == 0 || t->value[j] == 0)) return;
  if (fabs(value) <= limit) add_twin(t, expr_operate(p, op, t->node[i], t->node[j]), value);
}


// every value of the twin, to the last bit (a zero may have lost its sign)
static int evaluates_alike(const twin *t, const exprPool *p)
{
  double *values = malloc(sizeof *values * (size_t) p->count);
  int alike = 1;
  expr_evaluate(p, t->symbols, values);
  for (int i = 0; i < t->count; i++) alike &= values[t->node[i]] == t->value[i];
  free(values);
  return alike;
}


TEST(recorded_expressions_keep_every_bit)
{
  uint64_t seed = 1;
  for (int trial = 0; trial < 500; trial++) {
    exprPool *p = keep_pool(expr_create(EXPR_RECORD));
    twin t;
    start_twin(&t, p, &seed, 0);
    for (int k = 0; k < 4 * GROWTH && t.count < GROWTH; k++) {
      const exprOp op = (exprOp) (EXPR_NEG + check_pick(&seed, EXPR_SELECT - EXPR_NEG));
      grow_twin(&t, p, op, &seed, 1e200);
    }
    if (!CHECK(evaluates_alike(&t, p))) trial = 500;
  }
}


// on whole numbers sums and products are exact however they are arranged
TEST(simplified_polynomials_keep_their_value)
{
  static const exprOp ops[] = {EXPR_ADD, EXPR_SUB, EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_NEG};
  uint64_t seed = 2;
  for (int trial = 0; trial < 2000; trial++) {
    exprPool *p = keep_pool(expr_create(EXPR_SIMPLIFY));
    twin t;
    start_twin(&t, p, &seed, 1);
    for (int k = 0; k < 4 * GROWTH && t.count < GROWTH; k++)
      grow_twin(&t, p, ops[check_pick(&seed, 6)], &seed, 1e6);
    if (!CHECK(evaluates_alike(&t, p))) trial = 2000;
  }
}


TEST(nodes_refer_to_smaller_indices)
{
  for (int level = EXPR_RECORD; level <= EXPR_SIMPLIFY; level++) {
    uint64_t seed = 3;
    exprPool *p = keep_pool(expr_create((exprLevel) level));
    twin t;
    start_twin(&t, p, &seed, 0);
    for (int k = 0; k < GROWTH && t.count < GROWTH; k++)
      grow_twin(&t, p, (exprOp) (EXPR_NEG + k % (EXPR_SELECT - EXPR_NEG)), &seed, 1e9);

    int in_order = 1;
    for (int i = 0; i < p->count; i++) {
      const exprNode n = p->nodes[i];
      if (expr_arity(n.op) > 0) in_order &= n.a < i && n.b < i;
    }
    CHECK(in_order);
  }
}

//---- simplification ------------------------------------------------------------------------------

TEST(like_terms_join)
{
  const bench b = open_bench(EXPR_SIMPLIFY);
  exprPool *p = b.pool;
  const int two = expr_constant(p, 2), three = expr_constant(p, 3);
  const int sum = expr_add(p, b.x, b.y), difference = expr_sub(p, b.x, b.y);

  CHECK_EQ_INT(expr_add(p, b.x, b.x), expr_mul(p, two, b.x));
  CHECK_EQ_INT(expr_add(p, expr_mul(p, b.x, two), b.x), expr_mul(p, three, b.x));
  CHECK_EQ_INT(expr_sub(p, sum, b.y), b.x);
  CHECK_EQ_INT(expr_sub(p, b.x, sum), expr_neg(p, b.y));
  CHECK_EQ_INT(expr_add(p, difference, b.y), b.x);
  CHECK_EQ_INT(expr_add(p, expr_add(p, b.x, two), three), expr_add(p, b.x, expr_constant(p, 5)));
  CHECK_EQ_INT(expr_mul(p, two, expr_mul(p, b.x, three)), expr_mul(p, expr_constant(p, 6), b.x));
  CHECK_EQ_INT(expr_mul(p, expr_mul(p, two, b.y), expr_mul(p, b.x, three)),
               expr_mul(p, expr_constant(p, 6), expr_mul(p, b.x, b.y)));
  CHECK_EQ_INT(
      expr_sub(p, expr_mul(p, expr_mul(p, b.x, b.y), b.z), expr_mul(p, b.x, expr_mul(p, b.z, b.y))),
      0);
  CHECK_EQ_INT(expr_mul(p, b.x, expr_constant(p, -3)), expr_neg(p, expr_mul(p, three, b.x)));
}


TEST(quotients_cancel)
{
  const bench b = open_bench(EXPR_SIMPLIFY);
  exprPool *p = b.pool;
  const int root = expr_sqrt(p, b.x);

  CHECK_EQ_INT(expr_div(p, b.x, b.x), b.one);
  CHECK_EQ_INT(expr_div(p, expr_mul(p, b.x, b.y), b.x), b.y);
  CHECK_EQ_INT(expr_mul(p, b.y, expr_div(p, b.x, b.y)), b.x);
  CHECK_EQ_INT(expr_mul(p, root, root), b.x);
  CHECK_EQ_INT(expr_div(p, b.x, expr_constant(p, 4)), expr_mul(p, expr_constant(p, 0.25), b.x));
}


TEST(squares_of_sine_and_cosine_make_one)
{
  const bench b = open_bench(EXPR_SIMPLIFY);
  exprPool *p = b.pool;
  const int s = expr_sin(p, b.x), c = expr_cos(p, b.x), m = expr_constant(p, 2.5);
  const int ss = expr_mul(p, s, s), cc = expr_mul(p, c, c);

  CHECK_EQ_INT(expr_add(p, ss, cc), b.one);
  CHECK_EQ_INT(expr_sub(p, b.one, ss), cc);
  CHECK_EQ_INT(expr_sub(p, cc, b.one), expr_neg(p, ss));
  CHECK_EQ_INT(expr_add(p, expr_add(p, b.z, ss), cc), expr_add(p, b.z, b.one));
  CHECK_EQ_INT(expr_sin(p, expr_neg(p, b.x)), expr_neg(p, s));
  CHECK_EQ_INT(expr_cos(p, expr_neg(p, b.x)), c);

  // cos(atan x) = 1 / sqrt(1 + x^2)
  const int square = expr_mul(p, b.x, b.x), root = expr_sqrt(p, expr_add(p, b.one, square));
  CHECK_EQ_INT(expr_cos(p, expr_operate(p, EXPR_ATAN, b.x, 0)), expr_div(p, b.one, root));

  // m y sin^2 + m y cos^2 = m y, however the products were made
  const int first = expr_mul(p, expr_mul(p, m, s), expr_mul(p, b.y, s));
  const int second = expr_mul(p, m, expr_mul(p, c, expr_mul(p, c, b.y)));
  CHECK_EQ_INT(expr_add(p, first, second), expr_mul(p, m, b.y));

  // another angle is another matter
  const int other = expr_cos(p, b.y), oo = expr_mul(p, other, other);
  CHECK_EQ_INT(p->nodes[expr_add(p, ss, oo)].op, EXPR_ADD);
  CHECK_EQ_INT(p->nodes[expr_sub(p, ss, cc)].op, EXPR_SUB);
}

static double value_of(const exprPool *p, int node, const double *symbols)
{
  double *values = malloc(sizeof *values * (size_t) p->count);
  expr_evaluate(p, symbols, values);
  const double value = values[node];
  free(values);
  return value;
}


TEST(turns_about_parallel_axes_are_one_turn)
{
  const bench b = open_bench(EXPR_SIMPLIFY);
  exprPool *p = b.pool;
  const int ca = expr_cos(p, b.x), sa = expr_sin(p, b.x), cb = expr_cos(p, b.y);
  const int sb = expr_sin(p, b.y), both = expr_add(p, b.x, b.y), less = expr_sub(p, b.x, b.y);
  const int u = expr_symbol(p, "u", 0), w = b.z;

  CHECK_EQ_INT(expr_add(p, expr_mul(p, sa, cb), expr_mul(p, ca, sb)), expr_sin(p, both));
  CHECK_EQ_INT(expr_sub(p, expr_mul(p, ca, cb), expr_mul(p, sa, sb)), expr_cos(p, both));
  CHECK_EQ_INT(expr_sub(p, expr_mul(p, sa, cb), expr_mul(p, ca, sb)), expr_sin(p, less));
  CHECK_EQ_INT(expr_sub(p, expr_mul(p, sb, ca), expr_mul(p, cb, sa)),
               expr_neg(p, expr_sin(p, less)));
  CHECK_EQ_INT(expr_add(p, expr_mul(p, sb, sa), expr_mul(p, cb, ca)), expr_cos(p, less));
  CHECK_EQ_INT(
      expr_sub(p, expr_mul(p, sa, expr_mul(p, u, sb)), expr_mul(p, expr_mul(p, u, ca), cb)),
      expr_neg(p, expr_mul(p, u, expr_cos(p, both))));

  // (U, W) = R(a) (u, w), then R(b) (U, W) = R(a + b) (u, w)
  const int U = expr_add(p, expr_mul(p, ca, u), expr_mul(p, sa, w));
  const int W = expr_sub(p, expr_mul(p, ca, w), expr_mul(p, sa, u));
  const int turned = expr_add(p, expr_mul(p, cb, U), expr_mul(p, sb, W));
  CHECK_EQ_INT(turned,
               expr_add(p, expr_mul(p, expr_cos(p, both), u), expr_mul(p, expr_sin(p, both), w)));

  // and back: R(a)^T R(a) u = u
  CHECK_EQ_INT(expr_sub(p, expr_mul(p, ca, U), expr_mul(p, sa, W)), u);
  CHECK_EQ_INT(expr_add(p, expr_mul(p, sa, U), expr_mul(p, ca, W)), w);

  // three turns are one in any order, and one of them is taken back
  const int c = expr_symbol(p, "c", 0), cc = expr_cos(p, c), sc = expr_sin(p, c);
  const int bc = expr_add(p, expr_mul(p, sb, cc), expr_mul(p, cb, sc));
  const int bc_cos = expr_sub(p, expr_mul(p, cb, cc), expr_mul(p, sb, sc));
  const int ab_first =
      expr_add(p, expr_mul(p, expr_sin(p, both), cc), expr_mul(p, expr_cos(p, both), sc));
  CHECK_EQ_INT(expr_add(p, expr_mul(p, sa, bc_cos), expr_mul(p, ca, bc)), ab_first);
  CHECK_EQ_INT(expr_sub(p, expr_mul(p, bc, cc), expr_mul(p, bc_cos, sc)), sb);
}


// sums of products of sines, cosines and symbols, on which most rules work
TEST(simplified_turns_keep_their_value)
{
  uint64_t seed = 4;
  for (int trial = 0; trial < 1000; trial++) {
    exprPool *p = keep_pool(expr_create(EXPR_SIMPLIFY));
    int node[GROWTH], n = 0;
    double value[GROWTH], symbols[SYMBOLS], want = 0;
    for (int i = 0; i < SYMBOLS; i++) {
      const int s = expr_symbol(p, "s", i);
      symbols[i] = check_uniform(&seed, -3, 3);
      node[n] = s;
      value[n++] = symbols[i];
      node[n] = expr_sin(p, s);
      value[n++] = sin(symbols[i]);
      node[n] = expr_cos(p, s);
      value[n++] = cos(symbols[i]);
    }
    int sum = 0;
    while (n < GROWTH) {
      const int i = check_pick(&seed, n), j = check_pick(&seed, 3 * SYMBOLS),
                k = check_pick(&seed, n), l = check_pick(&seed, 3 * SYMBOLS);
      const int sign = check_pick(&seed, 2);
      const int a = expr_mul(p, node[i], node[j]), b = expr_mul(p, node[l], node[k]);
      node[n] = sign ? expr_add(p, a, b) : expr_sub(p, a, b);
      value[n] = value[i] * value[j] + (sign ? 1 : -1) * value[k] * value[l];
      if (fabs(value[n]) > 100) continue;
      sum = expr_add(p, sum, node[n]);
      want += value[n++];
    }
    const double got = value_of(p, sum, symbols);
    if (!CHECK_CLOSE(got, want, 1e-11 * (1 + fabs(want)))) trial = 1000;
  }
}


TEST(functions_of_numbers_and_signs_fold)
{
  const bench b = open_bench(EXPR_SIMPLIFY);
  exprPool *p = b.pool;
  const int nx = expr_neg(p, b.x), two = expr_constant(p, 2), cube = expr_constant(p, 3);

  CHECK_EQ_INT(expr_operate(p, EXPR_EXP, 0, 0), b.one);
  CHECK_EQ_INT(expr_operate(p, EXPR_MAX, two, cube), cube);
  CHECK_EQ_INT(expr_operate(p, EXPR_LESS, two, cube), b.one);
  CHECK_EQ_INT(expr_operate(p, EXPR_TANH, nx, 0), expr_neg(p, expr_operate(p, EXPR_TANH, b.x, 0)));
  CHECK_EQ_INT(expr_operate(p, EXPR_ABS, nx, 0), expr_operate(p, EXPR_ABS, b.x, 0));
  CHECK_EQ_INT(expr_pow(p, b.x, cube), expr_mul(p, b.x, expr_mul(p, b.x, b.x)));
  CHECK_EQ_INT(expr_pow(p, b.x, expr_constant(p, 0.5)), expr_sqrt(p, b.x));
  CHECK_EQ_INT(expr_pow(p, b.x, expr_constant(p, -1)), expr_div(p, b.one, b.x));
  CHECK_EQ_INT(expr_select(p, b.one, b.x, b.y), b.x);
  CHECK_EQ_INT(expr_select(p, 0, b.x, b.y), b.y);
  CHECK_EQ_INT(expr_select(p, b.z, b.x, b.x), b.x);
  CHECK_EQ_INT(expr_select(p, b.z, b.x, b.y), expr_select(p, b.z, b.x, b.y));
  CHECK(expr_select(p, b.z, b.x, b.y) != expr_select(p, b.z, b.y, b.x));

  // y - x costs nothing beside x - y
  const int difference = expr_sub(p, b.x, b.y);
  CHECK_EQ_INT(expr_sub(p, b.y, b.x), expr_neg(p, difference));
  CHECK_EQ_INT(p->nodes[expr_sub(p, b.y, b.x)].op, EXPR_NEG);
}

//---- values and scalars --------------------------------------------------------------------------

TEST(values_of_external_functions_are_no_numbers)
{
  const bench b = open_bench(EXPR_RECORD);
  exprPool *p = b.pool;

  // r = sqrt(x^2 + y^2), f = -(x / r), y where x is true, and an element of a call
  const int r = expr_sqrt(p, expr_add(p, expr_mul(p, b.x, b.x), expr_mul(p, b.y, b.y)));
  const int f = expr_neg(p, expr_div(p, b.x, r)), chosen = expr_select(p, b.x, b.y, r);
  const int called = expr_element(p, expr_call(p, expr_external(p, 1, 2), &r), 1);
  double values[32];
  expr_evaluate(p, (double[]){3, 4, NAN}, values);
  CHECK(values[f] == -0.6 && values[r] == 5 && values[0] == 0 && values[chosen] == 4);
  CHECK(isnan(values[called]));
}


TEST(scalars_record_into_the_pool_in_use)
{
  const bench b = open_bench(EXPR_RECORD);
  exprPool *p = b.pool, *other = keep_pool(expr_create(EXPR_RECORD));
  CHECK(!expr_use(other));
  CHECK(expr_use(p) == other);

  const real zero = {0}, x = {b.x};
  real s, c;
  r_sincos_all(1, &x, &s, &c);
  const real sum = r_add(r_mul(s, r_const(2)), r_sub(c, r_div(r_neg(x), r_sqrt(x))));
  r_name(sum, "sum", 1);
  CHECK_EQ_INT(r_add(x, zero).node, x.node);
  CHECK_TEXT(p->nodes[sum.node].name, "sum");

  double values[32];
  expr_evaluate(p, (double[]){0.7, 0, 0}, values);
  double sine, cosine;
  sincos_both(0.7, &sine, &cosine);
  CHECK(values[sum.node] == sine * 2 + (cosine - (-0.7) / sqrt(0.7)));

  CHECK(expr_use(NULL) == p);
  CHECK_EQ_INT(other->count, 1);
}

//---- memory --------------------------------------------------------------------------------------

// a long sum of named products
static void record_long_sum(exprPool *p)
{
  int sum = 0;
  for (int i = 0; i < 400; i++) {
    const int term = expr_mul(p, expr_symbol(p, "a", i), expr_sin(p, expr_symbol(p, "b", i)));
    sum = expr_add(p, sum, term);
    expr_name(p, sum, "partial_sum", i);
  }
}


// returns whether it went through
static int record_with(int allocations)
{
  heap_run_dry_after(allocations);
  exprPool *p = expr_create(EXPR_SIMPLIFY);
  if (p) record_long_sum(p);
  const int went_through = p && !expr_failed(p);
  if (p && expr_failed(p)) CHECK_EQ_INT(expr_add(p, expr_constant(p, 7), expr_constant(p, 8)), 0);
  expr_free(p);
  heap_unwatch();
  return went_through;
}


TEST(memory_that_runs_out_is_noticed_at_the_end)
{
  int allocations = 0;
  while (!record_with(allocations) && allocations < 1000) allocations++;
  CHECK(allocations > 15 && allocations < 100);
}


//---- parts of a pool -----------------------------------------------------------------------------

TEST(a_part_of_a_pool_keeps_order_names_and_ordinals)
{
  const bench b = open_bench(EXPR_SIMPLIFY);
  exprPool *p = b.pool;
  const int f = expr_external(p, 1, 2);
  const int other = expr_mul(p, b.x, b.y);
  const int sum = expr_add(p, b.y, b.z);
  const int call = expr_call(p, f, &sum);
  const int choice = expr_select(p, b.z, expr_element(p, call, 1), expr_sin(p, sum));
  expr_name(p, sum, "sum", 4);

  unsigned char needed[32] = {1};
  needed[choice] = 1;
  int *now = calloc((size_t) p->count, sizeof *now);
  expr_mark_arguments(p, p->count, needed);
  CHECK(!needed[other] && !needed[b.x] && needed[call]);
  exprPool *part = expr_create(EXPR_SIMPLIFY);
  extract_pool(part, p, needed, 0, now);
  CHECK_EQ_INT(part->count, 8); // 0, y, z, their sum, a call, its element, a sine, a choice
  CHECK_EQ_INT(part->nodes[now[b.z]].a, p->nodes[b.z].a);
  CHECK_EQ_INT(part->symbol_count, p->symbol_count);
  CHECK(part->nodes[now[sum]].name == p->nodes[sum].name && part->nodes[now[sum]].index == 4);
  CHECK_EQ_INT(expr_called(part, now[call]), f);
  CHECK_EQ_INT(expr_add(part, now[b.z], now[b.y]), now[sum]); // shared as before
  CHECK(now[b.y] < now[b.z] && now[b.z] < now[sum] && now[sum] < now[call]);
  expr_free(part);
  free(now);
}
