// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Blocks: continuous ones against closed forms by all methods and integrators, sampled ones against their difference
// equations, and what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "force/force.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double PI = 3.14159265358979323846;

// a cart beside them, so that every method has a machine
#define CART                                                                                       \
  "articula: 1\n"                                                                                  \
  "bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}\n"                                                \
  "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"                           \
  "curves:\n"                                                                                      \
  "  bend: {piecewise: [[0, 0], [1, 2], [2, 0]]}\n"                                                \
  "  plane: {piecewise: {x: [0, 1], y: [0, 1], values: [[0, 1], [2, 3]]}}\n"

#define CONTINUOUS                                                                                 \
  CART "parameters: {K: 3, tau: 7, now: 1 s}\n"                                                    \
       "blocks:\n"                                                                                 \
       "  lag: {type: lag, input: 2, gain: = K, time: 0.4 s, initial: 1}\n"                        \
       "  swing: {type: second-order, input: 1, frequency: 0.5, damping: 0.3, gain: 2}\n"          \
       "  creep: {type: second-order, input: 0, frequency: 0.5, damping: 1.5, initial: 1}\n"       \
       "  ratio: {type: transfer-function, input: 1, numerator: [1, 3], denominator: [1, 3, 2]}\n" \
       "  proper: {type: transfer-function, input: 2, numerator: [4, 1], denominator: [2, 1],"     \
       " before: 1}\n"                                                                             \
       "  sum: {type: integrator, input: \"= 2*sin(time/now)\", limits: [-1, 1.5]}\n"              \
       "  rate: {type: derivative, input: = 3*time/now, filter: 0.2}\n"                            \
       "  ramp: {type: rate-limiter, input: = step(time - now), rising: 1, time: 0.1}\n"           \
       "  late: {type: delay, input: = sin(time/now), delay: 0.3, order: 4}\n"                     \
       "  flat: {type: saturation, input: = 2*sin(time/now), limits: [-1, 1.5]}\n"                 \
       "  dead: {type: dead-band, input: = 2*sin(time/now), band: [-1, 1.5]}\n"                    \
       "  relay: {type: relay, input: = 2*sin(time/now), band: [-1, 1.5], values: [3, 7]}\n"       \
       "  table: {type: table, input: = time/2/now, curve: bend}\n"                                \
       "  map: {type: table, input: = time/now, second: 0.5, curve: plane}\n"                      \
       "  pid: {type: pid, input: = 2 - time/now, kp: 0.7, ki: = K, kd: 0.4, filter: 0.2,"         \
       " before: 2, initial: 0.3}\n"                                                               \
       "  held: {type: pid, input: = 1 - 2*step(time - now), kp: 0.5, ki: 5, limits: [-1, 2]}\n"   \
       "  tracked: {type: pid, input: 1, kp: 0.5, ki: 5, limits: [-1, 2], tracking: 0.25}\n"       \
       "  kick: {type: pid, input: = 5 - step(time - now), measured: = 2*time/now, kd: 0.4,"       \
       " filter: 0.2, before: 0.3}\n"                                                              \
       "outputs: {integral: = tracked.integral}\n"


static double second_order(double d, double t)
{
  const double w = PI, c = d < 1 ? w * sqrt(1 - d * d) : w * sqrt(d * d - 1);
  const double swing =
      d < 1 ? cos(c * t) + d * w / c * sin(c * t) : cosh(c * t) + d * w / c * sinh(c * t);
  return 1 - exp(-d * w * t) * swing;
}


static double limited_sum(double t)
{
  const double full = acos(0.25);
  if (t < full) return 2 * (1 - cos(t));
  if (t < PI) return 1.5;
  return t < 2 * PI - full ? -0.5 - 2 * cos(t) : -1;
}


static double limited_ramp(double t)
{
  return t < 1 ? 0 : t < 1.9 ? t - 1 : 1 - 0.1 * exp(-(t - 1.9) / 0.1);
}


static double held_pid(double t)
{
  const double integral = fmin(5 * fmin(t, 1), 2) - (t > 1 ? 5 * (t - 1) : 0);
  return fmax(-1, fmin(2, (t < 1 ? 0.5 : -0.5) + fmax(integral, -1)));
}


