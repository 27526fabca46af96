// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steady motion at a speed: straight on, in a circle, and on joints instead of a free body.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"

// a car of four wheels without suspension, on a free joint or on a chain of six
#define TYRES                                                                                      \
  "tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, damping: 500, load: 3000, slip: 6e4,\n"  \
  "  cornering: 5e4}}\n"
#define WHEEL(name, x, y, steer)                                                                   \
  "  " name "_steer: {type: revolute, axis: z, from: {frame: car, position: [" x ", " y            \
  ", -0.2]}, to: " name "_hub}\n"                                                                  \
  "  " name ": {type: revolute, axis: y, from: " name "_hub, to: " name "_wheel}\n"
#define WHEELS                                                                                     \
  WHEEL("fl", "1.2", "0.7", "")                                                                    \
  WHEEL("fr", "1.2", "-0.7", "") WHEEL("rl", "-1.3", "0.7", "") WHEEL("rr", "-1.3", "-0.7", "")
#define BODY(name)                                                                                 \
  ", " name "_hub: {mass: 1, inertia: [0.1, 0.1, 0.1]}, " name                                     \
  "_wheel: {mass: 20, inertia: [0.5, 1, 0.5]}"
#define TYRE(name) "  " name "_tyre: {type: tyre, wheel: " name "_wheel, tyre: t}\n"
#define REST                                                                                       \
  "forces:\n" TYRE("fl") TYRE("fr") TYRE("rl")                                                     \
      TYRE("rr") "%s"                                                                              \
                 "drives: {a: {coordinate: fl_steer, value: %.17g}, b: {coordinate: fr_steer, "    \
                 "value: %.17g},\n"                                                                \
                 "  c: {coordinate: rl_steer, value: 0}, d: {coordinate: rr_steer, value: 0}}\n"   \
                 "outputs: [car.vx, car.vy, car.wz, car.x, car.y, fl_tyre.fz, fr_tyre.fz, "        \
                 "rl_tyre.fz,\n"                                                                   \
                 "  rr_tyre.fz, fl_tyre.fy, fr_tyre.fy, rl_tyre.fy, rr_tyre.fy,\n  fl_wheel.x, "   \
                 "rl_wheel.x, fl_tyre.x, rl_tyre.x]\n"

static const char FREE[] =
    "articula: 1\n" TYRES "bodies: {car: {mass: 1000, inertia: [300, 1200, 1300]}" BODY("fl")
        BODY("fr") BODY("rl")
            BODY("rr") "}\n"
                       "joints:\n  base: {type: free, from: ground, to: car}\n" WHEELS REST
                       "initial: {base: {z: 0.485}}\n";

static const char CHAIN[] =
    "articula: 1\n" TYRES
    "bodies: {ax: {mass: 0}, ay: {mass: 0}, az: {mass: 0}, aw: {mass: 0}, ap: {mass: 0},\n"
    "  car: {mass: 1000, inertia: [300, 1200, 1300]}" BODY("fl") BODY("fr") BODY("rl")
        BODY("rr") "}\n"
                   "joints:\n"
                   "  x: {type: prismatic, axis: x, from: ground, to: ax}\n"
                   "  y: {type: prismatic, axis: y, from: ax, to: ay}\n"
                   "  z: {type: prismatic, axis: z, from: ay, to: az}\n"
                   "  yaw: {type: revolute, axis: z, from: az, to: aw}\n"
                   "  pitch: {type: revolute, axis: y, from: aw, to: ap}\n"
                   "  roll: {type: revolute, axis: x, from: ap, to: car}\n" WHEELS REST
                   "initial: {z: {slide: 0.485}}\n";

enum { VX, VY, WZ, X, Y, LOAD, SIDE = LOAD + 4, PLACE = SIDE + 4, OUTPUTS = PLACE + 4 };

typedef struct drive {
  artModel *m;
  artData *d;
  artTrim trim;
  double out[OUTPUTS];
} drive;


// A test ends where there is no steady motion.
static void start(drive *c, const char *text, double steer, double speed)
{
  char whole[8192];
  snprintf(whole, sizeof whole, text, "", steer, steer);
  *c = (drive){.m = keep_text(whole)};
  c->d = keep_fresh_data(c->m);
  CHECK_WORKS(art_find_trim(c->m, c->d, speed, &c->trim, &check_error));
  check_stop_if_failed();
  art_outputs(c->m, c->d, c->out);
}


