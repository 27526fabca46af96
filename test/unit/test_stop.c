// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stops: closed forms, continuity, energy, and the walk from segment to segment.
#include "law/stop.h"

#include <math.h>

#include "element/derivative.h"
#include "element/port.h"
#include "support/check.h"

static const forceStop stop = {.lower = -1, .upper = 2, .stiffness = 100, .damping = 0.5};


static modelElement element_of(const forceStop *own)
{
  return (modelElement){.kind = ELEMENT_joint_stop, .stop = *own};
}


static portForce act(const forceStop *own, portSource from, double x, double v)
{
  const modelElement e = element_of(own);
  const portMotion in = {.from = from, .x = {x}, .v = {v}};
  portForce out;
  port_physics(&e)->act(&e, &in, &out);
  return out;
}


static double stop_force(const forceStop *own, stopSegment segment, double x, double v)
{
  const int mode = (int) segment;
  const portForce out = act(own, (portSource){.mode = &mode}, x, v);
  return out.elastic[0] + out.resisting[0];
}


static double stop_spring_force(const forceStop *own, stopSegment segment, double x)
{
  const int mode = (int) segment;
  return act(own, (portSource){.mode = &mode}, x, 0).elastic[0];
}


static double stop_mean_spring_force(const forceStop *own, double a, double b)
{
  return act(own, (portSource){.begin = &a, .end = &b}, 0.5 * (a + b), 0).elastic[0];
}


static double stop_potential(const forceStop *own, stopSegment segment, double x)
{
  const int mode = (int) segment;
  const modelElement e = element_of(own);
  const portMotion in = {.from = {.mode = &mode}, .x = {x}};
  return port_physics(&e)->potential(&e, &in);
}


static double force(double x, double v)
{
  return stop_force(&stop, stop_segment(&stop, x, v), x, v);
}


TEST(the_force_follows_hunt_and_crossley)
{
  static const double x[] = {0, 2, 2.1, 2.1, 2.1, 2.1, -1.2, -1.2, -1.2};
  static const double v[] = {5, 5, 0, 1, -1, -3, 0, -1, 3};
  static const double want[] = {0, 0, -10, -15, -5, 0, 20, 30, 0};
  for (int i = 0; i < 9; i++) {
    CHECK_CLOSE(force(x[i], v[i]), want[i], 1e-13);
  }
}


TEST(the_force_has_no_jump)
{
  uint64_t seed = 3;
  const double zero = 0, tiny = 1e-9;
  for (int trial = 0; trial < 100; trial++) {
    const double v = check_uniform(&seed, -10, 10), x = check_uniform(&seed, 2, 3);
    CHECK_CLOSE(force(2 + tiny, v), zero, 1e-6);
    CHECK_CLOSE(force(-1 - tiny, v), zero, 1e-6);
    CHECK_CLOSE(force(x, -2 + tiny), zero, 1e-6);
  }
}


TEST(it_pushes_back_takes_energy_and_never_pulls)
{
  uint64_t seed = 5;
  for (int trial = 0; trial < 1000; trial++) {
    const double x = check_uniform(&seed, -3, 4), v = check_uniform(&seed, -8, 8);
    const double h = 1e-6;
    const stopSegment segment = stop_segment(&stop, x, v);
    const double f = force(x, v);
    CHECK(x > 2 ? f <= 0 : x < -1 ? f >= 0 : f == 0);

    // power lost = -(F v + dV/dt) >= 0
    const double rise =
        (stop_potential(&stop, segment, x + h) - stop_potential(&stop, segment, x - h)) / (2 * h) *
        v;
    CHECK(f * v + rise <= 1e-5);
  }
}


