// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stops of steppers: nothing is evaluated beyond them, time is theirs to the last bit, and a right-hand side that
// changes there gives the motion of its pieces.
#include "step_problems.h"
#include "support/mallocs.h"


static stepper *create(stepMethod method, double relative, const stepProblem *problem, double t0,
                       const double *y0)
{
  const stepOptions options = {.method = method,
                               .step = method == STEP_RK4 ? 0.003 : 0,
                               .relative = relative,
                               .absolute = relative / 100};
  return keep_stepper(&options, problem, t0, y0);
}


//---- a mass that is pushed -------------------------------------------------------------------------

// x'' = u, with the latest time at which anyone asked
typedef struct pushed {
  double u, latest;
} pushed;


static artStatus pushed_rate(void *context, double t, const double *y, double *ydot)
{
  pushed *c = context;
  c->latest = fmax(c->latest, t);
  ydot[0] = y[1];
  ydot[1] = c->u;
  return ART_OK;
}


// force +-1, changed every 10 ms, for 2 s: each pair of intervals moves the mass by h^2, and leaves it at rest
static double pushed_place(int k, double h)
{
  return k / 2 * h * h + (k % 2 ? h * h / 2 : 0);
}


TEST(a_force_that_changes_at_stops_moves_a_mass_as_its_pieces_say)
{
  const double h = 0.01;
  for (int m = 0; m < NMETHODS; m++) {
    pushed context = {.u = 0, .latest = -1};
    const stepProblem problem = {.n = 2, .rate = pushed_rate, .context = &context};
    double y[2] = {0, 0};
    stepper *s = create(METHODS[m], METHODS[m] == STEP_BDF ? 1e-14 : 1e-12, &problem, 0, y);
    long taken = 0;
    for (int k = 0; k < 200; k++) {
      if (k == 20) taken = mallocs;
      context.u = k % 2 ? -1 : 1;
      step_restart(s, step_time(s), y);
      step_stop(s, (k + 1) * h);
      CHECK(step_to(s, (k + 1) * h, y, NULL) == ART_OK);
      CHECK(step_time(s) == (k + 1) * h);
      CHECK(context.latest <= (k + 1) * h);
      CHECK_CLOSE(y[0], pushed_place(k + 1, h), 1e-12);
      CHECK_CLOSE(y[1], k % 2 ? 0 : h, 1e-12);
    }
    CHECK_EQ_INT(mallocs, taken);
    if (METHODS[m] == STEP_RK4) CHECK_EQ_INT(step_counts(s)->steps, 800);
  }
}


// a stop is not seen in a solution that knows of none
TEST(stops_at_odd_instants_leave_a_smooth_motion_as_it_is)
{
  for (int m = 0; m < NMETHODS; m++) {
    const stepProblem problem = twist();
    double y[3], want[3], stop = 0;
    twist_exact(0, y);
    stepper *s = create(METHODS[m], 1e-9, &problem, 0, y);
    for (int k = 0; k < 300; k++) {
      stop += 0.001 * (1 + k % 17);
      step_stop(s, stop);
      CHECK(step_to(s, 0.5 * (stop + step_time(s)), y, NULL) == ART_OK); // a row on the way
      CHECK(step_to(s, stop, y, NULL) == ART_OK);
      CHECK(step_time(s) == stop);
      twist_exact(stop, want);
      for (int i = 0; i < 3; i++) CHECK_CLOSE(y[i], want[i], 2e-7);
    }
  }
}


// steps and evaluations over 10 s, with stops every second or without
static stepCounts count_with(stepMethod method, double tol, int stops)
{
  const stepProblem problem = twist();
  double y[3];
  twist_exact(0, y);
  stepper *s = create(method, tol, &problem, 0, y);
  for (int k = 1; k <= 10; k++) {
    if (stops) step_stop(s, k);
    CHECK(step_to(s, k, y, NULL) == ART_OK);
  }
  return *step_counts(s);
}


