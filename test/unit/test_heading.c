// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Measures of vehicles: yaw, pitch and roll, their rates, speeds and accelerations along the
// heading; against closed forms, by all methods and by generated code.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/controls.h"
#include "support/keep.h"

static const double pi = 3.14159265358979323846;


static void check_values(const char *text, int n, const double *want, const char *const *unit)
{
  artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  double got[16];
  if (d && CHECK_EQ_INT(art_count(m).outputs, n)) {
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    art_outputs(m, d, got);
    CHECK_NEAR(got, want, n, 1e-14);
    for (int i = 0; unit && i < n; i++) CHECK_TEXT(art_output_unit(m, i), unit[i]);
  }
}


// rpy are turns about fixed axes: roll first; the same as yaw, pitch, roll about moving ones
#define FLYING                                                                                     \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  car:\n"                                                                                       \
  "    mass: 3\n"                                                                                  \
  "    inertia: [1, 2, 2.5]\n"                                                                     \
  "    frames: {seat: {position: [0.3, 0.1, 0.2], orientation: {axis: z, angle: 90 deg}}}\n"       \
  "joints: {fly: {type: free, from: ground, to: car}}\n"


TEST(a_free_body_shows_the_angles_it_was_given)
{
  static const char *const unit[] = {"rad",   "rad", "rad", "rad/s", "rad/s",
                                     "rad/s", "m/s", "m/s", "rad"};
  const double c = cos(2.5), s = sin(2.5), left = 5 * c - 4 * s, forward = 4 * c + 5 * s;
  const double want[9] = {2.5, -0.4, 0.3, 0.2, 0.7, -0.6, forward, left, atan2(left, forward)};
  check_values(FLYING "initial:\n"
                      "  fly: {orientation: {rpy: [0.3, -0.4, 2.5]}, velocity: [4, 5, 6],\n"
                      "        angular_velocity: [0.2, 0.7, -0.6]}\n"
                      "outputs: [car.yaw, car.pitch, car.roll, car.roll_rate, car.pitch_rate,\n"
                      "          car.yaw_rate, car.forward, car.sideways, car.sideslip]\n",
               9, want, unit);
}


// of a frame that looks to the left of a body, roll is what the body calls pitch with the other sign
TEST(a_frame_has_angles_and_rates_of_its_own)
{
  const double want[6] = {pi / 2, 0, 0.25, 0.7, -0.2, -0.6};
  check_values(FLYING "initial: {fly: {orientation: {rpy: [0, 0.25, 0]},\n"
                      "                angular_velocity: [0.2, 0.7, -0.6]}}\n"
                      "outputs: [car.seat.yaw, car.seat.pitch, car.seat.roll, car.seat.roll_rate,\n"
                      "          car.seat.pitch_rate, car.seat.yaw_rate]\n",
               6, want, NULL);
}


TEST(standing_still_and_on_end_has_values)
{
  const double want[5] = {0, pi / 2, 0, 0, 0};
  check_values(FLYING
               "initial: {fly: {orientation: [0, 0.7071067811865476, 0, 0.7071067811865476]}}\n"
               "gravity: [0, 0, 0]\n"
               "outputs: [car.sideslip, = abs(car.pitch), car.forward, car.sideways,\n"
               "          = 0*car.yaw]\n",
               5, want, NULL);
}


// on a circle of radius R, at the angle a, with the rate w and the acceleration wd
TEST(a_body_on_a_circle_shows_how_it_turns)
{
  const double R = 20, w = 0.75, wd = 0.5, a = 1.25, beta = 0.125;
  const double c = cos(beta), s = sin(beta);
  const double want[10] = {a + pi / 2,
                           w,
                           R * w,
                           0,
                           R * wd,
                           R * w * w,
                           -beta,
                           R * w * c,
                           R * wd * c + R * w * w * s,
                           R * w * w * c - R * wd * s};
  static const char *const unit[] = {"rad",   "rad/s", "m/s", "rad",   "m/s^2",
                                     "m/s^2", "rad",   "m/s", "m/s^2", "m/s^2"};
  check_values(
      "articula: 1\n"
      "bodies:\n"
      "  arm:\n"
      "    mass: 3\n"
      "    inertia: [1, 2, 2.5]\n"
      "    frames:\n"
      "      car: {position: [20, 0, 0], orientation: {axis: z, angle: 90 deg}}\n"
      "      drift: {position: [20, 0, 0], orientation: {axis: z, angle: = pi/2 + 0.125}}\n"
      "joints: {pin: {type: revolute, axis: z, from: ground, to: arm}}\n"
      "drives: {turn: {coordinate: pin, value: = 1.25 + 0.75*time + 0.25*time^2}}\n"
      "outputs: [arm.car.yaw, arm.car.yaw_rate, arm.car.forward, arm.car.sideslip,\n"
      "          arm.car.along, arm.car.across, arm.drift.sideslip, arm.drift.forward,\n"
      "          arm.drift.along, arm.drift.across]\n",
      10, want, unit);
}


// a trailer whose forces read all of them but accelerations
#define TRAILER                                                                                    \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  car: {mass: 3, com: [0.2, 0, 0.1], inertia: [1, 2, 2.5],\n"                                   \
  "        frames: {hitch: {position: [-1, 0, 0.2], orientation: {rpy: [0.1, 0.2, 0.3]}}}}\n"      \
  "  trailer: {mass: 2, com: [-0.6, 0, 0.1], inertia: [0.5, 1, 1.25]}\n"                           \
  "joints:\n"                                                                                      \
  "  fly: {type: free, from: ground, to: car}\n"                                                   \
  "  hitch: {type: spherical, from: car.hitch, to: trailer}\n"                                     \
  "forces:\n"                                                                                      \
  "  push: {type: force, point: trailer, axes: body, value:\n"                                     \
  "    [= -2*trailer.forward, = -3*trailer.sideways - 5*sin(trailer.sideslip), = "                 \
  "car.roll_rate]}\n"                                                                              \
  "  turn: {type: torque, body: car, value:\n"                                                     \
  "    [= -4*car.hitch.roll - car.hitch.roll_rate, = -3*car.pitch - trailer.pitch_rate,\n"         \
  "     = sin(trailer.yaw - car.hitch.yaw) - car.hitch.yaw_rate]}\n"                               \
  "initial: {fly: {velocity: [3, 1, 0], angular_velocity: [0.1, 0.2, 0.3]}}\n"                     \
  "outputs: [car.yaw]\n"


TEST(all_methods_and_generated_code_agree)
{
  uint64_t seed = 11;
  artModel *m = keep_text(TRAILER);
  if (m) control_compare_methods(m, 12, &seed);
}


TEST(forces_cannot_read_accelerations)
{
  artModel *m = NULL;
  const char *text =
      FLYING "forces: {push: {type: force, point: car, value: [= car.across, 0, 0]}}\n";
  CHECK_FAILS(art_read_model(&m, text, strlen(text), "t.yaml", &check_error), ART_BAD_INPUT,
              "car.across");
}