TEST(partial_derivatives_agree_with_differences)
{
  uint64_t seed = 9;
  const double h = 1e-5;
  for (int trial = 0; trial < 300; trial++) {
    const double x = check_uniform(&seed, -3, 4), v = check_uniform(&seed, -8, 8);
    const stopSegment s = stop_segment(&stop, x, v);
    const modelElement e = element_of(&stop);
    const int mode = (int) s;
    double got[2];
    element_slope_by_displacement(&e, &mode, 1, &x, &v, 0, &got[0]);
    element_slope_by_rate(&e, &mode, 1, &x, &v, 0, &got[1]);
    const double want[2] = {
        (stop_force(&stop, s, x + h, v) - stop_force(&stop, s, x - h, v)) / (2 * h),
        (stop_force(&stop, s, x, v + h) - stop_force(&stop, s, x, v - h)) / (2 * h)};
    CHECK_NEAR(got, want, 2, 1e-6);
  }
}


TEST(without_damping_the_force_is_minus_the_slope_of_the_potential)
{
  const forceStop spring = {.lower = -1, .upper = 2, .stiffness = 40};
  for (double x = -2; x < 3.01; x += 0.13) {
    const stopSegment s = stop_segment(&spring, x, 7);
    const double h = 1e-4;
    const double want =
        -(stop_potential(&spring, s, x + h) - stop_potential(&spring, s, x - h)) / (2 * h);
    CHECK_CLOSE(stop_force(&spring, s, x, 7), want, 1e-9);
  }
}


TEST(mean_spring_forces_are_quotients_of_potentials)
{
  const forceStop floor_only = {.lower = 0, .upper = INFINITY, .stiffness = 10};
  const forceStop *stops[] = {&stop, &floor_only};
  for (int k = 0; k < 2; k++) {
    for (double a = -3; a < 4; a += 0.23) {
      const stopSegment at_a = stop_segment(stops[k], a, 0);
      for (double b = -2.9; b < 4; b += 0.29) {
        const double want = stop_potential(stops[k], at_a, a) -
                            stop_potential(stops[k], stop_segment(stops[k], b, 0), b);
        CHECK_CLOSE((b - a) * stop_mean_spring_force(stops[k], a, b), want, 2e-13);
      }
      const double near_by = stop_mean_spring_force(stops[k], a, a + 1e-13);
      CHECK_CLOSE(near_by, stop_spring_force(stops[k], at_a, a), 1e-11);
    }
  }
}


TEST(margins_lead_from_segment_to_segment)
{
  // a motion through all segments: into the upper stop, out too fast, down into the lower one, back
  stopSegment segment = stop_segment(&stop, 0.5, 0);
  int seen[5] = {0};
  for (int i = 0; i <= 4000; i++) {
    const double t = 2 * 3.14159265358979323846 * i / 4000;
    const double x = 0.5 + 3 * sin(t), v = 5 * cos(t + 0.3);
    double g[STOP_MARGINS];
    stop_margins(&stop, segment, x, v, g);
    for (int rounds = 0; rounds < 3 && fmin(g[0], g[1]) < 0; rounds++) {
      segment = stop_next(segment, g[1] < g[0]);
      stop_margins(&stop, segment, x, v, g);
    }
    CHECK_EQ_INT(segment, stop_segment(&stop, x, v));
    CHECK(g[0] > 0 && g[1] > 0);
    seen[segment]++;
  }
  for (int i = 0; i < 5; i++) CHECK(seen[i] > 0);
}


TEST(a_limit_may_be_missing)
{
  const forceStop floor_only = {.lower = 0, .upper = INFINITY, .stiffness = 10, .damping = 1};
  CHECK_EQ_INT(stop_segment(&floor_only, 1e300, 0), STOP_INSIDE);
  CHECK_EQ_INT(stop_segment(&floor_only, -1, 0), STOP_BELOW);
  double g[STOP_MARGINS];
  stop_margins(&floor_only, STOP_INSIDE, 3, 0, g);
  CHECK(g[0] == 3 && g[1] > 0 && isfinite(g[1]));
  CHECK_EQ_INT(stop_next(STOP_INSIDE, 0), STOP_BELOW);
}
