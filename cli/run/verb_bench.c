// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula bench: published problems and their references, by every method that applies.
//
// A problem is a pair of files in models/benchmarks: NAME.yaml, the machine with a run, and NAME.csv, the
// reference (reference.h).
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "method_run.h"
#include "reference.h"

#define DIRECTORY "models/benchmarks"

// Where the reference is smaller than this, errors are not related to its size (Gonzalez, Dopico,
// Lugris, Cuadrado, Multibody System Dynamics 16, 2006).
static const double threshold = 1e-3;

typedef struct benchProblem {
  cliReference reference;
  char name[FILE_PATH_LENGTH];
  artModel *model;
  artRunDef study;
  double *outputs;
  int n;
  cliMethodRun trial[TRIALS_MOST];
  double error[TRIALS_MOST];
} benchProblem;


//---- a problem -----------------------------------------------------------------------------------

// the columns of the reference among the outputs of the model
static artStatus bind_columns(benchProblem *p, artError *error)
{
  cliReference *r = &p->reference;
  for (int k = 0; k < r->columns; k++) {
    r->output[k] = -1;
    for (int i = 0; i < art_count(p->model).outputs; i++) {
      if (strcmp(art_output_name(p->model, i), r->name[k]) == 0) r->output[k] = i;
    }
    if (r->output[k] >= 0) continue;
    return file_wrong(error, r->path, "the model has no output '%s'", r->name[k]);
  }
  return ART_OK;
}


static artStatus open_problem(const cliCall *call, benchProblem *p, artError *error)
{
  // models/benchmarks/andrews.csv: the machine next to it, and the name
  char path[FILE_PATH_LENGTH];
  const char *dot = strrchr(p->reference.path, '.'), *slash = strrchr(p->reference.path, '/');
  const size_t n = (size_t) (dot - p->reference.path);
  const char *base = slash ? slash + 1 : p->reference.path;
  snprintf(path, sizeof path, "%.*s.yaml", (int) n, p->reference.path);
  snprintf(p->name, sizeof p->name, "%.*s", (int) (dot - base), base);

  artStatus status = reference_read(&p->reference, error);
  if (!status) status = art_load_model(&p->model, path, error);
  if (!status) status = cli_choose_run(call, p->model, &p->study, error);
  if (!status) status = bind_columns(p, error);
  if (status) return status;
  p->outputs = MEM_ARRAY(double, art_count(p->model).outputs + 1);
  return p->outputs ? ART_OK : base_no_memory(error);
}


// the difference in a column, related to the size of the reference where the norm does so
static double column_error(const benchProblem *p, const double *row, int k)
{
  ART_ASSERT(k >= 0 && k < p->reference.columns);
  const cliReference *r = &p->reference;
  const double error = fabs(p->outputs[r->output[k]] - row[1 + k]);
  return r->norm == NORM_LARGEST ? error : error / fmax(fabs(row[1 + k]), threshold);
}


static double follow_reference(void *context, cliMethodRun *trial)
{
  benchProblem *p = context;
  const cliReference *r = &p->reference;
  double largest = 0, squares = 0;
  for (long i = 0; i < r->rows; i++) {
    const double *row = r->value + i * (1 + r->columns);
    method_run_go(trial, row[0]);
    if (trial->error.status) return NAN;
    art_outputs(p->model, trial->data, p->outputs);
    for (int k = 0; k < r->columns; k++) {
      const double error = column_error(p, row, k);
      largest = max_nan(largest, error);
      squares += error * error;
    }
  }
  return r->norm == NORM_IFTOMM ? sqrt(squares / (double) (r->rows * r->columns)) : largest;
}


//---- telling -------------------------------------------------------------------------------------

