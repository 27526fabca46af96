// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations of generated functions: by group and by pass.
#include "base/error.h"
#include "eqn/list.h"
#include "generate.h"
#include "show/json.h"

static const char *const groups[EQN_GROUPS] = {
    [GROUP_OTHER] = "other",
    [GROUP_POSITION] = "positions",
    [GROUP_VELOCITY] = "velocities",
    [GROUP_ACCELERATION] = "accelerations of loops",
    [GROUP_FORCES] = "forces",
    [GROUP_CONTACT] = "contact",
    [GROUP_TYRES] = "laws of tyres",
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
    [PASS_ALIKE] = "branches alike in loops",
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
  json_fields(json, "function: %s, sums: %d, products: %d, quotients: %d", list->function->name,
              c->add, c->mul, c->div);
  json_fields(json, "sines: %d, functions: %d, operations: %d, ahead: %d", c->trig, c->function,
              c->total, list->constants.total);
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


static artStatus tell_all(const cliCall *call, const eqnProgram *program, tellList *tell,
                          void *context, artError *error)
{
  eqnOptions options;
  const artStatus status = generate_read_passes(call, &options, error);
  if (status != ART_OK) return status;
  for (int i = 0; i < program->nfunction; i++) {
    eqnList *list = eqn_list_create(program, &program->function[i], &options);
    if (!list) return base_no_memory(error);
    tell(context, list);
    eqn_list_free(list);
  }
  return ART_OK;
}

//---- parameters that parts share -----------------------------------------------------------------

static void tell_before(void *context, const eqnList *list)
{
  const char **comma = context;
  printf("%s %s %d", *comma, list->function->name, list->total.total);
  *comma = ",";
}


static void tell_before_json(void *context, const eqnList *list)
{
  json_integer(context, list->function->name, list->total.total);
}


// what --share does: parameters, and operations without it
static artStatus tell_share(const cliGenerate *job, ioJson *json, artError *error)
{
  if (!job->options.share) return ART_OK;
  genOptions options = job->options;
  options.share = 0;
  eqnProgram *plain = NULL;
  artStatus status = gen_create(&plain, job->w->model, job->w->data, &options, error);
  if (status != ART_OK) return status;
  const int before = plain->parameter.n, now = job->program->parameter.n;
  if (json) {
    json_object(json, "share");
    json_fields(json, "parameters: %d, parameters without: %d", now, before);
    json_object(json, "operations without");
    status = tell_all(job->w->call, plain, tell_before_json, json, error);
    json_end(json);
    json_end(json);
  } else {
    const char *comma = "";
    printf("\n  parameters that parts share: %d in the place of %d; operations without --share:",
           now, before);
    status = tell_all(job->w->call, plain, tell_before, &comma, error);
    putchar('\n');
  }
  gen_free(plain);
  return status;
}

//---- alternatives --------------------------------------------------------------------------------

static void print_trial(const cheapestTrial *trial, bool is_best)
{
  if (trial->operations < 0) {
    printf("          - %-52s %s\n", trial->what, trial->why_not);
    return;
  }
  printf("    %7d %-52s", trial->operations, trial->what);
  if (trial->blocks > 0) {
    printf(" %d block%s of at most %d", trial->blocks, trial->blocks == 1 ? "" : "s",
           trial->largest);
  }
  printf("%s\n", is_best ? "  the cheapest" : trial->is_recut ? "  (--recut)" : "");
}


static void print_choice(const cliGenerate *job, const cheapestForm *choice)
{
  const cheapestTrial *first = &choice->trial[0], *best = &choice->trial[choice->best];
  printf("\n  %saccelerate%s, as it could be written%s\n", cli_bold(stdout), cli_plain(stdout),
         job->w->model->nrow > 0 ? ", one iteration of Newton's method counted" : "");
  for (int i = 0; i < choice->n; i++) print_trial(&choice->trial[i], i == choice->best);
  if (choice->is_late) printf("    others were not tried, it would take too long\n");
  const int saved = first->operations - best->operations;
  if (saved > 0) {
    printf("    %s saves %d operations of %d, %.0f %%\n", best->what, saved, first->operations,
           100.0 * saved / first->operations);
  }
}


static void write_choice(ioJson *json, const cheapestForm *choice)
{
  json_array(json, "alternatives");
  for (int i = 0; i < choice->n; i++) {
    const cheapestTrial *trial = &choice->trial[i];
    json_object(json, NULL);
    json_text(json, "name", trial->what);
    if (trial->operations >= 0) json_integer(json, "operations", trial->operations);
    json_fields(json, "cheapest: %d, recut: %d", i == choice->best, trial->is_recut);
    if (trial->operations < 0) json_text(json, "why_not", trial->why_not);
    json_end(json);
  }
  json_end(json);
}

//---- all -----------------------------------------------------------------------------------------

artStatus generate_print_counts(const cliGenerate *job, const cheapestForm *choice, artError *error)
{
  if (job->w->call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_text(&json, "file", job->w->call->file);
    json_array(&json, "functions");
    artStatus status = tell_all(job->w->call, job->program, tell_json, &json, error);
    json_end(&json);
    if (status == ART_OK) status = tell_share(job, &json, error);
    write_choice(&json, choice);
    json_end(&json);
    return status;
  }
  cli_print_title(job->w->call, job->program->title);
  printf(": operations of one evaluation, calls of external functions not counted\n");
  printf("  %-14s %7s %8s %9s %6s %6s %8s %9s\n", "function", "sums", "products", "quotients",
         "sines", "other", "all", "ahead");
  artStatus status = tell_all(job->w->call, job->program, tell_line, NULL, error);
  if (status == ART_OK) status = tell_all(job->w->call, job->program, tell_details, NULL, error);
  if (status == ART_OK) status = tell_share(job, NULL, error);
  if (status == ART_OK) print_choice(job, choice);
  return status;
}
