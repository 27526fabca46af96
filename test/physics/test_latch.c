// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locks, latches and ropes: a ball on a rope, two carts and a brake against formulas written by hand; what a lock does to a
// chain and to a machine with loops against the balance of impulses, solved densely; all methods and integrators; what
// is released stays released; what contradicts itself is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "data/work.h"
#include "method/method.h"
#include "support/check.h"
#include "support/full.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81;

static const struct {
  int method;
  artIntegrator integrator;
  double step;      // s
  double tolerance; // of results
} ways[] = {
    {ART_SEMIRECURSIVE, ART_DOPRI5, 0, 1e-8}, {ART_SEMIRECURSIVE, ART_RK4, 1e-3, 1e-7},
    {ART_SEMIRECURSIVE, ART_BDF, 0, 2e-6},    {ART_SEMIRECURSIVE, ART_ADAMS, 0, 2e-6},
    {ART_RECURSIVE, ART_DOPRI5, 0, 1e-8},     {ART_AUGMENTED, ART_DOPRI5, 0, 1e-8},
    {MODEL_GENERATED, ART_DOPRI5, 0, 1e-8},   {ART_INDEX1, ART_DOPRI5, 1e-4, 1e-5},
    {ART_INDEX3, ART_DOPRI5, 1e-4, 1e-5},     {ART_MULTI_INDEX, ART_DOPRI5, 1e-4, 1e-3},
    {ART_CONSERVING, ART_DOPRI5, 1e-4, 1e-5},
};
enum { WAYS = sizeof ways / sizeof *ways };

//---- runs ----------------------------------------------------------------------------------------

typedef struct testRun {
  const artModel *m;
  artData *d;
  artRun *run;
} testRun;


static testRun begin(const artModel *m, int way, double until)
{
  testRun r = {.m = m, .d = keep_fresh_data(m)};
  artRunDef study = art_default_run();
  model_set_way(&study, ways[way].method);
  study.integrator = ways[way].integrator, study.step = ways[way].step, study.tolerance = 1e-11;
  study.until = until;
  r.run = keep_started_run(m, r.d, &study);
  return r;
}


static int go_to(testRun *r, double t)
{
  return CHECK_WORKS(art_run_to(r->run, t, &check_error));
}


// an output by its name at the state shown
static double output(const testRun *r, const char *name)
{
  return output_named(r->m, r->d, name);
}


static void check(const testRun *r, const char *name, double want, double tolerance, int way)
{
  const double got = output(r, name);
  if (fabs(got - want) <= tolerance) return;
  printf("  %s by %s, %s at %g s:\n", name, model_way_name(ways[way].method),
         art_integrator_name(ways[way].integrator), r->d->time);
  CHECK_CLOSE(got, want, tolerance);
}


//---- a ball on a rope ----------------------------------------------------------------------------

typedef struct ropeFlight {
  double angle, speed; // where it becomes slack, above the hook
  double slack, taut;  // s
  double loss;         // J
  double tangent,
      tilt; // m/s along the circle behind the impact, where the rope is then: angle from below
} ropeFlight;


// int L da / v(a) with v^2 = v0^2 - 2 g L (1 + sin a), by Simpson's rule
static double time_up(double v0, double angle)
{
  enum { PARTS = 2000 };
  const double from = -acos(-1.0) / 2, h = (angle - from) / PARTS;
  double sum = 0;
  for (int k = 0; k <= PARTS; k++) {
    const double speed = sqrt(v0 * v0 - 2 * G * (1 + sin(from + k * h)));
    sum += (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2) / speed;
  }
  return sum * h / 3;
}


// |r|^2 = L^2 - g v cos(a) t^3 + g^2 t^4/4 on the parabola that leaves the circle without a force
static ropeFlight flight_of(double v0)
{
  ropeFlight f = {.angle = asin((v0 * v0 - 2 * G) / (3 * G))};
  f.speed = sqrt(G * sin(f.angle));
  f.slack = time_up(v0, f.angle);
  const double t = 4 * f.speed * cos(f.angle) / G;
  f.taut = f.slack + t;
  const double x = cos(f.angle) - f.speed * sin(f.angle) * t;
  const double z = sin(f.angle) + f.speed * cos(f.angle) * t - G * t * t / 2;
  const double vx = -f.speed * sin(f.angle), vz = f.speed * cos(f.angle) - G * t;
  const double along = x * vx + z * vz;
  f.tangent = -z * vx + x * vz; // counter-clockwise
  f.tilt = atan2(x, -z);
  f.loss = along * along / 2;
  return f;
}


