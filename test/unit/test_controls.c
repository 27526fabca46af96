// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Brakes, drivers and cruise controls: their laws by hand, by all methods and generated code, and a car
// that follows its path.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "data/work.h"
#include "support/check.h"
#include "support/controls.h"
#include "support/keep.h"

static uint64_t seed = 77;

//---- brakes --------------------------------------------------------------------------------------

#define WINCH                                                                                      \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  left: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"                                \
  "  right: {mass: 3, inertia: [0.1, 0.3, 0.2]}\n"                                                 \
  "joints:\n"                                                                                      \
  "  a: {type: revolute, axis: y, from: ground, to: left}\n"                                       \
  "  b: {type: revolute, axis: y, from: ground, to: right, at: [0, 1, 0]}\n"                       \
  "forces:\n"                                                                                      \
  "  drum: {type: brake, coordinate: a, demand: \"= 30 + 5*sin(time)\", transition: 0.01}\n"       \
  "  disc: {type: brake, coordinates: {b: 1, a: -0.5}, demand: 2 N m, transition: 0.3 rad/s}\n"    \
  "outputs: [drum.force, disc.force]\n"                                                            \
  "initial: {a: {rate: 0.004}, b: {rate: 0.5}}\n"


TEST(brakes_push_against_the_rate)
{
  artModel *m = keep_text(WINCH);
  artData *d = keep_fresh_data(m);
  if (d) {
    d->time = 0.4;
    art_update(m, d);
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    double outputs[2];
    art_outputs(m, d, outputs);
    const double disc = -2 * tanh((0.5 - 0.5 * 0.004) / 0.3);
    const double want[2] = {-(30 + 5 * sin(0.4)) * tanh(0.4), disc};
    CHECK_REL(outputs, want, 2, 1e-14);
    CHECK_CLOSE_REL(d->force[0], want[0] - 0.5 * disc, 1e-14);
  }
}


// the weight of the arm, 9.81 N m at first, lets the drum creep at 0.01 atanh(load/demand)
TEST(a_brake_holds_at_standstill)
{
  artModel *m = keep_text(WINCH);
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.until = 1;
  if (d && CHECK_EQ_INT(art_create_run(&run, m, d, &study, NULL), ART_OK)) {
    CHECK_EQ_INT(art_run_to(run, 1, NULL), ART_OK);
    CHECK_CLOSE(d->v[0], 0.01 * atanh(9.81 * cos(d->q[0]) / (30 + 5 * sin(1))), 2e-4);
    CHECK(fabs(d->q[0]) < 0.005);
  }
  art_free_run(run);
}


TEST(brakes_by_all_methods)
{
  artModel *m = keep_text(WINCH);
  if (m) control_compare_methods(m, 6, &seed);
  CHECK_CLOSE(m ? control_run_balance(m, ART_AUTOMATIC, 1, 1e-10, NULL) : 0, 0, 1e-7);
}

//---- drivers -------------------------------------------------------------------------------------

#define CAR                                                                                        \
  "articula: 1\n"                                                                                  \
  "gravity: [0, 0, 0]\n"                                                                           \
  "curves:\n"                                                                                      \
  "  lane: {table: [[0 m, 0 m], [10, 1], [20, 3], [30, 2]]}\n"                                     \
  "bodies:\n"                                                                                      \
  "  car: {mass: 1000, inertia: [500, 500, 900], points: {nose: [1, 0, 0]}}\n"                     \
  "  fork: {mass: 20, inertia: [1, 1, 1]}\n"                                                       \
  "joints:\n"                                                                                      \
  "  ride: {type: planar, axis: z, from: ground, to: car}\n"                                       \
  "  steer: {type: revolute, axis: z, from: car.nose, to: fork}\n"                                 \
  "forces:\n"                                                                                      \
  "  hand: {type: driver, coordinate: steer, frame: car.nose, path: %s,\n"                         \
  "         distance: 3, time: %g, gain: 0.9, limit: 0.4, stiffness: 500, damping: 40}\n"          \
  "  foot: {type: cruise, coordinates: {ride.x: 0.5}, frame: car.nose,\n"                          \
  "         speed: \"= 7[m/s] + 1[m/s^2]*time\", gain: 300, drive: 900, brake: 400}\n"             \
  "outputs: [hand.force, hand.angle, hand.error, foot.force, foot.speed, car.xx, car.yx, "         \
  "car.yy]\n"                                                                                      \
  "initial: {ride: {x: 2, y: 0.5, angle: 0.3, x_rate: 8, y_rate: 1, angle_rate: 0.2},\n"           \
  "          steer: {angle: 0.05, rate: -0.1}}\n"


