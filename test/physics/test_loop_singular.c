// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines that pass singular positions, where all bars of a loop lie on one line and it could go on in
// two ways: four-bars with straight couplings (rows of parallelograms) and with curved ones (change
// points of other four-bars).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/work.h"
#include "loop/loop.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"
#include "support/simulate.h"

//---- machines ------------------------------------------------------------------------------------

// Bars and where they start: the shortest and the longest are as long as the two others.
typedef struct changeCase {
  const char *name;
  double crank, coupler, rocker, ground;
  double angle, rate; // of the crank at the start
  double side;        // of the line from crank to rocker on which the knee lies
} changeCase;

static const changeCase change_cases[] = {
    {"four unequal bars", 0.3, 0.5, 0.4, 0.6, 1.5707963267948966, 12, 1},
    {"kite", 0.3, 0.3, 0.5, 0.5, 1.2, 12, 1},
    {"antiparallelogram", 0.3, 0.8, 0.3, 0.8, 1.2, 9, -1},
};
enum { CASES = 3 };


// where coupler and rocker meet
static loopCorner knee(const changeCase *c, loopCorner tip)
{
  const double dx = c->ground - tip.x, dy = -tip.y, far = hypot(dx, dy);
  const double along = (far * far + c->coupler * c->coupler - c->rocker * c->rocker) / (2 * far);
  const double aside = c->side * sqrt(c->coupler * c->coupler - along * along);
  return (loopCorner){tip.x + (along * dx - aside * dy) / far,
                      tip.y + (along * dy + aside * dx) / far};
}


static artModel *change_point(const changeCase *c)
{
  artBuilder *b = art_create_builder();
  const loopCorner origin = {0, 0}, end = {c->ground, 0};
  const loopCorner tip = {c->crank * cos(c->angle), c->crank * sin(c->angle)}, top = knee(c, tip);
  art_set_gravity(b, (double[3]){0, -9.81, 0});
  loop_add_bar(b, "crank", 1, origin, tip);
  loop_add_bar(b, "coupler", 1.3, tip, top);
  loop_add_bar(b, "rocker", 0.7, top, end);
  loop_add_hinge(b, "pivot", "ground", "crank", origin);
  loop_add_hinge(b, "pin", "crank", "coupler", tip);
  loop_add_hinge(b, "wrist", "coupler", "rocker", top);
  loop_add_hinge(b, "bearing", "rocker", "ground", end);
  art_set_initial(b, "pivot.rate", c->rate);
  return keep_model(model_compile(b));
}


// n windows of IFToMM A02
static artModel *windows(int n)
{
  return keep_script("make-four-bars.sh", n);
}


//---- running -------------------------------------------------------------------------------------

static const int methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED};


static artRunDef study_of(int method, artIntegrator integrator, double tolerance)
{
  artRunDef study = art_default_run();
  study.until = 1e3;
  model_set_way(&study, method);
  study.integrator = integrator;
  study.tolerance = tolerance;
  study.step = integrator == ART_RK4 ? 1e-3 : 0;
  return study;
}


// A test ends where a run does not begin.
static void start(simulation *s, artModel *model, artRunDef study)
{
  simulation_run(s, model, &study);
  check_stop_if_failed();
}


// *fastest (or NULL): the largest acceleration of a coordinate
static artCertificate run_ten_seconds(simulation *s, const char *name, double *fastest)
{
  for (int i = 1; i <= 1000 && simulation_go(s, 0.01 * i); i++) {
    for (int k = 0; fastest && k < art_count(s->model).nv; k++) {
      *fastest = check_larger(*fastest, fabs(s->data->a[k]));
    }
  }
  const artCertificate c = art_certify(s->run);
  CHECK(c.time == 10);
  printf("%s: energy %.2e of %.1e J, loops closed to %.1e %.1e %.1e, %ld evaluations\n", name,
         c.energy_error, c.energy_scale, c.position_residual, c.velocity_residual,
         c.acceleration_residual, c.evaluations);
  return c;
}


//---- energy and gaps -----------------------------------------------------------------------------


// n steps of RK4 of I q" = -G cos q from a start; the largest error of the energy, and q at the end
static double swing_by_hand(double I, double G, double *q_end, double v, double h, int n)
{
  double q = *q_end, most = 0;
  const double start_energy = I * v * v / 2 + G * sin(q);
  for (int i = 0; i < n; i++) {
    const double a1 = -G / I * cos(q), vb = v + h / 2 * a1;
    const double a2 = -G / I * cos(q + h / 2 * v), vc = v + h / 2 * a2;
    const double a3 = -G / I * cos(q + h / 2 * vb), vd = v + h * a3;
    const double a4 = -G / I * cos(q + h * vc);
    q += h / 6 * (v + 2 * vb + 2 * vc + vd);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    most = check_larger(most, fabs(I * v * v / 2 + G * sin(q) - start_energy));
  }
  *q_end = q;
  return most;
}


