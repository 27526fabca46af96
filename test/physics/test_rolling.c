// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What rolls without slip: discs on circles, balls, sleighs, a cart, and the bicycle of the benchmark of Meijaard,
// Papadopoulos, Ruina and Schwab (2007), against closed forms, by every method that takes them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "method/method.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"

#define ROLLING "models/contact/rolling/"

static const double G = 9.81;
static const artMethod ways[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
enum { WAYS = sizeof ways / sizeof *ways };


// the outputs at t; the loops closed, nothing slips, and the energy kept
static void run_to(const artModel *m, artMethod way, double t, double *value)
{
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.method = way;
  study.tolerance = 1e-11;
  study.until = t;
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK)) {
    puts(check_error.text);
    return;
  }
  const artCertificate c = art_certify(run);
  CHECK(c.position_residual < 1e-12 && c.velocity_residual < 1e-12);
  CHECK(c.acceleration_residual < 1e-10 && c.energy_error < 1e-8);
  art_outputs(m, d, value);
}


//---- closed forms --------------------------------------------------------------------------------

// once around in 2 pi/W,  W = s r/R,  s^2 = 4 (g/r) sin b / ((6 - 5 (r/R) sin b) (r/R) cos b)
TEST(a_tilted_disc_rolls_around_a_circle)
{
  const artModel *m = keep_file(ROLLING "disc.yaml");
  const double r = 0.05, R = 0.5, b = acos(-1.0) / 36, rho = r / R;
  const double spin = sqrt(4 * G / r * sin(b) / ((6 - 5 * rho * sin(b)) * rho * cos(b)));
  const double turn = spin * rho, period = 2 * acos(-1.0) / turn, out = R - r * sin(b);
  CHECK_CLOSE(period, 5.852173783, 1e-9);
  for (int way = 0; way < WAYS; way++) {
    double quarter[8], whole[8];
    run_to(m, ways[way], period / 4, quarter);
    CHECK_CLOSE(quarter[0], out, 1e-7);
    CHECK_CLOSE(quarter[2], R, 1e-7);
    run_to(m, ways[way], period, whole);
    CHECK_CLOSE(whole[0], 0, 1e-6);
    CHECK_CLOSE(whole[1], -out, 1e-7);
    CHECK_CLOSE(whole[3], -R, 1e-7);
    CHECK_CLOSE(whole[4], G, 1e-8); // of 1 kg
    CHECK_CLOSE(whole[5], 0, 1e-8);
    CHECK_CLOSE(whole[6], turn * turn * out, 1e-7);
  }
}


// 5/7 g sin, where the ground holds 2/7 of the weight along the slope
TEST(a_ball_rolls_down_a_slope)
{
  const artModel *m = keep_file(ROLLING "slope.yaml");
  const double slope = acos(-1.0) / 12, a = 5.0 / 7 * G * sin(slope);
  for (int way = 0; way < WAYS; way++) {
    double value[8];
    run_to(m, ways[way], 1, value);
    CHECK_CLOSE(value[0], a / 2, 1e-10);
    CHECK_CLOSE(value[1], a, 1e-10);
    CHECK_CLOSE(value[2], 3 * G * cos(slope), 1e-9);
    CHECK_CLOSE(value[3], -3 * 2.0 / 7 * G * sin(slope), 1e-9);
  }
}


