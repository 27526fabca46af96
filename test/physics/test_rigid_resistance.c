// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Resistance of rigid contacts to rolling and spinning, by events and by fixed steps, against closed forms and invariants.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81;


static artRunDef by_events(double until)
{
  artRunDef study = art_default_run();
  study.until = until;
  study.tolerance = 1e-10;
  return study;
}


static artRunDef by_steps(double until, double step)
{
  artRunDef study = art_default_run();
  study.until = until;
  study.integrator = ART_MOREAU;
  study.step = step;
  return study;
}


static void check_good(const artRun *run)
{
  const artCertificate c = art_certify(run);
  const artJudgement judgement = art_judge(&c, NULL);
  if (!CHECK_EQ_INT(judgement.verdict, ART_VERDICT_GOOD)) puts(judgement.reason[0]);
}


// data at the end of a run, whose verdict is good if it goes by events
static artData *data_after(const artModel *m, artRunDef study)
{
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK(run && art_run_to(run, study.until, &check_error) == ART_OK)) puts(check_error.text);
  if (study.integrator != ART_MOREAU) check_good(run);
  return d;
}


static double output_after(const artModel *m, const char *name, artRunDef study)
{
  return output_named(m, data_after(m, study), name);
}


//---- one ball on a plane ---------------------------------------------------------------------------

// a solid ball of 2 kg and radius l/10 on a floor, with gravity along (slope, 0, -9.81) l
static artModel *ball_of(double l, double slope, const char *contact, const char *initial)
{
  return keep_text_of("articula: 1\n"
                      "gravity: [%.17g, 0, %.17g]\n"
                      "bodies: {ball: {mass: 2, inertia: [%.17g, %.17g, %.17g]}}\n"
                      "joints: {fly: {type: free, from: ground, to: ball}}\n"
                      "surfaces:\n"
                      "  floor: {type: plane, body: ground}\n"
                      "  skin: {type: sphere, body: ball, radius: %.17g}\n"
                      "forces: {touch: {type: rigid-contact, between: [floor, skin], %s}}\n"
                      "initial: {fly: {%s}}\n"
                      "outputs: {x: fly.x, vx: fly.vx, wy: fly.wy, wz: ball.wz, rolling: "
                      "touch.rolling, tx: touch.tx, ty: touch.ty, "
                      "tz: touch.tz, state: touch.state, friction: touch.friction, slip: \"= "
                      "hypot(touch.slip_x, touch.slip_y)\", "
                      "balance: energy.balance}\n",
                      slope * l, -G * l, 0.008 * l * l, 0.008 * l * l, 0.008 * l * l, 0.1 * l,
                      contact, initial);
}


// It stays at rest for 1,000 s on a slope below b/r, and rolls on a steeper one with 5/7 g (sin a - b/r cos a), whatever the step.
TEST(a_ball_holds_on_a_slope_below_its_rolling_resistance)
{
  const artModel *below = ball_of(1, 0.0199 * G, "friction: 0.5, rolling: 2 mm", "z: 0.1");
  const artModel *above = ball_of(1, 0.03 * G, "friction: 0.5, rolling: 2 mm", "z: 0.1");
  const artRunDef held[2] = {by_events(1000), by_steps(1000, 0.1)};
  const artRunDef rolls[2] = {by_events(2), by_steps(2, 0.01)};
  for (int k = 0; k < 2; k++) {
    artData *d = data_after(below, held[k]);
    CHECK_CLOSE(output_named(below, d, "x"), 0, 1e-12);
    CHECK_CLOSE(output_named(below, d, "rolling"), 2, 0);
    CHECK_CLOSE(output_named(below, d, "ty"), -2 * 0.0199 * G * 0.1, 1e-12);
    CHECK_CLOSE(output_after(above, "vx", rolls[k]), 2 * 5. / 7 * G * (0.03 - 0.02), 1e-11);
    CHECK_CLOSE(output_after(above, "rolling", rolls[k]), 1, 0);
  }
}