static artModel *car(const char *path, double time)
{
  return keep_text_of(CAR, path, time);
}


// the outputs of the car on that path at x with the given heading
static void tell(const char *path, double x, double y, double heading, double *outputs)
{
  artModel *m = car(path, 0);
  artData *d = keep_fresh_data(m);
  if (d) {
    d->q[art_find_position(m, "ride.x")] = x;
    d->q[art_find_position(m, "ride.y")] = y;
    d->q[art_find_position(m, "ride.angle")] = heading;
    art_update(m, d);
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    art_outputs(m, d, outputs);
  }
}


TEST(a_driver_steers_by_the_point_ahead)
{
  artModel *m = car("lane", 0.5);
  artData *d = keep_fresh_data(m);
  if (d) {
    art_update(m, d);
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    double o[8];
    art_outputs(m, d, o);

    const double c = cos(0.3), s = sin(0.3);
    const double vx = 8 - 0.2 * s, vy = 1 + 0.2 * c, u = vx * c + vy * s;
    const double L = hypot(3, 0.5 * u), x = 2 + c + L * c, y = 0.5 + s + L * s;

    // the natural spline through four points at 10 m: f'' at the inner ones, then its first piece
    const double r1 = 6 * (0.2 - 0.1) / 10, r2 = 6 * (-0.1 - 0.2) / 10;
    const double f1 = (4 * r1 - r2) / 15, slope = 0.1 - f1 * 10 / 6;
    CHECK(x < 10);
    const double path = slope * x + f1 / 10 * x * x * x / 6;
    const double e = (path - y) * c, wanted = 0.4 * tanh(0.9 * e / L / 0.4);
    const double pull = 300 * (7 - u);
    const double want[8] = {
        500 * (wanted - 0.05) - 40 * -0.1, wanted, e, 400 * tanh(pull / 400), u, c, -s, c};
    CHECK(pull < 0);
    CHECK_NEAR(o, want, 8, 1e-12 * 400);
    const double steer = want[0], ride = 0.5 * want[3];
    CHECK_CLOSE_REL(d->force[art_find_velocity(m, "steer.rate")], steer, 1e-12);
    CHECK_CLOSE_REL(d->force[art_find_velocity(m, "ride.x_rate")], ride, 1e-12);
  }
}


// ISO 3888-2 for a width of 1.8 m: lanes of 2.23, 2.8 and 3 m, 1 m apart, the outer ones right-aligned
TEST(the_lane_change_runs_through_the_lanes)
{
  static const char path[] = "{type: iso-3888-2, start: 5, width: 1.8}";
  static const double x[] = {-20, 5, 16.9, 30.5, 41.5, 54.1, 100}; // 5 + 12, 25.5, 36.5, 49
  const double over = 2.23 / 2 + 1 + 2.8 / 2, back = (3 - 2.23) / 2;
  const double want[] = {0, 0, 0, over, over, back, back};
  for (int i = 0; i < 7; i++) {
    double o[8] = {0};
    tell(path, x[i] - 4, 0, 0, o);
    CHECK_CLOSE(o[2], want[i], 1e-12);
  }
}


TEST(a_slalom_grows_and_passes_its_pylons)
{
  static const char path[] = "{type: slalom, start: 10, spacing: 18, amplitude: 1.5, ramp: 36}";
  static const double x[] = {0, 10, 28, 46, 55, 64, 73};
  static const double want[] = {0, 0, 0, 0, 1.5, 0, -1.5};
  for (int i = 0; i < 7; i++) {
    double o[8] = {0};
    tell(path, x[i] - 4, 0, 0, o);
    CHECK_CLOSE(o[2], want[i], 1e-12);
  }
}


