// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What rolls on spheres, cylinders, cones and roads, against closed forms, by every method that takes it and by contact with
// friction.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"

#define ROLLING "models/contact/rolling/"

static const double G = 9.81, SHARE = 0.4; // of a solid ball: I = 0.4 m r^2

typedef struct rollWay {
  artMethod method;
  artBackend backend;
} rollWay;
static const rollWay ways[] = {{ART_SEMIRECURSIVE, ART_BACKEND_NUMERIC},
                               {ART_RECURSIVE, ART_BACKEND_NUMERIC},
                               {ART_AUGMENTED, ART_BACKEND_NUMERIC},
                               {ART_AUTOMATIC, ART_BACKEND_GENERATED}};
enum { NUMERIC = 3, WAYS = sizeof ways / sizeof *ways };


// a run to t; the loops closed, nothing slips, and the energy kept
static artRun *run_rolling(const artModel *m, artData *d, rollWay way, double t)
{
  artRunDef study = art_default_run();
  study.method = way.method;
  study.backend = way.backend;
  study.tolerance = 1e-11;
  study.until = t;
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK)) {
    puts(check_error.text);
    return NULL;
  }
  const artCertificate c = art_certify(run);
  CHECK(c.position_residual < 1e-12 && c.velocity_residual < 1e-11);
  CHECK(c.acceleration_residual < 1e-10 && c.energy_error < 1e-8);
  return run;
}


static void outputs_at(const artModel *m, rollWay way, double t, double *value)
{
  artData *d = keep_fresh_data(m);
  if (run_rolling(m, d, way, t)) art_outputs(m, d, value);
}


