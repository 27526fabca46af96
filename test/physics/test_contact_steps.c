// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts by steps of given length: against closed forms, against runs that find each impact, and many contacts at once.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81;


static artRunDef stepping(double until, double step)
{
  artRunDef study = art_default_run();
  study.until = until;
  study.integrator = ART_MOREAU;
  study.step = step;
  return study;
}


// data at the end, and the certificate by then
static artData *data_after(const artModel *m, const artRunDef *study, artCertificate *c)
{
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, study);
  if (!CHECK(run && art_run_to(run, study->until, &check_error) == ART_OK)) puts(check_error.text);
  if (c) *c = art_certify(run);
  return d;
}


static double output_after(const artModel *m, const char *name, double until, double step)
{
  const artRunDef study = stepping(until, step);
  return output_named(m, data_after(m, &study, NULL), name);
}


//---- one ball ------------------------------------------------------------------------------------

static const char BALL[] =
    "articula: 1\n"
    "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"
    "joints: {loose: {type: free, from: ground, to: ball}}\n"
    "surfaces:\n"
    "  floor: {type: plane, body: ground}\n"
    "  skin: {type: sphere, body: ball, radius: 0.1}\n"
    "outputs: {z: loose.z, vx: loose.vx, wy: loose.wy, state: touch.state, normal: touch.normal}\n";


// The second flight of a ball dropped by 0.9 m with e = 0.5 lasts from 2 to 2.5 times the time of its fall, and rises by 0.9/16 m.
TEST(a_ball_bounces_and_rests)
{
  artModel *m = keep_text_of("%sforces: {touch: {type: rigid-contact, between: [floor, skin], "
                             "restitution: 0.5}}\ninitial: {loose: {z: 1}}\n",
                             BALL);
  const double fall = sqrt(2 * 0.9 / G), top = 0.1 + 0.9 / 16;
  const double coarse = output_after(m, "z", 2.25 * fall, 1e-3) - top;
  const double fine = output_after(m, "z", 2.25 * fall, 1e-4) - top;
  CHECK(fabs(coarse) < 5e-3);
  CHECK(fabs(fine) < 5e-4);
  artCertificate c;
  const artRunDef study = stepping(2, 1e-4);
  artData *d = data_after(m, &study, &c);
  CHECK_CLOSE(output_named(m, d, "z"), 0.1, 1e-12);
  CHECK_CLOSE(output_named(m, d, "normal"), 2 * G, 1e-10);
  CHECK_CLOSE(output_named(m, d, "state"), 1, 0);
  CHECK_CLOSE(c.contact_loss, 2 * G * 0.9, 2e-2);
  CHECK(c.contact_impacts >= 10 && c.contact_overlap < 1e-9);
}


// A ball thrown without spin slides until 2 v0/(7 mu g) and rolls with 5/7 v0, whatever the step.
TEST(a_thrown_ball_slides_and_then_rolls)
{
  const artModel *m =
      keep_text_of("%sforces: {touch: {type: rigid-contact, between: [floor, skin], "
                   "friction: 0.2}}\ninitial: {loose: {z: 0.1, velocity: [3, 0, 0]}}\n",
                   BALL);
  CHECK_CLOSE(output_after(m, "vx", 0.3, 1e-2), 3 - 0.3 * 0.2 * G, 1e-12);
  CHECK_CLOSE(output_after(m, "vx", 1, 1e-2), 3 * 5.0 / 7, 1e-11);
  CHECK_CLOSE(output_after(m, "wy", 1, 1e-2), 3 * 5.0 / 7 / 0.1, 1e-10);
}


