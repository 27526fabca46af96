// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contact of surfaces: bounces, static indentation, friction that holds and slides, rolling, and the geometry of all
// pairs, against closed forms, momentum and energy; all methods against each other.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81, PI = 3.14159265358979323846;


static artRunDef accurate(double until)
{
  artRunDef study = art_default_run();
  study.until = until;
  study.tolerance = 1e-11;
  return study;
}


// The run speaks well of itself: a certificate that always doubts says nothing.
static void check_verdict(const artRun *run)
{
  const artCertificate c = art_certify(run);
  const artJudgement judgement = art_judge(&c, NULL);
  if (!CHECK_EQ_INT(judgement.verdict, ART_VERDICT_GOOD)) puts(judgement.reason[0]);
}


static artData *data_at(const artModel *m, const artRunDef *study, double t)
{
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK)) puts(check_error.text);
  check_verdict(run);
  return d;
}


//---- bounces -------------------------------------------------------------------------------------

// d'' = g - (k d + c d')/m from d = 0 at the rate v: depth and rate, while the contact pushes
typedef struct impact {
  double m, k, c, v;
} impact;


static double depth_in_impact(const impact *x, double t, double *rate)
{
  const double rest = x->m * G / x->k, a = x->c / (2 * x->m), w = sqrt(x->k / x->m - a * a);
  const double B = (x->v - a * rest) / w, decay = exp(-a * t), s = sin(w * t), c = cos(w * t);
  *rate = decay * (-a * (B * s - rest * c) + w * (B * c + rest * s));
  return rest + decay * (B * s - rest * c);
}


// the first time at which k d + c d' = 0
static double end_of_impact(const impact *x)
{
  double low = 1e-9, high = 1.5 * PI / sqrt(x->k / x->m), rate;
  for (int i = 0; i < 200; i++) {
    const double t = 0.5 * (low + high);
    const double force = x->k * depth_in_impact(x, t, &rate) + x->c * rate;
    *(force > 0 ? &low : &high) = t;
  }
  return low;
}


static const char BALL[] = "articula: 1\n"
                           "bodies: {ball: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                           "joints: {z: {type: prismatic, axis: z, from: ground, to: ball}}\n"
                           "surfaces:\n"
                           "  floor: {type: plane, body: ground}\n"
                           "  skin: {type: sphere, body: ball, radius: 0.1}\n";


// free fall, impact by its closed form, and free flight again, five times
TEST(a_ball_on_a_linear_contact_bounces_as_its_closed_form_says)
{
  const artModel *m = keep_text_of("%sforces:\n"
                                   "  touch: {type: contact, between: [floor, skin], stiffness: "
                                   "20000, damping: 20}\n"
                                   "initial: {z: {slide: 0.6}}\n",
                                   BALL);
  double t = sqrt(2 * 0.5 / G), v = G * t;
  for (int i = 0; i < 5; i++) {
    const impact x = {2, 20000, 20, v};
    const double length = end_of_impact(&x);
    double rate;
    const double depth = depth_in_impact(&x, length, &rate);
    t += length;

    // d(s) = depth + rate s + g s^2/2 is 0 on the way up and down
    const double root = sqrt(rate * rate - 2 * G * depth);
    t += (-rate + root) / G;
    v = root;
  }
  static const artIntegrator integrators[] = {ART_DOPRI5, ART_BDF, ART_ADAMS};
  for (int i = 0; i < 3; i++) {
    artRunDef study = accurate(t);
    study.integrator = integrators[i];
    const artData *d = data_at(m, &study, t);
    const double tolerance = i == 0 ? 1e-9 : 1e-7;
    CHECK_CLOSE(d->q[0], 0.1, tolerance);
    CHECK_CLOSE(d->v[0], -v, 10 * tolerance);
  }
}