static double clamped(double x, double low, double high)
{
  return fmax(low, fmin(high, x));
}


// value of a quantity by the output of that name
typedef struct wantedValue {
  const char *name;
  double value;
} wantedValue;


static int want_at(double t, wantedValue *w)
{
  const double u = 2 * sin(t), rest = 1.5 + 5 * 0.25;
  int n = 0;
  w[n++] = (wantedValue){"lag", 6 - 5 * exp(-t / 0.4)};
  w[n++] = (wantedValue){"swing", 2 * second_order(0.3, t)};
  w[n++] = (wantedValue){"creep", 1 - second_order(1.5, t)};
  w[n++] = (wantedValue){"ratio", 1.5 - 2 * exp(-t) + 0.5 * exp(-2 * t)};
  // (4 s + 1)/(2 s + 1) = 2 - 1/(2 s + 1), at rest with 1 and then 2
  w[n++] = (wantedValue){"proper", 4 - (2 - exp(-t / 2))};
  w[n++] = (wantedValue){"sum", limited_sum(t)};
  w[n++] = (wantedValue){"rate", 3 * (1 - exp(-t / 0.2))};
  w[n++] = (wantedValue){"ramp", limited_ramp(t)};
  w[n++] = (wantedValue){"flat", clamped(u, -1, 1.5)};
  w[n++] = (wantedValue){"dead", u - clamped(u, -1, 1.5)};
  w[n++] = (wantedValue){"relay", t > asin(0.75) && t < PI + asin(0.5) ? 7 : 3};
  w[n++] = (wantedValue){"table", t < 2 ? t : 4 - t};
  w[n++] = (wantedValue){"map", 2 * t + 0.5};
  w[n++] = (wantedValue){"pid",
                         0.7 * (2 - t) + 0.3 + 3 * (2 * t - t * t / 2) - 0.4 * (1 - exp(-t / 0.2))};
  w[n++] = (wantedValue){"held", held_pid(t)};
  w[n++] = (wantedValue){"tracked.integral",
                         t < 0.3 ? 5 * t : rest + (1.5 - rest) * exp(-(t - 0.3) / 0.25)};
  w[n++] = (wantedValue){"tracked", fmin(2, 0.5 + (t < 0.3 ? 5 * t : 2))};
  w[n++] = (wantedValue){"kick", -0.8 * (1 - exp(-t / 0.2)) + 0.6 * exp(-t / 0.2)};
  if (t > 3) w[n++] = (wantedValue){"late", sin(t - 0.3)};
  return n;
}


// the model with an output of each name
static artModel *with_outputs(void)
{
  char text[6000];
  wantedValue w[30];
  const int n = want_at(5, w);
  snprintf(text, sizeof text, "%s", CONTINUOUS);
  text[strlen(text) - 2] = '\0'; // the closing brace
  for (int i = 0; i < n; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, ", o%d: = %s", i, w[i].name);
  }
  strcat(text, "}\n");
  return keep_text(text);
}


static void check_values(const artModel *m, artData *d, double tolerance, const char *where)
{
  wantedValue w[30];
  const int n = want_at(d->time, w);
  for (int i = 0; i < n; i++) {
    char name[10];
    snprintf(name, sizeof name, "o%d", i);
    if (!CHECK_CLOSE(output_named(m, d, name), w[i].value, tolerance)) {
      printf("  %s at t = %g, %s\n", w[i].name, d->time, where);
    }
  }
}


typedef struct oneWay {
  const artModel *m;
  artData *d;
  artRun *run;
  artRunDef study;
  double bound;
  char name[80];
} oneWay;

// A run by each pair of method and integrator that there is, which `check` moves. Methods of natural coordinates have
// steps and rules of order two of their own, hence a bound of their own.
static void check_all_ways(const artModel *m, artRunDef study, double bound, double natural_bound,
                           void (*check)(oneWay *way))
{
  int runs = 0;
  for (int method = 0; m && method < ART_METHODS; method++) {
    const int is_natural = art_method_is_natural((artMethod) method);
    for (int integrator = 0; integrator < (is_natural ? 1 : ART_MOREAU); integrator++) {
      study.method = (artMethod) method;
      study.integrator = (artIntegrator) integrator;
      study.step = integrator == ART_RK4 || is_natural ? 1e-3 : 0;
      oneWay way = {m, keep_fresh_data(m), NULL, study, is_natural ? natural_bound : bound, ""};
      snprintf(way.name, sizeof way.name, "method %d, integrator %d", method, integrator);
      if (art_create_run(&way.run, m, way.d, &way.study, NULL) != ART_OK) continue;
      keep_run(way.run);
      runs++;
      check(&way);
    }
  }
  CHECK(runs > 20);
}


