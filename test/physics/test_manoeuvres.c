// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Manoeuvres of models/vehicles/manoeuvres: a single-track car beside closed forms, what the parts prescribe,
// and, with ART_SOAK=1 in the environment, whole runs of the van and the multi-link car beside
// steady motion, circles, cones and each other.
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

// go on to a time and bring the outputs up to date
static bool go(simulation *s, double t)
{
  return simulation_go(s, t) &&
         CHECK(art_accelerate(s->model, s->data, ART_AUTOMATIC, NULL) == ART_OK);
}


// A test ends where a run does not begin.
static void start(simulation *s, artModel *model, int method, double step)
{
  artRunDef study = art_default_run();
  study.until = 100;
  model_set_way(&study, method);
  study.integrator = ART_RK4;
  study.step = step;
  simulation_run(s, model, &study);
  check_stop_if_failed();
}


static artModel *load(const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "models/vehicles/manoeuvres/%s.yaml", name);
  return keep_file(path);
}

//---- a car of two wheels -------------------------------------------------------------------------

// m = 1520 kg in all, axles 1.2 m before and 1.4 m behind the origin, forces of 60 kN/rad at each
#define CAR                                                                                        \
  "articula: 1\n"                                                                                  \
  "gravity: [0, 0, 0]\n"                                                                           \
  "bodies:\n"                                                                                      \
  "  car: {mass: 1450, inertia: [500, 2300, 2500], points: {front: [1.2, 0, 0], rear: [-1.4, 0, "  \
  "0]}}\n"                                                                                         \
  "  fork: {mass: 30, inertia: [1, 1, 1]}\n"                                                       \
  "  left: {mass: 20, inertia: [0.4, 0.7, 0.4]}\n"                                                 \
  "  right: {mass: 20, inertia: [0.4, 0.7, 0.4]}\n"                                                \
  "joints:\n"                                                                                      \
  "  ride: {type: planar, axis: z, from: ground, to: car}\n"                                       \
  "  steer: {type: revolute, axis: z, from: car.front, to: fork}\n"                                \
  "  spin_left: {type: revolute, axis: y, from: car.rear, to: left}\n"                             \
  "  spin_right: {type: revolute, axis: y, from: car.rear, to: right}\n"                           \
  "forces:\n"                                                                                      \
  "  front: {type: force, point: fork, axes: body, value: [0, = -6e4*fork.sideslip, 0]}\n"         \
  "  rear: {type: force, point: car.rear, axes: body, value:\n"                                    \
  "    [= 4e4*(0.3*(spin_left.rate + spin_right.rate)/car.rear.forward - 2),\n"                    \
  "     = -6e4*car.rear.sideslip, 0]}\n"                                                           \
  "  tread_left: {type: joint-force, coordinate: spin_left,\n"                                     \
  "               value: = -12e3*(0.3*spin_left.rate/car.rear.forward - 1)}\n"                     \
  "  tread_right: {type: joint-force, coordinate: spin_right,\n"                                   \
  "                value: = -12e3*(0.3*spin_right.rate/car.rear.forward - 1)}\n"                   \
  "initial: {ride: {x_rate: 12}, spin_left: {rate: 40}, spin_right: {rate: 40}}\n"                 \
  "outputs: [car.yaw_rate, car.rear.forward, car.rear.sideways, car.rear.x, car.rear.y, "          \
  "car.across, car.forward,\n"                                                                     \
  "          car.sideslip, steer.angle, steer.rate]\n"

#define PACE                                                                                       \
  "  - {file: cruise.yaml, prefix: pace, names: {left: spin_left, right: spin_right,\n"            \
  "     vehicle: car}, parameters: {speed: 12, gain: 2e4}}\n"


static artModel *read_car(const char *includes)
{
  char text[4000];
  snprintf(text, sizeof text, CAR "include:\n" PACE "%s", includes);
  return keep_text_at(text, ART_SOURCE_DIR "/models/vehicles/manoeuvres/parts/memory.yaml");
}


// The steering angle of a steady turn with radius R at the speed V, linear in the angles:
//   delta = (a + b)/R + (Ff/Cf - Fr/Cr),  Ff and Fr the shares of m V^2/R of the axles
static double steady_angle(double yaw_rate, double speed)
{
  const double m = 1520, b = 1.4, L = 2.6, C = 6e4;

  // fork and wheels move the centre of mass to where 30 kg and 40 kg put it
  const double centre = (30 * 1.2 - 40 * 1.4) / m;
  const double side = m * speed * yaw_rate, front = side * (b + centre) / L;
  return L * yaw_rate / speed + (front - (side - front)) / C;
}