// Without contact the rule is of order two, for turns, too.
TEST(a_flight_is_of_order_two)
{
  static const char SPIN[] =
      "articula: 1\n"
      "bodies: {ball: {mass: 2, inertia: [1, 2, 3]}}\n"
      "joints: {loose: {type: free, from: ground, to: ball}}\n"
      "surfaces: {floor: {type: plane, body: ground}, skin: {type: point, body: ball}}\n"
      "forces: {touch: {type: rigid-contact, between: [floor, skin]}}\n"
      "initial: {loose: {z: 100, angular_velocity: [0.1, 4, 0.2]}}\n"
      "outputs: {w: loose.wx}\n";
  const artModel *m = keep_text_of("%s", SPIN);
  artRunDef exact = art_default_run();
  exact.until = 2;
  exact.tolerance = 1e-12;
  const double w = output_named(m, data_after(m, &exact, NULL), "w");
  const double coarse = output_after(m, "w", 2, 4e-3) - w, fine = output_after(m, "w", 2, 2e-3) - w;
  CHECK(fabs(coarse) < 1e-3);
  CHECK_CLOSE(coarse / fine, 4, 0.2);
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


TEST(a_block_on_a_slope_holds_or_slides)
{
  artModel *m = keep_text_of("%s", BLOCK);
  const double s = sin(20 * 3.14159265358979323846 / 180), c = sqrt(1 - s * s);
  artRunDef study = stepping(1000, 0.1);
  artData *d = data_after(m, &study, NULL);
  CHECK_CLOSE(output_named(m, d, "x"), 0, 1e-10);
  CHECK_CLOSE(output_named(m, d, "all"), 2 * G * c, 1e-10);
  CHECK_WORKS(art_set_parameter(m, "mu", 0.3, &check_error));
  CHECK_CLOSE(output_after(m, "x", 1, 1e-2), 0.5 * G * (s - 0.3 * c), 1e-10);
  CHECK_CLOSE(output_after(m, "vx", 1, 1e-2), G * (s - 0.3 * c), 1e-10);
  // what friction takes is mu N x
  artCertificate sliding;
  study = stepping(1, 1e-2);
  (void) data_after(m, &study, &sliding);
  CHECK_CLOSE(sliding.contact_loss, 0.3 * 2 * G * c * 0.5 * G * (s - 0.3 * c), 1e-9);
  CHECK_EQ_INT(sliding.contact_impacts, 0);
}


// Flores, Leine and Glocker 2010: the error is in proportion to the step, and goes to nothing against the reference.
TEST(a_slider_with_clearance_converges_with_order_one)
{
  const artModel *m = keep_machine("contact/rigid/slider-with-clearance");
  const double at = 0.256959909;
  const double e4 = output_after(m, "turns", 0.02, 4e-5) - at;
  const double e2 = output_after(m, "turns", 0.02, 2e-5) - at;
  const double e1 = output_after(m, "turns", 0.02, 1e-5) - at;
  CHECK(fabs(e1) < 1e-5);
  CHECK_CLOSE(e4 / e2, 2, 0.3);
  CHECK_CLOSE(e2 / e1, 2, 0.3);
}


// The box is lifted by drives and held by friction, or slips out of fingers that press too little.
TEST(a_gripper_holds_a_box_for_a_minute)
{
  artModel *m = keep_machine("contact/rigid/gripper");
  artRunDef study = stepping(3, 1e-3);
  const artData *then = data_after(m, &study, NULL);
  artCertificate c;
  study.until = 60;
  artData *now = data_after(m, &study, &c);
  for (int k = 0; k < 3; k++) CHECK_CLOSE(now->q[k + 3], then->q[k + 3], 1e-9);
  CHECK_CLOSE(output_named(m, now, "z"), 0.35, 1e-9);
  CHECK_CLOSE(output_named(m, now, "on_left"), 20, 1e-7);
  CHECK(c.energy_error < 2e-3 && c.contact_left < 1e-9);
  CHECK_WORKS(art_set_parameter(m, "mu", 0.2, &check_error));
  study.until = 4;
  CHECK_CLOSE(output_named(m, data_after(m, &study, NULL), "z"), 0.05, 1e-6);
}


// twelve balls above each other in a box, whose pairs are elements of a kind
static const artModel *pile_of(const char *kind)
{
  static char text[8192];
  size_t n = 0;
#define SAY(...) n += (size_t) snprintf(text + n, sizeof text - n, __VA_ARGS__)
  SAY("articula: 1\nbodies:\n");
  for (int k = 0; k < 12; k++) SAY("  b%d: {mass: 1, inertia: [1e-3, 1e-3, 1e-3]}\n", k);
  SAY("joints:\n");
  for (int k = 0; k < 12; k++) SAY("  j%d: {type: free, from: ground, to: b%d}\n", k, k);
  SAY("ground: {frames: {l: {position: [-0.12, 0, 0], orientation: {axis: y, angle: 90 deg}},\n"
      "  r: {position: [0.12, 0, 0], orientation: {axis: y, angle: -90 deg}},\n"
      "  f: {position: [0, -0.12, 0], orientation: {axis: x, angle: -90 deg}},\n"
      "  b: {position: [0, 0.12, 0], orientation: {axis: x, angle: 90 deg}}}}\n"
      "surfaces:\n  floor: {type: plane, body: ground}\n  left: {type: plane, body: ground.l}\n"
      "  right: {type: plane, body: ground.r}\n  front: {type: plane, body: ground.f}\n"
      "  back: {type: plane, body: ground.b}\n");
  for (int k = 0; k < 12; k++) SAY("  s%d: {type: sphere, body: b%d, radius: 0.05}\n", k, k);
  SAY("forces: {touch: {type: %s, between: [all, all], friction: 0.5}}\ninitial:\n", kind);
  for (int k = 0; k < 12; k++)
    SAY("  j%d: {x: %g, y: %g, z: %g}\n", k, (k % 2 ? 0.055 : -0.055) + 0.001 * (k - 6),
        k / 2 % 2 ? 0.05 : -0.06, 0.07 + 0.11 * (k / 4));
#undef SAY
  return keep_text_of("%s", text);
}


// Energy only goes, nothing overlaps and all rest at last; walls carry a part by friction. One element does the same as one for
// each pair, to the last bit.
TEST(a_pile_comes_to_rest)
{
  const artModel *m = pile_of("rigid-pile"), *pairs = pile_of("rigid-contact");
  artRunDef study = stepping(3, 1e-3);
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  double before = INFINITY;
  for (int k = 1; k <= 30 && CHECK(run != NULL); k++) {
    if (!CHECK(art_run_to(run, 0.1 * k, &check_error) == ART_OK)) puts(check_error.text);
    const artEnergy now = art_energy(m, d);
    CHECK(now.kinetic + now.potential < before + 1e-6);
    before = now.kinetic + now.potential;
  }
  const artCertificate c = art_certify(run);
  CHECK(c.contact_overlap < 1e-8);
  CHECK(art_energy(m, d).kinetic < 1e-9);
  for (int k = 0; k < art_count(m).nv; k++) CHECK_CLOSE(d->a[k], 0, 1e-3);
  artData *other = data_after(pairs, &study, NULL);
  for (int k = 0; k < art_count(m).nq; k++) CHECK_CLOSE(other->q[k], d->q[k], 0);
}


// Contacts that a pile shows carry the forces that it has, and balls of 50 mm touch at their skins.
TEST(a_pile_shows_its_contacts)
{
  const artModel *m = pile_of("rigid-pile");
  artRunDef study = stepping(1, 1e-3);
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  CHECK(run && art_run_to(run, 1, &check_error) == ART_OK);
  artForcePart part;
  CHECK(art_get_force(m, 0, &part) && part.ncontact > 30);
  int shown = 0;
  double up = 0, at[3], force[3];
  for (int k = 0; k < part.ncontact; k++) {
    art_pile_arrow(m, d, 0, k, at, force);
    const double size = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    if (size == 0) continue;
    shown++;
    int balls = 0;
    for (int b = 0; b < 12; b++) {
      artPose pose;
      art_body_pose(m, d, b + 1, &pose);
      double square = 0;
      for (int c = 0; c < 3; c++) square += pow(pose.position[c] - at[c], 2);
      balls += fabs(sqrt(square) - 0.05) < 1e-6;
    }
    CHECK(balls == 1 || balls == 2);
    if (balls == 1) up += force[2];
  }
  CHECK(shown >= 12);
  CHECK_CLOSE(up, 12 * 9.80665, 0.05);
}


TEST(a_saved_pile_goes_on_as_it_would_have)
{
  const artModel *m = pile_of("rigid-pile");
  const artRunDef study = stepping(3, 1e-3);
  artData *d = keep_fresh_data(m), *other = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study), *copy = keep_started_run(m, other, &study);
  CHECK_WORKS(art_run_to(run, 0.4, &check_error));
  const savedRun saved = keep_saved_run(run);
  CHECK_WORKS(art_load_run(copy, saved.bytes, saved.size, &check_error));
  CHECK_WORKS(art_run_to(run, 0.6, &check_error));
  CHECK_WORKS(art_run_to(copy, 0.6, &check_error));
  for (int k = 0; k < art_count(m).nq; k++) CHECK_CLOSE(other->q[k], d->q[k], 0);
}


