// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts: impacts, friction that holds and slides, rest after ever shorter bounces, several contacts at once, against
// closed forms and the references of reference.md; by all methods that take them, through checkpoints, and with bad input.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81;


static artRunDef accurate(double until)
{
  artRunDef study = art_default_run();
  study.until = until;
  study.tolerance = 1e-11;
  return study;
}


// data at t, with a verdict that is good
static artData *data_at(const artModel *m, const artRunDef *study, double t)
{
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK)) puts(check_error.text);
  const artCertificate c = art_certify(run);
  const artJudgement judgement = art_judge(&c, NULL);
  if (!CHECK_EQ_INT(judgement.verdict, ART_VERDICT_GOOD)) puts(judgement.reason[0]);
  return d;
}


//---- one ball ------------------------------------------------------------------------------------

static const char BALL[] =
    "articula: 1\n"
    "parameters: {e: 0.5}\n"
    "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004]}}\n"
    "joints: {loose: {type: free, from: ground, to: ball}}\n"
    "surfaces:\n"
    "  floor: {type: plane, body: ground}\n"
    "  skin: {type: sphere, body: ball, radius: 0.1}\n"
    "outputs: {z: loose.z, vz: loose.vz, vx: loose.vx, wy: loose.wy, state: touch.state,\n"
    "          normal: touch.normal, friction: touch.friction}\n";


// height and rate of a ball that falls by `drop` and bounces with e, at t
static double height_of_bounces(double drop, double e, double t, double *rate)
{
  double since = sqrt(2 * drop / G), v = G * since;
  if (t < since) {
    *rate = -G * t;
    return drop - 0.5 * G * t * t;
  }
  for (int i = 0; i < 2000; i++) {
    v *= e;
    const double flight = 2 * v / G, s = t - since;
    if (s < flight) {
      *rate = v - G * s;
      return v * s - 0.5 * G * s * s;
    }
    since += flight;
  }
  return *rate = 0;
}


TEST(a_ball_bounces_at_the_instants_of_its_closed_form_and_comes_to_rest)
{
  static const double restitution[] = {0.5, 0.9, 0};
  static const artMethod method[] = {ART_ORDER_N, ART_MASS_MATRIX, ART_AUTOMATIC};
  for (int k = 0; k < 3; k++) {
    const artModel *m = keep_text_of("%sforces:\n"
                                     "  touch: {type: rigid-contact, between: [floor, skin], "
                                     "restitution: %g, friction: 0.2}\n"
                                     "initial: {loose: {z: 1}}\n",
                                     BALL, restitution[k]);
    const double e = restitution[k], first = sqrt(1.8 / G), rest = first * (1 + e) / (1 - e);
    artRunDef study = accurate(rest + 0.5);
    study.method = method[k];
    for (int i = 1; i <= 20; i++) {
      double rate;
      const double t = rest * i / 22, height = height_of_bounces(0.9, e, t, &rate);
      artData *d = data_at(m, &study, t);
      CHECK_CLOSE(output_named(m, d, "z"), 0.1 + height, 1e-11);
      CHECK_CLOSE(output_named(m, d, "vz"), rate, 1e-10);
    }
    artData *d = data_at(m, &study, rest + 0.5);
    CHECK_CLOSE(output_named(m, d, "z"), 0.1, 1e-15);
    CHECK_CLOSE(output_named(m, d, "normal"), G, 1e-12);
    CHECK_CLOSE(output_named(m, d, "state"), 2, 0);
  }
}


// Capobianco and others 2021: friction in the impact, which slides or holds, and after it
TEST(spin_becomes_speed_in_an_impact_with_friction)
{
  const artModel *m =
      keep_text_of("%sforces: {touch: {type: rigid-contact, between: [floor, skin], "
                   "friction: 0.2}}\ninitial: {loose: {z: 1, wy: 50}}\n",
                   BALL);
  artRunDef study = accurate(1);
  const double impact = sqrt(1.8 / G), slides = 0.299767057;
  artData *d = data_at(m, &study, impact + 1e-6);
  CHECK_CLOSE(output_named(m, d, "vx"), 0.840428462 + 0.2 * G * 1e-6, 1e-9);
  CHECK_CLOSE(output_named(m, d, "wy"), 28.989288446 - 49.05 * 1e-6, 1e-8);
  d = data_at(m, &study, impact + slides - 1e-6);
  CHECK_CLOSE(output_named(m, d, "state"), 1, 0);
  CHECK_CLOSE(output_named(m, d, "friction"), 0.2 * G, 1e-11);
  d = data_at(m, &study, impact + slides + 1e-6);
  CHECK_CLOSE(output_named(m, d, "state"), 2, 0);
  CHECK_CLOSE(output_named(m, d, "vx"), 10.0 / 7, 1e-10);
  const artModel *slow = keep_text_of("%sforces: {touch: {type: rigid-contact, between: [floor, "
                                      "skin], friction: 0.2}}\ninitial: {loose: {z: 1, wy: 10}}\n",
                                      BALL);
  d = data_at(slow, &study, impact + 1e-6);
  CHECK_CLOSE(output_named(slow, d, "vx"), 2.0 / 7, 1e-10);
  CHECK_CLOSE(output_named(slow, d, "state"), 2, 0);
}


