// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The classical Runge-Kutta method of order 4 on the fixed grid t0 + k step.
#include <string.h>

#include "step/stepper.h"

// arrays of s->work
enum { K1, K, SUM, STAGE, ARRAYS };


static double *array(const stepper *s, int which)
{
  return s->work + which * s->problem.n;
}


static double grid(const stepper *s, long k)
{
  return s->state.t0 + (double) k * s->options.step;
}


// one step of length h from (t_old, y_old), whose rates stand in K1
//   y = y_old + h/6 (k1 + 2 k2 + 2 k3 + k4)
static artStatus runge_kutta(stepper *s, double h, double *y, artError *error)
{
  static const double NODE[] = {0, 0.5, 0.5, 1}, WEIGHT[] = {1, 2, 2, 1};
  const int n = s->problem.n;
  const double *y_old = s->y_old, *previous = array(s, K1);
  double *k = array(s, K), *sum = array(s, SUM), *stage = array(s, STAGE);

  memcpy(sum, previous, (size_t) n * sizeof(double));
  for (int i = 1; i < 4; i++) {
    for (int j = 0; j < n; j++) stage[j] = y_old[j] + h * NODE[i] * previous[j];
    if (step_rate(s, s->state.t_old + h * NODE[i], stage, k)) return step_rate_failed(s, error);
    for (int j = 0; j < n; j++) sum[j] += WEIGHT[i] * k[j];
    previous = k;
  }
  for (int j = 0; j < n; j++) y[j] = y_old[j] + h / 6 * sum[j];
  return ART_OK;
}


// to the next point of the grid; after an event that step is a shorter one
static artStatus attempt(stepper *s, artError *error)
{
  stepState *st = &s->state;
  while (grid(s, st->index + 1) <= st->t_old) {
    if (grid(s, st->index + 1) <= grid(s, st->index)) {
      return step_too_small(s, s->options.step, error);
    }
    st->index++;
  }
  const int on_grid = st->t_old == grid(s, st->index);
  st->t_end = grid(s, st->index + 1);
  st->span = on_grid ? s->options.step : st->t_end - st->t_old;

  if (step_rate(s, st->t_old, s->y_old, array(s, K1))) return step_rate_failed(s, error);
  return runge_kutta(s, st->span, s->y_new, error);
}


// a side step from the start of the segment, which does not disturb the grid
static artStatus dense(stepper *s, double t, double *y, artError *error)
{
  return runge_kutta(s, t - s->state.t_old, y, error);
}


const stepKind step_rk4 = {
    .name = "rk4", .order = 4, .arrays = ARRAYS, .settles = 1, .attempt = attempt, .dense = dense};