TEST(a_rope_goes_slack_and_becomes_taut)
{
  const double v0 = 6;
  const ropeFlight f = flight_of(v0);
  artModel *m = keep_machine("rope-pendulum");
  for (int way = 0; way < WAYS; way++) {
    const double tolerance = ways[way].tolerance;
    testRun r = begin(m, way, 2);

    // at the bottom m (g + v^2/L), on the way up m (v^2/L - g sin a)
    if (!go_to(&r, 0)) continue;
    check(&r, "tension", G + v0 * v0, tolerance, way);
    double force[3], torque[3];
    CHECK(art_reaction(m, r.d, "rope", force, torque, NULL) == ART_OK);
    CHECK_NEAR(force, ((double[]){0, 0, G + v0 * v0}), 3, tolerance);
    const double early = f.slack - 20 * tolerance - 1e-7, late = f.slack + 20 * tolerance + 1e-7;
    go_to(&r, early);
    check(&r, "taut", 1, 0, way);
    check(&r, "tension", 0, 60 * (f.slack - early) + 100 * tolerance, way);
    go_to(&r, late);
    check(&r, "taut", 0, 0, way);
    check(&r, "tension", 0, 0, way);
    CHECK(art_reaction(m, r.d, "rope", force, torque, NULL) == ART_OK);
    CHECK_NEAR(force, ((double[]){0, 0, 0}), 3, 0);

    // the parabola
    const double t = 0.5 * (f.taut - f.slack);
    go_to(&r, f.slack + t);
    check(&r, "x", cos(f.angle) - f.speed * sin(f.angle) * t, 30 * tolerance, way);
    check(&r, "z", sin(f.angle) + f.speed * cos(f.angle) * t - G * t * t / 2, 30 * tolerance, way);
    check(&r, "energy", v0 * v0 / 2 - G, 300 * tolerance, way);

    go_to(&r, f.taut - 20 * tolerance - 1e-7);
    check(&r, "taut", 0, 0, way);
    const double behind = 20 * tolerance + 1e-7, drift = 300 * tolerance + 30 * behind;
    go_to(&r, f.taut + behind);
    check(&r, "taut", 1, 0, way);
    check(&r, "length", 1, 1e-9, way);
    check(&r, "speed", fabs(f.tangent), drift, way);
    check(&r, "tension", f.tangent * f.tangent + G * cos(f.tilt), 10 * drift, way);
    check(&r, "energy", v0 * v0 / 2 - G - f.loss, 300 * tolerance, way);
    go_to(&r, 2);
    check(&r, "balance", 0, 300 * tolerance, way);
    const artCertificate c = art_certify(r.run);
    CHECK_EQ_INT(c.latched, 2);
    CHECK_CLOSE(c.latch_loss, f.loss, 300 * tolerance);
  }
}


// A ball on a rope of length 1 is caught by a second one of length l whose hook is 0.5 beside. Both pull to the same side,
// so that the impact of the second makes the first slack: it takes the velocity along the second, no more, and the ball
// goes on around the second hook.
TEST(a_rope_does_not_push_in_an_impact)
{
  static const char text[] =
      "articula: 1\n"
      "bodies:\n"
      "  slider: {}\n"
      "  ball: {mass: 1 kg, inertia: [0.004, 0.004, 0.004]}\n"
      "ground: {points: {b: [-0.5, 0, 0]}}\n"
      "joints:\n"
      "  x: {type: prismatic, axis: x, from: ground, to: slider}\n"
      "  z: {type: prismatic, axis: z, from: slider, to: ball}\n"
      "latches:\n"
      "  one: {type: rope, between: [ground, ball], length: 1 m, engaged: true}\n"
      "  two: {type: rope, between: [ground.b, ball], length: 1.2 m}\n"
      "initial: {x: {rate: 3}, z: {slide: -1}}\n"
      "outputs: {z: z.slide, speed: \"= hypot(x.rate, z.rate)\", one: one.engaged, two: "
      "two.engaged,\n"
      "  tension: two.force, energy: energy.total, balance: energy.balance}\n";

  // both circles meet at x = l^2 - 1.25; velocity along the second rope: v (z, -x).(x + 0.5, z)/l
  const double v0 = 3, l = 1.2, x = l * l - 1.25, z = -sqrt(1 - x * x);
  const double v = sqrt(v0 * v0 - 2 * G * (1 + z)), along = v * (-z * (x + 0.5) + x * z) / l;
  const double loss = along * along / 2;
  artModel *m = keep_text(text);
  for (int way = 0; way < WAYS; way++) {
    const double tolerance = 300 * ways[way].tolerance;
    testRun r = begin(m, way, 0.3);
    go_to(&r, 0.3);
    check(&r, "one", 0, 0, way);
    check(&r, "two", 1, 0, way);
    check(&r, "energy", v0 * v0 / 2 - G - loss, tolerance, way);
    check(&r, "balance", 0, tolerance, way);
    const double speed = output(&r, "speed"), height = output(&r, "z");
    check(&r, "tension", (speed * speed - G * height) / l, tolerance, way);
    const artCertificate c = art_certify(r.run);
    CHECK_EQ_INT(c.latched, 2);
    CHECK_CLOSE(c.latch_loss, loss, tolerance);
  }
}