// 2 v0/(7 mu g), and with back spin
TEST(a_thrown_ball_slides_and_then_rolls)
{
  const artModel *m =
      keep_text_of("%sforces: {touch: {type: rigid-contact, between: [floor, skin], "
                   "friction: 0.3}}\ninitial: {loose: {z: 0.1, vx: 2}}\n",
                   BALL);
  artRunDef study = accurate(2);
  const double t = 4 / (7 * 0.3 * G);
  artData *d = data_at(m, &study, t - 1e-9);
  CHECK_CLOSE(output_named(m, d, "state"), 1, 0);
  d = data_at(m, &study, t + 1e-9);
  CHECK_CLOSE(output_named(m, d, "state"), 2, 0);
  d = data_at(m, &study, 2);
  CHECK_CLOSE(output_named(m, d, "vx"), 10.0 / 7, 1e-12);
  CHECK_CLOSE(output_named(m, d, "wy"), 100.0 / 7, 1e-11);
}


// On a sphere of ground, without friction: N = m (g cos(theta) - v^2/L) with v^2 = v0^2 + 2 g L (1 - cos(theta)), until that is zero
TEST(a_ball_leaves_a_sphere_where_its_force_is_zero)
{
  const artModel *m = keep_text("articula: 1\n"
                                "bodies: {ball: {mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
                                "joints: {loose: {type: free, from: ground, to: ball}}\n"
                                "surfaces:\n"
                                "  hill: {type: sphere, body: ground, radius: 0.9}\n"
                                "  skin: {type: sphere, body: ball, radius: 0.1}\n"
                                "forces: {touch: {type: rigid-contact, between: [hill, skin]}}\n"
                                "initial: {loose: {z: 1, vx: 0.5}}\n"
                                "outputs: {x: loose.x, z: loose.z, state: touch.state, "
                                "normal: touch.normal}\n");
  artRunDef study = accurate(1);
  const double v0 = 0.5, leaves = 2.0 / 3 + v0 * v0 / (3 * G);
  for (int i = 0; i < 60; i++) {
    artData *d = data_at(m, &study, 0.01 * i);
    const double c = output_named(m, d, "z"), x = output_named(m, d, "x");
    const double away = hypot(x, c) - 1;
    CHECK(c > leaves ? fabs(away) < 1e-14 : away > 0);
    CHECK_CLOSE(output_named(m, d, "state"), c > leaves, 0);
    const double force = 2 * (G * c - v0 * v0 - 2 * G * (1 - c));
    CHECK_CLOSE(output_named(m, d, "normal"), c > leaves ? force : 0, 1e-8);
  }
}


// lengths of a thousandth of a millimetre, with turns as fast as ever
TEST(small_balls_bounce_like_large_ones)
{
  const double size = 1e-6, e = 0.5;
  const artModel *m = keep_text_of(
      "articula: 1\ngravity: [0, 0, %.17g]\n"
      "bodies: {ball: {mass: 1, inertia: [%.17g, %.17g, %.17g]}}\n"
      "joints: {loose: {type: free, from: ground, to: ball}}\n"
      "surfaces:\n"
      "  floor: {type: plane, body: ground}\n"
      "  skin: {type: sphere, body: ball, radius: %.17g}\n"
      "forces: {touch: {type: rigid-contact, between: [floor, skin], restitution: %g}}\n"
      "initial: {loose: {z: %.17g, wy: 50}}\n"
      "outputs: {z: loose.z}\n",
      -G * size, 0.004 * size * size, 0.004 * size * size, 0.004 * size * size, 0.1 * size, e,
      size);
  const double rest = sqrt(1.8 / G) * (1 + e) / (1 - e);
  const artRunDef study = accurate(rest + 0.5);
  for (int i = 1; i <= 40; i++) {
    double rate;
    const double t = rest * (1 - pow(0.7, i)), height = height_of_bounces(0.9, e, t, &rate);
    CHECK_CLOSE(output_named(m, data_at(m, &study, t), "z") / size, 0.1 + height, 1e-10);
  }
}


