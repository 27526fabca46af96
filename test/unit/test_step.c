// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Promises of all steppers: output that does not disturb, resuming to the same bits, no memory
// taken while stepping, clean errors.
#include <stdlib.h>
#include <string.h>

#include "step_problems.h"
#include "support/heap.h"


static stepOptions with(stepMethod method)
{
  stepOptions options = step_default_options();
  options.method = method;
  options.step = method == STEP_RK4 ? 0.03 : 0;
  return options;
}


static stepper *create(stepMethod method, const stepProblem *problem, const double *y0)
{
  const stepOptions options = with(method);
  return keep_stepper(&options, problem, 0, y0);
}


//---- output --------------------------------------------------------------------------------------

enum { INSTANTS = 20 };

// the solution at 0.5, 1.0, ...; with more output in between when dense
static void record(stepMethod method, int dense, double y[INSTANTS][2])
{
  sided context;
  const stepProblem problem = sided_problem(&context);
  double between[2];
  stepper *s = create(method, &problem, SIDED_START);
  for (int k = 0; k < INSTANTS; k++) {
    for (int j = 1; dense && j < 40; j++) {
      CHECK(step_to(s, 0.5 * k + j * 0.0125, between, NULL) == ART_OK);
    }
    CHECK(step_to(s, 0.5 * (k + 1), y[k], NULL) == ART_OK);
  }
}


TEST(the_solution_does_not_depend_on_the_instants_asked_for)
{
  for (int m = 0; m < NMETHODS; m++) {
    double sparse[INSTANTS][2], dense[INSTANTS][2];
    record(METHODS[m], 0, sparse);
    record(METHODS[m], 1, dense);
    CHECK(memcmp(sparse, dense, sizeof sparse) == 0);
  }
}


TEST(output_follows_the_closed_form_everywhere)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    double y[2], want[2];
    stepper *s = create(METHODS[m], &problem, SIDED_START);
    for (int k = 0; k < 500; k++) {
      CHECK(step_to(s, k * 0.0171, y, NULL) == ART_OK);
      sided_exact(k * 0.0171, want);
      CHECK_NEAR(y, want, 2, 2e-5);
    }
  }
}


TEST(the_start_is_handed_out_untouched)
{
  const stepProblem problem = twist();
  double y[3];
  for (int m = 0; m < NMETHODS; m++) {
    stepper *s = create(METHODS[m], &problem, TWIST_START);
    CHECK(step_to(s, 0, y, NULL) == ART_OK);
    CHECK(memcmp(y, TWIST_START, sizeof y) == 0);
    CHECK_EQ_INT(step_counts(s)->steps, 0);
  }
}


TEST(counts_tell_of_the_work)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    double y[2];
    stepper *s = create(METHODS[m], &problem, SIDED_START);
    CHECK(step_to(s, 10, y, NULL) == ART_OK);
    const stepCounts *counts = step_counts(s);
    CHECK(counts->steps > 50 && counts->evaluations > counts->steps);
    CHECK_EQ_INT(counts->events, context.count);
    CHECK(counts->shortest > 0 && counts->shortest < counts->longest);
    CHECK(counts->longest < 2);
  }
}


//---- interruption --------------------------------------------------------------------------------

// run to the end in one go, and with an interruption at the given instant, in output steps of 0.05
static void compare_interrupted(stepMethod method, double interruption)
{
  sided context, resumed_context;
  const stepProblem problem = sided_problem(&context);
  const stepProblem resumed_problem = sided_problem(&resumed_context);
  const double anything[2] = {3, 4};
  double y[2], z[2];

  stepper *s = create(method, &problem, SIDED_START);
  CHECK(step_to(s, interruption, y, NULL) == ART_OK);
  const size_t size = step_save_size(s);
  void *bytes = malloc(size);
  CHECK(step_save(s, bytes, size, NULL) == ART_OK);
  const sided mode = context;

  resumed_context = mode;
  stepper *resumed = create(method, &resumed_problem, anything);
  CHECK(step_load(resumed, bytes, size, NULL) == ART_OK);
  CHECK(step_to(s, interruption, y, NULL) == ART_OK);
  CHECK(step_to(resumed, interruption, z, NULL) == ART_OK);
  CHECK(memcmp(y, z, sizeof y) == 0);

  for (int k = 1; k <= 100; k++) {
    CHECK(step_to(s, interruption + k * 0.05, y, NULL) == ART_OK);
    CHECK(step_to(resumed, interruption + k * 0.05, z, NULL) == ART_OK);
    CHECK(memcmp(y, z, sizeof y) == 0);
  }
  CHECK_EQ_INT(context.count, resumed_context.count);
  CHECK(memcmp(context.times, resumed_context.times, sizeof context.times) == 0);
  CHECK(memcmp(step_counts(s), step_counts(resumed), sizeof(stepCounts)) == 0);
  free(bytes);
}


