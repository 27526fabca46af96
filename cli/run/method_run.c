// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One method at work on a model, and its results.
#include "method_run.h"

#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "model/methods.h"
#include "model/model.h"
#include "natural/motion.h"
#include "show/certificate.h"
#include "study/run/run.h"


int method_run_ways(const artModel *m, bool has_native, trialWay ways[TRIALS_MOST])
{
  const int machine = m->nrow > 0 || m->nlatch > 0 ? METHOD_LOOPS : METHOD_TREES;
  int n = 0;
  for (int k = 1; k < MODEL_WAYS; k++) {
    const int method = model_way_at(k);
    if (!model_method_has(method, machine)) continue;
    if (m->nroll > 0 && model_method_has(method, METHOD_NATURAL)) continue;
    if (model_find_searched_roll(m) >= 0 && model_method_has(method, METHOD_COMPILED)) continue;
    if (m->nrigid > 0 && model_method_has(method, METHOD_NATURAL | METHOD_COMPILED)) continue;
    if (!has_native && model_method_has(method, METHOD_COMPILED)) continue;
    if (model_method_has(method, METHOD_REDUCED)) {
      for (int a = ART_ALGEBRA_PLAIN; a <= ART_ALGEBRA_SPARSE; a++) {
        ways[n++] = (trialWay){method, (artAlgebra) a};
      }
    } else {
      ways[n++] = (trialWay){.method = method};
    }
  }
  return n;
}


// begin at the initial state
static void method_run_open(cliMethodRun *t, const artModel *m, const artRunDef *study,
                            trialWay way)
{
  artRunDef own = *study;
  model_set_way(&own, way.method);
  own.algebra = way.algebra;
  *t = (cliMethodRun){.way = way, .study = own, .data = art_create_data(m)};
  if (!t->data) {
    base_no_memory(&t->error);
    return;
  }
  t->data->time = own.from;
  if (own.start.at_equilibrium && art_find_start(m, t->data, &own.start, NULL, NULL, &t->error)) {
    return;
  }
  (void) art_create_run(&t->run, m, t->data, &own, &t->error);
}


static void check_patience(cliMethodRun *t)
{
  const double spent = art_certify(t->run).total_time;
  if (t->patience > 0 && spent > t->patience) {
    base_fail(&t->error, ART_NO_CONVERGENCE, base_nowhere(), "given up at %.6g s, after %.0f s",
              t->data->time, spent);
  }
}


void method_run_go(cliMethodRun *t, double time)
{
  if (t->error.status) return;
  if (art_run_to(t->run, time, &t->error) == ART_OK) check_patience(t);
}


void method_run_next(cliMethodRun *t)
{
  if (t->error.status) return;
  if (art_run_next(t->run, &t->study, &t->error) == ART_OK) check_patience(t);
}


void method_run_close(cliMethodRun *t)
{
  art_free_run(t->run);
  art_free_data(t->data);
  t->run = NULL;
  t->data = NULL;
}


static artCertificate certificate_of(const cliMethodRun *t)
{
  return t->run ? art_certify(t->run) : (artCertificate){0};
}


//---- telling -------------------------------------------------------------------------------------

// "semirecursive, dense", perhaps in the given room
static const char *method_run_name(const cliMethodRun *t, char name[TRIAL_NAME_LENGTH])
{
  const char *method = model_way_name(t->way.method);
  if (t->way.algebra == ART_ALGEBRA_AUTOMATIC) return method;
  snprintf(name, TRIAL_NAME_LENGTH, "%s, %s", method, art_algebra_name(t->way.algebra));
  return name;
}


artJudgement method_run_judge(const cliMethodRun *t)
{
  const artCertificate c = certificate_of(t);
  return art_judge(&c, &t->error);
}


void method_run_report_head(cliReport *report, const char *what)
{
  json_array(report, "methods");
  say(report, "  %-21s %10s %12s %9s %9s %9s %9s  %s\n", "method", "time", "evaluations", "gap",
      "rate", "accel", "energy", what);
}


void method_run_report(cliReport *report, const cliMethodRun *t, const trialFigure *figure)
{
  char elapsed[CLI_DURATION_LENGTH], name[TRIAL_NAME_LENGTH];
  const artCertificate c = certificate_of(t);
  const artJudgement judgement = method_run_judge(t);
  say(report, "  %-21s %10s %12ld %9.1e %9.1e %9.1e %9.1e  ", method_run_name(t, name),
      cli_duration(c.total_time, elapsed), c.evaluations, c.position_residual, c.velocity_residual,
      c.acceleration_residual, c.energy_error);
  if (t->error.status) say(report, "%-10s  ", "-");
  if (!t->error.status) say(report, "%-10.1e  ", figure->value);
  if (figure->has_verdict) say(report, "%-8s  ", art_verdict_name(judgement.verdict));
  say(report, "%s\n", figure->is_met ? "met" : "missed");

  json_object(report, NULL);
  json_text(report, "method", model_way_name(t->way.method));
  if (t->way.algebra != ART_ALGEBRA_AUTOMATIC) {
    json_text(report, "algebra", art_algebra_name(t->way.algebra));
  }
  json_fields(report, "finished: %i, time: %g, wall_time: %g, steps: %ld, longest_step: %g",
              t->error.status == ART_OK, c.time, c.total_time, c.steps, c.longest_step);
  json_fields(report, "evaluations: %ld, position_residual: %g, velocity_residual: %g",
              c.evaluations, c.position_residual, c.velocity_residual);
  json_fields(report, "acceleration_residual: %g, energy_error: %g, energy_scale: %g",
              c.acceleration_residual, c.energy_error, c.energy_scale);
  if (t->error.status) error_write(report, "error", &t->error, NULL);
  certificate_write_verdict(report, &judgement);
  json_number(report, figure->key, figure->value);
  json_bool(report, "within_limit", figure->is_met);
  json_end(report);
}


