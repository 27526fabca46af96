// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts at random: bodies between stops and relays under random pulses, against exact integration piece by piece, and
// wheels on roads with bumps, ramps and stairs, against Runge-Kutta steps of given length that end at each corner of the road.
// None may be wrong without a word, and less than one in a hundred be refused. ART_SOAK=1 takes ten thousand cases.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"

enum { TEXT = 3000, MAX_PULSES = 3 };
static const double PI = 3.14159265358979323846;

static const artIntegrator BY_ERROR[] = {ART_DOPRI5, ART_BDF, ART_ADAMS};
enum { INTEGRATORS = 3 };

typedef struct tally {
  int cases, refused, wrong, skipped;
} tally;


// Run a model from where the data is. Returns whether the run speaks against itself.
static int run_to_end(const artModel *m, artData *d, const artRunDef *study)
{
  artRun *run = NULL;
  artStatus status = art_create_run(&run, m, d, study, &check_error);
  if (status == ART_OK) status = art_run_to(run, study->until, &check_error);
  const artCertificate c = run ? art_certify(run) : (artCertificate){0};
  art_free_run(run);
  return status != ART_OK || art_judge(&c, NULL).verdict != ART_VERDICT_GOOD;
}


static void check_tally(const tally *t)
{
  CHECK_EQ_INT(t->wrong, 0);
  CHECK(t->refused * 100 <= t->cases);
  CHECK(t->skipped * 20 <= t->cases);
  if (getenv("ART_SOAK")) {
    printf("  %d cases: %d refused or doubtful, %d wrong without a word, %d skipped\n", t->cases,
           t->refused, t->wrong, t->skipped);
  }
}


static int case_count(int quick)
{
  return getenv("ART_SOAK") ? 10000 : quick;
}


//---- bodies between stops, and relays --------------------------------------------------------------

// 1 kg on a rail with a constant force and pulses, a stop at `limit` and another one at -limit, or a relay: `relay` newtons,
// turned over where x rises above `band` and back where it falls below -band.
typedef struct rail {
  double x, v;
  double force;
  int npulse;
  double height[MAX_PULSES], from[MAX_PULSES], to[MAX_PULSES];
  double limit, square; // m, 1/s^2: stiffness of the stops; 0: there are none
  double relay, band;
  double until;
} rail;

// The state of the exact motion.
typedef struct exact {
  double t, x, v;
  int side;      // of the stop that is touched, 0: none
  int is_turned; // the relay
  int events;    // contacts and turns of the relay so far, each of which passes errors on
  double
      margin; // least distance by which a turning point has missed a border of the relay, in bands
} exact;


static double constant_force(const rail *r, double t)
{
  double f = r->force;
  for (int i = 0; i < r->npulse; i++) f += t > r->from[i] && t < r->to[i] ? r->height[i] : 0;
  return f;
}


// the next end of a pulse after t
static double next_edge(const rail *r, double t)
{
  double next = r->until;
  for (int i = 0; i < r->npulse; i++) {
    if (r->from[i] > t) next = fmin(next, r->from[i]);
    if (r->to[i] > t) next = fmin(next, r->to[i]);
  }
  return next;
}


// The time after which x + v t + a t^2/2 passes a border, outwards along `side`; INFINITY: never.
static double time_to_surface(double x, double v, double a, double border, int side)
{
  const double gap = side * (border - x), speed = side * v, pull = side * a;
  const double root = speed * speed + 2 * pull * gap;
  if (root < 0) return INFINITY;
  // the root at which the speed is outwards, sqrt(root), without cancellation
  const double t = speed >= 0 ? 2 * gap / (speed + sqrt(root)) : (sqrt(root) - speed) / pull;
  return t > 0 && isfinite(t) ? t : INFINITY;
}


static void note_margin(exact *s, const rail *r, double a, double border, double lasts)
{
  const double turn = -s->v / a;
  if (turn > 0 && turn < lasts) {
    const double x = s->x + 0.5 * s->v * turn;
    s->margin = fmin(s->margin, fabs(x - border) / r->band);
  }
}