// With w = turning rate, u = speed of the blade, a = 0.5, k^2 = (I + m a^2)/m = 0.5:
//   u' = a w^2,  w' = -a u w/k^2,  u^2 + k^2 w^2 constant,  w = w0 / cosh(c t),  u = c k^2/a tanh(c t)
TEST(a_sleigh_turns_into_a_straight_line)
{
  const artModel *m = keep_file(ROLLING "sleigh.yaml");
  const double a = 0.5, square = 0.5, rate = 2, c = rate * a / sqrt(square);
  for (int way = 0; way < WAYS; way++) {
    double value[8];
    run_to(m, ways[way], 0.7, value);
    const double angle = 2 * atan(tanh(c * 0.35)) * rate / c;
    CHECK_CLOSE(value[2], angle, 1e-9);
    CHECK_CLOSE(value[3], rate * sqrt(square) * tanh(c * 0.7), 1e-9);
    const double w = rate / cosh(c * 0.7), u = rate * sqrt(square) * tanh(c * 0.7);
    CHECK_CLOSE(value[4], (1 - a * a / square) * u * w, 1e-8);
    run_to(m, ways[way], 20, value);
    CHECK_CLOSE(value[2], acos(-1.0) / sqrt(2), 1e-8);
    CHECK_CLOSE(value[3], sqrt(2), 1e-8);
  }
}


//---- planes that move ----------------------------------------------------------------------------

// x'' = 2/7 rate z x x'
TEST(a_ball_circles_on_a_turntable)
{
  const artModel *m = keep_file(ROLLING "turntable.yaml");
  const double turn = 2.0 / 7 * 3, v = 0.2, t = 5, force = 3 * turn * v;
  for (int way = 0; way < WAYS; way++) {
    double value[8];
    run_to(m, ways[way], t, value);
    CHECK_CLOSE(value[0], 0.3 + v / turn * sin(turn * t), 1e-9);
    CHECK_CLOSE(value[1], v / turn * (1 - cos(turn * t)), 1e-9);
    CHECK_CLOSE(hypot(value[2], value[3]), force, 1e-9);
  }
}


// Energy is kept, and rows and their rates agree with the motion, where everything turns.
TEST(methods_agree_on_what_rolls_on_a_plate_that_rocks)
{
  const artModel *m = keep_file("test/models/rolling-plate.yaml");
  double value[WAYS][9];
  for (int way = 0; way < WAYS; way++) run_to(m, ways[way], 1, value[way]);
  CHECK_CLOSE(value[0][0], 0.27078010947, 1e-8); // by rk4 of 0.1 ms
  for (int way = 1; way < WAYS; way++) CHECK_NEAR(value[way], value[0], 9, 1e-6);
}


//---- modes ---------------------------------------------------------------------------------------

// eigenvalues that are not zero, by modulus; returns their number
static int find_eigenvalues(const artModel *m, int order, double *re, double *im)
{
  artLinear *lin = NULL;
  artData *d = keep_fresh_data(m);
  int n = 0;
  if (!CHECK_WORKS(art_linearise(m, d, ART_AUTOMATIC, &lin, &check_error))) return 0;
  keep_linear(lin);
  CHECK_EQ_INT(lin->order, order);
  for (int e = 0; e < lin->order; e++) {
    if (lin->real[e] == 0 && lin->imaginary[e] == 0) continue;
    re[n] = lin->real[e];
    im[n++] = lin->imaginary[e];
  }
  return n;
}


// Upright, with A across and C about the axle in m r^2 and the spin w,
//   (A + 1) q'' + (C (C + 1)/A w^2 - g/r) q = 0:  stable above  w^2 = g/r A/(C (C + 1))
static void check_upright(double C)
{
  const double A = C / 2, r = 0.3, limit = sqrt(G * r * A / (C * (C + 1)));
  double re[16], im[16];
  for (int k = 0; k < 2; k++) {
    const double v = (k ? 1.01 : 0.99) * limit, w = v / r;
    const artModel *m =
        keep_text_of("articula: 1\n"
                     "bodies: {a: {}, b: {}, c: {}, d: {}, e: {}, disc: {mass: 2, inertia: [%.17g, "
                     "%.17g, %.17g]}}\n"
                     "joints:\n  x: {type: prismatic, axis: x, from: ground, to: a}\n"
                     "  y: {type: prismatic, axis: y, from: a, to: b}\n"
                     "  z: {type: prismatic, axis: z, from: b, to: c}\n"
                     "  yaw: {type: revolute, axis: z, from: c, to: e}\n"
                     "  lean: {type: revolute, axis: x, from: e, to: d}\n"
                     "  hub: {type: revolute, axis: y, from: d, to: disc}\n"
                     "  rim: {type: rolling-disc, from: ground, to: disc, radius: 0.3}\n"
                     "initial: {z: {slide: 0.3}, x: {rate: %.17g}}\n",
                     2 * A * r * r, 2 * C * r * r, 2 * A * r * r, v);

    // five positions and three velocities; two eigenvalues are not zero
    if (!CHECK_EQ_INT(find_eigenvalues(m, 8, re, im), 2)) return;
    const double square = (C * (C + 1) / A * w * w - G / r) / (A + 1);
    CHECK_CLOSE(k ? im[1] : re[0] > 0 ? re[0] : re[1], sqrt(fabs(square)), 1e-7);
    CHECK_CLOSE(k ? re[1] : im[0], 0, 1e-7);
  }
}