// It rolls out with 5/7 g b/r, and lies still after v^2/(2 a); lengths of 1e-6 and of 1e6 as those of 1.
TEST(a_ball_rolls_out_and_lies_still)
{
  static const double unit[] = {1, 1e-6, 1e6};
  const double a = 5. / 7 * G * 0.02, v = 0.4;
  for (int k = 0; k < 3; k++) {
    const double l = unit[k];
    char contact[100], initial[200];
    snprintf(contact, sizeof contact, "friction: 0.5, rolling: %.17g", 0.002 * l);
    snprintf(initial, sizeof initial, "z: %.17g, vx: %.17g, wy: 4", 0.1 * l, v * l);
    const artModel *m = ball_of(l, 0, contact, initial);
    CHECK_CLOSE(output_after(m, "vx", by_events(1)) / l, v - a, 1e-10);
    artData *d = data_after(m, by_events(v / a + 100));
    CHECK_CLOSE(output_named(m, d, "x") / l, v * v / (2 * a), 1e-10);
    CHECK_CLOSE(output_named(m, d, "vx") / l, 0, 1e-15);
    CHECK_CLOSE(output_named(m, d, "balance") / (l * l), 0, 1e-9);
    CHECK_CLOSE(output_after(m, "vx", by_steps(1, 0.01)) / l, v - a, 1e-10);
    CHECK_CLOSE(output_after(m, "x", by_steps(v / a + 1, 0.01)) / l, v * v / (2 * a), 1e-4);
  }
}


// A spin alone is resisted by mu e N: it stops after I w/(mu e m g).
TEST(a_ball_that_spins_stops)
{
  const artModel *m = ball_of(1, 0, "friction: 0.5, spinning: 5 mm", "z: 0.1, wz: 10");
  const double brakes = 0.5 * 0.005 * 2 * G / 0.008, stop = 10 / brakes;
  const artRunDef until[2][2] = {{by_events(0.9 * stop), by_steps(0.9 * stop, 0.01)},
                                 {by_events(stop + 1e-6), by_steps(stop + 0.01, 0.01)}};
  for (int k = 0; k < 2; k++) {
    CHECK_CLOSE(output_after(m, "wz", until[0][k]), 1, 1e-9);
    artData *d = data_after(m, until[1][k]);
    CHECK_CLOSE(output_named(m, d, "wz"), 0, 1e-13);
    CHECK_CLOSE(output_named(m, d, "state"), 2, 0);
    CHECK_CLOSE(output_named(m, d, "tz"), 0, 1e-12);
  }
}


// Friction and torque share one limit: of slip s and spin w, F = mu N s/sqrt(s^2 + (e w)^2) and T = mu N e e w/sqrt(..).
TEST(a_spin_weakens_friction)
{
  const artModel *m = ball_of(1, 0, "friction: 0.5, spinning: 5 mm", "z: 0.1, vx: 3, wz: 800");
  const artRunDef study[2] = {by_events(0.05), by_steps(0.05, 1e-3)};
  for (int k = 0; k < 2; k++) {
    artData *d = data_after(m, study[k]);
    const double s = output_named(m, d, "slip"), w = output_named(m, d, "wz");
    const double share = s / hypot(s, 0.005 * w), whole = 0.5 * 2 * G;
    CHECK(s > 2 && w > 700);
    CHECK_CLOSE(output_named(m, d, "friction"), whole * share, k ? 1e-3 : 1e-9);
    CHECK_CLOSE(-output_named(m, d, "tz"), whole * 0.005 * sqrt(1 - share * share),
                k ? 1e-5 : 1e-11);
  }
}


