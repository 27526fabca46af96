// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sensors against the frames of the library, at random states of a machine that flies and turns; sampled readings with
// their chain; and what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "force/force.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/simulate.h"

#define MACHINE                                                                                    \
  "articula: 1\n"                                                                                  \
  "gravity: [0.5, -1, -9]\n"                                                                       \
  "bodies:\n"                                                                                      \
  "  ship: {mass: 3, com: [0.1, 0, 0.2], inertia: [0.3, 0.4, 0.5],\n"                              \
  "         frames: {imu: {position: [0.3, -0.2, 0.1], orientation: {rpy: [0.3, -0.4, 0.5]}}}}\n"  \
  "  arm: {mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05], points: {tip: [0.6, 0.1, "      \
  "0]}}\n"                                                                                         \
  "joints:\n"                                                                                      \
  "  fly: {type: free, from: ground, to: ship}\n"                                                  \
  "  pin: {type: revolute, axis: y, from: ship, at: [1, 0, 0], to: arm}\n"                         \
  "forces: {spring: {type: joint-spring, coordinate: pin, stiffness: 20}}\n"                       \
  "sensors:\n"                                                                                     \
  "  place: {type: position, frame: arm.tip}\n"                                                    \
  "  from_ship: {type: position, frame: arm.tip, relative: ship.imu}\n"                            \
  "  speed_ship: {type: velocity, frame: arm.tip, relative: ship.imu}\n"                           \
  "  log: {type: velocity, frame: ship.imu, axes: ship.imu}\n"                                     \
  "  felt: {type: acceleration, frame: ship.imu}\n"                                                \
  "  bare: {type: acceleration, frame: arm.tip, gravity: false, axes: ship}\n"                     \
  "  gyro: {type: gyro, frame: ship.imu}\n"                                                        \
  "  turn: {type: gyro, frame: arm, relative: ship}\n"                                             \
  "  fast: {type: speed, frame: arm.tip, gain: 2, bias: 3}\n"                                      \
  "  load: {type: force, joint: pin, axes: arm}\n"                                                 \
  "  twist: {type: torque, joint: pin}\n"                                                          \
  "  far: {type: distance, between: [ship.imu, arm.tip]}\n"                                        \
  "  tilt: {type: angle, between: [ship, arm], axis: z}\n"                                         \
  "  encoder: {type: quantity, value: = pin.angle, gain: 100, bias: 1, limits: [-20, 20]}\n"       \
  "initial: {fly: {vx: 1, wz: 2}, pin: {angle: 0.5, rate: -1}}\n"


typedef struct frameMotion {
  double r[3], R[9], v[3], w[3], a[3];
} frameMotion;


static frameMotion motion_of(const artModel *m, artData *d, const char *name)
{
  frameMotion f;
  double none[3];
  const int i = art_find_frame(m, name);
  art_frame_position(m, d, i, f.r);
  double q[4];
  art_frame_rotation(m, d, i, q);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double R[9] = {
      w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
      2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
      2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  memcpy(f.R, R, sizeof R);
  art_frame_velocity(m, d, i, f.v, f.w);
  art_frame_acceleration(m, d, i, f.a, none);
  return f;
}


static void reading(const artModel *m, artData *d, const char *sensor, double out[3])
{
  static const char *const tails[] = {"x", "y", "z"};
  for (int i = 0; i < 3; i++) {
    char name[40];
    snprintf(name, sizeof name, "%s.%s", sensor, tails[i]);
    out[i] = output_named(m, d, name);
  }
}


static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}


// components of a vector of ground along the axes of a frame, whose matrix has them in its columns
static void along(const frameMotion *f, const double a[3], double out[3])
{
  for (int i = 0; i < 3; i++) out[i] = f->R[i] * a[0] + f->R[3 + i] * a[1] + f->R[6 + i] * a[2];
}


static void check_vector(const artModel *m, artData *d, const char *sensor, const frameMotion *axes,
                         const double wanted[3])
{
  double got[3], want[3];
  reading(m, d, sensor, got);
  if (axes) {
    along(axes, wanted, want);
  } else {
    memcpy(want, wanted, sizeof want);
  }
  if (!CHECK_NEAR(got, want, 3, 1e-12 * 100)) printf("  %s\n", sensor);
}


static double norm(const double a[3])
{
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}


