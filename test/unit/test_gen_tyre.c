// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres on symbols against numbers: every law, steady and with states, on every kind of road, at random
// states from standstill to fast, forward and backward, on the ground and off it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/work.h"
#include "eqn/list.h"
#include "gen/gen.h"
#include "load/code.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"

static uint64_t seed = 11;

enum { STATES = 60, NV = 7 };

// a wheel on a knuckle that moves freely; nothing else acts
static const char WHEEL[] =
    "articula: 1\n"
    "roads: {%s}\n"
    "tyres: {t: %s}\n"
    "bodies: {knuckle: {mass: 60, inertia: [4, 5, 6]}, wheel: {mass: 40, inertia: [1, 2, 1]}}\n"
    "joints:\n"
    "  base: {type: free, from: ground, to: knuckle}\n"
    "  spin: {type: revolute, axis: y, from: {frame: knuckle, position: [0.1, 0.05, -0.02]}, to: "
    "wheel}\n"
    "forces: {tyre: {type: tyre, wheel: wheel, tyre: t%s%s}}\n"
    "outputs: [tyre.fx, tyre.fy, tyre.fz, tyre.mx, tyre.my, tyre.mz, tyre.slip, tyre.slip_angle,\n"
    "          tyre.camber, tyre.depth, tyre.spin, tyre.x, tyre.y, tyre.z]\n";

static const char *const laws[] = {
    "{type: radial, radius: 0.3, stiffness: 2e5, damping: 3e3, load: 4000}",
    "{type: linear, radius: 0.3, stiffness: 2e5, damping: 3e3, load: 4000, slip: 6e4, cornering: "
    "5e4, "
    "camber: 2e3, trail: 0.02, friction: 0.9, relaxation_x: 0.1, relaxation_y: 0.3}",
    "{type: linear, radius: 0.3, stiffness: 2e5, load: 4000, slip: 6e4, cornering: 5e4}",
    "{type: bakker, radius: 0.3, stiffness: 2e5, damping: 3e3, load: 4000, relaxation_x: 0.1, "
    "relaxation_y: 0.3}",
    "{type: calspan, radius: 0.3, stiffness: 2e5, damping: 3e3, load: 4000, A0: 1e4, A1: 8, A2: "
    "6e3, "
    "A3: 1, A4: 8e3, Aomega: 0.6, B1: -3e-5, B3: 1, B4: 1e-9, SN: 0.9, AF1: 1e-6, AF2: 2e-6, "
    "relaxation_x: 0.1, relaxation_y: 0.3}",
    "{type: magic, file: " ART_SOURCE_DIR "/models/tyres/MagicFormula52_Parameters.tir}",
    "{type: magic, file: " ART_SOURCE_DIR "/models/tyres/MagicFormula61_Parameters.tir}",
    "{type: magic, file: " ART_SOURCE_DIR "/models/tyres/MagicFormula62_Parameters.tir, "
    "mirrored: true, scale: {LMUV: 0.4, LMUY: 0.8}}",
    NULL};


typedef struct roadCase {
  const char *text;
  double from, to; // where wheels stand
  double rise;     // of the road there
} roadCase;

static const roadCase roads[] = {
    {"r: {type: plane, height: 0.1, grade: 0.05, bank: -0.03}", -2, 2, 0.1},
    {"r: {type: bump, start: 0, length: 2, height: 0.1}", -0.5, 2.5, 0.05},
    {"r: {type: bump, start: 0, length: 3, height: 0.1, count: 3, spacing: 4}", -1, 15, 0.04},
    {"r: {type: sine, amplitude: 0.03, wavelength: 2}", -3, 3, 0},
    {"r: {type: sine, amplitude: 0.03, wavelength: 3, last_wavelength: 2, length: 20, blend: 3}",
     -2, 22, 0},
    {"r: {type: ramp, start: 0, up: 1, plateau: 2, down: 1.5, height: 0.1, radius: 0.8}", -1, 6,
     0.05},
    {"r: {type: stairs, start: 0, count: 3, rise: 0.03, tread: 1, riser: 0.3, radius: 0.5}", -1, 4,
     0.05},
    {"r: {type: stairs, start: 0, count: 6, rise: 0.02, tread: 0.2, riser: 0.001, radius: 0.004}",
     -1, 2, 0.05},
    {"r: {type: stairs, start: 0, count: 3, rise: 0.12, tread: 0.5, riser: 0.01, radius: 0.02}",
     -0.6, 0.2, 0.05},
    {"r: {type: stairs, start: 0, count: 2, rise: 0.5, tread: 0.5, riser: 0.01, radius: 0.02}",
     -0.6, 0.3, 0.05},
    {"s: {type: stairs, start: 0, count: 6, rise: -0.02, tread: 0.2, riser: 0.1, radius: 0.05}, r: "
     "{type: "
     "placed, road: s, heading: 2.5, position: [0, 0, 0.1]}",
     -1, 2, 0.05},
    {"r: {type: table, profile: [[0, 0], [1, 0.05], [2, 0.02], [4, 0.08]]}", -1, 5, 0.04},
    {"r: {type: table, profile: [[0, 0], [1, 0.05], [2, 0.02], [4, 0.08]], curve: linear}", -1, 5,
     0.04},
    {"p: {type: plane, grade: 0.1}, s: {type: sine, amplitude: 0.03, wavelength: 3}, b: {type: "
     "placed, "
     "road: s, position: [1, 2, 0.1], heading: 0.7}, r: {type: sum, parts: [p, b]}",
     -2, 2, 0.1},
    {"r: {type: random, class: C, seed: 3, track: 1.4}", -5, 5, 0},
    {NULL, 0, 0, 0}};


