// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inputs, states, signals and samplers: closed forms by every method and integrator, the order of evaluation, and
// messages.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "force/force.h"
#include "model/methods.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

#define CART                                                                                       \
  "articula: 1\n"                                                                                  \
  "parameters: {R: 2 Ohm, C: 0.25 F, r: 1 N/V}\n"                                                  \
  "bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\n"                                                \
  "joints: {slide: {type: prismatic, axis: x, from: ground, to: cart}}\n"

//---- closed forms --------------------------------------------------------------------------------

// an RC circuit, an oscillator, a decay by its cube, and a cart that the circuit pushes:
//   q = C U (1 - e^(-t/RC)),  x'' = q/C/2  ->  x = U/2 (t^2/2 - RC t + (RC)^2 (1 - e^(-t/RC)))
#define CIRCUIT                                                                                    \
  CART "inputs: {source: {unit: V, default: 3, limits: [-5, 5]}}\n"                                \
       "states:\n"                                                                                 \
       "  charge: {unit: C, rate: = current}\n"                                                    \
       "  spin: {initial: [1, 0], rate: [= spin.2, = -4*spin.1]}\n"                                \
       "  cube: {initial: 1, rate: = -cube^3}\n"                                                   \
       "blocks:\n"                                                                                 \
       "  current: {type: formula, unit: A, value: = (source - voltage)/R}\n"                      \
       "  voltage: {type: formula, unit: V, value: = charge/C}\n"                                  \
       "forces: {push: {type: joint-force, coordinate: slide, value: = voltage*r}}\n"              \
       "outputs: [slide.slide, charge, spin.1, cube, current]\n"


static void expect_circuit(const double *got, double t, double limit)
{
  const double e = exp(-t / 0.5), U = 3;
  const double want[5] = {U / 2 * (t * t / 2 - 0.5 * t + 0.25 * (1 - e)), 0.25 * U * (1 - e),
                          cos(2 * t), 1 / sqrt(1 + 2 * t), U / 2 * e};
  for (int i = 0; i < 5; i++) CHECK_CLOSE(got[i], want[i], limit);
}


TEST(states_by_every_integrator)
{
  artModel *m = keep_text(CIRCUIT);
  for (int i = 0; i < ART_MOREAU && m; i++) {
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.until = 1, study.integrator = (artIntegrator) i, study.tolerance = 1e-11;
    if (study.integrator == ART_RK4) study.step = 1e-3;
    artRun *run = keep_started_run(m, d, &study);
    double y[5];
    if (!run || !CHECK_EQ_INT(art_run_to(run, 1, NULL), ART_OK)) continue;
    art_outputs(m, d, y);
    expect_circuit(y, 1, 1e-8);
  }
}


// second order of the step in natural coordinates
TEST(states_by_every_method)
{
  artModel *m = keep_text(CIRCUIT);
  for (int k = 0; k < ART_METHODS && m; k++) {
    const artMethod method = (artMethod) k;
    if (method != ART_AUTOMATIC && !art_method_is_natural(method) &&
        !model_method_has(method, METHOD_TREES)) {
      continue;
    }
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.until = 1, study.method = method, study.tolerance = 1e-10;
    study.step = art_method_is_natural(method) ? 2e-4 : 0;
    artRun *run = keep_started_run(m, d, &study);
    double y[5];
    if (!run || !CHECK_EQ_INT(art_run_to(run, 1, NULL), ART_OK)) continue;
    art_outputs(m, d, y);
    // the step of multi-index is steered by the energy alone
    const double natural = method == ART_MULTI_INDEX ? 1e-4 : 1e-6;
    expect_circuit(y, 1, art_method_is_natural(method) ? natural : 1e-8);
  }
}


// Six stiff states in a ring, each drawn to those beside it, one of them by a signal, and all to one more: with slopes that were
// mixed up no step would succeed as a whole.
TEST(slopes_of_states_that_depend_on_few_others_are_their_own)
{
  artModel *m = keep_text(CART "states:\n"
                               "  rest: {rate: = 1e5*(1 - rest)}\n"
                               "  s0: {rate: = 1e5*(s5 + s1 + rest - 3*s0^3)}\n"
                               "  s1: {rate: = 1e5*(s0 + s2 + rest - 3*s1^3)}\n"
                               "  s2: {rate: = 1e5*(s1 + ahead + rest - 3*s2^3)}\n"
                               "  s3: {rate: = 1e5*(s2 + s4 + rest - 3*s3^3)}\n"
                               "  s4: {rate: = 1e5*(s3 + s5 + rest - 3*s4^3)}\n"
                               "  s5: {rate: = 1e5*(s4 + s0 + rest - 3*s5^3)}\n"
                               "blocks: {ahead: {type: formula, value: = s3}}\n"
                               "outputs: [rest, s0, s1, s2, s3, s4, s5]\n");
  if (!m) return;
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.until = 0.1, study.method = ART_INDEX3, study.step = 1e-3;
  artRun *run = keep_started_run(m, d, &study);
  double y[7];
  if (!run || !CHECK_EQ_INT(art_run_to(run, 0.1, NULL), ART_OK)) return;
  art_outputs(m, d, y);
  for (int i = 0; i < 7; i++) CHECK_CLOSE(y[i], 1, 1e-9);
  CHECK_EQ_INT(art_certify(run).rejected, 0);
}


