// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// BDF and Adams through CVODE: accuracy against tolerance, stiffness, failures; or the message of a
// build without SUNDIALS.
#include "step_problems.h"


static stepOptions with(stepMethod method, double tol)
{
  stepOptions options = step_default_options();
  options.method = method;
  options.relative = options.absolute = tol;
  return options;
}

#ifdef ART_HAVE_SUNDIALS

TEST(the_error_follows_the_tolerance)
{
  const stepProblem problem = twist();
  const stepMethod methods[] = {STEP_BDF, STEP_ADAMS};
  double y[3], want[3];
  twist_exact(10, want);
  for (int m = 0; m < 2; m++) {
    double tols[51], errors[51];
    for (int k = 0; k < 51; k++) {
      tols[k] = pow(10, -5 - 0.1 * k);
      const stepOptions options = with(methods[m], tols[k]);
      CHECK(solve(&options, &problem, TWIST_START, 10, y, NULL) == ART_OK);
      errors[k] = distance(y, want, 3);
      CHECK(errors[k] < 5000 * tols[k]);
    }
    CHECK_CLOSE(fitted_slope(tols, errors, 51), 1, 0.2);
  }
}


// x'' = 1: the starter's step is exact, and so is the history that CVODE makes of it
static artStatus fall_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = y[1];
  ydot[1] = 1;
  return ART_OK;
}


TEST(a_history_has_no_error_of_low_orders)
{
  const stepProblem problem = {.n = 2, .rate = fall_rate};
  const stepMethod methods[] = {STEP_BDF, STEP_ADAMS};
  for (int m = 0; m < 2; m++) {
    const double y0[2] = {0, 0};
    double y[2];
    stepOptions options = with(methods[m], 1e-4);
    options.longest = 0.05;
    CHECK(solve(&options, &problem, y0, 1, y, NULL) == ART_OK);
    CHECK_CLOSE(y[0], 0.5, 1e-8); // errors of the lowest orders of bdf die away
    CHECK_CLOSE(y[1], 1, 1e-14);
  }
}


// Prothero and Robinson 1974: y' = -stiffness (y^3 - cos^3 t) - sin t, on the solution y = cos t
static artStatus stiff_rate(void *context, double t, const double *y, double *ydot)
{
  const double c = cos(t);
  ydot[0] = -*(const double *) context * (y[0] * y[0] * y[0] - c * c * c) - sin(t);
  return ART_OK;
}


TEST(bdf_takes_long_steps_on_a_stiff_problem)
{
  double stiffness = 1e7;
  const stepProblem problem = {.n = 1, .rate = stiff_rate, .context = &stiffness};
  const stepOptions options = with(STEP_BDF, 1e-8);
  const double y0 = 1, want = cos(1.2);
  double y;
  stepCounts counts = {0};
  CHECK(solve(&options, &problem, &y0, 1.2, &y, &counts) == ART_OK);
  CHECK_CLOSE(y, want, 1e-7);

  // an explicit method would need 1e7 steps
  CHECK(counts.steps < 500);
  CHECK(counts.evaluations < 2000);
}


// van der Pol: y'' = mu (1 - y^2) y' - y, scaled by mu
static artStatus van_der_pol_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = y[1];
  ydot[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
  return ART_OK;
}


TEST(the_stiff_van_der_pol_oscillator_comes_out_as_published)
{
  // Hairer, Wanner II, section IV.10: eps = 1e-6, at t = 1
  const stepProblem problem = {.n = 2, .rate = van_der_pol_rate};
  const stepOptions options = with(STEP_BDF, 1e-10);
  const double y0[2] = {2, -0.66}, want[2] = {-0.1863646254808130e1, 0.7535430865435460};
  double y[2];
  stepCounts counts = {0};
  CHECK(solve(&options, &problem, y0, 1, y, &counts) == ART_OK);
  CHECK_NEAR(y, want, 2, 1e-6);
  CHECK(counts.steps < 4000);
}


//---- many unknowns -------------------------------------------------------------------------------

