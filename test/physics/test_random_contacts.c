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


//---- what an even motion passes --------------------------------------------------------------------

// A cart of 1 kg on a rail x beside a rotor that turns evenly, and a body far away on a rail z that moves evenly. Something acts that
// nothing else in the motion tells of.
typedef enum passage {
  ROTOR_WAVE,   // a square wave of the rotor's angle pushes the cart
  ROTOR_PULSE,  // a narrow pulse in each turn
  ROTOR_BUMP,   // a smooth one
  POINT_WAVE,   // a square wave of the height of a point on the rotor
  PLACE_SQUARE, // a force on the cart between two places
  PLACE_BUMP,   // a narrow smooth force at a place
  PAIR_STOP,    // a stop on the distance of cart and body, which change their speeds
  PASSAGES
} passage;


static artModel *read_passage(const char *initial, const char *force)
{
  char text[TEXT];
  snprintf(text, sizeof text,
           "articula: 1\n"
           "gravity: [0, 0, 0]\n"
           "bodies: {m: {mass: 1, inertia: [1, 1, 1]}, n: {mass: 1, inertia: [1, 1, 1]}, rotor: "
           "{mass: 1, inertia: [1, 1, 1], points: {tip: [1, 0, 0]}}}\n"
           "joints:\n"
           "  x: {type: prismatic, axis: x, from: ground, to: m}\n"
           "  z: {type: prismatic, axis: x, from: ground, to: n}\n"
           "  r: {type: revolute, axis: z, from: ground, to: rotor}\n"
           "initial: {%s}\n"
           "forces: {f: {%s}}\n",
           initial, force);
  artModel *m = NULL;
  if (!CHECK(art_read_model(&m, text, strlen(text), "random", &check_error) == ART_OK))
    printf("  %s\n%s\n", check_error.text, text);
  return m;
}


// time of an even turn from 0 to `angle` within which cos is above `level`, times the rate
static double angle_above(double angle, double level)
{
  const double half = acos(level), turns = floor(angle / (2 * PI)), rest = angle - 2 * PI * turns;
  return 2 * half * turns + fmin(rest, half) + fmax(0, rest - (2 * PI - half));
}


static void check_passage(passage kind, artIntegrator integrator, uint64_t *seed, tally *t)
{
  const double F = pow(10, check_uniform(seed, -1, 1)), until = pow(10, check_uniform(seed, 0, 2));
  const double rate = pow(10, check_uniform(seed, -1, 1)), v = pow(10, check_uniform(seed, -1, 1));
  const double level = check_uniform(seed, -0.9, 0.95),
               place = v * until * check_uniform(seed, 0.1, 0.9);
  const double narrow = v * until * pow(10, check_uniform(seed, -4, -1.5));
  char initial[TEXT / 4], force[TEXT / 2];
  double want = 0, turn = rate * until;
  snprintf(initial, sizeof initial, "r: {rate: %.17g}", rate);
  switch (kind) {
  case ROTOR_WAVE:
    snprintf(force, sizeof force,
             "type: joint-force, coordinate: x, value: \"= %.17g[N]*step(cos(r.angle) - %.17g)\"",
             F, level);
    want = F / rate * angle_above(turn, level);
    break;
  case POINT_WAVE:
    snprintf(force, sizeof force,
             "type: joint-force, coordinate: x, value: \"= %.17g[N]*step(rotor.tip.x - %.17g[m])\"",
             F, level);
    want = F / rate * angle_above(turn, level);
    break;
  case ROTOR_PULSE: {
    const double half = acos(0.99 + 0.009 * level);
    snprintf(force, sizeof force,
             "type: joint-force, coordinate: x, value: \"= %.17g[N]*pulse(mod(r.angle + %.17g, "
             "2*pi), 0, %.17g)\"",
             F, half, 2 * half);
    want = F / rate * angle_above(turn, cos(half));
    break;
  }
  case ROTOR_BUMP: {
    // the mean of exp(k (cos a - 1)) over a turn by the trapezoidal rule, which is exact to rounding
    const double k = pow(10, check_uniform(seed, 0, 2));
    turn = 2 * PI * fmax(1, round(turn / (2 * PI)));
    double mean = 0;
    for (int i = 0; i < 400; i++) mean += exp(k * (cos(2 * PI * i / 400) - 1)) / 400;
    snprintf(
        force, sizeof force,
        "type: joint-force, coordinate: x, value: \"= %.17g[N]*exp(%.17g*(cos(r.angle) - 1))\"", F,
        k);
    want = F / rate * turn * mean;
    break;
  }
  case PLACE_SQUARE:
    snprintf(initial, sizeof initial, "x: {slide: %.17g, rate: %.17g}", -place, v);
    snprintf(force, sizeof force,
             "type: joint-force, coordinate: x, value: \"= %.17g[N]*pulse(x.slide, 0, %.17g[m])\"",
             v * v * F / narrow, narrow);
    want = sqrt(v * v + 2 * v * v * F) - v;
    break;
  case PLACE_BUMP:
    snprintf(initial, sizeof initial, "x: {slide: %.17g, rate: %.17g}", -place, v);
    snprintf(force, sizeof force,
             "type: joint-force, coordinate: x, value: \"= %.17g[N]*exp(-(x.slide/%.17g[m])^2)\"",
             v * v * F / narrow, narrow);
    want = sqrt(v * v + 2 * sqrt(PI) * v * v * F) - v;
    break;
  default:
    snprintf(initial, sizeof initial, "x: {slide: %.17g, rate: %.17g}, z: {rate: %.17g}", -place, v,
             -0.5 * v * F);
    snprintf(force, sizeof force,
             "type: spring-damper, between: [m, n], stiffness: 0, stops: {lower: %.17g, stiffness: "
             "%.17g}",
             0.2 * narrow, 1e3 * v * v * (1 + F) * (1 + F) / (narrow * narrow));
    want = -0.5 * v * F - v;
    break;
  }
  artModel *m = read_passage(initial, force);
  if (!m) return;
  artData *d = art_create_data(m);
  const double before = d->v[0];
  artRunDef study = art_default_run();
  study.integrator = integrator;
  study.until = study.interval = kind == ROTOR_BUMP ? turn / rate : until;
  const int is_told = run_to_end(m, d, &study);
  const double got = d->v[0] - before,
               scale = kind <= POINT_WAVE ? F * study.until : fabs(want) + v;
  const int is_off = !(fabs(got - want) <= 1e-4 * scale);
  t->cases++;
  t->refused += is_told;
  t->wrong += is_off && !is_told;
  if (is_off && !is_told) {
    printf("  by %s to %.17g s: change of speed %.9g want %.9g\n    %s\n    %s\n",
           art_integrator_name(integrator), study.until, got, want, initial, force);
  }
  art_free_data(d);
  art_free_model(m);
}


static void check_passages(int cases, uint64_t seed)
{
  tally t = {0};
  for (int k = 0; k < cases; k++) {
    const passage kind = (passage) (k % PASSAGES);
    check_passage(kind, BY_ERROR[check_pick(&seed, INTEGRATORS)], &seed, &t);
  }
  check_tally(&t);
}


CASE(passages_are_seen, check_passages(case_count(63), 4))