// a method that goes on does not begin with short steps behind each stop; in the mean of tolerances, for orders are chosen
// otherwise behind stops
TEST(stops_cost_no_more_than_the_steps_that_they_cut)
{
  enum { TOLERANCES = 16 };
  for (int m = 1; m < NMETHODS; m++) {
    long steps[2] = {0, 0}, evaluations[2] = {0, 0};
    for (int k = 0; k < TOLERANCES; k++) {
      for (int stops = 0; stops < 2; stops++) {
        const stepCounts counts = count_with(METHODS[m], pow(10, -7 - 0.2 * k), stops);
        steps[stops] += counts.steps;
        evaluations[stops] += counts.evaluations;
      }
    }
    CHECK(steps[1] <= steps[0] + 4 * 10 * TOLERANCES);
    CHECK((double) evaluations[1] <= 1.25 * (double) evaluations[0]);
  }
}


// beside a step of the usual length stops may lie as near to each other as numbers can
TEST(stops_a_rounding_apart_are_reached)
{
  for (int m = 0; m < NMETHODS; m++) {
    const stepProblem problem = twist();
    double y[3], want[3], t = 0.37;
    twist_exact(0, y);
    stepper *s = create(METHODS[m], 1e-9, &problem, 0, y);
    for (int k = 0; k < 40; k++) {
      step_stop(s, t);
      CHECK(step_to(s, t, y, NULL) == ART_OK);
      CHECK(step_time(s) == t);
      twist_exact(t, want);
      for (int i = 0; i < 3; i++) CHECK_CLOSE(y[i], want[i], 5e-8);
      t = k % 3 == 2 ? t + 0.01 : nextafter(t, 10 + k);
    }
  }
}


TEST(a_stop_far_from_zero_is_reached)
{
  pushed context = {.u = 1, .latest = -1};
  const stepProblem problem = {.n = 2, .rate = pushed_rate, .context = &context};
  for (int m = 0; m < NMETHODS; m++) {
    const double start = -1e6;
    double y[2] = {0, 0}, t = start;
    context.latest = start;
    stepper *s = create(METHODS[m], 1e-9, &problem, start, y);
    for (int k = 0; k < 20; k++) {
      t += 0.01;
      step_stop(s, t);
      CHECK(step_to(s, t, y, NULL) == ART_OK);
      CHECK(step_time(s) == t);
      CHECK_CLOSE(y[1], t - start, 1e-9);
    }
    CHECK(context.latest <= t);
  }
}


//---- back, and off ---------------------------------------------------------------------------------

// output beyond which the stepper has gone: f changes at the output, not where the steps are
TEST(a_restart_goes_back_to_where_output_was_asked_for)
{
  for (int m = 0; m < NMETHODS; m++) {
    pushed context = {.u = 1};
    const stepProblem problem = {.n = 2, .rate = pushed_rate, .context = &context};
    double y[2] = {0, 0};
    stepper *s = create(METHODS[m], 1e-12, &problem, 0, y);
    CHECK(step_to(s, 0.5, y, NULL) == ART_OK);
    context.u = -3;
    step_restart(s, 0.5, y);
    CHECK(step_time(s) == 0.5);
    CHECK(step_to(s, 1, y, NULL) == ART_OK);
    CHECK_CLOSE(y[1], 0.5 - 3 * 0.5, 1e-9);
    CHECK_CLOSE(y[0], 0.125 + 0.25 - 0.375, 1e-9);
  }
}


TEST(without_a_stop_steps_are_free_again)
{
  for (int m = 0; m < NMETHODS; m++) {
    const stepProblem problem = twist();
    double y[3], want[3];
    twist_exact(0, y);
    stepper *s = create(METHODS[m], 1e-9, &problem, 0, y);
    step_stop(s, 0.0101);
    CHECK(step_to(s, 0.005, y, NULL) == ART_OK);
    step_stop(s, INFINITY);
    CHECK(step_to(s, 3, y, NULL) == ART_OK);
    twist_exact(3, want);
    for (int i = 0; i < 3; i++) CHECK_CLOSE(y[i], want[i], 1e-6);
    if (METHODS[m] != STEP_RK4) CHECK(step_counts(s)->longest > 0.0101);
  }
}