// a = (voltage - 0.5 slow)/2 at any state, by all methods
TEST(accelerations_with_states_agree)
{
  artModel *m =
      keep_text(CART "states:\n"
                     "  slow: {initial: 0.7, rate: = sin(slow)*slide.rate}\n"
                     "  felt: {rate: = (slide.accel - felt)/0.1}\n"
                     "blocks: {pull: {type: formula, value: = 3*slow + felt*slide.rate}}\n"
                     "forces: {f: {type: joint-force, coordinate: slide, value: = pull}}\n");
  artData *d = keep_fresh_data(m);
  for (int k = 0; k < ART_METHODS && d; k++) {
    d->s[0] = 0.4, d->s[1] = -2, d->v[0] = 1.5;
    art_update(m, d);
    if (k != ART_AUTOMATIC && !art_method_is_natural((artMethod) k) &&
        !model_method_has((artMethod) k, METHOD_TREES)) {
      continue;
    }
    if (!CHECK_EQ_INT(art_accelerate(m, d, (artMethod) k, NULL), ART_OK)) continue;
    const double a = (3 * 0.4 - 2 * 1.5) / 2;
    CHECK_CLOSE_REL(d->a[0], a, 1e-12);
    CHECK_CLOSE_REL(d->s_rate[0], sin(0.4) * 1.5, 1e-12);
    CHECK_CLOSE_REL(d->s_rate[1], (a + 2) / 0.1, 1e-12);
  }
}


// drawn = copper + air + L i^2/2 + kinetic energy, though no formula says so
TEST(a_motor_keeps_its_account_of_energy)
{
  artModel *m = keep_file("models/plant/dc-motor.yaml");
  for (int k = 0; k < CHECK_CASES(3, 1) && m; k++) {
    const artMethod method = k == 0 ? ART_AUTOMATIC : k == 1 ? ART_INDEX3 : ART_CONSERVING;
    artData *d = keep_fresh_data(m);
    artRunDef study = *art_find_run(m, NULL);
    study.method = method;
    study.until = 5;
    study.step = k == 0 ? 0 : 2e-4;
    artRun *run = keep_started_run(m, d, &study);
    if (!run || !CHECK_EQ_INT(art_run_to(run, 5, NULL), ART_OK)) continue;
    const double drawn = output_named(m, d, "drawn"), current = output_named(m, d, "current");
    const double spent = output_named(m, d, "copper") + output_named(m, d, "air");
    const double kept = 1e-3 * current * current + output_named(m, d, "energy.kinetic");
    CHECK(drawn > 500);
    CHECK_CLOSE_REL(drawn, spent + kept, k == 0 ? 1e-9 : 1e-4);
  }
}

//---- lags ------------------------------------------------------------------------------------------

// x'' = -40 x - felt/2,  felt' = (x'' - felt)/tau: a lag on an accelerometer that acts on the cart. With a = x'' as the
// third unknown,  tau felt' + felt = -40 x - felt/2,  it is a linear system whose solution a series gives.
#define LAGGED                                                                                     \
  CART "states:\n"                                                                                 \
       "  felt: {initial: 1, rate: = (slide.accel - felt)/0.05}\n"                                 \
       "  quick: {rate: = (cos(time) - quick)*1e6}\n"                                              \
       "  load: {rate: = (slide.fz - load)*1e6}\n"                                                 \
       "forces: {f: {type: joint-force, coordinate: slide, value: = -80*slide.slide - felt}}\n"    \
       "initial: {slide: {slide: 0.5}}\n"


// y' = A y by its Taylor series in steps of 1 ms
static void lagged_at(double t, double y[3])
{
  const double tau = 0.05;
  const double A[3][3] = {{0, 1, 0}, {-40, 0, -0.5}, {-40 / tau, 0, -1.5 / tau}};
  const int steps = (int) rint(t / 1e-3);
  y[0] = 0.5, y[1] = 0, y[2] = 1;
  for (int n = 0; n < steps; n++) {
    double term[3] = {y[0], y[1], y[2]};
    for (int k = 1; k <= 12; k++) {
      double next[3];
      for (int i = 0; i < 3; i++) {
        next[i] = (A[i][0] * term[0] + A[i][1] * term[1] + A[i][2] * term[2]) * 1e-3 / k;
      }
      for (int i = 0; i < 3; i++) y[i] += term[i] = next[i];
    }
  }
}