static void fly(exact *s, const rail *r, double f, double lasts)
{
  const double a = f + (s->is_turned ? -r->relay : r->relay);
  double first = lasts;
  int side = 0, turns = 0;
  for (int k = -1; k <= 1 && r->square > 0; k += 2) {
    const double t = time_to_surface(s->x, s->v, a, k * r->limit, k);
    if (t < first) first = t, side = k;
  }
  if (r->band > 0) {
    const int way = s->is_turned ? -1 : 1;
    const double t = time_to_surface(s->x, s->v, a, way * r->band, way);
    note_margin(s, r, a, way * r->band, lasts);
    if (t < first) first = t, turns = 1;
  }
  s->x += (s->v + 0.5 * a * first) * first;
  s->v += a * first;
  s->t += first;
  s->side = side;
  s->events += side || turns;
  if (side) s->x = side * r->limit;
  if (turns) s->is_turned = !s->is_turned;
}


// u'' = -w^2 u + c beyond the limit
static void touch(exact *s, const rail *r, double f, double lasts)
{
  const double w = sqrt(r->square), c = s->side * f / r->square;
  const double A = s->side * s->x - r->limit - c, B = s->side * s->v / w;
  const double R = hypot(A, B), phase = atan2(B, A);
  double first = lasts;
  if (R >= fabs(c)) {
    // R cos(w t - phase) = -c, outwards of the stop: the speed is negative
    double angle = fmod(phase + acos(-c / R), 2 * PI);
    if (angle <= 1e-13) angle += 2 * PI;
    first = fmin(lasts, angle / w);
  }
  const double angle = w * first;
  const int leaves = first < lasts;
  s->x = s->side * (r->limit + c + A * cos(angle) + B * sin(angle));
  s->v = s->side * w * (B * cos(angle) - A * sin(angle));
  s->t += first;
  if (leaves) s->x = s->side * r->limit, s->side = 0;
}


static exact integrate(const rail *r)
{
  exact s = {.x = r->x, .v = r->v, .margin = INFINITY};
  for (int k = 0; k < 100000 && s.t < r->until; k++) {
    const double edge = next_edge(r, s.t);
    const double f = constant_force(r, 0.5 * (s.t + edge));
    const double before = s.t;
    if (s.side) {
      touch(&s, r, f, edge - s.t);
    } else {
      fly(&s, r, f, edge - s.t);
    }
    if (s.t > edge || s.t == before || edge - s.t < 1e-15 * edge) s.t = edge;
  }
  return s;
}


static artModel *read_rail(const rail *r)
{
  char text[TEXT];
  int n = snprintf(text, sizeof text,
                   "articula: 1\n"
                   "gravity: [0, 0, 0]\n"
                   "bodies: {m: {mass: 1}}\n"
                   "joints: {x: {type: prismatic, axis: x, from: ground, to: m}}\n"
                   "initial: {x: {slide: %.17g, rate: %.17g}}\n"
                   "forces:\n",
                   r->x, r->v);
  if (r->square > 0) {
    n += snprintf(text + n, sizeof text - (size_t) n,
                  "  s: {type: joint-stop, coordinate: x, lower: %.17g, upper: %.17g, stiffness: "
                  "%.17g}\n",
                  -r->limit, r->limit, r->square);
  }
  n += snprintf(text + n, sizeof text - (size_t) n,
                "  f: {type: joint-force, coordinate: x, value: \"= %.17g[N]", r->force);
  for (int i = 0; i < r->npulse; i++) {
    n += snprintf(text + n, sizeof text - (size_t) n, " + %.17g[N]*pulse(time, %.17g[s], %.17g[s])",
                  r->height[i], r->from[i], r->to[i]);
  }
  if (r->band > 0) {
    n += snprintf(text + n, sizeof text - (size_t) n,
                  " + %.17g[N]*(1 - 2*hysteresis(x.slide, %.17g[m], %.17g[m]))", r->relay, -r->band,
                  r->band);
  }
  snprintf(text + n, sizeof text - (size_t) n, "\"}\n");
  artModel *m = NULL;
  if (!CHECK(art_read_model(&m, text, strlen(text), "random", &check_error) == ART_OK))
    printf("  %s\n%s\n", check_error.text, text);
  return m;
}


static void add_pulses(rail *r, double size, uint64_t *seed)
{
  r->npulse = check_pick(seed, MAX_PULSES + 1);
  for (int i = 0; i < r->npulse; i++) {
    const double length = r->until * pow(10, check_uniform(seed, -4, -1));
    r->from[i] = check_uniform(seed, 0.02, 0.85) * r->until;
    r->to[i] = r->from[i] + length;
    r->height[i] = check_uniform(seed, -1, 1) * fmin(size * r->until / length, 100 * size);
  }
}