// error of RK4 at 1 ms in the energy of ((N+1)/3 + N) theta" = -g ((N+1)/2 + N) cos theta in 10 s
static double truncation_of_windows(int n)
{
  double q = acos(0);
  return swing_by_hand((n + 1) / 3.0 + n, 9.81 * ((n + 1) / 2.0 + n), &q, -1, 1e-3, 10000);
}


// Twenty singular positions; the limits are the integrator's own error and rounding: 40000 evaluations of 1.2e3 J, each known
// to 2.7e-13 J, come to 5e-11 J as a rule, and compilers decide whether 40 windows end at 1.00e-9 or 1.16e-9 J, where
// 1.1 times their equation's error is 1.08e-9 J.
TEST(windows_lose_no_more_energy_than_their_equation)
{
  static const int counts[] = {1, 10, 40};
  for (int i = 0; i < 3; i++) {
    simulation s;
    const double own = truncation_of_windows(counts[i]);
    start(&s, windows(counts[i]), study_of(ART_SEMIRECURSIVE, ART_RK4, 1e-8));
    const artCertificate c = run_ten_seconds(&s, "windows, RK4 at 1 ms", NULL);
    printf("  %d windows: %.2e J by their one equation\n", counts[i], own);
    CHECK(c.energy_error < 1.1 * own + 1e-13 * c.energy_scale);
    CHECK(c.position_residual < 1e-12);
    CHECK(c.velocity_residual < 1e-11);
    CHECK(c.acceleration_residual < 1e-10);
  }
}


// accelerations are closed to ten digits of the largest
TEST(change_points_of_other_four_bars_are_passed)
{
  for (int i = 0; i < CASES; i++) {
    simulation s;
    start(&s, change_point(&change_cases[i]), study_of(ART_SEMIRECURSIVE, ART_DOPRI5, 1e-12));
    double fastest = 0;
    const artCertificate c = run_ten_seconds(&s, change_cases[i].name, &fastest);
    printf("  accelerations up to %.1e\n", fastest);
    CHECK(c.weakest_pivot < 0.02);
    CHECK(c.energy_error < 1e-9 * c.energy_scale);
    CHECK(c.position_residual < 1e-12);
    CHECK(c.velocity_residual < 1e-10);
    CHECK(c.acceleration_residual < 1e-10 * fastest);
  }
}


// the antiparallelogram once around: its rocker turns back as fast as the crank on the way
TEST(the_branch_is_kept)
{
  const changeCase *c = &change_cases[2];
  simulation s;
  start(&s, change_point(c), study_of(ART_SEMIRECURSIVE, ART_DOPRI5, 1e-12));
  const int crank = art_find_position(s.model, "pivot.angle");
  const int pin = art_find_position(s.model, "pin.angle");
  for (int i = 1; i <= 200 && simulation_go(&s, 0.01 * i); i++) {
    // the knee that follows from the crank, on the side that changes at every change point
    const double angle = c->angle + s.data->q[crank];
    changeCase there = *c;
    there.side = sin(angle) > 0 ? c->side : -c->side;
    const loopCorner tip = {c->crank * cos(angle), c->crank * sin(angle)}, top = knee(&there, tip);
    const loopCorner tip0 = {c->crank * cos(c->angle), c->crank * sin(c->angle)};
    const loopCorner top0 = knee(c, tip0);
    const double turned = atan2(top.y - tip.y, top.x - tip.x) -
                          atan2(top0.y - tip0.y, top0.x - tip0.x) - s.data->q[crank];
    const double off = remainder(s.data->q[pin] - turned, 2 * acos(-1));
    CHECK_CLOSE(off, 0, fabs(sin(angle)) > 0.1 ? 1e-9 : 1e-5);
  }
}