TEST(lags_on_accelerometers_by_every_method)
{
  artModel *m = keep_text(LAGGED);
  double want[3];
  lagged_at(1, want);
  for (int k = 0; k < ART_METHODS && m; k++) {
    const artMethod method = (artMethod) k;
    const int is_natural = art_method_is_natural(method);
    if (method == ART_MULTI_INDEX) continue;
    if (method != ART_AUTOMATIC && !is_natural && !model_method_has(method, METHOD_TREES)) continue;
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.until = 1, study.method = method, study.integrator = ART_BDF, study.tolerance = 1e-11;
    study.step = is_natural ? 2e-4 : 0;
    artRun *run = keep_started_run(m, d, &study);
    if (!run || !CHECK_EQ_INT(art_run_to(run, 1, NULL), ART_OK)) continue;
    CHECK_CLOSE(d->q[0], want[0], is_natural ? 1e-6 : 1e-8);
    CHECK_CLOSE(d->s[0], want[2], is_natural ? 4e-5 : 1e-7);

    // far quicker than the step, they follow and do not ring
    CHECK_CLOSE(d->s[1], cos(1), 2e-6);
    CHECK_CLOSE_REL(d->s[2], 2 * 9.81, 1e-9);
  }
}

//---- equilibrium ---------------------------------------------------------------------------------

#define ARM                                                                                        \
  "articula: 1\n"                                                                                  \
  "bodies: {arm: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}}\n"                         \
  "joints: {pin: {type: revolute, axis: y, from: ground, to: arm}}\n"                              \
  "inputs: {goal: {default: 0.3}}\n"                                                               \
  "states:\n"                                                                                      \
  "  sum: {rate: = %s}\n"                                                                          \
  "  current: {rate: = (50*(goal - pin.angle) + 20*sum - 2*current)/0.01}\n"                       \
  "  heat: {initial: 300, rate: = (2*current^2 - 0.5*(heat - 300))/10}\n"                          \
  "  felt: {rate: = (pin.accel + pin.fz - felt)/0.1}\n"                                            \
  "forces: {motor: {type: joint-force, coordinate: pin, value: = 3*current - 2*pin.rate}}\n"


// the integral makes the angle that of the goal, whatever the weight: 3 i = -m g L cos(goal)
TEST(states_are_at_rest_in_equilibrium)
{
  artModel *m = keep_text_of(ARM, "goal - pin.angle");
  artData *d = keep_fresh_data(m);
  artEquilibrium result;
  if (!d || !CHECK_EQ_INT(art_find_stable_equilibrium(m, d, &result, NULL), ART_OK)) return;
  const double current = -9.81 * cos(0.3) / 3;
  const double want[4] = {current / 10, current, 300 + 4 * current * current, 2 * 9.81};
  CHECK_CLOSE(d->q[0], 0.3, 1e-10);
  CHECK_REL(d->s, want, 4, 1e-10);
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  for (int k = 0; k < 4; k++) CHECK_CLOSE(d->s_rate[k], 0, 1e-7);
}


TEST(a_state_without_rest_is_named)
{
  artModel *m = keep_text_of(ARM, "1 + 0*goal");
  artData *d = keep_fresh_data(m);
  artEquilibrium result;
  CHECK_FAILS(art_find_equilibrium(m, d, &result, &check_error), ART_NO_CONVERGENCE,
              "state 'sum' does not come to rest");
}


// a weight on a spring, carried by a sampled controller with an integral, besides a state and a sampled speed:
//   heave = goal,  20 = lift + control - 1000 goal  with  lift = 3 v^2
#define CARRIED                                                                                    \
  "articula: 1\n"                                                                                  \
  "gravity: [0, 0, -10]\n"                                                                         \
  "bodies: {cart: {mass: 1}, top: {mass: 2}}\n"                                                    \
  "joints:\n"                                                                                      \
  "  way: {type: prismatic, axis: x, from: ground, to: cart}\n"                                    \
  "  heave: {type: prismatic, axis: z, from: cart, to: top}\n"                                     \
  "states:\n"                                                                                      \
  "  lift: {rate: = 5*(felt - lift)}\n"                                                            \
  "  gone: {rate: = way.rate}\n"                                                                   \
  "blocks:\n"                                                                                      \
  "  felt: {type: sample, input: = 3*way.rate^2, every: 20 ms}\n"                                  \
  "  control: {type: pid, input: = %s, kp: 200, ki: 100, kd: 20, every: 10 ms}\n"                  \
  "  shaken: {type: sample, input: = heave.accel, every: 30 ms}\n"                                 \
  "forces:\n"                                                                                      \
  "  spring: {type: joint-spring, coordinate: heave, stiffness: 1000, damping: 10}\n"              \
  "  up: {type: joint-force, coordinate: heave, value: = lift + control}\n"                        \
  "outputs: [heave.slide, lift, control, shaken]\n"


