// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The tables of chapter 3 of Postiau's thesis (2004): that our use of units is theirs, that they agree with themselves,
// and that the PUMA of the thesis does better here.
#include <math.h>

#include "articula/articula.h"
#include "sched/binary.h"
#include "sched/search.h"
#include "support/legal.h"
#include "support/programs.h"

typedef struct row {
  int mul, add, div, cycles;
  double usage;
} row;


// operations by units and cycles, to the three digits that are printed
static int has_usage(int operations, const row *x)
{
  schedMachine machine = machine_create();
  const schedSchedule s = {.n = operations, .steps = x->cycles, .cycles = x->cycles};
  machine.count[SCHED_MUL] = x->mul, machine.count[SCHED_ADD] = x->add;
  machine.count[SCHED_DIV] = x->div;
  return fabs(schedule_usage(&s, &machine) - x->usage) <= 0.000501;
}


TEST(tables_1_and_2_have_the_use_of_338_operations)
{
  static const row rows[] = {
      {7, 4, 0, 47, 0.654},  {6, 4, 0, 47, 0.719},  {5, 4, 0, 47, 0.799},  {4, 4, 0, 51, 0.828},
      {5, 3, 0, 50, 0.845},  {3, 4, 0, 66, 0.732},  {4, 3, 0, 52, 0.929},  {4, 2, 0, 73, 0.772},
      {3, 2, 0, 118, 0.573}, {2, 2, 0, 118, 0.716}, {1, 2, 0, 194, 0.581}, {2, 1, 0, 145, 0.777},
      {1, 1, 0, 194, 0.871},
  };
  for (int i = 0; i < (int) (sizeof rows / sizeof *rows); i++) CHECK(has_usage(338, &rows[i]));
}


// both lines of a system speak of the same number of operations
TEST(table_3_agrees_with_itself)
{
  static const row pairs[][2] = {
      {{4, 3, 0, 31, 0.641}, {3, 2, 0, 36, 0.772}},
      {{4, 3, 1, 68, 0.796}, {4, 3, 1, 68, 0.796}},
      {{6, 5, 0, 34, 0.850}, {5, 4, 0, 39, 0.906}},
      {{5, 4, 0, 47, 0.799}, {4, 3, 0, 52, 0.929}},
      {{6, 5, 1, 86, 0.805}, {6, 4, 1, 89, 0.849}},
      {{10, 7, 0, 44, 0.874}, {10, 6, 0, 46, 0.889}},
      {{6, 3, 0, 17, 0.889}, {5, 3, 0, 19, 0.895}},
      {{6, 3, 1, 30, 0.800}, {5, 3, 1, 33, 0.808}},
      {{10, 5, 0, 15, 0.831}, {9, 4, 0, 17, 0.846}},
      {{8, 7, 0, 53, 0.805}, {7, 6, 0, 56, 0.879}},
      {{10, 7, 1, 194, 0.885}, {10, 7, 1, 194, 0.885}},
      {{23, 19, 0, 53, 0.879}, {22, 16, 0, 57, 0.903}},
      {{9, 9, 0, 45, 0.828}, {8, 8, 0, 48, 0.874}},
      {{9, 7, 1, 203, 0.848}, {9, 6, 1, 207, 0.884}},
      {{28, 22, 0, 43, 0.855}, {28, 22, 0, 43, 0.855}},
      {{14, 11, 0, 58, 0.806}, {13, 11, 0, 59, 0.825}},
      {{18, 14, 1, 164, 0.904}, {17, 13, 1, 174, 0.907}},
      {{44, 36, 0, 57, 0.881}, {44, 36, 0, 57, 0.881}},
      {{25, 21, 0, 147, 0.712}, {23, 18, 0, 156, 0.753}},
      {{58, 38, 1, 246, 0.966}, {58, 38, 1, 246, 0.966}},
      {{95, 62, 0, 146, 0.963}, {95, 62, 0, 146, 0.963}},
  };
  static const int first[] = {139, 433, 318, 338, 831, 654, 136, 240, 187, 640};
  for (int i = 0; i < (int) (sizeof pairs / sizeof *pairs); i++) {
    const row *x = pairs[i];
    const double places = (double) (x->mul + x->add + x->div) * x->cycles;
    int count = 0;
    for (int n = (int) ((x->usage - 0.001) * places); n <= (int) ((x->usage + 0.001) * places); n++)
      count += has_usage(n, &x[0]) && has_usage(n, &x[1]);
    CHECK(count > 0);
    if (i < 10) CHECK(has_usage(first[i], &x[0]) && has_usage(first[i], &x[1]));
  }
}


