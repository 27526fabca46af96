// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equation lists: order, stages, names, counts, and values against the recorded expressions.
#include <math.h>
#include <stdlib.h>

#include "support/heap.h"
#include "support/programs.h"

enum { MOST = 200, INPUTS = 5, PARAMETERS = 4, OUTPUTS = 6 };

// a program with one function, x[5] -> y, over a pool
typedef struct lab {
  eqnProgram program;
  eqnFunction function;
  eqnVector input, output;
  eqnStage stage[3];
  int x[INPUTS], p[PARAMETERS], y[MOST];
  double value[PARAMETERS];
} lab;


static void fill_lab(lab *l, exprPool *pool)
{
  *l = (lab){0};
  for (int i = 0; i < INPUTS; i++) l->x[i] = expr_symbol(pool, "x", i);
  for (int i = 0; i < PARAMETERS; i++) {
    l->p[i] = expr_symbol(pool, "p", i);
    l->value[i] = 0.3 + i;
  }
  l->program.pool = pool;
  l->program.parameter = (eqnVector){.name = "p", .n = PARAMETERS, .node = l->p};
  l->program.value = l->value;
  l->input = (eqnVector){.name = "x", .n = INPUTS, .node = l->x};
  l->output = (eqnVector){.name = "y", .node = l->y};
  l->stage[0] = (eqnStage){.title = "all", .group = GROUP_FORWARD};
  l->function = (eqnFunction){.name = "f",
                              .ninput = 1,
                              .input = &l->input,
                              .noutput = 1,
                              .output = &l->output,
                              .nstage = 1,
                              .stage = l->stage};
}


CHECK_KEEPER(keep_pool, exprPool, expr_free)


static void open_lab(lab *l, exprLevel level)
{
  fill_lab(l, keep_pool(expr_create(level)));
}


static int evaluate(const lab *l, const eqnList *list, double *x, double *y)
{
  (void) l;
  return eqn_evaluate(list, NULL, &x, &y, NULL, NULL);
}

//---- random functions ----------------------------------------------------------------------------

// sums, products and a few functions of what was made before
static void grow(lab *l, uint64_t *seed)
{
  static const exprOp ops[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_ADD,  EXPR_SUB, EXPR_MUL,
                               EXPR_SIN, EXPR_COS, EXPR_NEG, EXPR_ATAN, EXPR_MAX, EXPR_TANH};
  exprPool *pool = l->program.pool;
  int node[MOST], n = 0;
  for (int i = 0; i < INPUTS; i++) node[n++] = l->x[i];
  for (int i = 0; i < PARAMETERS; i++) node[n++] = l->p[i];
  while (n < MOST) {
    const int late = check_pick(seed, 2) ? n - 20 : 0, low = late > 0 ? late : 0;
    const int a = node[low + check_pick(seed, n - low)], b = node[check_pick(seed, n)];
    const exprOp op = ops[check_pick(seed, 12)];
    int made = expr_operate(pool, op, a, b);
    if (check_pick(seed, 10) == 0)
      made = expr_select(pool, expr_operate(pool, EXPR_LESS, a, b), b, made);

    // keep numbers of moderate size
    if (op == EXPR_MUL) made = expr_operate(pool, EXPR_ATAN, made, 0);
    node[n++] = made;
  }
  for (int i = 0; i < OUTPUTS; i++) l->y[i] = node[n - 1 - 7 * i];
  l->output.n = OUTPUTS;
}


static void pool_values(const lab *l, const double *x, double *y)
{
  const exprPool *pool = l->program.pool;
  double *values = malloc(sizeof *values * (size_t) pool->count), symbols[INPUTS + PARAMETERS];
  for (int i = 0; i < INPUTS; i++) symbols[i] = x[i];
  for (int i = 0; i < PARAMETERS; i++) symbols[INPUTS + i] = l->value[i];
  expr_evaluate(pool, symbols, values);
  for (int i = 0; i < l->output.n; i++) y[i] = values[l->y[i]];
  free(values);
}