static void report_problem(cliReport *report, const benchProblem *p)
{
  const cliReference *r = &p->reference;
  char what[64];
  json_object(report, NULL);
  json_fields(report, "name: %s, problem: %s, source: %s, norm: %s", p->name, r->problem, r->source,
              reference_norms[r->norm]);
  json_fields(report, "limit: %g, integrator: %s, step: %g, tolerance: %g", r->limit,
              art_integrator_name(p->study.integrator), p->study.step, p->study.tolerance);
  say(report, "%s%s%s: %s, %.6g s, ", cli_bold(stdout), p->name, cli_plain(stdout), r->problem,
      r->value[(r->rows - 1) * (1 + r->columns)]);
  if (report_is_text(report)) method_run_print_accuracy(&p->study);
  say(report, "  reference: %s\n", r->source);
  format_text(what, sizeof what, "error (%s, limit %.0e)", reference_norms[r->norm], r->limit);
  method_run_report_head(report, what);
  for (int k = 0; k < p->n; k++) {
    const trialFigure figure = {"error", p->error[k], p->error[k] <= r->limit, false};
    method_run_report(report, &p->trial[k], &figure);
  }
  json_end(report);
  json_end(report);
  if (!report_is_text(report)) return;
  refine_print_missed(p->n, p->trial, p->error, r->limit);
  method_run_print_reasons(p->n, p->trial);
  method_run_print_steps(p->n, p->trial);
  putchar('\n');
  fflush(stdout);
}


//---- all of them ---------------------------------------------------------------------------------

// How many lines met their limits, over all problems.
typedef struct benchTally {
  int problems, met, missed;
} benchTally;


// the usual method must do it; the others may fail and say so
static int bench_one(const cliCall *call, const char *path, benchTally *tally, cliReport *report)
{
  artError error = {0};
  benchProblem *p = mem_alloc(1, sizeof *p);
  if (!p) {
    base_no_memory(&error);
    return cli_fail(call, &error);
  }
  snprintf(p->reference.path, sizeof p->reference.path, "%s", path);
  int status = CLI_DONE;
  if (open_problem(call, p, &error)) {
    status = cli_fail(call, &error);
  } else {
    // methods whose steps are given come last: they are refined to the limit, as long as the time of the others allows
    trialWay ways[TRIALS_MOST];
    refineGoal goal = {.limit = p->reference.limit,
                       .patience = REFINE_SECONDS,
                       .follow = follow_reference,
                       .context = p};
    p->n = method_run_ways(p->model, true, ways);
    for (int k = 0; k < p->n; k++) {
      goal.budget = refine_budget(k, p->trial);
      p->error[k] = refine_trial(&p->trial[k], p->model, &p->study, ways[k], &goal);
    }
    tally->problems++;
    for (int k = 0; k < p->n; k++) {
      const bool is_met = p->error[k] <= p->reference.limit;
      tally->met += is_met;
      tally->missed += !is_met;
    }
    report_problem(report, p);
    if (!(p->error[0] <= p->reference.limit)) status = CLI_FAILED;
  }
  for (int k = 0; k < p->n; k++) method_run_close(&p->trial[k]);
  mem_free(p->outputs);
  mem_free(p->reference.text);
  mem_free(p->reference.value);
  art_free_model(p->model);
  mem_free(p);
  return status;
}


static void find_problems(const cliCall *call, glob_t *files)
{
  char pattern[FILE_PATH_LENGTH];
  const char *name = call->file ? call->file : "*";
  const bool is_path = strchr(name, '/') || strstr(name, ".csv");
  if (is_path) {
    snprintf(pattern, sizeof pattern, "%s", name);
  } else {
    snprintf(pattern, sizeof pattern, "%s/%s.csv", DIRECTORY, name);
  }
  if (glob(pattern, 0, NULL, files) == 0) return;
  cli_leave("there is no problem '%.200s'; problems are in %s of the present directory, or give "
            "the path of a reference, NAME.csv",
            name, DIRECTORY);
}


void verb_bench(cliWork *w)
{
  glob_t files = {0};
  benchTally tally = {0};
  find_problems(w->call, &files);
  cliReport report = report_begin(w->call);
  json_array(&report, "problems");
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const int one = bench_one(w->call, files.gl_pathv[i], &tally, &report);
    if (one > w->exit) w->exit = one;
  }
  json_end(&report);
  report_end(&report);
  say(&report, "%d problem%s: %d lines met their limits, %d missed them; %s\n", tally.problems,
      plural_s(tally.problems), tally.met, tally.missed,
      w->exit == CLI_DONE ? "the usual method met them all"
                          : "the usual method did not meet them all");
  globfree(&files);
}
