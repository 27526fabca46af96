// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Binary lists: the example of Postiau's thesis taken apart, and values of generated functions before and after.
#include "articula/articula.h"
#include "sched/binary.h"
#include "sched/schedule.h"
#include "support/legal.h"
#include "support/programs.h"

enum { MOST = 4096 };

static int waiting; // operations that were seen to wait for Newton's method

static schedBinaryOptions plain_options(schedShape shape)
{
  const schedMachine machine = machine_create();
  schedBinaryOptions options = binary_options(&machine);
  options.shape = shape;
  return options;
}

//---- the example of the thesis -------------------------------------------------------------------

enum { QP, QPP, G, S1, C1, S2, C2, SYMBOLS };

// ALPHA22 of section 3.1.1; D(3,2) is a parameter
static eqnList *list_of_example(eqnProgram *program, eqnFunction *function, eqnVector vectors[2],
                                int *node, double *value)
{
  exprPool *p = expr_create(EXPR_RECORD);
  int *x = node;
  for (int i = 0; i < SYMBOLS; i++) x[i] = expr_symbol(p, "x", i);
  const int d = node[SYMBOLS] = expr_symbol(p, "d", 32);
  const int bs91 = expr_neg(p, expr_mul(p, x[QP], x[QP]));
  const int alpha21 = expr_mul(p, x[G], x[S1]), alpha31 = expr_mul(p, x[G], x[C1]);
  const int left = expr_mul(p, x[C2], expr_sub(p, alpha21, expr_mul(p, x[QPP], d)));
  const int right = expr_mul(p, x[S2], expr_add(p, alpha31, expr_mul(p, bs91, d)));
  node[SYMBOLS + 1] = expr_add(p, left, right);
  static eqnStage stage = {.title = "all"};
  *program = (eqnProgram){.pool = p, .value = value};
  program->parameter = (eqnVector){.name = "p", .n = 1, .node = node + SYMBOLS};
  vectors[0] = (eqnVector){.name = "x", .n = SYMBOLS, .node = node};
  vectors[1] = (eqnVector){.name = "alpha", .n = 1, .node = node + SYMBOLS + 1};
  *function = (eqnFunction){.name = "f",
                            .ninput = 1,
                            .input = &vectors[0],
                            .noutput = 1,
                            .output = &vectors[1],
                            .nstage = 1,
                            .stage = &stage};
  return eqn_list_create(program, function, NULL);
}


TEST(the_example_of_the_thesis_comes_apart_into_its_ten_operations)
{
  // the thesis calls the output ALPHA22, alpha[0]gdg ALPHA21 and alpha[0]ddg ALPHA31
  static const char *const names[10][2] = {
      {"alpha[0]gdg", "x[2] * x[3]"},
      {"alpha[0]gdd", "x[1] * d_32"},
      {"alpha[0]gd", "alpha[0]gdg - alpha[0]gdd"},
      {"alpha[0]g", "x[6] * alpha[0]gd"},
      {"alpha[0]ddg", "x[2] * x[4]"},
      {"alpha[0]dddd", "x[0] * x[0]"},
      {"alpha[0]ddd", "d_32 * alpha[0]dddd"},
      {"alpha[0]dd", "alpha[0]ddg - alpha[0]ddd"},
      {"alpha[0]d", "x[5] * alpha[0]dd"},
      {"alpha[0]", "alpha[0]g + alpha[0]d"},
  };
  eqnProgram program;
  eqnFunction function;
  eqnVector vectors[2];
  int node[SYMBOLS + 2];
  double value = 0.7, x[SYMBOLS], y = 0, z = 0, *in = x, *out = &y, *apart = &z;
  uint64_t seed = 3;
  eqnList *list = list_of_example(&program, &function, vectors, node, &value);
  const schedBinaryOptions options = plain_options(SCHED_CASCADE);
  schedBinary *b = binary_create(list, &options);
  if (!CHECK(b)) return;
  CHECK_EQ_INT(b->n, 10);
  CHECK_EQ_INT(b->count[SCHED_MUL], 7);
  CHECK_EQ_INT(b->count[SCHED_ADD], 3);
  CHECK_EQ_INT(b->graph.length, 5);
  for (int i = 0; i < 10; i++) {
    char text[80];
    CHECK_TEXT(b->operation[i].name, names[i][0]);
    CHECK_TEXT(binary_operation_text(b, i, text, (int) sizeof text), names[i][1]);
  }
  CHECK_EQ_INT(b->negated, 0);
  CHECK_EQ_INT(graph_mobility(&b->graph.node[b->n - 1]), 1);
  for (int i = 0; i < SYMBOLS; i++) x[i] = check_uniform(&seed, -1, 1);
  CHECK(eqn_evaluate(list, NULL, &in, &out, NULL, NULL) == 0);
  CHECK(binary_evaluate(b, NULL, NULL, &in, &apart, NULL, NULL));
  CHECK(y == z);
  const double want =
      x[C2] * (x[G] * x[S1] - x[QPP] * value) + x[S2] * (x[G] * x[C1] - x[QP] * x[QP] * value);
  CHECK_CLOSE(y, want, 1e-15);
  binary_free(b);
  eqn_list_free(list);
  expr_free(program.pool);
}

