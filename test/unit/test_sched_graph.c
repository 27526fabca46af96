// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Graphs and schedules: the example of Postiau's thesis, section 3.1, and random graphs.
#include "sched/graph.h"
#include "sched/schedule.h"
#include "sched/search.h"
#include "support/check.h"
#include "support/legal.h"

enum { N = 10, MOST = 400 };

static baseArena room; // of graphs and schedules, empty between tests

// BS91d, ALPHA21, ALPHA31, ALPHA22gdd, ALPHA22ddd, ALPHA22gd, ALPHA22dd, ALPHA22g, ALPHA22d, ALPHA22
static void make_example(schedGraph *graph)
{
  static const struct {
    int kind, nparent, parent[2];
  } op[N] = {
      {SCHED_MUL, 0, {0}}, {SCHED_MUL, 0, {0}},    {SCHED_MUL, 0, {0}},    {SCHED_MUL, 0, {0}},
      {SCHED_MUL, 1, {0}}, {SCHED_ADD, 2, {1, 3}}, {SCHED_ADD, 2, {2, 4}}, {SCHED_MUL, 1, {5}},
      {SCHED_MUL, 1, {6}}, {SCHED_ADD, 2, {7, 8}},
  };
  *graph = (schedGraph){.arena = &room};
  for (int i = 0; i < N; i++) graph_add(graph, op[i].kind, 1, op[i].nparent, op[i].parent);
  graph_close(graph);
}


TEST(the_example_has_the_indices_of_the_thesis)
{
  static const int asap[N] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 5};
  static const int alap[N] = {1, 2, 2, 2, 2, 3, 3, 4, 4, 5};
  static const int critical[] = {0, 4, 6, 8, 9};
  schedGraph graph;
  int path[N];
  make_example(&graph);
  graph_index(&graph, 0);
  CHECK_EQ_INT(graph.length, 5);
  for (int i = 0; i < N; i++) {
    CHECK_EQ_INT(graph.node[i].asap, asap[i]);
    CHECK_EQ_INT(graph.node[i].alap, alap[i]);
    CHECK_EQ_INT(graph_mobility(&graph.node[i]), 1 + alap[i] - asap[i]);
  }
  CHECK_EQ_INT(graph_critical_path(&graph, 0, path), 5);
  for (int k = 0; k < 5; k++) CHECK_EQ_INT(path[k], critical[k]);
  arena_free(&room);
}


static int steps_on(schedGraph *graph, int mul, int add, schedRule rule)
{
  schedMachine machine = machine_create();
  schedSchedule s;
  machine.count[SCHED_MUL] = mul;
  machine.count[SCHED_ADD] = add;
  schedule_create(&s, graph, &machine, rule);
  const int steps = s.steps;
  CHECK(schedule_is_legal(&s, graph, &machine));
  CHECK_EQ_INT(s.cycles, steps);
  CHECK_CLOSE(schedule_usage(&s, &machine), (double) N / ((mul + add) * steps), 1e-15);
  return steps;
}


TEST(the_example_takes_the_steps_of_the_thesis)
{
  schedGraph graph;
  make_example(&graph);
  CHECK_EQ_INT(steps_on(&graph, 1, 1, SCHED_LIST), 8);
  CHECK_EQ_INT(steps_on(&graph, 2, 1, SCHED_LIST), 6);
  CHECK_EQ_INT(steps_on(&graph, 2, 2, SCHED_LIST), 6);
  CHECK_EQ_INT(steps_on(&graph, 3, 1, SCHED_LIST), 6);
  CHECK_EQ_INT(steps_on(&graph, 3, 2, SCHED_LIST), 5);
  CHECK_EQ_INT(steps_on(&graph, 4, 1, SCHED_LIST), 5);
  arena_free(&room);
}


// the optimum for 3 + 1 units, where the list of the thesis takes 6
TEST(moving_to_and_fro_finds_the_optimum_of_the_example)
{
  schedGraph graph;
  make_example(&graph);
  CHECK_EQ_INT(steps_on(&graph, 3, 1, SCHED_FINISH), 5);
  CHECK_EQ_INT(steps_on(&graph, 1, 1, SCHED_FINISH), 8);
  CHECK_EQ_INT(steps_on(&graph, 2, 1, SCHED_FINISH), 6);
  arena_free(&room);
}