TEST(a_car_on_a_circle_turns_as_its_radius_and_its_tyres_say)
{
  simulation s;
  start(
      &s,
      read_car("  - {file: circle.yaml, prefix: track, names: {steering: steer, axle: car.rear},\n"
               "     parameters: {ratio: 1, radius: 60}}\n"),
      ART_AUTOMATIC, 2e-3);
  go(&s, 25);
  // the rear axle moves about the centre (10, 60): V = Omega r
  const double r =
      hypot(simulation_output(&s, "car.rear.x") - 10, simulation_output(&s, "car.rear.y") - 60);
  const double yaw_rate = simulation_output(&s, "car.yaw_rate"),
               speed = simulation_output(&s, "car.rear.forward");
  const double want = hypot(speed, simulation_output(&s, "car.rear.sideways")) / r;
  CHECK_CLOSE_REL(yaw_rate, want, 1e-6);
  CHECK(fabs(r - 60) < 1);

  // the centre of the car: lateral acceleration
  const double across = simulation_output(&s, "car.across"),
               VW = simulation_output(&s, "car.forward") * yaw_rate;
  CHECK_CLOSE_REL(across, VW, 1e-6);
  const double delta = simulation_output(&s, "steer.angle"), wanted = steady_angle(yaw_rate, speed);
  CHECK_CLOSE_REL(delta, wanted, 5e-3);
}


TEST(lanes_are_changed_and_kept)
{
  simulation s;
  start(&s,
        read_car("  - {file: lane-change.yaml, prefix: track, names: {steering: steer, axle: "
                 "car.rear},\n"
                 "     parameters: {ratio: 1, width: 1.8, start: 10}}\n"),
        ART_AUTOMATIC, 2e-3);
  // in the middle of the second lane, 3.515 m to the left, and at the end in that of the last
  if (go(&s, (10 + 31) / 12.0)) CHECK(fabs(simulation_output(&s, "car.rear.y") - 3.515) < 0.5);
  const double zero = 0, last = 0.385;
  if (go(&s, 15)) {
    const double y = simulation_output(&s, "car.rear.y"),
                 yaw_rate = simulation_output(&s, "car.yaw_rate");
    CHECK_CLOSE(y, last, 1e-3);
    CHECK_CLOSE(yaw_rate, zero, 1e-4);
  }
}


TEST(pylons_are_passed_on_both_sides)
{
  simulation s;
  start(
      &s,
      read_car("  - {file: slalom.yaml, prefix: track, names: {steering: steer, axle: car.rear},\n"
               "     parameters: {ratio: 1}}\n"),
      ART_AUTOMATIC, 2e-3);
  double least = 0, most = 0;
  for (int i = 1; i <= 240 && go(&s, 0.05 * i); i++) {
    least = check_smaller(least, simulation_output(&s, "car.rear.y"));
    most = check_larger(most, simulation_output(&s, "car.rear.y"));
  }
  CHECK(most > 1 && most < 2.2 && least < -1 && least > -2.2);
}

//---- prescribed steering -------------------------------------------------------------------------

// value and rate of the steering at a time
static void steering_at(const artModel *m, artData *d, double t, double *angle, double *rate)
{
  d->time = t;
  art_update(m, d);
  *angle = d->q[art_find_position(m, "steer.angle")];
  *rate = d->v[art_find_velocity(m, "steer.rate")];
}


static void check_steering(const char *include, int n, const double (*want)[2])
{
  artModel *m = read_car(include);
  artData *d = keep_fresh_data(m);
  double angle, rate, before;
  for (int i = 0; i < n; i++) {
    steering_at(m, d, want[i][0], &angle, &rate);
    CHECK_CLOSE(angle, want[i][1], 1e-12);
  }

  // the rate is the derivative of the angle everywhere, and nothing jumps
  for (double t = 0; t < 5; t += 0.0101) {
    double after, mean, previous, next;
    steering_at(m, d, t - 1e-4, &before, &previous);
    steering_at(m, d, t + 1e-4, &after, &next);
    steering_at(m, d, t, &angle, &rate);
    mean = (after - before) / 2e-4;
    CHECK_CLOSE(mean, rate, 1e-4);
    CHECK_CLOSE(next, previous, 2e-3);
  }
}


TEST(ramps_and_sines_go_where_they_should)
{
  // the ramp passes through half its angle in the middle; rounding 0.8 s
  static const double ramp[][2] = {{0, 0}, {1, 0}, {3.4, 0.02}, {5.8, 0.04}, {9, 0.04}};
  check_steering("  - {file: ramp-steer.yaml, prefix: turn, names: {steering: steer},\n"
                 "     parameters: {ratio: 1, angle: 0.04, rate: 0.01}}\n",
                 5, ramp);

  // 0.5 Hz from 1 s on, half a second of pause at the second peak
  static const double sine[][2] = {{0.5, 0},     {1, 0},     {1.5, 0.02}, {2, 0},
                                   {2.5, -0.02}, {3, -0.02}, {3.5, 0},    {4, 0}};
  check_steering("  - {file: sine-steer.yaml, prefix: turn, names: {steering: steer},\n"
                 "     parameters: {ratio: 2, angle: 0.04, frequency: 0.5, dwell: 0.5}}\n",
                 8, sine);
}