static void check_state(const artModel *m, artData *d)
{
  static const double g[3] = {0.5, -1, -9};
  const frameMotion imu = motion_of(m, d, "ship.imu"), tip = motion_of(m, d, "arm.tip");
  const frameMotion ship = motion_of(m, d, "ship"), arm = motion_of(m, d, "arm");
  double apart[3], swept[3], seen[3], felt[3], turn[3];
  cross(imu.w, (double[3]){tip.r[0] - imu.r[0], tip.r[1] - imu.r[1], tip.r[2] - imu.r[2]}, swept);
  for (int i = 0; i < 3; i++) {
    apart[i] = tip.r[i] - imu.r[i];
    seen[i] = tip.v[i] - imu.v[i] - swept[i];
    felt[i] = imu.a[i] - g[i];
    turn[i] = arm.w[i] - ship.w[i];
  }
  check_vector(m, d, "place", NULL, tip.r);
  check_vector(m, d, "from_ship", &imu, apart);
  check_vector(m, d, "speed_ship", &imu, seen);
  check_vector(m, d, "log", &imu, imu.v);
  check_vector(m, d, "felt", &imu, felt);
  check_vector(m, d, "bare", &ship, tip.a);
  check_vector(m, d, "gyro", &imu, imu.w);
  check_vector(m, d, "turn", &arm, turn);
  CHECK_CLOSE(output_named(m, d, "fast"), 2 * norm(tip.v) + 3, 1e-11);
  CHECK_CLOSE(output_named(m, d, "far"), norm(apart), 1e-12);
  CHECK_CLOSE(output_named(m, d, "far.rate"),
              (apart[0] * seen[0] + apart[1] * seen[1] + apart[2] * seen[2]) / norm(apart), 1e-11);
  const double angle = d->q[art_find_position(m, "pin.angle")];
  CHECK_CLOSE(output_named(m, d, "tilt"), fabs(angle), 1e-12);
  CHECK_CLOSE(output_named(m, d, "encoder"), fmax(-20, fmin(20, 100 * angle + 1)), 1e-12);

  // the pin carries force and torque of the arm, which the library gives
  double force[3], torque[3];
  CHECK_EQ_INT(art_reaction(m, d, "pin", force, torque, NULL), ART_OK);
  check_vector(m, d, "load", &arm, force);
  check_vector(m, d, "twist", NULL, torque);
}


TEST(sensors_agree_with_the_frames_of_the_library)
{
  artModel *m = keep_text(MACHINE);
  artData *d = keep_fresh_data(m);
  uint64_t seed = 11;
  for (int k = 0; d && k < 20; k++) {
    double x[7];
    sample_numbers(&seed, 0.8, 7, x);
    art_move(m, d->q, x);
    sample_numbers(&seed, 2, 7, d->v);
    art_update(m, d);
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    check_state(m, d);
  }
  if (m) CHECK_TEXT(art_output_unit(m, 0), "m");
}


// the velocity that a turning frame sees is the derivative of the position that it sees
TEST(relative_velocities_are_derivatives)
{
  artModel *m = keep_text(MACHINE);
  artData *d = keep_fresh_data(m);
  const double step = 1e-5;
  double ahead[3], behind[3], rate[3];
  reading(m, d, "speed_ship", rate);
  double x[7];
  for (int sign = 0; sign < 2; sign++) {
    artData *other = keep_fresh_data(m);
    for (int i = 0; i < 7; i++) x[i] = (sign ? -step : step) * d->v[i];
    art_move(m, other->q, x);
    art_update(m, other);
    reading(m, other, "from_ship", sign ? behind : ahead);
  }
  for (int i = 0; i < 3; i++) CHECK_CLOSE((ahead[i] - behind[i]) / (2 * step), rate[i], 1e-8);
}


//---- sampled -------------------------------------------------------------------------------------

TEST(sampled_readings_are_rounded_and_late)
{
  artModel *m = keep_text(
      "articula: 1\n"
      "bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
      "sensors:\n"
      "  s: {type: position, frame: cart, every: 0.1, delay: 0.2, resolution: 0.25, initial: 9,"
      " bias: [0.1, 0, 7]}\n"
      "  now: {type: quantity, value: = 2*rail.slide, every: 0.2, offset: 0.1}\n");
  artData *d = keep_fresh_data(m);
  for (int k = 0; d && k < 20; k++) {
    d->time = 0.1 * k;
    d->q[0] = 0.37 * k;
    art_update(m, d);
    CHECK_EQ_INT(force_sample(m, d, NULL), ART_OK);
    d->q[0] = -50; // held numbers do not follow
    art_update(m, d);
    const double then = k < 2 ? 9 : 0.25 * floor((0.37 * (k - 2) + 0.1) / 0.25 + 0.5);
    CHECK_CLOSE(output_named(m, d, "s.x"), then, 1e-12);
    CHECK_CLOSE(output_named(m, d, "s.z"), k < 2 ? 9 : 7, 1e-12);
    const int last = (k - 1) / 2 * 2 + 1;
    CHECK_CLOSE(output_named(m, d, "now"), k < 1 ? 0 : 0.74 * last, 1e-12);
  }
}