typedef struct trial {
  artModel *m;
  artData *d;
  eqnProgram *p;
  eqnList *list;
  loadCall *host;
} trial;


static artModel *read(const char *law, const char *road, int lags)
{
  return keep_text_of(WHEEL, road ? road : "r: {type: plane}", law, road ? ", road: r" : "",
                      lags ? ", relaxation: true" : "");
}


static int begin(trial *t, const char *law, const char *road, int lags, const char *function)
{
  *t = (trial){.m = read(law, road, lags)};
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER,
                              .tangents = strstr(function, "_tangent") != NULL};
  t->d = keep_fresh_data(t->m);
  int ok = CHECK_WORKS(gen_create(&t->p, t->m, t->d, &options, &check_error)) &&
           CHECK_WORKS(host_create(&t->host, t->m, t->p, &check_error)) &&
           CHECK((t->list = eqn_list_create(t->p, gen_function(t->p, function), NULL)) != NULL);
  return ok;
}


static void end(trial *t)
{
  eqn_list_free(t->list);
  host_free(t->host);
  gen_free(t->p);
}


static double between(double low, double high)
{
  double x;
  sample_numbers(&seed, 1, 1, &x);
  return low + (high - low) * (0.5 + 0.5 * x);
}


// a wheel about 0.3 m above ground, at a speed of any size
static void random_state(const artModel *m, artData *d, const roadCase *road)
{
  static const double speeds[5] = {0.1, 0.7, 1.3, 20, -15};
  const double speed = speeds[(int) between(0, 4.999)];
  d->q[0] = between(road->from, road->to), d->q[1] = between(-2, 2);
  d->q[2] = road->rise + between(0.29, 0.35);

  // heading, some lean and pitch
  const double heading = between(-0.5, 0.5), lean = between(-0.15, 0.15),
               pitch = between(-0.2, 0.2);
  const double n = sqrt(1 + heading * heading + lean * lean + pitch * pitch);
  const double e[4] = {1 / n, lean / n, pitch / n, heading / n};
  memcpy(d->q + 3, e, sizeof e);
  d->q[7] = between(-3, 3), d->v[0] = speed, d->v[1] = between(-0.3, 0.3) * (1 + fabs(speed));
  for (int k = 2; k < 6; k++) d->v[k] = between(-0.5, 0.5);
  d->v[6] = speed / 0.3 * between(0.8, 1.2);
  for (int k = 0; k < m->nstate; k++) d->s[k] = between(-0.2, 0.2);
  art_update(m, d);
}


// largest difference over the largest number, or over a number of which they are differences
static double worst_of(int n, const double *a, const double *b, double scale)
{
  double worst = 0;
  for (int k = 0; k < n; k++) scale = check_larger(scale, fabs(b[k]));
  for (int k = 0; k < n; k++) worst = check_larger(worst, fabs(a[k] - b[k]) / scale);
  return worst;
}


static int check_state(const trial *t)
{
  artData *d = t->d;
  double a[NV], rate[2] = {0}, power;
  double *const in[] = {&d->time, d->q, d->v, d->s};
  double *const lagging[] = {a, rate, &power}, *const steady[] = {a, &power};
  const int lags = t->m->nstate > 0;
  if (!CHECK(art_accelerate(t->m, d, ART_ORDER_N, NULL) == ART_OK)) return 0;
  const double scale = 4000 * (1 + fabs(d->v[0]));
  bool held =
      CHECK_EQ_INT(eqn_evaluate(t->list, NULL, in, lags ? lagging : steady, host_call, t->host), 0);
  held &= CHECK(worst_of(NV, a, d->a, 1) < 1e-12);
  held &= CHECK(!lags || worst_of(2, rate, d->s_rate, 1) < 1e-12);
  held &= CHECK(worst_of(1, &power, &d->work->power, scale) < 1e-12);
  return held;
}


static void check_states(const char *law, const roadCase *road, int lags)
{
  trial t;
  int held = begin(&t, law, road->text, lags, "accelerate");
  for (int k = 0; held && k < STATES; k++) {
    random_state(t.m, t.d, road);
    held = check_state(&t);
    if (!held) printf("  %.90s on %s, state %d\n", law, road->text, k);
  }
  end(&t);
}