// An impact has impulses of both kinds: of a ball that falls 0.8 m without friction, with the impulse p = m v, a spin about an axis in
// the plane loses b p/I and one that is slower stops.
TEST(an_impact_resists_rolling)
{
  const double v = sqrt(2 * G * 0.8), loss = 0.002 * 2 * v / 0.008;
  const artModel *fast = ball_of(1, 0, "rolling: 2 mm", "z: 0.9, wy: 10");
  const artModel *slow = ball_of(1, 0, "rolling: 2 mm", "z: 0.9, wy: 1");
  const double after = v / G, later = 10 - loss - 0.002 * 2 * G / 0.008 * 0.01;
  CHECK_CLOSE(output_after(fast, "wy", by_events(after + 0.01)), later, 1e-9);
  CHECK_CLOSE(output_after(slow, "wy", by_events(after + 0.01)), 0, 1e-15);
  CHECK_CLOSE(output_after(fast, "wy", by_steps(after + 0.01, 1e-5)), later, 1e-4);
}


// The same in a plane, where the other axis of rolling cannot move.
TEST(a_wheel_in_a_plane_rolls_out)
{
  const artModel *m = keep_text_of(
      "articula: 1\n"
      "ground: {frames: {side: {orientation: {axis: x, angle: 90 deg}}}}\n"
      "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008], frames: {side: {orientation: "
      "{axis: x, angle: 90 deg}}}}}\n"
      "joints: {loose: {type: planar, axis: z, x: x, from: ground.side, to: ball.side}}\n"
      "surfaces: {floor: {type: plane, body: ground}, skin: {type: sphere, body: ball, radius: "
      "0.1}}\n"
      "forces: {touch: {type: rigid-contact, between: [floor, skin], friction: 0.5, rolling: 2 mm, "
      "spinning: 1 mm}}\n"
      "initial: {loose: {y: 0.1, x_rate: 0.4, angle_rate: -4}}\n"
      "outputs: {x: loose.x, vx: loose.x_rate}\n");
  const double a = 5. / 7 * G * 0.02;
  CHECK_CLOSE(output_after(m, "vx", by_events(1)), 0.4 - a, 1e-10);
  CHECK_CLOSE(output_after(m, "x", by_events(10)), 0.4 * 0.4 / (2 * a), 1e-10);
  CHECK_CLOSE(output_after(m, "vx", by_steps(1, 0.01)), 0.4 - a, 1e-10);
}


//---- normals that turn ---------------------------------------------------------------------------

// A ball that rolls on a larger one without spinning: the normal turns, and what holds does no work.
TEST(what_holds_on_a_sphere_does_no_work)
{
  const artModel *m = keep_text_of(
      "articula: 1\n"
      "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"
      "joints: {fly: {type: free, from: ground, to: ball}}\n"
      "surfaces: {hill: {type: sphere, body: ground, radius: 1}, skin: {type: sphere, body: ball, "
      "radius: 0.1}}\n"
      "forces: {touch: {type: rigid-contact, between: [hill, skin], friction: 5, spinning: 0.1}}\n"
      "initial: {fly: {position: [0, 0, 1.1], velocity: [0.3, 0.2, 0], angular_velocity: [-2, 3, "
      "0]}}\n"
      "outputs: {state: touch.state, spin: \"= (ball.wx*fly.x + ball.wy*fly.y + "
      "ball.wz*fly.z)/1.1[m]\", "
      "energy: = energy.total, x: fly.x}\n");
  const double start = output_named(m, keep_fresh_data(m), "energy");
  artData *d = data_after(m, by_events(0.6));
  CHECK_CLOSE(output_named(m, d, "state"), 2, 0);
  CHECK(output_named(m, d, "x") > 0.2);
  CHECK_CLOSE(output_named(m, d, "spin"), 0, 1e-12);
  CHECK_CLOSE(output_named(m, d, "energy"), start, 1e-8);
}


