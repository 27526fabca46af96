// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Anti-lock brakes of the van, sampled every millisecond (models/plant/van-abs.yaml), against locked wheels (van-locked.yaml): the way to a
// lower speed, the way to the side, the slip of the wheels; what is held between instants; steps and integrators agree.
#include <math.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/simulate.h"

static const double PEDAL = 0.5, SLOW = 10; // s; m/s


// The stop: from where the pedal is pushed to where the speed has fallen to SLOW.
typedef struct stop {
  double way, side; // m
  double slip;      // of the front left wheel, mean
} stop;


static stop brake(const char *name, artIntegrator integrator, double step, double tolerance)
{
  simulation s = {0};
  artRunDef study = art_default_run();
  stop out = {0};
  study.integrator = integrator, study.step = step, study.tolerance = tolerance;
  if (!simulation_begin(&s, name, &study) || !simulation_go(&s, PEDAL)) return out;
  const double start = simulation_output(&s, "x");
  int rows = 0;
  for (; simulation_output(&s, "speed") > SLOW && rows < 1000; rows++) {
    if (!simulation_go(&s, PEDAL + 0.005 * (rows + 1))) return out;
    out.slip += simulation_output(&s, "fl/slip");
  }
  out.way = simulation_output(&s, "x") - start;
  out.side = simulation_output(&s, "y");
  out.slip /= rows;
  return out;
}


TEST(wheels_that_roll_stop_sooner_and_steer)
{
  const stop rolls = brake("plant/van-abs", ART_RK4, 5e-4, 1e-8);
  const stop locked = brake("plant/van-locked", ART_RK4, 5e-4, 1e-8);
  CHECK(rolls.way > 15 && locked.way < 25);
  CHECK(rolls.way < locked.way - 2);
  CHECK(rolls.side > 0.5 && locked.side < 0.2);
  CHECK(rolls.slip > 0.03 && rolls.slip < 0.25);
  CHECK(locked.slip > 0.9);
}


TEST(integrators_agree)
{
  const stop a = brake("plant/van-abs", ART_RK4, 5e-4, 1e-8);
  const stop b = brake("plant/van-abs", ART_DOPRI5, 0, 1e-8);
  CHECK_CLOSE(b.way, a.way, 1e-5);
  CHECK_CLOSE(b.side, a.side, 1e-5);
}