// A string of n points between two walls: positions, then velocities.
typedef struct string {
  int n;
} string;


static artStatus string_rate(void *context, double t, const double *y, double *ydot)
{
  (void) t;
  const int n = ((const string *) context)->n;
  for (int i = 0; i < n; i++) {
    const double before = i > 0 ? y[i - 1] : 0, after = i + 1 < n ? y[i + 1] : 0;
    ydot[i] = y[n + i];
    ydot[n + i] = before - 2 * y[i] + after;
  }
  return ART_OK;
}


// its first mode, y_i = sin(a i) cos(2 sin(a/2) t) with a = pi / (n + 1); returns the error at t = 20
static double string_error(int n, stepLinear linear, stepCounts *counts)
{
  string s = {n};
  const stepProblem problem = {.n = 2 * n, .rate = string_rate, .context = &s};
  stepOptions options = with(STEP_BDF, 1e-8);
  options.linear = linear;
  const double a = acos(-1.0) / (n + 1), frequency = 2 * sin(a / 2);
  double y0[400] = {0}, y[400], want[400];
  for (int i = 0; i < n; i++) {
    y0[i] = sin(a * (i + 1));
    want[i] = y0[i] * cos(20 * frequency);
    want[n + i] = -y0[i] * frequency * sin(20 * frequency);
  }
  CHECK(solve(&options, &problem, y0, 20, y, counts) == ART_OK);
  return distance(y, want, 2 * n);
}


TEST(gmres_finds_what_the_matrix_does_with_fewer_evaluations)
{
  stepCounts dense = {0}, krylov = {0}, chosen = {0};
  CHECK(string_error(200, STEP_DENSE, &dense) < 1e-5);
  CHECK(string_error(200, STEP_KRYLOV, &krylov) < 1e-5);
  CHECK(krylov.evaluations < dense.evaluations);

  // the choice goes by the number of unknowns
  CHECK(string_error(200, STEP_BY_SIZE, &chosen) < 1e-5);
  CHECK(chosen.evaluations == krylov.evaluations && chosen.evaluations != dense.evaluations);
  string_error(STEP_MOST_DENSE / 2, STEP_DENSE, &dense);
  string_error(STEP_MOST_DENSE / 2, STEP_KRYLOV, &krylov);
  string_error(STEP_MOST_DENSE / 2, STEP_BY_SIZE, &chosen);
  CHECK(chosen.evaluations == dense.evaluations && chosen.evaluations != krylov.evaluations);
}


TEST(gmres_takes_long_steps_on_a_stiff_problem)
{
  double stiffness = 1e7;
  const stepProblem problem = {.n = 1, .rate = stiff_rate, .context = &stiffness};
  stepOptions options = with(STEP_BDF, 1e-8);
  options.linear = STEP_KRYLOV;
  const double y0 = 1, want = cos(1.2);
  double y;
  stepCounts counts = {0};
  CHECK(solve(&options, &problem, &y0, 1.2, &y, &counts) == ART_OK);
  CHECK_CLOSE(y, want, 1e-7);
  CHECK(counts.steps < 500);
}


//---- steps and failures --------------------------------------------------------------------------


TEST(the_first_step_and_the_longest_are_obeyed)
{
  const stepProblem problem = twist();
  double y[3];
  stepOptions options = with(STEP_ADAMS, 1e-2);
  options.step = 1e-5;
  options.longest = 0.01;
  stepCounts counts = {0};
  CHECK(solve(&options, &problem, TWIST_START, 1, y, &counts) == ART_OK);
  const double longest = 0.01;
  CHECK_CLOSE(counts.shortest, 1e-5, 1e-18);
  CHECK_CLOSE(counts.longest, longest, 1e-15);
}


static artStatus ends_at_one(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) y;
  ydot[0] = 1;
  return t > 1 ? ART_SINGULAR : ART_OK;
}