// With error control, through all singular positions. bdf at 1e-9 loses 1.15e-7 of the energy on the one equation of two windows
// alone, 8.1e-6 of 70 J, and 1.2e-5 to 1.3e-5 J here, where steps begin anew behind every singular position; at 1e-10 both lose 1.4e-6 J.
TEST(other_methods_pass_them_too)
{
  static const artIntegrator integrators[] = {ART_DOPRI5, ART_BDF};
  for (int i = 0; i < 4; i++) {
    simulation s;
    const double tolerance = i % 2 ? 1e-9 : 1e-10;
    start(&s, windows(2), study_of(methods[1 + i / 2], integrators[i % 2], tolerance));
    const artCertificate c = run_ten_seconds(&s, model_way_name(methods[1 + i / 2]), NULL);
    CHECK(c.energy_error < (i % 2 ? 2e-7 : 1e-9) * c.energy_scale);
    CHECK(c.position_residual < 1e-12);
  }
  for (int i = 0; i < 2 * CASES; i++) {
    simulation s;
    const changeCase *which = &change_cases[i / 2];
    start(&s, change_point(which), study_of(methods[1 + i % 2], ART_DOPRI5, 1e-10));
    const artCertificate c = run_ten_seconds(&s, which->name, NULL);
    CHECK(c.energy_error < 1e-7 * c.energy_scale);
    CHECK(c.position_residual < 1e-12 && c.velocity_residual < 1e-10);
  }
}


// A parallelogram turns evenly where nothing acts on it. Steps of half a radian begin and end where its loop is sound, with
// stages in the singular positions between: each way over them has to be seen from the first evaluation there.
TEST(steps_across_singular_positions_see_them_from_within)
{
  for (int i = 0; i < 3; i++) {
    const artModel *m = keep_text(
        "articula: 1\n"
        "parameters: {x: \"= -0.25*cos(2.25)\", y: \"= 0.25*sin(2.25)\"}\n"
        "bodies:\n"
        "  crank: {mass: 1, com: [= x/2, = y/2, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "  coupler: {mass: 2, com: [= x + 0.25, = y, 0], inertia: [0.04, 0.04, 0.04]}\n"
        "  rocker: {mass: 1, com: [= x/2 + 0.5, = y/2, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "joints:\n"
        "  pivot: {type: revolute, axis: z, from: ground, to: crank, at: [0, 0, 0]}\n"
        "  pin: {type: revolute, axis: z, from: crank, to: coupler, at: [= x, = y, 0]}\n"
        "  wrist: {type: revolute, axis: z, from: coupler, to: rocker, at: [= x + 0.5, = y, 0]}\n"
        "  bearing: {type: revolute, axis: z, from: rocker, to: ground, at: [0.5, 0, 0]}\n"
        "initial: {pivot: {rate: 1}}\n"
        "outputs: [pivot.angle, wrist.angle]\n");
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.method = methods[i], study.integrator = ART_RK4, study.step = 0.5, study.until = 20;
    artRun *run = keep_started_run(m, d, &study);
    if (!run || !CHECK_WORKS(art_run_to(run, 20, &check_error))) return;
    double y[2];
    art_outputs(m, d, y);
    CHECK_CLOSE(y[0], 20, 1e-9);
    CHECK_CLOSE(y[1], 20, 1e-9);
    CHECK_EQ_INT(art_certify(run).passages, 6);
    CHECK_CLOSE(art_certify(run).passage_time, 2.5, 1e-9);
  }
}

//---- loops that hang on other loops --------------------------------------------------------------


// A five-bar of two degrees of freedom whose crank a is doubled by a parallelogram, one of whose bars is
// too long by `off`; with is_rigid the
// doubling is part of the crank, which moves the same way: e turns as a does about a pivot of its own,
// and f, which does not turn, is carried along by the tip of a.
static artModel *five_bar(int is_rigid, double off)
{
  static const char frame[] =
      "bodies:\n"
      "  b: {mass: 1, position: [2, 0, 0], com: [-0.3, 0, 0.4], inertia: [0.05, 0.08, 0.05]}\n"
      "  c: {mass: 0.7, position: [0.6, 0, 0.8], com: [0.2, 0, 0.3], inertia: [0.02, 0.03, 0.02]}\n"
      "  d: {mass: 0.7, position: [1.4, 0, 0.8], com: [-0.2, 0, 0.3], inertia: [0.02, 0.03, "
      "0.02]}\n"
      "  a: {mass: 1, position: [0, 0, 0], com: [0.3, 0, 0.4], inertia: [0.05, 0.08, 0.05]}\n";
  static const char bars[] =
      "  e: {mass: 1, position: [-0.5, 0, 0], com: [0.3, 0, 0.4], inertia: [0.05, 0.08, 0.05]}\n"
      "  f: {mass: 0.5, position: [0.1, 0, 0.8], com: [0.25, 0, 0], inertia: [0.005, 0.01, "
      "0.005]}\n";
  static const char lumps[] =
      "  e: {mass: 1, position: [0, 0, 0], com: [0.3, 0, 0.4], inertia: [0.05, 0.08, 0.05]}\n"
      "  f: {mass: 0.5, position: [0, 0, 0], com: [0.6, 0, 0.8], inertia: [0, 0, 0]}\n";
  static const char joints[] =
      "joints:\n"
      "  qa: {type: revolute, axis: y, from: ground, to: a, at: [0, 0, 0]}\n"
      "  qb: {type: revolute, axis: y, from: ground, to: b, at: [2, 0, 0]}\n"
      "  ac: {type: revolute, axis: y, from: a, to: c, at: [0.6, 0, 0.8]}\n"
      "  bd: {type: revolute, axis: y, from: b, to: d, at: [1.4, 0, 0.8]}\n"
      "  cd: {type: revolute, axis: y, from: c, to: d, at: [1.0, 0, 1.4]}\n";
  static const char pins[] =
      "  qe: {type: revolute, axis: y, from: ground, to: e, at: [-0.5, 0, 0]}\n"
      "  ef: {type: revolute, axis: y, from: e, to: f, at: [0.1, 0, 0.8]}\n"
      "  fa: {type: revolute, axis: y, from: f, to: a, at: [%.15g, 0, 0.8]}\n";
  static const char welds[] = "  qe: {type: fixed, from: a, to: e, at: [0, 0, 0]}\n"
                              "  ef: {type: fixed, from: a, to: f, at: [0, 0, 0]}\n";
  char text[4096];
  int length =
      snprintf(text, sizeof text, "articula: 1\n%s%s%s", frame, is_rigid ? lumps : bars, joints);
  length += is_rigid ? snprintf(text + length, sizeof text - (size_t) length, welds)
                     : snprintf(text + length, sizeof text - (size_t) length, pins, 0.6 + off);
  return keep_text(text);
}


