// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stiff problems are noticed by Dormand and Prince, and BDF continues where it may; others are left alone.
#include <string.h>

#include "step_problems.h"


// A slow solution that a fast mode is attracted to (Prothero and Robinson):  y' = -L (y - cos t) - sin t,  y = cos t.
typedef struct attracted {
  double rate; // L, 1/s
} attracted;


static artStatus attracted_rate(void *context, double t, const double *y, double *ydot)
{
  const attracted *c = context;
  ydot[0] = -c->rate * (y[0] - cos(t)) - sin(t);
  return ART_OK;
}


static stepOptions over(double whole, int changes_over)
{
  stepOptions options = step_default_options();
  options.whole = whole;
  options.changes_over = changes_over;
  return options;
}


static const double START[1] = {1};


TEST(a_stiff_problem_is_noticed_and_dopri5_goes_on)
{
  attracted c = {1e5};
  const stepProblem problem = {.n = 1, .rate = attracted_rate, .context = &c};
  const stepOptions options = over(1, 0);
  stepCounts counts = {0};
  double y[1];
  CHECK(solve(&options, &problem, START, 1, y, &counts) == ART_OK);
  CHECK(counts.is_stiff && !counts.is_changed_over);

  // 500 steps of 3.3 / L at the border, after those that grow to it
  CHECK(counts.stiff_time > 500 * 2.0 / c.rate && counts.stiff_time < 0.1);
  CHECK(counts.steps > 20000);
  CHECK_CLOSE(y[0], cos(1), 1e-8);
}

#ifdef ART_HAVE_SUNDIALS

TEST(bdf_continues_from_where_a_problem_proves_stiff)
{
  attracted c = {1e6};
  const stepProblem problem = {.n = 1, .rate = attracted_rate, .context = &c};
  const stepOptions options = over(10, 1);
  stepper *s = keep_stepper(&options, &problem, 0, START);
  double y[1];
  for (int k = 1; k <= 1000; k++) {
    const double t = k <= 500 ? k * 1e-5 : k == 501 ? 1 : 1 + (k - 501) * 0.01;
    CHECK_WORKS(step_to(s, t, y, &check_error));
    CHECK_CLOSE(y[0], cos(t), 1e-6);
  }
  const stepCounts *counts = step_counts(s);
  CHECK(counts->is_stiff && counts->is_changed_over);
  CHECK(counts->stiff_time > 0 && counts->stiff_time < 0.01);

  // dopri5 would take three million
  CHECK(counts->steps < 3000);
}


// instants of rows within, before and after the step that ends with the change
TEST(a_stepper_saved_around_the_change_continues_to_the_same_bits)
{
  attracted c = {1e6};
  const stepProblem problem = {.n = 1, .rate = attracted_rate, .context = &c};
  const stepOptions options = over(1, 1);
  char bytes[65536];
  stepper *whole = keep_stepper(&options, &problem, 0, START);
  int before = 0, after = 0;
  while (!(step_time(whole) > 0.5)) {
    CHECK_WORKS(step_once(whole, &check_error));
    const double *y_end = step_end(whole), middle = 0.5 * (step_begin(whole) + step_time(whole));
    const size_t size = step_save_size(whole);
    if (!CHECK(size <= sizeof bytes)) return;
    const stepCounts *counts = step_counts(whole);
    const int is_near = counts->steps % 100 == 0 || (counts->is_changed_over && after < 30);
    if (!is_near) continue;
    before += !counts->is_changed_over;
    after += counts->is_changed_over;
    CHECK_WORKS(step_save(whole, bytes, size, &check_error));
    stepper *other = NULL;
    double y[1], z[1];
    CHECK_WORKS(step_create(&other, &options, &problem, 0, START, &check_error));
    CHECK_WORKS(step_load(other, bytes, size, &check_error));
    CHECK_WORKS(step_to(other, middle, z, &check_error));
    CHECK_WORKS(step_to(whole, middle, y, &check_error));
    CHECK(y[0] == z[0]);
    CHECK_WORKS(step_once(other, &check_error));
    CHECK_WORKS(step_once(whole, &check_error));
    CHECK(step_end(other)[0] == y_end[0] && step_time(other) == step_time(whole));
    step_free(other);
  }
  CHECK(before >= 4 && after >= 20);
}


TEST(a_stepper_that_may_change_does_not_load_one_that_may_not)
{
  attracted c = {1};
  const stepProblem problem = {.n = 1, .rate = attracted_rate, .context = &c};
  const stepOptions may = over(1, 1), may_not = over(1, 0);
  char bytes[65536];
  stepper *a = keep_stepper(&may, &problem, 0, START);
  stepper *b = keep_stepper(&may_not, &problem, 0, START);
  CHECK_WORKS(step_save(b, bytes, step_save_size(b), &check_error));
  CHECK_FAILS(step_load(a, bytes, step_save_size(b), &check_error), ART_BAD_INPUT,
              "the saved stepper does not change over to bdf where the problem is stiff, this one "
              "does");
}


// the mode grows fast at half of the way
static artStatus stiffening_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context;
  ydot[0] = -(t < 0.5 ? 10 : 1e6) * (y[0] - cos(t)) - sin(t);
  return ART_OK;
}