TEST(every_law_equals_its_numbers_on_flat_ground)
{
  const roadCase flat = {NULL, -5, 5, 0};
  for (const char *const *law = laws; *law; law++) {
    check_states(*law, &flat, 0);
    check_states(*law, &flat, 1);
  }
}


TEST(every_road_equals_its_numbers)
{
  for (const roadCase *r = roads; r->text; r++) {
    check_states(laws[1], r, 1);
    check_states(laws[6], r, 0);
  }
}


// (a, slip_rate) of numbers at a state moved by h along a velocity coordinate, a velocity or a slip
static int moved(const trial *t, int k, double h, double *y)
{
  artData *d = t->d;
  const size_t nq = (size_t) t->m->tree.nq * sizeof(double);
  double q[NV + 1], move[NV] = {0}, *x = k < 2 * NV ? d->v + k - NV : d->s + k - 2 * NV;
  memcpy(q, d->q, nq);
  if (k < NV) {
    move[k] = h;
    art_move(t->m, d->q, move);
  } else {
    *x += h;
  }
  art_update(t->m, d);
  const int ok = art_accelerate(t->m, d, ART_ORDER_N, NULL) == ART_OK;
  memcpy(y, d->a, NV * sizeof *y);
  memcpy(y + NV, d->s_rate, 2 * sizeof *y);
  memcpy(d->q, q, nq);
  if (k >= NV) *x -= h;
  return ok;
}


// differences of fourth order
static int difference(const trial *t, int k, double *slope)
{
  const double h = 2e-5;
  double y[4][NV + 2];
  int ok = 1;
  for (int i = 0; i < 4; i++) ok &= moved(t, k, (i < 2 ? i - 2 : i - 1) * h, y[i]);
  for (int i = 0; i < NV + 2; i++) {
    slope[i] = (8 * (y[2][i] - y[1][i]) - (y[3][i] - y[0][i])) / (12 * h);
  }
  return ok;
}


// derivatives of accelerations and slip rates, of all by all
static void check_derivatives(const char *law, const roadCase *road)
{
  enum { N = NV + 2 };
  trial t;
  double aq[NV * NV], av[NV * NV], as[NV * 2], sq[2 * NV], sv[2 * NV], ss[4];
  double pq[NV], pv[NV], ps[2];
  int held = begin(&t, law, road->text, 1, "accelerate_tangent");
  for (int n = 0; held && n < 5; n++) {
    artData *d = t.d;
    random_state(t.m, d, road);
    d->v[0] = 12;
    d->q[2] = road->rise + 0.325;
    double *const in[] = {&d->time, d->q, d->v, d->s};
    double *const out[] = {aq, av, as, sq, sv, ss, pq, pv, ps};
    held = CHECK_EQ_INT(t.list->function->noutput, 9) &&
           CHECK_EQ_INT(eqn_evaluate(t.list, NULL, in, out, host_call, t.host), 0);
    for (int k = 0; held && k < 2 * NV + 2; k++) {
      double slope[N], found[N];
      const double *a = k < NV ? aq : k < 2 * NV ? av : as, *s = k < NV ? sq : k < 2 * NV ? sv : ss;
      const int width = k < 2 * NV ? NV : 2, column = k < 2 * NV ? k % NV : k - 2 * NV;
      for (int i = 0; i < NV; i++) found[i] = a[i * width + column];
      for (int i = 0; i < 2; i++) found[NV + i] = s[i * width + column];
      held = CHECK(difference(&t, k, slope)) && CHECK(worst_of(N, found, slope, 1) < 2e-7);
      if (!held)
        printf("  %.90s on %s, column %d: %g\n", law, road->text, k, worst_of(N, found, slope, 1));
    }
  }
  end(&t);
}


TEST(derivatives_equal_differences)
{
  const roadCase flat = {NULL, -5, 5, 0};
  for (int i = 1; laws[i]; i++) check_derivatives(laws[i], &flat);
  check_derivatives(laws[1], &roads[1]);
  check_derivatives(laws[6], &roads[3]);
  check_derivatives(laws[1], &roads[7]);
  check_derivatives(laws[6], &roads[8]);
  check_derivatives(laws[1], &roads[10]);
}


// a slope with steps on it is no profile, and as a height it would let the wheel jump
TEST(steps_on_a_slope_are_refused)
{
  artModel *m =
      read(laws[1],
           "p: {type: plane, grade: 0.05}, s: {type: stairs, start: 1, count: 3, rise: "
           "0.05, tread: 0.3, riser: 0.001, radius: 0.002}, r: {type: sum, parts: [p, s]}",
           0);
  artData *d = keep_fresh_data(m);
  eqnProgram *p = NULL;
  const genOptions options = {.forms = GEN_ACCELERATE};
  if (CHECK(d))
    CHECK_FAILS(gen_create(&p, m, d, &options, &check_error), ART_UNSUPPORTED,
                "corners of radius 0.002 m, sharper than its own");
  gen_free(p);
}