// By every method, integrator and tolerance the doubled cranks turn alike, through a dead centre every half turn. At 1e-4
// the chaotic motion of the five-bar is off by a radian after 4 s, and may come to a singular position of the five-bar.
TEST(a_parallelogram_on_a_five_bar_stays_one)
{
  static const double tolerances[] = {1e-5, 1e-7, 1e-10};
  for (int i = 0; i < 4 * ART_MOREAU * 3; i++) {
    const int method = methods[i / (3 * ART_MOREAU)];
    const artIntegrator integrator = (artIntegrator) (i / 3 % ART_MOREAU);
    if (integrator == ART_RK4 && i % 3 > 0) continue;
    simulation s;
    start(&s, five_bar(0, 0), study_of(method, integrator, tolerances[i % 3]));
    const int a = art_find_position(s.model, "qa.angle"),
              e = art_find_position(s.model, "qe.angle");
    double most = 0;
    for (int k = 1; k <= 50 && simulation_go(&s, 0.1 * k); k++) {
      const double apart = fabs(s.data->q[a] - s.data->q[e]);
      if (!(apart <= most)) most = apart;
    }
    if (!CHECK(most < 1e-9) || !CHECK(s.data->time == 5)) {
      printf("  %s, integrator %d, %g\n", model_way_name(method), (int) integrator,
             tolerances[i % 3]);
    }
  }
}


TEST(a_doubled_crank_moves_as_a_heavier_one)
{
  simulation rigid;
  start(&rigid, five_bar(1, 0), study_of(ART_SEMIRECURSIVE, ART_DOPRI5, 1e-12));
  simulation_go(&rigid, 5);
  const int at = art_find_position(rigid.model, "qa.angle");
  for (int i = 0; i < 4; i++) {
    simulation s;
    start(&s, five_bar(0, 0), study_of(methods[i], ART_DOPRI5, 1e-12));
    simulation_go(&s, 5);
    const artCertificate c = art_certify(s.run);
    CHECK_CLOSE(s.data->q[art_find_position(s.model, "qa.angle")], rigid.data->q[at], 1e-6);
    CHECK(c.energy_error < 1e-8 * c.energy_scale);
    CHECK(c.shortest_step > 1e-7);
  }
}


// bars that are too long by rounding are taken for what they are meant to be, and named
TEST(rounded_lengths_are_told)
{
  static const double offs[] = {1e-6, 1e-8, 1e-10, 1e-12};
  for (int i = 0; i < 8; i++) {
    const double off = offs[i / 2];
    const int method = i % 2 ? ART_RECURSIVE : ART_SEMIRECURSIVE;
    simulation s;
    start(&s, five_bar(0, off), study_of(method, ART_DOPRI5, 1e-8));
    simulation_go(&s, 3);
    const artCertificate c = art_certify(s.run);
    const double apart = fabs(s.data->q[art_find_position(s.model, "qa.angle")] -
                              s.data->q[art_find_position(s.model, "qe.angle")]);
    CHECK(apart < 1e3 * off + 1e-10);
    CHECK(c.passages > 2);
    CHECK(c.passage_gap > 0.02 * off && c.passage_gap < 20 * off);
    CHECK_CONTAINS(c.passage_joints, "'fa'");
    CHECK(c.energy_error < 3e-5 + 3e4 * off);
    printf("  off by %g: gap %.1e, cranks %.1e apart, energy %.1e J\n", off, c.passage_gap, apart,
           c.energy_error);
  }
}


