// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula compare: every method that applies to a model, side by side.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "method_run.h"
#include "model/methods.h"

// Coordinates of methods in natural coordinates that differ by more from the coordinates of the first, m or rad, have their steps
// refined: what accuracy costs is only seen at equal accuracy.
static const double usual_limit = 1e-3;

typedef struct comparison {
  const artModel *model;
  artRunDef study;
  double limit;
  int n;
  cliMethodRun trial[TRIALS_MOST];
  double difference[TRIALS_MOST]; // largest of a coordinate against the first method, m or rad
  double *first;   // [room (1 + nq)] time and coordinates of the first method at its rows
  int known, room; // rows it has reached
  bool is_shown;   // progress
  bool has_native; // compiled equations are compared, too
} comparison;


static double *comparison_row_of(const comparison *c, int row)
{
  ART_ASSERT(row >= 0);
  return c->first + (size_t) row * (size_t) (1 + art_count(c->model).nq);
}


static void keep_comparison_row(comparison *c, cliMethodRun *trial)
{
  const size_t nq = (size_t) art_count(c->model).nq, size = (1 + nq) * sizeof *c->first;
  if (!mem_grow((void **) &c->first, c->known, &c->room, size)) {
    base_no_memory(&trial->error);
    return;
  }
  double *row = comparison_row_of(c, c->known++);
  row[0] = trial->data->time;
  memcpy(row + 1, trial->data->q, nq * sizeof *row);
}


static double difference_at(const comparison *c, const cliMethodRun *trial, int row)
{
  double most = 0;
  for (int i = 0; i < art_count(c->model).nq && row < c->known; i++) {
    most = max_nan(most, fabs(trial->data->q[i] - comparison_row_of(c, row)[1 + i]));
  }
  return most;
}


// The first method goes from row to row as `run` does, close enough for what its steps resolve, and what it comes to
// is kept; the others go through the same instants and are held against it.
static double follow_comparison(void *context, cliMethodRun *trial)
{
  comparison *c = context;
  const bool is_first = trial == &c->trial[0];
  double most = 0;
  cliProgress progress = progress_begin(c->is_shown, c->study.from, c->study.from, c->study.until);
  for (int row = 0; row == 0 || trial->data->time < c->study.until; row++) {
    if (row == 0) {
      method_run_go(trial, c->study.from);
    } else if (row < c->known) {
      method_run_go(trial, comparison_row_of(c, row)[0]);
    } else {
      method_run_next(trial);
    }
    progress_show(&progress, trial->data->time);
    if (!trial->error.status && is_first) keep_comparison_row(c, trial);
    if (trial->error.status) break;
    most = max_nan(most, difference_at(c, trial, row));
  }
  progress_end(&progress);
  return trial->error.status ? NAN : most;
}


static void report_comparison(const cliCall *call, const comparison *c)
{
  const artRunDef *study = &c->study;
  char head[64];
  cliReport report = report_begin(call);
  json_fields(&report, "file: %s, integrator: %s, step: %g, tolerance: %g", call->file,
              art_integrator_name(study->integrator), study->step, study->tolerance);
  json_fields(&report, "from: %g, until: %g, limit: %g", study->from, study->until, c->limit);
  if (report_is_text(&report)) {
    cli_print_title(call, art_title(c->model));
    format_stream(stdout, ": %.6g s, ", study->until - study->from);
    method_run_print_accuracy(study);
  }
  format_text(head, sizeof head, "difference  verdict   (limit %.0e)", c->limit);
  method_run_report_head(&report, head);
  for (int k = 0; k < c->n; k++) {
    const trialFigure figure = {"difference", c->difference[k], c->difference[k] <= c->limit, true};
    method_run_report(&report, &c->trial[k], &figure);
  }
  json_end(&report);
  report_end(&report);
  if (!report_is_text(&report)) return;
  refine_print_missed(c->n, c->trial, c->difference, c->limit);
  method_run_print_steps(c->n, c->trial);
  method_run_print_reasons(c->n, c->trial);
  printf(
      "  gap, rate, accel: how far loops are open, m or rad, and its derivatives; energy: largest\n"
      "  error of the balance, J; difference: of coordinates against the first method, m or rad\n");
}


static int judge_comparison(const cliCall *call, const comparison *c)
{
  int status = CLI_DONE;
  for (int k = 0; k < c->n; k++) {
    const artVerdict verdict = method_run_judge(&c->trial[k]).verdict;
    if (verdict == ART_VERDICT_FAILED) status = CLI_FAILED;
    if (call->strict && verdict != ART_VERDICT_GOOD) status = CLI_FAILED;
  }
  return status;
}


void verb_compare(cliWork *w)
{
  const cliCall *call = w->call;
  comparison c = {.model = w->model, .study = w->study.run};
  c.limit = isnan(call->limit) ? usual_limit : call->limit;
  c.is_shown = !call->json && !call->quiet;
  c.has_native = !call->no_native;
  trialWay ways[TRIALS_MOST];
  refineGoal goal = {.limit = c.limit, .follow = follow_comparison, .context = &c};
  c.n = method_run_ways(c.model, c.has_native, ways);
  for (int k = 0; k < c.n && (k == 0 || c.trial[0].run); k++) {
    // the first one has the same steps as the others of its kind, which have nothing to be refined against
    goal.budget = model_method_has(ways[k].method, METHOD_NATURAL) ? refine_budget(k, c.trial) : 0;
    c.difference[k] = refine_trial(&c.trial[k], c.model, &c.study, ways[k], &goal);
  }

  // an obstacle to the first method is one to all
  const bool has_begun = c.trial[0].run;
  if (has_begun) report_comparison(call, &c);
  w->exit = has_begun ? judge_comparison(call, &c) : cli_refuse(call, &c.trial[0].error);
  for (int k = 0; k < c.n; k++) method_run_close(&c.trial[k]);
  mem_free(c.first);
}