static const double MASS = 1084, G = 9.81;


TEST(straight_running_carries_the_weight)
{
  drive c;
  start(&c, FREE, 0, 20);
  double sum = 0;
  for (int k = 0; k < 4; k++) sum += c.out[LOAD + k];
  CHECK_REL(&sum, (double[]){MASS * G}, 1, 1e-11);

  // moments about the rear contact, the front and rear wheels with their hubs at their centres
  const double rear = c.out[PLACE + 3];
  const double moment = 1000 * G * (c.out[X] - rear) + 42 * G * (c.out[PLACE] - rear) +
                        42 * G * (c.out[PLACE + 1] - rear);
  const double front = moment / (c.out[PLACE + 2] - rear) / 2;
  CHECK_CLOSE_REL(c.out[LOAD], front, 1e-11);
  CHECK_CLOSE_REL(c.out[LOAD + 1], front, 1e-11);
  CHECK_NEAR(&c.out[VX], ((double[]){20, 0, 0}), 3, 1e-9);
  CHECK_NEAR(&c.trim.gain, (double[]){0}, 1, 1e-6);
}


// linear tyres in proportion to the load: each axle has a slip angle of a_y / (g C), C = cornering / load,
// so that the car is neutral and the yaw rate of small angles is V delta / l
TEST(a_circle_is_that_of_the_single_track_model)
{
  drive c;
  const double steer = 1e-4, speed = 15;
  start(&c, FREE, steer, speed);
  CHECK_CLOSE_REL(c.trim.yaw_rate, speed * steer / 2.5, 1e-4);

  // V W m = sum of the side forces;  the rear axle slips by W b / V - v / V = W V / (g C)
  const double side = c.out[SIDE] + c.out[SIDE + 1] + c.out[SIDE + 2] + c.out[SIDE + 3];
  CHECK_REL(&side, (double[]){MASS * speed * c.trim.yaw_rate}, 1, 1e-6);
  const double slip = (1.3 * c.trim.yaw_rate - c.trim.sideways) / speed;
  CHECK_REL(&slip, (double[]){speed * c.trim.yaw_rate / (G * 5e4 / 3000)}, 1, 1e-4);
}


// a run from there goes around the circle: after a quarter of a turn everything has turned with it
TEST(a_run_from_there_stays_there)
{
  drive c;
  start(&c, FREE, 0.05, 10);
  artRunDef study = art_default_run();
  const double turn = acos(-1.0) / 2, first = c.trim.yaw_rate;
  study.until = 1;
  study.tolerance = 1e-10;
  double before[OUTPUTS];
  memcpy(before, c.out, sizeof before);
  artRun *run = keep_started_run(c.m, c.d, &study);
  CHECK(art_run_to(run, 1, NULL) == ART_OK);
  art_outputs(c.m, c.d, c.out);

  // the speed falls by the gain, and with it the rest, in proportion
  const double ratio = fabs(c.trim.gain) / 10;
  CHECK(ratio < 0.01 && turn > first);
  const double speed = hypot(c.out[VX], c.out[VY]);
  CHECK_NEAR(&speed, (double[]){10 + c.trim.gain}, 1, 1e-2);
  CHECK_CLOSE_REL(c.out[WZ], before[WZ], 2 * ratio);
  CHECK_REL(&c.out[LOAD], &before[LOAD], 4, 2 * ratio);
}


TEST(a_chain_of_joints_moves_as_the_free_body)
{
  drive a, b;
  start(&a, FREE, 0.03, 12);
  start(&b, CHAIN, 0.03, 12);
  CHECK_CLOSE(a.trim.yaw_rate, b.trim.yaw_rate, 1e-9);
  CHECK_CLOSE(a.trim.sideways, b.trim.sideways, 1e-6);
  CHECK_CLOSE(a.trim.gain, b.trim.gain, 1e-7);
  CHECK_REL(&a.out[LOAD], &b.out[LOAD], 4, 1e-8);
}


TEST(machines_that_do_not_travel_are_refused)
{
  static const char text[] = "articula: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                             "joints: {pin: {type: revolute, axis: x, from: ground, to: a}}\n";
  artTrim trim;
  artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  CHECK_FAILS(art_find_trim(m, d, 10, &trim, &check_error), ART_BAD_INPUT, "needs a vehicle");
}