// ln((1 + x)/(1 - e x)) = (1 + e) x with x = c v
TEST(restitution_by_hunt_and_crossley_is_that_of_its_speed)
{
  const artModel *m = keep_text_of("%sgravity: [0, 0, 0]\n"
                                   "forces:\n"
                                   "  touch: {type: contact, between: [skin, floor], law: %s, "
                                   "stiffness: 1e6, restitution: 0.6, speed: 3}\n"
                                   "initial: {z: {slide: 0.2, rate: -3}}\n"
                                   "outputs: {stored: touch.stored, gap: touch.gap}\n",
                                   BALL, "hertz");
  const artRunDef study = accurate(0.2);
  const artData *d = data_at(m, &study, 0.2);
  CHECK_CLOSE(d->v[0], 0.6 * 3, 1e-8);
}


// A fast ball does not pass the floor within a step: it comes back with the speed of its restitution.
TEST(fast_balls_do_not_pass_through_a_plane)
{
  for (double speed = 1; speed < 2e4; speed *= 10) {
    const artModel *m = keep_text_of("%sgravity: [0, 0, 0]\n"
                                     "forces:\n"
                                     "  touch: {type: contact, between: [skin, floor], law: "
                                     "hunt-crossley, exponent: 1, stiffness: 1e9}\n"
                                     "initial: {z: {slide: 1000, rate: %g}}\n",
                                     BALL, -speed);
    artRunDef study = accurate(1e4);
    const artData *d = data_at(m, &study, 2000 / speed);
    CHECK_CLOSE(d->v[0] / speed, 1, 1e-7);
  }
}


// F = 4/3 E* sqrt(R) d^(3/2): sphere on plane, and on a sphere of the same material
TEST(hertz_contacts_have_the_stiffness_of_their_material)
{
  artModel *m =
      keep_text_of("%s  other: {type: sphere, body: ground, radius: 0.05, position: [0, 0, 1]}\n"
                   "forces:\n"
                   "  one: {type: contact, between: [skin, floor], law: hertz, young: 210 "
                   "GPa, poisson: 0.28}\n"
                   "  two: {type: contact, between: [skin, other], law: hertz, young: 210 "
                   "GPa, poisson: 0.28}\n"
                   "outputs: {one: one.fz, two: two.fz}\n",
                   BALL);
  const double E = 210e9 / (2 * (1 - 0.28 * 0.28)), d = 2e-5;
  const double height[2] = {0.1 - d, 0.85 + d}, radius[2] = {0.1, 0.1 * 0.05 / 0.15};
  artData *data = keep_fresh_data(m);
  for (int i = 0; i < 2; i++) {
    data->q[0] = height[i];
    art_update(m, data);
    CHECK_WORKS(art_accelerate(m, data, ART_AUTOMATIC, &check_error));
    const double want = 4.0 / 3 * E * sqrt(radius[i]) * pow(d, 1.5);
    const double got = output_named(m, data, i ? "two" : "one");

    // on the first surface acts the opposite
    CHECK_CLOSE(got / (i ? want : -want), 1, 1e-9);
  }
}


//---- friction ------------------------------------------------------------------------------------

static artModel *block(double mu)
{
  artModel *m = keep_machine("contact/block-on-slope");
  CHECK_WORKS(art_set_parameter(m, "mu", mu, &check_error));
  return m;
}


// Below the limit it stands still: what moves from 10 s to 1000 s, or to 20 s on its eight corners, is rounding.
static artData *hold_still(const artModel *m, int n, double until, artIntegrator integrator)
{
  artRunDef study = accurate(until);
  study.tolerance = 1e-9;
  study.integrator = integrator;
  if (integrator == ART_RK4) study.step = 5e-3;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  double before[7] = {0};
  const size_t size = (size_t) n * sizeof *before;
  CHECK_WORKS(art_run_to(run, 10, &check_error));
  memcpy(before, d->q, size);
  CHECK_WORKS(art_run_to(run, until, &check_error));
  CHECK_NEAR(d->q, before, n, 1e-12);
  check_verdict(run);
  return d;
}


TEST(a_block_on_a_slope_holds_without_creep)
{
  const artModel *m = block(0.4);
  artData *d = hold_still(m, 3, 20, ART_INTEGRATOR_AUTOMATIC);
  const double angle = 20 * PI / 180;
  CHECK_CLOSE(output_named(m, d, "load"), 2 * G * cos(angle), 1e-8);
  CHECK_CLOSE(output_named(m, d, "drag"), 2 * G * sin(angle), 1e-4);
}


