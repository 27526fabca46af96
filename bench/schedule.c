// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations of generated equations on many units, compared with chapter 3 of Postiau's thesis (2004): machines for the PUMA,
// the fewest units in minimal time and the best use for several systems, rings of modules.
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "eqn/list.h"
#include "gen/gen.h"
#include "sched/ring.h"
#include "sched/search.h"

//---- models --------------------------------------------------------------------------------------

typedef struct loaded {
  artModel *model;
  artData *data;
  eqnProgram *program;
} loaded;


static int load(loaded *x, const char *path, genParameters parameters)
{
  artError error = {0};
  const genOptions options = {.forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL,
                              .parameters = parameters};
  *x = (loaded){0};
  if (art_load_model(&x->model, path, &error) == ART_OK) {
    x->data = art_create_data(x->model);
    if (gen_create(&x->program, x->model, x->data, &options, &error) == ART_OK) return 1;
  }
  fprintf(stderr, "%s: %s\n", path, error.text);
  return 0;
}


static void unload(loaded *x)
{
  gen_free(x->program);
  art_free_data(x->data);
  art_free_model(x->model);
}


static schedBinary *take_apart(const loaded *x, const char *function, const schedMachine *machine,
                               schedShape shape, eqnList **list)
{
  schedBinaryOptions options = binary_options(machine);
  options.shape = shape;
  const eqnFunction *found = gen_function(x->program, function);
  *list = found ? eqn_list_create(x->program, found, NULL) : NULL;
  return *list ? binary_create(*list, &options) : NULL;
}


static const char *parameters_text(int parameters)
{
  return parameters == GEN_BARYCENTRIC ? "minimal" : "classical";
}

//---- tables 3.1 and 3.2: machines for the PUMA ---------------------------------------------------

typedef struct puma {
  int mul, add, cycles;
} puma;

static const puma plain[] = {{7, 4, 47}, {6, 4, 47}, {5, 4, 47}, {4, 4, 51},
                             {5, 3, 50}, {3, 4, 66}, {4, 3, 52}, {4, 2, 73}};
static const puma pipelined[] = {{3, 2, 118}, {2, 2, 118}, {1, 2, 194}, {2, 1, 145}, {1, 1, 194}};


static void run_machine(schedBinary *b, schedMachine machine, const puma *x)
{
  machine.count[SCHED_MUL] = x->mul;
  machine.count[SCHED_ADD] = x->add;
  printf("| %d | %d | %d |", x->mul, x->add, x->cycles);
  for (int rule = SCHED_LIST; rule <= SCHED_FINISH; rule++) {
    schedSchedule s;
    schedule_create(&s, &b->graph, &machine, (schedRule) rule);
    printf(" %d | %.3f |", s.cycles, schedule_usage(&s, &machine));
  }
  printf("\n");
}