void method_run_print_steps(int n, const cliMethodRun *trials)
{
  const char *comma = "  longest steps in natural coordinates:";
  for (int k = 0; k < n; k++) {
    if (!model_method_has(trials[k].way.method, METHOD_NATURAL)) continue;
    format_stream(stdout, "%s %s %.3g s", comma, model_way_name(trials[k].way.method),
                  certificate_of(&trials[k]).longest_step);
    comma = ",";
  }
  printf("\n");
}


void method_run_print_reasons(int n, const cliMethodRun *trials)
{
  for (int k = 0; k < n; k++) {
    const artJudgement j = method_run_judge(&trials[k]);
    char name[TRIAL_NAME_LENGTH];
    for (int i = 0; i < j.reasons; i++) {
      printf("  %s, %s: %s\n", method_run_name(&trials[k], name), art_verdict_name(j.verdict),
             j.reason[i]);
    }
  }
}


void method_run_print_accuracy(const artRunDef *study)
{
  printf("%s, ", art_run_integrator_name(study));
  if (art_integrator_is_fixed(study->integrator))
    format_stream(stdout, "step %.6g s\n", study->step);
  if (!art_integrator_is_fixed(study->integrator))
    format_stream(stdout, "tolerance %.3g\n", study->tolerance);
}


//---- comparisons at equal error ------------------------------------------------------------------

// Errors of order p shrink with h^p: the next step follows from the error of the last, or from the time that is left.

enum { MAX_ROUNDS = 12 };

// the next step against the last one: no shorter, for errors of long steps tell little; no longer
static const double SHORTEST = 0.1, LONGEST = 0.5;


double refine_budget(int n, const cliMethodRun *trials)
{
  double least = HUGE_VAL;
  for (int k = 0; k < n; k++) {
    if (trials[k].error.status) continue;
    least = fmin(least, art_certify(trials[k].run).total_time);
  }
  return isfinite(least) ? fmin(REFINE_TIMES * least, REFINE_SECONDS) : 0;
}


// Steps `ratio` times as long. Those of multi-index go with the root of its limits of energy and of local errors, and where
// these do not bind them they have a longest one, which the first step may not exceed.
static void scale_trial_steps(artRunDef *study, int way, double longest, double ratio)
{
  const motionOptions usual = motion_default_options();
  if (model_method_has(way, METHOD_STEERED)) {
    artSteering *steering = &study->steering;
    if (study->energy_upper == 0 && steering->local == 0) steering->local = natural_local(study);
    if (study->energy_upper == 0) study->energy_upper = usual.upper;
    if (study->energy_lower == 0) study->energy_lower = usual.lower;
    study->energy_upper *= ratio * ratio;
    study->energy_lower *= ratio * ratio;
    steering->local *= ratio * ratio;
    steering->longest = study->step = ratio * longest;
  } else {
    study->step = ratio * (study->step > 0 ? study->step : longest);
  }
}


// how much shorter the next steps are, with a margin; 0: there is no time for any
static double next_ratio(const cliMethodRun *t, double error, const refineGoal *goal)
{
  const double spent = art_certify(t->run).total_time,
               order = model_method_has(t->way.method, METHOD_NATURAL) ? 2 : 4;
  const double wanted = isnan(error) ? 0.25 : 0.8 * pow(goal->limit / error, 1 / order);
  const double ratio = fmax(SHORTEST, fmin(LONGEST, wanted));
  const double affordable = spent / goal->budget;
  if (affordable > 0.8) return 0;
  return fmax(ratio, affordable);
}


static double run_once(cliMethodRun *t, const artModel *m, const artRunDef *study, trialWay way,
                       const refineGoal *goal, double patience)
{
  method_run_open(t, m, study, way);
  t->patience = patience;
  return t->error.status ? NAN : goal->follow(goal->context, t);
}


double refine_trial(cliMethodRun *trial, const artModel *m, const artRunDef *study, trialWay way,
                    const refineGoal *goal)
{
  artRunDef own = *study;
  double error = run_once(trial, m, &own, way, goal, goal->patience);
  // steps of other methods are not given, by a length or by limits of energy
  const bool is_given =
      model_method_has(way.method, METHOD_NATURAL) || art_integrator_is_fixed(study->integrator);
  if (!(goal->budget > 0) || !is_given) return error;
  for (int round = 0; round < MAX_ROUNDS && !(error <= goal->limit) && trial->run; round++) {
    const double ratio = next_ratio(trial, error, goal);
    if (ratio == 0) break;
    scale_trial_steps(&own, way.method, art_certify(trial->run).longest_step, ratio);
    cliMethodRun next;
    const double now = run_once(&next, m, &own, way, goal, 2 * goal->budget);
    const bool is_better = now < error || isnan(error);
    cliMethodRun *worse = is_better ? trial : &next;
    method_run_close(worse);
    if (!is_better) break;
    *trial = next;
    error = now;
  }
  return error;
}


void refine_print_missed(int n, const cliMethodRun *trials, const double *error, double limit)
{
  int missed = 0;
  for (int k = 0; k < n; k++) {
    char name[TRIAL_NAME_LENGTH];
    if (error[k] <= limit) continue;
    printf("%s%s", missed++ > 0 ? ", " : "  missed: ", method_run_name(&trials[k], name));
  }
  if (missed == 0) return;
  printf("; steps that are given were refined up to %d times the time of the quickest method, or "
         "%d s\n",
         REFINE_TIMES, REFINE_SECONDS);
}