// between stops, thrown back and forth
static rail random_stops(uint64_t *seed)
{
  const double L = pow(10, check_uniform(seed, -3, 0.5)), V = pow(10, check_uniform(seed, -2, 1));
  rail r = {.limit = L, .square = pow(10, check_uniform(seed, 3, 9))};
  r.square = fmax(r.square, 10 * V * V / (L * L));
  r.until = L / V * check_uniform(seed, 3, 40);
  r.x = L * check_uniform(seed, -0.9, 0.9);
  r.v = V * check_uniform(seed, -1, 1);
  r.force = check_uniform(seed, -1, 1) * V * V / L;
  add_pulses(&r, V / r.until, seed);
  return r;
}


// turned around just behind a stop: a touch as light as one likes
static rail random_touch(uint64_t *seed)
{
  const double L = pow(10, check_uniform(seed, -3, 0.5)), V = pow(10, check_uniform(seed, -2, 1));
  const double deep = pow(10, check_uniform(seed, -5, 0)), side = check_pick(seed, 2) ? 1 : -1;
  rail r = {.limit = L, .square = pow(10, check_uniform(seed, 3, 9)), .v = side * V};
  r.force = -side * V * V / (2 * L * (1 + deep));
  r.until = 2 * V / fabs(r.force) * check_uniform(seed, 1, 1.4);
  return r;
}


static rail random_relay(uint64_t *seed)
{
  const double a = pow(10, check_uniform(seed, -3, 0)), A = pow(10, check_uniform(seed, -2, 2));
  rail r = {.band = a, .relay = A};
  r.until = sqrt(a / A) * check_uniform(seed, 5, 60);
  r.x = a * check_uniform(seed, -0.9, 0.9);
  r.v = sqrt(a * A) * check_uniform(seed, -1, 1);
  r.force = 0.3 * A * check_uniform(seed, -1, 1);
  add_pulses(&r, 0.2 * A, seed);
  return r;
}


static void check_rail(const rail *r, artIntegrator integrator, tally *t)
{
  artModel *m = read_rail(r);
  if (!m) return;
  artData *d = art_create_data(m);
  artRunDef study = art_default_run();
  study.integrator = integrator;
  study.until = study.interval = r->until;
  study.tolerance = 1e-10; // contacts pass errors on
  const exact want = integrate(r);
  const int is_told = run_to_end(m, d, &study);
  const double size = r->square > 0 ? r->limit : r->band;
  const double speed = fmax(fabs(want.v), size / r->until);
  const double share = 1e-4 * (1 + want.events);
  const int is_off = !(fabs(d->q[0] - want.x) <= share * fmax(size, fabs(want.x)) &&
                       fabs(d->v[0] - want.v) <= share * (speed + 0.01 * size * sqrt(r->square)));
  t->cases++;
  // a turning point that all but touches a border of the relay is decided by rounding
  if (want.margin < 1e-5) {
    t->skipped++;
  } else {
    t->refused += is_told;
    t->wrong += is_off && !is_told;
    if (is_off && !is_told) {
      printf("  by %s: x %.9g want %.9g, v %.9g want %.9g\n"
             "    x0 %.17g v0 %.17g f %.17g limit %.17g k %.17g band %.17g relay %.17g until "
             "%.17g\n",
             art_integrator_name(integrator), d->q[0], want.x, d->v[0], want.v, r->x, r->v,
             r->force, r->limit, r->square, r->band, r->relay, r->until);
      for (int i = 0; i < r->npulse; i++)
        printf("    %.17g from %.17g to %.17g\n", r->height[i], r->from[i], r->to[i]);
    }
  }
  art_free_data(d);
  art_free_model(m);
}


static void check_rails(rail (*random)(uint64_t *), int cases, uint64_t seed)
{
  tally t = {0};
  for (int k = 0; k < cases; k++) {
    const rail r = random(&seed);
    check_rail(&r, BY_ERROR[check_pick(&seed, INTEGRATORS)], &t);
  }
  check_tally(&t);
}


CASE(stops_throw_back, check_rails(random_stops, case_count(100), 1))
CASE(light_touches_are_felt, check_rails(random_touch, case_count(100), 2))
CASE(relays_switch, check_rails(random_relay, case_count(60), 3))