TEST(failing_rates_keep_their_status)
{
  const stepProblem problem = {.n = 1, .rate = ends_at_one};
  const stepMethod methods[] = {STEP_BDF, STEP_ADAMS};
  for (int m = 0; m < 2; m++) {
    const stepOptions options = with(methods[m], 1e-8);
    const double y0 = 0;
    double y = 0;
    stepper *s = keep_stepper(&options, &problem, 0, &y0);
    CHECK_FAILS(step_to(s, 2, &y, &check_error), ART_SINGULAR, "the rates failed at t = 1.");
    CHECK_CLOSE(y, step_time(s), 1e-10);
  }
}


static artStatus explodes(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = y[0] * y[0];
  return ART_OK;
}


TEST(a_singularity_ends_with_a_status_and_a_finite_state)
{
  const stepProblem problem = {.n = 1, .rate = explodes};
  const stepMethod methods[] = {STEP_BDF, STEP_ADAMS};
  for (int m = 0; m < 2; m++) {
    const stepOptions options = with(methods[m], 1e-8);
    const double y0 = 1;
    double y = 0;
    artError error = {0};
    stepper *s = keep_stepper(&options, &problem, 0, &y0);
    const artStatus status = step_to(s, 2, &y, &error);
    CHECK(status == ART_STEP_TOO_SMALL || status == ART_NO_CONVERGENCE);
    CHECK_CONTAINS(error.text, "t = ");
    CHECK(isfinite(y) && y > 100);
  }
}


// a mass on a stiff spring in polar coordinates, y = (angle, radius and their rates)
//   r'' = r phi'^2 - k (r - 1),  phi'' = -2 r' phi' / r
static artStatus polar_rate(void *context, double t, const double *y, double *ydot)
{
  (void) t;
  ydot[0] = y[2];
  ydot[1] = y[3];
  ydot[2] = -2 * y[3] * y[2] / y[1];
  ydot[3] = y[1] * y[2] * y[2] - *(const double *) context * (y[1] - 1);
  return ART_OK;
}


static const char *polar_name(void *context, int k)
{
  (void) context;
  return k == 3 ? "radius" : NULL;
}


// On the circle  r = 1 + 1 / (k - 1)  bdf needs a hundred steps, and at 1e-10, without a message, two million. The tolerance
// of rates is absolute there, a thousandth of the relative one.
TEST(steps_that_stall_at_the_rounding_limit_end_with_a_message)
{
  double k = 1e10;
  const stepProblem problem = {.n = 4, .rate = polar_rate, .name = polar_name, .context = &k};
  const double y0[] = {0, 1 + 1 / (k - 1), 1, 0};
  const stepMethod methods[] = {STEP_BDF, STEP_ADAMS, STEP_DOPRI5};
  for (int m = 0; m < 3; m++) {
    stepOptions options = with(methods[m], 1e-10);
    options.absolute = 1e-13, options.longest = 0.06, options.whole = 6;
    double y[4];
    stepper *s = keep_stepper(&options, &problem, 0, y0);
    CHECK_FAILS(step_to(s, 6, y, &check_error), ART_STEP_TOO_SMALL, "as long as rounding allows");
    CHECK_CONTAINS(check_error.text, "the rate of radius by more than a tolerance of 1e-10");
    CHECK(step_counts(s)->steps < 100000 && step_counts(s)->rounding > 3000);
  }

  // a looser tolerance helps, as the message says
  stepOptions options = with(STEP_BDF, 1e-9);
  options.absolute = 1e-12;
  options.whole = 6;
  double y[4];
  const double want = 6 * y0[2];
  CHECK(solve(&options, &problem, y0, 6, y, NULL) == ART_OK);
  CHECK_CLOSE(y[0], want, 1e-6);
}

#else

TEST(a_build_without_sundials_says_so)
{
  const stepProblem problem = twist();
  const stepOptions options = with(STEP_BDF, 1e-6);
  const double y0[3] = {1, 0, 1};
  stepper *s = NULL;
  CHECK_FAILS(step_create(&s, &options, &problem, 0, y0, &check_error), ART_UNSUPPORTED,
              "needs SUNDIALS");
  CHECK(!s);
}

#endif
