// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dormand-Prince: its orders, its step control, its continuous extension.
#include "step_problems.h"


static stepOptions tolerance(double tol)
{
  stepOptions options = step_default_options();
  options.relative = options.absolute = tol;
  return options;
}


// steps of length h throughout: no error is too large
static stepOptions forced(double h)
{
  stepOptions options = tolerance(1e3);
  options.step = options.longest = h;
  return options;
}


// global order over [0, 2] from the steps h, h/2, h/4, h/8
static double global_order(const stepProblem *problem, double h, const double *y0,
                           const double *want)
{
  double steps[4], errors[4], y[3];
  for (int k = 0; k < 4; k++, h /= 2) {
    const stepOptions options = forced(h);
    stepCounts counts = {0};
    CHECK(solve(&options, problem, y0, 2, y, &counts) == ART_OK);
    CHECK_EQ_INT(counts.steps, (long) (2 / h));
    steps[k] = h;
    errors[k] = distance(y, want, problem->n);
  }
  return fitted_slope(steps, errors, 4);
}


TEST(forced_steps_converge_with_order_five)
{
  const stepProblem linear = {.n = 2, .rate = oscillator_rate}, nonlinear = twist();
  const double start[2] = {1, 0}, end[2] = {cos(2), -sin(2)}, five = 5;
  double want[3];
  twist_exact(2, want);
  CHECK_CLOSE(global_order(&linear, 1.0 / 8, start, end), five, 0.05);

  // the coefficients of the leading errors are tiny, so higher powers still show
  CHECK_CLOSE(global_order(&nonlinear, 1.0 / 32, TWIST_START, want), five, 0.2);
}


// error at a fraction of one step that starts on the exact solution at t = 1
static double local_order(double fraction)
{
  const stepProblem problem = twist();
  double h = 1.0 / 16, steps[4], errors[4], y0[3], y[3], want[3];
  twist_exact(1, y0);
  for (int k = 0; k < 4; k++, h /= 2) {
    const stepOptions options = forced(h);
    stepper *s = keep_stepper(&options, &problem, 1, y0);
    CHECK(step_to(s, 1 + fraction * h, y, NULL) == ART_OK);
    CHECK_EQ_INT(step_counts(s)->steps, 1);
    twist_exact(1 + fraction * h, want);
    steps[k] = h;
    errors[k] = distance(y, want, 3);
  }
  return fitted_slope(steps, errors, 4);
}


TEST(the_continuous_extension_has_order_four)
{
  // one step of a formula of order p is wrong by h^(p+1)
  const double inside[3] = {local_order(0.25), local_order(0.3), local_order(0.5)};
  const double five[3] = {5, 5, 5};
  CHECK_NEAR(inside, five, 3, 0.1);
}


TEST(the_continuous_extension_meets_the_steps_smoothly)
{
  // between the ends of two steps it joins to the last digits, and so does its slope
  const stepProblem problem = twist();
  const stepOptions options = forced(0.125);
  double y[3], before[3], after[3], slope[3], rate[3];
  const double joint = 0.5, small = 1e-6;
  stepper *s = keep_stepper(&options, &problem, 0, TWIST_START);
  CHECK(step_to(s, joint - small, before, NULL) == ART_OK);
  CHECK(step_to(s, joint, y, NULL) == ART_OK);
  CHECK(step_to(s, joint + small, after, NULL) == ART_OK);
  twist_rate(NULL, joint, y, rate);
  for (int k = 0; k < 3; k++) slope[k] = (after[k] - before[k]) / (2 * small);
  CHECK_NEAR(slope, rate, 3, 1e-9);
}


TEST(the_error_is_proportional_to_the_tolerance)
{
  const stepProblem problem = twist();
  double tols[5], errors[5], y[3], want[3];
  twist_exact(10, want);
  for (int k = 0; k < 5; k++) {
    tols[k] = pow(10, -8 - k);
    const stepOptions options = tolerance(tols[k]);
    CHECK(solve(&options, &problem, TWIST_START, 10, y, NULL) == ART_OK);
    errors[k] = distance(y, want, 3);
    CHECK(errors[k] < 20 * tols[k]);
  }
  CHECK_CLOSE(fitted_slope(tols, errors, 5), 1, 0.1);
}


TEST(an_oscillator_keeps_time_over_a_hundred_turns)
{
  const stepProblem problem = {.n = 2, .rate = oscillator_rate};
  const stepOptions options = tolerance(1e-12);
  const double y0[2] = {1, 0}, t = 200 * acos(-1);
  double y[2];
  CHECK(solve(&options, &problem, y0, t, y, NULL) == ART_OK);
  const double want[2] = {cos(t), -sin(t)};
  CHECK_NEAR(y, want, 2, 1e-9);
}


