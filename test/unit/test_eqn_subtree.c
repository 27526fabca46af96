// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions subtree by subtree: which links form subtrees and where they meet, and that the order for few registers says what the
// recorded one says while fewer variables wait for their readers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "base/memory.h"
#include "eqn/list.h"
#include "eqn/subtree.h"
#include "eqn_vectors.h"
#include "support/programs.h"

//---- subtrees ---------------------------------------------------------------------------------------

enum { LINKS = 9 };

// a machine with one coordinate for each link but a welded one; a loop finds the coordinates of some
typedef struct tree {
  eqnProgram p;
  eqnVector q;
  eqnFunction f;
  eqnStage stage;
  int parent[LINKS], link_of[LINKS], node[LINKS], correction[LINKS];
  subtreeMap subtrees;
  baseArena room;
} tree;


static void open_tree(tree *t, int welded, int nunknown, const int *unknown)
{
  // chassis 1; 2 and 3 on it carry 4 and 5; 6 hangs on 5; 7 on the chassis with 8 on it
  const int parent[LINKS] = {0, 0, 1, 1, 2, 3, 5, 1, 7};
  *t = (tree){.stage.kind = STAGE_NEWTON, .stage.nunknown = nunknown};
  memcpy(t->parent, parent, sizeof parent);
  t->p = (eqnProgram){.pool = expr_create(EXPR_SIMPLIFY), .nlink = LINKS, .nsymbol = LINKS};
  t->p.link_parent = t->parent;
  t->p.link_of = t->link_of;
  t->q = (eqnVector){.name = "q", .node = t->node};
  for (int i = 1; i < LINKS; i++) {
    const int symbol = expr_symbol(t->p.pool, "q", i);
    t->link_of[t->p.pool->nodes[symbol].a] = i;
    if (i != welded) t->node[t->q.n++] = symbol;
  }
  t->stage.correction = t->correction;
  t->stage.unknown = MEM_ARRAY(int, nunknown + 1);
  for (int i = 0; i < nunknown; i++) t->stage.unknown[i] = expr_symbol(t->p.pool, "q", unknown[i]);
  t->f = (eqnFunction){.ninput = 1, .input = &t->q, .nstage = 1, .stage = &t->stage};
  subtree_find(&t->subtrees, &t->p, &t->f, t->p.pool, &t->room);
}


static void close_tree(tree *t)
{
  arena_free(&t->room);
  mem_free(t->stage.unknown);
  expr_free(t->p.pool);
}


TEST(chains_are_subtrees_and_meet_where_they_fork)
{
  tree t;
  open_tree(&t, 0, 0, NULL);
  const int subtree[LINKS] = {0, 0, 1, 2, 1, 2, 2, 3, 3}, last[] = {3, 0, 1, 2};
  CHECK(memcmp(t.subtrees.subtree, subtree, sizeof subtree) == 0);
  CHECK(memcmp(t.subtrees.last, last, sizeof last) == 0);
  CHECK_EQ_INT(subtree_meet(&t.subtrees, 2 * 1, 2 * 1), 2 * 1);
  CHECK_EQ_INT(subtree_meet(&t.subtrees, 2 * 1, 2 * 0), 2 * 1);     // the chassis carries it
  CHECK_EQ_INT(subtree_meet(&t.subtrees, 2 * 1, 2 * 3), 2 * 0 + 1); // two subtrees meet there
  CHECK_EQ_INT(subtree_meet(&t.subtrees, 2 * 0 + 1, 2 * 3), 2 * 0 + 1);
  close_tree(&t);
}


TEST(links_that_do_not_move_are_no_subtrees)
{
  tree t;
  open_tree(&t, 2, 0, NULL); // 4 hangs on the chassis then
  const int subtree[LINKS] = {0, 0, 0, 1, 2, 1, 1, 3, 3};
  CHECK(memcmp(t.subtrees.subtree, subtree, sizeof subtree) == 0);
  close_tree(&t);
}


TEST(a_loop_makes_one_subtree)
{
  tree t;
  open_tree(&t, 0, 2, (const int[]){4, 6});
  const int subtree[LINKS] = {0, 0, 1, 1, 1, 1, 1, 2, 2};
  CHECK(memcmp(t.subtrees.subtree, subtree, sizeof subtree) == 0);
  CHECK_EQ_INT(t.subtrees.place[t.stage.unknown[0]], 2 * 1);
  close_tree(&t);
}

//---- lists ---------------------------------------------------------------------------------------