// two balls that a spring presses together, the second one with this velocity, both with these angular velocities
static artModel *pair_of(const char *contact, const char *velocity, const char *turn_a,
                         const char *turn_b)
{
  return keep_text_of(
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [0.004, 0.004, 0.004]}\n"
      "  b: {mass: 2, inertia: [0.008, 0.008, 0.008]}\n"
      "joints: {fly_a: {type: free, from: ground, to: a}, fly_b: {type: free, from: ground, to: "
      "b}}\n"
      "surfaces: {one: {type: sphere, body: a, radius: 0.1}, two: {type: sphere, body: b, radius: "
      "0.1}}\n"
      "forces:\n"
      "  pull: {type: spring-damper, between: [a, b], stiffness: 1000, free_length: 0}\n"
      "  touch: {type: rigid-contact, between: [one, two], friction: 1, %s}\n"
      "initial:\n"
      "  fly_a: {position: [0, 0, 0], angular_velocity: [%s]}\n"
      "  fly_b: {position: [0.2, 0, 0], velocity: [%s], angular_velocity: [%s]}\n"
      "outputs: {state: touch.state, rolling: touch.rolling, energy: = energy.total, "
      "wx: \"= a.wx - b.wx\", wy: \"= a.wy - b.wy\", wz: \"= a.wz - b.wz\", "
      "spin: \"= ((a.wx - b.wx)*touch.nx + (a.wy - b.wy)*touch.ny + (a.wz - b.wz)*touch.nz)\"}\n",
      contact, turn_a, velocity, turn_b);
}


// They turn about each other, and about the line between them: their contact holds rolling while it spins. Nothing does work.
TEST(what_holds_while_it_spins_does_no_work)
{
  const artModel *m = pair_of("rolling: 50 mm", "0, 0.4, 0", "3, 0, 2", "-5, 0, 2");
  const double start = output_named(m, keep_fresh_data(m), "energy");
  artData *d = data_after(m, by_events(0.7));
  CHECK_CLOSE(output_named(m, d, "state"), 2, 0);
  CHECK_CLOSE(output_named(m, d, "rolling"), 2, 0);
  const double across = hypot(output_named(m, d, "wx"), output_named(m, d, "wy"));
  CHECK_CLOSE(hypot(across, output_named(m, d, "wz")), 8, 1e-8);
  CHECK_CLOSE(output_named(m, d, "energy"), start, 1e-8);
}


// They roll on each other about axes that cross, and hold the spin.
TEST(what_holds_while_it_rolls_does_no_work)
{
  const artModel *m = pair_of("spinning: 100 mm", "0, 0.4, -0.3", "2, 3, 0", "2, 0, 4");
  const double start = output_named(m, keep_fresh_data(m), "energy");
  artData *d = data_after(m, by_events(0.7));
  CHECK_CLOSE(output_named(m, d, "state"), 2, 0);
  CHECK_CLOSE(output_named(m, d, "spin"), 0, 1e-12);
  CHECK_CLOSE(output_named(m, d, "energy"), start, 1e-8);
}


//---- Euler's disc --------------------------------------------------------------------------------

// Steady precession of a thin disc at the tilt b, its centre of mass at rest, by the height h(b) of that, which rims round near
// b = 0 (contact/plane_rim.h): the contact is at the distance d = h' beside it. Energy, rate and rolling rate.
typedef struct discState {
  double energy, rate, roll;
} discState;


static discState disc_at(double b)
{
  const double r = 0.05, mass = 0.2, e = 1e-3, s = sin(b), c = cos(b), root = hypot(s, e);
  const double h = r * s * s / root, d = r * s * c * (s * s + 2 * e * e) / (root * root * root);
  const double across = 0.25 * mass * r * r, about = 2 * across;
  // w along the line to the contact: -rate sin b across the axis, and the part of it about the axis
  const double part = (d * s - h * c) / (d * c + h * s);
  const double rate = sqrt(mass * G * d / (s * (across * c + about * s * part)));
  const double w = -rate * s, turn = 0.5 * w * w * (across + about * part * part);
  return (discState){mass * G * h + turn, rate, fabs(w * c + w * part * s)};
}


