// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations of generated functions: by group, by pass, and of the forms and partitions that could be
// chosen instead.
#include "base/error.h"
#include "eqn/list.h"
#include "generate.h"
#include "io/json.h"
#include "loop/loop.h"
#include "study/assemble.h"

static const char *const groups[EQN_GROUPS] = {
    [GROUP_OTHER] = "other",
    [GROUP_POSITION] = "positions",
    [GROUP_VELOCITY] = "velocities",
    [GROUP_ACCELERATION] = "accelerations of loops",
    [GROUP_FORCES] = "forces",
    [GROUP_CONTACT] = "contact",
    [GROUP_FORWARD] = "outward recursion",
    [GROUP_BACKWARD] = "inward recursion",
    [GROUP_REDUCTION] = "reduction",
    [GROUP_SOLVE] = "solution",
};

static const char *const passes[EQN_PASSES] = {
    [PASS_DUPLICATE] = "equal expressions once",
    [PASS_USEFUL] = "useful equations only",
    [PASS_CONSTANT] = "constants ahead",
    [PASS_FACTOR] = "common factors",
    [PASS_SIGN] = "signs",
    [PASS_INLINE] = "single uses in place",
    [PASS_RECYCLE] = "names used again",
};

//---- functions -----------------------------------------------------------------------------------

static void print_list(const eqnList *list)
{
  const eqnCount *c = &list->total;
  printf("  %-14s %7d %8d %9d %6d %6d %8d %9d\n", list->function->name, c->add, c->mul, c->div,
         c->trig, c->function, c->total, list->constants.total);
}


static void print_details(const eqnList *list)
{
  printf("\n  %s%s%s, %d operations\n   ", cli_bold(stdout), list->function->name,
         cli_plain(stdout), list->total.total);
  const char *comma = "";
  for (int g = 0; g < EQN_GROUPS; g++) {
    if (list->group[g].total == 0) continue;
    printf("%s %s %d", comma, groups[g], list->group[g].total);
    comma = ",";
  }
  printf("\n    as recorded %d in %d equations", list->before.operations, list->before.equations);
  for (int p = 0; p < EQN_PASSES; p++) {
    const eqnEffect *e = &list->effect[p];
    if (p == PASS_RECYCLE) continue;
    printf("; %s %d in %d", passes[p], e->operations, e->equations);
  }
  putchar('\n');
}


static void write_list(ioJson *json, const eqnList *list)
{
  const eqnCount *c = &list->total;
  json_object(json, NULL);
  json_text(json, "function", list->function->name);
  json_integer(json, "sums", c->add);
  json_integer(json, "products", c->mul);
  json_integer(json, "quotients", c->div);
  json_integer(json, "sines", c->trig);
  json_integer(json, "functions", c->function);
  json_integer(json, "operations", c->total);
  json_integer(json, "ahead", list->constants.total);
  json_object(json, "groups");
  for (int g = 0; g < EQN_GROUPS; g++) {
    if (list->group[g].total > 0) json_integer(json, groups[g], list->group[g].total);
  }
  json_end(json);
  json_object(json, "passes");
  json_integer(json, "as recorded", list->before.operations);
  for (int p = 0; p < EQN_PASSES; p++) json_integer(json, passes[p], list->effect[p].operations);
  json_end(json);
  json_end(json);
}


typedef void tellList(void *context, const eqnList *list);


static void tell_line(void *context, const eqnList *list)
{
  (void) context;
  print_list(list);
}


static void tell_details(void *context, const eqnList *list)
{
  (void) context;
  print_details(list);
}


static void tell_json(void *context, const eqnList *list)
{
  write_list(context, list);
}


static artStatus tell_all(const eqnProgram *program, tellList *tell, void *context, artError *error)
{
  const eqnOptions options = eqn_default_options();
  for (int i = 0; i < program->nfunction; i++) {
    eqnList *list = eqn_list_create(program, &program->function[i], &options);
    if (!list) return base_no_memory(error);
    tell(context, list);
    eqn_list_free(list);
  }
  return ART_OK;
}

//---- alternatives --------------------------------------------------------------------------------

typedef struct alternative {
  const char *name;
  int operations; // 0: cannot be made
  int blocks, largest;
} alternative;


static int count_function(const cliGenerate *job, artData *d, unsigned forms, const char *name,
                          genParameters parameters)
{
  genOptions options = job->options;
  options.forms = forms;
  options.parameters = parameters;
  eqnProgram *program = NULL;
  if (gen_create(&program, job->model, d, &options, NULL) != ART_OK) return 0;
  const eqnOptions standard = eqn_default_options();
  const eqnFunction *f = gen_function(program, name);
  eqnList *list = f ? eqn_list_create(program, f, &standard) : NULL;
  const int operations = list ? list->total.total : 0;
  eqn_list_free(list);
  gen_free(program);
  return operations;
}