typedef struct sample {
  artModel *m;
  artData *d;
  eqnProgram *p;
  eqnList *plain, *ordered;
} sample;


static void open_sample(sample *s, const char *model)
{
  const genOptions options = {.forms = GEN_ACCELERATE, .parameters = GEN_CLASSICAL};
  eqnOptions passes = eqn_default_options();
  s->m = keep_machine(model), s->d = keep_fresh_data(s->m);
  s->p = keep_program(s->m, s->d, &options);
  s->plain = keep_function(s->p, "accelerate", &passes);
  passes.for_registers = 1;
  s->ordered = keep_function(s->p, "accelerate", &passes);
}


// the largest difference of all results and of what is written back, relative to the largest number of its vector
static double difference(const sample *s)
{
  const eqnFunction *f = s->plain->function;
  const eqnList *const list[2] = {s->plain, s->ordered};
  double **in[2], **out[2], worst = 0;
  for (int k = 0; k < 2; k++) {
    in[k] = vectors_of(f->ninput, f->input, s->d);
    out[k] = vectors_of(f->noutput, f->output, s->d);
    CHECK_EQ_INT(eqn_evaluate(list[k], NULL, in[k], out[k], NULL, NULL), 0);
  }
  for (int v = 0; v < f->ninput + f->noutput; v++) {
    const int is_input = v < f->ninput, i = is_input ? v : v - f->ninput;
    const double *a = is_input ? in[0][i] : out[0][i], *b = is_input ? in[1][i] : out[1][i];
    const int n = is_input ? f->input[i].n : f->output[i].n;
    double size = 1e-3;
    for (int k = 0; k < n; k++) size = fmax(size, fabs(a[k]));
    for (int k = 0; k < n; k++) {
      if (!(fabs(a[k] - b[k]) / size <= worst)) worst = fabs(a[k] - b[k]) / size;
    }
  }
  for (int k = 0; k < 2; k++) {
    free_vectors(in[k], f->ninput);
    free_vectors(out[k], f->noutput);
  }
  return worst;
}


// the most variables that wait for a reader at once
static int count_waiting(const eqnList *list)
{
  int *ends = calloc((size_t) list->n + 1, sizeof *ends), waiting = 0, most = 0;
  for (int e = 0; e < list->n; e++) {
    const eqnEquation *x = &list->equation[e];
    int last = -1;
    for (int k = 0; k < x->nchild; k++) last = x->child[k] > last ? x->child[k] : last;
    if (x->stage < 0) continue;
    waiting -= ends[e];
    waiting += last >= 0;
    if (last >= 0) ends[last]++;
    if (waiting > most) most = waiting;
  }
  free(ends);
  return most;
}


static int count_unknown(const eqnList *list)
{
  int unknown = 0;
  for (int e = 0; e < list->n; e++) {
    for (int k = 0; k < list->equation[e].nparent; k++) unknown += list->equation[e].parent[k] >= e;
  }
  return unknown;
}