TEST(a_resumed_run_continues_to_the_same_bits)
{
  // at the start, in smooth motion, around the first and the fourth event, later
  const double around[] = {0, 0.3, sided_time(0), sided_time(3), 6.5};
  for (int m = 0; m < NMETHODS; m++) {
    for (int k = 0; k < 5; k++) {
      compare_interrupted(METHODS[m], around[k]);
      compare_interrupted(METHODS[m], around[k] + 1e-6);
      if (k > 0) compare_interrupted(METHODS[m], around[k] - 1e-6);
    }
  }
}


TEST(an_interruption_at_an_event_keeps_it_pending)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    double y[2];
    stepper *s = create(METHODS[m], &problem, SIDED_START);
    CHECK(step_to(s, 2, y, NULL) == ART_OK);
    CHECK(context.count == 1);
    const double event = context.times[0];
    compare_interrupted(METHODS[m], event);
  }
}


TEST(bytes_of_another_stepper_are_refused)
{
  const stepProblem problem = twist();
  stepProblem shorter = {.n = 2, .rate = oscillator_rate};
  stepper *s = create(STEP_DOPRI5, &problem, TWIST_START), *other = NULL;
  const size_t size = step_save_size(s);
  char *bytes = malloc(size);
  CHECK(step_save(s, bytes, size - 1, &check_error) == ART_BAD_INPUT);
  CHECK_WORKS(step_save(s, bytes, size, &check_error));

  CHECK(step_load(s, bytes, size - 1, &check_error) == ART_BAD_INPUT);
  CHECK(step_load(s, bytes, 3, &check_error) == ART_BAD_INPUT);

  other = create(STEP_RK4, &problem, TWIST_START);
  CHECK_FAILS(step_load(other, bytes, size, &check_error), ART_BAD_INPUT,
              "the saved stepper is dopri5, expected rk4");

  other = create(STEP_DOPRI5, &shorter, TWIST_START);
  CHECK_FAILS(step_load(other, bytes, size, &check_error), ART_BAD_INPUT, "another model");

  stepOptions options = with(STEP_DOPRI5);
  options.relative = 1e-5;
  other = keep_stepper(&options, &problem, 0, TWIST_START);
  CHECK_FAILS(step_load(other, bytes, size, &check_error), ART_BAD_INPUT, "1e-05");

  bytes[0] = '?';
  CHECK_FAILS(step_load(s, bytes, size, &check_error), ART_BAD_INPUT, "not a saved stepper");
  free(bytes);
}


//---- memory --------------------------------------------------------------------------------------

TEST(stepping_takes_no_memory)
{
  heap_watch();
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    double y[2];
    const stepOptions options = with(METHODS[m]);
    stepper *s = NULL;
    CHECK_WORKS(step_create(&s, &options, &problem, 0, SIDED_START, &check_error));
    const long before = heap_taken();
    for (int k = 0; k < 1000; k++) CHECK(step_to(s, 0.01 * k, y, NULL) == ART_OK);
    CHECK_EQ_INT(heap_taken(), before);
    step_free(s);
    CHECK_EQ_INT(heap_live(), 0);
  }
  heap_unwatch();
}


//---- errors --------------------------------------------------------------------------------------

TEST(bad_options_are_refused)
{
  const stepProblem problem = twist();
  stepOptions wrong[] = {
      {.method = STEP_RK4},
      {.method = STEP_RK4, .step = -1},
      {.method = STEP_DOPRI5, .relative = 1e-6},
      {.method = STEP_DOPRI5, .relative = NAN, .absolute = 1e-6},
      {.method = STEP_DOPRI5, .relative = 1e-6, .absolute = 1e-6, .longest = -1},
      {.method = STEP_DOPRI5, .relative = 1e-6, .absolute = 1e-6, .step = INFINITY},
      {.method = STEP_DOPRI5, .relative = 1e-6, .absolute = 1e-6, .most_steps = -1},
      {.method = (stepMethod) 17, .relative = 1e-6, .absolute = 1e-6},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    artError error = {0};
    stepper *s = NULL;
    CHECK(step_create(&s, &wrong[k], &problem, 0, TWIST_START, &error) == ART_BAD_INPUT);
    CHECK(!s && error.text[0]);
  }
  const stepOptions options = step_default_options();
  artError error = {0};
  stepper *s = NULL;
  CHECK(step_create(&s, &options, &problem, NAN, TWIST_START, &error) == ART_BAD_INPUT);
  const double y0[3] = {1.1, INFINITY, 1};
  CHECK(step_create(&s, &options, &problem, 0, y0, &error) == ART_BAD_INPUT);
  CHECK_CONTAINS(error.text, "y[1]");
}


TEST(time_does_not_run_backwards)
{
  const stepProblem problem = twist();
  double y[3];
  for (int m = 0; m < NMETHODS; m++) {
    stepper *s = create(METHODS[m], &problem, TWIST_START);
    CHECK_WORKS(step_to(s, 3, y, &check_error));
    CHECK(step_to(s, 1, y, &check_error) == ART_BAD_INPUT);
    CHECK(step_to(s, NAN, y, &check_error) == ART_BAD_INPUT);
    CHECK_WORKS(step_to(s, 3, y, &check_error));
  }
}