// 0.35 is just below the friction of 0.36
TEST(a_block_holds_without_creep_for_1000_seconds)
{
  const artModel *m =
      keep_text_of("articula: 1\n"
                   "gravity: [%.17g, 0, %.17g]\n"
                   "bodies: {block: {mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
                   "joints: {flat: {type: planar, axis: y, from: ground, to: block}}\n"
                   "surfaces:\n"
                   "  floor: {type: plane, body: ground}\n"
                   "  left: {type: point, body: block, position: [-0.1, 0, -0.02]}\n"
                   "  right: {type: point, body: block, position: [0.1, 0, -0.02]}\n"
                   "forces:\n"
                   "  l: {type: contact, between: [floor, left], stiffness: 2000, damping: 60, "
                   "friction: 0.36, retardation: 10 ms}\n"
                   "  r: {type: contact, between: [floor, right], stiffness: 2000, damping: 60, "
                   "friction: 0.36, retardation: 10 ms}\n",
                   G * sin(atan(0.35)), -G * cos(atan(0.35)));
  static const artIntegrator integrators[] = {ART_INTEGRATOR_AUTOMATIC, ART_DOPRI5, ART_BDF,
                                              ART_ADAMS, ART_RK4};
  for (int i = 0; i < 5; i++) (void) hold_still(m, 3, 1000, integrators[i]);
}


// At rest bdf takes long steps: differences for its matrices are larger than rounding of the forces, which cancel.
TEST(bdf_takes_long_steps_over_a_box_at_rest)
{
  const artModel *m =
      keep_text_of("articula: 1\n"
                   "bodies: {box: {mass: 2, inertia: [0.0083, 0.0083, 0.0133]}}\n"
                   "joints: {fly: {type: free, from: ground, to: box}}\n"
                   "surfaces:\n"
                   "  floor: {type: plane, body: ground}\n"
                   "  sides: {type: box, body: box, size: [0.2, 0.2, 0.1]}\n"
                   "forces:\n"
                   "  rest: {type: contact, between: [floor, sides], stiffness: 1e5, "
                   "damping: 200, friction: 0.5}\n"
                   "initial: {fly: {z: 0.05}}\n"
                   "outputs: {normal: \"= 'rest/1'.normal\"}\n");
  artRunDef study = accurate(1000);
  study.tolerance = 1e-9;
  study.integrator = ART_BDF;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 1000, &check_error));
  CHECK(art_certify(run).steps < 1000);
  CHECK_CLOSE(output_named(m, d, "normal"), 2 * G / 4, 1e-8);
  check_verdict(run);
}


TEST(a_block_above_the_limit_slides_by_the_rest_of_its_weight)
{
  const artModel *m = block(0.3);
  const artRunDef study = accurate(4);
  const double angle = 20 * PI / 180;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 2, &check_error));
  const int vx = art_find_velocity(m, "x.rate");
  const double v = d->v[vx];
  CHECK_WORKS(art_run_to(run, 4, &check_error));
  CHECK_CLOSE((d->v[vx] - v) / 2, G * (sin(angle) - 0.3 * cos(angle)), 1e-8);
}


static const char THROWN[] = "articula: 1\n"
                             "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004]}}\n"
                             "joints: {fly: {type: free, from: ground, to: ball}}\n"
                             "surfaces:\n"
                             "  floor: {type: plane, body: ground}\n"
                             "  skin: {type: sphere, body: ball, radius: 0.1}\n"
                             "forces:\n"
                             "  touch: {type: contact, between: [skin, floor], stiffness: 1e7, "
                             "damping: 3000, friction: 0.3}\n"
                             "initial: {fly: {x: 0, z: 0.099999019, vx: 2}}\n";


// solid ball: slides until 2 v/(7 mu g), rolls with 5/7 v; the contact is as deep as 1e-6 m
TEST(a_ball_thrown_without_spin_slides_and_then_rolls)
{
  const artModel *m = keep_text(THROWN);
  const artRunDef study = accurate(1);
  const double slides = 2 * 2 / (7 * 0.3 * G), before = 0.9 * slides;
  artData *d = data_at(m, &study, before);
  const int vx = art_find_velocity(m, "fly.vx"), wy = art_find_velocity(m, "fly.wy");
  CHECK_CLOSE(d->v[vx], 2 - 0.3 * G * before, 1e-5);
  CHECK_CLOSE(d->v[wy], 0.3 * G * before * 0.1 / 0.004, 1e-3);
  d = data_at(m, &study, 1);
  CHECK_CLOSE(d->v[vx], 5.0 / 7 * 2, 1e-4);
  CHECK_CLOSE(0.1 * d->v[wy], 5.0 / 7 * 2, 1e-4);
}