static void run_machines(int parameters, int latency, int transfer, int n, const puma *rows)
{
  loaded x;
  eqnList *list = NULL;
  schedMachine machine = machine_create();
  machine.latency[SCHED_MUL] = latency;
  machine.transfer = transfer;
  if (!load(&x, "models/generator/puma-thesis.yaml", (genParameters) parameters)) return;
  schedBinary *b = take_apart(&x, "inverse", &machine, SCHED_CASCADE, &list);
  if (b) {
    printf(
        "\nPUMA, inverse, %s parameters: %d operations (%d + %d; 338 = 193 + 145 in the thesis), "
        "products %d cycle%s, transfers %d: critical path %d\n\n",
        parameters_text(parameters), b->n, b->count[SCHED_MUL], b->count[SCHED_ADD], latency,
        latency == 1 ? "" : "s", transfer, b->graph.length);
    printf("| mul | add | thesis | list | use | earliest finish | use "
           "|\n|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < n; i++) run_machine(b, machine, &rows[i]);
  }
  binary_free(b);
  eqn_list_free(list);
  unload(&x);
}

//---- table 3.3: several systems ------------------------------------------------------------------

typedef struct published {
  int mul, add, div, cycles;
} published;

typedef struct systemRow {
  const char *name, *model;
  published fewest[3], best[3]; // inverse, forward, mass_bias; without cycles: not published
} systemRow;

// clang-format off
static const systemRow systems[] = {
    {"planar pendulum, 5 bodies", "models/generator/planar-pendulum-5.yaml",
     {{4, 3, 0, 31}, {4, 3, 1, 68}, {6, 5, 0, 34}}, {{3, 2, 0, 36}, {4, 3, 1, 68}, {5, 4, 0, 39}}},
    {"PUMA", "models/generator/puma-thesis.yaml",
     {{5, 4, 0, 47}, {6, 5, 1, 86}, {10, 7, 0, 44}}, {{4, 3, 0, 52}, {6, 4, 1, 89}, {10, 6, 0, 46}}},
    {"Stewart platform, legs without mass", "models/generator/stewart-massless.yaml",
     {{6, 3, 0, 17}, {6, 3, 1, 30}, {10, 5, 0, 15}}, {{5, 3, 0, 19}, {5, 3, 1, 33}, {9, 4, 0, 17}}},
    {"Stewart platform", "models/loops/stewart.yaml",
     {{6, 3, 0, 17}, {6, 3, 1, 30}, {10, 5, 0, 15}}, {{5, 3, 0, 19}, {5, 3, 1, 33}, {9, 4, 0, 17}}},
    {"motorcycle, 14 joints", "models/motorcycle.yaml",
     {{8, 7, 0, 53}, {10, 7, 1, 194}, {23, 19, 0, 53}}, {{7, 6, 0, 56}, {10, 7, 1, 194}, {22, 16, 0, 57}}},
    {"car, 16 joints", "models/generator/car-16.yaml",
     {{9, 9, 0, 45}, {9, 7, 1, 203}, {28, 22, 0, 43}}, {{8, 8, 0, 48}, {9, 6, 1, 207}, {28, 22, 0, 43}}},
    {"bogie, 23 joints", "models/vehicles/bogie.yaml",
     {{14, 11, 0, 58}, {18, 14, 1, 164}, {44, 36, 0, 57}}, {{13, 11, 0, 59}, {17, 13, 1, 174}, {44, 36, 0, 57}}},
    {"car: multi-link here, Audi A6 there", "models/vehicles/multilink-car.yaml",
     {{25, 21, 0, 147}, {58, 38, 1, 246}, {95, 62, 0, 146}}, {{23, 18, 0, 156}, {58, 38, 1, 246}, {95, 62, 0, 146}}},
};
// clang-format on


static void print_published(const published *x)
{
  printf(" %d/%d/%d | %d |", x->mul, x->add, x->div, x->cycles);
}


static void print_trial(const schedTrial *x)
{
  printf(" %d/%d/%d | %d | %.3f |", x->count[SCHED_MUL], x->count[SCHED_ADD], x->count[SCHED_DIV],
         x->cycles, x->usage);
}


// cycles that the thesis's machine takes for our operations; more than it has of what it did not need
static void print_on_theirs(schedBinary *b, const published *x)
{
  schedMachine machine = machine_create();
  schedSchedule s;
  for (int k = 0; k < SCHED_KINDS; k++) machine.count[k] = b->count[k] > 0;
  machine.count[SCHED_MUL] = x->mul;
  machine.count[SCHED_ADD] = x->add;
  schedule_create(&s, &b->graph, &machine, SCHED_LIST);
  printf(" %d |", s.cycles);
}


static void run_function(const systemRow *row, const loaded *x, int parameters, int f)
{
  static const char *const functions[] = {"inverse", "forward", "mass_bias"};
  const schedMachine machine = machine_create();
  eqnList *list = NULL;
  schedSearch search;
  schedBinary *b = take_apart(x, functions[f], &machine, SCHED_CASCADE, &list);
  if (b) {
    search_units(&search, &b->graph, &machine, SCHED_LIST);
    printf("| %s | %s | %s | %d |", row->name, parameters_text(parameters), functions[f], b->n);
    print_published(&row->fewest[f]);
    print_on_theirs(b, &row->fewest[f]);
    print_trial(&search.fewest);
    print_published(&row->best[f]);
    print_trial(&search.best);
    printf("\n");
  }
  binary_free(b);
  eqn_list_free(list);
}


static void run_system(const systemRow *row)
{
  for (int parameters = GEN_CLASSICAL; parameters <= GEN_BARYCENTRIC; parameters++) {
    loaded x;
    if (load(&x, row->model, (genParameters) parameters)) {
      for (int f = 0; f < 3; f++) run_function(row, &x, parameters, f);
    }
    unload(&x);
    fflush(stdout);
  }
}

//---- table 3.4: rings ----------------------------------------------------------------------------

static const int ring_cycles[4][4] = {
    {423, 256, 179, 173}, {499, 286, 211, 196}, {656, 362, 263, 235}, {849, 451, 329, 283}};


static schedMachine ring_of(int modules, int c)
{
  schedMachine machine = machine_create();
  machine.count[SCHED_MUL] = machine.count[SCHED_ADD] = machine.modules = modules;
  machine.transfer = machine.hop = 1;
  for (int k = 0; k < SCHED_KINDS; k++) machine.latency[k] = machine.interval[k] = c;
  return machine;
}


static void run_blind(schedBinary *b, const schedMachine *machine, ringRun *run)
{
  const schedMachine seen = ring_blind(machine);
  schedSchedule s;
  schedule_create(&s, &b->graph, &seen, SCHED_LIST);
  ring_run(ring_create(b, &s, machine), run);
}


static void run_rings(schedBinary *b)
{
  int alive[8];
  for (int c = 1; c <= 4; c++) {
    int one[2] = {0};
    for (int k = 1; k <= 4; k++) {
      const schedMachine machine = ring_of(k, c);
      const int *thesis = ring_cycles[c - 1];
      ringRun blind = {.alive = alive}, best = {.alive = alive};
      schedSchedule s;
      run_blind(b, &machine, &blind);
      if (!ring_search(b, &machine, &s, &best)) return;
      if (k == 1) one[0] = blind.cycles;
      if (k == 1) one[1] = best.cycles;
      printf("| %d | %d | %d | %.2f | %d | %.2f | %d | %.2f |\n", c, k, thesis[k - 1],
             (double) thesis[0] / thesis[k - 1], blind.cycles, (double) one[0] / blind.cycles,
             best.cycles, (double) one[1] / best.cycles);
    }
  }
}


static void run_ring_table(int parameters)
{
  loaded x;
  eqnList *list = NULL;
  const schedMachine machine = machine_create();
  if (!load(&x, "models/generator/puma-thesis.yaml", (genParameters) parameters)) return;
  schedBinary *b = take_apart(&x, "inverse", &machine, SCHED_CASCADE, &list);
  printf("\nPUMA, inverse, %s parameters, on rings of modules\n\n", parameters_text(parameters));
  printf("| cycles of an operation | modules | thesis | gain | list | gain | transfers in view | "
         "gain |\n"
         "|---|---|---|---|---|---|---|---|\n");
  if (b) run_rings(b);
  binary_free(b);
  eqn_list_free(list);
  unload(&x);
}


int main(int argc, char **argv)
{
  for (int parameters = GEN_CLASSICAL; parameters <= GEN_BARYCENTRIC; parameters++) {
    run_machines(parameters, 1, 0, 8, plain);
    run_machines(parameters, 3, 1, 5, pipelined);
    run_ring_table(parameters);
  }
  printf("\n| system | parameters | function | operations | fewest units, thesis | cycles | ours "
         "on these | ours | "
         "cycles | use | best use, thesis | cycles | ours | cycles | use |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
    if (argc < 2 || strstr(systems[i].name, argv[1])) run_system(&systems[i]);
  }
  return 0;
}