// A box of 10 kg on 25 balls of 1 kg, pulled at its centre. The balls roll on the ground and under the box.
static const artModel *box_on_balls(void)
{
  char text[12000];
  size_t n = 0;
#define SAY(...) (n += (size_t) snprintf(text + n, sizeof text - n, __VA_ARGS__))
  SAY("articula: 1\nbodies:\n  box: {mass: 10, inertia: [334.2, 334.2, 666.7]}\n");
  for (int k = 0; k < 25; k++) SAY("  b%d: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n", k);
  SAY("joints:\n  lid: {type: free, from: ground, to: box}\n");
  for (int k = 0; k < 25; k++) SAY("  j%d: {type: free, from: ground, to: b%d}\n", k, k);
  SAY("surfaces:\n  floor: {type: plane, body: ground}\n"
      "  crate: {type: box, body: box, size: [20, 20, 1]}\n");
  for (int k = 0; k < 25; k++)
    SAY("  s%d: {type: sphere, body: b%d, radius: 0.5, group: balls}\n", k, k);
  SAY("forces:\n  low: {type: rigid-contact, between: [floor, balls], friction: 0.4}\n"
      "  top: {type: rigid-contact, between: [crate, balls], friction: 0.8}\n"
      "  pull: {type: force, point: box, value: [150, 0, 0]}\n"
      "initial:\n  lid: {z: 1.5}\n");
  for (int k = 0; k < 25; k++)
    SAY("  j%d: {x: %d, y: %d, z: 0.5}\n", k, k % 5 * 2 - 4, k / 5 * 2 - 4);
  SAY("outputs: {box: lid.vx, first: j0.vx, last: j24.vx, side: lid.vy, turn: lid.wz}\n");
#undef SAY
  return keep_text_of("%s", text);
}


