// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rings of modules: small programs counted by hand, random ones against bounds, and the PUMA of table 3.4 of
// Postiau's thesis.
#include <stdio.h>

#include "articula/articula.h"
#include "base/throw.h"
#include "sched/schedule_job.h"
#include "support/heap.h"
#include "support/programs.h"

enum { MOST = 64, INPUTS = 6 };

// a program with one function, x[6] -> y
typedef struct lab {
  eqnProgram program;
  eqnFunction function;
  eqnVector input, output;
  eqnStage stage;
  int x[INPUTS], y[MOST];
  eqnList *list;
  schedBinary *binary;
} lab;


CHECK_KEEPER(keep_pool, exprPool, expr_free)
CHECK_KEEPER(keep_binary, schedBinary, binary_free)


static void open_lab(lab *l)
{
  *l = (lab){.stage = {.title = "all"}};
  l->program.pool = keep_pool(expr_create(EXPR_RECORD));
  for (int i = 0; i < INPUTS; i++) l->x[i] = expr_symbol(l->program.pool, "x", i);
  l->input = (eqnVector){.name = "x", .n = INPUTS, .node = l->x};
  l->output = (eqnVector){.name = "y", .node = l->y};
  l->function = (eqnFunction){.name = "f",
                              .ninput = 1,
                              .input = &l->input,
                              .noutput = 1,
                              .output = &l->output,
                              .nstage = 1,
                              .stage = &l->stage};
}


static void take_apart(lab *l)
{
  const schedMachine machine = machine_create();
  const schedBinaryOptions options = binary_options(&machine);
  l->list = keep_list(eqn_list_create(&l->program, &l->function, NULL));
  l->binary = keep_binary(binary_create(l->list, &options));
  CHECK(l->binary);
}


// k modules of one unit of each kind, operations of c cycles
static schedMachine make_ring(int modules, int c)
{
  schedMachine machine = machine_create();
  for (int k = 0; k < SCHED_KINDS; k++) {
    machine.count[k] = k < 3 ? modules : 0;
    machine.latency[k] = machine.interval[k] = c;
  }
  machine.modules = modules;
  machine.transfer = machine.hop = 1;
  return machine;
}


static int run_blind(schedBinary *b, const schedMachine *machine, int *steps)
{
  int alive[MOST];
  ringRun run = {.alive = alive};
  const schedMachine blind = ring_blind(machine);
  schedSchedule s;
  schedule_create(&s, &b->graph, &blind, SCHED_LIST);
  ring_run(ring_create(b, &s, machine), &run);
  CHECK(run.is_right);
  if (steps) *steps = s.steps;
  return run.cycles;
}

//---- by hand -------------------------------------------------------------------------------------

// a product: operands come from both memories in cycle 1, c cycles of work, and a cycle to its memory
TEST(a_product_takes_two_transfers_and_its_time)
{
  lab l;
  open_lab(&l);
  l.y[l.output.n++] = expr_mul(l.program.pool, l.x[0], l.x[1]);
  take_apart(&l);
  for (int c = 1; c <= 4; c++) {
    const schedMachine machine = make_ring(1, c);
    CHECK_EQ_INT(run_blind(l.binary, &machine, NULL), c + 2);
  }
}


// x0 x1 + x2: the product goes straight to the adder, whose other operand is there long before
TEST(a_result_goes_straight_to_the_operation_that_waits_for_it)
{
  lab l;
  open_lab(&l);
  exprPool *p = l.program.pool;
  l.y[l.output.n++] = expr_add(p, expr_mul(p, l.x[0], l.x[1]), l.x[2]);
  take_apart(&l);
  for (int c = 1; c <= 4; c++) {
    const schedMachine machine = make_ring(1, c);
    CHECK_EQ_INT(run_blind(l.binary, &machine, NULL), 2 * c + 3);
  }
}