//---- several contacts ----------------------------------------------------------------------------

static const char BLOCK[] =
    "articula: 1\n"
    "parameters: {mu: 0.4}\n"
    "ground: {frames: {slope: {orientation: {axis: y, angle: 20 deg}}}}\n"
    "bodies: {block: {mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
    "joints: {loose: {type: free, from: ground.slope, to: block}}\n"
    "surfaces:\n"
    "  floor: {type: plane, body: ground.slope}\n"
    "  sides: {type: box, body: block, size: [0.2, 0.2, 0.1]}\n"
    "forces: {rest: {type: rigid-contact, between: [floor, sides], friction: = mu}}\n"
    "initial: {loose: {z: 0.05}}\n"
    "outputs: {x: loose.x, vx: loose.vx, all: \"= 'rest/1'.normal + 'rest/2'.normal + "
    "'rest/3'.normal + 'rest/4'.normal\"}\n";


// its four feet share more rows than the block has freedoms
TEST(a_block_on_a_slope_holds_or_slides)
{
  artModel *m = keep_text_of("%s", BLOCK);
  artRunDef study = accurate(1000);
  study.tolerance = 1e-8;
  const double s = sin(20 * 3.14159265358979323846 / 180), c = sqrt(1 - s * s);
  artData *d = data_at(m, &study, 1000);
  CHECK_CLOSE(output_named(m, d, "x"), 0, 1e-10);
  CHECK_CLOSE(output_named(m, d, "vx"), 0, 1e-14);
  CHECK_CLOSE(output_named(m, d, "all"), 2 * G * c, 1e-11);
  CHECK_WORKS(art_set_parameter(m, "mu", 0.3, &check_error));
  d = data_at(m, &study, 1);
  CHECK_CLOSE(output_named(m, d, "x"), 0.5 * G * (s - 0.3 * c), 1e-12);
  CHECK_CLOSE(output_named(m, d, "vx"), G * (s - 0.3 * c), 1e-12);
}


static const char LINE[] = "articula: 1\n"
                           "gravity: [0, 0, 0]\n"
                           "bodies:\n"
                           "  a: {mass: 1, inertia: [1, 1, 1]}\n"
                           "  b: {mass: 2, inertia: [1, 1, 1]}\n"
                           "joints:\n"
                           "  ja: {type: prismatic, axis: x, from: ground, to: a}\n"
                           "  jb: {type: prismatic, axis: x, from: ground, to: b}\n"
                           "surfaces:\n"
                           "  sa: {type: sphere, body: a, radius: 0.1}\n"
                           "  sb: {type: sphere, body: b, radius: 0.2}\n"
                           "initial: {ja: {slide: -1, rate: 2}, jb: {slide: 0, rate: -1}}\n"
                           "outputs: {va: ja.rate, vb: jb.rate}\n";


// v1 = v - (1 + e) mb/(ma + mb) u, and so on
TEST(two_balls_exchange_velocities)
{
  for (int k = 0; k <= 4; k++) {
    const double e = 0.25 * k;
    const artModel *m = keep_text_of(
        "%sforces: {ab: {type: rigid-contact, between: [sa, sb], restitution: %g}}\n", LINE, e);
    const artRunDef study = accurate(1);
    artData *d = data_at(m, &study, 1);
    CHECK_CLOSE(output_named(m, d, "va"), 2 - (1 + e) * 3 * 2.0 / 3, 1e-13);
    CHECK_CLOSE(output_named(m, d, "vb"), -1 + (1 + e) * 3 * 1.0 / 3, 1e-13);
  }
}


// Housner: the rate after an impact of the other edge is 1 - 3/2 sin^2(alpha) of that before
TEST(a_block_rocks_from_edge_to_edge)
{
  artModel *m = keep_machine("contact/rigid/rocking-block");
  artRunDef study = accurate(1);
  const double t = 0.312308575, ratio = 1 - 1.5 / 17;
  const double before = output_named(m, data_at(m, &study, t - 1e-8), "rate");
  const double after = output_named(m, data_at(m, &study, t + 1e-8), "rate");
  CHECK_CLOSE(after / before, ratio, 1e-7);
}