//---- generated functions -------------------------------------------------------------------------

// inputs as they are in the data, or at random where no loop has to be closed
static void fill_inputs(const artModel *m, const artData *d, const eqnFunction *f, int is_random,
                        uint64_t *seed, double *x, double **in)
{
  for (int v = 0; v < f->ninput; v++) {
    in[v] = x;
    const double *from = strcmp(f->input[v].name, "q") == 0   ? d->q
                         : strcmp(f->input[v].name, "v") == 0 ? d->v
                                                              : NULL;
    for (int i = 0; i < f->input[v].n; i++)
      *x++ = from && !is_random ? from[i] : is_random ? check_uniform(seed, -1, 1) : 0;
  }
  (void) m;
}


static int has_condition(const eqnFunction *f)
{
  int count = 0;
  for (int s = 0; s < f->nstage; s++) count += f->stage[s].kind == STAGE_WHEN;
  return count > 0;
}


// readers of results of Newton's method wait for its end, which is an operation of that stage
static void check_waiting(const schedBinary *b, int *count)
{
  for (int i = 0; i < b->n; i++) {
    const schedOperation *x = &b->operation[i];
    for (int k = 0; k < x->noperand; k++) {
      if (x->operand[k].op < 0) continue;
      const schedOperation *y = &b->operation[x->operand[k].op];
      const int is_newton = b->list->function->stage[y->stage].kind == STAGE_NEWTON;
      if (!is_newton || y->ahead || y->stage >= x->stage) continue;
      int waits = 0;
      for (int w = 0; w < x->nwait; w++) waits += b->operation[x->wait[w]].stage == y->stage;
      CHECK(waits > 0);
      ++*count;
    }
    for (int w = 0; w < x->nwait; w++) {
      int is_parent = 0;
      for (int k = 0; k < b->graph.node[i].nparent; k++)
        is_parent |= b->graph.node[i].parent[k] == x->wait[w];
      CHECK(is_parent);
    }
  }
}


static void check_function(const artModel *m, const artData *d, const eqnProgram *program,
                           const eqnFunction *f, int with_sines, int is_random)
{
  static double x[MOST], y[2][MOST * 8];
  double *in[16], *out[2][16];
  uint64_t seed = 5;
  eqnList *list = eqn_list_create(program, f, NULL);
  fill_inputs(m, d, f, is_random, &seed, x, in);
  for (int k = 0; k < 2; k++) {
    double *next = y[k];
    for (int v = 0; v < f->noutput; v++) {
      out[k][v] = next;
      next += f->output[v].n;
    }
  }
  CHECK(eqn_evaluate(list, NULL, in, out[0], NULL, NULL) == 0);
  for (int shape = 0; shape < 2; shape++) {
    schedBinaryOptions options = plain_options((schedShape) shape);
    options.with_sines = with_sines;
    schedBinary *b = binary_create(list, &options);
    if (!CHECK(b)) continue;
    CHECK(binary_evaluate(b, NULL, NULL, in, out[1], NULL, NULL));
    check_waiting(b, &waiting);
    double largest = 1;
    for (int i = 0; i < b->noutput; i++) {
      if (shape == SCHED_CASCADE) CHECK(y[0][i] == y[1][i]);
      if (largest < y[0][i]) largest = y[0][i];
    }
    CHECK_NEAR(y[1], y[0], b->noutput, 1e-12 * largest);
    if (with_sines && shape == SCHED_CASCADE) {
      CHECK_EQ_INT(b->count[SCHED_SIN], list->total.trig);
      CHECK(b->n <= list->total.total + b->count[SCHED_ADD]);
      CHECK_EQ_INT(b->count[SCHED_DIV], list->total.div);
    }
    binary_free(b);
  }
  eqn_list_free(list);
}


static void check_model(const char *path, unsigned forms)
{
  artModel *m = keep_file(path);
  artData *d = keep_fresh_data(m);
  const genOptions options = {.forms = forms};
  const eqnProgram *program = keep_program(m, d, &options);
  for (int i = 0; program && i < program->nfunction; i++) {
    const eqnFunction *f = &program->function[i];
    if (has_condition(f)) continue;
    check_function(m, d, program, f, 0, forms != GEN_ACCELERATE);
    check_function(m, d, program, f, 1, forms != GEN_ACCELERATE);
  }
}


TEST(values_are_those_of_the_equations)
{
  const unsigned bare = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N | GEN_KINEMATICS;
  check_model("models/generator/puma-thesis.yaml", bare);
  check_model("models/chain-10.yaml", bare);
  check_model("models/motorcycle.yaml", bare);
  check_model("models/gimbal.yaml", bare);
}


TEST(values_of_closed_loops_are_those_of_the_equations)
{
  check_model("models/loops/four-bar.yaml", GEN_ACCELERATE);
  check_model("models/loops/planar-robot-1.yaml", GEN_ACCELERATE);
  check_model("models/loops/delta.yaml", GEN_ACCELERATE);
  CHECK(waiting > 100);
}