//---- all methods ---------------------------------------------------------------------------------

// a ball with spin falls on the floor, bounces and rolls
TEST(all_methods_bounce_a_spinning_ball_alike)
{
  const artModel *m = keep_text("articula: 1\n"
                                "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004]}}\n"
                                "joints: {fly: {type: free, from: ground, to: ball}}\n"
                                "surfaces:\n"
                                "  floor: {type: plane, body: ground}\n"
                                "  skin: {type: sphere, body: ball, radius: 0.1}\n"
                                "forces:\n"
                                "  touch: {type: contact, between: [floor, skin], stiffness: 1e4, "
                                "damping: 10, friction: 0.3, "
                                "retardation: 5 ms}\n"
                                "initial: {fly: {z: 0.2, vx: 1, wy: -20}}\n");
  static const struct {
    int method;
    double step, tolerance;
  } ways[] = {{ART_SEMIRECURSIVE, 0, 1e-7}, {ART_RECURSIVE, 0, 1e-7}, {ART_AUGMENTED, 0, 1e-7},
              {MODEL_GENERATED, 0, 1e-7},   {ART_INDEX1, 1e-4, 1e-4}, {ART_INDEX3, 1e-4, 1e-4},
              {ART_CONSERVING, 1e-4, 1e-4}};
  const artData *first = NULL;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    artRunDef study = accurate(0.5);
    model_set_way(&study, ways[i].method);
    study.step = ways[i].step;
    const artData *d = data_at(m, &study, 0.5);
    if (!first) first = d;
    if (!CHECK_NEAR(d->q, first->q, 7, ways[i].tolerance)) {
      printf("  %s\n", model_way_name(ways[i].method));
    }
  }
}


//---- geometry ------------------------------------------------------------------------------------

// Two free bodies meet without gravity: their momentum stays, the gap follows its rate, and energy goes only where the
// contact says.
static void meet(const char *first, const char *second)
{
  const artModel *m = keep_text_of(
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [0.01, 0.012, 0.014]}\n"
      "  b: {mass: 0.5, inertia: [0.004, 0.005, 0.006], frames: {down: {orientation: {axis: x, "
      "angle: "
      "180 deg}}}}\n"
      "joints:\n"
      "  fa: {type: free, from: ground, to: a}\n"
      "  fb: {type: free, from: ground, to: b}\n"
      "surfaces:\n"
      "  first: {body: a, %s}\n"
      "  second: {body: b.down, %s}\n"
      "states: {lost: {rate: = touch.loss}, apart: {rate: = touch.rate}}\n"
      "forces:\n"
      "  touch: {type: contact, between: [first, second], law: hunt-crossley, stiffness: 1e5, "
      "damping: 0.1, friction: 0.5, tangential_stiffness: 1e4}\n"
      "initial:\n"
      "  fa: {wx: 1, wy: 2, wz: -1}\n"
      "  fb: {x: 0.06, y: 0.05, z: 0.4, vx: -0.2, vz: -2, wx: 3, wy: -1, wz: 2}\n"
      "outputs:\n"
      "  gap: touch.gap\n"
      "  energy: energy.total + touch.stored + lost\n"
      "  px: momentum.x\n  py: momentum.y\n  pz: momentum.z\n"
      "  lx: momentum.lx\n  ly: momentum.ly\n  lz: momentum.lz\n"
      "  apart: apart\n  work: energy.work\n",
      first, second);
  artRunDef study = accurate(0.4);
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  double start[10], now[10], least = 1;
  art_outputs(m, d, start);
  for (int i = 1; i <= 400; i++) {
    CHECK_WORKS(art_run_to(run, 1e-3 * i, &check_error));
    art_outputs(m, d, now);
    least = fmin(least, now[0]);
  }
  if (!CHECK(least < -1e-4)) printf("  %s, %s: least gap %g\n", first, second, least);
  CHECK_NEAR(&now[2], &start[2], 6, 1e-9);
  CHECK_CLOSE(now[0] - start[0], now[8], 1e-7);
  if (!CHECK_CLOSE(now[1], start[1], 1e-7)) printf("  %s, %s\n", first, second);
}