// While the edge holds the box turns about it with  I w^2/2 = m g (h(0) - h(tilt)),  h = a cos(tilt) - over sin(tilt);  what follows
// does not depend on how the square box is turned about the vertical, although its points of contact do, and fixed steps come to it.
TEST(a_box_tips_over_the_edge_of_a_box)
{
  artModel *m = keep_machine("contact/rigid/tipping-box");
  const artRunDef study = accurate(0.6);
  artData *d = data_at(m, &study, 0.15);
  const double over = 0.03, inertia = 0.0067 + 0.1 * 0.1 + over * over;
  const double tilt = output_named(m, d, "tilt"), fall = 0.1 * (1 - cos(tilt)) + over * sin(tilt);
  CHECK_CLOSE(output_named(m, d, "rate"), sqrt(2 * G * fall / inertia), 1e-8);
  const double x = output_named(m, data_at(m, &study, 0.6), "x");
  CHECK_WORKS(art_set_parameter(m, "yaw", 0.35, &check_error));
  CHECK_CLOSE(output_named(m, data_at(m, &study, 0.6), "x"), x, 1e-7);
  artRunDef steps = study;
  steps.integrator = ART_MOREAU;
  steps.step = 1e-4;
  CHECK_CLOSE(output_named(m, data_at(m, &steps, 0.6), "x"), x, 1e-4);
}


// Flores, Leine and Glocker 2010, without friction: the references are of methods that share nothing with this one
TEST(a_slider_with_clearance_hits_its_guide)
{
  artModel *m = keep_machine("contact/rigid/slider-with-clearance");
  artRunDef study = accurate(0.1);
  artData *d = data_at(m, &study, 0.0024);
  CHECK_CLOSE(output_named(m, d, "turns"), 0.0513492622, 1e-10);
  CHECK_CLOSE(output_named(m, d, "rod"), -0.1566677284, 1e-10);
  CHECK_CLOSE(output_named(m, d, "crank_rate"), 113.87765452, 1e-6);
  CHECK_CLOSE(output_named(m, d, "rod_rate"), -52.18951013, 1e-6);
  d = data_at(m, &study, 0.002692503 - 1e-9);
  CHECK_CLOSE(output_named(m, d, "rod_rate"), -49.330790, 1e-4);
  d = data_at(m, &study, 0.002692503 + 2e-9);
  CHECK_CLOSE(output_named(m, d, "crank_rate"), 108.793729, 1e-4);
  CHECK_CLOSE(output_named(m, d, "rod_rate"), -52.875188, 1e-4);
  d = data_at(m, &study, 0.012);
  CHECK_CLOSE(output_named(m, d, "top"), 2, 0); // both upper corners slide
  CHECK_CLOSE(output_named(m, data_at(m, &study, 0.02), "turns"), 0.256959909, 1e-9);
  CHECK_CLOSE(output_named(m, data_at(m, &study, 0.1), "turns"), 1.439430454, 1e-9);
}


//---- runs ----------------------------------------------------------------------------------------

// all methods of loops, and other integrators
TEST(methods_agree_on_a_machine_with_loops)
{
  static const artMethod method[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  double last[3];
  artModel *m = keep_machine("contact/rigid/slider-with-clearance");
  artModel *loop = keep_machine("contact/rigid/cam-and-follower");
  for (int k = 0; k < 3; k++) {
    artRunDef study = accurate(1);
    study.method = method[k];
    last[k] = output_named(loop, data_at(loop, &study, 1), "height");
  }
  CHECK_CLOSE(last[1], last[0], 1e-9);
  CHECK_CLOSE(last[2], last[0], 1e-7);
  // multistep methods keep their history, and close gaps now and then
  artRunDef multistep = accurate(0.02);
  multistep.integrator = ART_ADAMS;
  CHECK_CLOSE(output_named(m, data_at(m, &multistep, 0.02), "turns"), 0.256959909, 1e-8);
  artRunDef study = accurate(0.02);
  study.integrator = ART_BDF;
  CHECK_CLOSE(output_named(m, data_at(m, &study, 0.02), "turns"), 0.256959909, 1e-7);
}


// A box that two fingers lift and hold is seized in more rows than it has freedoms, and does not creep.
TEST(a_gripper_holds_a_box_for_a_minute)
{
  artModel *m = keep_machine("contact/rigid/gripper");
  artRunDef study = accurate(60);
  study.tolerance = 1e-8;
  const artData *then = data_at(m, &study, 3), *now = data_at(m, &study, 60);
  for (int k = 0; k < 3; k++) CHECK_CLOSE(now->q[k + 3], then->q[k + 3], 1e-11);
  artData *d = data_at(m, &study, 60);
  CHECK_CLOSE(output_named(m, d, "z"), 0.35, 1e-11);
  CHECK_CLOSE(output_named(m, d, "on_left"), 20, 1e-9);
}


// Fingers that press too little slide up the box, which stays on the floor: at first by a thousandth of a millimetre, when the floor and
// fingers that hold would nearly do.
TEST(a_gripper_that_presses_too_little_slips)
{
  artModel *m = keep_machine("contact/rigid/gripper");
  CHECK_WORKS(art_set_parameter(m, "mu", 0.2, &check_error));
  CHECK_WORKS(art_set_parameter(m, "height", 0.03, &check_error));
  const artRunDef study = accurate(3);
  artData *d = data_at(m, &study, 3);
  CHECK_CLOSE(output_named(m, d, "z"), 0.05, 1e-10);
  CHECK_CLOSE(output_named(m, d, "hand"), 0.03, 1e-12);
}


// The forces of one state, without a run: what touches is decided there.
TEST(accelerations_at_a_state_have_contact_forces)
{
  const artModel *m = keep_text_of("%s", BLOCK);
  artData *d = keep_assembled_data(m);
  CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error));
  for (int k = 0; k < 6; k++) CHECK_CLOSE(d->a[k], 0, 1e-13);
  CHECK_CLOSE(output_named(m, d, "all"), 2 * G * cos(20 * 3.14159265358979323846 / 180), 1e-11);
}