// A ball falls into two ropes. Each impact leaves one of them slack, its speed is smaller by the cosine of the angle between
// them every time, and both hold it in the end.
TEST(two_ropes_bring_a_ball_to_rest)
{
  static const char text[] = "articula: 1\n"
                             "bodies:\n"
                             "  slider: {}\n"
                             "  ball: {mass: 1 kg, inertia: [0.004, 0.004, 0.004]}\n"
                             "ground: {points: {a: [-1, 0, 0], b: [1, 0, 0]}}\n"
                             "joints:\n"
                             "  x: {type: prismatic, axis: x, from: ground, to: slider}\n"
                             "  z: {type: prismatic, axis: z, from: slider, to: ball}\n"
                             "latches:\n"
                             "  one: {type: rope, between: [ground.a, ball], length: 1.5 m}\n"
                             "  two: {type: rope, between: [ground.b, ball], length: 1.5 m}\n"
                             "initial: {x: {slide: 0.3}}\n"
                             "outputs: {x: x.slide, z: z.slide, one: one.force, two: two.force, "
                             "balance: energy.balance}\n";
  const double z = -sqrt(1.25), tension = 0.5 * G * 1.5 / -z;
  artModel *m = keep_text(text);
  for (int way = 0; way < WAYS; way++) {
    testRun r = begin(m, way, 2);
    go_to(&r, 2);
    check(&r, "x", 0, 1e-6, way);
    check(&r, "z", z, 1e-6, way);
    check(&r, "one", tension, 1e-5, way);
    check(&r, "two", tension, 1e-5, way);
    check(&r, "balance", 0, 1e-5 + 300 * ways[way].tolerance, way);
    CHECK(art_certify(r.run).latched < 100);
  }
}


// A winch lifts a load on a rope and stops at once: the rope pulls the load up to 1 m/s, and does not hold it there. The
// load flies on, falls back 2 v/g later, and is stopped by the rope.
TEST(a_load_flies_on_where_its_winch_stops)
{
  static const char text[] =
      "articula: 1\n"
      "bodies: {drum: {mass: 5}, load: {mass: 2}}\n"
      "joints:\n"
      "  up: {type: prismatic, axis: z, from: ground, to: drum}\n"
      "  z: {type: prismatic, axis: z, from: ground, to: load}\n"
      "drives: {winch: {coordinate: up, value: \"= 1[m/s]*min(time, 0.5[s])\"}}\n"
      "latches: {rope: {type: rope, between: [drum, load], length: 3 m, engaged: true}}\n"
      "initial: {z: {slide: -3}}\n"
      "outputs: {height: z.slide, v: z.rate, taut: rope.engaged, tension: rope.force,\n"
      "  balance: energy.balance}\n";
  const double v = 1, loss = 2 * v * v / 2;
  artModel *m = keep_text(text);
  for (int way = 0; way < WAYS; way++) {
    const double tolerance = 10 * ways[way].tolerance;
    testRun r = begin(m, way, 1);
    go_to(&r, 0.4);
    check(&r, "v", v, tolerance, way);
    check(&r, "tension", 2 * G, 10 * tolerance, way);
    go_to(&r, 0.6);
    check(&r, "taut", 0, 0, way);
    check(&r, "v", v - G * 0.1, tolerance, way);
    check(&r, "height", -2.5 + v * 0.1 - G * 0.01 / 2, tolerance, way);
    check(&r, "balance", 0, tolerance, way);
    go_to(&r, 0.5 + 2 * v / G + 1e-3);
    check(&r, "taut", 1, 0, way);
    check(&r, "v", 0, tolerance, way);
    check(&r, "height", -2.5, tolerance, way);
    check(&r, "balance", 0, tolerance, way);
    const artCertificate c = art_certify(r.run);
    CHECK_EQ_INT(c.impacts, 1);
    CHECK_EQ_INT(c.latched, 2);
    CHECK_CLOSE(c.latch_loss, loss, tolerance);
  }
}


