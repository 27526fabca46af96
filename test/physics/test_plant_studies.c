// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Studies of machines with blocks, sensors and actuators: matrices against differences of the rates, equilibria from which
// nothing moves, runs that go on from snapshots and files to the same bits, sweeps.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "model/methods.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/simulate.h"

// An arm with a motor, a lift with a cylinder of oil and a gas spring, continuous blocks between them.
#define MACHINE                                                                                    \
  "articula: 1\n"                                                                                  \
  "gravity: [0, 0, -9.81]\n"                                                                       \
  "parameters: {edge: 0.02}\n"                                                                     \
  "inputs: {goal: {default: 0.3}}\n"                                                               \
  "bodies:\n"                                                                                      \
  "  arm: {mass: 4, com: [0.5, 0, 0], inertia: [0.1, 0.4, 0.4], points: {tip: [1, 0, 0]}}\n"       \
  "  lift: {mass: 300, inertia: [1, 1, 1]}\n"                                                      \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, axis: y, from: ground, to: arm, rotor: 0.3}\n"                          \
  "  mast: {type: prismatic, axis: z, from: ground, to: lift}\n"                                   \
  "initial: {pin: {angle: 0.25}, mast: {slide: 0.75}}\n"                                           \
  "states: {felt: {rate: = (arm.tip.az - felt)/0.05}}\n"                                           \
  "blocks:\n"                                                                                      \
  "  error: {type: formula, value: = goal - pin.angle}\n"                                          \
  "  u: {type: pid, input: = error, kp: 60, ki: 40, kd: 5, filter: 0.02, limits: [-48, 48]}\n"     \
  "  soft: {type: second-order, input: = mast.slide, frequency: 4, damping: 0.6}\n"                \
  "  shape: {type: transfer-function, input: = pin.rate, numerator: [1, 0],"                       \
  " denominator: [0.01, 0.3, 1]}\n"                                                                \
  "  open: {type: lag, input: = 2*(0.8 - mast.slide) - 0.05*soft.rate, time: 0.03, initial: "      \
  "0.1}\n"

#define ACTUATORS                                                                                  \
  "forces:\n"                                                                                      \
  "  motor: {type: motor, coordinate: pin, voltage: = u - 0.1*shape, constant: 0.2,"               \
  " resistance: 0.8, inductance: 2 mH, gear: 12, friction: 1e-4}\n"                                \
  "  ram: {type: hydraulic-cylinder, between: [ground, lift], shortest: 0.5, stroke: 0.6,"         \
  " area_a: 2e-3, area_b: 1.2e-3, dead_a: 1e-3, dead_b: 1e-3, bulk: 2e7, flow: 3e-4,"              \
  " drop: 1e6, opening: = open, supply: 1e7, leakage: 2e-11, pressure_a: 2e6, pressure_b: 1e6}\n"  \
  "  gas: {type: pneumatic-cylinder, between: [ground, lift], free_length: 0.8, pressure: 3e5,"    \
  " area: 5e-3, volume: 4e-3, heat: 20}\n"                                                         \
  "  rub: {type: joint-force, coordinate: mast, value: = -900*mast.rate}\n"

//---- linear --------------------------------------------------------------------------------------

enum { MOST = 30, NV = 2 };


// x = (q, v, s) and its rates
static int rates_at(const artModel *m, artData *d, const double *x, double *rate)
{
  const int n = art_count(m).states;
  memcpy(d->q, x, NV * sizeof *x);
  memcpy(d->v, x + NV, NV * sizeof *x);
  memcpy(d->s, x + 2 * NV, (size_t) n * sizeof *x);
  art_update(m, d);
  if (art_accelerate(m, d, ART_AUTOMATIC, NULL) != ART_OK) return 0;
  memcpy(rate, d->v, NV * sizeof *x);
  memcpy(rate + NV, d->a, NV * sizeof *x);
  memcpy(rate + 2 * NV, d->s_rate, (size_t) n * sizeof *x);
  return 1;
}