static void follow_closed_forms(oneWay *way)
{
  for (int i = 1; i <= 12; i++) {
    if (!CHECK_WORKS(art_run_to(way->run, 0.41 * i, &check_error))) {
      printf("  %s: %s\n", way->name, check_error.text);
      return;
    }
    check_values(way->m, way->d, way->bound, way->name);
  }
}


TEST(continuous_blocks_follow_their_closed_forms_by_all_methods_and_integrators)
{
  artRunDef study = art_default_run();
  study.until = 5;
  study.tolerance = 1e-10;
  check_all_ways(with_outputs(), study, 2e-6, 2e-5, follow_closed_forms);
}


//---- sampled -------------------------------------------------------------------------------------

#define SAMPLED                                                                                    \
  CART                                                                                             \
      "blocks:\n"                                                                                  \
      "  u: {type: formula, value: \"= 1.5*sin(30*time/1[s]) + 0.5\"}\n"                           \
      "  lag: {type: lag, input: = u, gain: 3, time: 0.4, initial: 1, every: 10 ms}\n"             \
      "  swing: {type: second-order, input: = u, frequency: 5, damping: 0.3, gain: 2,"             \
      " initial: 1.2, every: 10 ms}\n"                                                             \
      "  ratio: {type: transfer-function, input: = u, numerator: [1, 3], denominator: [1, 3, 20]," \
      " before: 2, every: 10 ms}\n"                                                                \
      "  sum: {type: integrator, input: = u, gain: 4, limits: [-1, 0.2], every: 10 ms}\n"          \
      "  rate: {type: derivative, input: = u, filter: 0.02, gain: 2, before: 0.5, every: 10 ms}\n" \
      "  ramp: {type: rate-limiter, input: = u, rising: 9, falling: 7, every: 10 ms}\n"            \
      "  late: {type: delay, input: = u, delay: 50 ms, before: -3, every: 10 ms}\n"                \
      "  relay: {type: relay, input: = u, band: [-0.5, 1.5], values: [3, 7], on: true,"            \
      " every: 10 ms}\n"                                                                           \
      "  flat: {type: saturation, input: = u, limits: [-0.5, 1.5], every: 10 ms}\n"                \
      "  pid: {type: pid, input: = u, kp: 2, ki: 30, kd: 0.1, filter: 0.03, limits: [-1, 3],"      \
      " before: 0.5, initial: 0.25, every: 10 ms}\n"                                               \
      "  tracked: {type: pid, input: = u, kp: 2, ki: 30, kd: 0.1, measured: = 2*u,"                \
      " limits: [-1, 3], tracking: 0.05, every: 10 ms}\n"                                          \
      "  chain: {type: saturation, input: = lag + late, limits: [-9, 9], every: 20 ms}\n"


// the memory of the difference equations of the reference
typedef struct sampleMemory {
  double lag, m[3], w[3], sum, rate, last, ramp, late[6], relay;
  double integral, derivative, tracked, over, minus;
} sampleMemory;


// Tustin's rule for (s + 3)/(s^2 + 3 s + 20), multiplied out by hand with q = 2/h
static double next_ratio(sampleMemory *x, double u)
{
  const double q = 200, a0 = q * q + 3 * q + 20, a1 = 2 * (20 - q * q), a2 = q * q - 3 * q + 20;
  const double b0 = q + 3, b1 = 6, b2 = 3 - q;
  const double w = u - (a1 * x->w[0] + a2 * x->w[1]) / a0;
  const double y = (b0 * w + b1 * x->w[0] + b2 * x->w[1]) / a0;
  x->w[1] = x->w[0];
  x->w[0] = w;
  return y;
}