// on the circle the point ahead has no error, wherever it is; before it the straight line counts
TEST(a_circle_is_round_to_both_sides)
{
  for (int side = -1; side <= 1; side += 2) {
    char path[80];
    const double R = 30, zero = 0;
    snprintf(path, sizeof path, "{type: circle, start: 20, radius: %d}", 30 * side);
    for (int i = 0; i < 12; i++) {
      // the point lies 4 m before the origin of the car: one metre to the nose, three to look ahead
      const double turn = 0.5 * i + 0.1, heading = side * turn;
      const double px = 20 + R * sin(turn), py = side * R * (1 - cos(turn));
      double o[8] = {0};
      tell(path, px - 4 * cos(heading), py - 4 * sin(heading), heading, o);
      CHECK_CLOSE(o[2], zero, 1e-12);
      tell(path, px - 4 * cos(heading) - 0.2 * sin(heading),
           py - 4 * sin(heading) + 0.2 * cos(heading), heading, o);
      CHECK(fabs(o[2] + 0.2) < 1e-9);
    }
    // straight on, seen under any heading; the point is at (2, -0.3)
    double o[8] = {0};
    const double below = 0.3;
    for (int i = -2; i <= 2; i++) {
      const double heading = 0.3 * i;
      tell(path, 2 - 4 * cos(heading), -0.3 - 4 * sin(heading), heading, o);
      CHECK_CLOSE(o[2], below, 1e-12);
    }
  }
}


TEST(drivers_by_all_methods)
{
  static const char *const paths[] = {"lane", "{type: iso-3888-2, start: 1, width: 1.8}",
                                      "{type: circle, start: 5, radius: 20}",
                                      "{type: slalom, spacing: 5, amplitude: 1, ramp: 9}"};
  for (int i = 0; i < 4; i++) {
    artModel *m = car(paths[i], 0.3);
    if (m) control_compare_methods(m, 4, &seed);
  }
}

//---- a car on its way ----------------------------------------------------------------------------

static double lane_change(double x)
{
  const double a = fmin(fmax((x - 22) / 13.5, 0), 1), b = fmin(fmax((x - 46.5) / 12.5, 0), 1);
  const double over = 3.515, back = 0.385;
  return over * a * a * a * (10 - 15 * a + 6 * a * a) +
         (back - over) * b * b * b * (10 - 15 * b + 6 * b * b);
}


TEST(a_car_follows_the_lane_change)
{
  artModel *m = keep_file("models/vehicles/single-track.yaml");
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.until = 7;
  study.tolerance = 1e-9;
  if (d && CHECK_EQ_INT(art_create_run(&run, m, d, &study, NULL), ART_OK)) {
    double off = 0, across = 0;
    for (int i = 1; i <= 140; i++) {
      double o[9];
      CHECK_EQ_INT(art_run_to(run, 0.05 * i, NULL), ART_OK);
      art_outputs(m, d, o);
      off = check_larger(off, fabs(o[1] - lane_change(o[0])));
      across = check_larger(across, o[1]);
      CHECK(fabs(o[7] - 12) < 0.8);
    }
    CHECK(off < 0.6);
    CHECK(across > 3);
    CHECK(art_certify(run).energy_error < 1e-5);
  }
  art_free_run(run);
}


TEST(the_car_by_all_methods)
{
  artModel *m = keep_file("models/vehicles/single-track.yaml");
  if (m) control_compare_methods(m, 6, &seed);
}

//---- mistakes ------------------------------------------------------------------------------------

TEST(mistakes_are_told_where_they_stand)
{
  static const struct {
    const char *path, *message;
  } cases[] = {
      {"lnae", "driver 'hand' follows 'lnae', which is not a curve (did you mean 'lane'?)"},
      {"{type: iso-3888-3}", "'iso-3888-3' is not a type of path (did you mean 'iso-3888-2'?)"},
      {"{type: iso-3888-2}", "an iso-3888-2 path needs 'width'"},
      {"{type: iso-3888-2, width: -1}", "'width' is -1, a positive number is wanted"},
      {"{type: circle, radius: 0}", "the radius of the circle is 0"},
      {"{type: slalom, spacing: 0, amplitude: 1, ramp: 1}", "'spacing' is 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[3000];
    artModel *m = NULL;
    snprintf(text, sizeof text, CAR, cases[i].path, 0.0);
    CHECK_FAILS(art_read_model(&m, text, strlen(text), "car.yaml", &check_error), ART_BAD_INPUT,
                cases[i].message);
    CHECK_CONTAINS(check_error.text, "car.yaml:12:");
    art_free_model(m);
  }
}