// The time from the tilt b to the end, by  E' = -arm m g roll;  over sqrt(b), of which the integrand is smooth.
static double time_left(double b)
{
  enum { POINTS = 20000 };
  const double arm = 0.0005, width = sqrt(b) / POINTS;
  double sum = 0;
  for (int k = 0; k < POINTS; k++) {
    const double x = (k + 0.5) * width, at = x * x, step = 1e-4 * at;
    const double slope = (disc_at(at + step).energy - disc_at(at - step).energy) / (2 * step);
    sum += 2 * x * width * slope / (arm * 0.2 * G * disc_at(at).roll);
  }
  return sum;
}


// sqrt(b) falls by 2/3 arm/r sqrt(g/r) in a second, until the rim is round; by then b follows from the reduced equation.
TEST(eulers_disc_has_a_finite_end)
{
  const artModel *m = keep_machine("contact/rigid/euler-disc");
  artRunDef study = art_default_run();
  study.until = 3;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  const double falls = 2. / 3 * 0.01 * sqrt(G / 0.05), end = time_left(0.05);
  double before = 0;
  for (int k = 1; k <= 22; k++) {
    CHECK_WORKS(art_run_to(run, 0.1 * k, &check_error));
    const double tilt = output_named(m, d, "tilt"), rate = output_named(m, d, "rate");
    CHECK_CLOSE(0.1 * k + time_left(tilt), end, 1.5e-3);
    CHECK_CLOSE(rate / disc_at(tilt).rate, 1, 3e-3);
    if (k > 1 && k < 14) CHECK_CLOSE(before - sqrt(tilt), 0.1 * falls, 1e-4);
    if (k < 14) CHECK_CLOSE(rate * sqrt(tilt) / (2 * sqrt(G / 0.05)), 1, 3e-3);
    before = sqrt(tilt);
    CHECK_CLOSE(output_named(m, d, "rolling"), 1, 0);
  }
  CHECK_WORKS(art_run_to(run, end + 2e-3, &check_error));
  CHECK_CLOSE(output_named(m, d, "rolling"), 2, 0);
  CHECK_WORKS(art_run_to(run, 3, &check_error));
  CHECK(output_named(m, d, "tilt") < 1e-5 && output_named(m, d, "rate") < 1e-9);
  CHECK_CLOSE(output_named(m, d, "normal"), 0.2 * G, 1e-10);
  check_good(run);
  const double thin = 1.5 * 100 * sqrt(0.05 / G) * sqrt(0.05);
  printf("  ends at %.4f s, a thin disc at %.4f s\n", end, thin);
}


// From a larger tilt the centre of mass comes to circle, so fast that friction gives way by a force that turns with 230 rad/s: the slip
// begins, and goes where that force goes.
TEST(slip_begins_where_friction_turns_fast)
{
  artModel *m = keep_machine("contact/rigid/euler-disc");
  CHECK_WORKS(art_set_parameter(m, "tilt", 0.2, &check_error));
  artRunDef study = art_default_run();
  study.until = 3.9;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 3.5, &check_error));
  CHECK_CLOSE(output_named(m, d, "state"), 2, 0);
  for (int k = 1; k <= 2; k++) {
    CHECK_WORKS(art_run_to(run, 3.6 + 0.1 * k, &check_error));
    CHECK_CLOSE(output_named(m, d, "state"), 1, 0);
    CHECK_CLOSE(output_named(m, d, "friction"), 0.8 * output_named(m, d, "normal"), 1e-9);
  }
  check_good(run);
}


//---- piles and saved runs ------------------------------------------------------------------------