static void expect_carried(const artModel *m, artData *d, double speed)
{
  const double lift = 3 * speed * speed;
  CHECK_CLOSE(d->q[1], 0.1, 1e-10);
  CHECK_CLOSE(d->s[0], lift, 1e-8);

  // a run from there stays there, which it would not if a held value were another one
  artRunDef study = art_default_run();
  study.until = 0.5;
  artRun *run = keep_started_run(m, d, &study);
  double y[4];
  for (int k = 0; k < 2 && run; k++) {
    art_outputs(m, d, y);
    CHECK_CLOSE(y[0], 0.1, 1e-9);
    CHECK_CLOSE(y[1], lift, 1e-6);
    CHECK_CLOSE(y[2], 120 - lift, 1e-6);
    CHECK_CLOSE(y[3], 0, 1e-6);
    CHECK_EQ_INT(art_run_to(run, 0.5, NULL), ART_OK);
  }
}


TEST(samplers_hold_their_values_in_equilibrium)
{
  artModel *m = keep_text_of(CARRIED, "0.1 - heave.slide");
  artData *d = keep_fresh_data(m);
  artEquilibrium result;
  if (!d || !CHECK_EQ_INT(art_find_stable_equilibrium(m, d, &result, NULL), ART_OK)) return;
  expect_carried(m, d, 0);
}


TEST(states_and_samplers_are_steady_at_a_speed)
{
  char text[2000];
  snprintf(text, sizeof text, CARRIED, "0.1 - heave.slide");
  artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  artTrim result;
  if (!d || !CHECK_EQ_INT(art_find_trim(m, d, 4, &result, NULL), ART_OK)) return;
  CHECK_CLOSE(d->s_rate[1], 4, 1e-12); // nothing reads the way that is gone
  expect_carried(m, d, 4);

  snprintf(text, sizeof text, CARRIED, "way.rate - 3");
  m = keep_text(text);
  d = keep_fresh_data(m);
  CHECK_FAILS(art_find_trim(m, d, 4, &result, &check_error), ART_NO_CONVERGENCE,
              "held value 'control.integral' does not come to rest");
  CHECK_WORKS(art_find_trim(m, d, 3, &result, &check_error));
}


TEST(the_rig_of_an_axle_refuses_states)
{
  artModel *m = keep_text(CIRCUIT);
  artData *d = keep_fresh_data(m);
  artKinematicsDef study = art_default_kinematics();
  const char *wheel[] = {"cart"};
  study.wheels = (artNames){1, wheel};
  study.radius = 0.3;
  artTable *table = NULL;
  CHECK_FAILS(art_find_kinematics(m, d, &study, &table, &check_error), ART_UNSUPPORTED,
              "'charge' has no value of its own");
}

//---- linearisation -------------------------------------------------------------------------------

// x' = A x with x = (angle, rate, sum, current, heat, felt), by hand
TEST(states_stand_in_the_matrix)
{
  artModel *m = keep_text_of(ARM, "goal - pin.angle");
  artData *d = keep_fresh_data(m);
  artLinear *lin = NULL;
  artEquilibrium rest;
  if (!d || !CHECK_EQ_INT(art_find_stable_equilibrium(m, d, &rest, NULL), ART_OK)) return;
  if (!CHECK_EQ_INT(art_linearise(m, d, ART_AUTOMATIC, &lin, NULL), ART_OK)) return;
  const double I = 0.2 + 2 * 0.25, current = -9.81 * cos(0.3) / 3;
  const double by_angle = -9.81 * sin(0.3) / I;
  const double want[6][6] = {
      {0, 1, 0, 0, 0, 0},           {by_angle, -2 / I, 0, 3 / I, 0, 0}, {-1, 0, 0, 0, 0, 0},
      {-5000, 0, 2000, -200, 0, 0}, {0, 0, 0, 0.4 * current, -0.05, 0}, {0, 0, 0, 0, 0, -10}};
  if (!CHECK_EQ_INT(lin->order, 6)) return;
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 6; j++) CHECK_CLOSE(lin->A[6 * i + j], want[i][j], 1e-6);
  }
  CHECK_CLOSE(lin->A[6 * 5 + 5], -10, 1e-6);
  art_free_linear(lin);
}


//---- inputs --------------------------------------------------------------------------------------