// the restricted three-body problem (Hairer, Norsett, Wanner I, section II.0)
static artStatus three_body_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  const double mu = 0.012277471, nu = 1 - mu;
  const double d1 = pow((y[0] + mu) * (y[0] + mu) + y[1] * y[1], 1.5);
  const double d2 = pow((y[0] - nu) * (y[0] - nu) + y[1] * y[1], 1.5);
  ydot[0] = y[2];
  ydot[1] = y[3];
  ydot[2] = y[0] + 2 * y[3] - nu * (y[0] + mu) / d1 - mu * (y[0] - nu) / d2;
  ydot[3] = y[1] - 2 * y[2] - nu * y[1] / d1 - mu * y[1] / d2;
  return ART_OK;
}


TEST(the_arenstorf_orbit_closes)
{
  const stepProblem problem = {.n = 4, .rate = three_body_rate};
  const stepOptions options = tolerance(1e-14);
  const double y0[4] = {0.994, 0, 0, -2.00158510637908252240537862224};
  const double period = 17.0652165601579625588917206249;
  double y[4];
  stepCounts counts = {0};
  CHECK(solve(&options, &problem, y0, period, y, &counts) == ART_OK);
  CHECK_NEAR(y, y0, 2, 1e-8);

  // the close passage takes steps a thousand times shorter than the far ends
  CHECK(counts.longest > 300 * counts.shortest);
}


static artStatus runs_away(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = y[0] * y[0];
  return ART_OK;
}


TEST(a_singularity_ends_with_a_step_too_small_and_its_time)
{
  const stepProblem problem = {.n = 1, .rate = runs_away};
  const stepOptions options = step_default_options();
  const double y0 = 1, one = 1;
  double y = 0;
  stepper *s = keep_stepper(&options, &problem, 0, &y0);
  CHECK_FAILS(step_to(s, 2, &y, &check_error), ART_STEP_TOO_SMALL, "needs a step of");
  CHECK_CLOSE(step_time(s), one, 1e-6);
  CHECK(y > 1e6);
}


// a root that must not be asked for below zero
static artStatus square_root(void *context, double t, const double *y, double *ydot)
{
  (void) t;
  if (y[0] < 0) return ART_SINGULAR;
  ydot[0] = *(const double *) context * sqrt(y[0]);
  return ART_OK;
}


TEST(rates_that_fail_in_a_trial_step_make_it_shorter)
{
  // y = (1 - t/2)^2, zero at t = 2; a first step of 5 goes below zero
  double factor = -1;
  const stepProblem problem = {.n = 1, .rate = square_root, .context = &factor};
  stepOptions options = tolerance(1e-10);
  options.step = 5;
  const double y0 = 1, want = 0.25 * 0.25;
  double y = 0;
  stepCounts counts = {0};
  CHECK(solve(&options, &problem, &y0, 1.5, &y, &counts) == ART_OK);
  CHECK_CLOSE(y, want, 1e-9);
  CHECK(counts.rejected > 0);
}


static artStatus fails_after_one(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) y;
  ydot[0] = 1;
  return t > 1 ? ART_SINGULAR : ART_OK;
}


TEST(rates_that_fail_for_good_keep_their_status)
{
  const stepProblem problem = {.n = 1, .rate = fails_after_one};
  const stepOptions options = step_default_options();
  const double y0 = 0, one = 1;
  double y = 0;
  stepper *s = keep_stepper(&options, &problem, 0, &y0);
  CHECK_FAILS(step_to(s, 2, &y, &check_error), ART_SINGULAR, "the rates failed at t = 1");
  CHECK_CLOSE(y, one, 1e-9);
}


static artStatus not_a_number_after_one(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) y;
  ydot[0] = t > 1 ? NAN : 1;
  return ART_OK;
}


TEST(rates_that_are_not_finite_are_treated_as_failures)
{
  const stepProblem problem = {.n = 1, .rate = not_a_number_after_one};
  const stepOptions options = step_default_options();
  const double y0 = 0;
  double y = 0;
  stepper *s = keep_stepper(&options, &problem, 0, &y0);
  CHECK_FAILS(step_to(s, 2, &y, &check_error), ART_NO_CONVERGENCE,
              "the rate of y[0] is not finite");
}


static artStatus decay_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = -y[0];
  return ART_OK;
}


TEST(the_automatic_first_step_is_the_one_of_the_book)
{
  // |y| = |f| = |f'| = 1 / 2 tol: the trial step is 0.01, the step (0.01 * 2 tol)^(1/5)
  const stepProblem problem = {.n = 1, .rate = decay_rate};
  const stepOptions options = tolerance(1e-6);
  const double y0 = 1, want = pow(2e-8, 0.2);
  double y;
  stepper *s = keep_stepper(&options, &problem, 0, &y0);
  CHECK(step_to(s, 1e-9, &y, NULL) == ART_OK);
  CHECK_CLOSE(step_time(s), want, 1e-12);
}


TEST(the_last_rates_of_a_step_are_the_first_of_the_next)
{
  const stepProblem problem = {.n = 2, .rate = oscillator_rate};
  const stepOptions options = forced(0.1);
  const double y0[2] = {1, 0};
  double y[2];
  stepCounts counts = {0};
  CHECK(solve(&options, &problem, y0, 10, y, &counts) == ART_OK);
  CHECK_EQ_INT(counts.evaluations, 1 + 6 * counts.steps);
}