static double next_swing(sampleMemory *x, double u)
{
  const double q = 200, w = 10 * PI, a0 = q * q + 0.6 * w * q + w * w;
  const double a1 = 2 * (w * w - q * q), a2 = q * q - 0.6 * w * q + w * w;
  const double m = u - (a1 * x->m[0] + a2 * x->m[1]) / a0;
  const double y = 2 * w * w * (m + 2 * x->m[0] + x->m[1]) / a0;
  x->m[1] = x->m[0];
  x->m[0] = m;
  return y;
}


static double next_pid(sampleMemory *x, double u)
{
  const double h = 0.01;
  x->integral = clamped(x->integral + h * 30 * u, -1, 3);
  x->derivative = (0.03 * x->derivative + 0.1 * (u - x->last)) / (0.03 + h);
  return clamped(2 * u + x->integral + x->derivative, -1, 3);
}


static double next_tracked(sampleMemory *x, double u)
{
  const double h = 0.01;
  x->tracked += h * (30 * u - x->over / 0.05);
  const double v = 2 * u + x->tracked + 0.1 * (-2 * u - x->minus) / h, y = clamped(v, -1, 3);
  x->over = v - y;
  x->minus = -2 * u;
  return y;
}


static int next_values(sampleMemory *x, double u, wantedValue *w)
{
  const double h = 0.01;
  int n = 0;
  x->lag = exp(-h / 0.4) * x->lag + (1 - exp(-h / 0.4)) * 3 * u;
  w[n++] = (wantedValue){"lag", x->lag};
  w[n++] = (wantedValue){"swing", next_swing(x, u)};
  w[n++] = (wantedValue){"ratio", next_ratio(x, u)};
  x->sum = clamped(x->sum + h * 4 * u, -1, 0.2);
  w[n++] = (wantedValue){"sum", x->sum};
  x->rate = (0.02 * x->rate + 2 * (u - x->last)) / (0.02 + h);
  w[n++] = (wantedValue){"rate", x->rate};
  x->ramp += clamped(u - x->ramp, -7 * h, 9 * h);
  w[n++] = (wantedValue){"ramp", x->ramp};
  memmove(x->late + 1, x->late, 5 * sizeof *x->late);
  x->late[0] = u;
  w[n++] = (wantedValue){"late", x->late[5]};
  x->relay = u > 1.5 ? 7 : u < -0.5 ? 3 : x->relay;
  w[n++] = (wantedValue){"relay", x->relay};
  w[n++] = (wantedValue){"flat", clamped(u, -0.5, 1.5)};
  w[n++] = (wantedValue){"pid", next_pid(x, u)};
  w[n++] = (wantedValue){"tracked", next_tracked(x, u)};
  x->last = u;
  return n;
}


TEST(sampled_blocks_follow_their_difference_equations)
{
  artModel *m = keep_text(SAMPLED);
  artData *d = keep_fresh_data(m);
  // at rest with the input 2: w = 2 a0/(a0 + a1 + a2)
  const double rest = 2 * (4e4 + 600 + 20) / 80;
  const double w2 = 100 * PI * PI, still = 0.6 * (200 * 200 + 0.6 * 200 * 10 * PI + w2) / (4 * w2);
  sampleMemory x = {
      .lag = 1, .m = {still, still}, .w = {rest, rest}, .last = 0.5, .relay = 7, .integral = 0.25};
  for (int i = 0; i < 6; i++) x.late[i] = -3;
  double chain = 0;
  for (int k = 0; d && k < 300; k++) {
    wantedValue w[20];
    d->time = 0.01 * k;
    art_update(m, d);
    CHECK_WORKS(force_sample(m, d, &check_error));
    art_update(m, d);
    const int n = next_values(&x, 1.5 * sin(30 * d->time) + 0.5, w);
    for (int i = 0; i < n; i++) {
      if (CHECK_CLOSE(output_named(m, d, w[i].name), w[i].value, 1e-12 * (1 + fabs(w[i].value)))) {
        continue;
      }
      printf("  %s at sample %d\n", w[i].name, k);
      return;
    }
    // it reads the new values of the same instant, and stays in between
    if (k % 2 == 0) chain = clamped(x.lag + x.late[5], -9, 9);
    CHECK_CLOSE(output_named(m, d, "chain"), chain, 1e-12);
  }
}