//---- two carts -----------------------------------------------------------------------------------

TEST(a_latch_catches_a_cart_and_gives_way)
{
  const double m1 = 2, m2 = 3, v = 1.5, both = m1 * v / (m1 + m2);
  const double loss = m1 * m2 / (m1 + m2) * v * v / 2, met = (2.5 - 1 - 0.02) / v;

  // the pull 200 (t - 3) is shared by the masses: the latch carries m2/(m1 + m2) of it, 60 N at 3.5 s
  const double fast = both - 200 * 0.125 / (m1 + m2);
  artModel *m = keep_machine("latch");
  for (int way = 0; way < WAYS; way++) {
    const double tolerance = ways[way].tolerance;
    testRun r = begin(m, way, 4);
    go_to(&r, met - 1e-6);
    check(&r, "coupled", 0, 0, way);
    check(&r, "speed1", v, tolerance, way);
    go_to(&r, met + 1e-6);
    check(&r, "coupled", 1, 0, way);
    check(&r, "speed1", both, tolerance, way);
    check(&r, "speed2", both, tolerance, way);
    check(&r, "momentum", m1 * v, tolerance, way);
    check(&r, "energy", m1 * v * v / 2 - loss, 10 * tolerance, way);
    go_to(&r, 3.5 - 1e-3);
    check(&r, "coupled", 1, 0, way);
    check(&r, "force", 60 * (1 - 2e-3), 100 * tolerance, way);

    // it holds them at the distance at which it engaged, and does not engage again while that lasts
    const double apart = output(&r, "wagon") - output(&r, "shunter");
    CHECK_NEAR(&apart, (double[]){1.02}, 1, 1e-9 + tolerance);
    go_to(&r, 3.5 + 1e-3);
    check(&r, "coupled", 0, 0, way);
    check(&r, "force", 0, 0, way);
    go_to(&r, 4);
    check(&r, "speed2", fast, 100 * tolerance, way);
    check(&r, "speed1", fast - 200 * (0.5 - 0.125) / m1, 100 * tolerance, way);
    const artCertificate c = art_certify(r.run);
    CHECK_EQ_INT(c.latched, 2);
    CHECK_CLOSE(c.latch_loss, loss, 10 * tolerance);
  }
}


// A ball slides freely on a hook whose drive goes faster from 0.5 s on, and is joined to a car at the same instant, by
// the clock or by the speed of the hook. The drive's impact does not reach the ball: both go on with m1 v/(m1 + m2).
static void check_struck(const char *condition)
{
  static const char machine[] =
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "bodies: {hook: {mass: 1}, ball: {mass: 2}, car: {mass: 3}}\n"
      "joints:\n"
      "  h: {type: prismatic, axis: x, from: ground, to: hook}\n"
      "  x: {type: prismatic, axis: x, from: hook, to: ball}\n"
      "  c: {type: prismatic, axis: x, from: ground, to: car}\n"
      "drives: {d: {coordinate: h, value: \"= 1[m/s]*time + 2[m/s]*max(0[s], time - 0.5[s])\"}}\n"
      "latches: {l: {type: latch, between: [ball, car], engage: %s}}\n"
      "initial: {x: {rate: 1}, c: {slide: 3}}\n"
      "outputs: {hook: h.rate, ball: = h.rate + x.rate, car: c.rate, balance: energy.balance}\n";
  const double m1 = 2, m2 = 3, v = 2, both = m1 * v / (m1 + m2);
  const double loss = m1 * m2 / (m1 + m2) * v * v / 2;
  artModel *m = keep_text_of(machine, condition);
  for (int way = 0; way < WAYS; way++) {
    testRun r = begin(m, way, 1);
    go_to(&r, 1);
    check(&r, "hook", 3, 1e-9, way);
    check(&r, "ball", both, 1e-9, way);
    check(&r, "car", both, 1e-9, way);
    check(&r, "balance", 0, 10 * ways[way].tolerance, way);
    const artCertificate c = art_certify(r.run);
    CHECK_EQ_INT(c.impacts, 1);
    CHECK_CLOSE(c.latch_loss, loss, 1e-8);
  }
}


TEST(a_latch_engages_where_a_drive_strikes)
{
  check_struck("\"= time - 0.5[s]\"");
  check_struck("\"= h.rate - 2[m/s]\"");
}


//---- a brake -------------------------------------------------------------------------------------