TEST(a_disc_stays_upright_above_its_speed)
{
  check_upright(0.5); // v^2 = g r/3
  check_upright(1);   // a hoop: v^2 = g r/4
}


static artModel *bicycle_at(double v)
{
  artModel *m = keep_file(ROLLING "bicycle.yaml");
  if (m) CHECK_WORKS(art_set_parameter(m, "v", v, &check_error));
  return m;
}


// Seven positions and three velocities are free. Where it is, its heading, the angles of the wheels and its speed are
// indifferent; weave, capsize and castering are those of the paper, table 2 and section 5.
TEST(the_bicycle_has_the_eigenvalues_of_the_benchmark)
{
  static const struct {
    double v, capsize, weave_re, weave_im, caster;
  } known[] = {
      {1, -3.13423125066578, 3.52696170990070, 0.80774027519930, -7.11008014637442},
      {5, -0.32286642900409, -0.77534188219585, 4.46486771378823, -14.07838969279822},
  };
  double re[16], im[16];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const artModel *m = bicycle_at(known[i].v);
    if (!CHECK_EQ_INT(find_eigenvalues(m, 10, re, im), 4)) return;
    CHECK_CLOSE(re[0], known[i].capsize, 1e-9);
    CHECK_CLOSE(re[2], known[i].weave_re, 1e-9);
    CHECK_CLOSE(im[2], known[i].weave_im, 1e-9);
    CHECK_CLOSE(re[3], known[i].caster, 1e-9);
  }

  // the weave becomes stable, then the capsize unstable
  if (!CHECK_EQ_INT(find_eigenvalues(bicycle_at(4.29238253634111), 10, re, im), 4)) return;
  CHECK_CLOSE(re[1], 0, 1e-9);
  static const double speed[4] = {5.9, 5.96, 6.08, 6.14};
  double at[4], root = 0;
  for (int k = 0; k < 4; k++) {
    if (!CHECK_EQ_INT(find_eigenvalues(bicycle_at(speed[k]), 10, re, im), 4)) return;
    at[k] = re[0];
  }
  for (int k = 0; k < 4; k++) {
    double share = speed[k];
    for (int j = 0; j < 4; j++) share *= j == k ? 1 : at[j] / (at[j] - at[k]);
    root += share;
  }
  CHECK_CLOSE(root, 6.02426201538837, 1e-4);
}


// x = exp(A t) x0 by its series
static void follow_linear(const artLinear *lin, double t, double *x)
{
  const int n = lin->order;
  double *term = keep_numbers(n), *next = keep_numbers(n);
  memcpy(term, x, (size_t) n * sizeof *x);
  for (int k = 1; k < 80; k++) {
    for (int i = 0; i < n; i++) {
      next[i] = 0;
      for (int j = 0; j < n; j++) next[i] += lin->A[(long) i * n + j] * term[j] * t / k;
    }
    memcpy(term, next, (size_t) n * sizeof *x);
    for (int i = 0; i < n; i++) x[i] += term[i];
  }
}