// cost = cycles / (c length) - 1,  gain = cycles of one module / cycles of k; the thesis misprints two gains
TEST(table_4_agrees_with_itself)
{
  static const double length[] = {199, 100, 68, 52};
  static const double cycles[4][4] = {
      {423, 256, 179, 173}, {499, 286, 211, 196}, {656, 362, 263, 235}, {849, 451, 329, 283}};
  static const double cost[4][4] = {
      {113, 156, 163, 233}, {25, 43, 55, 88}, {10, 21, 29, 51}, {7, 13, 21, 36}};
  static const double gain[4][4] = {
      {1, 1.65, 2.36, 2.44}, {1, 1.74, 2.36, 2.55}, {1, 1.81, 2.49, 2.79}, {1, 1.88, 2.58, 3}};
  for (int c = 0; c < 4; c++) {
    for (int k = 0; k < 4; k++) {
      CHECK(fabs(100 * (cycles[c][k] / ((c + 1) * length[k]) - 1) - cost[c][k]) < 1);
      CHECK(fabs(cycles[c][0] / cycles[c][k] - gain[c][k]) < 0.0051);
    }
  }
}

//---- the PUMA ------------------------------------------------------------------------------------

static eqnProgram *load_puma(genParameters parameters)
{
  artModel *m = keep_file("models/generator/puma-thesis.yaml");
  const genOptions options = {.forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL,
                              .parameters = parameters};
  return keep_program(m, keep_fresh_data(m), &options);
}


static schedBinary *take_inverse(const eqnProgram *program, const schedMachine *machine)
{
  const schedBinaryOptions options = binary_options(machine);
  return binary_create(keep_function(program, "inverse", NULL), &options);
}


// the machine of the thesis does it in the time of the thesis or less
static void check_machine(const eqnProgram *program, const schedMachine *machine, int most)
{
  schedBinary *b = take_inverse(program, machine);
  for (int rule = SCHED_LIST; b && rule <= SCHED_FINISH; rule++) {
    schedSchedule s;
    CHECK(b->n <= 338);
    schedule_create(&s, &b->graph, machine, (schedRule) rule);
    CHECK(schedule_is_legal(&s, &b->graph, machine));
    CHECK(s.cycles <= most);
  }
  binary_free(b);
}


TEST(the_puma_needs_no_more_cycles_than_in_the_thesis)
{
  static const int units[][3] = {{7, 4, 47}, {6, 4, 47}, {5, 4, 47}, {4, 4, 51},
                                 {5, 3, 50}, {3, 4, 66}, {4, 3, 52}, {4, 2, 73}};
  static const int pipelined[][3] = {
      {3, 2, 118}, {2, 2, 118}, {1, 2, 194}, {2, 1, 145}, {1, 1, 194}};
  for (int parameters = GEN_CLASSICAL; parameters <= GEN_BARYCENTRIC; parameters++) {
    const eqnProgram *program = load_puma((genParameters) parameters);
    schedMachine machine = machine_create();
    for (int i = 0; i < 8; i++) {
      machine.count[SCHED_MUL] = units[i][0];
      machine.count[SCHED_ADD] = units[i][1];
      check_machine(program, &machine, units[i][2]);
    }
    machine.latency[SCHED_MUL] = 3;
    machine.transfer = 1;
    for (int i = 0; i < 5; i++) {
      machine.count[SCHED_MUL] = pipelined[i][0];
      machine.count[SCHED_ADD] = pipelined[i][1];
      check_machine(program, &machine, pipelined[i][2]);
    }
  }
}


TEST(fewer_units_take_more_than_minimal_time)
{
  schedSearch search;
  const schedMachine machine = machine_create();
  schedBinary *b = take_inverse(load_puma(GEN_CLASSICAL), &machine);
  search_units(&search, &b->graph, &machine, SCHED_LIST);
  CHECK_EQ_INT(search.fewest.cycles, b->graph.length);
  CHECK(search.best.usage >= search.fewest.usage);
  const int units = search.fewest.count[SCHED_MUL] + search.fewest.count[SCHED_ADD];
  for (int mul = search.bounds.lower[SCHED_MUL]; mul < units; mul++) {
    schedMachine fewer = machine;
    schedSchedule s;
    fewer.count[SCHED_MUL] = mul;
    fewer.count[SCHED_ADD] = units - 1 - mul;
    if (fewer.count[SCHED_ADD] < 1) continue;
    schedule_create(&s, &b->graph, &fewer, SCHED_LIST);
    CHECK(s.cycles > b->graph.length);
  }
  binary_free(b);
}