TEST(bodies_that_touch_keep_momentum_and_energy)
{
  meet("type: sphere, radius: 0.1", "type: sphere, radius: 0.1");
  meet("type: sphere, radius: 0.1", "type: capsule, radius: 0.05, length: 0.2");
  meet("type: capsule, radius: 0.06, length: 0.1", "type: capsule, radius: 0.05, length: 0.2");
  meet("type: box, size: [0.3, 0.4, 0.2]", "type: sphere, radius: 0.05");
  meet("type: point", "type: box, size: [0.3, 0.4, 0.2]");
  meet("type: plane", "type: sphere, radius: 0.05");
  meet("type: plane", "type: ellipsoid, size: [0.2, 0.1, 0.15]");
  meet("type: plane", "type: torus, radius: 0.1, tube: 0.03");
  meet("type: torus, radius: 0.08, tube: 0.05", "type: sphere, radius: 0.06");
  meet("type: cylinder, radius: 0.1, length: 0.2", "type: sphere, radius: 0.05");
  meet("type: cone, radius: 0.2, length: 0.2", "type: sphere, radius: 0.05");
  meet("type: sphere, radius: 0.1, position: [0, 0, -0.05]", "type: plane, position: [0, 0, 0.1]");
}


//---- limits of the geometry ----------------------------------------------------------------------

// A run that comes to the middle of a surface ends, whatever the method and however short the contact was; one that turns back
// before it does not.
TEST(surfaces_do_not_pass_through_each_other_without_a_word)
{
  static const char *const plates[] = {"type: box, size: [1, 1, 0.002]",
                                       "type: sphere, radius: 0.01",
                                       "type: box, size: [1, 1, 0.002], position: [0.3, 0.2, 0]"};
  static const struct {
    int method;
    artIntegrator integrator;
    double step;
  } ways[] = {{ART_AUTOMATIC, ART_DOPRI5, 0}, {ART_AUTOMATIC, ART_BDF, 0},
              {ART_AUTOMATIC, ART_ADAMS, 0},  {ART_AUTOMATIC, ART_RK4, 1e-6},
              {ART_INDEX3, ART_DOPRI5, 1e-6}, {MODEL_GENERATED, ART_DOPRI5, 0}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 12; k++) {
      const int is_soft = k % 2, way = k / 2;
      const artModel *m =
          keep_text_of("articula: 1\n"
                       "gravity: [0, 0, 0]\n"
                       "bodies: {ball: {mass: 0.01, inertia: [1e-7, 1e-7, 1e-7]}}\n"
                       "joints: {z: {type: prismatic, axis: z, from: ground, to: ball}}\n"
                       "surfaces:\n"
                       "  plate: {%s, body: ground}\n"
                       "  skin: {type: sphere, body: ball, radius: 0.005}\n"
                       "forces: {touch: {type: contact, between: [plate, skin], "
                       "stiffness: %s}}\n"
                       "initial: {z: {slide: 0.1, rate: -300}}\n",
                       plates[i], is_soft ? "1e5" : "1e9");
      artRunDef study = accurate(1e-3);
      study.integrator = ways[way].integrator;
      study.step = ways[way].step;
      model_set_way(&study, ways[way].method);
      artData *d = keep_fresh_data(m);
      artRun *run = keep_started_run(m, d, &study);
      const artStatus status = art_run_to(run, 1e-3, &check_error);
      if (is_soft) {
        CHECK_EQ_INT(status, ART_SINGULAR);
        CHECK(strstr(check_error.text, "contact 'touch' come to the middle") != NULL);
      } else {
        CHECK_EQ_INT(status, ART_OK);
        CHECK(fabs(d->v[0] / 300 - 1) < (ways[way].step > 0 ? 0.1 : 1e-6));
      }
    }
  }
}