// Forces are spread so that all hold, though the box leans onto the balls in front: the box has 8 m/s2, balls 4 m/s2, and nothing
// goes sideways.
TEST(a_box_on_balls_has_the_acceleration_of_rolling)
{
  const artModel *m = box_on_balls();
  const artRunDef study = stepping(0.1, 1e-3);
  artData *d = data_after(m, &study, NULL);
  CHECK_CLOSE(output_named(m, d, "box"), 0.8, 1e-9);
  CHECK_CLOSE(output_named(m, d, "first"), 0.4, 1e-9);
  CHECK_CLOSE(output_named(m, d, "last"), 0.4, 1e-9);
  CHECK_CLOSE(output_named(m, d, "side"), 0, 1e-9);
  CHECK_CLOSE(output_named(m, d, "turn"), 0, 1e-9);
}


// a thousand balls, the first of which have fallen onto the floor
TEST(a_thousand_balls_fall_into_a_box)
{
  const artModel *m = keep_machine("contact/pile/pile");
  const artRunDef study = stepping(0.09, 2e-3);
  artCertificate c;
  artData *d = data_after(m, &study, &c);
  CHECK(output_named(m, d, "touching") >= 90);
  CHECK(c.contact_overlap < 1e-6);
}


// A pin goes from one side of a slot to the other: the wheel of the Geneva drive ends where a run by events leaves it.
TEST(a_pin_may_cross_a_slot)
{
  const artModel *m = keep_machine("contact/rigid/geneva-drive");
  artRunDef exact = art_default_run();
  exact.until = 1;
  const double angle = output_named(m, data_after(m, &exact, NULL), "angle");
  CHECK_CLOSE(output_after(m, "angle", 1, 1e-4), angle, 1e-6);
}