static alternative count_partition(const cliGenerate *job, const char *name, loopChoice choice)
{
  alternative a = {.name = name};
  artData *d = art_create_data(job->model);
  if (!d) return a;
  struct loopWork *loop = d->work->loop;
  if (study_assemble(job->model, d, NULL, NULL) == ART_OK) {
    loop_forget(loop);
    loop->choice = choice;
    if (loop_partition(job->model, d, NULL) == ART_OK && loop->partition.choice == choice) {
      const loopPartition *p = &loop->partition;
      a.blocks = p->block_count;
      for (int k = 0; k < p->block_count; k++) {
        const int n = p->block_start[k + 1] - p->block_start[k];
        if (n > a.largest) a.largest = n;
      }
      a.operations = count_function(job, d, GEN_ACCELERATE, "accelerate", job->options.parameters);
    }
  }
  art_free_data(d);
  return a;
}


static int find_alternatives(const cliGenerate *job, alternative *a)
{
  if (job->model->nrow > 0) {
    a[0] = count_partition(job, "partition by pattern", LOOP_SYMBOLIC);
    a[1] = count_partition(job, "partition by largest pivots", LOOP_NUMERIC);
    return 2;
  }
  static const struct {
    const char *name, *function;
    unsigned form;
    genParameters parameters;
  } way[4] = {{"factors of the mass matrix", "forward", GEN_FORWARD_LDL, GEN_CLASSICAL},
              {"O(n)", "forward_n", GEN_FORWARD_N, GEN_CLASSICAL},
              {"factors of the mass matrix, minimal parameters", "forward", GEN_FORWARD_LDL,
               GEN_BARYCENTRIC},
              {"O(n), minimal parameters", "forward_n", GEN_FORWARD_N, GEN_BARYCENTRIC}};
  for (int i = 0; i < 4; i++) {
    a[i] = (alternative){.name = way[i].name,
                         .operations = count_function(job, job->data, way[i].form, way[i].function,
                                                      way[i].parameters)};
  }
  return 4;
}


static int cheapest(int n, const alternative *a)
{
  int best = -1;
  for (int i = 0; i < n; i++) {
    if (a[i].operations > 0 && (best < 0 || a[i].operations < a[best].operations)) best = i;
  }
  return best;
}


static void print_alternatives(const cliGenerate *job, int n, const alternative *a)
{
  const int best = cheapest(n, a), has_loops = job->model->nrow > 0;
  printf("\n  %saccelerations%s, %s\n", cli_bold(stdout), cli_plain(stdout),
         has_loops ? "whole machine, one iteration of Newton's method counted" : "bare tree");
  for (int i = 0; i < n; i++) {
    if (a[i].operations == 0) continue;
    printf("    %-48s %7d", a[i].name, a[i].operations);
    if (has_loops) {
      printf("  %d block%s of at most %d", a[i].blocks, a[i].blocks == 1 ? "" : "s", a[i].largest);
    }
    printf("%s\n", i == best ? "  the cheapest" : "");
  }
}


static void write_alternatives(ioJson *json, int n, const alternative *a)
{
  const int best = cheapest(n, a);
  json_array(json, "alternatives");
  for (int i = 0; i < n; i++) {
    if (a[i].operations == 0) continue;
    json_object(json, NULL);
    json_text(json, "name", a[i].name);
    json_integer(json, "operations", a[i].operations);
    json_integer(json, "cheapest", i == best);
    json_end(json);
  }
  json_end(json);
}

//---- all -----------------------------------------------------------------------------------------

artStatus generate_print_counts(const cliGenerate *job, artError *error)
{
  alternative a[4];
  const int n = find_alternatives(job, a);
  if (job->call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_text(&json, "file", job->call->file);
    json_array(&json, "functions");
    const artStatus status = tell_all(job->program, tell_json, &json, error);
    json_end(&json);
    write_alternatives(&json, n, a);
    json_end(&json);
    return status;
  }
  const char *title = job->program->title;
  printf("%s%s%s: operations of one evaluation, calls of external functions not counted\n",
         cli_bold(stdout), title && title[0] ? title : job->call->file, cli_plain(stdout));
  printf("  %-14s %7s %8s %9s %6s %6s %8s %9s\n", "function", "sums", "products", "quotients",
         "sines", "other", "all", "ahead");
  artStatus status = tell_all(job->program, tell_line, NULL, error);
  if (status == ART_OK) status = tell_all(job->program, tell_details, NULL, error);
  if (status == ART_OK) print_alternatives(job, n, a);
  return status;
}
