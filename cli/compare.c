// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula compare: every method that applies to a model, side by side.
#include <math.h>

#include "base/error.h"
#include "base/larger.h"
#include "command.h"
#include "progress.h"
#include "trial.h"

typedef struct comparison {
  const artModel *model;
  artStudyDef study;
  int n;
  cliTrial trial[TRIALS_MOST];
  double difference[TRIALS_MOST]; // largest of a coordinate against the first method, m or rad
} comparison;


static void measure(comparison *c)
{
  const double *first = c->trial[0].data->q;
  for (int k = 1; k < c->n; k++) {
    if (c->trial[0].error.status || c->trial[k].error.status) continue;
    const double *q = c->trial[k].data->q;
    for (int i = 0; i < art_count(c->model).nq; i++) {
      c->difference[k] = base_larger(c->difference[k], fabs(q[i] - first[i]));
    }
  }
}


// all methods from one output instant to the next, side by side
static void advance(comparison *c, cliProgress *progress)
{
  const long rows = art_output_count(&c->study);
  for (long row = 0; row < rows; row++) {
    const double t = art_output_time(&c->study, row);
    for (int k = 0; k < c->n; k++) trial_go(&c->trial[k], t);
    measure(c);
    progress_show(progress, t);
  }
}


static void print_comparison(const cliCall *call, const comparison *c)
{
  const char *title = art_title(c->model);
  printf("%s%s%s: %.6g s, %s, ", cli_bold(stdout), title[0] ? title : call->file, cli_plain(stdout),
         c->study.until - c->study.from, art_integrator_name(c->study.integrator));
  if (c->study.integrator == ART_RK4) {
    printf("step %.6g s\n", c->study.step);
  } else {
    printf("tolerance %.3g\n", c->study.tolerance);
  }
  trial_print_head("difference  verdict");
  for (int k = 0; k < c->n; k++) {
    trial_print(&c->trial[k], c->difference[k],
                art_verdict_name(trial_judge(&c->trial[k]).verdict));
  }
  trial_print_steps(c->n, c->trial);
  trial_print_reasons(c->n, c->trial);
  printf(
      "  gap, rate, accel: how far loops are open, m or rad, and its derivatives; energy: largest\n"
      "  error of the balance, J; difference: of coordinates against the first method, m or rad\n");
}


static void write_comparison(const cliCall *call, const comparison *c)
{
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_text(&json, "file", call->file);
  json_text(&json, "integrator", art_integrator_name(c->study.integrator));
  json_number(&json, "step", c->study.step);
  json_number(&json, "tolerance", c->study.tolerance);
  json_number(&json, "from", c->study.from);
  json_number(&json, "until", c->study.until);
  json_array(&json, "methods");
  for (int k = 0; k < c->n; k++) {
    json_object(&json, NULL);
    trial_write(&c->trial[k], &json);
    json_number(&json, "difference", c->difference[k]);
    json_end(&json);
  }
  json_end(&json);
  json_end(&json);
}


static int compare(const cliCall *call, comparison *c)
{
  trialWay ways[TRIALS_MOST];
  c->n = trial_ways(c->model, ways);
  for (int k = 0; k < c->n; k++) trial_open(&c->trial[k], c->model, &c->study, ways[k]);

  // what stands in the way of the first method stands in the way of all
  int status = CLI_DONE;
  if (c->trial[0].error.status) {
    status = cli_refuse(call, &c->trial[0].error);
  } else {
    cliProgress progress =
        progress_begin(!call->json && !call->quiet, c->study.from, c->study.from, c->study.until);
    advance(c, &progress);
    progress_end(&progress);
    if (call->json) {
      write_comparison(call, c);
    } else {
      print_comparison(call, c);
    }
    for (int k = 0; k < c->n; k++) {
      const artVerdict verdict = trial_judge(&c->trial[k]).verdict;
      if (verdict == ART_VERDICT_FAILED) status = CLI_FAILED;
      if (call->strict && verdict != ART_VERDICT_GOOD) status = CLI_FAILED;
    }
  }
  for (int k = 0; k < c->n; k++) trial_close(&c->trial[k]);
  return status;
}


int verb_compare(const cliCall *call)
{
  artModel *model = NULL;
  artError error = {0};
  comparison c = {0};
  int status = cli_load(call, &model, NULL);
  if (status) return status;

  c.model = model;
  if (cli_choose_study(call, model, ART_RUN, &c.study, &error)) {
    status = cli_fail(call, &error);
  } else {
    status = compare(call, &c);
  }
  art_free_model(model);
  return status;
}