//---- runs ----------------------------------------------------------------------------------------

TEST(methods_agree_on_a_machine_with_loops)
{
  static const artMethod method[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  const artModel *m = keep_machine("contact/rigid/cam-and-follower");
  double last[3];
  for (int k = 0; k < 3; k++) {
    artRunDef study = stepping(1, 5e-4);
    artCertificate c;
    study.method = method[k];
    last[k] = output_named(m, data_after(m, &study, &c), "height");
    CHECK(c.position_residual < 1e-12);
  }
  CHECK_CLOSE(last[1], last[0], 1e-9);
  CHECK_CLOSE(last[2], last[0], 1e-9);
  artRunDef exact = art_default_run();
  exact.until = 1;
  CHECK_CLOSE(last[0], output_named(m, data_after(m, &exact, NULL), "height"), 2e-3);
}


TEST(a_saved_run_goes_on_as_it_would_have)
{
  const artModel *m = keep_machine("contact/rigid/gripper");
  const artRunDef study = stepping(10, 1e-3);
  artData *d = keep_fresh_data(m), *other = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study), *copy = keep_started_run(m, other, &study);
  CHECK_WORKS(art_run_to(run, 1.3, &check_error));
  const savedRun saved = keep_saved_run(run);
  CHECK_WORKS(art_load_run(copy, saved.bytes, saved.size, &check_error));
  CHECK_WORKS(art_run_to(run, 3, &check_error));
  CHECK_WORKS(art_run_to(copy, 3, &check_error));
  for (int k = 0; k < 9; k++) CHECK_CLOSE(other->q[k], d->q[k], 0);
  for (int k = 0; k < 9; k++) CHECK_CLOSE(other->v[k], d->v[k], 0);
}


TEST(what_cannot_be_is_refused)
{
  const artModel *m = keep_machine("pendulum");
  artRunDef study = stepping(1, 1e-3);
  artRun *run = NULL;
  CHECK(art_create_run(&run, m, keep_fresh_data(m), &study, &check_error) == ART_BAD_INPUT);
  CHECK(strstr(check_error.text, "moreau is for machines with rigid contacts") != NULL);
  study.step = 0;
  CHECK(art_create_run(&run, m, keep_fresh_data(m), &study, &check_error) == ART_BAD_INPUT);
  CHECK(strstr(check_error.text, "moreau takes fixed steps") != NULL);

  // a state alone has no forces of piles
  const artModel *pile = pile_of("rigid-pile");
  artData *d = keep_fresh_data(pile);
  CHECK(art_accelerate(pile, d, ART_AUTOMATIC, &check_error) == ART_UNSUPPORTED);
  CHECK(strstr(check_error.text, "has forces in runs by integrator moreau alone") != NULL);

  // a ball of 1 mm, 100 m/s fast, goes through another one in a step of 1 ms
  m = keep_text_of("articula: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
                   "joints:\n  ja: {type: prismatic, axis: x, from: ground, to: a}\n"
                   "  jb: {type: prismatic, axis: x, from: ground, to: b}\n"
                   "surfaces:\n  sa: {type: sphere, body: a, radius: 1e-3}\n"
                   "  sb: {type: sphere, body: b, radius: 1e-3}\n"
                   "forces: {ab: {type: rigid-contact, between: [sa, sb]}}\n"
                   "initial: {ja: {slide: -0.325, rate: 100}, jb: {slide: 0}}\n");
  study = stepping(0.01, 1e-3);
  run = keep_started_run(m, keep_fresh_data(m), &study);
  CHECK(run && art_run_to(run, 0.01, &check_error) == ART_SINGULAR);
  CHECK(strstr(check_error.text, "come through each other") != NULL);
}