//---- events ----------------------------------------------------------------------------------------

TEST(events_between_stops_are_found)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    double y[2] = {0, SIDED_SPEED}, want[2];
    stepper *s = create(METHODS[m], 1e-10, &problem, 0, y);
    for (int k = 1; k <= 500; k++) {
      step_stop(s, 0.02 * k);
      CHECK(step_to(s, 0.02 * k, y, NULL) == ART_OK);
      CHECK(step_time(s) == 0.02 * k);
      sided_exact(0.02 * k, want);
      CHECK_CLOSE(y[0], want[0], 1e-6);
      CHECK_CLOSE(y[1], want[1], 1e-6);
    }
    for (int i = 0; i < context.count; i++) CHECK_CLOSE(context.times[i], sided_time(i), 1e-6);
    CHECK(context.count >= 6);
  }
}


// a stop at an event, and a rounding before and behind it
TEST(a_stop_at_an_event_neither_loses_nor_doubles_it)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    double y[2], want[2];
    stepper *s = create(METHODS[m], 1e-10, &problem, 0, SIDED_START);
    CHECK(step_to(s, 2, y, NULL) == ART_OK);
    const double event = context.times[0];
    for (int shift = -3; shift <= 3; shift++) {
      const double stop = event * (1 + shift * 1e-16 * (abs(shift) > 1 ? 10 : 1));
      context = (sided){.side = 1};
      s = create(METHODS[m], 1e-10, &problem, 0, SIDED_START);
      step_stop(s, stop);
      CHECK(step_to(s, stop, y, NULL) == ART_OK);
      CHECK(step_time(s) == stop);
      step_stop(s, 2.5);
      CHECK(step_to(s, 2.5, y, NULL) == ART_OK);
      CHECK_EQ_INT(context.count, 1);
      sided_exact(2.5, want);
      CHECK_CLOSE(y[0], want[0], 1e-7);
    }
  }
}


//---- interruption ----------------------------------------------------------------------------------

// in the middle of 200 stops, some of them with a restart, the way goes on to the same bits
TEST(a_stepper_saved_among_stops_goes_on_to_the_same_bits)
{
  const double anything[2] = {3, 4};
  for (int m = 0; m < NMETHODS; m++) {
    sided context, twin_context;
    const stepProblem problem = sided_problem(&context);
    const stepProblem twin_problem = sided_problem(&twin_context);
    double y[2], z[2];
    stepper *s = create(METHODS[m], 1e-9, &problem, 0, SIDED_START);
    stepper *twin = create(METHODS[m], 1e-9, &twin_problem, 0, anything);
    const size_t size = step_save_size(s);
    void *bytes = malloc(size);
    for (int k = 1; k <= 200; k++) {
      const double stop = k * 0.01;
      step_stop(s, stop);
      if (k % 7 == 0) CHECK(step_to(s, stop - 0.004, y, NULL) == ART_OK);
      if (k % 23 == 0) {
        twin_context = context;
        CHECK(step_save(s, bytes, size, NULL) == ART_OK);
        CHECK(step_load(twin, bytes, size, NULL) == ART_OK);
      }
      CHECK(step_to(s, stop, y, NULL) == ART_OK);
      if (k < 23) continue;
      if (k % 23 != 0) step_stop(twin, stop);
      CHECK(step_to(twin, stop, z, NULL) == ART_OK);
      CHECK(memcmp(y, z, sizeof y) == 0);
      CHECK_EQ_INT(step_counts(s)->steps, step_counts(twin)->steps);
      if (k % 40 == 0) {
        step_restart(s, stop, y);
        step_restart(twin, stop, z);
      }
    }
    free(bytes);
  }
}