// A small lean at 4.6 m/s moves as the linear equations say: lean, steer and the way to the side.
TEST(a_run_of_the_bicycle_follows_its_linear_equations)
{
  const artModel *m = bicycle_at(4.6);
  artData *d = keep_fresh_data(m);
  artLinear *lin = NULL;
  if (!CHECK_WORKS(art_linearise(m, d, ART_AUTOMATIC, &lin, &check_error))) return;
  keep_linear(lin);
  const double lean = 1e-5, t = 0.9; // before the gust
  double x[10] = {0};
  CHECK_EQ_INT(lin->order, 10);
  x[2] = lean;
  CHECK_TEXT(m->velocity[lin->coordinate[2]].name, "flight.wx");
  follow_linear(lin, t, x);
  for (int way = 0; way < WAYS; way++) {
    artData *moved = keep_fresh_data(m);
    for (int k = 0; k < m->tree.nq; k++) {
      if (strcmp(m->position[k].name, "flight.qx") == 0) moved->q[k] = lean / 2;
    }
    artRunDef study = art_default_run();
    study.method = ways[way];
    study.tolerance = 1e-12;
    study.until = t;
    artRun *run = keep_started_run(m, moved, &study);
    if (!CHECK_WORKS(art_run_to(run, t, &check_error))) return;
    double value[8];
    art_outputs(m, moved, value);
    CHECK_CLOSE(value[1] / lean, x[2] / lean, 1e-5);
    CHECK_CLOSE(value[2] / lean, x[5] / lean, 1e-5);
    CHECK_CLOSE(value[0] / lean, x[1] / lean, 1e-5);
  }
}


//---- steady motions ------------------------------------------------------------------------------

// On a circle of the radius R = 1 m / tan(steer) the pendulum of 0.5 m swings out by  tan p = W^2 (R + 0.5 sin p)/g.
TEST(a_tricycle_goes_around_a_circle)
{
  const artModel *m = keep_file(ROLLING "tricycle.yaml");
  artData *d = keep_fresh_data(m);
  const double v = 3, R = 1 / tan(acos(-1.0) / 9), turn = v / R;
  double swing = 0, value[8];
  for (int i = 0; i < 200; i++) swing = atan(turn * turn * (R + 0.5 * sin(swing)) / G);
  artTrim trim;
  if (!CHECK_WORKS(art_find_trim(m, d, v, &trim, &check_error))) return;
  CHECK_CLOSE(trim.yaw_rate, turn, 1e-12);
  CHECK_CLOSE(trim.gain, 0, 1e-12);
  art_outputs(m, d, value);
  CHECK_CLOSE(value[2], -swing, 1e-10);
  for (int k = 0; k < m->tree.nv; k++) {
    if (strcmp(m->velocity[k].name, "left_hub.rate") == 0)
      CHECK_CLOSE(d->v[k], turn * (R - 0.4) / 0.2, 1e-10);
  }
}