// parents before children, children know their parents
static void check_links(const eqnList *list)
{
  int in_order = 1, links = 0;
  for (int e = 0; e < list->n; e++) {
    const eqnEquation *x = &list->equation[e];
    for (int k = 0; k < x->nparent; k++) in_order &= x->parent[k] < e;
    for (int k = 0; k < x->nchild; k++) in_order &= x->child[k] > e;
    links += x->nparent - x->nchild;
  }
  CHECK(in_order);
  CHECK_EQ_INT(links, 0);
}


TEST(lists_have_the_values_of_the_expressions_under_any_passes)
{
  uint64_t seed = 1;
  for (int trial = 0; trial < 300; trial++) {
    lab l;
    open_lab(&l, trial % 2 ? EXPR_SIMPLIFY : EXPR_RECORD);
    grow(&l, &seed);
    double x[INPUTS], want[OUTPUTS], got[OUTPUTS];
    for (int i = 0; i < INPUTS; i++) x[i] = check_uniform(&seed, -2, 2);
    pool_values(&l, x, want);

    const eqnOptions options = {.passes = trial < 20
                                              ? 127u * (unsigned) (trial % 2)
                                              : (unsigned) check_pick(&seed, 1 << EQN_PASSES)};
    eqnList *list = keep_list(eqn_list_create(&l.program, &l.function, &options));
    CHECK_EQ_INT(evaluate(&l, list, x, got), 0);
    if (!CHECK_NEAR(got, want, OUTPUTS, 1e-12)) trial = 300;
    check_links(list);
  }
}

//---- choice of equations -------------------------------------------------------------------------

static eqnList *list_of(const lab *l)
{
  const eqnOptions options = eqn_default_options();
  return keep_list(eqn_list_create(&l->program, &l->function, &options));
}


TEST(parameters_alone_are_combined_ahead_of_time)
{
  lab l;
  open_lab(&l, EXPR_RECORD);
  exprPool *p = l.program.pool;
  const int inertia = expr_add(p, l.p[0], expr_mul(p, l.p[1], expr_mul(p, l.p[2], l.p[2])));
  l.y[0] = expr_mul(p, inertia, l.x[0]);
  l.output.n = 1;

  eqnList *list = list_of(&l);
  CHECK_EQ_INT(list->n, 2);
  CHECK_EQ_INT(list->equation[0].stage, -1);
  CHECK_EQ_INT(list->equation[1].stage, 0);
  CHECK_EQ_INT(list->total.total, 1);
  CHECK_EQ_INT(list->constants.total, 3);
  CHECK_EQ_INT(list->group[GROUP_FORWARD].mul, 1);
  CHECK_EQ_INT(list->effect[PASS_USEFUL].operations, 4);
  CHECK_EQ_INT(list->effect[PASS_CONSTANT].operations, 1);
}


TEST(what_is_used_once_stands_where_it_is_used)
{
  lab l;
  open_lab(&l, EXPR_RECORD);
  exprPool *p = l.program.pool;
  const int shared = expr_mul(p, l.x[0], l.x[1]), once = expr_mul(p, l.x[2], l.x[3]);
  const int named = expr_add(p, once, l.x[4]);
  expr_name(p, named, "om", 3); // names change nothing
  l.y[0] = expr_add(p, shared, named), l.y[1] = expr_neg(p, shared), l.output.n = 2;

  eqnList *list = list_of(&l);
  CHECK_EQ_INT(list->n, 3);
  CHECK_EQ_INT(list->equation_of[once], -1);
  CHECK_EQ_INT(list->equation_of[named], -1);
  CHECK(list->equation_of[shared] >= 0);
  CHECK_EQ_INT(list->equation[list->equation_of[l.y[0]]].operations, 3);
  CHECK(!list->equation[list->equation_of[l.y[0]]].name);
  CHECK_EQ_INT(list->total.total, 4);
  CHECK_EQ_INT(list->equation[list->equation_of[l.y[0]]].depth, 3);
}