// potential energy near a state, loops closed, and the angle of the crank that it belongs to
static double potential_near(const artModel *m, artData *d, const double *q, double h,
                             double *angle)
{
  const int k = art_find_position(m, "pivot.angle");
  memcpy(d->q, q, (size_t) art_count(m).nq * sizeof *q);
  d->q[k] += h;
  CHECK(art_assemble(m, d, NULL, NULL) == ART_OK);
  *angle = d->q[k];
  return art_energy(m, d).potential;
}


TEST(a_brake_stops_a_linkage)
{
  artModel *m = keep_machine("loops/four-bar-lock");
  for (int way = 0; way < WAYS; way++) {
    const double tolerance = ways[way].tolerance;
    testRun r = begin(m, way, 1);
    go_to(&r, 0.2);
    check(&r, "held", 0, 0, way);
    const double kinetic = art_energy(m, r.d).kinetic, angle = output(&r, "angle");
    go_to(&r, 0.35);
    check(&r, "held", 1, 0, way);
    check(&r, "rate", 0, 1e-9, way);
    check(&r, "angle", angle, 1e-9 + tolerance, way);
    const double force = output(&r, "brake"), loss = art_certify(r.run).latch_loss;
    CHECK_CLOSE(loss, kinetic, 1e-7 + 300 * tolerance);
    CHECK_EQ_INT(art_certify(r.run).dof, 0);

    // at rest the brake carries what the weight does along the only motion there is
    if (way == 0) {
      artData *d = keep_fresh_data(m);
      double low, high;
      const double rise =
          potential_near(m, d, r.d->q, 1e-4, &high) - potential_near(m, d, r.d->q, -1e-4, &low);
      CHECK_NEAR(&force, (double[]){rise / (high - low)}, 1, 1e-5);
    }
    go_to(&r, 1);
    check(&r, "held", 0, 0, way);
    check(&r, "balance", 0, 300 * tolerance, way);
    CHECK_EQ_INT(art_certify(r.run).dof, 1);
  }
}


static const char pendulum[] =
    "articula: 1\n"
    "bodies: {rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01]}}\n"
    "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n"
    "initial: {pin: {angle: 60 deg}}\n";


// A cart that rolls at 1 m/s is stopped at 0.29 m, however the condition says so, also by a block that nothing else reads.
static const char rolling[] = "articula: 1\n"
                              "gravity: [0, 0, 0]\n"
                              "bodies: {cart: {mass: 2}}\n"
                              "joints: {x: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                              "blocks:\n"
                              "  left: {type: formula, value: '= 0.29 - x.slide'}\n"
                              "  on: {type: formula, value: '= x.slide - 0.29'}\n"
                              "latches: {stop: {type: lock, coordinate: x, engage: \"= %s\"%s}}\n"
                              "initial: {x: {rate: 1}}\n";


static void check_stopped(const char *condition, const char *release, int way)
{
  artModel *m = keep_text_of(rolling, condition, release);
  testRun r = begin(m, way, 1);
  if (go_to(&r, 0.2)) CHECK_CLOSE(r.d->q[0], 0.2, 1e-9);
  if (go_to(&r, 1)) CHECK_CLOSE(r.d->q[0], 0.29, 1e-7);
}


TEST(conditions_begin_on_the_branch_where_they_stand)
{
  static const char *const condition[] = {
      "0.01 - abs(0.01 - on)", "0.01 - abs(left + 0.01)", "min(on, 2*on)",    "min(-left, -2*left)",
      "-max(left, 2*left)",    "if(left > 0, -1, 1)",     "if(on > 0, 1, -1)"};
  for (size_t i = 0; i < sizeof condition / sizeof *condition; i++) {
    check_stopped(condition[i], "", 0);
    check_stopped(condition[i], "", 1);
    check_stopped(condition[i], "", 8);

    // one that may not hold stops the cart and lets go
    check_stopped(condition[i], ", release: '= time - 0.1[s]'", 0);
  }
}


// Conditions that read blocks: none is true before a corner in them, nor passed over for being true for less than a step.
TEST(conditions_through_blocks_come_true_where_they_stand)
{
  for (int way = 0; way < WAYS; way++) {
    artModel *m = keep_file("test/models/good/conditions.yaml");
    testRun r = begin(m, way, 1.5);
    if (go_to(&r, 0.6)) {
      check(&r, "y", 0.5 - 1e-6, ways[way].tolerance, way);
      check(&r, "z", 0.1 + 0.64 / 6, ways[way].tolerance, way);
    }
    if (go_to(&r, 1.5)) check(&r, "x", 0.5, ways[way].tolerance, way);
  }
}


