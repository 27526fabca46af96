// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The full industrial robot of the Modelica Standard Library (models/plant/industrial-robot.yaml) against an integration by hand that
// shares nothing with the library (support/industrial_robot.c): motor currents and angles through acceleration, cruise,
// deceleration, and the time in which its bearings stick and slip; by all methods that follow locks.
#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "model/methods.h"
#include "support/check.h"
#include "support/industrial_robot.h"
#include "support/keep.h"
#include "support/simulate.h"

enum { ROWS = 186 };
static const double INTERVAL = 0.01; // s
static const double STEP = 2e-5; // s, of the integration by hand: converged to 1e-8 of the range
static double by_hand[ROWS][2 * ROBOT_AXES]; // currents, angles
static double range[2 * ROBOT_AXES];         // from the least to the largest
static int changes;                          // of bearings between sticking and sliding


static void integrate_by_hand(void)
{
  robotState s = robot_at_rest(0);
  if (changes > 0) return;
  double least[2 * ROBOT_AXES], largest[2 * ROBOT_AXES];
  for (int row = 0; row < ROWS; row++) {
    if (row > 0) changes += robot_go(&s, (row - 1) * INTERVAL, row * INTERVAL, STEP);
    for (int i = 0; i < 2 * ROBOT_AXES; i++) {
      const double x = i < ROBOT_AXES ? s.current[i] : s.q[i - ROBOT_AXES];
      by_hand[row][i] = x;
      least[i] = row > 0 ? fmin(least[i], x) : x;
      largest[i] = row > 0 ? fmax(largest[i], x) : x;
      range[i] = largest[i] - least[i];
    }
  }
}


// The largest difference up to row `last`, in ranges.
static double difference(int method, artIntegrator integrator, double step, double tolerance,
                         int last)
{
  simulation s = {0};
  artRunDef study = art_default_run();
  model_set_way(&study, method);
  study.integrator = integrator, study.step = step, study.tolerance = tolerance, study.until = 2;
  integrate_by_hand();
  if (!simulation_begin(&s, "plant/industrial-robot", &study)) return INFINITY;
  double most = 0;
  for (int row = 0; row <= last; row++) {
    if (!simulation_go(&s, row * INTERVAL)) return INFINITY;
    for (int i = 0; i < 2 * ROBOT_AXES; i++) {
      char name[20];
      snprintf(name, sizeof name, i < ROBOT_AXES ? "current%d" : "angle%d", i % ROBOT_AXES + 1);
      most = check_larger(most, fabs(simulation_output(&s, name) - by_hand[row][i]) / range[i]);
    }
  }
  return most;
}


// J w' = T - 3 behind the instant at which T = 2 t reaches 4, and -3 once T is gone; then backwards under -5 + 3
TEST(a_bearing_breaks_away_and_sticks_when_it_should)
{
  static const artIntegrator integrators[] = {ART_DOPRI5, ART_BDF, ART_ADAMS};
  for (int k = 0; k < 3; k++) {
    simulation s = {.model = keep_file("test/models/good/stiction.yaml")};
    artRunDef study = art_default_run();
    study.integrator = integrators[k];
    study.tolerance = 1e-10;
    if (!s.model || !simulation_run(&s, s.model, &study)) return;
    CHECK(simulation_go(&s, 1.999999) && simulation_output(&s, "stuck") == 1);
    CHECK(simulation_go(&s, 2.000001) && simulation_output(&s, "stuck") == 0);
    CHECK(simulation_go(&s, 4));
    CHECK_CLOSE(simulation_output(&s, "rate"), 3, 1e-7);
    CHECK_CLOSE(simulation_output(&s, "angle"), 7. / 3, 1e-7);
    CHECK(simulation_go(&s, 5.999999) && simulation_output(&s, "stuck") == 0);
    CHECK(simulation_go(&s, 6.000001) && simulation_output(&s, "stuck") == 1);
    CHECK(simulation_go(&s, 7));
    CHECK_CLOSE(simulation_output(&s, "rate"), 0, 0);
    CHECK_CLOSE(simulation_output(&s, "angle"), 16. / 3, 1e-7);
    CHECK(simulation_go(&s, 8));
    CHECK_CLOSE(simulation_output(&s, "rate"), -1, 1e-7);
    CHECK_CLOSE(simulation_output(&s, "angle"), 16. / 3 - 0.5, 1e-7);
  }
}


TEST(bearings_stick_and_slip)
{
  integrate_by_hand();
  CHECK(changes > 20);
  CHECK_CLOSE(robot_path_end(), 1.356045, 1e-6);
}


TEST(currents_and_angles_are_those_of_the_integration_by_hand)
{
  CHECK(difference(ART_SEMIRECURSIVE, ART_DOPRI5, 0, 1e-9, ROWS - 1) < 1e-7);
}


TEST(every_integrator_finds_them)
{
  CHECK(difference(ART_SEMIRECURSIVE, ART_BDF, 0, 1e-9, ROWS - 1) < 1e-7);
  CHECK(difference(ART_SEMIRECURSIVE, ART_ADAMS, 0, 1e-9, ROWS - 1) < 1e-7);
  CHECK(difference(ART_SEMIRECURSIVE, ART_RK4, 5e-5, 1e-9, ROWS - 1) < 2e-6);
}


TEST(every_method_finds_them)
{
  CHECK(difference(ART_RECURSIVE, ART_DOPRI5, 0, 1e-9, ROWS - 1) < 1e-7);
  CHECK(difference(ART_AUGMENTED, ART_DOPRI5, 0, 1e-9, ROWS - 1) < 1e-7);
  CHECK(difference(MODEL_GENERATED, ART_DOPRI5, 0, 1e-9, 2) < 1e-7);
  CHECK(difference(ART_INDEX3, ART_DOPRI5, 5e-5, 1e-9, 2) < 5e-5);
  CHECK(difference(ART_INDEX1, ART_DOPRI5, 5e-5, 1e-9, 2) < 5e-5);
}


// By how much currents depend on what bearings carry at the start, which the description leaves open: a tenth of their
// range at first, less than a thousandth soon.
TEST(what_bearings_carry_at_the_start_is_soon_forgotten)
{
  robotState s = robot_at_rest(0.5);
  double early = 0, late = 0;
  integrate_by_hand();
  for (int row = 0; row < ROWS; row++) {
    if (row > 0) robot_go(&s, (row - 1) * INTERVAL, row * INTERVAL, STEP);
    for (int i = 0; i < ROBOT_AXES; i++) {
      const double d = fabs(s.current[i] - by_hand[row][i]) / range[i];
      if (row < 20) early = check_larger(early, d);
      if (row >= 20) late = check_larger(late, d);
    }
  }
  CHECK(early > 0.05 && early < 0.2);
  CHECK(late < 1e-3);
}