// bars that are longer than that move as they must, into an antiparallelogram
TEST(longer_bars_are_followed)
{
  static const double offs[] = {1e-4, 1e-5};
  for (int i = 0; i < 2; i++) {
    double first = 0;
    for (int k = 0; k < 4; k++) {
      simulation s;
      start(&s, five_bar(0, offs[i]), study_of(methods[k], ART_DOPRI5, 1e-10));
      simulation_go(&s, 3);
      const artCertificate c = art_certify(s.run);
      const double angle = s.data->q[art_find_position(s.model, "qa.angle")];
      if (k == 0) first = angle;
      CHECK_CLOSE(angle, first, 1e-6);
      CHECK(c.passages == 0 && c.passage_gap == 0);
      CHECK(c.energy_error < 1e-8 * c.energy_scale);
    }
  }
}


//---- starts in singular positions ----------------------------------------------------------------


// a parallelogram that is off a line by an angle
static artBuilder *lay_parallelogram(double off)
{
  const loopCorner pivot = {0, 0}, other = {-0.5, 0};
  const loopCorner tip = {cos(off), sin(off)}, other_tip = {cos(off) - 0.5, sin(off)};
  artBuilder *b = art_create_builder();
  art_set_gravity(b, (double[3]){0, -9.81, 0});
  loop_add_bar(b, "a", 1, pivot, tip);
  loop_add_bar(b, "e", 2, other, other_tip);
  loop_add_bar(b, "f", 0.5, other_tip, tip);
  loop_add_hinge(b, "qa", "ground", "a", pivot);
  loop_add_hinge(b, "qe", "ground", "e", other);
  loop_add_hinge(b, "ef", "e", "f", other_tip);
  loop_add_hinge(b, "fa", "f", "a", tip);
  return b;
}


// all of its bars on one line, with rates of the two cranks
static artModel *in_line(double rate_a, double rate_e)
{
  artBuilder *b = lay_parallelogram(0);
  art_set_initial(b, "qa.rate", rate_a);
  art_set_initial(b, "qe.rate", rate_e);
  return keep_model(model_compile(b));
}


// its angle after 3 s: I q'' = -g (m r) cos q, cranks of 1 and 2 kg, and 0.5 kg at their tips
static double angle_of_one_pendulum(double angle, double rate)
{
  double q = angle;
  swing_by_hand(3.0 / 3 + 0.5, 9.81 * (3 * 0.5 + 0.5), &q, rate, 3e-5, 100000);
  return q;
}


// slow enough to swing back, and fast enough to go around
TEST(a_parallelogram_in_line_moves_as_one)
{
  static const double rates[] = {2, -7};
  for (int i = 0; i < 8 * ART_MOREAU; i++) {
    const artIntegrator integrator = (artIntegrator) (i / 8);
    const double rate = rates[i % 2], exact = angle_of_one_pendulum(0, rate);
    simulation s;
    artRunDef study = study_of(methods[i / 2 % 4], integrator, 1e-12);
    if (integrator == ART_RK4) study.step = 2.5e-4;
    start(&s, in_line(rate, rate), study);
    simulation_go(&s, 3);
    const int a = art_find_position(s.model, "qa.angle"),
              e = art_find_position(s.model, "qe.angle");
    CHECK_CLOSE(s.data->q[a], exact, 1e-8);
    CHECK_CLOSE(s.data->q[e], exact, 1e-8);
    CHECK(art_certify(s.run).passages > 0);
  }
}


// Nearly in line, the other rates follow from one: not by J, which is as bad as rounding over the square of
// the distance there, but by the bridge.
TEST(a_start_next_to_a_line_moves_as_one)
{
  static const double offs[] = {1e-8, 1e-7, 1e-6, -1e-5, 1e-4};
  for (int i = 0; i < 20; i++) {
    const double off = offs[i / 4], exact = angle_of_one_pendulum(off, 2) - off;
    artBuilder *b = lay_parallelogram(off);
    simulation s;
    art_set_initial(b, "qa.rate", 2);
    start(&s, keep_model(model_compile(b)), study_of(methods[i % 4], ART_DOPRI5, 1e-12));
    simulation_go(&s, 3);
    CHECK_CLOSE(s.data->q[art_find_position(s.model, "qa.angle")], exact, 1e-9);
    CHECK_CLOSE(s.data->q[art_find_position(s.model, "qe.angle")], exact, 1e-9);
  }
}