// Before 1 s the conditions are no numbers: 0.25 m are left at 0.5 s, and the lock holds from 2 s on.
TEST(conditions_that_are_no_numbers_ask_for_nothing)
{
  artModel *m = keep_file("test/models/good/undefined-conditions.yaml");
  for (int way = 0; way < WAYS; way++) {
    testRun r = begin(m, way, 2.5);
    if (go_to(&r, 0.5 - 1e-3)) check(&r, "coupled", 0, 0, way);
    if (go_to(&r, 0.5 + 1e-3)) check(&r, "coupled", 1, 0, way);
    check(&r, "braked", 0, 0, way);
    if (go_to(&r, 2.5)) {
      check(&r, "braked", 1, 0, way);
      check(&r, "z", 0.5, ways[way].tolerance, way);
      check(&r, "x", 0.25 + 0.2 * 2, ways[way].tolerance, way);
    }
  }
}


// let go at 1 s it swings as one that was let go at 0 s
TEST(a_lock_lets_go_in_time)
{
  artModel *plain = keep_text(pendulum);
  artModel *m = keep_text_of("%slatches: {catch: {type: lock, coordinate: pin, engaged: true, "
                             "while: \"= 1[s] - time\"}}\n",
                             pendulum);
  for (int way = 0; way < WAYS; way++) {
    testRun a = begin(plain, way, 2), b = begin(m, way, 2);
    go_to(&b, 0.5);
    check(&b, "pin.angle", acos(-1.0) / 3, 1e-12, way);
    const double want = 2 * G * 0.5 * sin(acos(-1.0) / 3);
    check(&b, "catch.force", want, 1e-9 * want + 100 * ways[way].tolerance, way);
    for (double t = 0.25; t <= 1; t += 0.25) {
      go_to(&a, t);
      go_to(&b, 1 + t);
      check(&b, "pin.angle", a.d->q[0], 3 * ways[way].tolerance, way);
      check(&b, "pin.rate", a.d->v[0], 10 * ways[way].tolerance, way);
    }
  }
}


//---- the balance of impulses ---------------------------------------------------------------------

// five bars in space, of which the third pin and the sum of two others stop
#define BAR(name) "  " name ": {mass: 1.3, com: [0.2, 0.05, 0.1], inertia: [0.02, 0.03, 0.025]}\n"
static const char chain[] =
    "articula: 1\n"
    "bodies:\n" BAR("a") BAR("b") BAR("c") BAR("d")
        BAR("e") "joints:\n"
                 "  p: {type: revolute, axis: y, from: ground, to: a}\n"
                 "  q: {type: revolute, axis: x, from: a, to: b, at: [0.4, 0, 0]}\n"
                 "  r: {type: prismatic, axis: z, from: b, to: c, at: [0.4, 0, 0.2]}\n"
                 "  s: {type: revolute, axis: [1, 1, 0], from: c, to: d, at: [0.4, 0.3, 0.2]}\n"
                 "  t: {type: revolute, axis: z, from: d, to: e, at: [0.6, 0.3, 0.2]}\n"
                 "latches:\n"
                 "  one: {type: lock, coordinate: r, engage: \"= time - 0.25[s]\"}\n"
                 "  sum: {type: lock, coordinates: {p: 1, t: -2}, engage: \"= time - 0.25[s]\"}\n"
                 "initial: {p: {rate: 2}, q: {rate: -1}, r: {rate: 0.7}, s: {rate: 3}, t: {rate: "
                 "-2}}\n";


// M v1 + J^T p = M v0, J v1 = 0
TEST(locks_of_a_chain_agree_with_a_dense_solution)
{
  enum { NV = 5, ROWS = 2, N = NV + ROWS };
  artModel *m = keep_text(chain);
  for (int way = 0; way < WAYS; way++) {
    double M[NV * NV], A[N * N] = {0}, b[N] = {0}, J[ROWS][NV] = {{0}};
    J[0][art_find_velocity(m, "r.rate")] = 1;
    J[1][art_find_velocity(m, "p.rate")] = 1;
    J[1][art_find_velocity(m, "t.rate")] = -2;
    testRun r = begin(m, way, 0.5);
    go_to(&r, 0.25);
    art_mass_matrix(m, r.d, M);
    for (int i = 0; i < NV; i++) {
      for (int j = 0; j < NV; j++) {
        A[i * N + j] = M[i * NV + j];
        b[i] += M[i * NV + j] * r.d->v[j];
      }
      for (int k = 0; k < ROWS; k++) A[i * N + NV + k] = A[(NV + k) * N + i] = J[k][i];
    }
    CHECK(full_solve(N, A, b));
    const double before = art_energy(m, r.d).kinetic;
    go_to(&r, 0.25 + 1e-8);
    CHECK_NEAR(r.d->v, b, NV, 1e-6 + 10 * ways[way].tolerance);
    const artCertificate c = art_certify(r.run);
    CHECK_EQ_INT(c.latched, 2);
    const double after = art_energy(m, r.d).kinetic, lost = before - after;
    CHECK(lost > 0.1);
    CHECK_CLOSE(c.latch_loss, lost, 1e-5 + 300 * ways[way].tolerance);
    go_to(&r, 0.5);
    check(&r, "energy.balance", 0, 1e-6 + 300 * ways[way].tolerance, way);
  }
}


