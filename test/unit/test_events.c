// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Events: switching instants against closed forms, order kept across them, awkward cases.
#include "step_problems.h"


static stepOptions with(stepMethod method, double step, double tol)
{
  stepOptions options = step_default_options();
  options.method = method;
  options.step = method == STEP_RK4 ? step : 0;
  options.relative = options.absolute = tol;
  return options;
}


//---- instants ------------------------------------------------------------------------------------

TEST(the_two_sided_spring_switches_when_the_closed_form_says)
{
  const stepOptions options[] = {with(STEP_RK4, 2e-4, 1), with(STEP_DOPRI5, 0, 1e-15)};
  for (int m = 0; m < 2; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    double y[2], want[2], t[6];
    stepCounts counts = {0};
    CHECK(solve(&options[m], &problem, SIDED_START, 9, y, &counts) == ART_OK);
    sided_exact(9, want);
    CHECK_NEAR(y, want, 2, 2e-12);
    CHECK_EQ_INT(context.count, 6);
    for (int i = 0; i < 6; i++) t[i] = sided_time(i);
    CHECK_NEAR(context.times, t, 6, 1e-12);

    // an instant costs a handful of looks, each a side step of three rates in RK4
    const long compared = 7 * (counts.steps / 64 + 32);
    if (m == 0) CHECK(counts.evaluations - 4 * counts.steps <= 6 * 10 * 3 + compared);
  }
}


#ifdef ART_HAVE_SUNDIALS
TEST(multistep_methods_find_the_same_instants_within_their_tolerance)
{
  for (int m = 2; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    const stepOptions options = with(METHODS[m], 0, 1e-12);
    double y[2], want[2], t[6];
    stepCounts counts = {0};
    CHECK(solve(&options, &problem, SIDED_START, 9, y, &counts) == ART_OK);
    sided_exact(9, want);
    CHECK_NEAR(y, want, 2, 1e-8);
    CHECK_EQ_INT(context.count, 6);
    CHECK_EQ_INT(counts.events, 6);
    for (int i = 0; i < 6; i++) t[i] = sided_time(i);
    CHECK_NEAR(context.times, t, 6, 1e-8);
  }
}
#endif


// x'' = -side: parabolas, which the methods of order two and more follow without error
static artStatus parabola_rate(void *context, double t, const double *y, double *ydot)
{
  (void) t;
  const sided *c = context;
  ydot[0] = y[1];
  ydot[1] = -c->side;
  return ART_OK;
}


TEST(parabolas_switch_at_multiples_of_twice_the_speed)
{
  for (int m = 0; m < 2; m++) {
    sided context;
    stepProblem problem = sided_problem(&context);
    problem.rate = parabola_rate;
    const stepOptions options = with(METHODS[m], 0.13, 1e-9);
    const double y0[2] = {0, 0.35};
    double y[2], t[20];
    CHECK(solve(&options, &problem, y0, 20 * 0.7 + 0.1, y, NULL) == ART_OK);
    CHECK_EQ_INT(context.count, 20);
    for (int i = 0; i < 20; i++) t[i] = (i + 1) * 0.7;
    CHECK_NEAR(context.times, t, 20, 1e-12);
    const double want[2] = {0.1 * (0.35 - 0.05), 0.25};
    CHECK_NEAR(y, want, 2, 1e-12);
  }
}


// y' = the number of steps of a staircase in time
typedef struct staircase {
  int steps;
} staircase;


static artStatus staircase_rate(void *context, double t, const double *y, double *ydot)
{
  (void) t, (void) y;
  ydot[0] = ((const staircase *) context)->steps;
  return ART_OK;
}


static void staircase_switches(void *context, double t, const double *y, double *g)
{
  (void) y;
  g[0] = (((const staircase *) context)->steps + 1) / 3.0 - t;
}


static void staircase_cross(void *context, double t, const double *y, int i)
{
  (void) t, (void) y, (void) i;
  ((staircase *) context)->steps++;
}


TEST(switching_in_time_alone_is_exact)
{
  for (int m = 0; m < NMETHODS; m++) {
    staircase context = {0};
    const stepProblem problem = {.n = 1,
                                 .nswitch = 1,
                                 .rate = staircase_rate,
                                 .switches = staircase_switches,
                                 .switch_mode = staircase_cross,
                                 .context = &context};
    stepOptions options = with(METHODS[m], 0.25, 1e-9);
    options.longest = 0.3;
    const double y0 = 0, want = (0 + 1 + 2 + 3 + 4 + 5) / 3.0;
    double y;
    stepCounts counts = {0};
    CHECK(solve(&options, &problem, &y0, 2, &y, &counts) == ART_OK);
    CHECK_CLOSE(y, want, 1e-13);
    CHECK(counts.events == 5 || counts.events == 6);
  }
}