TEST(inputs_are_set_within_limits)
{
  artModel *m = keep_text(CIRCUIT);
  artData *d = keep_fresh_data(m);
  const int source = art_find_input(m, "source");
  CHECK_EQ_INT(source, 0);
  CHECK_EQ_INT(art_find_input(m, "sauce"), -1);
  CHECK_EQ_INT(art_count(m).inputs, 1);
  CHECK_CLOSE(d->u[0], 3, 0);
  CHECK_FAILS(art_set_input(m, d, source, 5.5, &check_error), ART_BAD_INPUT,
              "'source' is set to 5.5 V, outside its limits -5 to 5");
  CHECK_CLOSE(d->u[0], 3, 0);
  CHECK_WORKS(art_set_input(m, d, source, -5, &check_error));
  art_update(m, d);
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  CHECK_CLOSE_REL(d->s_rate[art_find_state(m, "charge")], -2.5, 1e-15);

  artData *copy = keep_fresh_data(m);
  CHECK_EQ_INT(art_copy_data(m, copy, d, NULL), ART_OK);
  CHECK_CLOSE(copy->u[0], -5, 0);
  art_reset(m, d);
  CHECK_CLOSE(d->u[0], 3, 0);
  CHECK_CLOSE(d->s[art_find_state(m, "cube")], 1, 0);
}

//---- switching -----------------------------------------------------------------------------------

