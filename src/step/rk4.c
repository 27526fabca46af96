// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps of given length on the fixed grid t0 + k step, or on one with equal steps to a stop: the classical Runge-Kutta method
// of order 4, and steps of the problem itself, of order one.
//
// A given step has no error control. Now and then a step is taken a second time in two halves: by Richardson's extrapolation
// (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4) its error of order p is 2^p / (2^p - 1)
// of the difference. Steps in between count like the ones that were compared.
#include <math.h>
#include <string.h>

#include "step/runge_kutta.h"
#include "step/stepper.h"

// arrays of s->work: rates, scratch; y in two halves of a step and the rates between them, y at the start, errors
enum { K1, SPACE, HALVES = SPACE + 3, K_MIDDLE, Y_START, EXTENT, ERROR, ARRAYS };

// Most steps from one comparison to the next: seven evaluations more in four times this. In the beginning there are fewer,
// a quarter of those so far.
enum { COMPARED = 64 };


static double grid_time(const stepper *s, long k)
{
  const stepState *st = &s->state;
  return k == st->last && k > 0 ? st->stop : st->t0 + (double) k * st->pace;
}


// a new grid from here; rounding makes no step more of a whole number of them
static void grid_stop(stepper *s)
{
  ART_ASSERT(s->options.step > 0);
  stepState *st = &s->state;
  const double way = st->stop - st->t_new, steps = ceil(way / s->options.step * (1 - 1e-9));
  st->t0 = st->t_new;
  st->index = 0;
  st->last = isfinite(st->stop) ? (long) fmax(steps, 1) : 0;
  st->pace = isfinite(st->stop) ? way / (double) st->last : s->options.step;
}


static int leaps(const stepper *s)
{
  return s->options.method == STEP_MOREAU;
}


// rates where steps begin with them
static int start_rate(stepper *s, double t, const double *y, double *k)
{
  return !leaps(s) && step_rate(s, t, y, k);
}


// one step of length h from y at t, whose rates are k
static int take_step(stepper *s, double t, double h, const double *y, const double *k, double *end)
{
  if (!leaps(s)) {
    return rk4_step(step_rates, s, s->problem.n, t, h, y, k, end, step_array(s, SPACE));
  }
  s->state.counts.evaluations++;
  const artStatus status = s->problem.leap(s->problem.context, t, h, y, end);
  if (status) s->failure = (stepFailure){status, t, -1};
  for (int i = 0; i < s->problem.n && !status; i++) {
    if (isfinite(end[i])) continue;
    s->failure = (stepFailure){ART_NO_CONVERGENCE, t, i};
    return (int) ART_NO_CONVERGENCE;
  }
  return (int) status;
}


static artStatus step_from_start(stepper *s, double h, double *y, artError *error)
{
  const int failed = take_step(s, s->state.t_old, h, s->y_old, step_array(s, K1), y);
  return failed ? step_rate_failed(s, error) : ART_OK;
}


//---- errors --------------------------------------------------------------------------------------

// The step from y_old, whose rates are in K1, in two halves; 0: they fail, which says nothing about the whole.
static int take_halves(stepper *s, double h)
{
  const double t = s->state.t_old;
  const stepFailure before = s->failure;
  double *y = step_array(s, HALVES), *middle = step_array(s, K_MIDDLE);
  const int failed = take_step(s, t, h / 2, s->y_old, step_array(s, K1), y) ||
                     start_rate(s, t + h / 2, y, middle) ||
                     take_step(s, t + h / 2, h / 2, y, middle, y);
  if (failed) s->failure = before;
  return !failed;
}


// the step that ends at y_new has the error of all since the last comparison
static void add_errors(stepper *s)
{
  stepState *st = &s->state;
  const double factor = leaps(s) ? 2 : 16.0 / 15;
  const double steps = (double) (st->counts.steps + 1 - st->compared);
  const double *halves = step_array(s, HALVES), *start = step_array(s, Y_START);
  double *extent = step_array(s, EXTENT), *sum = step_array(s, ERROR);
  for (int k = 0; k < s->problem.n; k++) {
    extent[k] = fmax(extent[k], fabs(s->y_new[k] - start[k]));
    sum[k] += steps * factor * fabs(halves[k] - s->y_new[k]);
  }
  st->compared = st->counts.steps + 1;
}


const double *step_errors(const stepper *s, const double **extent)
{
  if (!step_is_given(&s->options)) return NULL;
  *extent = step_array(s, EXTENT);
  return step_array(s, ERROR);
}


//---- steps ---------------------------------------------------------------------------------------

// to the next point of the grid; after an event that step is a shorter one
static artStatus grid_attempt(stepper *s, artError *error)
{
  stepState *st = &s->state;
  while (grid_time(s, st->index + 1) <= st->t_old) {
    if (grid_time(s, st->index + 1) <= grid_time(s, st->index)) {
      return step_too_small(s, st->pace, error);
    }
    st->index++;
  }
  const int on_grid = st->t_old == grid_time(s, st->index);
  st->t_end = grid_time(s, st->index + 1);
  st->span = on_grid ? st->pace : st->t_end - st->t_old;

  if (start_rate(s, st->t_old, s->y_old, step_array(s, K1))) return step_rate_failed(s, error);
  const long since = st->counts.steps - st->compared;
  const size_t bytes = (size_t) s->problem.n * sizeof(double);
  if (st->counts.steps == 0) memcpy(step_array(s, Y_START), s->y_old, bytes);
  const int is_due =
      on_grid && since >= (st->counts.steps < 4 * COMPARED ? st->counts.steps / 4 : COMPARED);
  const int is_compared = is_due && take_halves(s, st->span);
  const artStatus status = step_from_start(s, st->span, s->y_new, error);
  if (!status && is_compared) add_errors(s);
  return status;
}


// a side step from the start of the segment, which does not disturb the grid
static artStatus rk4_dense(stepper *s, double t, double *y, artError *error)
{
  return step_from_start(s, t - s->state.t_old, y, error);
}


// the line from one end of the last attempt to the other: contacts move no further than in the whole step
static artStatus moreau_dense(stepper *s, double t, double *y, artError *error)
{
  (void) error;
  const stepState *st = &s->state;
  const double part = (t - st->t_old) / st->span;
  for (int k = 0; k < s->problem.n; k++) {
    y[k] = s->y_old[k] + part * (s->y_new[k] - s->y_old[k]);
  }
  return ART_OK;
}


// y in the middle of the cubic through both ends of the last attempt, with the rates of its last stage at the end,
//   y = (y0 + y1)/2 + h/8 (k1 - k4)
static void rk4_middle(const stepper *s, double *y)
{
  const double *k1 = step_array(s, K1), *k4 = step_array(s, SPACE);
  const double h = s->state.t_end - s->state.t_old;
  for (int k = 0; k < s->problem.n; k++) {
    y[k] = 0.5 * (s->y_old[k] + s->y_new[k]) + h / 8 * (k1[k] - k4[k]);
  }
}


const stepKind step_rk4 = {.name = "rk4",
                           .arrays = ARRAYS,
                           .settles = 1,
                           .attempt = grid_attempt,
                           .dense = rk4_dense,
                           .middle = rk4_middle,
                           .stop = grid_stop};

const stepKind step_moreau = {.name = "moreau",
                              .arrays = ARRAYS,
                              .settles = 1,
                              .attempt = grid_attempt,
                              .dense = moreau_dense,
                              .stop = grid_stop};
