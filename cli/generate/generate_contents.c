// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula generate --json and --count: everything that was written, for programs that call it, and its operations.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/throw.h"
#include "command_report.h"
#include "eqn/list.h"
#include "model/model.h"
#include "product.h"
#include "verb_generate.h"


// a vector with the names of its elements
static void report_vector(cliReport *report, const eqnVector *v)
{
  json_object(report, NULL);
  json_fields(report, "name: %s, what: %s, length: %d", v->name, v->what, v->n);
  if (v->label) {
    json_list(report, "elements");
    for (int i = 0; i < v->n; i++) json_text(report, NULL, v->label[i]);
    json_end(report);
  }
  json_end(report);
}


static void report_function(cliReport *report, const eqnList *list)
{
  const eqnFunction *f = list->function;
  json_object(report, NULL);
  json_fields(report, "name: %s, what: %s, operations: %d, ahead: %d", f->name, f->what,
              list->total.total, list->constants.total);
  json_array(report, "reads");
  for (int k = 0; k < f->ninput; k++) report_vector(report, &f->input[k]);
  json_end(report);
  json_array(report, "writes");
  for (int k = 0; k < f->noutput; k++) report_vector(report, &f->output[k]);
  json_end(report);
  json_end(report);
}


typedef void reportList(cliReport *report, const eqnList *list);


static void report_all(cliReport *report, const cliCall *call, const eqnProgram *program,
                       reportList *report_one)
{
  const eqnOptions options = generate_read_passes(call);
  for (int i = 0; i < program->nfunction; i++) {
    eqnList *list = eqn_list_create(program, &program->function[i], &options);
    if (!list) error_throw();
    report_one(report, list);
    eqn_list_free(list);
  }
}


static void report_program_parameters(cliReport *report, const eqnProgram *p)
{
  json_array(report, "parameters");
  for (int i = 0; i < p->parameter.n; i++) {
    json_object(report, NULL);
    json_text(report, "name", p->parameter.label[i]);
    json_number(report, "value", p->value[i]);
    // of a parameter of the file: its name there, unit and limits
    const eqnUser *user = &p->user[i];
    json_fields(report, "source: %s, unit: %s", user->name, user->unit);
    if (isfinite(user->lower)) json_number(report, "lower", user->lower);
    if (isfinite(user->upper)) json_number(report, "upper", user->upper);
    json_text(report, "remark", p->remark && p->remark[i] ? p->remark[i] : "");
    json_end(report);
  }
  json_end(report);
  json_array(report, "frozen");
  for (int i = 0; i < p->nfrozen; i++) {
    json_item(report, NULL, "name: %s, what: %s", p->frozen[i].name, p->frozen[i].what);
  }
  json_end(report);
}


static void report_one_number(cliReport *report, const char *name, const char *unit, double initial)
{
  json_object(report, NULL);
  json_text(report, "name", name);
  json_text(report, "unit", unit ? unit : "");
  if (isfinite(initial)) json_number(report, "initial", initial);
  json_end(report);
}


// coordinates and states as they are assembled, inputs, outputs
static void report_state(cliReport *report, const artModel *m, const artData *d)
{
  json_array(report, "positions");
  for (int k = 0; k < m->tree.nq; k++) {
    report_one_number(report, art_position_name(m, k), art_position_unit(m, k), d->q[k]);
  }
  json_end(report);
  json_array(report, "velocities");
  for (int k = 0; k < m->tree.nv; k++) {
    report_one_number(report, art_velocity_name(m, k), art_velocity_unit(m, k), d->v[k]);
  }
  json_end(report);
  json_array(report, "states");
  for (int k = 0; k < m->nstate; k++) {
    report_one_number(report, art_state_name(m, k), art_state_unit(m, k), d->s[k]);
  }
  json_end(report);
  json_array(report, "inputs");
  for (int k = 0; k < m->nheld; k++) {
    report_one_number(report, m->held[k].name, m->held[k].unit, d->u[k]);
  }
  json_end(report);
  json_array(report, "outputs");
  for (int k = 0; k < m->noutput; k++) {
    report_one_number(report, art_output_name(m, k), art_output_unit(m, k), NAN);
  }
  json_end(report);
}


//---- the interface -------------------------------------------------------------------------------

// A list of the machine with initial values and limits, where there are some.
static void report_list(cliReport *report, const char *name, const emitEntries *list,
                        int has_values)
{
  json_array(report, name);
  for (int i = 0; i < list->n; i++) {
    const emitEntry *e = &list->entry[i];
    json_object(report, NULL);
    json_fields(report, "name: %s, unit: %s", e->name, e->unit);
    if (has_values) json_number(report, "initial", e->value);
    if (isfinite(e->lower)) json_number(report, "lower", e->lower);
    if (isfinite(e->upper)) json_number(report, "upper", e->upper);
    json_end(report);
  }
  json_end(report);
}


