// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Problems with closed forms for the tests of the integrators.
#ifndef UNIT_STEP_PROBLEMS_H
#define UNIT_STEP_PROBLEMS_H

#include <math.h>

#include "step/step.h"
#include "support/check.h"

static const stepMethod METHODS[] = {
    STEP_RK4,
    STEP_DOPRI5,
#ifdef ART_HAVE_SUNDIALS
    STEP_BDF,
    STEP_ADAMS,
#endif
};
enum { NMETHODS = sizeof METHODS / sizeof METHODS[0] };


//---- smooth --------------------------------------------------------------------------------------

// a nonlinear turn, faster on wider circles, and beside it  y' = -2 t y^2
static inline artStatus twist_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context;
  const double r2 = y[0] * y[0] + y[1] * y[1];
  ydot[0] = -r2 * y[1];
  ydot[1] = r2 * y[0];
  ydot[2] = -2 * t * y[2] * y[2];
  return ART_OK;
}


static inline void twist_exact(double t, double *y)
{
  const double r = 1.1, angle = r * r * t;
  y[0] = r * cos(angle);
  y[1] = r * sin(angle);
  y[2] = 1 / (1 + t * t);
}


static const double TWIST_START[3] = {1.1, 0, 1};


static inline stepProblem twist(void)
{
  return (stepProblem){.n = 3, .rate = twist_rate};
}


// x'' = -x
static inline artStatus oscillator_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = y[1];
  ydot[1] = -y[0];
  return ART_OK;
}


//---- piecewise -----------------------------------------------------------------------------------

enum { MAX_TIMES = 64 };

// A mass on a spring that is softer on one side:  x'' = -k x,  k by the side. The mode is the side.
typedef struct sided {
  int side; // 1: x > 0, -1: x < 0
  int count;
  double times[MAX_TIMES];
} sided;

static const double SIDED_OMEGA_POSITIVE = 1.7, SIDED_OMEGA_NEGATIVE = 2.9, SIDED_SPEED = 0.8;
static const double SIDED_START[2] = {0, 0.8};


static inline artStatus sided_rate(void *context, double t, const double *y, double *ydot)
{
  (void) t;
  const sided *c = context;
  const double omega = c->side > 0 ? SIDED_OMEGA_POSITIVE : SIDED_OMEGA_NEGATIVE;
  ydot[0] = y[1];
  ydot[1] = -omega * omega * y[0];
  return ART_OK;
}


static inline void sided_switches(void *context, double t, const double *y, double *g)
{
  (void) t;
  const sided *c = context;
  g[0] = c->side * y[0];
}


static inline void sided_cross(void *context, double t, const double *y, int i)
{
  (void) y, (void) i;
  sided *c = context;
  c->side = -c->side;
  if (c->count < MAX_TIMES) c->times[c->count] = t;
  c->count++;
}


// starts at x = 0 with SIDED_SPEED towards the positive side
static inline stepProblem sided_problem(sided *c)
{
  *c = (sided){.side = 1};
  return (stepProblem){.n = 2,
                       .nswitch = 1,
                       .rate = sided_rate,
                       .switches = sided_switches,
                       .switch_mode = sided_cross,
                       .context = c};
}


// the instant of crossing number i = 0, 1, ...
static inline double sided_time(int i)
{
  const double half[2] = {acos(-1) / SIDED_OMEGA_POSITIVE, acos(-1) / SIDED_OMEGA_NEGATIVE};
  const int both = (i + 1) / 2;
  return both * (half[0] + half[1]) + (i % 2 == 0 ? half[0] : 0);
}


static inline void sided_exact(double t, double *y)
{
  const double pi = acos(-1), period = pi / SIDED_OMEGA_POSITIVE + pi / SIDED_OMEGA_NEGATIVE;
  double rest = fmod(t, period), omega = SIDED_OMEGA_POSITIVE, speed = SIDED_SPEED;
  if (rest > pi / omega) {
    rest -= pi / omega;
    omega = SIDED_OMEGA_NEGATIVE;
    speed = -speed;
  }
  y[0] = speed / omega * sin(omega * rest);
  y[1] = speed * cos(omega * rest);
}


//---- measuring -----------------------------------------------------------------------------------

// largest difference of n numbers
static inline double distance(const double *a, const double *b, int n)
{
  double worst = 0;
  for (int k = 0; k < n; k++) worst = check_larger(worst, fabs(a[k] - b[k]));
  return worst;
}


// slope of the straight line fitted to (log x, log y)
static inline double fitted_slope(const double *x, const double *y, int n)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < n; k++) {
    const double u = log(x[k]), v = log(y[k]);
    sx += u, sy += v, sxx += u * u, sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}


// a stepper that lives until the test ends
CHECK_KEEPER(stepper_kept, stepper, step_free)
static inline stepper *keep_stepper(const stepOptions *options, const stepProblem *problem,
                                    double t0, const double *y0)
{
  stepper *s = NULL;
  CHECK_WORKS(step_create(&s, options, problem, t0, y0, &check_error));
  return stepper_kept(s);
}


// the solution at t in one go; the counts are returned when asked for
static inline artStatus solve(const stepOptions *options, const stepProblem *problem,
                              const double *y0, double t, double *y, stepCounts *counts)
{
  artError error = {0};
  stepper *s = NULL;
  artStatus status = step_create(&s, options, problem, 0, y0, &error);
  if (!status) status = step_to(s, t, y, &error);
  if (!status && counts) *counts = *step_counts(s);
  step_free(s);
  return status;
}

#endif