static void switch_at_surfaces(oneWay *way)
{
  artStatus status = ART_OK;
  while (status == ART_OK && way->d->time < way->study.until) {
    status = art_run_next(way->run, &way->study, &check_error);
  }
  if (!CHECK_EQ_INT(status, ART_OK) ||
      !CHECK_CLOSE(way->d->q[0], 17.0 / 30 + 0.6 + 0.18, way->bound)) {
    printf("  %s: %s\n", way->name, check_error.text);
  }
}


// Corners, cells and steps at the very instants of a sampler, which chooses them anew. At t = 1 s a mass of 1 has come by
// the two curves to 17/30 m, by cells that begin at 0.2 k s to the sum of (1 - 0.2 k)^2/2, by the step to 0.6^2/2.
TEST(borders_at_instants_are_crossed_once_by_all_methods_and_integrators)
{
  artModel *m = keep_text(
      CART "  rise: {piecewise: [[0, 0], [0.2, 1], [1, 1]]}\n"
           "  hat: {piecewise: [[0, 0], [0.2, 1], [0.4, 0], [1, 0]]}\n"
           "blocks: {held: {type: formula, value: = rail.slide, every: 10 ms}}\n"
           "forces: {push: {type: joint-force, coordinate: rail, value: \"= rise(time/1[s]) + "
           "hat(time/1[s]) + floor(5*time/1[s]) + step(time - 0.4[s])\"}}\n");
  artRunDef study = art_default_run();
  study.until = 1;
  study.tolerance = 1e-9;
  check_all_ways(m, study, 1e-7, 1e-5, switch_at_surfaces);
}


//---- a loop that is closed -----------------------------------------------------------------------

// At rest what is left of some states is rounding of the others, which iterations make no smaller.
TEST(a_filter_comes_to_rest_in_natural_coordinates)
{
  static const artMethod methods[] = {ART_INDEX1, ART_INDEX3, ART_MULTI_INDEX};
  artModel *m =
      keep_text(CART "inputs: {u: {default: 1}}\n"
                     "blocks: {y: {type: transfer-function, input: = u, numerator: [3e4],"
                     " denominator: [1, 60, 1700, 25000, 190000, 600000]}}\n"
                     "forces: {push: {type: joint-force, coordinate: rail, value: = y}}\n");
  for (int i = 0; i < 3; i++) {
    simulation s = {0};
    artRunDef study = art_default_run();
    study.method = methods[i];
    study.step = 5e-4;
    simulation_run(&s, m, &study);
    CHECK(simulation_go(&s, 6));
    CHECK_CLOSE(simulation_output(&s, "y"), 0.05, 1e-9);
  }
}


TEST(a_sampled_controller_holds_a_pole_upright)
{
  static const artIntegrator integrators[] = {ART_DOPRI5, ART_RK4, ART_BDF, ART_ADAMS};
  double last[4];
  for (int i = 0; i < 4; i++) {
    simulation s;
    artRunDef study = art_default_run();
    study.until = 10, study.integrator = integrators[i], study.tolerance = 1e-9;
    study.step = integrators[i] == ART_RK4 ? 1e-3 : 0;
    if (!simulation_begin(&s, "plant/inverted-pendulum", &study)) return;
    const int pin = art_find_position(s.model, "pin.angle");
    const int rail = art_find_position(s.model, "rail.slide");
    double most = 0;
    for (int k = 1; k <= 100; k++) {
      if (!simulation_go(&s, 0.1 * k)) return;
      if (k > 5) most = check_larger(most, fabs(s.data->q[pin]));
    }
    CHECK(most < 0.2);
    CHECK_CLOSE(s.data->q[rail], 0.5, 0.02);
    CHECK_CLOSE(s.data->q[pin], 0, 5e-3);
    last[i] = s.data->q[rail];
  }
  for (int i = 1; i < 4; i++) CHECK_CLOSE(last[i], last[0], 1e-3);
}


//---- limits --------------------------------------------------------------------------------------

