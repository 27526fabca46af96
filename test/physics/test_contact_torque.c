// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Resistance of contacts to rolling and spinning, against closed forms and energy.
#include <math.h>

#include "articula/articula.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81;


static artRun *start(const artModel *m, artData **d, double until, int method)
{
  artRunDef study = art_default_run();
  study.until = until;
  study.tolerance = 1e-10;
  model_set_way(&study, method);
  *d = keep_fresh_data(m);
  return keep_started_run(m, *d, &study);
}


// a solid ball of 2 kg and 0.1 m at the depth of rest, on ground or on a plate that turns it over
static artModel *ball_model(const char *gravity, const char *resistance, const char *initial)
{
  return keep_text_of(
      "articula: 1\n"
      "gravity: %s\n"
      "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"
      "joints: {fly: {type: free, from: ground, to: ball}}\n"
      "surfaces:\n"
      "  floor: {type: plane, body: ground}\n"
      "  skin: {type: sphere, body: ball, radius: 0.1}\n"
      "states: {lost: {rate: = touch.loss}}\n"
      "forces: {touch: {type: contact, between: [floor, skin], stiffness: 1e5, damping: 500, "
      "friction: 0.5, %s}}\n"
      "initial: {fly: {z: \"= 0.1[m] - 2*9.81/1e5*1[m]\", %s}}\n"
      "outputs: {x: fly.x, y: fly.y, vx: fly.vx, spin: touch.spin_z, slip: touch.slip_x, "
      "side: touch.slip_y, friction: touch.friction, "
      "energy: = energy.total + touch.stored + lost}\n",
      gravity, resistance, initial);
}


// It rolls with the lever l to the contact point, against b N: v' = -b g/(l (1 + I/(m l^2))), about 5/7 g b/r, and stays where it
// has stopped. What it loses is what the contact says.
TEST(a_ball_rolls_out)
{
  static const int ways[] = {ART_AUTOMATIC, MODEL_GENERATED, ART_INDEX3};
  const artModel *m = ball_model("[0, 0, -9.81]", "rolling: 2 mm", "vx: 0.4, wy: 4");
  const double depth = 2 * G / 1e5, l = 0.1 - 0.5 * depth;
  const double brakes = 0.002 * G / (l * (1 + 0.008 / (2 * l * l)));
  CHECK_CLOSE(brakes, 5. / 7 * G * 0.002 / 0.1, 2e-4);
  for (int i = 0; i < 3; i++) {
    artData *d;
    artRun *run = start(m, &d, 6, ways[i]);
    const double energy = output_named(m, d, "energy");
    CHECK_WORKS(art_run_to(run, 0.5, &check_error));
    const double v = output_named(m, d, "vx");
    CHECK_WORKS(art_run_to(run, 2.5, &check_error));
    CHECK_CLOSE(v - output_named(m, d, "vx"), 2 * brakes, i == 2 ? 1e-5 : 1e-7);
    if (i == 2) continue;
    CHECK_CLOSE(output_named(m, d, "energy"), energy, 1e-8);
    CHECK_WORKS(art_run_to(run, 5, &check_error));
    const double x = output_named(m, d, "x");
    CHECK_WORKS(art_run_to(run, 6, &check_error));
    CHECK(fabs(output_named(m, d, "x") - x) < 1e-7);
    CHECK_CLOSE(output_named(m, d, "energy"), energy, 1e-8);
  }
}


// On a slope of b/r = 0.02 it holds below the limit without creep, and rolls above it.
TEST(a_ball_holds_on_a_slope_below_its_rolling_resistance)
{
  const artModel *below = ball_model("[0.19, 0, -9.81]", "rolling: 2 mm", "vx: 0");
  const artModel *above = ball_model("[0.2, 0, -9.81]", "rolling: 2 mm", "vx: 0");
  artData *d;
  artRun *run = start(below, &d, 100, ART_AUTOMATIC);
  CHECK_WORKS(art_run_to(run, 10, &check_error));
  const double x = output_named(below, d, "x");
  CHECK(x < 1e-3);
  CHECK_WORKS(art_run_to(run, 100, &check_error));
  CHECK_CLOSE(output_named(below, d, "x"), x, 1e-9);
  run = start(above, &d, 10, ART_AUTOMATIC);
  CHECK_WORKS(art_run_to(run, 10, &check_error));
  CHECK(output_named(above, d, "x") > 0.1);
}


// A spin alone is resisted by mu e N: it stops after I w/(mu e m g) and stays.
TEST(a_ball_that_spins_stops)
{
  const artModel *m = ball_model("[0, 0, -9.81]", "spinning: 5 mm, retardation: 20 ms", "wz: 10");
  const double brakes = 0.5 * 0.005 * 2 * G / 0.008, stop = 10 / brakes;
  artData *d;
  artRun *run = start(m, &d, 8, ART_AUTOMATIC);
  const double energy = output_named(m, d, "energy");
  CHECK_WORKS(art_run_to(run, 0.2, &check_error));
  const double spin = output_named(m, d, "spin");
  CHECK_WORKS(art_run_to(run, 0.8 * stop, &check_error));
  CHECK_CLOSE(spin - output_named(m, d, "spin"), brakes * (0.8 * stop - 0.2), 1e-6);
  CHECK_WORKS(art_run_to(run, 8, &check_error));
  CHECK(fabs(output_named(m, d, "spin")) < 1e-6);
  CHECK_CLOSE(output_named(m, d, "energy"), energy, 1e-8);
}


// A fast spin weakens friction: F = mu N s/sqrt(s^2 + (e w)^2), with the slip velocity s.
TEST(a_spin_weakens_friction)
{
  const artModel *m =
      ball_model("[0, 0, -9.81]", "spinning: 5 mm, retardation: 0.1 ms", "vx: 3, wz: 800");
  artData *d;
  artRun *run = start(m, &d, 0.02, ART_AUTOMATIC);
  CHECK_WORKS(art_run_to(run, 0.02, &check_error));
  const double s = hypot(output_named(m, d, "slip"), output_named(m, d, "side")),
               w = output_named(m, d, "spin");
  CHECK(s > 2.5 && w > 700);
  CHECK_CLOSE(output_named(m, d, "friction"), 0.5 * 2 * G * s / hypot(s, 0.005 * w), 1e-2);
}


// The tippe top stands on its stem, which lifts its centre of mass from 12 to 21 mm.
TEST(a_tippe_top_turns_over)
{
  const artModel *m = keep_machine("contact/tippe-top");
  artData *d;
  artRun *run = start(m, &d, 2.4, ART_AUTOMATIC);
  CHECK_WORKS(art_run_to(run, 2.4, &check_error));
  CHECK(output_named(m, d, "upright") < -0.99);
  CHECK_CLOSE(output_named(m, d, "height"), 0.021, 1e-4);
}