//---- order ---------------------------------------------------------------------------------------

static double order_across_events(stepMethod method, double h, int n)
{
  double steps[8], errors[8], y[2], want[2];
  const double t = 5;
  sided_exact(t, want);
  for (int k = 0; k < n; k++, h /= 2) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    stepOptions options = with(method, h, 1e3);
    options.step = options.longest = h;
    CHECK(solve(&options, &problem, SIDED_START, t, y, NULL) == ART_OK);
    CHECK_EQ_INT(context.count, 3);
    steps[k] = h;
    errors[k] = distance(y, want, 2);
  }
  return fitted_slope(steps, errors, n);
}


TEST(the_order_is_kept_across_events)
{
  CHECK_CLOSE(order_across_events(STEP_RK4, 1.0 / 16, 6), 4, 0.1);
  CHECK_CLOSE(order_across_events(STEP_DOPRI5, 1.0 / 16, 5), 5, 0.3);
}


TEST(the_grid_of_rk4_goes_on_after_an_event)
{
  sided context;
  const stepProblem problem = sided_problem(&context);
  const stepOptions options = with(STEP_RK4, 0.125, 1);
  double y[2];
  stepper *s = keep_stepper(&options, &problem, 0, SIDED_START);
  CHECK(step_to(s, 4, y, NULL) == ART_OK);
  CHECK(step_time(s) == 4);
  CHECK_EQ_INT(context.count, 2);
  CHECK_EQ_INT(step_counts(s)->steps, 4 * 8 + 2);
}


//---- several at once -----------------------------------------------------------------------------

enum { GATES = 4 };

// y' = 1 through gates, each of which may be passed once
typedef struct gates {
  double at[GATES];
  int passed[GATES];
  double times[GATES];
  int order[GATES], count;
} gates;


static artStatus gates_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t, (void) y;
  ydot[0] = 1;
  return ART_OK;
}


static void gates_switches(void *context, double t, const double *y, double *g)
{
  (void) t;
  const gates *c = context;
  for (int i = 0; i < GATES; i++) g[i] = c->passed[i] ? y[0] - c->at[i] + 1 : c->at[i] - y[0];
}


static void gates_cross(void *context, double t, const double *y, int i)
{
  (void) y;
  gates *c = context;
  CHECK(!c->passed[i]);
  c->passed[i] = 1;
  c->times[i] = t;
  c->order[c->count++] = i;
}


TEST(events_in_quick_succession_are_all_found_in_order)
{
  for (int m = 0; m < NMETHODS; m++) {
    gates context = {.at = {0.5 + 3e-12, 0.5, 0.9, 0.5 + 1e-9}};
    const stepProblem problem = {.n = 1,
                                 .nswitch = GATES,
                                 .rate = gates_rate,
                                 .switches = gates_switches,
                                 .switch_mode = gates_cross,
                                 .context = &context};
    const stepOptions options = with(METHODS[m], 0.25, 1e-9);
    const double y0 = 0, want = 2;
    double y;
    CHECK(solve(&options, &problem, &y0, 2, &y, NULL) == ART_OK);
    CHECK_CLOSE(y, want, 1e-14);
    CHECK_NEAR(context.times, context.at, GATES, 1e-14);
    const int order[GATES] = {1, 0, 3, 2};
    CHECK_EQ_INT(context.count, GATES);
    CHECK(memcmp(order, context.order, sizeof order) == 0);
  }
}


TEST(events_at_the_same_instant_are_crossed_together)
{
  for (int m = 0; m < NMETHODS; m++) {
    gates context = {.at = {0.7, 0.7, 0.9, 0.7}};
    const stepProblem problem = {.n = 1,
                                 .nswitch = GATES,
                                 .rate = gates_rate,
                                 .switches = gates_switches,
                                 .switch_mode = gates_cross,
                                 .context = &context};
    const stepOptions options = with(METHODS[m], 0.25, 1e-9);
    const double y0 = 0;
    double y;
    CHECK(solve(&options, &problem, &y0, 2, &y, NULL) == ART_OK);
    CHECK_EQ_INT(context.count, GATES);
    CHECK(context.times[0] == context.times[1] && context.times[1] == context.times[3]);
    CHECK_NEAR(context.times, context.at, GATES, 1e-14);
  }
}


//---- on the border -------------------------------------------------------------------------------

