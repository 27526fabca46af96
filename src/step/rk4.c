// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The classical Runge-Kutta method of order 4 on the fixed grid t0 + k step, or on one with equal steps to a stop.
#include <math.h>

#include "step/runge_kutta.h"
#include "step/stepper.h"

// arrays of s->work
enum { K1, SPACE, ARRAYS = SPACE + 3 };


static double rk4_grid_time(const stepper *s, long k)
{
  const stepState *st = &s->state;
  return k == st->last && k > 0 ? st->stop : st->t0 + (double) k * st->pace;
}


// a new grid from here; rounding makes no step more of a whole number of them
static void rk4_stop(stepper *s)
{
  ART_ASSERT(s->options.step > 0);
  stepState *st = &s->state;
  const double way = st->stop - st->t_new, steps = ceil(way / s->options.step * (1 - 1e-9));
  st->t0 = st->t_new;
  st->index = 0;
  st->last = isfinite(st->stop) ? (long) fmax(steps, 1) : 0;
  st->pace = isfinite(st->stop) ? way / (double) st->last : s->options.step;
}


// one step of length h from (t_old, y_old), whose rates stand in K1
static artStatus runge_kutta(stepper *s, double h, double *y, artError *error)
{
  const int failed = rk4_step(step_rates, s, s->problem.n, s->state.t_old, h, s->y_old,
                              step_array(s, K1), y, step_array(s, SPACE));
  return failed ? step_rate_failed(s, error) : ART_OK;
}


// to the next point of the grid; after an event that step is a shorter one
static artStatus rk4_attempt(stepper *s, artError *error)
{
  stepState *st = &s->state;
  while (rk4_grid_time(s, st->index + 1) <= st->t_old) {
    if (rk4_grid_time(s, st->index + 1) <= rk4_grid_time(s, st->index)) {
      return step_too_small(s, st->pace, error);
    }
    st->index++;
  }
  const int on_grid = st->t_old == rk4_grid_time(s, st->index);
  st->t_end = rk4_grid_time(s, st->index + 1);
  st->span = on_grid ? st->pace : st->t_end - st->t_old;

  if (step_rate(s, st->t_old, s->y_old, step_array(s, K1))) return step_rate_failed(s, error);
  return runge_kutta(s, st->span, s->y_new, error);
}


// a side step from the start of the segment, which does not disturb the grid
static artStatus rk4_dense(stepper *s, double t, double *y, artError *error)
{
  return runge_kutta(s, t - s->state.t_old, y, error);
}


const stepKind step_rk4 = {.name = "rk4",
                           .arrays = ARRAYS,
                           .settles = 1,
                           .attempt = rk4_attempt,
                           .dense = rk4_dense,
                           .stop = rk4_stop};