// Hands off, leaning into a circle, where the frame turns: a small rate of the steering moves it as the linear equations say.
TEST(the_bicycle_follows_its_linear_equations_on_a_circle)
{
  const artModel *m = bicycle_at(3);
  artData *d = keep_fresh_data(m);
  artTrim trim;
  artLinear *lin = NULL;
  const double push = 1e-5, t = 0.6;
  int steer = 0, speed = 0, count, at = 0;
  while (strcmp(m->position[steer].name, "steer.angle") != 0) steer++;
  while (strcmp(m->velocity[speed].name, "steer.rate") != 0) speed++;
  d->q[steer] = 0.6;
  for (int k = 0; k < m->tree.nq; k++) {
    if (strcmp(m->position[k].name, "flight.qx") == 0) d->q[k] = -0.15;
  }
  if (!CHECK_WORKS(art_find_trim(m, d, 3, &trim, &check_error))) return;
  CHECK(trim.yaw_rate > 1);
  const double angle = d->q[steer];
  if (!CHECK_WORKS(art_linearise(m, d, ART_AUTOMATIC, &lin, &check_error))) return;
  keep_linear(lin);
  while (at < lin->nspeed && lin->coordinate[lin->speed[at]] != speed) at++;
  if (!CHECK(at < lin->nspeed)) return;
  double x[10] = {0};
  x[lin->n + at] = push;
  follow_linear(lin, t, x);

  d->v[speed] += push;
  CHECK_WORKS(method_roll_choose(m, d, &count, &check_error));
  CHECK_WORKS(method_roll_follow(m, d, &check_error));
  artRunDef study = art_default_run();
  study.tolerance = 1e-12;
  study.until = t;
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK_WORKS(art_run_to(run, t, &check_error))) return;
  CHECK_CLOSE((d->q[steer] - angle) / push, x[lin->speed[at]] / push, 1e-4);
}


//---- rows that are redundant, and forces that pull -----------------------------------------------

TEST(methods_agree_on_a_cart_whose_side_forces_are_not_unique)
{
  const artModel *m = keep_file(ROLLING "cart.yaml");
  double value[WAYS][8];
  for (int way = 0; way < WAYS; way++) run_to(m, ways[way], 4, value[way]);
  CHECK(fabs(value[0][3]) > 1); // the caster has turned
  for (int way = 1; way < WAYS; way++) CHECK_NEAR(value[way], value[0], 7, 1e-6);
  CHECK_CLOSE(value[0][6], 0, 1e-12);
}


TEST(a_wheel_that_would_lift_off_makes_the_verdict_doubtful)
{
  const artModel *m =
      keep_text("articula: 1\nbodies: {hoop: {mass: 2, inertia: [0.09, 0.18, 0.09]}}\n"
                "joints:\n  loose: {type: free, from: ground, to: hoop}\n"
                "  rim: {type: rolling-disc, from: ground, to: hoop, radius: 0.3}\n"
                "forces:\n  up: {type: force, point: hoop, value: [0, 0, \"= "
                "30[N]/1[s]*time\"]}\n"
                "initial: {loose: {z: 0.3, vx: 1}}\n");
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.until = 1;
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.65, &check_error)); // 2 g/30 s = 0.654 s
  artCertificate c = art_certify(run);
  CHECK(c.pull == 0 && art_judge(&c, NULL).verdict == ART_VERDICT_GOOD);
  CHECK_WORKS(art_run_to(run, 1, &check_error));
  c = art_certify(run);
  const artJudgement j = art_judge(&c, NULL);
  CHECK_EQ_INT((int) j.verdict, ART_VERDICT_DOUBTFUL);
  CHECK_CONTAINS(j.reason[0], "'rim' would lift off");
  CHECK(c.pull_time > 0.654 && c.pull_time < 0.9);
  CHECK_CLOSE(c.pull, 30 - 2 * G, 0.5);
}


// Steps of half a second, in which the sleigh turns by more than half a radian, slip before they are projected: the run says so.
TEST(steps_that_are_too_long_make_the_verdict_doubtful)
{
  const artModel *m = keep_file(ROLLING "sleigh.yaml");
  artRunDef study = art_default_run();
  study.integrator = ART_RK4;
  study.until = 2;
  for (int k = 0; k < 2; k++) {
    study.step = k ? 0.5 : 0.005;
    artRun *run = keep_started_run(m, keep_fresh_data(m), &study);
    CHECK_WORKS(art_run_to(run, 2, &check_error));
    const artCertificate c = art_certify(run);
    CHECK_EQ_INT((int) art_judge(&c, NULL).verdict, k ? ART_VERDICT_DOUBTFUL : ART_VERDICT_GOOD);
    CHECK(k ? c.velocity_violation > 1e-3 : c.velocity_violation < 1e-6);
  }
}


//---- what is refused -----------------------------------------------------------------------------