// machines with and without loops, forks on forks, conditions and drives
TEST(the_order_for_registers_changes_rounding_alone)
{
  static const struct {
    const char *model;
    double share; // of the variables that waited before
  } cases[] = {
      {"generator/quadruped", 0.75},
      {"generator/humanoid", 0.9},
      {"loops/planar-robot-1", 1.1},
      {"loops/stewart", 1},
      {"vehicles/multilink-car", 0.55},
      {"vehicles/truck", 0.65},
      {"vehicles/road-train", 0.62},
      {"vehicles/iltis", 0.77},
      {"puma560", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sample s;
    open_sample(&s, cases[i].model);
    const int plain = count_waiting(s.plain), ordered = count_waiting(s.ordered);
    const double d = difference(&s);
    const int ok = CHECK(d < 1e-12) & CHECK(ordered <= cases[i].share * plain);
    if (!ok) printf("  %s: %.2e, %d of %d\n", cases[i].model, d, ordered, plain);
    CHECK_EQ_INT(count_unknown(s.ordered), 0);
    CHECK(abs(s.ordered->total.total - s.plain->total.total) < 0.01 * s.plain->total.total);
  }
}

//---- numbers that wait in memory -----------------------------------------------------------------

typedef struct waitCount {
  int loads, wrong, unstored; // of variables; other ones in their place; not put anywhere
} waitCount;


// places as a run of equations fills and reads them
static void follow(const eqnList *l, const eqnSpill *plan, int from, int to, int *content,
                   waitCount *count)
{
  for (int e = from; e < to; e++) {
    for (int i = plan->first[e]; i < plan->first[e + 1]; i++) {
      const int value = plan->load[i];
      if (value >= l->n) continue; // a coordinate
      count->loads++;
      count->unstored += plan->place[value] == 0;
      count->wrong += content[plan->place[value]] != value;
    }
    if (plan->place[e] > 0 && !plan->is_late[e]) content[plan->place[e]] = e;
  }
}


// Iterations are made three times, and what they find late is put away behind them.
static waitCount follow_all(const eqnList *l, const eqnSpill *plan)
{
  waitCount count = {0};
  int *content = calloc((size_t) plan->nplace + 1, sizeof *content);
  for (int from = 0, to; from < l->n; from = to) {
    const eqnEquation *x = &l->equation[from];
    for (to = from; to < l->n && l->equation[to].stage == x->stage; to++) {
      if (l->equation[to].ahead != x->ahead) break;
    }
    const int is_loop =
        x->stage >= 0 && l->function->stage[x->stage].kind == STAGE_NEWTON && !x->ahead;
    for (int k = 0; k < (is_loop ? 3 : 1); k++) follow(l, plan, from, to, content, &count);
    for (int e = from; e < to; e++) {
      if (plan->place[e] > 0 && plan->is_late[e]) content[plan->place[e]] = e;
    }
  }
  free(content);
  return count;
}


TEST(what_waits_in_memory_comes_back)
{
  static const char *const models[] = {"vehicles/iltis", "vehicles/van", "vehicles/multilink-car",
                                       "vehicles/truck"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    sample s;
    open_sample(&s, models[i]);
    for (int nfast = 0; nfast <= 108; nfast += 36) {
      eqnSpill plan;
      CHECK(eqn_plan_spills(s.ordered, nfast, &plan));
      const waitCount count = follow_all(s.ordered, &plan);
      CHECK(count.loads > 100);
      CHECK_EQ_INT(count.unstored, 0);
      CHECK_EQ_INT(count.wrong, 0);
      eqn_forget_spills(&plan);
    }
  }
}


// More values than registers wait before a loop, each of which the loop reads once, and as many that the loop
// finds wait within it. None of these may take a place that the next iteration reads.
TEST(places_last_to_the_end_of_a_loop_that_reads_them)
{
  enum { VALUES = 150 };
  exprPool *pool = expr_create(EXPR_RECORD);
  int before[VALUES], within[VALUES];
  int x[2] = {expr_symbol(pool, "x", 0), expr_symbol(pool, "x", 1)};
  for (int i = 0; i < VALUES; i++) {
    before[i] = expr_operate(pool, EXPR_MUL, x[0], expr_constant(pool, i + 1.5));
  }
  for (int i = 0; i < VALUES; i++) within[i] = expr_operate(pool, EXPR_ADD, before[i], x[1]);
  int sum = within[0];
  for (int i = 1; i < VALUES; i++) sum = expr_operate(pool, EXPR_MUL, sum, within[i]);
  eqnVector in = {.name = "x", .n = 2, .node = x}, out = {.name = "y", .n = 1, .node = &sum};
  eqnStage stage[] = {{.kind = STAGE_STRAIGHT, .nroot = VALUES, .root = before},
                      {.kind = STAGE_NEWTON,
                       .nunknown = 1,
                       .unknown = &x[1],
                       .correction = &sum,
                       .residual = sum,
                       .most = 9}};
  eqnFunction f = {.name = "f",
                   .ninput = 1,
                   .input = &in,
                   .noutput = 1,
                   .output = &out,
                   .nstage = 2,
                   .stage = stage};
  const eqnProgram p = {.name = "p", .pool = pool, .nsymbol = 2, .nfunction = 1, .function = &f};
  eqnList *list = eqn_list_create(&p, &f, &(eqnOptions){.passes = 0});
  eqnSpill plan;
  CHECK(eqn_plan_spills(list, 0, &plan));
  const waitCount count = follow_all(list, &plan);
  int within_loop = 0;
  for (int e = 0; e < list->n; e++) {
    within_loop += plan.place[e] > 0 && !plan.is_late[e] && list->equation[e].stage == 1;
  }
  CHECK(count.loads > 100 && within_loop > 20);
  CHECK_EQ_INT(count.unstored, 0);
  CHECK_EQ_INT(count.wrong, 0);
  eqn_forget_spills(&plan);
  eqn_list_free(list);
  expr_free(pool);
}