// (x0 x1) + (x2 x3) on two modules: one product crosses a link, a cycle to it and one from it
TEST(a_link_takes_a_cycle_more)
{
  lab l;
  open_lab(&l);
  exprPool *p = l.program.pool;
  l.y[l.output.n++] = expr_add(p, expr_mul(p, l.x[0], l.x[1]), expr_mul(p, l.x[2], l.x[3]));
  take_apart(&l);
  const schedMachine machine = make_ring(2, 2);
  CHECK_EQ_INT(run_blind(l.binary, &machine, NULL), 2 * 2 + 4);
}

//---- at random -----------------------------------------------------------------------------------

static int pick(uint64_t *seed, int least, int most)
{
  return (int) check_uniform(seed, least, most + 1);
}


static void grow(lab *l, uint64_t *seed, int count)
{
  exprPool *p = l->program.pool;
  int node[3 * MOST], n = 0;
  for (int i = 0; i < INPUTS; i++) node[n++] = l->x[i];
  for (int i = 0; i < count; i++) {
    static const exprOp ops[] = {EXPR_ADD, EXPR_MUL, EXPR_SUB, EXPR_MUL, EXPR_DIV};
    const int a = node[pick(seed, 0, n - 1)], b = node[pick(seed, n > 12 ? n - 12 : 0, n - 1)];
    node[n++] = expr_operate(p, ops[pick(seed, 0, 4)], a, b);
  }
  l->output.n = pick(seed, 1, 5);
  for (int i = 0; i < l->output.n; i++) l->y[i] = node[n - 1 - i];
}


// every operation finds its operands; the ring cannot beat work by units, nor the way with one cycle between operations
TEST(random_programs_run_through_random_rings)
{
  uint64_t seed = 17;
  for (int trial = 0; trial < 120; trial++) {
    lab l;
    open_lab(&l);
    grow(&l, &seed, pick(&seed, 1, 2 * MOST));
    take_apart(&l);
    schedMachine machine = make_ring(pick(&seed, 1, 6), 1);
    for (int k = 0; k < SCHED_KINDS; k++) {
      machine.latency[k] = pick(&seed, 1, 5);
      machine.interval[k] = pick(&seed, 0, 1) ? 1 : machine.latency[k];
    }
    int alive[MOST];
    ringRun run = {.alive = alive};
    schedSchedule s;
    const int cycles = run_blind(l.binary, &machine, NULL);
    if (!CHECK(ring_search(l.binary, &machine, &s, &run))) continue;
    CHECK(run.is_right && run.cycles <= cycles);
    for (int i = 0; i < l.binary->n; i++)
      l.binary->graph.node[i].cost = machine.latency[l.binary->graph.node[i].kind];
    graph_index(&l.binary->graph, 1);
    if (l.binary->n > 0) CHECK(run.cycles >= l.binary->graph.length + 2);
    for (int k = 0; k < 3; k++)
      CHECK(l.binary->count[k] * machine.interval[k] <= run.cycles * machine.count[k]);
  }
}


// live numbers, counted cycle by cycle
TEST(sizes_of_buffers_are_what_is_alive)
{
  uint64_t seed = 23;
  for (int trial = 0; trial < 60; trial++) {
    lab l;
    open_lab(&l);
    grow(&l, &seed, pick(&seed, 1, 2 * MOST));
    take_apart(&l);
    schedMachine machine = make_ring(1, pick(&seed, 1, 3));
    for (int k = 0; k < 3; k++) machine.count[k] = pick(&seed, 1, 3);
    schedSchedule s;
    int size[16], want[16] = {0}, want_all = 0;
    schedule_create(&s, &l.binary->graph, &machine, SCHED_LIST);
    const int all = buffer_sizes(&s, &l.binary->graph, &machine, size);
    for (int t = 1; t <= s.cycles; t++) {
      int now[16] = {0}, now_all = 0;
      for (int i = 0; i < s.n; i++) {
        const schedNode *x = &l.binary->graph.node[i];
        int last = 0;
        for (int c = 0; c < x->nchild; c++)
          last = s.step[x->child[c]] > last ? s.step[x->child[c]] : last;
        const int is_alive = t >= s.step[i] + x->cost && t <= last;
        now[s.unit[i]] += is_alive;
        now_all += is_alive;
      }
      for (int u = 0; u < machine_units(&machine); u++)
        want[u] = now[u] > want[u] ? now[u] : want[u];
      want_all = now_all > want_all ? now_all : want_all;
    }
    CHECK_EQ_INT(all, want_all);
    for (int u = 0; u < machine_units(&machine); u++) CHECK_EQ_INT(size[u], want[u]);
  }
}