// the other branch: rates as 3 to 1
TEST(the_rates_choose_the_branch)
{
  simulation s;
  start(&s, in_line(3, 1), study_of(ART_SEMIRECURSIVE, ART_DOPRI5, 1e-10));
  simulation_go(&s, 0.1);
  const int a = art_find_position(s.model, "qa.angle"), e = art_find_position(s.model, "qe.angle");
  CHECK(fabs(s.data->q[e] / s.data->q[a] - 1.0 / 3) < 0.01);
  CHECK(art_certify(s.run).energy_error < 1e-8);
}


TEST(rates_that_choose_no_branch_are_refused)
{
  static const double rates[][2] = {{2, 1.5}, {0, 0}, {1, -1}};
  for (int i = 0; i < 3; i++) {
    artModel *m = in_line(rates[i][0], rates[i][1]);
    artData *d = keep_fresh_data(m);
    artRun *run = NULL;
    const artRunDef study = study_of(ART_SEMIRECURSIVE, ART_DOPRI5, 1e-8);
    CHECK_FAILS(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT,
                "singular position of the loop of joints 'qa', 'qe', 'ef' and 'fa'");
    CHECK_CONTAINS(check_error.text, "qa.rate = 1, qe.rate = 1, ef.rate = -1");
    CHECK_CONTAINS(check_error.text, "qa.rate = 1, qe.rate = 0.333333, ef.rate = 1");
    CHECK_CONTAINS(check_error.text, i == 1 ? "are zero" : "follow none of them");
    art_free_run(run);
  }
}


// a^3 = b^3 asks for nothing at a = b = 0, not even of second derivatives
static artStatus cubes(void *context, const double *x, double *g, double *dg)
{
  (void) context;
  *g = x[0] * x[0] * x[0] - x[1] * x[1] * x[1];
  dg[0] = 3 * x[0] * x[0], dg[1] = -3 * x[1] * x[1];
  return ART_OK;
}


static artStatus cubes_bias(void *context, const double *x, const double *v, double *bias)
{
  (void) context;
  *bias = 6 * (x[0] * v[0] * v[0] - x[1] * v[1] * v[1]);
  return ART_OK;
}


// loops that come apart are found in the step in which they do, whenever output is asked for
TEST(loops_that_come_apart_are_found_at_once)
{
  static const char *const names[] = {"qa.angle", "qe.angle"};
  artBuilder *b = art_create_builder();
  loop_add_bar(b, "a", 1, (loopCorner){0, 0}, (loopCorner){1, 0});
  loop_add_bar(b, "e", 1, (loopCorner){0, 1}, (loopCorner){1, 1});
  loop_add_hinge(b, "qa", "ground", "a", (loopCorner){0, 0});
  loop_add_hinge(b, "qe", "ground", "e", (loopCorner){0, 1});
  art_add_constraint(
      b, &(artConstraintDef){
             .name = "cubes", .n = 2, .coordinate = names, .value = cubes, .bias = cubes_bias});
  art_set_initial(b, "qa.rate", 1);
  art_set_initial(b, "qe.rate", -1);
  simulation s;
  start(&s, keep_model(model_compile(b)), study_of(ART_SEMIRECURSIVE, ART_DOPRI5, 1e-8));
  artError error = {0};
  CHECK(art_run_to(s.run, 5, &error) != ART_OK);
  CHECK_CONTAINS(error.text, "the loops have come apart by t = 0.");
  CHECK(s.data->time < 0.5);
}


// The third crank of a parallelogram follows from the others where it is drawn, and nowhere else, for it is longer.
TEST(rows_that_are_left_out_are_looked_at_as_all_are)
{
  artBuilder *b = art_create_builder();
  static const loopCorner foot[] = {{0, 0}, {0.5, 0}, {0.25, 0}},
                          top[] = {{0, 0.25}, {0.5, 0.25}, {0.25, 0.26}};
  static const char *const crank[] = {"a", "c", "m"}, *const pivot[] = {"pa", "pc", "pm"};
  static const char *const pin[] = {"qa", "qc", "qm"};
  loop_add_bar(b, "b", 2, top[0], top[1]);
  for (int i = 0; i < 3; i++) {
    loop_add_bar(b, crank[i], 1, foot[i], top[i]);
    loop_add_hinge(b, pivot[i], "ground", crank[i], foot[i]);
    loop_add_hinge(b, pin[i], crank[i], "b", top[i]);
  }
  const artModel *m = keep_model(model_compile(b));
  artData *d = keep_assembled_data(m);
  if (!CHECK_WORKS(loop_close(m, d, &check_error))) return;
  for (int k = 0; k < m->tree.nv; k++) d->q[k] += d->work->loop->blocks->position[k] < 0 ? 0.3 : 0;
  art_update(m, d);
  if (!CHECK_WORKS(loop_close(m, d, &check_error))) return;
  double gap = 0;
  const double left = loop_gap_left(m, d);
  CHECK_WORKS(loop_gap(m, d, &gap, &check_error));
  CHECK(gap > 1e-4);
  CHECK_CLOSE(left, gap, 1e-15);
}


