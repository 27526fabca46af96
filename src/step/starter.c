// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The first step of multistep methods, by Dormand and Prince (Gear, Runge-Kutta starters for multistep methods, ACM
// Trans. Math. Softw. 6, 1980). Its continuous extension, a polynomial of degree 4, is the history that they begin with.
#include <math.h>
#include <string.h>

#include "step/runge_kutta.h"
#include "step/stepper.h"

enum {
  MAX_TRIES = 2,    // before the step is left to order one, as stiff problems ask for
  MAX_WITHOUT = 16, // restarts without a try where these have failed
  ORDER = 4
};


// where the starter has not fitted, 1, 2, 4 ... restarts do without it
static void count_fits(stepState *st, int fits)
{
  st->unfit = fits ? 0 : st->unfit ? 2 * st->unfit : 1;
  if (st->unfit > MAX_WITHOUT) st->unfit = MAX_WITHOUT;
  st->without = st->unfit;
}


artStatus starter_step(stepper *s, int *fits, artError *error)
{
  stepState *st = &s->state;
  *fits = 0;
  if (st->resume == STEP_RESTART) {
    if (step_rate(s, st->t_old, s->y_old, step_array(s, 0))) return step_rate_failed(s, error);
    if (st->without-- > 0) return ART_OK;
    if (st->h == 0) st->h = step_first(s, ORDER, step_array(s, 0), step_array(s, 1));
    st->error_old = 1e-4;
  } else {
    memcpy(step_array(s, 0), step_array(s, DOPRI5_BENDS - 1),
           (size_t) s->problem.n * sizeof(double));
  }

  const stepFailure before = s->failure;
  for (int tries = 0; tries < MAX_TRIES && !*fits; tries++) {
    const dopri5Try now = dopri5_try(s, tries > 0);
    if (now.status == ART_STOPPED) return step_rate_failed(s, error);
    *fits = now.stands && !stiffness_is_at_switching_surface(s, now.h);
    if (now.stands || now.is_too_short) break;
  }
  count_fits(st, *fits);
  if (*fits) return ART_OK;
  s->failure = before;
  st->h = s->options.step;
  return ART_OK;
}


// p(x) = y0 + x (r0 + (1-x) (r1 + x (r2 + (1-x) r3))),  x from 0 to 1
void starter_rate(const stepper *s, double t, double *ydot)
{
  ART_ASSERT(s->state.start > 0);
  const double h = s->state.start, x = (t - s->state.t_restart) / h;
  const double b1 = 1 - 2 * x, b2 = x * (2 - 3 * x), b3 = 2 * x * b1 * (1 - x);
  const double *r = step_array(s, DOPRI5_BENDS);
  const int n = s->problem.n;
  for (int j = 0; j < n; j++) {
    ydot[j] = (r[j] + b1 * r[n + j] + b2 * r[2 * n + j] + b3 * r[3 * n + j]) / h;
  }
}


// coefficients r0 to r2 once more, without the rounding of y that a difference of its values has
void starter_refine(stepper *s)
{
  ART_ASSERT(s->state.span > 0);
  const double h = s->state.span;
  const int n = s->problem.n;
  const double *k = step_array(s, 0);
  double *r = step_array(s, DOPRI5_BENDS);
  for (int j = 0; j < n; j++) {
    r[j] = h * rk_combine(n, k, dopri5_row(6), 6, j);
    r[n + j] = h * k[j] - r[j];
    r[2 * n + j] = r[j] - h * k[6 * n + j] - r[n + j];
  }
}


// h^2/2 |p''(0)| is a tenth of the tolerance
double starter_first(stepper *s, const double *y)
{
  const double *r = step_array(s, DOPRI5_BENDS);
  const int n = s->problem.n;
  for (int j = 0; j < n; j++) s->y_side[j] = r[2 * n + j] + r[3 * n + j] - r[n + j];
  const double bend = step_norm(s, s->y_side, y, y);
  return s->state.start * fmin(1, sqrt(0.1 / fmax(bend, 0.1)));
}
