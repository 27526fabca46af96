// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A comparison at equal error. Errors of order p shrink with h^p: the next step follows from the error of the last,
// or from the time that is left.
#include "refine.h"

#include <math.h>
#include <stdio.h>

#include "model/methods.h"
#include "natural/motion.h"
#include "study/run.h"

enum { MOST_ROUNDS = 12 };

// the next step against the last one: no shorter, for errors of long steps tell little; no longer
static const double SHORTEST = 0.1, LONGEST = 0.5;


bool refine_is_possible(const artRunDef *study, int way)
{
  return model_method_has(way, METHOD_NATURAL) || study->integrator == ART_RK4;
}


double refine_budget(int n, const cliTrial *trials)
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
static void shorten(artRunDef *study, int way, double longest, double ratio)
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
static double next_ratio(const cliTrial *t, double error, const refineGoal *goal)
{
  const double spent = art_certify(t->run).total_time,
               order = model_method_has(t->way.method, METHOD_NATURAL) ? 2 : 4;
  const double wanted = isnan(error) ? 0.25 : 0.8 * pow(goal->limit / error, 1 / order);
  const double ratio = fmax(SHORTEST, fmin(LONGEST, wanted));
  const double affordable = spent / goal->budget;
  if (affordable > 0.8) return 0;
  return fmax(ratio, affordable);
}


static double run_once(cliTrial *t, const artModel *m, const artRunDef *study, trialWay way,
                       const refineGoal *goal, double patience)
{
  trial_open(t, m, study, way);
  t->patience = patience;
  return t->error.status ? NAN : goal->follow(goal->context, t);
}


double refine_trial(cliTrial *trial, const artModel *m, const artRunDef *study, trialWay way,
                    const refineGoal *goal)
{
  artRunDef own = *study;
  double error = run_once(trial, m, &own, way, goal, goal->patience);
  if (!(goal->budget > 0) || !refine_is_possible(study, way.method)) return error;
  for (int round = 0; round < MOST_ROUNDS && !(error <= goal->limit) && trial->run; round++) {
    const double ratio = next_ratio(trial, error, goal);
    if (ratio == 0) break;
    shorten(&own, way.method, art_certify(trial->run).longest_step, ratio);
    cliTrial next;
    const double now = run_once(&next, m, &own, way, goal, 2 * goal->budget);
    const bool is_better = now < error || isnan(error);
    cliTrial *worse = is_better ? trial : &next;
    trial_close(worse);
    if (!is_better) break;
    *trial = next;
    error = now;
  }
  return error;
}


void refine_print_missed(int n, const cliTrial *trials, const double *error, double limit)
{
  int missed = 0;
  for (int k = 0; k < n; k++) {
    char name[TRIAL_NAME_LENGTH];
    if (error[k] <= limit) continue;
    printf("%s%s", missed++ > 0 ? ", " : "  missed: ", trial_name(&trials[k], name));
  }
  if (missed == 0) return;
  printf("; steps that are given were refined up to %d times the time of the quickest method, or "
         "%d s\n",
         REFINE_TIMES, REFINE_SECONDS);
}