//---- in line at an instant that counts ------------------------------------------------------------


// a parallelogram that stands upright and turns without gravity at pi rad/s: in line after half a second
static artBuilder *lay_turning(void)
{
  artBuilder *b = lay_parallelogram(acos(0));
  art_set_gravity(b, (double[3]){0, 0, 0});
  art_set_initial(b, "qa.rate", 2 * acos(0));
  return b;
}


// By itself, against a stop that it meets in line, with a torque from that instant on, with friction; angles at 2 s by hand where there
// are closed forms: I = 1.5 kg m^2 turn.
TEST(a_line_at_an_instant_that_counts_is_passed)
{
  const double pi = 2 * acos(0);
  const double exact[] = {2 * pi, NAN, 2 * pi + 5 / 1.5 * 1.5 * 1.5 / 2, 2 * pi - 0.3 / 1.5 * 2};
  for (int n = 0; n < 4; n++) {
    double first = exact[n];
    for (int i = 0; i < 4; i++) {
      artBuilder *b = lay_turning();
      simulation s;
      if (n == 1) {
        art_add_joint_stop(b, &(artJointStopDef){.name = "hit",
                                                 .coordinate = "qa",
                                                 .lower = -INFINITY,
                                                 .upper = pi / 2,
                                                 .stiffness = 1e4,
                                                 .damping = 0.1});
      }
      if (n == 2) {
        art_add_joint_force(b, &(artJointForceDef){.name = "push",
                                                   .coordinate = "qa",
                                                   .formula = "if(time < 0.5, 0, 5)"});
      }
      if (n == 3) {
        art_add_joint_friction(b, &(artJointFrictionDef){.name = "rub",
                                                         .coordinate = "qe",
                                                         .coulomb = 0.3,
                                                         .breakaway = 0.3,
                                                         .transition = 0.05});
      }
      artRunDef study = study_of(methods[i], ART_DOPRI5, 1e-11);
      study.until = 2;
      start(&s, keep_model(model_compile(b)), study);
      simulation_go(&s, 0.5);
      simulation_go(&s, 2);
      const double angle = s.data->q[art_find_position(s.model, "qa.angle")];
      if (isnan(first)) first = angle;
      CHECK_CLOSE(angle, first, 1e-8);
      CHECK(n == 1 ? angle < 0 : art_certify(s.run).passages >= 2);
      if (s.run && art_certify(s.run).time < 2) printf("  %d, %s\n", n, model_way_name(methods[i]));
    }
  }
}


// A parallelogram that turns by itself, and one that a torque sets in motion: nothing but singular positions bounds their steps.
// In line at 0.5 s and 1.5 s; or at pi/2 and 3 pi/2 of the angle 5/1.5 t^2/2.
TEST(lines_are_passed_whatever_the_end_of_the_study)
{
  static const artIntegrator integrators[] = {ART_DOPRI5, ART_BDF, ART_ADAMS};
  for (int i = 0; i < 6; i++) {
    double angle[2] = {NAN, NAN};
    for (int k = 0; k < 2; k++) {
      simulation s;
      artBuilder *b = lay_turning();
      if (i % 2 == 1) {
        art_set_initial(b, "qa.rate", 0);
        art_add_joint_force(
            b, &(artJointForceDef){.name = "push", .coordinate = "qa", .formula = "5"});
      }
      artRunDef study = study_of(ART_SEMIRECURSIVE, integrators[i / 2], 1e-10);
      study.until = k == 0 ? 2 : 2000;
      start(&s, keep_model(model_compile(b)), study);
      simulation_go(&s, 2);
      angle[k] = s.data->q[art_find_position(s.model, "qa.angle")];
      CHECK_EQ_INT((int) art_certify(s.run).passages, 2);
    }
    CHECK(angle[0] == angle[1]);
    CHECK_CLOSE(angle[0], i % 2 == 0 ? 4 * acos(0) : 5 / 1.5 * 2, 1e-7);
  }
}