// a step in a signal is an event that the rate of a state and a force see at once
TEST(switches_of_signals_are_events)
{
  artModel *m =
      keep_text(CART "states:\n"
                     "  ramp: {rate: = 1}\n"
                     "  count: {rate: = gate}\n"
                     "blocks:\n"
                     "  gate: {type: formula, value: = step(ramp - 0.3037)*high}\n"
                     "  high: {type: formula, value: \"= if(ramp > 0.7013, 3, 1)\"}\n"
                     "forces: {f: {type: joint-force, coordinate: slide, value: = 2*gate}}\n");
  const artMethod methods[] = {ART_AUTOMATIC, ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  for (int k = 0; k < 4 && m; k++) {
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.until = 1, study.tolerance = 1e-10, study.method = methods[k];
    study.step = k == 0 ? 0 : 1e-3;
    artRun *run = keep_started_run(m, d, &study);
    if (!run || !CHECK_EQ_INT(art_run_to(run, 1, NULL), ART_OK)) continue;
    const double first = 0.7013 - 0.3037, second = 1 - 0.7013;
    CHECK_CLOSE(d->s[1], first + 3 * second, 1e-9);
    CHECK_CLOSE(d->v[0], first + 3 * second, 1e-9);
    CHECK_EQ_INT(art_certify(run).events, 2);
  }
}

//---- samplers ------------------------------------------------------------------------------------

#define SAMPLED                                                                                    \
  CART "inputs: {target: {default: 1}}\n"                                                          \
       "blocks:\n"                                                                                 \
       "  out: {type: formula, value: = 10*error + sum, every: 0.1}\n"                             \
       "  error: {type: formula, value: = target - place}\n"                                       \
       "  place: {type: sample, input: = slide.slide, every: 0.1}\n"                               \
       "  sum: {type: formula, value: = sum + error, every: 0.2, initial: 5}\n"                    \
       "  late: {type: sample, input: = place, every: 0.1, delay: 2, initial: -1}\n"               \
       "forces: {f: {type: joint-force, coordinate: slide, value: = out}}\n"


static double held(const artModel *m, const artData *d, const char *name)
{
  for (int i = 0; i < m->nheld; i++) {
    if (strcmp(m->held[i].name, name) == 0) return d->u[i];
  }
  return NAN;
}


static void sample_at(const artModel *m, artData *d, double t, double x)
{
  d->time = t;
  d->q[0] = x;
  art_update(m, d);
  CHECK_EQ_INT(force_sample(m, d, NULL), ART_OK);
}


// sensors first, then blocks in the order of the data flow, whatever the order of the file
TEST(samplers_go_by_the_data_flow)
{
  artModel *m = keep_text(SAMPLED);
  artData *d = keep_fresh_data(m);
  CHECK_CLOSE(force_next_instant(m, d), 0.1, 1e-17);
  sample_at(m, d, 0, 0.25);
  CHECK_CLOSE(held(m, d, "place"), 0.25, 0);
  CHECK_CLOSE(held(m, d, "sum"), 5.75, 0); // its own old value and the new error
  CHECK_CLOSE(held(m, d, "out"), 7.5 + 5.75, 0);
  CHECK_CLOSE(held(m, d, "late"), -1, 0);

  // between instants nothing changes
  sample_at(m, d, 0.05, 0.9);
  CHECK_CLOSE(held(m, d, "place"), 0.25, 0);
  CHECK_CLOSE(force_next_instant(m, d), 0.1, 1e-17);

  sample_at(m, d, 0.1, 0.5);
  CHECK_CLOSE(held(m, d, "sum"), 5.75, 0); // has a clock of its own
  CHECK_CLOSE(held(m, d, "out"), 5 + 5.75, 0);
  CHECK_CLOSE(held(m, d, "late"), -1, 0);
  sample_at(m, d, 0.2, 0.75);
  CHECK_CLOSE(held(m, d, "sum"), 6, 0);
  CHECK_CLOSE(held(m, d, "late"), 0.25, 0);
  sample_at(m, d, 3 * 0.1, 1);
  CHECK_CLOSE(held(m, d, "late"), 0.5, 0);
}


// an instant is counted, so that no sum of periods drifts, and comes once
TEST(instants_are_counted)
{
  artModel *m = keep_text(CART "blocks:\n"
                               "  a: {type: formula, value: = a + 1, every: 0.1}\n"
                               "  b: {type: formula, value: = b + 1, every: 0.3, offset: 0.05}\n"
                               "  c: {type: formula, value: = c + 1, every: 0.7}\n");
  artData *d = keep_fresh_data(m);
  CHECK_EQ_INT(force_sample(m, d, NULL), ART_OK);
  double next = force_next_instant(m, d);
  int count = 0;
  for (; next <= 700.01; next = force_next_instant(m, d), count++) {
    d->time = next;
    CHECK_EQ_INT(force_sample(m, d, NULL), ART_OK);
  }
  CHECK_CLOSE(held(m, d, "a"), 7001, 0);
  CHECK_CLOSE(held(m, d, "b"), 2334, 0);
  CHECK_CLOSE(held(m, d, "c"), 1001, 0);
  CHECK_EQ_INT(count, 7000 + 2334);
}

//---- messages ------------------------------------------------------------------------------------

static void expect_message(const char *text, const char *message)
{
  artModel *m = NULL;
  CHECK_FAILS(art_read_model(&m, text, strlen(text), "plant.yaml", &check_error), ART_BAD_INPUT,
              message);
  CHECK_CONTAINS(check_error.text, "plant.yaml:");
  art_free_model(m);
}


TEST(mistakes_are_told_by_name)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"blocks: {a: {type: formula, value: = b}, b: {type: formula, value: = 2*a}}\n",
       "algebraic loop: 'a' reads 'b', 'b' reads 'a'"},
      {"blocks: {a: {type: formula, value: = 1 + a}}\n", "algebraic loop: 'a' reads itself"},
      {"blocks: {a: {type: formula, every: 1, value: = b}, b: {type: formula, every: 2, value: = "
       "c},"
       " c: {type: formula, value: = a}}\n",
       "algebraic loop of one instant: 'a' reads 'b', 'b' reads 'c', 'c' reads 'a'"},
      {"inputs: {steer: {}}\nstates: {s: {rate: = stear}}\n", "did you mean 'steer'?"},
      {"states: {s: {unit: K}}\n", "a state needs 'rate'"},
      {"states: {s: {initial: [1, 2], rate: 1}}\n", "has 2 initial values and 1 rate"},
      {"inputs: {P: {unit: W}}\nstates: {s: {unit: K, rate: = P}}\n",
       "gives a power in W, expected a quantity in K/s"},
      {"inputs: {u: {unit: V, default: 3 m}}\n", "expected a voltage in V"},
      {"inputs: {u: {unit: V, limits: [0, 2 A]}}\n", "expected a voltage in V"},
      {"inputs: {u: {unit: deg}}\n", "'deg' is not a unit of SI; write rad here"},
      {"inputs: {u: {unit: furlong}}\n", "furlong"},
      {"inputs: {u: {default: 3, limits: [0, 2]}}\n", "begins with 3, outside its limits 0 to 2"},
      {"inputs: {u: {limits: [2, 0]}}\n", "expected the least value before the largest"},
      {"inputs: {u: {}}\nstates: {u: {rate: 1}}\n", "state name 'u' is already in use"},
      {"inputs: {R: {}}\n", "is already that of a parameter"},
      {"inputs: {cart: {}}\n", "input name 'cart' is already in use"},
      {"inputs: {u: {every: -1}}\n", "every"},
      {"inputs: {u: {hold: second}}\n", "zero"},
      {"blocks: {a: {type: formula, value: = slide.accel}}\n"
       "forces: {f: {type: joint-force, coordinate: slide, value: = a}}\n",
       "a sampled sensor or a lag"},
      {"inputs: {u: {}}\ndrives: {d: {coordinate: slide, value: = u}}\n", "formula of time alone"},
      {"blocks: {a: {type: formla, value: 1}}\n", "formula"},
      {"blocks: {a: {type: sample, input: 1}}\n", "a sample block needs 'every'"},
      {"sensors: {s: {type: gyro, frame: cart}}\nstates: {z: {rate: = s}}\n",
       "there is s.x s.y s.z"},
      {"blocks: {a: {type: pid, input: 1, kp: 1, initial: 3}}\n", "belongs to 'ki'"},
      {"blocks: {a: {type: pid, input: 1, kp: 1, before: 3}}\n", "give 'kd'"},
      {"sensors: {s: {type: gyro, frame: cart, initial: 3}}\n", "belongs to 'every'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    snprintf(text, sizeof text, CART "%s", cases[i].text);
    expect_message(text, cases[i].message);
  }
}