//---- rows that follow from others, and what is refused -------------------------------------------

#define FOUR_BAR                                                                                   \
  "articula: 1\n"                                                                                  \
  "ground: {points: {far: [0.5, 0, 0]}}\n"                                                         \
  "bodies:\n"                                                                                      \
  "  crank: {mass: 1, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.001]}\n"                           \
  "  coupler: {mass: 2, com: [0.3, 0, 0.2], inertia: [0.002, 0.08, 0.08]}\n"                       \
  "  rocker: {mass: 1.5, com: [0.55, 0, 0.1], inertia: [0.03, 0.03, 0.001]}\n"                     \
  "joints:\n"                                                                                      \
  "  a: {type: revolute, axis: y, from: ground, to: crank, at: [0, 0, 0]}\n"                       \
  "  b: {type: revolute, axis: y, from: crank, to: coupler, at: [0, 0, 0.2]}\n"                    \
  "  c: {type: revolute, axis: y, from: coupler, to: rocker, at: [0.6, 0, 0.2]}\n"                 \
  "  d: {type: revolute, axis: y, from: rocker, to: ground, at: [0.5, 0, 0]}\n"

static const char two_brakes[] =
    FOUR_BAR "latches:\n"
             "  one: {type: lock, coordinate: a, engage: \"= time - 0.1[s]\"}\n"
             "  two: {type: lock, coordinate: d, engage: \"= time - 0.2[s]\"}\n"
             "initial: {a: {rate: 2}}\n";


TEST(a_second_brake_is_redundant)
{
  artModel *m = keep_text(two_brakes);
  testRun r = begin(m, 0, 0.4);
  go_to(&r, 0.15);
  const int first = art_certify(r.run).redundant;
  go_to(&r, 0.4);
  const artCertificate c = art_certify(r.run);
  CHECK_EQ_INT(c.redundant, first + 1);
  CHECK_EQ_INT(c.dof, 0);
  CHECK_EQ_INT(c.latched, 2);
}


// a run of the text ends so
static void check_end(const char *text, double until, const char *want)
{
  artModel *m = NULL;
  artError error = {0};
  artStatus status = art_read_model(&m, text, strlen(text), "test.yaml", &error);
  if (status == ART_OK) {
    artRunDef study = art_default_run();
    study.until = until;
    artRun *run = NULL;
    keep_model(m);
    artData *d = keep_fresh_data(m);
    status = art_create_run(&run, m, d, &study, &error);
    if (status == ART_OK) status = art_run_to(run, until, &error);
    art_free_run(run);
  }
  CHECK(status != ART_OK);
  CHECK_CONTAINS(error.text, want);
  CHECK_CONTAINS(error.text, "test.yaml:");
}


TEST(contradictions_are_refused)
{
  check_end(FOUR_BAR "latches: {hold: {type: lock, coordinate: d, engage: \"= time - 0.1[s]\"}}\n"
                     "drives: {turn: {coordinate: a, value: = 0.5*time}}\n",
            0.5, "cannot hold what drives move");
  check_end(FOUR_BAR "latches: {hold: {type: lock, coordinate: a, engage: \"= time - 0.1[s]\"}}\n"
                     "drives: {turn: {coordinate: a, value: = 0.5*time}}\n",
            0.5, "lock 'hold' holds 'a', which a drive moves");
  check_end(FOUR_BAR "latches: {line: {type: rope, between: [ground.far, crank], length: 0.2}}\n",
            0.5, "rope 'line' is 0.2 m long, but its points are 0.5 m apart");
  check_end(FOUR_BAR "latches: {hold: {type: lock, coordinate: a}}\n", 0.5,
            "lock 'hold' never engages");
  check_end(FOUR_BAR "latches: {hold: {type: lock, coordinates: {a: 0, d: 0}, engage: \"= time - "
                     "0.1[s]\"}}\n",
            0.5, "lock 'hold' has no factor but zero");
  check_end(FOUR_BAR "latches: {hold: {type: latch, between: [ground, rockr], distance: 1 mm}}\n",
            1, "did you mean 'rocker'");
  check_end(FOUR_BAR "latches: {hold: {type: lock, coordinate: a, engage: \"= hold.tension\"}}\n",
            1, "lock 'hold' has no output 'tension'; it has engaged force");
  check_end(FOUR_BAR "latches: {one: {type: lock, coordinate: a, while: \"= 0.5 - two.engaged\"}, "
                     "two: {type: lock, coordinate: a, while: \"= one.engaged - 0.5\"}}\n",
            1, "contradict each other");
}


