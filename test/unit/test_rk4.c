// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The classical Runge-Kutta method: its order, its grid, its output between the points of the grid.
#include "step_problems.h"


static stepOptions rk4(double step)
{
  stepOptions options = step_default_options();
  options.method = STEP_RK4;
  options.step = step;
  return options;
}


// error at t for a sequence of steps h, h/2, ...
static double order_at(double t, double h, int n)
{
  const stepProblem problem = twist();
  double steps[8], errors[8], want[3];
  twist_exact(t, want);
  for (int k = 0; k < n; k++, h /= 2) {
    double y[3];
    const stepOptions options = rk4(h);
    CHECK(solve(&options, &problem, TWIST_START, t, y, NULL) == ART_OK);
    steps[k] = h;
    errors[k] = distance(y, want, 3);
  }
  return fitted_slope(steps, errors, n);
}


TEST(the_error_falls_with_the_fourth_power_of_the_step)
{
  CHECK_CLOSE(order_at(2, 1.0 / 16, 6), 4, 0.1);
}


TEST(output_between_the_grid_points_has_the_same_order)
{
  // a third is on no grid of the sequence
  CHECK_CLOSE(order_at(2 + 1.0 / 3, 1.0 / 16, 6), 4, 0.1);
}


TEST(one_step_is_the_textbook_formula)
{
  const stepProblem problem = {.n = 2, .rate = oscillator_rate};
  const stepOptions options = rk4(0.5);
  const double y0[2] = {1, 0}, h = 0.5;
  double y[2];
  CHECK(solve(&options, &problem, y0, h, y, NULL) == ART_OK);

  // the exponential series up to the fourth power
  const double want[2] = {1 - h * h / 2 + h * h * h * h / 24, -(h - h * h * h / 6)};
  CHECK_NEAR(y, want, 2, 1e-16);
}


TEST(steps_lie_on_the_grid_without_accumulating)
{
  const stepProblem problem = {.n = 2, .rate = oscillator_rate};
  const stepOptions options = rk4(0.1);
  const double y0[2] = {1, 0};
  double y[2];
  stepper *s = keep_stepper(&options, &problem, 0.3, y0);
  for (int k = 1; k <= 1000; k++) {
    CHECK(step_to(s, 0.3 + k * 0.1, y, NULL) == ART_OK);
    const double reached = step_time(s);
    CHECK(reached == 0.3 + k * 0.1);
  }
  CHECK_EQ_INT(step_counts(s)->steps, 1000);

  // and a few steps a second time, in halves
  const long more = step_counts(s)->evaluations - 4000;
  CHECK(more > 0 && more % 7 == 0 && more < 4000 * 6 / 100);
}


// sums of local errors of  x = cos t:  the phase lags by h^4/120 in a second
TEST(errors_of_steps_add_up)
{
  const stepProblem problem = {.n = 2, .rate = oscillator_rate};
  const stepOptions options = rk4(0.1);
  const double y0[2] = {1, 0}, *extent;
  double y[2];
  stepper *s = keep_stepper(&options, &problem, 0, y0);
  CHECK(step_to(s, 100, y, NULL) == ART_OK);
  const double off = hypot(y[0] - cos(100), y[1] + sin(100)), *error = step_errors(s, &extent);
  CHECK(error[0] > 0.4 * off && error[0] < 2.5 * off);
  CHECK(error[1] > 0.4 * off && error[1] < 2.5 * off);
  CHECK(extent[0] > 1.5 && extent[0] <= 2.01 && extent[1] > 0.9 && extent[1] <= 1.01);
  stepOptions other = step_default_options();
  CHECK(!step_errors(keep_stepper(&other, &problem, 0, y0), &extent));
}


TEST(an_instant_off_by_rounding_is_the_grid_point)
{
  const stepProblem problem = twist();
  const stepOptions options = rk4(0.125);
  double on[3], above[3], below[3];
  CHECK(solve(&options, &problem, TWIST_START, 2, on, NULL) == ART_OK);
  CHECK(solve(&options, &problem, TWIST_START, 2 + 1e-11, above, NULL) == ART_OK);
  CHECK(solve(&options, &problem, TWIST_START, 2 - 1e-11, below, NULL) == ART_OK);
  CHECK(memcmp(on, above, sizeof on) == 0);
  CHECK(memcmp(on, below, sizeof on) == 0);
}


static artStatus blows_up(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = y[0] * y[0];
  return ART_OK;
}


TEST(a_motion_that_leaves_the_numbers_is_reported_with_its_last_good_state)
{
  const stepProblem problem = {.n = 1, .rate = blows_up};
  const stepOptions options = rk4(0.25);
  const double y0 = 1;
  double y = 0;
  stepper *s = keep_stepper(&options, &problem, 0, &y0);
  CHECK_FAILS(step_to(s, 10, &y, &check_error), ART_NO_CONVERGENCE,
              "the rate of y[0] is not finite at t = ");
  CHECK(isfinite(y) && y > 10);
  CHECK(step_time(s) > 1 && step_time(s) < 10);
}