// Plain numbers have any unit, so that gains need none; what names and units say must fit.
TEST(units_that_do_not_fit_are_told)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"inputs: {u: {default: 3 V}}\n", "found a voltage in V, expected a plain number"},
      {"inputs: {u: {limits: [0, 2 A]}}\n", "expected a plain number"},
      {"states: {s: {initial: 3 V, rate: 1}}\n", "expected a plain number"},
      {"blocks: {a: {type: saturation, unit: N, input: = slide.slide, limits: [0, 1]}}\n",
       "'slide.slide' gives a length in m, expected a force in N"},
      {"blocks: {a: {type: saturation, unit: N, input: 1, limits: [0, = R]}}\n", "in Ohm"},
      {"blocks: {a: {type: dead-band, unit: N, input: = R, band: [0, 1]}}\n", "a force in N"},
      {"blocks: {a: {type: lag, unit: N, input: 3 kg, time: 1}}\n", "gives a mass in kg"},
      {"blocks: {a: {type: lag, input: 1, time: = slide.slide}}\n", "expected a time in s"},
      {"blocks: {a: {type: second-order, unit: N, input: = R, frequency: 1, damping: 1}}\n",
       "a force in N"},
      {"blocks: {a: {type: second-order, input: 1, frequency: = R, damping: 1}}\n", "in 1/s"},
      {"blocks: {a: {type: integrator, unit: m, input: = slide.slide}}\n", "a velocity in m/s"},
      {"blocks: {a: {type: derivative, unit: m, input: = slide.slide, filter: 1}}\n", "in m s"},
      {"blocks: {a: {type: delay, unit: N, input: = R, delay: 1, every: 1}}\n", "a force in N"},
      {"blocks: {a: {type: rate-limiter, unit: m, input: 1, rising: = slide.slide, every: 1}}\n",
       "a velocity in m/s"},
      {"blocks: {a: {type: relay, unit: N, input: 1, band: [0, 1], values: [0, = R]}}\n",
       "a force in N"},
      {"blocks: {a: {type: pid, unit: N, input: 1, kp: 1, limits: [0, = R]}}\n", "a force in N"},
      {"curves: {k: {table: [[0 m, 0 N], [1 m, 1 N]]}}\n"
       "blocks: {a: {type: table, input: = slide.rate, curve: k}}\n",
       "(a velocity in m/s), expected a length in m"},
      {"curves: {k: {table: [[0 m, 0 N], [1 m, 1 N]]}}\n"
       "blocks: {a: {type: table, unit: V, input: = slide.slide, curve: k}}\n",
       "gives a force in N, expected a voltage in V"},
      {"sensors: {s: {type: position, frame: cart, bias: = slide.rate}}\n", "a length in m"},
      {"sensors: {s: {type: position, frame: cart, bias: 3 kg}}\n", "a length in m"},
      {"sensors: {s: {type: position, frame: cart, limits: [0, 3 kg]}}\n", "a length in m"},
      {"sensors: {s: {type: position, frame: cart, every: 1, initial: 3 kg}}\n", "a length in m"},
      {"sensors: {s: {type: gyro, frame: cart, every: 1, initial: 3 m}}\n", "in 1/s"},
      {"sensors: {s: {type: position, unit: V, gain: 2 V/m, frame: cart, every: 1, initial: 3 "
       "m}}\n",
       "a length in m, expected"},
      {"sensors: {s: {type: gyro, frame: cart, every: 1, resolution: 3 kg}}\n", "in 1/s"},
      {"sensors: {s: {type: quantity, unit: N, value: = slide.slide}}\n", "a force in N"},
      {"sensors: {s: {type: quantity, value: = slide.slide, every: 1, initial: 3 kg}}\n",
       "'initial' is a mass in kg, and there is no 'unit' to check it by; add 'unit: kg', or "
       "write"},
      {"sensors: {s: {type: position, gain: 2, frame: cart, every: 1, initial: 3 m}}\n",
       "'initial' is a length in m, and there is no 'unit'"},
      {"sensors: {s: {type: position, unit: N, gain: = R, frame: cart}}\n", "a force in N"},
      {"inputs: {u: {unit: A}}\nforces: {f: {type: motor, coordinate: slide, voltage: = u, "
       "constant: 1, resistance: 1}}\n",
       "gives a current in A, expected a voltage in V"},
      {"forces: {f: {type: motor, coordinate: slide, torque: = slide.slide}}\n", "in N m"},
      {"forces: {f: {type: motor, coordinate: slide, torque: 1, limit: = slide.slide}}\n",
       "in N m"},
      {"inputs: {u: {unit: V}}\nforces: {f: {type: joint-force, coordinate: slide, value: = u}}\n",
       "gives a voltage in V, expected a force in N"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    snprintf(text, sizeof text, CART "%s", cases[i].text);
    expect_message(text, cases[i].message);
  }
}