//---- whole vehicles ------------------------------------------------------------------------------

TEST(every_manoeuvre_starts)
{
  glob_t files = {0};
  CHECK(glob(ART_SOURCE_DIR "/models/vehicles/manoeuvres/*.yaml", 0, NULL, &files) == 0);
  CHECK(files.gl_pathc >= 7);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    artModel *m = keep_file(files.gl_pathv[i]);
    artData *d = keep_assembled_data(m);
    CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error));
  }
  globfree(&files);
}


// The end of a ramp is the steady motion at its speed. Soak.
TEST(the_ramp_of_the_van_ends_in_steady_motion)
{
  simulation s;
  if (!getenv("ART_SOAK")) return;
  start(&s, load("van-ramp-steer"), ART_AUTOMATIC, 1e-3);
  go(&s, 14);
  const double loads =
      simulation_output(&s, "load_front_left") + simulation_output(&s, "load_front_right") +
      simulation_output(&s, "load_rear_left") + simulation_output(&s, "load_rear_right");
  CHECK_CLOSE_REL(loads, 2775.8 * 9.81, 1e-4);
  const double level = cos(simulation_output(&s, "roll")),
               yaw_rate = simulation_output(&s, "yaw_rate") / level;
  const double across = simulation_output(&s, "across"),
               VW = simulation_output(&s, "forward") * yaw_rate;
  CHECK_CLOSE_REL(across, VW, 1e-3);

  // the origin of the chassis, of which the speed counts in steady motion, lies beside the centre of mass
  double v[3], w[3];
  art_frame_velocity(s.model, s.data, art_find_frame(s.model, "chassis"), v, w);
  const double yaw = simulation_output(&s, "yaw"), speed = v[0] * cos(yaw) + v[1] * sin(yaw);
  artTrim trim = {0};
  artModel *m = load("van-steady");
  artData *d = keep_fresh_data(m);
  if (CHECK_WORKS(art_find_trim(m, d, speed, &trim, &check_error))) {
    CHECK_CLOSE_REL(trim.yaw_rate, yaw_rate, 2e-4);
    CHECK(fabs(trim.gain) < 5e-3);
  }
}


// Around the circle the van's rear axle moves at V = Omega r, on the radius to a hundredth. Soak.
TEST(the_van_keeps_to_its_circle)
{
  simulation s;
  if (!getenv("ART_SOAK")) return;
  start(&s, load("van-circle"), ART_AUTOMATIC, 1e-3);
  go(&s, 20);
  double r[3], v[3], w[3];
  const int axle = art_find_frame(s.model, "chassis.axle");
  art_frame_position(s.model, s.data, axle, r);
  art_frame_velocity(s.model, s.data, axle, v, w);
  const double radius = hypot(r[0] - 10, r[1] - 50);
  CHECK_CLOSE_REL(w[2], hypot(v[0], v[1]) / radius, 1e-3);
  CHECK(fabs(radius - 50) < 1);
}


// smallest distance of the corners of a body, 2.2 m before and 2.6 m behind the origin, from the sides of the
// lanes of ISO 3888-2 at x = 20 m, for a width of 1.8 m
static double distance_of_cones(const simulation *s)
{
  static const double lane[3][4] = {
      {20, 32, -1.115, 1.115}, {45.5, 56.5, 2.115, 4.915}, {69, 81, -1.115, 1.885}};
  const double c = cos(simulation_output(s, "yaw")), n = sin(simulation_output(s, "yaw"));
  double least = 9;
  for (int corner = 0; corner < 4; corner++) {
    const double u = corner & 1 ? 2.2 : -2.6, w = corner & 2 ? 0.9 : -0.9;
    const double x = simulation_output(s, "x") + c * u - n * w,
                 y = simulation_output(s, "y") + n * u + c * w;
    for (int k = 0; k < 3; k++) {
      if (x < lane[k][0] || x > lane[k][1]) continue;
      least = check_smaller(least, check_smaller(y - lane[k][2], lane[k][3] - y));
    }
  }
  return least;
}


// No cone falls; generated equations drive alike. Soak.
TEST(the_multilink_car_passes_the_cones)
{
  simulation s, other;
  if (!getenv("ART_SOAK")) return;
  double least = 9;
  start(&s, load("multilink-lane-change"), ART_SEMIRECURSIVE, 1e-3);
  start(&other, load("multilink-lane-change"), MODEL_GENERATED, 1e-3);
  for (int i = 1; i <= 400 && go(&s, 0.02 * i); i++) {
    least = check_smaller(least, distance_of_cones(&s));
  }
  CHECK(least > 0.05);
  if (go(&other, 8)) {
    const double y = simulation_output(&other, "y"), want = simulation_output(&s, "y");
    CHECK_CLOSE(y, want, 1e-6);
  }
}