// of a link, of one that differs in case alone, by itself; minus a node lends its name
TEST(names_say_link_and_quantity_and_differ_in_any_case)
{
  static const char *words[] = {NULL, "arm", "ARM"};
  lab l;
  open_lab(&l, EXPR_RECORD);
  exprPool *p = l.program.pool;
  l.program.nlink = 3, l.program.word = words, l.output.n = 4;
  for (int i = 0; i < 4; i++) {
    const int shared = expr_mul(p, l.x[i], l.x[(i + 1) % 4]);
    if (i < 3) expr_name(p, shared, i < 2 ? "om" : "arm_om", i < 2 ? i + 1 : -1);
    if (i == 3) expr_name(p, expr_neg(p, shared), "load", 1);
    l.y[i] = expr_mul(p, shared, expr_sin(p, shared));
  }
  for (int is_readable = 0; is_readable < 2; is_readable++) {
    static const char *const want[2][4] = {{"w1", "w2", "w3", "w4"},
                                           {"arm_om", "ARM_om_2", "arm_om_3", "arm_load_neg"}};
    eqnOptions options = eqn_default_options();
    options.readable = is_readable;
    eqnList *list = keep_list(eqn_list_create(&l.program, &l.function, &options));
    for (int i = 0; i < 4; i++) CHECK_TEXT(list->equation[2 * i].name, want[is_readable][i]);
  }
}


TEST(recycled_variables_are_few)
{
  lab l;
  open_lab(&l, EXPR_RECORD);
  exprPool *p = l.program.pool;
  int x = l.x[0];
  for (int i = 0; i < 100; i++) x = expr_mul(p, expr_sin(p, x), expr_sin(p, x));
  l.y[0] = x;
  l.output.n = 1;
  const eqnOptions options = {.passes = (1u << EQN_PASSES) - 1};
  eqnList *list = keep_list(eqn_list_create(&l.program, &l.function, &options));
  CHECK(list->effect[PASS_INLINE].equations >= 100);
  CHECK(list->nname <= 2);
}

//---- Newton's method -----------------------------------------------------------------------------

// u^3 = x0 by Newton's method, then y = u sin(x1), z = u^2
static void cube_root(lab *l)
{
  exprPool *p = l->program.pool;
  const int u = l->x[4], square = expr_mul(p, u, u);
  const int aim = expr_add(p, l->x[0], expr_mul(p, l->p[0], l->x[1]));
  const int h = expr_sub(p, expr_mul(p, square, u), aim);
  static int unknown[1], correction[1], root[2];
  unknown[0] = u;
  correction[0] = expr_neg(p, expr_div(p, h, expr_mul(p, expr_constant(p, 3), square)));
  root[0] = expr_sin(p, l->x[1]);
  root[1] = square; // asked for too early, before its unknown is known
  l->stage[0] = (eqnStage){.title = "before", .nroot = 2, .root = root};
  l->stage[1] = (eqnStage){.title = "root",
                           .group = GROUP_POSITION,
                           .kind = STAGE_NEWTON,
                           .nunknown = 1,
                           .unknown = unknown,
                           .correction = correction,
                           .residual = expr_mul(p, h, h),
                           .tolerance = 1e-13,
                           .most = 20};
  l->stage[2] = (eqnStage){.title = "after", .group = GROUP_FORCES};
  l->function.nstage = 3, l->y[0] = expr_mul(p, u, root[0]), l->y[1] = square, l->output.n = 2;
}


TEST(stages_of_newton_converge_and_later_ones_see_it)
{
  for (unsigned passes = 0; passes < 1u << EQN_PASSES; passes++) {
    lab l;
    open_lab(&l, passes % 2 ? EXPR_SIMPLIFY : EXPR_RECORD);
    cube_root(&l);
    eqnList *list =
        keep_list(eqn_list_create(&l.program, &l.function, &(eqnOptions){.passes = passes}));
    double x[INPUTS] = {5, 0.4, 0, 0, 1}, y[2];
    const double root = cbrt(5 + 0.3 * 0.4), want[2] = {root * sin(0.4), root * root};
    CHECK_EQ_INT(evaluate(&l, list, x, y), 0);
    CHECK_NEAR(y, want, 2, 1e-13);
    CHECK_CLOSE(x[4], root, 1e-13);
  }
}