// Vectors of functions, a letter for each.
static void report_letters(cliReport *report, const char *key, const char *letters, const int *n)
{
  const int order = 2 * n[MACHINE_NFREE] + n[MACHINE_NS], width = n[MACHINE_NU] + n[MACHINE_NV];
  const struct {
    char letter;
    const char *name, *what;
    int length;
  } vectors[] = {
      {'p', "p", "parameters", n[MACHINE_NPARAMETER]},
      {'t', "t", "time, s", 1},
      {'h', "h", "length of the step, s", 1},
      {'q', "q", "positions", n[MACHINE_NQ]},
      {'v', "v", "velocities", n[MACHINE_NV]},
      {'s', "s", "other states", n[MACHINE_NS]},
      {'u', "u", "inputs and held values", n[MACHINE_NU]},
      {'j', "tau", "joint forces in addition to the model's own", n[MACHINE_NV]},
      {'a', "a", "accelerations", n[MACHINE_NV]},
      {'r', "rate", "rates of q, v and s", n[MACHINE_NQ] + n[MACHINE_NV] + n[MACHINE_NS]},
      {'y', "y", "outputs", n[MACHINE_NY]},
      {'g', "g", "switching functions", n[MACHINE_NEVENT]},
      {'f', "force", "forces of the actuators", n[MACHINE_NACTUATOR]},
      {'n', "next", "the next instant, s", 1},
      {'m', "margin", "the least margin of relays", 1},
      {'c', "has_come", "whether a relay has just come to its border", 1},
      {'F', "free", "free coordinates", n[MACHINE_NFREE]},
      {'A', "A", "rates by free coordinates and states", order * order},
      {'B', "B", "rates by inputs and joint forces", order * width},
      {'C', "C", "outputs by free coordinates and states", n[MACHINE_NY] * order},
      {'D', "D", "outputs by inputs and joint forces", n[MACHINE_NY] * width},
  };
  json_array(report, key);
  for (const char *c = letters; *c; c++) {
    size_t k = 0;
    while (vectors[k].letter != *c) k++;
    json_item(report, NULL, "name: %s, what: %s, length: %d", vectors[k].name, vectors[k].what,
              vectors[k].length);
  }
  json_end(report);
}


// Functions as programs call them (doc/reference/generated-code.md), those that the text has.
static void report_functions(cliReport *report, const cliGenerate *job)
{
  static const struct {
    const char *name, *what, *reads, *writes;
    eqnFunctionKind needs;
  } functions[] = {
      {"start", "parameters and assembled state of the model", "", "ptqvsu", EQN_OTHER},
      {"prepare", "what follows from parameters alone", "p", "", EQN_OTHER},
      {"close", "closed loops, quaternions of unit length", "tqv", "qv", EQN_OTHER},
      {"accelerate", "accelerations", "tqvsuj", "aqv", EQN_OTHER},
      {"rates", "rates of the whole state", "tqvsuj", "rqv", EQN_OTHER},
      {"outputs", "outputs of the model", "tqvsuj", "yqv", EQN_OTHER},
      {"step", "one step of the classical Runge-Kutta method", "tqvsujh", "tqvsu", EQN_OTHER},
      {"begin", "the motion begins here, for other integrators", "tqvsuj", "qvu", EQN_OTHER},
      {"next_instant", "the next instant of samplers and jumps of drives", "t", "n", EQN_OTHER},
      {"pass", "what happens at such an instant", "tqvsuj", "qvu", EQN_OTHER},
      {"margin", "how far relays are from going over", "tqvsuj", "m", EQN_OTHER},
      {"settle", "relays that have left their sides go over", "tqvsujc", "qvu", EQN_OTHER},
      {"events", "switching functions of piecewise laws", "tqvsuj", "gqv", EQN_OTHER},
      {"linear", "the linearised machine, matrices A, B, C, D", "tqvsuj", "FABCDqv",
       EQN_ACCELERATE_TANGENT},
      {"inverse", "forces of the actuators for given accelerations", "tqvsuja", "afqv",
       EQN_MACHINE_INVERSE},
  };
  const eqnProgram *p = generate_told(job);
  json_array(report, "functions");
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    char name[80];
    if (functions[i].needs != EQN_OTHER && !eqn_function(p, functions[i].needs)) continue;
    // the word by which a function is called: with the prefix where there are no classes and structures; `pass` is a word of Python
    const char *function = functions[i].name;
    const emitLanguage language = generate_language(job->w->call);
    const int has_prefix = language == EMIT_C || language == EMIT_FORTRAN;
    const int is_word = language == EMIT_PYTHON && strcmp(function, "pass") == 0;
    snprintf(name, 80, "%.60s%s%s%s", has_prefix ? job->about.name : "", has_prefix ? "_" : "",
             function, is_word ? "_" : "");
    json_object(report, NULL);
    json_fields(report, "name: %s, what: %s", name, functions[i].what);
    report_letters(report, "reads", functions[i].reads, job->about.size);
    report_letters(report, "writes", functions[i].writes, job->about.size);
    json_end(report);
  }
  json_end(report);
}