// column j by differences of fourth order
static void check_column(const artModel *m, artData *d, const artLinear *lin, const double *x,
                         int j)
{
  static const double way[4] = {-2, -1, 1, 2}, share[4] = {1, -8, 8, -1};
  const double h = 1e-3 * (1e-2 + fabs(x[j]));
  double want[MOST] = {0};
  for (int k = 0; k < 4; k++) {
    double moved[MOST], rate[MOST];
    memcpy(moved, x, (size_t) lin->order * sizeof *x);
    moved[j] += way[k] * h;
    if (!CHECK(rates_at(m, d, moved, rate))) return;
    for (int i = 0; i < lin->order; i++) want[i] += share[k] * rate[i] / (12 * h);
  }
  for (int i = 0; i < lin->order; i++) {
    const double largest = check_largest(lin->order, lin->A + (long) i * lin->order); // of the row
    const double got = lin->A[(long) i * lin->order + j];
    if (!CHECK_CLOSE(got, want[i], 1e-6 * fmax(1, largest))) printf("  row %d, column %d\n", i, j);
  }
}


TEST(matrices_of_plants_are_what_differences_of_their_rates_say)
{
  artModel *m = keep_text(MACHINE ACTUATORS);
  artData *d = keep_fresh_data(m);
  uint64_t seed = 3;
  for (int point = 0; d && point < 4; point++) {
    art_reset(m, d);
    const int n = art_count(m).states;
    for (int i = 0; i < NV && point > 0; i++) {
      d->q[i] += check_uniform(&seed, -0.05, 0.05);
      d->v[i] = check_uniform(&seed, -0.3, 0.3);
    }
    for (int i = 0; i < n && point > 0; i++) {
      d->s[i] += 0.05 * (0.1 + fabs(d->s[i])) * check_uniform(&seed, -1, 1);
    }
    double x[MOST];
    memcpy(x, d->q, NV * sizeof *x);
    memcpy(x + NV, d->v, NV * sizeof *x);
    memcpy(x + 2 * NV, d->s, (size_t) n * sizeof *x);
    artLinear *lin = NULL;
    if (!CHECK_WORKS(art_linearise(m, d, ART_AUTOMATIC, &lin, &check_error))) return;
    CHECK_EQ_INT(lin->order, 2 * NV + n);
    CHECK(n >= 12 && lin->order <= MOST);
    keep_linear(lin);
    for (int j = 0; j < lin->order; j++) check_column(m, d, lin, x, j);
  }
}

//---- equilibrium ---------------------------------------------------------------------------------

// states and samplers without a finite rate, and rules of blocks that do not hold where the machine is at rest
TEST(an_equilibrium_that_cannot_be_is_refused_where_the_file_says_so)
{
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"blocks: {a: {type: lag, input: 1, time: = time}}\n",
       "machine.yaml:4:10: state 'a' has no rate at t = 0 s: its formula gives inf there"},
      {"blocks: {a: {type: formula, value: = log(-1 - time), every: 1 ms}}\n",
       "machine.yaml:4:10: held value 'a' has no next value at t = 0 s"},
      {"blocks: {a: {type: pid, input: = pin.angle, ki: 1, limits: [= 1 + time, = -1 - time]}}\n",
       "limits of block 'a' leave a width of -2 at t = 0 s, a positive one is wanted"},
  };
  for (int i = 0; i < 3; i++) {
    artEquilibrium rest;
    artError error = {0};
    artModel *m =
        keep_text_of("articula: 1\n"
                     "bodies: {rod: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}}\n"
                     "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n%s",
                     bad[i].text);
    artData *d = keep_fresh_data(m);
    CHECK(art_find_equilibrium(m, d, &rest, &error) != ART_OK);
    CHECK_CONTAINS(error.text, bad[i].message);
  }
}