TEST(the_example_has_the_bounds_of_the_thesis)
{
  static const double mul[] = {0, 2.5, 2.5, 0.5, 1.5, 0}, add[] = {0, 0, 0.5, 1.5, 0, 1};
  const schedMachine machine = machine_create();
  double profile[6 * SCHED_KINDS];
  schedBounds b;
  schedGraph graph;
  make_example(&graph);
  graph_index(&graph, 0);
  bound_profile(&graph, &machine, profile);
  CHECK_NEAR(profile, mul, 6, 1e-15);
  CHECK_NEAR(profile + 6, add, 6, 1e-15);
  bound_find(&b, &graph, &machine);
  CHECK_EQ_INT(b.operations[SCHED_MUL], 7);
  CHECK_EQ_INT(b.operations[SCHED_ADD], 3);
  CHECK_EQ_INT(b.lower[SCHED_MUL], 2);
  CHECK_EQ_INT(b.lower[SCHED_ADD], 1);
  CHECK_EQ_INT(b.mean[SCHED_MUL], 3);
  CHECK_EQ_INT(b.mean[SCHED_ADD], 1);
  CHECK_EQ_INT(b.peak[SCHED_MUL], 3);
  CHECK_EQ_INT(b.peak[SCHED_ADD], 2);
  CHECK_EQ_INT(b.asap[SCHED_MUL], 4);
  CHECK_EQ_INT(b.alap[SCHED_MUL], 4);

  // seven products on one unit and a sum; on two units the last of the first five begins in the third step and has
  // four to go; on three the critical path is longer
  schedMachine few = machine_create();
  few.count[SCHED_MUL] = few.count[SCHED_ADD] = 1;
  CHECK_EQ_INT(bound_cycles(&graph, &few), 8);
  few.count[SCHED_MUL] = 2;
  CHECK_EQ_INT(bound_cycles(&graph, &few), 6);
  few.count[SCHED_MUL] = 3;
  CHECK_EQ_INT(bound_cycles(&graph, &few), 5);
  arena_free(&room);
}

//---- random graphs -------------------------------------------------------------------------------

static int pick(uint64_t *seed, int least, int most)
{
  return (int) check_uniform(seed, least, most + 1);
}


// parents are taken from the last `reach` operations; few levels or many
static void make_random(schedGraph *graph, uint64_t *seed, int n)
{
  const int reach = pick(seed, 1, n);
  *graph = (schedGraph){.arena = &room};
  for (int i = 0; i < n; i++) {
    int parent[2], nparent = i == 0 ? 0 : pick(seed, 0, 2);
    for (int k = 0; k < nparent; k++) parent[k] = pick(seed, i > reach ? i - reach : 0, i - 1);
    if (nparent == 2 && parent[0] == parent[1]) nparent = 1;
    graph_add(graph, pick(seed, 0, SCHED_KINDS - 1), 1, nparent, parent);
  }
  graph_close(graph);
}


static schedMachine random_machine(uint64_t *seed)
{
  schedMachine machine = machine_create();
  for (int k = 0; k < SCHED_KINDS; k++) {
    machine.count[k] = pick(seed, 1, 4), machine.latency[k] = pick(seed, 1, 4);
    machine.interval[k] = pick(seed, 1, machine.latency[k]);
  }
  machine.transfer = pick(seed, 0, 2), machine.modules = pick(seed, 0, 1) ? pick(seed, 1, 4) : 1;
  machine.hop = pick(seed, 0, 3);
  return machine;
}


static int is_busy(const schedSchedule *s, const schedGraph *graph, const schedMachine *machine,
                   const int *placed, int unit, int step)
{
  for (int i = 0; i < s->n; i++) {
    const int interval = machine->interval[graph->node[i].kind];
    if (placed[i] && s->unit[i] == unit && step > s->step[i] - interval &&
        step < s->step[i] + interval) {
      return 1;
    }
  }
  return 0;
}


// the next in the list that is not placed, by latest, earliest beginning and place
static int next_of_list(const schedGraph *graph, const int *placed)
{
  int best = -1;
  for (int i = 0; i < graph->n; i++) {
    if (placed[i]) continue;
    const schedNode *x = &graph->node[i], *b = &graph->node[best < 0 ? i : best];
    if (best < 0 || x->alap < b->alap || (x->alap == b->alap && x->asap < b->asap)) best = i;
  }
  return best;
}