TEST(a_problem_that_becomes_stiff_on_the_way_is_noticed_there)
{
  const stepProblem problem = {.n = 1, .rate = stiffening_rate};
  const stepOptions options = over(1, 1);
  stepCounts counts = {0};
  double y[1];
  CHECK(solve(&options, &problem, START, 1, y, &counts) == ART_OK);
  CHECK(counts.is_changed_over && counts.stiff_time > 0.5 && counts.stiff_time < 0.51);
  CHECK_CLOSE(y[0], cos(1), 1e-6);
}

#endif

//---- not stiff -----------------------------------------------------------------------------------

static artStatus fast_oscillator_rate(void *context, double t, const double *y, double *ydot)
{
  (void) t;
  const double omega = *(const double *) context;
  ydot[0] = omega * y[1];
  ydot[1] = -omega * y[0];
  return ART_OK;
}


TEST(a_fast_vibration_is_not_stiff)
{
  double omega = 3e4;
  const stepProblem problem = {.n = 2, .rate = fast_oscillator_rate, .context = &omega};
  stepOptions options = over(1, 1);
  options.relative = options.absolute = 1e-3; // steps as long as accuracy allows at all
  const double start[2] = {1, 0};
  stepCounts counts = {0};
  double y[2];
  CHECK(solve(&options, &problem, start, 1, y, &counts) == ART_OK);
  CHECK(counts.steps > 20000 && !counts.is_stiff);
}


// whether the same bits come without the right to change
static int keeps_bits(const stepProblem *problem, const double *start, double until)
{
  double y[2][3] = {{0}};
  stepCounts counts[2] = {{0}};
  for (int k = 0; k < 2; k++) {
    const stepOptions options = over(until, k);
    CHECK(solve(&options, problem, start, until, y[k], &counts[k]) == ART_OK);
  }
  CHECK_EQ_INT(counts[0].steps, counts[1].steps);
  return !counts[1].is_stiff && memcmp(y[0], y[1], (size_t) problem->n * sizeof(double)) == 0;
}


TEST(problems_that_are_not_stiff_keep_their_bits)
{
  attracted c = {1e5};
  sided s;
  const stepProblem smooth = twist(), switched = sided_problem(&s);
  const stepProblem slow = {.n = 1, .rate = attracted_rate, .context = &c};
  CHECK(keeps_bits(&smooth, TWIST_START, 100));
  CHECK(keeps_bits(&switched, SIDED_START, 40));

  // at the border for good, but at little cost: 12,000 steps
  CHECK(keeps_bits(&slow, START, 0.4));
}


// Steps that end at stops say nothing, though they be as long as stability would allow.
TEST(stops_that_keep_steps_short_are_not_stiffness)
{
  attracted c = {3.28e5};
  const stepProblem problem = {.n = 1, .rate = attracted_rate, .context = &c};
  const stepOptions options = over(1000, 1);
  stepper *s = keep_stepper(&options, &problem, 0, START);
  double y[1];
  for (int k = 1; k <= 3000; k++) {
    step_stop(s, k * 1e-5);
    CHECK_WORKS(step_to(s, k * 1e-5, y, &check_error));
  }
  CHECK(step_counts(s)->steps < 3100 && !step_counts(s)->is_stiff);
}


// a mode that changes every 5 ms, though nothing else does
typedef struct ticking {
  attracted c; // the context of rates
  int count;
} ticking;


static void ticking_switches(void *context, double t, const double *y, double *g)
{
  (void) y;
  g[0] = 5e-3 * (((const ticking *) context)->count + 1) - t;
}


static void ticking_cross(void *context, double t, const double *y, int i)
{
  (void) t, (void) y, (void) i;
  ((ticking *) context)->count++;
}


// 150 steps between two events: BDF would begin anew as often
TEST(a_stiff_problem_with_many_events_stays_with_dopri5)
{
  ticking c = {.c = {1e5}};
  const stepProblem problem = {.n = 1,
                               .nswitch = 1,
                               .rate = attracted_rate,
                               .switches = ticking_switches,
                               .switch_mode = ticking_cross,
                               .context = &c};
  const stepOptions options = over(1, 1);
  stepCounts counts = {0};
  double y[1];
  CHECK(solve(&options, &problem, START, 1, y, &counts) == ART_OK);
  CHECK(counts.events >= 199 && counts.steps > 20000 && !counts.is_stiff);
}


// 300 steps between two events, of which BDF needs a third
TEST(a_problem_that_is_stiff_between_events_changes_over)
{
  for (int changes = 0; changes <= 1; changes++) {
    ticking c = {.c = {2e5}};
    const stepProblem problem = {.n = 1,
                                 .nswitch = 1,
                                 .rate = attracted_rate,
                                 .switches = ticking_switches,
                                 .switch_mode = ticking_cross,
                                 .context = &c};
    const stepOptions options = over(1, changes);
    stepCounts counts = {0};
    double y[1];
    CHECK(solve(&options, &problem, START, 1, y, &counts) == ART_OK);
    CHECK(counts.events >= 199 && counts.is_stiff && counts.stiff_time < 0.2);
    CHECK_EQ_INT(counts.is_changed_over, changes);
    CHECK_CLOSE(y[0], cos(1), 1e-6);
    CHECK(changes ? counts.steps < 30000 : counts.steps > 50000);
  }
}
