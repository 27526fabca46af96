// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Measuring errors against the tolerance, and a first step from it.
#include <math.h>

#include "step/runge_kutta.h"
#include "step/stepper.h"


double step_norm(const stepper *s, const double *x, const double *y, const double *z)
{
  const int n = s->problem.n;
  double sum = 0;
  for (int k = 0; k < n; k++) {
    const double e = rk_error_part(x[k], s->options.absolute, s->options.relative, y[k], z[k]);
    sum += e * e;
  }
  return n > 0 ? sqrt(sum / n) : 0;
}


// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4
double step_first(stepper *s, int order, const double *f0, double *f1)
{
  ART_ASSERT(order >= 1);
  const int n = s->problem.n;
  const double *y0 = s->y_old;

  // a step over which y changes by 1 %
  const double size = step_norm(s, y0, y0, y0), slope = step_norm(s, f0, y0, y0);
  double h0 = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
  h0 = fmin(h0, step_longest(s, y0));
  h0 = fmin(h0, s->state.stop - s->state.t_old);

  // an explicit Euler step of that length measures the second derivative
  for (int k = 0; k < n; k++) s->y_side[k] = y0[k] + h0 * f0[k];
  if (step_rate(s, s->state.t_old + h0, s->y_side, f1)) return 0.01 * h0;
  for (int k = 0; k < n; k++) f1[k] -= f0[k];
  const double bend = step_norm(s, f1, y0, y0) / h0;

  // h^(p+1) max(|f|, |f'|) = 1 %
  const double most = fmax(slope, bend);
  const double h1 = most <= 1e-15 ? fmax(1e-6, 1e-3 * h0) : pow(0.01 / most, 1.0 / (order + 1));
  return fmin(100 * h0, h1);
}