// the heuristic of the thesis once more, cycle by cycle and unit by unit
static void schedule_slowly(schedSchedule *s, const schedGraph *graph, const schedMachine *machine)
{
  int placed[MOST] = {0};
  for (int left = graph->n; left > 0; left--) {
    const int i = next_of_list(graph, placed), kind = graph->node[i].kind;
    const int first = machine_first(machine, kind);
    s->step[i] = 1 << 20;
    for (int u = first; u < first + machine->count[kind]; u++) {
      int t = 1;
      for (int k = 0; k < graph->node[i].nparent; k++) {
        const int p = graph->node[i].parent[k];
        const int at = s->step[p] + graph->node[p].cost + machine_delay(machine, s->unit[p], u);
        CHECK(placed[p]);
        if (t < at) t = at;
      }
      while (is_busy(s, graph, machine, placed, u, t)) t++;
      if (t < s->step[i]) {
        s->step[i] = t;
        s->unit[i] = u;
      }
    }
    placed[i] = 1;
  }
}


static void check_list(schedGraph *graph, const schedMachine *machine, const schedSchedule *s)
{
  int step[MOST], unit[MOST];
  schedSchedule slow = {.n = graph->n, .step = step, .unit = unit};
  schedule_slowly(&slow, graph, machine);
  for (int i = 0; i < graph->n; i++) {
    CHECK_EQ_INT(s->step[i], step[i]);
    CHECK_EQ_INT(s->unit[i], unit[i]);
  }
}


// no rule beats the critical path or the work of a kind divided by its units
static void check_bounds(const schedGraph *graph, const schedMachine *machine,
                         const schedSchedule *s)
{
  schedBounds b;
  double profile[MOST * 16 * SCHED_KINDS];
  CHECK(s->cycles >= graph->length);
  const int least = bound_cycles(graph, machine);
  CHECK(least >= graph->length && least <= s->cycles);
  bound_find(&b, graph, machine);
  bound_profile(graph, machine, profile);
  for (int k = 0; k < SCHED_KINDS; k++) {
    const double *u = profile + (graph->length + 1) * k;
    const double want = b.operations[k] * machine->interval[k];
    double sum = 0;
    for (int i = 0; i <= graph->length; i++) sum += u[i];
    CHECK_CLOSE(sum, want, 1e-10);
    CHECK(b.operations[k] * machine->interval[k] <= s->cycles * machine->count[k]);
    CHECK(b.lower[k] <= b.mean[k] && b.mean[k] <= b.peak[k]);
    if (s->cycles == graph->length) CHECK(b.lower[k] <= machine->count[k]);
  }
}


TEST(random_schedules_are_legal_and_within_their_bounds)
{
  uint64_t seed = 7;
  for (int trial = 0; trial < 200; trial++) {
    schedGraph graph;
    schedSchedule list, finish;
    make_random(&graph, &seed, pick(&seed, 1, 120));
    const schedMachine machine = random_machine(&seed);
    schedule_create(&list, &graph, &machine, SCHED_LIST);
    schedule_create(&finish, &graph, &machine, SCHED_FINISH);
    CHECK(schedule_is_legal(&list, &graph, &machine));
    CHECK(schedule_is_legal(&finish, &graph, &machine));
    check_list(&graph, &machine, &list);
    check_bounds(&graph, &machine, &list);
    check_bounds(&graph, &machine, &finish);
    CHECK(finish.cycles <= list.cycles);
    arena_free(&room);
  }
}


TEST(enough_units_reach_the_critical_path)
{
  uint64_t seed = 11;
  for (int trial = 0; trial < 50; trial++) {
    schedGraph graph;
    schedSchedule s;
    make_random(&graph, &seed, MOST);
    schedMachine machine = random_machine(&seed);
    machine.modules = 1;
    for (int k = 0; k < SCHED_KINDS; k++) machine.count[k] = MOST;
    schedule_create(&s, &graph, &machine, SCHED_LIST);
    CHECK_EQ_INT(s.cycles, graph.length);
    for (int i = 0; i < MOST; i++) CHECK_EQ_INT(s.step[i], graph.node[i].asap);
    arena_free(&room);
  }
}


TEST(illegal_schedules_are_told)
{
  schedGraph graph;
  schedSchedule s;
  schedMachine machine = machine_create();
  machine.count[SCHED_MUL] = machine.count[SCHED_ADD] = 1;
  make_example(&graph);
  schedule_create(&s, &graph, &machine, SCHED_LIST);
  const int step = s.step[9];
  s.step[9] = s.step[8]; // before its parent is done
  CHECK(!schedule_is_legal(&s, &graph, &machine));
  s.step[9] = step;
  s.step[1] = s.step[0]; // two in one unit
  CHECK(!schedule_is_legal(&s, &graph, &machine));
  arena_free(&room);
}