TEST(a_run_that_ends_in_line_is_good)
{
  simulation s;
  artRunDef study = study_of(ART_SEMIRECURSIVE, ART_DOPRI5, 1e-10);
  study.until = 0.5;
  start(&s, keep_model(model_compile(lay_turning())), study);
  simulation_go(&s, 0.5);
  const artCertificate c = art_certify(s.run);
  const double want = acos(0);
  CHECK(art_judge(&c, NULL).verdict == ART_VERDICT_GOOD);
  CHECK(c.passages == 1 && c.passage_time > 0.49);
  CHECK_CONTAINS(c.passage_joints, "'fa'");
  CHECK_CLOSE(s.data->q[art_find_position(s.model, "qe.angle")], want, 1e-10);
}


//---- once more -----------------------------------------------------------------------------------


// the state at t, first part of it before `middle`, where the run is saved and goes on in another
static void go_in_parts(const changeCase *machine, artRunDef study, double middle, double t,
                        double *state)
{
  simulation a, b;
  start(&a, change_point(machine), study);
  start(&b, change_point(machine), study);
  simulation_go(&a, middle);
  CHECK(a.data->work->loop->hold.held > 0);
  const savedRun saved = keep_saved_run(a.run);
  CHECK_WORKS(art_load_run(b.run, saved.bytes, saved.size, &check_error));
  simulation_go(&b, t);
  memcpy(state, b.data->q, 3 * sizeof *state);
  memcpy(state + 3, b.data->v, 3 * sizeof *state);
}


// an instant at which a loop is held
static double held_instant(const changeCase *machine, artRunDef study)
{
  simulation s;
  double t = NAN;
  start(&s, change_point(machine), study);
  for (int i = 1; i <= 1000 && isnan(t) && simulation_go(&s, 1e-3 * i); i++) {
    if (s.data->work->loop->hold.held > 0) t = 1e-3 * (i + 2);
  }
  return t;
}


TEST(a_run_goes_on_from_inside_a_passage_bit_by_bit)
{
  for (int integrator = 0; integrator < ART_MOREAU; integrator++) {
    const changeCase *machine = &change_cases[integrator % CASES];
    const artRunDef study = study_of(ART_SEMIRECURSIVE, (artIntegrator) integrator, 1e-9);
    const double middle = held_instant(machine, study);
    double parts[6];
    simulation s;
    if (!CHECK(isfinite(middle))) continue;
    go_in_parts(machine, study, middle, 2, parts);
    start(&s, change_point(machine), study);
    simulation_go(&s, middle);
    simulation_go(&s, 2);
    CHECK(memcmp(s.data->q, parts, 3 * sizeof *parts) == 0);
    CHECK(memcmp(s.data->v, parts + 3, 3 * sizeof *parts) == 0);
  }
}


// traces of a run, in a passage or far from where it began, do not change the next one
TEST(runs_from_one_data_are_alike)
{
  const artRunDef study = study_of(ART_SEMIRECURSIVE, ART_DOPRI5, 1e-9);
  for (int i = 0; i < CASES; i++) {
    double first[6] = {0};
    const double middle = held_instant(&change_cases[i], study);
    artModel *m = change_point(&change_cases[i]);
    artData *d = keep_fresh_data(m);
    for (int round = 0; round < 2; round++) {
      artRun *run = NULL;
      CHECK(!d->work->loop->is_ready);
      if (!CHECK(art_create_run(&run, m, d, &study, NULL) == ART_OK)) break;
      CHECK(art_run_to(run, middle, NULL) == ART_OK);
      art_free_run(run);
      if (round == 0) memcpy(first, d->q, 3 * sizeof *first);
      if (round == 0) memcpy(first + 3, d->v, 3 * sizeof *first);
      CHECK(memcmp(d->q, first, 3 * sizeof *first) == 0);
      CHECK(memcmp(d->v, first + 3, 3 * sizeof *first) == 0);
      art_reset(m, d);
    }
  }
}


// friction brings the linkage to rest: what closing its loops changes then is an error of integration
TEST(a_machine_at_rest_stays_on_its_branch)
{
  artModel *m = keep_file("models/loops/four-bar-friction.yaml");
  for (int method = 0; method < 3; method++) {
    for (double tolerance = 1e-3; tolerance > 1e-9; tolerance *= 0.1) {
      artData *d = keep_fresh_data(m);
      artRunDef study = study_of(methods[method], ART_DOPRI5, tolerance);
      study.until = 60;
      artRun *run = keep_started_run(m, d, &study);
      if (run && !CHECK_WORKS(art_run_to(run, 60, &check_error)))
        printf("  %s\n", check_error.text);
    }
  }
}