static const char PILE[] =
    "articula: 1\n"
    "gravity: [%g, 0, -9.81]\n"
    "bodies: {a: {mass: 2, inertia: [0.008, 0.008, 0.008]}, b: {mass: 2, inertia: [0.008, 0.008, "
    "0.008]}}\n"
    "joints: {fly_a: {type: free, from: ground, to: a}, fly_b: {type: free, from: ground, to: b}}\n"
    "surfaces:\n"
    "  floor: {type: plane, body: ground}\n"
    "  one: {type: sphere, body: a, radius: 0.1}\n"
    "  two: {type: sphere, body: b, radius: 0.1}\n"
    "forces: {heap: {type: rigid-pile, between: [all, all], friction: 0.5, rolling: 2 mm, "
    "spinning: 1 mm}}\n"
    "initial: {fly_a: {z: 0.1, vx: %g, wy: %g, wz: 3}, fly_b: {x: 0.5, z: 0.1}}\n"
    "outputs: {x: fly_a.x, b: fly_b.x, w: fly_a.wz, vx: fly_a.vx}\n";


TEST(a_pile_resists_rolling)
{
  const artModel *m = keep_text_of(PILE, 0.0199 * G, 0., 0.);
  artData *d = data_after(m, by_steps(100, 0.01));
  CHECK_CLOSE(output_named(m, d, "b"), 0.5, 1e-12);
  CHECK_CLOSE(output_named(m, d, "w"), 0, 1e-12);
}


TEST(a_saved_run_goes_on_as_it_would_have)
{
  const artModel *pile = keep_text_of(PILE, 0., 0.6, 2.);
  const artModel *ball = ball_of(1, 0, "friction: 0.2, rolling: 2 mm, spinning: 20 mm",
                                 "z: 0.1, vx: 0.6, wy: -2, wz: 20");
  const artRunDef study[2] = {by_steps(2, 1e-3), by_events(2)};
  for (int k = 0; k < 2; k++) {
    const artModel *m = k ? ball : pile;
    artData *d = keep_fresh_data(m), *other = keep_fresh_data(m);
    artRun *run = keep_started_run(m, d, &study[k]), *copy = keep_started_run(m, other, &study[k]);
    CHECK_WORKS(art_run_to(run, 0.2, &check_error));
    const savedRun saved = keep_saved_run(run);
    CHECK_WORKS(art_load_run(copy, saved.bytes, saved.size, &check_error));
    CHECK_WORKS(art_run_to(run, 1.5, &check_error));
    CHECK_WORKS(art_run_to(copy, 1.5, &check_error));
    for (int i = 0; i < art_count(m).nv; i++) CHECK_CLOSE(other->v[i], d->v[i], 0);
    CHECK(output_named(m, d, "x") > 0.05);
  }
}


//---- bad input -----------------------------------------------------------------------------------

static void check_refused(const char *contact, const char *part)
{
  char text[1000];
  artModel *m = NULL;
  snprintf(text, sizeof text,
           "articula: 1\n"
           "bodies: {ball: {mass: 1, inertia: [1, 1, 1]}}\n"
           "joints: {fly: {type: free, from: ground, to: ball}}\n"
           "surfaces: {floor: {type: plane, body: ground}, skin: {type: sphere, body: ball, "
           "radius: 0.1}}\n"
           "forces: {touch: {%s}}\n",
           contact);
  check_error = (artError){.status = ART_OK};
  CHECK(art_read_model(&m, text, strlen(text), "ball.yaml", &check_error) != ART_OK);
  CHECK_CONTAINS(check_error.text, part);
  CHECK_CONTAINS(check_error.text, "ball.yaml:5");
  art_free_model(m);
}


TEST(bad_resistance_is_refused_with_its_place)
{
  check_refused("type: rigid-contact, between: [floor, skin], spinning: 1 mm", "give 'friction'");
  check_refused("type: rigid-pile, between: [floor, skin], spinning: 1 mm", "give 'friction'");
  check_refused("type: rigid-contact, between: [floor, skin], rolling: -1 mm", "rolling");
  check_refused("type: rigid-contact, between: [floor, skin], rolling: 1 nm",
                "less than a millionth");
  check_refused("type: rigid-contact, between: [floor, skin], friction: 1, spinning: 1 nm",
                "less than a millionth");
}