// K(k) by the arithmetic-geometric mean
static double elliptic(double k)
{
  double a = 1, b = sqrt(1 - k * k);
  for (int i = 0; i < 20; i++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return acos(-1.0) / (2 * a);
}


//---- bowls ---------------------------------------------------------------------------------------

// a pendulum of the length 7/5 (R - r):  T = 4 sqrt(l/g) K(sin(angle/2))
TEST(a_ball_swings_in_a_bowl_with_the_period_of_a_pendulum)
{
  const artModel *m = keep_file(ROLLING "bowl.yaml");
  const double a = 0.9, angle = acos(-1.0) / 3;
  const double period = 4 * sqrt((1 + SHARE) * a / G) * elliptic(sin(angle / 2));
  for (int w = 0; w < WAYS; w++) {
    double quarter[8], half[8], whole[8];
    outputs_at(m, ways[w], period / 4, quarter);
    CHECK_CLOSE(quarter[0], 0, 2e-8);
    const double speed2 = 10.0 / 7 * G * a * (1 - cos(angle)); // m v^2 (1 + 2/5)/2 = m g h
    CHECK_CLOSE(quarter[3], 2 * (G + speed2 / a), 1e-7);
    outputs_at(m, ways[w], period / 2, half);
    CHECK_CLOSE(half[0], -a * sin(angle), 1e-8);
    outputs_at(m, ways[w], period, whole);
    CHECK_CLOSE(whole[0], a * sin(angle), 1e-8);
    CHECK_CLOSE(whole[3], 2 * G * cos(angle), 1e-7);
    CHECK_CLOSE(whole[4], 2 * 2.0 / 7 * G * sin(angle), 1e-7);
  }
}


// eigenvalues that are not zero, by modulus; returns their number
static int find_eigenvalues(const artModel *m, artData *d, double *re, double *im)
{
  artLinear *lin = NULL;
  int n = 0;
  if (!CHECK_WORKS(art_linearise(m, d, ART_AUTOMATIC, &lin, &check_error))) return 0;
  keep_linear(lin);
  for (int e = 0; e < lin->order; e++) {
    if (hypot(lin->real[e], lin->imaginary[e]) < 1e-6) continue;
    re[n] = lin->real[e];
    im[n++] = fabs(lin->imaginary[e]);
  }
  return n;
}


// twice  g/((1 + 2/5) (R - r))
TEST(a_ball_at_the_bottom_of_a_bowl_has_the_frequency_of_a_pendulum)
{
  const artModel *m = keep_text(
      "articula: 1\nbodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"
      "joints:\n  loose: {type: free, from: ground, to: ball}\n"
      "  touch: {type: rolling-ball, from: ground, to: ball, radius: 0.1, surface: sphere, "
      "side: inside, surface_radius: 1}\n"
      "initial: {loose: {z: -0.9}}\n");
  double re[16], im[16];
  const int n = find_eigenvalues(m, keep_fresh_data(m), re, im);
  CHECK_EQ_INT(n, 4);
  for (int e = 0; e < n; e++) {
    CHECK_CLOSE(im[e], sqrt(5 * G / (7 * 0.9)), 1e-8);
    CHECK_CLOSE(re[e], 0, 1e-8);
  }
}


// the coordinate, or velocity, of that name
static double *number_of(const artModel *m, artData *d, const char *name)
{
  for (int k = 0; k < m->tree.nq; k++) {
    if (strcmp(m->position[k].name, name) == 0) return &d->q[k];
  }
  for (int k = 0; k < m->tree.nv; k++) {
    if (strcmp(m->velocity[k].name, name) == 0) return &d->v[k];
  }
  CHECK(0);
  return &d->time;
}


// On a circle of the radius rho with the rate W, where the surface rises by the angle s, and the spin w about the normal:
//   g tan s = (1 + 2/5) W^2 rho + 2/5 r W w tan s,   N = m (g cos s + W^2 rho sin s)
typedef struct steadyCircle {
  double rate, rho, slope, spin; // spin about the normal
} steadyCircle;


static void check_circle(const artModel *m, artData *d, double speed, double slope, double r,
                         steadyCircle *c)
{
  artTrim trim;
  if (!CHECK_WORKS(art_find_trim(m, d, speed, &trim, &check_error))) return;
  const double rho = *number_of(m, d, "out.slide"), W = *number_of(m, d, "around.rate");
  const double lean = *number_of(m, d, "lean.angle"), spin = *number_of(m, d, "spin.rate");
  if (slope < 0) slope = asin(rho / 0.9); // in the bowl
  CHECK_CLOSE(W * rho, speed, 1e-10);
  CHECK_CLOSE(trim.yaw_rate, W, 1e-10);
  CHECK_CLOSE(trim.gain, 0, 1e-9);
  CHECK_CLOSE(*number_of(m, d, "turn.angle"), 0, 1e-9);

  // the hub is along (cos lean, 0, -sin lean), the normal along (-sin s, 0, cos s)
  const double own = W * cos(slope) + spin * (-cos(lean) * sin(slope) - sin(lean) * cos(slope));
  const double left = (1 + SHARE) * W * W * rho + SHARE * r * W * own * tan(slope);
  CHECK_CLOSE(G * tan(slope), left, 1e-8);
  double value[8];
  art_outputs(m, d, value);
  CHECK_CLOSE(value[3], 2 * (G * cos(slope) + W * W * rho * sin(slope)), 1e-7);
  *c = (steadyCircle){W, rho, slope, own};
}


// About the circle in a sphere, with k = 2/5 r w/((1 + 2/5)(R - r)), the ball nods with  W^2 sin^2 s + (2 W cos s + k)^2,
// and the massless hub turns about it with its spin.
TEST(a_ball_circles_in_a_bowl_and_nods_with_its_frequency)
{
  static const double speed[2] = {2, 1.3};
  const artModel *m = keep_file(ROLLING "circle.yaml");
  for (int k = 0; k < 2; k++) {
    artData *d = keep_fresh_data(m);
    steadyCircle c = {0};
    check_circle(m, d, speed[k], -1, 0.1, &c);
    const double gyro = SHARE * 0.1 * c.spin / ((1 + SHARE) * 0.9);
    const double nod = hypot(c.rate * sin(c.slope), 2 * c.rate * cos(c.slope) + gyro);
    double re[16], im[16];
    if (!CHECK_EQ_INT(find_eigenvalues(m, d, re, im), 4)) return;
    CHECK_CLOSE(im[0], nod, 1e-7);
    CHECK_CLOSE(im[2], fabs(*number_of(m, d, "spin.rate")), 1e-6);
    CHECK_CLOSE(re[0], 0, 1e-7);

    // and goes on so
    const double radius = c.rho;
    for (int w = 0; w < WAYS; w++) {
      artData *moved = keep_fresh_data(m);
      memcpy(moved->q, d->q, (size_t) m->tree.nq * sizeof *d->q);
      memcpy(moved->v, d->v, (size_t) m->tree.nv * sizeof *d->v);
      if (!run_rolling(m, moved, ways[w], 2)) continue;
      CHECK_CLOSE(*number_of(m, moved, "out.slide"), radius, 1e-8);
      CHECK_CLOSE(*number_of(m, moved, "around.angle"), 2 * c.rate, 1e-7);
    }
  }
}


TEST(a_ball_circles_in_a_cone)
{
  const double r = 0.1, half = acos(-1.0) / 5, rho = 0.6;
  const artModel *m = keep_text_of(
      "articula: 1\nbodies: {arm: {}, slide: {}, lift: {}, fork: {}, hub: {}, ball: {mass: 2, "
      "inertia: [0.008, 0.008, 0.008]}}\n"
      "joints:\n  around: {type: revolute, axis: z, from: ground, to: arm}\n"
      "  out: {type: prismatic, axis: x, from: arm, to: slide}\n"
      "  up: {type: prismatic, axis: z, from: slide, to: lift}\n"
      "  turn: {type: revolute, axis: z, from: lift, to: fork}\n"
      "  lean: {type: revolute, axis: y, from: fork, to: hub}\n"
      "  spin: {type: revolute, axis: x, from: hub, to: ball}\n"
      "  touch: {type: rolling-ball, from: ground, to: ball, radius: %g, surface: cone, side: "
      "inside, half_angle: %.17g}\n"
      "initial: {out: {slide: %g}, up: {slide: %.17g}, lean: {angle: -0.6}}\n"
      "outputs: {a: out.slide, b: up.slide, c: around.rate, n: touch.normal}\n",
      r, half, rho, (rho * cos(half) + r) / sin(half));
  artData *d = keep_fresh_data(m);
  steadyCircle c = {0};
  check_circle(m, d, 2.2, acos(0) - half, r, &c);
  for (int w = 0; w < WAYS; w++) {
    artData *moved = keep_fresh_data(m);
    memcpy(moved->q, d->q, (size_t) m->tree.nq * sizeof *d->q);
    memcpy(moved->v, d->v, (size_t) m->tree.nv * sizeof *d->v);
    if (!run_rolling(m, moved, ways[w], 1)) continue;
    CHECK_CLOSE(*number_of(m, moved, "out.slide"), c.rho, 1e-7);
  }
}


// there is none at this height where the surface is not about the axis
TEST(steady_motions_are_refused_where_the_surface_is_not_about_the_axis)
{
  const artModel *m = keep_text(
      "articula: 1\nbodies: {arm: {mass: 1, inertia: [1, 1, 1]}, lift: {mass: 1}, ball: {mass: 2, "
      "inertia: [0.008, 0.008, 0.008]}}\n"
      "joints:\n  around: {type: revolute, axis: z, from: ground, to: arm}\n"
      "  out: {type: prismatic, axis: x, from: arm, to: lift}\n"
      "  up: {type: free, from: lift, to: ball}\n"
      "  touch: {type: rolling-ball, from: {frame: ground, position: [0.1, 0, 0]}, to: ball, "
      "radius: 0.1, surface: sphere, side: inside, surface_radius: 1}\n"
      "initial: {out: {slide: 0.5}, up: {z: -0.806}}\n");
  artTrim trim;
  CHECK_FAILS(art_find_trim(m, keep_fresh_data(m), 1, &trim, &check_error), ART_BAD_INPUT,
              "'touch' has no steady motion");
  const artModel *free_ball = keep_file(ROLLING "bowl.yaml");
  CHECK_FAILS(art_find_trim(free_ball, keep_fresh_data(free_ball), 1, &trim, &check_error),
              ART_BAD_INPUT, "'touch' has no steady motion");
}


//---- a pipe --------------------------------------------------------------------------------------

// z = -g/(2/5 W^2) (1 - cos(p t)),  p = W sqrt(2/7), without spin about the normal at the start
TEST(a_ball_in_an_upright_pipe_bobs_up_and_down)
{
  const artModel *m = keep_file(ROLLING "golfer.yaml");
  const double W = 12, p = W * sqrt(SHARE / (1 + SHARE)), a = 0.25;
  for (int w = 0; w < WAYS; w++) {
    for (int k = 1; k <= 3; k++) {
      const double t = k * acos(-1.0) / p; // lowest, back, lowest
      double value[8];
      outputs_at(m, ways[w], t, value);
      CHECK_CLOSE(value[2], -G / (SHARE * W * W) * (1 - cos(p * t)), 1e-8);
      CHECK_CLOSE(value[0], a * cos(W * t), 1e-7);
      CHECK_CLOSE(value[1], a * sin(W * t), 1e-7);
      CHECK_CLOSE(value[3], 0.05 * W * W * a, 1e-8);
    }
  }
}


// Where it rolls on the floor as well it turns about the line through both points of contact, r/sqrt(2) from its centre, and
// swings along the wall like a pendulum of the length  (1 + 2 k)(R - r).
TEST(a_ball_swings_along_the_corner_of_floor_and_wall)
{
  const artModel *m =
      keep_text("articula: 1\ngravity: [3, 0, -9.81]\n"
                "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"
                "joints:\n  loose: {type: free, from: ground, to: ball}\n"
                "  floor: {type: rolling-ball, from: ground, to: ball, radius: 0.1}\n"
                "  wall: {type: rolling-ball, from: ground, to: ball, radius: 0.1, surface: "
                "cylinder, side: inside, surface_radius: 1}\n"
                "initial: {loose: {x: 0.77942286340599478, y: 0.45, z: 0.1}}\n"
                "outputs: {x: loose.x, y: loose.y}\n");
  const double angle = acos(-1.0) / 6;
  const double period = 4 * sqrt((1 + 2 * SHARE) * 0.9 / 3) * elliptic(sin(angle / 2));
  for (int w = 0; w < WAYS; w++) {
    double value[2];
    outputs_at(m, ways[w], period / 4, value);
    CHECK_CLOSE(value[1], 0, 2e-8);
    outputs_at(m, ways[w], period / 2, value);
    CHECK_CLOSE(value[1], -0.45, 1e-8);
  }
}


//---- off a sphere --------------------------------------------------------------------------------

#define HILL                                                                                       \
  "articula: 1\nbodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"                       \
  "joints:\n  loose: {type: free, from: ground, to: ball}\n%s"                                     \
  "initial: {loose: {x: %.17g, z: %.17g}}\n"                                                       \
  "outputs: {x: loose.x, z: loose.z%s}\n"
#define ON_HILL                                                                                    \
  "  touch: {type: rolling-ball, from: ground, to: ball, radius: 0.1, surface: sphere, "           \
  "surface_radius: 0.9}\n"


// From rest at the angle b:  N = m g (17 cos a - 10 cos b)/7, and the ball would leave at cos a = 10/17 cos b.
TEST(a_ball_that_rolls_off_a_sphere_would_leave_it_at_its_angle)
{
  const double b = 0.2, leaves = acos(10.0 / 17 * cos(b));
  const artModel *m = keep_text_of(HILL, ON_HILL, sin(b), cos(b), ", n: touch.normal");
  for (int w = 0; w < WAYS; w++) {
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.method = ways[w].method;
    study.backend = ways[w].backend;
    study.tolerance = 1e-10;
    study.until = 2;
    artRun *run = keep_started_run(m, d, &study);
    double before = 0, value[4] = {0}, t = 0;
    for (int k = 1; k <= 100 && atan2(value[0], value[1]) < leaves; k++) {
      before = t;
      t = 0.02 * k;
      if (!CHECK_WORKS(art_run_to(run, t, &check_error))) return;
      art_outputs(m, d, value);
      const double angle = atan2(value[0], value[1]);
      CHECK_CLOSE(value[2], 2 * G * (17 * cos(angle) - 10 * cos(b)) / 7, 1e-6);
    }
    CHECK_WORKS(art_run_to(run, t + 0.1, &check_error));
    const artCertificate c = art_certify(run);
    const artJudgement j = art_judge(&c, NULL);
    CHECK_EQ_INT((int) j.verdict, ART_VERDICT_DOUBTFUL);
    CHECK_CONTAINS(j.reason[0], "'touch' would lift off");
    CHECK(c.pull_time > before - 1e-9 && c.pull_time < t + 0.02);
  }
}


// Rigid contact with friction that holds is another way to the same motion.
TEST(rolling_on_a_sphere_is_rigid_contact_with_friction_that_holds)
{
  const double b = 0.2, t = 0.5;
  const artModel *rolls = keep_text_of(HILL, ON_HILL, sin(b), cos(b), "");
  const artModel *touches = keep_text_of(
      HILL,
      "surfaces:\n  hill: {type: sphere, body: ground, radius: 0.9}\n"
      "  skin: {type: sphere, body: ball, radius: 0.1}\n"
      "forces:\n  touch: {type: rigid-contact, between: [hill, skin], friction: 5, restitution: "
      "0}\n",
      sin(b), cos(b), "");
  double want[2], value[2];
  outputs_at(rolls, ways[0], t, want);
  artData *d = keep_fresh_data(touches);
  artRunDef study = art_default_run();
  study.tolerance = 1e-11;
  study.until = t;
  artRun *run = keep_started_run(touches, d, &study);
  if (!run || !CHECK_WORKS(art_run_to(run, t, &check_error))) return;
  art_outputs(touches, d, value);
  CHECK(want[0] > 0.3);
  CHECK_NEAR(value, want, 2, 1e-8);
}


//---- free bodies ---------------------------------------------------------------------------------

TEST(a_ball_on_a_free_ball_keeps_momentum_and_energy)
{
  const artModel *m = keep_file(ROLLING "globe.yaml");
  for (int w = 0; w < WAYS; w++) {
    artData *d = keep_fresh_data(m);
    double before[6], after[6];
    if (!CHECK_WORKS(art_assemble(m, d, NULL, &check_error))) return;
    art_momentum(m, d, before, before + 3);
    if (!run_rolling(m, d, ways[w], 3)) continue;
    art_update(m, d);
    art_momentum(m, d, after, after + 3);
    CHECK_NEAR(after, before, 6, 1e-9);
    CHECK(fabs(before[4]) + fabs(before[3]) > 0.1);
  }
}


TEST(methods_agree_on_what_rolls_on_parts_of_a_body_that_rocks)
{
  const artModel *m = keep_file("test/models/rolling-round.yaml");
  double value[WAYS][9];
  for (int w = 0; w < WAYS; w++) outputs_at(m, ways[w], 0.7, value[w]);
  for (int w = 1; w < WAYS; w++) CHECK_NEAR(value[w], value[0], 9, 1e-6);
}


//---- rims ----------------------------------------------------------------------------------------

// A hoop across a gutter swings with  (1 + k) (R - r) a'' + g sin a = 0,  k = I/(m r^2).
TEST(a_disc_swings_across_a_gutter_with_the_period_of_a_pendulum)
{
  const artModel *m = keep_text(
      "articula: 1\nbodies: {disc: {mass: 1, inertia: [0.02, 0.032, 0.02]}}\n"
      "joints:\n  loose: {type: free, from: ground, to: disc}\n"
      "  rim: {type: rolling-disc, from: {frame: ground, orientation: {axis: x, angle: 90 "
      "deg}}, to: disc, radius: 0.2, surface: cylinder, side: inside, surface_radius: 1}\n"
      "initial: {loose: {x: 0.4, z: -0.69282032302755092}}\n"
      "outputs: {x: loose.x, y: loose.y, z: loose.z, n: rim.normal}\n");
  const double a = 0.8, k = 0.032 / 0.04, angle = acos(-1.0) / 6;
  const double period = 4 * sqrt((1 + k) * a / G) * elliptic(sin(angle / 2));
  for (int w = 0; w < NUMERIC; w++) {
    double quarter[4], whole[4];
    outputs_at(m, ways[w], period / 4, quarter);
    CHECK_CLOSE(quarter[0], 0, 2e-8);
    outputs_at(m, ways[w], period, whole);
    CHECK_CLOSE(whole[0], a * sin(angle), 1e-8);
    CHECK_CLOSE(whole[3], G * cos(angle), 1e-7);
  }
}


//---- roads ---------------------------------------------------------------------------------------

#define ON_ROAD                                                                                    \
  "articula: 1\nroads: {way: {%s}}\nground: {frames: {slope: {orientation: {axis: y, angle: "      \
  "%.17g}}}}\n"                                                                                    \
  "bodies: {body: {mass: 2, com: [0.01, 0, 0], inertia: [0.008, 0.016, 0.008]}}\n"                 \
  "joints:\n  loose: {type: free, from: ground, to: body}\n"                                       \
  "  touch: {type: %s, from: %s, to: body%s%s}\n"                                                  \
  "initial: {loose: {x: %.17g, vx: %g, vy: 0.3, wz: 0.5, qx: 0.1}}\n"                              \
  "assembly: {velocities: project}\n"                                                              \
  "outputs: {x: loose.x, y: loose.y, z: loose.z, n: touch.normal, a: touch.along, c: "             \
  "touch.across}\n"


// A road of one slope is a plane.
TEST(a_road_that_is_a_plane_is_a_plane)
{
  static const char *const types[3] = {"rolling-ball", "rolling-disc", "knife-edge"};
  const double angle = atan(0.2), x = 0.1 * sin(angle);
  for (int k = 0; k < 3; k++) {
    const char *radius = k < 2 ? ", radius: 0.1" : "";
    const double lift = k < 2 ? 1 : 0;
    const artModel *road = keep_text_of(ON_ROAD, "type: plane, grade: -0.2", angle, types[k],
                                        "ground", radius, ", road: way", lift * x, 1.0);
    const artModel *plane = keep_text_of(ON_ROAD, "type: plane, grade: -0.2", angle, types[k],
                                         "ground.slope", radius, "", lift * x, 1.0);
    for (int w = 0; w < NUMERIC; w++) {
      double value[6], want[6];
      outputs_at(road, ways[w], 0.4, value);
      outputs_at(plane, ways[w], 0.4, want);
      CHECK_NEAR(value, want, 6, 1e-9);
    }
  }
}


// In the valley of  z = -A cos(k x), which is round with 1/(A k^2):  w^2 = 5 g/(7 (1/(A k^2) - r))
TEST(a_ball_in_a_valley_has_its_frequency)
{
  const double A = 0.05, k = 2 * acos(-1.0) / 2, r = 0.1;
  const artModel *m = keep_text_of(
      "articula: 1\nroads: {way: {type: sine, amplitude: %g, wavelength: 2, phase: -90 deg}}\n"
      "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"
      "joints:\n  loose: {type: free, from: ground, to: ball}\n"
      "  touch: {type: rolling-ball, from: ground, to: ball, radius: %g, road: way}\n"
      "initial: {loose: {z: %.17g}}\n",
      A, r, r - A);
  double re[16], im[16];
  const int n = find_eigenvalues(m, keep_fresh_data(m), re, im);
  CHECK_EQ_INT(n, 2);
  for (int e = 0; e < n; e++) CHECK_CLOSE(im[e], sqrt(5 * G / (7 * (1 / (A * k * k) - r))), 1e-7);
}


// Over waves, and over a bump that begins where the road is level, energy is kept and nothing slips (run_rolling).
TEST(wheels_and_balls_keep_their_energy_on_roads)
{
  static const char *const types[2] = {"rolling-ball", "rolling-disc"};
  static const char *const roads[2] = {"type: sine, amplitude: 0.05, wavelength: 1.5 m",
                                       "type: bump, start: 0.5, length: 1, height: 0.06"};
  for (int k = 0; k < 4; k++) {
    const artModel *m = keep_text_of(ON_ROAD, roads[k / 2], 0.0, types[k % 2], "ground",
                                     ", radius: 0.1", ", road: way", 0.0, 2.0);
    double value[NUMERIC][6];
    for (int w = 0; w < NUMERIC; w++) outputs_at(m, ways[w], 1, value[w]);
    for (int w = 1; w < NUMERIC; w++) CHECK_NEAR(value[w], value[0], 6, 1e-6);
    CHECK(value[0][0] > 1.4);
  }
}


// Behind the bump the wheel is as fast as before.
TEST(a_wheel_is_as_fast_behind_a_bump_as_before)
{
  const artModel *m = keep_file(ROLLING "bump.yaml");
  for (int w = 0; w < NUMERIC; w++) {
    double value[8];
    outputs_at(m, ways[w], 1.3, value);
    CHECK(value[0] > 3.3);
    CHECK_CLOSE(value[2], 3, 1e-9);
    CHECK_CLOSE(value[1], 0.3, 1e-12);
  }
}


// A blade turns nothing that would keep steps short.
TEST(steps_do_not_pass_over_bumps_of_a_road)
{
  const artModel *m =
      keep_text("articula: 1\nroads: {way: {type: bump, start: 50, length: 0.5, height: 0.05}}\n"
                "bodies: {sled: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                "joints:\n  loose: {type: free, from: ground, to: sled}\n"
                "  edge: {type: knife-edge, from: ground, to: sled, road: way}\n"
                "initial: {loose: {vx: 3}}\noutputs: {x: loose.x}\n");
  double value[1];
  for (int w = 0; w < NUMERIC; w++) {
    outputs_at(m, ways[w], 18, value);
    CHECK(value[0] < 54 - 0.02 && value[0] > 53.5);
  }
  artRunDef study = art_default_run();
  study.integrator = ART_RK4;
  study.step = 0.3;
  study.until = 18;
  artRun *run = keep_started_run(m, keep_fresh_data(m), &study);
  CHECK_FAILS(art_run_to(run, 18, &check_error), ART_BAD_INPUT, "'edge' passes whole bumps");
}


//---- places that are none ------------------------------------------------------------------------

static void check_stops(const char *text, double t, const char *words)
{
  const artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.until = t;
  artRun *run = keep_started_run(m, d, &study);
  CHECK_FAILS(art_run_to(run, t, &check_error), ART_BAD_INPUT, words);
}


#define ROLLS                                                                                      \
  "articula: 1\nbodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"                       \
  "joints:\n  loose: {type: free, from: ground, to: ball}\n"                                       \
  "  touch: {from: ground, to: ball, "


TEST(runs_end_by_name_where_a_contact_is_not_one_point)
{
  // up a mountain over its apex
  check_stops(ROLLS "type: rolling-ball, radius: 0.1, surface: cone, half_angle: 80 deg}\n"
                    "gravity: [0, 0, 1]\n"
                    "initial: {loose: {x: 1, y: 0.001, vx: -2}}\n"
                    "assembly: {velocities: project}\n",
              2, "'touch' cannot roll at t = ");
}