TEST(nothing_moves_from_the_equilibrium_of_a_plant)
{
  artModel *m = keep_text(MACHINE ACTUATORS);
  artData *d = keep_fresh_data(m);
  artEquilibrium result;
  if (!d || !CHECK_WORKS(art_find_stable_equilibrium(m, d, &result, &check_error))) return;
  const int n = art_count(m).states;
  double q[NV], s[MOST];
  memcpy(q, d->q, sizeof q);
  memcpy(s, d->s, (size_t) n * sizeof *s);
  CHECK_CLOSE(q[0], 0.3, 1e-9); // the integral holds the goal
  artRunDef study = art_default_run();
  study.until = 5;
  study.tolerance = 1e-9;
  artRun *run = keep_started_run(m, d, &study);
  if (!run || !CHECK_WORKS(art_run_to(run, 5, &check_error))) return;
  CHECK_NEAR(d->q, q, NV, 1e-8);
  for (int i = 0; i < n; i++) CHECK_CLOSE(d->s[i], s[i], 1e-7 * (1 + fabs(s[i])));
}

//---- snapshots -----------------------------------------------------------------------------------

// delays, relays with and without instants, samplers of accelerations, and all of the above
#define SAMPLED                                                                                    \
  "  bang: {type: relay, input: = mast.rate, band: [-0.02, = edge], values: [0, 0.3]}\n"           \
  "  late: {type: delay, input: = pin.angle, delay: 30 ms, every: 10 ms, before: 0.25}\n"          \
  "  side: {type: relay, input: = pin.rate, band: [-0.1, 0.1], every: 4 ms, on: true}\n"           \
  "  trim: {type: pid, input: = goal - late, kp: 3, ki: 9, kd: 0.1, limits: [-4, 4], every: 10 "   \
  "ms}\n"
#define SENSORS                                                                                    \
  "sensors:\n"                                                                                     \
  "  imu: {type: acceleration, frame: arm.tip, every: 5 ms, delay: 15 ms, resolution: 0.01}\n"
#define PUSHES                                                                                     \
  "  push: {type: joint-force, coordinate: mast, value: \"= 400*(0.5 - bang) + 20*side\"}\n"       \
  "  turn: {type: joint-force, coordinate: pin, value: = 2*trim - 0.1*imu.z}\n"                    \
  "outputs: {a: pin.angle, b: mast.slide, c: = late, d: = imu.z, e: = bang, f: = side, g: = felt," \
  " h: ram.pressure_a, i: motor.current}\n"
static const char PLANT[] = MACHINE SAMPLED SENSORS ACTUATORS PUSHES;

enum { SHOWN = 9, ROWS = 12 };


static void show(const artModel *m, artData *d, double *out)
{
  static const char *const name[SHOWN] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  for (int k = 0; k < SHOWN; k++) out[k] = output_named(m, d, name[k]);
}


static artRunDef study_of(int way, artIntegrator integrator)
{
  artRunDef study = art_default_run();
  model_set_way(&study, way);
  study.integrator = integrator, study.until = 0.6, study.tolerance = 1e-7;
  study.step = integrator == ART_RK4 || model_method_has(way, METHOD_NATURAL) ? 1e-3 : 0;
  return study;
}


// rows from `first` on, half of them by steps
static int follow(artRun *run, const artModel *m, artData *d, int first, double rows[][SHOWN])
{
  for (int k = first; k < ROWS; k++) {
    const double t = 0.047 * (k + 1);
    const artStatus status =
        k % 2 ? art_step_to(run, t, &check_error) : art_run_to(run, t, &check_error);
    if (!CHECK_EQ_INT(status, ART_OK)) {
      printf("  %s\n", check_error.text);
      return 0;
    }
    show(m, d, rows[k]);
  }
  return 1;
}


// a run goes on where another one has been saved, in data of another model of the same text
static void check_snapshot(int way, artIntegrator integrator)
{
  enum { BEFORE = 5 };
  static double once[ROWS][SHOWN], again[ROWS][SHOWN];
  const artRunDef study = study_of(way, integrator);
  artModel *m[2];
  artData *d[2];
  artRun *run[2];
  for (int k = 0; k < 2; k++) {
    m[k] = keep_text(PLANT);
    d[k] = keep_fresh_data(m[k]);
    run[k] = keep_started_run(m[k], d[k], &study);
  }
  for (int k = 0; k < BEFORE; k++) CHECK_WORKS(art_run_to(run[0], 0.047 * (k + 1), &check_error));
  const savedRun saved = keep_saved_run(run[0]);
  if (follow(run[0], m[0], d[0], BEFORE, once) &&
      CHECK_WORKS(art_load_run(run[1], saved.bytes, saved.size, &check_error)) &&
      follow(run[1], m[1], d[1], BEFORE, again)) {
    const size_t bytes = (ROWS - BEFORE) * sizeof *once;
    if (!CHECK(memcmp(once[BEFORE], again[BEFORE], bytes) == 0)) {
      printf("  %s with integrator %d\n", model_way_name(way), (int) integrator);
    }
  }
}


