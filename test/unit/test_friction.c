// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Friction: limits, closed form, slope.
#include "element/derivative.h"
#include "element/port.h"
#include "support/check.h"

static const modelElement friction = {
    .kind = ELEMENT_joint_friction,
    .friction = {
        .coulomb = 3, .breakaway = 5, .stribeck_speed = 0.2, .creep_speed = 0.01, .viscous = 0.4}};


// the force that resists a velocity
static double friction_force(const modelElement *e, double v)
{
  const portMotion in = {.v = {v}};
  portForce out;
  port_physics(e)->act(e, &in, &out);
  return -out.resisting[0];
}


static double friction_slope(const modelElement *e, double v)
{
  double slope;
  element_slope_by_rate(e, NULL, 1, (double[]){0}, &v, 0, &slope);
  return -slope;
}


TEST(the_force_has_its_limits)
{
  // far above both speeds Fc + b v remains; at v = vs, where tanh is 1, (Fs - Fc)/e is added
  const double got[] = {friction_force(&friction, 0), friction_force(&friction, 10),
                        friction_force(&friction, 0.2), friction_force(&friction, -10)};
  const double want[] = {0, 3 + 4, 3 + 2 * 0.36787944117144232 + 0.08, -7};
  CHECK_NEAR(got, want, 4, 1e-14);
}


TEST(the_force_is_odd_and_takes_energy)
{
  uint64_t seed = 1;
  for (int trial = 0; trial < 200; trial++) {
    const double v = check_uniform(&seed, -1, 1);
    CHECK(friction_force(&friction, -v) == -friction_force(&friction, v));
    CHECK(friction_force(&friction, v) * v >= 0);
  }
}


TEST(the_slope_agrees_with_differences_and_its_value_at_rest)
{
  for (double v = -0.5; v <= 0.5; v += 0.00731) {
    const double h = 1e-4;
    const double near = friction_force(&friction, v + h) - friction_force(&friction, v - h);
    const double far = friction_force(&friction, v + 2 * h) - friction_force(&friction, v - 2 * h);
    const double want = (8 * near - far) / (12 * h);
    CHECK_CLOSE(friction_slope(&friction, v), want, 1e-4);
  }
  const double want = 5 / 0.01 + 0.4;
  CHECK_CLOSE(friction_slope(&friction, 0), want, 1e-12);
  CHECK_CLOSE(friction_slope(&friction, 100), 0.4, 1e-15);
}
