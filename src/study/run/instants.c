// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The instants of a run's rows: every interval, or where none is given as close as the steps.
#include <limits.h>
#include <math.h>

#include "base/arithmetic.h"
#include "base/clock.h"
#include "base/error.h"
#include "study/run/run.h"

// without an interval there are no more rows than this
#define MAX_ROWS 200000

// rad; no coordinate turns further from row to row, however long the steps are in which it does so evenly
#define WIDEST_TURN 0.3

//---- known beforehand ----------------------------------------------------------------------------


static int has_fixed_steps(const artRunDef *study)
{
  return art_integrator_is_fixed(study->integrator) && study->step > 0 &&
         !art_method_is_natural(study->method);
}


// the smallest 2^k steps that make no more than all rows
static double thin_out_rows(double step, double duration)
{
  const double most = duration / (MAX_ROWS * step);
  return step * (most > 1 ? exp2(ceil(log2(most))) : 1);
}


// a hundredth, or fixed steps where they are shorter
static double interval_of(const artRunDef *study)
{
  if (study->interval > 0) return study->interval;
  const double duration = study->until - study->from, usual = duration / 100;
  if (!has_fixed_steps(study) || study->step >= usual) return usual;
  return thin_out_rows(study->step, duration);
}


double output_fixed_interval(const artRunDef *study)
{
  const double duration = study->until - study->from;
  if (output_is_known(study) || !(duration > 0)) return interval_of(study);
  return thin_out_rows(fmin(1e-3, duration / 1000), duration);
}


long art_output_count(const artRunDef *study)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(study, 0);
  const double duration = study->until - study->from;
  if (!(duration > 0)) return 1;

  // a last interval shorter than a millionth of the others is rounding
  const double count = ceil(duration / interval_of(study) - 1e-6);
  return count < (double) (LONG_MAX / 2) ? (long) count + 1 : LONG_MAX;
}


double art_output_time(const artRunDef *study, long k)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(study, NAN);
  if (k <= 0) return study->from;
  if (k >= art_output_count(study) - 1) return study->until;
  return study->from + (double) k * interval_of(study);
}


int output_is_known(const artRunDef *study)
{
  return study->interval > 0 || has_fixed_steps(study);
}


//---- as the steps have it ------------------------------------------------------------------------

// from + k digit 10^power
typedef struct outputGrid {
  double digit;
  int power;
} outputGrid;


// the widest of 1, 2, 5 times a power of ten that is not wider than a length
static outputGrid grid_within(double length)
{
  const double room = length * (1 + 1e-9);
  const int power = (int) floor(log10(room));
  const double mantissa = room / pow(10, power);
  return (outputGrid){mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1, power};
}


static double grid_point(outputGrid g, double from, double k)
{
  return from + (g.power < 0 ? k * g.digit / pow(10, -g.power) : k * g.digit * pow(10, g.power));
}


// the first point after `time` and not before `begin`
static double grid_next(outputGrid g, double from, double time, double begin)
{
  const double width = g.digit * pow(10, g.power);
  const double before = floor((fmax(time, begin) - from) / width) - 1;
  for (int i = 1; i <= 4; i++) {
    const double t = grid_point(g, from, before + i);
    if (t >= begin && t > time + 1e-9 * width) return t;
  }
  return HUGE_VAL; // so far from the origin of the grid that rounding swallows its width
}


// the instant that a step from `begin` of this length asks for
static double instant_in(const artRun *run, const artRunDef *study, double begin, double length)
{
  // 2.5 bounds the ratio of neighbouring widths, so that MAX_ROWS holds
  const double least = 2.5 * (study->until - study->from) / MAX_ROWS;
  const outputGrid g = grid_within(fmax(length, least));
  const double t = grid_next(g, study->from, run->time, begin);
  const double rounding = 1e-6 * g.digit * pow(10, g.power);
  return t > study->until - rounding ? study->until : t;
}


double run_widest(const artRun *run)
{
  // the time in which the quickest of the turning coordinates goes on by WIDEST_TURN
  double quickest = 0;
  for (int k = 0; k < run->m->tree.nv; k++) {
    if (run->m->velocity[k].dimension.m == 0) quickest = fmax(quickest, fabs(run->d->v[k]));
  }
  const double turn = WIDEST_TURN / quickest;
  return run->engine->next_step ? fmin(turn, run->engine->next_step(run)) : turn;
}


// In every step lie the points of the widest grid that is not wider than the step, nor than what the
// state at the last row allows: an instant depends on steps and states, which do not depend on the
// instants.
static artStatus find_instant(artRun *run, const artRunDef *study, double widest, double *t)
{
  for (;;) {
    const double begin = step_begin(run->stepper), end = step_time(run->stepper);
    if (end > begin) {
      *t = instant_in(run, study, begin, fmin(widest, end - begin));
      if (*t <= end) return ART_OK;
    }
    if (run_pauses(run)) return ART_STOPPED;
    step_stop(run->stepper, run_stop(run));
    const artStatus status =
        end < run->instant ? step_once(run->stepper, NULL) : run_pass_instant(run, end, NULL);
    if (status != ART_OK) return status;
  }
}


static double known_instant(const artRun *run, const artRunDef *study)
{
  const double passed = (run->time - study->from) / interval_of(study);
  if (!(fabs(passed) < 1e15)) return study->until;
  return art_output_time(study, (long) floor(passed + 1e-6) + 1);
}


static artStatus check_run_times(const artRunDef *study, artError *error)
{
  const double interval = study->interval;
  if (isfinite(study->from) && isfinite(study->until) && isfinite(interval) && interval >= 0) {
    return ART_OK;
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the study lasts from %g s until %g s with an interval of %g s, expected finite "
                   "numbers",
                   study->from, study->until, interval);
}


artStatus art_run_next(artRun *run, const artRunDef *study, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(run && study, error);
  if (check_run_times(study, error) != ART_OK) return ART_BAD_INPUT;
  const double start = base_now(), widest = run->row.is_kept ? run->row.widest : run_widest(run);
  double t = study->until;
  artStatus status = run_leave_row(run, error);
  if (status == ART_OK) status = run_begin_hold(run, run->time, error);
  if (status != ART_OK) return status;
  run->failure.status = ART_OK;
  if (run->time >= study->until) return art_run_to(run, run->time, error);
  if (output_is_known(study)) {
    t = known_instant(run, study);
  } else if (!run->stepper) {
    t = instant_in(run, study, run->time, widest);
  } else {
    status = find_instant(run, study, widest, &t);
    if (run->is_between) return run_pause(run, start, error);

    // a failure is met once more, and told, on the way to the end
    if (status != ART_OK) t = study->until;
  }
  return run_to_since(run, t, start, error);
}