TEST(unknowns_as_they_are_given_have_a_tolerance_of_their_own)
{
  lab l;
  open_lab(&l, EXPR_RECORD);
  cube_root(&l);
  l.stage[1].tolerance = 1e-6;
  const double root = cbrt(5 + 0.3 * 0.4), near = root + 1e-8;
  double x[INPUTS] = {5, 0.4, 0, 0, near}, y[2];
  eqnList *same = list_of(&l);
  CHECK_EQ_INT(evaluate(&l, same, x, y), 0);
  CHECK_CLOSE(x[4], near, 0);

  // one correction, after which it is good enough
  l.stage[1].first = 1e-9;
  l.stage[1].most = 1;
  eqnList *stricter = list_of(&l);
  CHECK_EQ_INT(evaluate(&l, stricter, x, y), 0);
  CHECK_CLOSE(x[4], root, 1e-15);
}


TEST(equations_belong_to_the_first_stage_that_needs_them)
{
  lab l;
  open_lab(&l, EXPR_RECORD);
  cube_root(&l);
  eqnList *list = list_of(&l);
  const int square = l.y[1], sine = l.stage[0].root[0];
  const int aim = expr_add(l.program.pool, l.x[0], expr_mul(l.program.pool, l.p[0], l.x[1]));
  CHECK_EQ_INT(list->equation[list->equation_of[sine]].stage, 0);
  CHECK_EQ_INT(list->equation[list->equation_of[square]].stage, 1);
  CHECK_EQ_INT(list->equation[list->equation_of[square]].ahead, 0);
  CHECK_EQ_INT(list->equation[list->equation_of[aim]].stage, 1);
  CHECK_EQ_INT(list->equation[list->equation_of[aim]].ahead, 1);
  CHECK_EQ_INT(list->equation[list->equation_of[l.y[0]]].stage, 2);
  CHECK_EQ_INT(list->group[GROUP_FORCES].total, 1);

  // one step is not enough
  l.stage[1].most = 1;
  eqnList *hasty = list_of(&l);
  double x[INPUTS] = {5, 0.4, 0, 0, 1}, y[2];
  CHECK_EQ_INT(evaluate(&l, hasty, x, y), 1);
}

//---- external functions --------------------------------------------------------------------------

// f(a, b) = (a b, a - b)
static void external(void *context, int number, const double *a, double *result)
{
  *(int *) context += 1 + number;
  result[0] = a[0] * a[1];
  result[1] = a[0] - a[1];
}


TEST(external_functions_are_called_once_and_give_vectors)
{
  lab l;
  open_lab(&l, EXPR_SIMPLIFY);
  exprPool *p = l.program.pool;
  const int f = expr_external(p, 2, 2);
  const int call = expr_call(p, f, (int[]){expr_add(p, l.x[0], l.x[1]), l.x[2]});
  CHECK_EQ_INT(expr_call(p, f, (int[]){expr_add(p, l.x[1], l.x[0]), l.x[2]}), call);
  l.y[0] = expr_element(p, call, 0);
  l.y[1] = expr_mul(p, expr_element(p, call, 1), expr_element(p, call, 0)), l.output.n = 2;

  eqnList *list = list_of(&l);
  double x[INPUTS] = {1, 2, 5}, y[2], *in = x, *out = y;
  int calls = 0;
  CHECK_EQ_INT(eqn_evaluate(list, NULL, &in, &out, external, &calls), 0);
  CHECK_NEAR(y, ((double[]){15, -30}), 2, 0);
  CHECK_EQ_INT(calls, 1);
  CHECK_EQ_INT(list->total.total, 2);
}

//---- factors -------------------------------------------------------------------------------------

static int operations_of(lab *l)
{
  l->output.n = 1;
  eqnList *list = list_of(l);
  const int total = list->total.total;
  double x[INPUTS] = {0.3, -0.7, 1.1, 0.2, 2.3}, got, want;
  pool_values(l, x, &want);
  CHECK_EQ_INT(evaluate(l, list, x, &got), 0);
  CHECK_CLOSE(got, want, 1e-15);
  return total;
}