TEST(plain_numbers_go_with_every_unit)
{
  const artModel *m = keep_text(
      CART
      "inputs: {u: {unit: V}}\n"
      "curves: {k: {table: [[0 m, 0 N], [1 m, 1 N]]}}\n"
      "sensors: {s: {type: position, frame: cart, bias: [0.1, 0 m, 1 mm], limits: [-1, 1 m], "
      "every: "
      "1, initial: 2 cm}}\n"
      "blocks:\n"
      "  a: {type: saturation, unit: N, input: = 3*slide.slide + slide.rate, limits: [-1, 1]}\n"
      "  b: {type: lag, unit: N, input: = a, time: 50 ms}\n"
      "  c: {type: lag, unit: N, input: = u, gain: = r, time: = 1/(1 + abs(slide.rate))}\n"
      "  d: {type: pid, unit: N m, input: = 2 - sin(time), kp: 2, limits: [-1 N m, 1]}\n"
      "  e: {type: table, unit: N, input: = slide.slide, curve: k}\n"
      "  f: {type: integrator, unit: m, input: = slide.rate, limits: [-inf, 4]}\n"
      "forces:\n"
      "  x: {type: joint-force, coordinate: slide, value: = -slide.slide - slide.rate + b + r*u}\n"
      "  y: {type: motor, coordinate: slide, voltage: = u + 2*slide.slide, constant: 1, "
      "resistance: 1}\n");
  CHECK(m);
}


// the message of a run: of its start, or of its way to 1 s
static const char *message_of_run(const char *items, artStatus *started)
{
  static artError error;
  char text[2000];
  snprintf(text, sizeof text, CART "%s", items);
  const artModel *m = keep_text(text);
  artRunDef study = art_default_run();
  artRun *run = NULL;
  study.until = 1;
  error = (artError){0};
  *started = art_create_run(&run, m, keep_fresh_data(m), &study, &error);
  for (int k = 1; k <= 10 && run && error.status == ART_OK; k++) art_run_to(run, 0.1 * k, &error);
  art_free_run(run);
  return error.text;
}


TEST(values_of_formulas_keep_their_rules)
{
  static const struct {
    const char *text, *message;
    artStatus started;
  } cases[] = {
      {"states: {z: {rate: = 1/z}}\n",
       ":5:10: state 'z' has no rate at t = 0 s: its formula gives inf", ART_SINGULAR},
      {"states: {z: {rate: = sqrt(0.5 - time)}}\n", ":5:10: the rate of z is not finite", ART_OK},
      {"blocks: {a: {type: lag, input: 1, time: = 2*slide.rate - 1}}\n",
       ":5:43: 'time' of block 'a' is -1 at t = 0 s, a positive number is wanted", ART_SINGULAR},
      {"inputs: {T: {default: -1}}\nblocks: {a: {type: lag, every: 0.1, input: 1, time: = T}}\n",
       "'time' of block 'a' is -1 at t = 0 s", ART_SINGULAR},
      {"blocks: {a: {type: lag, input: 1, time: = 0.45 - time}}\n",
       "'time' of block 'a' is -0.05 at t = 0.5 s", ART_OK},
      {"blocks: {a: {type: second-order, input: 1, damping: 1, frequency: = time - 1}}\n",
       "'frequency' of block 'a' is -1", ART_SINGULAR},
      {"inputs: {lo: {default: 3}}\nblocks: {a: {type: pid, input: 1, kp: 1, limits: [= lo, 1]}}\n",
       "limits of block 'a' leave a width of -2 at t = 0 s, a positive one is wanted",
       ART_SINGULAR},
      {"blocks: {a: {type: rate-limiter, input: 1, rising: = -1 - time, every: 1}}\n",
       "'rising' of block 'a' is -1", ART_SINGULAR},
      {"sensors: {s: {type: gyro, frame: cart, resolution: = time - 1, every: 1}}\n",
       "'resolution' of sensor 's' is -1", ART_SINGULAR},
      {"blocks: {a: {type: lag, input: 1, time: = 1.05 - time}}\n", "", ART_OK},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    artStatus started;
    const char *text = message_of_run(cases[i].text, &started);
    CHECK_EQ_INT(started, cases[i].started);
    if (cases[i].message[0]) {
      CHECK_CONTAINS(text, cases[i].message);
    } else {
      CHECK_TEXT(text, "");
    }
  }
}