// none on one side, or on both
TEST(limits_may_be_one_sided)
{
  artModel *m = keep_text(CART "inputs: {u: {limits: [0, .inf]}}\n"
                               "blocks:\n"
                               "  up: {type: saturation, input: = 3*u - 4, limits: [-1, inf]}\n"
                               "  down: {type: saturation, input: = 3*u - 4, limits: [-.inf, 1]}\n"
                               "  all: {type: saturation, input: = 3*u - 4, limits: [-inf, inf]}\n"
                               "  rest: {type: dead-band, input: = 3*u - 4, band: [-inf, 1]}\n"
                               "  fill: {type: integrator, input: = 1 - u, limits: [0, inf]}\n"
                               "  drain: {type: integrator, input: = u - 1, limits: [-inf, 0]}\n"
                               "  pid: {type: pid, input: = u, kp: 1, ki: 2, limits: [0, inf]}\n");
  artData *d = keep_fresh_data(m);
  CHECK_FAILS(art_set_input(m, d, 0, -0.5, &check_error), ART_BAD_INPUT,
              "'u' is set to -0.5 , outside its limits 0 to inf");
  static const double want[2][7] = {{-1, -4, -4, 0, 1, -1, 0}, {5, 1, 5, 4, 0, 0, 3}};
  for (int i = 0; i < 2; i++) {
    const double u = 3 * i;
    CHECK_EQ_INT(art_set_input(m, d, 0, u, NULL), ART_OK);
    art_update(m, d);
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    static const char *const signals[] = {"up", "down", "all", "rest"};
    for (int k = 0; k < 4; k++) CHECK_CLOSE(output_named(m, d, signals[k]), want[i][k], 0);
    CHECK_CLOSE(d->s_rate[art_find_state(m, "fill")], want[i][4], 0);
    CHECK_CLOSE(d->s_rate[art_find_state(m, "drain")], want[i][5], 0);
    CHECK_CLOSE(output_named(m, d, "pid"), want[i][6], 0);
  }
}


//---- refused -------------------------------------------------------------------------------------