// Nothing jumps at the instants of these machines: samples of accelerations and reactions agree with the row.
#define SAMPLED(joint, frame)                                                                      \
  "sensors:\n"                                                                                     \
  "  load: {type: force, joint: " joint ", every: 10 ms}\n"                                        \
  "  load_now: {type: force, joint: " joint "}\n"                                                  \
  "  twist: {type: torque, joint: " joint ", axes: rod, every: 10 ms}\n"                           \
  "  twist_now: {type: torque, joint: " joint ", axes: rod}\n"                                     \
  "  felt: {type: acceleration, frame: " frame ", every: 10 ms}\n"                                 \
  "  felt_now: {type: acceleration, frame: " frame "}\n"


TEST(accelerations_and_reactions_are_sampled_at_their_instants_by_every_method)
{
  static const char *const machines[] = {
      "articula: 1\n"
      "bodies: {rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.1, 0.3], points: {tip: [0, 0, "
      "-1]}}}\n"
      "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n"
      "initial: {pin: {angle: 0.7, rate: 1}}\n" SAMPLED("pin", "rod.tip"),
      "articula: 1\n"
      "bodies:\n"
      "  crank: {mass: 1, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.01]}\n"
      "  rod: {mass: 2, com: [0.3, 0, 0.2], inertia: [0.1, 0.1, 0.1], points: {tip: [0.3, 0, "
      "0.4]}}\n"
      "  rocker: {mass: 1.5, com: [0.5, 0, 0.1], inertia: [0.02, 0.02, 0.02]}\n"
      "joints:\n"
      "  pin: {type: revolute, axis: y, from: ground, to: crank}\n"
      "  knee: {type: revolute, axis: y, from: crank, to: rod, at: [0, 0, 0.2]}\n"
      "  wrist: {type: revolute, axis: y, from: rod, to: rocker, at: [0.6, 0, 0.2]}\n"
      "  foot: {type: revolute, axis: y, from: rocker, to: ground, at: [0.5, 0, 0]}\n"
      "initial: {pin: {rate: 5}}\n" SAMPLED("foot", "rod.tip")};
  static const char *const names[] = {"load", "twist", "felt"};
  for (int way = 0; way < 2 * ART_METHODS; way++) {
    const int is_loop = way % 2;
    artModel *m = keep_text(machines[is_loop]);
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.method = (artMethod) (way / 2);
    study.step = 1e-3;
    if (is_loop && (study.method == ART_ORDER_N || study.method == ART_MASS_MATRIX)) continue;
    artRun *run = keep_started_run(m, d, &study);
    for (int k = 0; k < 5 && run; k++) {
      CHECK_EQ_INT(art_step_to(run, 0.01 * k, NULL), ART_OK);
      for (int i = 0; i < 9; i++) {
        char sampled[32], now[32];
        snprintf(sampled, sizeof sampled, "%s.%c", names[i / 3], 'x' + i % 3);
        snprintf(now, sizeof now, "%s_now.%c", names[i / 3], 'x' + i % 3);
        CHECK_CLOSE(output_named(m, d, sampled), output_named(m, d, now), 1e-6);
      }
    }
  }
}