TEST(a_start_on_the_border_into_the_other_mode_switches_at_once)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    const stepOptions options = with(METHODS[m], 1e-3, 1e-11);
    const double y0[2] = {0, -0.8}, half = acos(-1) / SIDED_OMEGA_NEGATIVE;
    double y[2];
    CHECK(solve(&options, &problem, y0, 1.5, y, NULL) == ART_OK);
    CHECK_EQ_INT(context.count, 2);
    CHECK(context.times[0] == 0);
    CHECK_CLOSE(context.times[1], half, 1e-9);
    const double rest = SIDED_OMEGA_POSITIVE * (1.5 - half);
    const double want[2] = {0.8 / SIDED_OMEGA_POSITIVE * sin(rest), 0.8 * cos(rest)};
    CHECK_NEAR(y, want, 2, 1e-8);
  }
}


// constant pull to the left of strength 1 where x > 0, 2 where x < 0
static artStatus pull_rate(void *context, double t, const double *y, double *ydot)
{
  (void) t;
  const sided *c = context;
  ydot[0] = y[1];
  ydot[1] = c->side > 0 ? -1 : -2;
  return ART_OK;
}


TEST(a_rest_on_the_border_that_falls_off_switches_at_once)
{
  // neither x nor x' tells at t = 0 which mode is to come
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    stepProblem problem = sided_problem(&context);
    problem.rate = pull_rate;
    const stepOptions options = with(METHODS[m], 0.1, 1e-10);
    const double y0[2] = {0, 0}, want[2] = {-1, -2};
    double y[2];
    CHECK(solve(&options, &problem, y0, 1, y, NULL) == ART_OK);
    CHECK_NEAR(y, want, 2, 1e-8);
    CHECK_EQ_INT(context.count, 1);
    CHECK(context.times[0] == 0);
  }
}


TEST(a_mode_that_does_not_hold_at_the_start_is_left_at_once)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    const stepOptions options = with(METHODS[m], 0.01, 1e-9);
    const double y0[2] = {-0.1, 0};
    double y[2];
    CHECK(solve(&options, &problem, y0, 0.1, y, NULL) == ART_OK);
    CHECK_EQ_INT(context.count, 1);
    CHECK_EQ_INT(context.side, -1);
  }
}


TEST(a_body_at_rest_on_the_border_makes_no_events)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    const stepOptions options = with(METHODS[m], 0.1, 1e-9);
    const double y0[2] = {0, 0};
    double y[2];
    CHECK(solve(&options, &problem, y0, 10, y, NULL) == ART_OK);
    CHECK_NEAR(y, y0, 2, 0);
    CHECK_EQ_INT(context.count, 0);
  }
}


// up through zero and down again within one step after an event, up again later
static artStatus hop_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = y[1];
  ydot[1] = -1;
  return ART_OK;
}


TEST(a_hop_within_one_step_is_seen)
{
  // starts on the border, is above it for 0.02 s of the first step of 1 s
  sided context;
  stepProblem problem = sided_problem(&context);
  problem.rate = hop_rate;
  const stepOptions options = with(STEP_RK4, 1, 1);
  const double y0[2] = {0, 0.01}, back = 0.02;
  double y[2];
  CHECK(solve(&options, &problem, y0, 3, y, NULL) == ART_OK);
  CHECK_EQ_INT(context.count, 1);
  CHECK_CLOSE(context.times[0], back, 1e-15);
}


// y = (t - 5.55)^2/2 - depth, whatever the side
static artStatus dip_rate(void *context, double t, const double *y, double *ydot)
{
  (void) context, (void) t;
  ydot[0] = y[1];
  ydot[1] = 1;
  return ART_OK;
}


TEST(a_dip_within_one_step_is_seen)
{
  for (int m = 0; m < NMETHODS; m++) {
    for (double depth = 1e-3; depth > 5e-8; depth *= 0.1) {
      sided context;
      stepProblem problem = sided_problem(&context);
      problem.rate = dip_rate;
      stepOptions options = with(METHODS[m], 0.5, 1e-13);
      options.longest = 0.5;
      const double lowest = 5.55, y0[2] = {lowest * lowest / 2 - depth, -lowest};
      const double times[2] = {lowest - sqrt(2 * depth), lowest + sqrt(2 * depth)};
      double y[2];
      CHECK(solve(&options, &problem, y0, 10, y, NULL) == ART_OK);
      CHECK_EQ_INT(context.count, 2);
      CHECK_NEAR(context.times, times, 2, 1e-11 / sqrt(depth));
    }
  }
}


// A point that is pushed evenly along a line passes a disc of radius 1.6 whose middle has the distance 1 from the line.
typedef struct passage {
  sided sided; // first: sided_cross takes it
  double middle;
} passage;


static void passage_switches(void *context, double t, const double *y, double *g)
{
  const passage *c = context;
  (void) t;
  g[0] = c->sided.side * (hypot(y[0] - c->middle, 1) - 1.6);
}