// a run that is saved between two impacts, while feet hold, goes on with the same bits
TEST(a_saved_run_goes_on_as_it_would_have)
{
  artModel *m = keep_machine("contact/rigid/gripper");
  artRunDef study = art_default_run();
  study.until = 10;
  artData *d = keep_fresh_data(m), *other = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study), *copy = keep_started_run(m, other, &study);
  CHECK_WORKS(art_run_to(run, 1.3, &check_error));
  const savedRun saved = keep_saved_run(run);
  CHECK_WORKS(art_load_run(copy, saved.bytes, saved.size, &check_error));
  CHECK_WORKS(art_run_to(run, 5, &check_error));
  CHECK_WORKS(art_run_to(copy, 5, &check_error));
  for (int k = 0; k < 9; k++) CHECK_CLOSE(other->q[k], d->q[k], 0);
  for (int k = 0; k < 9; k++) CHECK_CLOSE(other->v[k], d->v[k], 0);
}


//---- bad input -----------------------------------------------------------------------------------

static void check_refused(const char *forces, const char *part)
{
  char text[3000];
  artModel *m = NULL;
  snprintf(text, sizeof text, "%sforces: {%s}\n", BALL, forces);
  check_error = (artError){.status = ART_OK};
  CHECK(art_read_model(&m, text, strlen(text), "ball.yaml", &check_error) != ART_OK);
  CHECK_CONTAINS(check_error.text, part);
  CHECK_CONTAINS(check_error.text, "ball.yaml:");
  art_free_model(m);
}


TEST(bad_contacts_are_refused_with_their_place)
{
  check_refused("touch: {type: rigid-contact, between: [floor, skin], restitution: 1.5}",
                "at most 1");
  check_refused("touch: {type: rigid-contact, between: [floor, skin], friction: -1}", "friction");
  check_refused("touch: {type: rigid-contact, between: [skin, skin]}", "itself");
  check_refused("touch: {type: rigid-contact, between: [floor, wall]}", "wall");
}


// surfaces that overlap at the start, and rows that have no forces
TEST(what_cannot_be_is_refused_by_name)
{
  const artModel *deep =
      keep_text_of("%sforces: {touch: {type: rigid-contact, between: [floor, skin]}}\n"
                   "initial: {loose: {z: 0.09}}\n",
                   BALL);
  artRun *run = NULL;
  const artRunDef study = accurate(1);
  CHECK(art_create_run(&run, deep, keep_fresh_data(deep), &study, &check_error) == ART_BAD_INPUT);
  CHECK_CONTAINS(check_error.text, "overlap by 0.01 m");
  artRunDef natural = accurate(1);
  natural.method = ART_INDEX3;
  const artModel *m =
      keep_text_of("%sforces: {touch: {type: rigid-contact, between: [floor, skin]}}\n"
                   "initial: {loose: {z: 1}}\n",
                   BALL);
  CHECK(art_create_run(&run, m, keep_fresh_data(m), &natural, &check_error) != ART_OK);
  CHECK_CONTAINS(check_error.text, "rigid contacts, such as 'touch'");
}