void generate_report_contents(cliReport *report, const cliGenerate *job)
{
  const eqnProgram *p = generate_told(job);
  if (product_has_interface(job->w->call)) {
    report_functions(report, job);
  } else {
    json_array(report, "functions");
    report_all(report, job->w->call, p, report_function);
    json_end(report);
  }
  // functions that the user of the text supplies, by their names there
  const char *const *name = emit_external_names(p, &job->w->arena);
  json_array(report, "externals");
  for (int i = 0; i < p->nexternal; i++) {
    const eqnExternal *x = &p->external[i];
    json_item(report, NULL, "name: %s, what: %s, arguments: %d, results: %d", name[i],
              x->what ? x->what : "", x->narg, x->n);
  }
  json_end(report);
  report_program_parameters(report, p);
  if (!product_has_interface(job->w->call)) {
    report_state(report, job->w->model, job->w->data);
    return;
  }
  for (int k = 0; k < MACHINE_LISTS - 1; k++) { // all but parameters
    report_list(report, machine_lists[k], &job->about.list[k], k < 4);
  }
}


//---- operations of generated functions, by group and by pass -------------------------------------

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

// a line of the table, or all there is to tell
static void report_counts(cliReport *report, const eqnList *list)
{
  const eqnCount *c = &list->total;
  json_object(report, NULL);
  report_fields(report,
                "function: %s, sums: %d, products: %d, quotients: %d, sines: %d, functions: %d, "
                "operations: %d, ahead: %d",
                "  %-14s %7d %8d %9d %6d %6d %8d %9d\n", list->function->name, c->add, c->mul,
                c->div, c->trig, c->function, c->total, list->constants.total);
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


//---- parameters that parts share -----------------------------------------------------------------

static void report_total(cliReport *report, const eqnList *list)
{
  const bool is_first = strcmp(list->function->name, list->program->function[0].name) == 0;
  json_integer(report, list->function->name, list->total.total);
  say(report, "%s %s %d", is_first ? "" : ",", list->function->name, list->total.total);
}


// the effect of --share: parameters, and operations without it
static void report_share(cliReport *report, const cliGenerate *job)
{
  if (!job->options.share) return;
  genOptions options = job->options;
  options.share = 0;
  eqnProgram *plain = NULL;
  error_check(gen_create(&plain, job->w->model, job->w->data, &options, error_current()));
  if (!gen_drop_unread(1, &plain)) error_throw();
  json_object(report, "share");
  report_fields(report, "parameters: %d, parameters without: %d",
                "\n  parameters that parts share: %d instead of %d; operations without --share:",
                job->program->parameter.n, plain->parameter.n);
  json_object(report, "operations without");
  report_all(report, job->w->call, plain, report_total);
  json_end(report);
  json_end(report);
  say(report, "\n");
  gen_free(plain);
}

//---- alternatives --------------------------------------------------------------------------------

static void report_trial(cliReport *report, const cheapestTrial *trial, bool is_best)
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
    say(report, " %d block%s of at most %d", trial->blocks, plural_s(trial->blocks),
        trial->largest);
  }
  say(report, "%s\n", is_best ? "  the cheapest" : trial->is_recut ? "  (--recut)" : "");
}


void generate_print_counts(const cliGenerate *job)
{
  cliReport report = report_begin(job->w->call);
  json_text(&report, "file", job->w->call->file);
  if (report_is_text(&report)) cli_print_title(job->w->call, job->program->title);
  say(&report, ": operations of one evaluation, calls of external functions not counted\n");
  say(&report, "  %-14s %7s %8s %9s %6s %6s %8s %9s\n", "function", "sums", "products", "quotients",
      "sines", "other", "all", "ahead");
  json_array(&report, "functions");
  report_all(&report, job->w->call, job->program, report_counts);
  json_end(&report);
  if (report_is_text(&report)) report_all(&report, job->w->call, job->program, say_details);
  report_share(&report, job);
  const cheapestForm *choice = &job->choice;
  const cheapestTrial *first = &choice->trial[0], *best = &choice->trial[choice->best];
  say(&report, "\n  %saccelerate%s, as it could be written%s\n", cli_bold(stdout),
      cli_plain(stdout),
      job->w->model->nrow > 0 ? ", one iteration of Newton's method counted" : "");
  json_array(&report, "alternatives");
  for (int i = 0; i < choice->n; i++) report_trial(&report, &choice->trial[i], i == choice->best);
  json_end(&report);
  if (choice->is_late) say(&report, "    others were not tried, it would take too long\n");
  const int saved = first->operations - best->operations;
  if (saved > 0) {
    say(&report, "    %s saves %d operations of %d, %.0f %%\n", best->what, saved,
        first->operations, 100.0 * saved / first->operations);
  }
  report_end(&report);
}