TEST(bad_blocks_are_refused_where_they_stand)
{
  static const struct {
    const char *block, *message;
  } cases[] = {
      {"type: pid, input: 1", "t.yaml:3:3: 'a': give kp, ki or kd"},
      {"type: pid, input: 1, kd: 2", "t.yaml:3:32: 'a': a continuous derivative needs 'filter'"},
      {"type: pid, input: 1, kp: 1, limits: [2, 1]",
       "t.yaml:3:43: limits of block 'a' leave a width of -1, a positive one is wanted"},
      {"type: pid, input: 1, kp: 1, limits: 3",
       "found 1 value, expected the least and the largest"},
      {"type: pid, input: 1, kp: 1, tracking: 3", "tracking belongs to 'ki' and 'limits'"},
      {"type: lag, input: 1, time: 1, every: 0", "t.yaml:3:44: 'every' is 0, expected more than 0"},
      {"type: lag, input: 1, time: 1, every: -1", "a non-negative number is wanted"},
      {"type: lag, input: 1, time: 1 m", "expected a time in s"},
      {"type: lag, input: 1, time: 1, offset: 2", "an offset belongs to 'every'"},
      {"type: lag, unit: m, input: 1, time: 1, initial: 2 kg", "expected a length in m"},
      {"type: lag, time: 1", "needs 'input'"},
      {"type: delay, input: 1, delay: 0.25, every: 0.1",
       "t.yaml:3:37: 'a': a delay of 0.25 s is not a multiple of every = 0.1 s"},
      {"type: delay, input: 1, delay: 0.25", "a continuous delay is approximated by Padé"},
      {"type: delay, input: 1, delay: 200, every: 0.1", "the delay is 2000 samples, expected 1 to"},
      {"type: transfer-function, input: 1, numerator: [1, 2, 3], denominator: [1, 2]",
       "t.yaml:3:53: 'a': the numerator has degree 2, the denominator 1"},
      {"type: transfer-function, input: 1, numerator: [1], denominator: [2]",
       "the denominator has degree 0"},
      {"type: transfer-function, input: 1, numerator: [1], denominator: [0, 2]",
       "the leading coefficient of the denominator is 0"},
      {"type: transfer-function, input: 1, numerator: [1], denominator: [1, 0], before: 1",
       "a denominator without a constant coefficient"},
      {"type: transfer-function, input: 1, numerator: [1], denominator: [1, -2], every: 1",
       "the denominator has a root at s = 2/every"},
      {"type: transfer-function, input: 1, numerator: [1e300], denominator: [1e-300, 1]",
       "t.yaml:3:3: coefficients of its powers of s are beyond the range of numbers"},
      {"type: transfer-function, input: 1, numerator: [1], denominator: [1, 1], every: 1e-308",
       "coefficients of its powers of s are beyond the range of numbers"},
      {"type: delay, input: 1, delay: 1e-300, order: 10",
       "coefficients of its powers of s are beyond the range of numbers"},
      {"type: integrator, input: 1, limits: [1, -1]",
       "t.yaml:3:43: limits of block 'a' leave a width of -2"},
      {"type: rate-limiter, input: 1, rising: 1", "a continuous limiter needs 'time'"},
      {"type: rate-limiter, input: 1, rising: -1, time: 1",
       "t.yaml:3:45: 'rising' of block 'a' is -1, a positive number is wanted"},
      {"type: rate-limiter, input: 1, rising: 1, falling: -2, every: 1", "'falling' of block 'a'"},
      {"type: rate-limiter, input: 1, rising: 1, time: 0", "'time' of block 'a' is 0, a positive"},
      {"type: lag, input: 1, time: -1", "t.yaml:3:34: 'time' of block 'a' is -1, a positive"},
      {"type: lag, input: 1, time: = 2 - T}\nparameters: {T: 3", "3:36: 'time' of block 'a' is -1"},
      {"type: second-order, input: 1, frequency: 0, damping: 1", "'frequency' of block 'a' is 0"},
      {"type: second-order, input: 1, frequency: 1, damping: -1", "'damping' of block 'a' is -1"},
      {"type: derivative, input: 1, filter: 0", "'filter' of block 'a' is 0, a positive number"},
      {"type: derivative, input: 1, filter: -1, every: 1",
       "'filter' of block 'a' is -1, a non-neg"},
      {"type: pid, input: 1, kd: 1, filter: -1", "'filter' of block 'a' is -1, a positive number"},
      {"type: pid, input: 1, ki: 1, limits: [0, 1], tracking: 0", "'tracking' of block 'a' is 0"},
      {"type: pid, input: 1, ki: 1, limits: [0, 1], initial: 2",
       "t.yaml:3:60: block 'a' begins with 2, above its limit 1"},
      {"type: integrator, input: 1, limits: [1, 2]",
       "3:3: block 'a' begins with 0, below its limit"},
      {"type: saturation, input: 1, limits: [inf, 2]",
       "t.yaml:3:43: 'a': the limits are inf and 2, expected the least before the largest"},
      {"type: relay, input: 1, band: [-inf, 2]", "found 'inf', expected a finite number"},
      {"type: dead-band, input: 1, band: [1, 1]",
       "t.yaml:3:40: limits of block 'a' leave a width of 0"},
      {"type: formula, value: 1, offset: 1", "t.yaml:3:40: block 'a' follows its formula at all"},
      {"type: formula, value: 1, initial: 1", "'initial' belongs to 'every'"},
      {"type: relay, input: 1, band: [1, -1]", "3:36: limits of block 'a' leave a width of -2"},
      {"type: relay, input: 1, band: [1, -1], every: 1", "limits of block 'a' leave a width of -2"},
      {"type: relay, input: 1, band: 3", "found 1 value, expected the least"},
      {"type: table, input: 1, curve: nix", "unknown function 'nix'"},
      {"type: saturation, input: = a, limits: [0, 1]",
       "algebraic loop: 'a.input' reads 'a', 'a' reads 'a.input'"},
      {"type: saturation, input: = b, limits: [0, 1]}\n  b: {type: lag, input: = a, time: 1, "
       "every: 1",
       "algebraic loop of one instant: 'b' reads 'b.input'"},
      {"type: lag, input: = b, time: 1, every: 1}\n  b: {type: lag, input: = a, time: 1, every: 1",
       "algebraic loop of one instant"},
      {"type: hysteresis, input: 1", "'hysteresis' is not a type of block"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    artModel *m = NULL;
    snprintf(text, sizeof text, "articula: 1\nblocks:\n  a: {%s}\n", cases[i].block);
    if (!CHECK_FAILS(art_read_model(&m, text, strlen(text), "t.yaml", &check_error), ART_BAD_INPUT,
                     cases[i].message))
      printf("  %s\n", cases[i].block);
    art_free_model(m);
  }
}