static int product(exprPool *p, int a, int b, int c)
{
  return expr_mul(p, expr_mul(p, a, b), c);
}


TEST(common_factors_are_taken_out_where_that_saves)
{
  lab l;
  open_lab(&l, EXPR_SIMPLIFY);
  exprPool *p = l.program.pool;
  const int *x = l.x, *k = l.p;

  // x0 x1 x2 + x1 x2 x3 + x0 x4 k0 = x1 x2 (x0 + x3) + k0 x0 x4
  const int first = expr_add(p, product(p, x[0], x[1], x[2]), product(p, x[1], x[2], x[3]));
  l.y[0] = expr_add(p, first, product(p, x[0], x[4], k[0]));
  CHECK_EQ_INT(operations_of(&l), 6);

  // k0 x0 + k1 x0 = (k0 + k1) x0 with the sum ahead of time
  l.y[0] = expr_add(p, expr_mul(p, k[0], x[0]), expr_mul(p, x[0], k[1]));
  CHECK_EQ_INT(operations_of(&l), 1);

  // k0 (k1 (k2 x0)) takes one product
  l.y[0] = expr_mul(p, k[0], expr_mul(p, k[1], expr_mul(p, k[2], x[0])));
  CHECK_EQ_INT(operations_of(&l), 1);

  // k0 (x0 + x1) + k1 (x0 - x1) = (k0 + k1) x0 + (k0 - k1) x1
  l.y[0] = expr_add(p, expr_mul(p, k[0], expr_add(p, x[0], x[1])),
                    expr_mul(p, k[1], expr_sub(p, x[0], x[1])));
  CHECK_EQ_INT(operations_of(&l), 3);
}


TEST(shared_products_stay_whole)
{
  lab l;
  open_lab(&l, EXPR_SIMPLIFY);
  exprPool *p = l.program.pool;
  const int shared = expr_mul(p, l.x[0], l.x[1]);
  l.y[0] = expr_add(p, shared, expr_mul(p, l.x[0], l.x[2])), l.y[1] = expr_sin(p, shared);
  l.output.n = 2;
  eqnList *list = list_of(&l);
  CHECK_EQ_INT(list->total.total, 4);
  CHECK(list->equation_of[shared] >= 0);
}


TEST(sums_of_angles_are_products_where_their_parts_are_at_hand)
{
  lab l;
  open_lab(&l, EXPR_SIMPLIFY);
  exprPool *p = l.program.pool;
  const int sum = expr_add(p, l.x[0], l.x[1]);
  int y = expr_sin(p, sum);
  l.y[0] = y;
  CHECK_EQ_INT(operations_of(&l), 2);
  for (int i = 0; i < 2; i++) {
    y = expr_add(p, y, product(p, l.x[2], l.x[3 + i], expr_sin(p, l.x[i])));
    y = expr_add(p, y, product(p, l.x[3], l.x[4], expr_cos(p, l.x[i])));
  }
  l.y[0] = y;
  l.output.n = 1;
  eqnList *list = list_of(&l);
  CHECK_EQ_INT(list->total.trig, 4);
}

//---- memory --------------------------------------------------------------------------------------

TEST(lists_fail_cleanly_when_memory_runs_out)
{
  long granted = 0;
  eqnList *list = NULL;
  while (!list) {
    lab l;
    uint64_t seed = 5;
    heap_watch();
    fill_lab(&l, expr_create(EXPR_SIMPLIFY));
    grow(&l, &seed);
    const long before = heap_taken(), live = heap_live();
    heap_run_dry_after(granted);
    const eqnOptions options = eqn_default_options();
    list = eqn_list_create(&l.program, &l.function, &options);
    const int failed = expr_failed(l.program.pool);
    if (list) CHECK(!failed);
    eqn_list_free(list);
    arena_free(&l.program.arena);
    expr_free(l.program.pool);
    CHECK_EQ_INT(heap_live(), -live);
    heap_unwatch();
    if (!CHECK(granted++ < 100 * before)) return;
  }
  CHECK(granted > 10);
}
