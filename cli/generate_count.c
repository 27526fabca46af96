// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations of generated functions: by group and by pass.
#include <string.h>

#include "base/error.h"
#include "eqn/list.h"
#include "tell.h"
#include "verb_generate.h"

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

typedef void tellList(cliReport *report, const eqnList *list);


// a line of the table, or all there is to tell
static void tell_list(cliReport *report, const eqnList *list)
{
  const eqnCount *c = &list->total;
  json_object(report, NULL);
  tell(report,
       "function: %s, sums: %d, products: %d, quotients: %d, sines: %d, functions: %d, "
       "operations: %d, ahead: %d",
       "  %-14s %7d %8d %9d %6d %6d %8d %9d\n", list->function->name, c->add, c->mul, c->div,
       c->trig, c->function, c->total, list->constants.total);
  json_object(report, "groups");
  for (int g = 0; g < EQN_GROUPS; g++) {
    if (list->group[g].total > 0) json_integer(report, groups[g], list->group[g].total);
  }
  json_end(report);
  json_object(report, "passes");
  json_integer(report, "as recorded", list->before.operations);
  for (int p = 0; p < EQN_PASSES; p++) json_integer(report, passes[p], list->effect[p].operations);
  json_end(report);
  json_end(report);
}


static void say_details(cliReport *report, const eqnList *list)
{
  const char *comma = "";
  say(report, "\n  %s%s%s, %d operations\n   ", cli_bold(stdout), list->function->name,
      cli_plain(stdout), list->total.total);
  for (int g = 0; g < EQN_GROUPS; g++) {
    if (list->group[g].total == 0) continue;
    say(report, "%s %s %d", comma, groups[g], list->group[g].total);
    comma = ",";
  }
  say(report, "\n    as recorded %d in %d equations", list->before.operations,
      list->before.equations);
  for (int p = 0; p < EQN_PASSES; p++) {
    const eqnEffect *e = &list->effect[p];
    if (p != PASS_RECYCLE) say(report, "; %s %d in %d", passes[p], e->operations, e->equations);
  }
  say(report, "\n");
}


static artStatus tell_all(cliReport *report, const cliCall *call, const eqnProgram *program,
                          tellList *tell_one, artError *error)
{
  eqnOptions options;
  const artStatus status = generate_read_passes(call, &options, error);
  if (status != ART_OK) return status;
  for (int i = 0; i < program->nfunction; i++) {
    eqnList *list = eqn_list_create(program, &program->function[i], &options);
    if (!list) return base_no_memory(error);
    tell_one(report, list);
    eqn_list_free(list);
  }
  return ART_OK;
}

//---- parameters that parts share -----------------------------------------------------------------

static void tell_total(cliReport *report, const eqnList *list)
{
  const bool is_first = strcmp(list->function->name, list->program->function[0].name) == 0;
  json_integer(report, list->function->name, list->total.total);
  say(report, "%s %s %d", is_first ? "" : ",", list->function->name, list->total.total);
}


// the effect of --share: parameters, and operations without it
static artStatus tell_share(cliReport *report, const cliGenerate *job, artError *error)
{
  if (!job->options.share) return ART_OK;
  genOptions options = job->options;
  options.share = 0;
  eqnProgram *plain = NULL;
  artStatus status = gen_create(&plain, job->w->model, job->w->data, &options, error);
  if (status != ART_OK) return status;
  json_object(report, "share");
  tell(report, "parameters: %d, parameters without: %d",
       "\n  parameters that parts share: %d in the place of %d; operations without --share:",
       job->program->parameter.n, plain->parameter.n);
  json_object(report, "operations without");
  status = tell_all(report, job->w->call, plain, tell_total, error);
  json_end(report);
  json_end(report);
  say(report, "\n");
  gen_free(plain);
  return status;
}

//---- alternatives --------------------------------------------------------------------------------

static void tell_trial(cliReport *report, const cheapestTrial *trial, bool is_best)
{
  const bool is_counted = trial->operations >= 0;
  json_object(report, NULL);
  json_text(report, "name", trial->what);
  if (is_counted) json_integer(report, "operations", trial->operations);
  json_fields(report, "cheapest: %d, recut: %d", is_best, trial->is_recut);
  if (!is_counted) json_text(report, "why_not", trial->why_not);
  json_end(report);
  if (!is_counted) {
    say(report, "          - %-52s %s\n", trial->what, trial->why_not);
    return;
  }
  say(report, "    %7d %-52s", trial->operations, trial->what);
  if (trial->blocks > 0) {
    say(report, " %d block%s of at most %d", trial->blocks, tell_s(trial->blocks), trial->largest);
  }
  say(report, "%s\n", is_best ? "  the cheapest" : trial->is_recut ? "  (--recut)" : "");
}


static void tell_choice(cliReport *report, const cliGenerate *job, const cheapestForm *choice)
{
  const cheapestTrial *first = &choice->trial[0], *best = &choice->trial[choice->best];
  say(report, "\n  %saccelerate%s, as it could be written%s\n", cli_bold(stdout), cli_plain(stdout),
      job->w->model->nrow > 0 ? ", one iteration of Newton's method counted" : "");
  json_array(report, "alternatives");
  for (int i = 0; i < choice->n; i++) tell_trial(report, &choice->trial[i], i == choice->best);
  json_end(report);
  if (choice->is_late) say(report, "    others were not tried, it would take too long\n");
  const int saved = first->operations - best->operations;
  if (saved > 0) {
    say(report, "    %s saves %d operations of %d, %.0f %%\n", best->what, saved, first->operations,
        100.0 * saved / first->operations);
  }
}


artStatus generate_print_counts(const cliGenerate *job, const cheapestForm *choice, artError *error)
{
  cliReport report = tell_begin(job->w->call);
  json_text(&report, "file", job->w->call->file);
  if (tell_is_text(&report)) cli_print_title(job->w->call, job->program->title);
  say(&report, ": operations of one evaluation, calls of external functions not counted\n");
  say(&report, "  %-14s %7s %8s %9s %6s %6s %8s %9s\n", "function", "sums", "products", "quotients",
      "sines", "other", "all", "ahead");
  json_array(&report, "functions");
  artStatus status = tell_all(&report, job->w->call, job->program, tell_list, error);
  json_end(&report);
  if (status == ART_OK && tell_is_text(&report)) {
    status = tell_all(&report, job->w->call, job->program, say_details, error);
  }
  if (status == ART_OK) status = tell_share(&report, job, error);
  if (status == ART_OK || !tell_is_text(&report)) tell_choice(&report, job, choice);
  tell_end(&report);
  return status;
}