static void check_refused(const char *joint, const char *initial, const char *words)
{
  char text[1000];
  snprintf(text, sizeof text,
           "articula: 1\nbodies: {disc: {mass: 2, inertia: [0.09, 0.18, 0.09]}, post: {}}\n"
           "joints:\n  loose: {type: free, from: ground, to: disc}\n"
           "  stand: {type: fixed, from: ground, to: post}\n%s"
           "initial: {loose: {%s}}\n",
           joint, initial);
  artModel *m = NULL;
  artStatus status = art_read_model(&m, text, strlen(text), "bad.yaml", &check_error);
  if (status == ART_OK) {
    keep_model(m);
    status = art_assemble(m, keep_fresh_data(m), NULL, &check_error);
  }
  CHECK_EQ_INT((int) status, ART_BAD_INPUT);
  CHECK_CONTAINS(check_error.text, words);
  CHECK_CONTAINS(check_error.text, "bad.yaml:");
}


TEST(bad_rolling_joints_are_refused)
{
  static const char rim[] = "  rim: {type: rolling-disc, from: ground, to: disc, radius: 0.3}\n";
  check_refused("  rim: {type: rolling-disc, from: ground, to: disc, radius: 0}\n", "z: 0.3",
                "the radius of 'rim' is 0");
  check_refused("  rim: {type: rolling-ball, from: ground, to: disc, radius: -1}\n", "z: 0.3",
                "the radius of 'rim' is -1");
  check_refused("  rim: {type: rolling-ball, from: ground, to: post, radius: 0.3}\n", "z: 0.3",
                "body 'post' is fixed to its plane");
  check_refused("  rim: {type: rolling-disc, axis: z, from: ground, to: disc, radius: 0.3}\n",
                "z: 0.3", "'rim' heads nowhere");
  check_refused("  rim: {type: rolling-disc, from: floor, to: disc, radius: 0.3}\n", "z: 0.3",
                "'floor'");
  char twice[300];
  snprintf(twice, sizeof twice,
           "%s  edge: {type: rolling-disc, from: ground, to: disc, radius: 0.3}\n", rim);
  check_refused(twice, "z: 0.3", "roll at the same point");
  check_refused(rim, "z: 0.3, vx: 5, wy: 10", "contradict the rolling of 'rim', which slips by 2");
}


TEST(studies_that_do_not_take_rolling_say_so)
{
  const artModel *m = keep_file(ROLLING "sleigh.yaml");
  artData *d = keep_assembled_data(m);
  artEquilibrium rest;
  double tau[3];
  const artInverseDef inverse = art_default_inverse();
  CHECK_FAILS(art_find_equilibrium(m, d, &rest, &check_error), ART_BAD_INPUT, "'blade'");
  CHECK_FAILS(art_inverse_at(m, d, &inverse, 0, tau, &check_error), ART_BAD_INPUT, "'blade'");
  CHECK_FAILS(art_accelerate(m, d, ART_INDEX3, &check_error), ART_BAD_INPUT, "'blade'");
  const artModel *table = keep_file(ROLLING "turntable.yaml");
  artTrim trim;
  CHECK_FAILS(art_find_trim(table, keep_fresh_data(table), 1, &trim, &check_error), ART_BAD_INPUT,
              "'touch' rolls on body 'table'");
}


// vx is given; the rates of the wheels are not
TEST(velocities_that_are_not_given_follow_those_that_are)
{
  const artModel *m = bicycle_at(3);
  artData *d = keep_assembled_data(m);
  for (int k = 0; k < m->tree.nv; k++) {
    const char *name = m->velocity[k].name;
    if (strcmp(name, "rear_hub.rate") == 0) CHECK_CLOSE(d->v[k], 10, 1e-12);
    if (strcmp(name, "front_hub.rate") == 0) CHECK_CLOSE(d->v[k], 3 / 0.35, 1e-12);
  }
}