// A weight on a spring that would hang 1.081 m below, on a rope of 1 m: slack it is not an equilibrium, taut it is. Above
// 1.081 m a rope would have to push.
TEST(equilibria_keep_ropes)
{
  static const char machine[] =
      "articula: 1\n"
      "bodies: {ball: {mass: 1 kg, inertia: [0.004, 0.004, 0.004]}}\n"
      "joints: {z: {type: prismatic, axis: z, from: ground, to: ball}}\n"
      "forces: {k: {type: spring-damper, between: [ground, ball], stiffness: 10, free_length: "
      "0.1}}\n"
      "initial: {z: {slide: = -a}}\n"
      "latches: {r: {type: rope, between: [ground, ball], length: = b, engaged: %s}}\n"
      "outputs: {tension: r.force}\n"
      "parameters: {a: %g, b: %g}\n";
  static const struct {
    const char *engaged;
    double start, length;
    const char *words;
  } cases[] = {{"false", 0.5, 1, "rope 'r' is 1 m long, but its points would be 1.081 m apart"},
               {"true", 1, 1, NULL},
               {"true", 1.2, 1.2, "rope 'r' would have to push with 1.19 N"},
               {"false", 0.5, 1.2, NULL}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    artModel *m = keep_text_of(machine, cases[k].engaged, cases[k].start, cases[k].length);
    artData *d = keep_fresh_data(m);
    artEquilibrium rest;
    artError error = {0};
    CHECK_EQ_INT(art_find_equilibrium(m, d, &rest, &error),
                 cases[k].words ? ART_BAD_INPUT : ART_OK);
    if (cases[k].words) CHECK_CONTAINS(error.text, cases[k].words);
  }
}


// a motion that would tear a rope has no forces
TEST(motions_leave_ropes_slack)
{
  artModel *m = keep_text("articula: 1\n"
                          "bodies: {load: {mass: 2}}\n"
                          "joints: {z: {type: prismatic, axis: z, from: ground, to: load}}\n"
                          "latches: {r: {type: rope, between: [ground, load], length: 1 m}}\n"
                          "study: {type: inverse, until: 1 s, motion: {z: = -2*time}}\n");
  artData *d = keep_fresh_data(m);
  double tau;
  const artInverseDef *study = &art_find_study(m, ART_INVERSE, NULL)->inverse;
  CHECK_WORKS(art_inverse_at(m, d, study, 0.4, &tau, &check_error));
  CHECK_CLOSE(tau, 2 * G, 1e-12);
  CHECK_FAILS(art_inverse_at(m, d, study, 0.6, &tau, &check_error), ART_BAD_INPUT,
              "rope 'r' is 1 m long, but the motion takes its points 1.2 m apart");
}


// methods for trees cannot close the loop
TEST(methods_for_trees_are_refused)
{
  artModel *m = keep_machine("rope-pendulum");
  artData *d = keep_fresh_data(m);
  for (int k = 0; k < 2; k++) {
    artRunDef study = art_default_run();
    artRun *run = NULL;
    model_set_way(&study, k ? ART_MASS_MATRIX : ART_ORDER_N);
    CHECK_FAILS(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT,
                "is for machines without closed loops");
  }
}


// After a run the data belongs to the model again, and serves another run to the same bits.
TEST(a_run_leaves_its_data_as_it_was)
{
  artModel *m = keep_machine("rope-pendulum");
  artData *d = keep_fresh_data(m);
  double first[2] = {0};
  for (int k = 0; k < 2; k++) {
    art_reset(m, d);
    artRunDef study = art_default_run();
    study.until = 1;
    artRun *run = NULL;
    CHECK(art_create_run(&run, m, d, &study, NULL) == ART_OK);
    CHECK(art_run_to(run, 1, NULL) == ART_OK);
    CHECK(m->engaged[0] == 1 && d->work->now->engaged[0] == 0);
    art_free_run(run);
    CHECK(d->work->now == m);
    CHECK(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK);
    if (k == 0) memcpy(first, d->q, sizeof first);
  }
  CHECK(memcmp(first, d->q, sizeof first) == 0);
}