// A swing on two bars that are in balance by themselves: at rest samplers hold what each of its bearings carries, a bar and
// half of the seat, and the torque that a block makes of that.
TEST(equilibria_hold_samples_of_reactions)
{
  artModel *m =
      keep_text("articula: 1\n"
                "gravity: [0, 0, -10]\n"
                "bodies:\n"
                "  left: {mass: 1, com: [0, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
                "  right: {mass: 1, com: [1, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
                "  seat: {mass: 2, com: [0.5, 0, -1], inertia: [0.1, 0.1, 0.1]}\n"
                "joints:\n"
                "  pin: {type: revolute, axis: y, from: ground, to: left}\n"
                "  foot: {type: revolute, axis: y, from: ground, to: right, at: [1, 0, 0]}\n"
                "  knee: {type: revolute, axis: y, from: left, to: seat, at: [0, 0, -1]}\n"
                "  wrist: {type: revolute, axis: y, from: seat, to: right, at: [1, 0, -1]}\n"
                "initial: {pin: {angle: 0.3}}\n"
                "sensors:\n"
                "  a: {type: force, joint: pin, every: 10 ms}\n"
                "  b: {type: force, joint: foot, every: 10 ms}\n"
                "blocks: {push: {type: sample, input: = 0.5*b.z, every: 20 ms}}\n"
                "forces: {motor: {type: joint-force, coordinate: pin, value: = push}}\n");
  artData *d = keep_fresh_data(m);
  artEquilibrium result;
  CHECK_WORKS(art_find_equilibrium(m, d, &result, &check_error));
  CHECK_CLOSE(output_named(m, d, "a.z"), 20, 1e-8);
  CHECK_CLOSE(output_named(m, d, "b.z"), 20, 1e-8);
  CHECK_CLOSE(output_named(m, d, "push"), 10, 1e-8);
  CHECK_CLOSE(fabs(d->q[0]), asin(0.5), 1e-8);
}


TEST(bad_sensors_are_refused_where_they_stand)
{
  static const struct {
    const char *sensor, *message;
  } cases[] = {
      {"type: position, frame: card",
       "5:30: sensor 'a' names the body 'card', which is not defined"},
      {"type: position, frame: cart, relative: card", "5:46: sensor 'a' names the body 'card'"},
      {"type: gyro, frame: cart, axes: card", "(did you mean 'cart'?)"},
      {"type: distance, between: [cart, carr]", "5:39: sensor 'a' names the body 'carr'"},
      {"type: distance, between: [cart, cart]", "expected two different bodies or frames"},
      {"type: gyro, frame: cart, unit: m", "'a' has the unit 'm' and measures rad/s"},
      {"type: gyro, frame: cart, every: 1, resolution: 0", "'resolution' of sensor 'a' is 0"},
      {"type: position", "needs 'frame'"},
      {"type: gyro, frame: cart, delay: 1", "'a': a delay belongs to 'every'"},
      {"type: gyro, frame: cart, delay: 0.15, every: 0.1", "is not a multiple of every"},
      {"type: gyro, frame: cart, resolution: 1", "a resolution belongs to 'every'"},
      {"type: gyro, frame: cart, limits: [1, -1]", "limits of sensor 'a' leave a width of -2"},
      {"type: gyro, frame: cart, bias: [1, 2]", "has 2 biases for 3 components"},
      {"type: gyro, frame: cart, every: 0", "'every' is 0, expected more than 0"},
      {"type: force, joint: rial", "t.yaml:5:27: 'rial.fx' is not known (did you mean 'rail.fx'?)"},
      {"type: speedo, frame: cart", "'speedo' is not a type of sensor"},
      {"type: angle, between: [cart, ground], axis: w", "w"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    artModel *m = NULL;
    artError error = {0};
    snprintf(text, sizeof text,
             "articula: 1\nbodies: {cart: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
             "sensors:\n  a: {%s}\n",
             cases[i].sensor);
    CHECK_EQ_INT(art_read_model(&m, text, strlen(text), "t.yaml", &error), ART_BAD_INPUT);
    CHECK_CONTAINS(error.text, "t.yaml:5:");
    if (!CHECK_CONTAINS(error.text, cases[i].message)) printf("  %s\n", cases[i].sensor);
    art_free_model(m);
  }
}


// an accelerometer at rest shows no frozen number
TEST(accelerometers_follow_gravity_that_changes)
{
  artModel *m = keep_text("articula: 1\nparameters: {g: 9.81}\ngravity: [0, 0, = -g]\n"
                          "bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\n"
                          "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                          "sensors: {f: {type: acceleration, frame: cart}}\n"
                          "outputs: {felt: = f.z, given: = ground.gz}\n");
  artData *d = keep_fresh_data(m);
  for (int k = 0; d && k < 2; k++) {
    const double g = k ? 1.5 : 9.81;
    CHECK_EQ_INT(art_set_parameter(m, "g", g, NULL), ART_OK);
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    CHECK_CLOSE(output_named(m, d, "felt"), g, 1e-12);
    CHECK_CLOSE(output_named(m, d, "given"), -g, 0);
  }
}