TEST(too_many_steps_are_reported_and_can_be_continued)
{
  const stepProblem problem = twist();
  double y[3], want[3];
  twist_exact(2, want);
  for (int m = 0; m < NMETHODS; m++) {
    stepOptions options = with(METHODS[m]);
    options.most_steps = 5;
    artError error = {0};
    stepper *s = keep_stepper(&options, &problem, 0, TWIST_START);
    CHECK(step_to(s, 2, y, &error) == ART_NO_CONVERGENCE);
    CHECK_CONTAINS(error.text, "5 steps were not enough");
    CHECK_EQ_INT(step_counts(s)->steps, 5);
    while (step_to(s, 2, y, &error)) continue;
    CHECK_NEAR(y, want, 3, 1e-4);
  }
}


static artStatus stop_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) y;
  ydot[0] = 1;
  return t > 1 ? ART_STOPPED : ART_OK;
}


TEST(a_request_to_stop_is_passed_on)
{
  const stepProblem problem = {.n = 1, .rate = stop_rate};
  const double y0 = 0;
  for (int m = 0; m < NMETHODS; m++) {
    double y = 0;
    stepper *s = create(METHODS[m], &problem, &y0);
    CHECK(step_to(s, 2, &y, &check_error) == ART_STOPPED);
    const double reached = step_time(s);
    CHECK(reached <= 1 + 1e-12);
    CHECK_CLOSE(y, reached, 1e-12);
  }
}


//---- settling ------------------------------------------------------------------------------------

static int to_the_circle(void *context, double t, double *y)
{
  (void) context, (void) t;
  const double r = hypot(y[0], y[1]);
  if (r == 1) return 0;
  y[0] /= r, y[1] /= r;
  return 1;
}


TEST(every_state_handed_out_is_settled)
{
  const stepProblem problem = {.n = 2, .rate = oscillator_rate, .project = to_the_circle};
  const double y0[2] = {1, 0}, one = 1;
  for (int m = 0; m < NMETHODS; m++) {
    stepper *s = create(METHODS[m], &problem, y0);
    for (int k = 0; k < 1000; k++) {
      double y[2];
      CHECK(step_to(s, 0.01 * k, y, NULL) == ART_OK);
      const double r = hypot(y[0], y[1]), want[2] = {cos(0.01 * k), -sin(0.01 * k)};
      CHECK_CLOSE(r, one, 3e-16);
      CHECK_NEAR(y, want, 2, 1e-5);
    }
  }
}


static int always_moved(void *context, double t, double *y)
{
  (void) context, (void) t, (void) y;
  return 1;
}


TEST(rates_are_computed_anew_where_settling_moved_the_state)
{
  const stepProblem problem = {.n = 2, .rate = oscillator_rate, .project = always_moved};
  stepOptions options = with(STEP_DOPRI5);
  options.step = options.longest = 0.01;
  const double y0[2] = {1, 0};
  double y[2];
  stepCounts counts = {0};
  CHECK(solve(&options, &problem, y0, 1, y, &counts) == ART_OK);
  CHECK_EQ_INT(counts.rejected, 0);
  CHECK_EQ_INT(counts.evaluations, 7 * counts.steps);
}


static artStatus no_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t, (void) y, (void) ydot;
  return ART_OK;
}


TEST(a_problem_without_unknowns_only_keeps_time)
{
  const stepProblem problem = {.n = 0, .rate = no_rate};
  for (int m = 0; m < NMETHODS; m++) {
    double nothing = 7;
    stepper *s = create(METHODS[m], &problem, &nothing);
    for (int k = 0; k < 100; k++) CHECK(step_to(s, 0.1 * k, &nothing, NULL) == ART_OK);
    CHECK(nothing == 7);
  }
}


// x'' = -1e16 x beside a slow z' = -z
static artStatus shiver_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = -y[0];
  ydot[1] = y[2];
  ydot[2] = -1e16 * y[1];
  return ART_OK;
}


// 10 s are hours away by steps that follow the vibration; it is told by what is stiff, unless stops ask for short steps
TEST(steps_that_would_take_hours_end_with_a_message)
{
  const stepProblem problem = {.n = 3, .rate = shiver_rate};
  for (int m = 1; m < NMETHODS; m++) {
    stepOptions options = with(METHODS[m]);
    options.whole = 10;
    const double y0[3] = {1, 1e-3, 0};
    double y[3];
    artError error = {0};
    stepper *s = keep_stepper(&options, &problem, 0, y0);
    CHECK_EQ_INT(step_to(s, 10, y, &error), ART_STEP_TOO_SMALL);
    CHECK(strstr(error.text, "does not get on at t = 0.0") && strstr(error.text, "by y[1], by"));
    CHECK(step_counts(s)->steps <= 600000);
  }
  stepOptions options = with(STEP_DOPRI5);
  options.whole = 10;
  const stepProblem slow = {.n = 2, .rate = oscillator_rate};
  const double y0[2] = {1, 0};
  double y[2];
  stepper *s = keep_stepper(&options, &slow, 0, y0);
  artStatus status = ART_OK;
  for (int k = 1; k <= 600000 && !status; k++) {
    step_stop(s, k * 1e-9);
    status = step_to(s, k * 1e-9, y, NULL);
  }
  CHECK_EQ_INT(status, ART_OK);
}