TEST(surfaces_that_overlap_at_the_start_are_reported)
{
  const artModel *m =
      keep_text_of("%s  other: {type: sphere, body: ground, radius: 0.05, position: [0, 0, 0.2]}\n"
                   "forces:\n"
                   "  shallow: {type: contact, between: [floor, skin], stiffness: 1e4}\n"
                   "  deep: {type: contact, between: [other, skin], stiffness: 1e4}\n"
                   "initial: {z: {slide: 0.08}}\n",
                   BALL);
  const artRunDef study = accurate(1e-3);
  artRun *run = keep_started_run(m, keep_fresh_data(m), &study);
  const artCertificate c = art_certify(run);
  CHECK_EQ_INT(c.overlaps, 2);
  CHECK_CLOSE(c.overlap, 0.03, 1e-12);
  CHECK(strcmp(c.overlap_contact, "deep") == 0);
}


// Bristles of two balls that turn together turn with them: a constant push between them is held without creep, and rolls on in
// the axes of the bodies.
TEST(bristles_turn_with_the_bodies)
{
  const artModel *m =
      keep_text("articula: 1\n"
                "gravity: [0, 0, 0]\n"
                "bodies: {a: {mass: 1, inertia: [0.01, 0.01, 0.01]}, b: {mass: 1, "
                "inertia: [0.01, 0.01, 0.01]}}\n"
                "joints:\n"
                "  turn: {type: revolute, axis: z, from: ground, to: a}\n"
                "  push: {type: prismatic, axis: x, from: a, to: b}\n"
                "surfaces:\n"
                "  first: {type: sphere, body: a, radius: 0.1}\n"
                "  second: {type: sphere, body: b, radius: 0.1, position: [0, 0, 0.199]}\n"
                "forces:\n"
                "  touch: {type: contact, between: [first, second], stiffness: 1e5, "
                "friction: 0.5, tangential_stiffness: 1e5}\n"
                "  load: {type: joint-force, coordinate: push, value: 20}\n"
                "initial: {turn: {rate: 1}}\n"
                "outputs: {pull: touch.pull, fx: touch.fx}\n");
  const artRunDef study = accurate(20);
  artData *d = data_at(m, &study, 20);
  const double x = d->q[1], rate = d->v[0], span = hypot(x, 0.199);

  // the load, the centripetal force, and the normal force along x
  const double along = 20 + rate * rate * x + 1e5 * (0.2 - span) * x / span;
  CHECK_CLOSE(output_named(m, d, "pull"), along * span / 0.199, 1e-9);
  CHECK(fabs(d->v[1]) < 1e-9);
}


// A cylinder that falls with a tilt comes to rest on its end; upright and as a wheel its rim is where it should be.
TEST(cylinders_stand_on_their_ends_and_roll_on_their_rims)
{
  const char *text = "articula: 1\n"
                     "bodies: {can: {mass: 1, inertia: [0.003, 0.003, 0.005]}}\n"
                     "joints: {fly: {type: free, from: ground, to: can}}\n"
                     "surfaces:\n"
                     "  floor: {type: plane, body: ground}\n"
                     "  ends: {type: cylinder, body: can, radius: 0.1, length: 0.1}\n"
                     "forces: {touch: {type: contact, between: [floor, ends], stiffness: 1e5, "
                     "damping: 100, friction: 0.3}}\n"
                     "initial: {fly: {z: 0.07, wx: 1}}\n"
                     "outputs: {gap: \"= 'touch/1'.gap\"}\n";
  const artModel *m = keep_text(text);
  const artRunDef study = accurate(2);
  artData *d = data_at(m, &study, 2);
  CHECK_CLOSE(d->q[2], 0.05 - G / 1e5, 1e-8);
  CHECK(fabs(d->v[3]) < 1e-6 && fabs(d->v[4]) < 1e-6);

  // turned by 90 degrees about x
  const double wheel[7] = {0, 0, 0.25, sqrt(0.5), sqrt(0.5), 0, 0};
  memcpy(d->q, wheel, sizeof wheel);
  art_update(m, d);
  CHECK_CLOSE(output_named(m, d, "gap"), 0.15, 1e-7);
}