// its steps grow tenfold: it comes to the disc faster and faster, and leaves it, within one of them
TEST(a_disc_that_is_passed_within_one_step_is_seen)
{
  const double chord = sqrt(1.6 * 1.6 - 1);
  for (double middle = 2; middle < 12; middle += 0.1) {
    passage context = {.middle = middle};
    stepProblem problem = sided_problem(&context.sided);
    problem.rate = dip_rate;
    problem.switches = passage_switches;
    problem.context = &context;
    stepOptions options = with(STEP_DOPRI5, 0.01, 1e-7);
    options.longest = 40;
    const double y0[2] = {0, 0},
                 times[2] = {sqrt(2 * (middle - chord)), sqrt(2 * (middle + chord))};
    double y[2];
    CHECK(solve(&options, &problem, y0, 20, y, NULL) == ART_OK);
    if (CHECK_EQ_INT(context.sided.count, 2)) CHECK_NEAR(context.sided.times, times, 2, 1e-9);
  }
}


// y = (t - 0.25)^2/2 - 0.005 and a function of time that is zero at 0.3 s, with the instants at which they switch
typedef struct pairOfSides {
  double side[2], times[8];
  int which[8], count;
} pairOfSides;


static void pair_switches(void *context, double t, const double *y, double *g)
{
  const pairOfSides *c = context;
  g[0] = c->side[0] * y[0];
  g[1] = c->side[1] * (0.3 - t);
}


static void pair_cross(void *context, double t, const double *y, int i)
{
  (void) y;
  pairOfSides *c = context;
  c->side[i] = -c->side[i];
  if (c->count < 8) c->times[c->count] = t, c->which[c->count] = i;
  c->count++;
}


TEST(a_function_that_is_back_at_the_end_of_a_step_switches_before_another_one_that_is_not)
{
  pairOfSides context = {.side = {1, 1}};
  const stepProblem problem = {.n = 2,
                               .nswitch = 2,
                               .rate = dip_rate,
                               .switches = pair_switches,
                               .switch_mode = pair_cross,
                               .context = &context};
  const stepOptions options = with(STEP_RK4, 0.5, 1);
  const double y0[2] = {0.25 * 0.25 / 2 - 0.005, -0.25}, times[3] = {0.15, 0.3, 0.35};
  double y[2];
  CHECK(solve(&options, &problem, y0, 1, y, NULL) == ART_OK);
  CHECK_EQ_INT(context.count, 3);
  CHECK_NEAR(context.times, times, 3, 1e-12);
  CHECK(context.which[0] == 0 && context.which[1] == 1 && context.which[2] == 0);
}


TEST(a_function_that_does_not_reach_zero_switches_nothing)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    stepProblem problem = sided_problem(&context);
    problem.rate = dip_rate;
    const stepOptions options = with(METHODS[m], 0.5, 1e-13);
    const double lowest = 5.55, y0[2] = {lowest * lowest / 2 + 1e-6, -lowest};
    double y[2];
    CHECK(solve(&options, &problem, y0, 10, y, NULL) == ART_OK);
    CHECK_EQ_INT(context.count, 0);
  }
}


// y' = -side: both sides push to the border, where no mode holds
static artStatus pushed_rate(void *context, double t, const double *y, double *ydot)
{
  (void) t, (void) y;
  ydot[0] = -((const sided *) context)->side;
  return ART_OK;
}


TEST(modes_that_push_to_each_other_are_reported_with_the_time)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    stepProblem problem = sided_problem(&context);
    problem.n = 1;
    problem.rate = pushed_rate;
    const stepOptions options = with(METHODS[m], 0.1, 1e-9);
    const double y0 = 0.75, zero = 0;
    double y = 1;
    stepper *s = keep_stepper(&options, &problem, 0, &y0);
    CHECK_FAILS(step_to(s, 2, &y, &check_error), ART_NO_CONVERGENCE,
                "the modes changed 1000 times at t = 0.75");
    CHECK_CLOSE(y, zero, 1e-12);
  }
}


//---- output --------------------------------------------------------------------------------------

TEST(the_context_is_in_the_mode_of_the_instant_handed_out)
{
  for (int m = 0; m < NMETHODS; m++) {
    sided context;
    const stepProblem problem = sided_problem(&context);
    const stepOptions options = with(METHODS[m], 0.2, 1e-9);
    double y[2];
    stepper *s = keep_stepper(&options, &problem, 0, SIDED_START);
    for (int k = 1; k < 2000; k++) {
      CHECK(step_to(s, k * 0.005, y, NULL) == ART_OK);
      CHECK(context.side * y[0] > -1e-12);
    }
  }
}