TEST(plants_go_back_to_snapshots_to_the_same_bits)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    const int way = model_way_at(k);
    check_snapshot(way, ART_DOPRI5);
    for (int i = 0; i < ART_MOREAU && way == ART_AUTOMATIC; i++) {
      check_snapshot(way, (artIntegrator) i);
    }
  }
}

//---- sweeps --------------------------------------------------------------------------------------

enum { CASES = 6 };

typedef struct sweepNotes {
  double last[CASES][2];
  int status[CASES], lanes[CASES];
  long events[CASES];
  int way;
} sweepNotes;


static artStatus note(void *context, const artCase *c, artError *error)
{
  sweepNotes *l = context;
  (void) error;
  memcpy(l->last[c->number], c->value, sizeof l->last[0]);
  l->status[c->number] = (int) c->error.status;
  l->events[c->number] = c->certificate.events;
  l->lanes[c->number] = c->lanes;
  return ART_OK;
}


static artStatus choose(void *context, const artModel *m, artRunDef *study, artError *error)
{
  const sweepNotes *l = context;
  (void) m;
  (void) error;
  *study = study_of(l->way, ART_RK4);
  study->interval = 0.0137;
  return ART_OK;
}


static sweepNotes sweep_edges(const char *text, int way, int threads)
{
  static const char *const name[] = {"edge"};
  static const double value[CASES] = {0.02, 0.022, 0.025, 0.01, 0.015, 0.03};
  static const artResultDef result[2] = {{ART_FINAL, 0}, {ART_FINAL, 1}};
  sweepNotes l = {.way = way};
  folder_write(folder_path("plant.yaml"), text);
  const artSweepDef def = {.path = folder_path("plant.yaml"),
                           .nparameter = 1,
                           .parameter = name,
                           .ncase = CASES,
                           .value = value,
                           .nresult = 2,
                           .result = result,
                           .threads = threads,
                           .choose = choose,
                           .done = note,
                           .context = &l};
  CHECK(art_run_sweep(&def, NULL) == ART_OK);
  return l;
}


// relays, delays and states: the same bits in any company, and numbers agree but for rounding; without samplers in lanes
TEST(cases_of_plants_do_not_depend_on_others)
{
  static const char relay[] =
      MACHINE "  bang: {type: relay, input: = mast.rate, band: [-0.02, = edge]}\n" ACTUATORS
              "  push: {type: joint-force, coordinate: mast, value: \"= 400*(0.5 - bang)\"}\n"
              "outputs: [mast.slide, = felt]\n";
  for (int k = 0; k < 2; k++) {
    const char *text = k ? relay : PLANT;
    const sweepNotes numbers = sweep_edges(text, ART_AUTOMATIC, 2);
    const sweepNotes one = sweep_edges(text, MODEL_GENERATED, 1);
    const sweepNotes many = sweep_edges(text, MODEL_GENERATED, 3);
    CHECK(memcmp(one.last, many.last, sizeof one.last) == 0);
    CHECK(numbers.last[0][0] != numbers.last[3][0]);
    for (int i = 0; i < CASES; i++) {
      CHECK_EQ_INT(one.status[i], ART_OK);
      CHECK(one.events[i] > 0);
      CHECK_EQ_INT(one.events[i], numbers.events[i]);
      CHECK_REL(one.last[i], numbers.last[i], 2, 1e-9);
    }
    CHECK((one.lanes[0] >= 2) == k);
  }
}