//---- memory --------------------------------------------------------------------------------------

// all that can be done with a binary list
static void do_everything(void *binary)
{
  schedBinary *b = binary;
  schedMachine machine = make_ring(2, 2);
  int alive[MOST], size[MOST];
  ringRun run = {.alive = alive};
  schedSearch search;
  schedSchedule s;
  machine.modules = 1;
  search_units(&search, &b->graph, &machine, SCHED_FINISH);
  schedJob job = {.binary = b, .machine = machine};
  if (sched_job_schedule(&job, NULL) || sched_job_measure(&job, NULL)) error_throw();
  CHECK(job.nchain > 0 && job.least >= b->graph.length && job.kept > 0);
  machine.modules = 2;
  CHECK(ring_search(b, &machine, &s, &run));
  CHECK(buffer_sizes(&s, &b->graph, &machine, size) >= 0);
  FILE *nowhere = fopen("/dev/null", "w");
  const int ok = gantt_write(nowhere, "all", b, &s, &machine);
  fclose(nowhere);
  if (!ok) error_throw();
}


// returns whether all of it could be done
static int take_and_do(const eqnList *list)
{
  const schedMachine machine = make_ring(2, 2);
  schedBinaryOptions options = binary_options(&machine);
  options.shape = SCHED_BALANCED;
  schedBinary *b = binary_create(list, &options);
  const int is_done = b && error_catch(do_everything, b);
  binary_free(b);
  return is_done;
}


TEST(memory_that_runs_out_is_told)
{
  lab l;
  uint64_t seed = 29;
  open_lab(&l);
  grow(&l, &seed, 30);
  take_apart(&l);
  int is_done = 0;
  for (long granted = 0; !is_done; granted += granted < 200 ? 1 : 17) {
    heap_run_dry_after(granted);
    is_done = take_and_do(l.list);
    CHECK_EQ_INT(heap_live(), 0);
    heap_unwatch();
    if (!CHECK(granted < 100000)) break;
  }
}

//---- the PUMA ------------------------------------------------------------------------------------

// table 3.4 has 423 to 849 cycles for one module and 173 to 283 for four, with a gain of 3 at c = 4
static void check_puma(schedBinary *b)
{
  static const int thesis[4][4] = {
      {423, 256, 179, 173}, {499, 286, 211, 196}, {656, 362, 263, 235}, {849, 451, 329, 283}};
  int alive[MOST];
  for (int c = 1; c <= 4; c++) {
    int one = 0;
    for (int k = 1; k <= 4; k++) {
      schedMachine machine = make_ring(k, c);
      machine.count[SCHED_DIV] = 0;
      ringRun run = {.alive = alive};
      schedSchedule s;
      if (!CHECK(ring_search(b, &machine, &s, &run))) return;
      CHECK(run.is_right && run.cycles < thesis[c - 1][k - 1]);
      if (k == 1) one = run.cycles;
      if (k == 4 && c == 4) CHECK(one >= 3.0 * run.cycles);
    }
  }
}


TEST(the_puma_gains_three_on_four_modules)
{
  artModel *m = keep_file("models/generator/puma-thesis.yaml");
  artData *d = keep_fresh_data(m);
  const schedMachine machine = machine_create();
  const schedBinaryOptions options = binary_options(&machine);
  for (int parameters = GEN_CLASSICAL; parameters <= GEN_BARYCENTRIC; parameters++) {
    const genOptions g = {.forms = GEN_INVERSE, .parameters = (genParameters) parameters};
    const eqnList *list = keep_function(keep_program(m, d, &g), "inverse", NULL);
    schedBinary *b = binary_create(list, &options);
    if (CHECK(b)) check_puma(b);
    binary_free(b);
  }
}
