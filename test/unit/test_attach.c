// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces, inputs and outputs of the host program, attached by name to a model that was read from a file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "model/methods.h"
#include "support/check.h"
#include "support/keep.h"

static const char CART[] = "articula: 1\n"
                           "inputs:\n"
                           "  push: {unit: N, limits: [-50, 50], every: 20 ms}\n"
                           "  other: {unit: N}\n"
                           "  ramp: {unit: N, every: 20 ms, hold: first}\n"
                           "bodies: {cart: {mass: 2}}\n"
                           "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                           "forces:\n"
                           "  motor: {type: joint-force, coordinate: rail, value: = push}\n"
                           "  spring: {type: callback}\n"
                           "initial: {rail: {slide: 0.5}}\n"
                           "outputs: [rail.slide]\n";


// F = -k x, with its potential
static artStatus pull(void *stiffness, const artModel *m, artData *d)
{
  art_apply_joint_force(m, d, 0, -*(const double *) stiffness * d->q[0]);
  return ART_OK;
}


static double stored(void *stiffness, const artModel *m, const artData *d)
{
  (void) m;
  return *(const double *) stiffness * d->q[0] * d->q[0] / 2;
}


static artModel *read(void)
{
  return keep_text_at(CART, "cart.yaml");
}


static artRunDef study_of(int way)
{
  artRunDef study = art_default_run();
  model_set_way(&study, way);
  study.until = 1, study.tolerance = 1e-10, study.step = 1e-3;
  return study;
}


TEST(a_force_of_a_file_gets_its_law)
{
  double stiffness = 200; // omega = 10
  const artCallbackDef spring = {
      .name = "spring", .apply = pull, .potential = stored, .context = &stiffness};
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    artModel *m = read();
    CHECK_WORKS(art_attach_force(m, &spring, &check_error));
    CHECK_WORKS(art_check_functions(m, &check_error));
    artData *d = keep_fresh_data(m);
    const artRunDef study = study_of(model_way_at(k));
    artRun *run = keep_started_run(m, d, &study);
    CHECK_WORKS(art_run_to(run, 1, &check_error));
    CHECK_CLOSE(d->q[0], 0.5 * cos(10), 1e-4);
    CHECK(art_certify(run).energy_error < 1e-4);
    CHECK_CLOSE(art_certify(run).work, 0, 1e-4); // by its potential
  }
}


TEST(a_force_without_its_law_is_told_by_name_and_place)
{
  artModel *m = read();
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  const artRunDef study = art_default_run();
  CHECK_FAILS(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT, "cart.yaml:10");
  CHECK_CONTAINS(check_error.text,
                 "force 'spring' is a callback of the host program, and none is attached");
  CHECK_FAILS(art_check_functions(m, &check_error), ART_BAD_INPUT, "force 'spring'");
  const artCallbackDef wrong = {.name = "sprign", .apply = pull},
                       motor = {.name = "motor", .apply = pull};
  CHECK_FAILS(art_attach_force(m, &wrong, &check_error), ART_BAD_INPUT,
              "the model has no force 'sprign' of type callback");
  CHECK_CONTAINS(check_error.text, "spring");
  CHECK(art_attach_force(m, &motor, &check_error) == ART_BAD_INPUT);
}


//---- inputs ----------------------------------------------------------------------------------------

typedef struct asked {
  int calls;
  double times[64], places[64];
  double bad; // a value to give in the third call
} asked;


// a controller: -3 x - v, seen just before the instant
static double ask(void *context, const artModel *m, artData *d)
{
  (void) m;
  asked *a = context;
  a->times[a->calls] = d->time;
  a->places[a->calls] = d->q[0];
  a->calls++;
  return a->calls == 3 && a->bad != 0 ? a->bad : -3 * d->q[0] - d->v[0];
}


static const char QUIET[] =
    "articula: 1\n"
    "inputs: {push: {unit: N, limits: [-50, 50], every: 20 ms}}\n"
    "bodies: {cart: {mass: 2}}\n"
    "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
    "forces: {motor: {type: joint-force, coordinate: rail, value: = push}}\n"
    "initial: {rail: {slide: 0.5}}\n"
    "outputs: [rail.slide, push]\n";


TEST(an_input_by_a_function_is_asked_at_its_instants)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    asked a = {0};
    const artRunDef study = study_of(model_way_at(k));
    artModel *m = keep_text_at(QUIET, "cart.yaml");
    CHECK_WORKS(art_attach_input(m, "push", ask, &a, &check_error));
    artData *d = keep_fresh_data(m);
    artRun *run = keep_started_run(m, d, &study);
    double x = 0.5, v = 0, u = -3 * x;
    CHECK_EQ_INT(a.calls, 1);
    for (int j = 1; j <= 40; j++) {
      CHECK_WORKS(art_run_to(run, 0.02 * j, &check_error));
      x += 0.02 * (v + 0.01 * u / 2);
      v += 0.02 * u / 2;
      u = -3 * x - v;
      CHECK_EQ_INT(a.calls, j + 1);
      CHECK(a.times[j] == 0.02 * j);
      CHECK_CLOSE(a.places[j], x, 1e-9);
      CHECK_CLOSE(d->u[0], u, 1e-9);
      CHECK_CLOSE(d->a[0], u / 2, 1e-9);
    }
  }
}


TEST(inputs_that_cannot_be_asked_are_refused_by_name)
{
  artModel *m = read();
  asked a = {0};
  CHECK_FAILS(art_attach_input(m, "pusj", ask, &a, &check_error), ART_BAD_INPUT,
              "the model has no input 'pusj'");
  CHECK_CONTAINS(check_error.text, "push");
  CHECK_FAILS(art_attach_input(m, "other", ask, &a, &check_error), ART_BAD_INPUT,
              "input 'other' cannot have a function: it has no instants");
  CHECK_FAILS(art_attach_input(m, "ramp", ask, &a, &check_error), ART_BAD_INPUT, "'hold: first'");
}


TEST(a_function_that_leaves_the_limits_ends_the_run)
{
  const double bad[] = {50.1, -51, NAN, INFINITY};
  for (int k = 0; k < 4; k++) {
    asked a = {.bad = bad[k]};
    const artRunDef study = study_of(ART_AUTOMATIC);
    artModel *m = keep_text_at(QUIET, "cart.yaml");
    CHECK_WORKS(art_attach_input(m, "push", ask, &a, &check_error));
    artData *d = keep_fresh_data(m);
    artRun *run = keep_started_run(m, d, &study);
    CHECK_FAILS(art_run_to(run, 1, &check_error), ART_BAD_INPUT, "input 'push' is set to");
    CHECK(d->time == 0.04);
  }
}


//---- inputs by tables ------------------------------------------------------------------------------

static const char PUSHED[] =
    "articula: 1\n"
    "inputs: {push: {unit: N, limits: [-50, 50]}, pull: {unit: N, hold: first}}\n"
    "bodies: {cart: {mass: 1}, sled: {mass: 1}}\n"
    "joints:\n"
    "  rail: {type: prismatic, axis: x, from: ground, to: cart}\n"
    "  ice: {type: prismatic, axis: x, from: ground, to: sled}\n"
    "forces:\n"
    "  f: {type: joint-force, coordinate: rail, value: = push}\n"
    "  g: {type: joint-force, coordinate: ice, value: = pull}\n"
    "parameters: {k: 1}\n";

static artModel *read_pushed(artError *error)
{
  static const double time[] = {0.1, 0.23, 0.5, 0.9}, push[] = {2, -3, 0, 7};
  static const double jumps[] = {0.1, 0.23, 0.23, 0.23, 0.5, 0.9}, pull[] = {0, 6, 50, 9, -6, 0};
  artModel *m = NULL;
  CHECK(art_read_model(&m, PUSHED, strlen(PUSHED), "cart.yaml", error) == ART_OK);
  keep_model(m);
  CHECK(art_attach_table(m, "push", 4, time, push, error) == ART_OK);
  CHECK(art_attach_table(m, "pull", 6, jumps, pull, error) == ART_OK);
  return m;
}


// speed and way behind n pieces of constant or straight forces f0 to f1 over h: v += (f0 + f1) h/2, x by Simpson's rule
static void push_on(double h, double f0, double f1, double state[2])
{
  state[0] += h * state[1] + h * h * (2 * f0 + f1) / 6;
  state[1] += h * (f0 + f1) / 2;
}


// a run that begins before the table, comes to its rows between those that are asked for, and goes on behind it
TEST(an_input_follows_its_table)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    artError error = {0};
    artModel *m = read_pushed(&error);
    const artRunDef study = study_of(model_way_at(k));
    artData *d = keep_fresh_data(m);
    artRun *run = keep_started_run(m, d, &study);
    CHECK_CLOSE(d->u[0], 2, 0);
    CHECK_CLOSE(d->u[1], 0, 0);
    CHECK(art_set_input(m, d, 0, 1, &error) == ART_BAD_INPUT);
    CHECK_CONTAINS(error.text, "input 'push' follows a table and cannot be set");
    CHECK(art_run_to(run, 0.3, &error) == ART_OK);
    CHECK_CLOSE(d->u[0], -3, 0);
    CHECK_CLOSE(d->u[1], 9 - 15 * 0.07 / 0.27, 1e-12);
    CHECK_CLOSE(d->a[1], d->u[1], 1e-9);
    CHECK(art_run_to(run, 1, &error) == ART_OK);
    double cart[2] = {0}, sled[2] = {0};
    push_on(0.23, 2, 2, cart);
    push_on(0.27, -3, -3, cart);
    push_on(0.4, 0, 0, cart);
    push_on(0.1, 7, 7, cart);
    push_on(0.13, 0, 6, sled);
    push_on(0.27, 9, -6, sled);
    push_on(0.4, -6, 0, sled);
    push_on(0.1, 0, 0, sled);
    const double limit = art_method_is_natural(study.method) ? 2e-5 : 1e-9;
    CHECK_CLOSE(d->q[0], cart[0], limit);
    CHECK_CLOSE(d->v[0], cart[1], limit);
    CHECK_CLOSE(d->q[1], sled[0], limit);
    CHECK_CLOSE(d->v[1], sled[1], limit);
  }
}


// steps of a host program, a run that is saved within a piece, and a parameter that changes
TEST(tables_go_with_steps_snapshots_and_parameters)
{
  artModel *m = read_pushed(&check_error);
  const artRunDef study = study_of(ART_AUTOMATIC);
  CHECK_WORKS(art_set_parameter(m, "k", 3, &check_error));
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  for (int j = 0; j < 9; j++) CHECK_WORKS(art_step(run, 0.04, &check_error));
  char *state = malloc(art_run_state_size(run));
  CHECK_WORKS(art_save_run(run, state, art_run_state_size(run), &check_error));
  artRun *other = keep_started_run(m, e, &study);
  CHECK_WORKS(art_load_run(other, state, art_run_state_size(run), &check_error));
  for (int j = 0; j < 16; j++) CHECK_WORKS(art_step(run, 0.04, &check_error));
  for (int j = 0; j < 16; j++) CHECK_WORKS(art_step(other, 0.04, &check_error));
  CHECK(memcmp(d->q, e->q, 2 * sizeof *d->q) == 0 && memcmp(d->v, e->v, 2 * sizeof *d->v) == 0);
  CHECK_CLOSE(d->v[0], 0.46 - 0.81 + 0.7, 1e-9);
  CHECK_CLOSE(d->v[1], 0.39 + 0.405 - 1.2, 1e-9);
  free(state);
}


TEST(bad_tables_are_refused)
{
  static const struct {
    double time[2], value[2];
    const char *message;
  } cases[] = {
      {{1, 0}, {1, 2}, "row 2 of the table of input 'push' is at 0 s, expected no less than"},
      {{0, NAN}, {1, 2}, "row 2 of the table of input 'push' is 2 at nan s"},
      {{0, 1}, {INFINITY, 2}, "row 1 of the table of input 'push' is inf at 0 s"},
      {{0, 1}, {1, 51}, "at 1 s, is 51 N, outside its limits -50 to 50"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    artError error = {0};
    artModel *m = read();
    CHECK(art_attach_table(m, "push", 2, cases[i].time, cases[i].value, &error) == ART_BAD_INPUT);
    CHECK_CONTAINS(error.text, cases[i].message);
  }
  artError error = {0};
  artModel *m = read();
  const double x[2] = {0, 1};
  CHECK(art_attach_table(m, "pusj", 2, x, x, &error) == ART_BAD_INPUT);
  CHECK_CONTAINS(error.text, "the model has no input 'pusj' (did you mean 'push'?)");
}


//---- outputs ---------------------------------------------------------------------------------------

static double twice(void *factor, const artModel *m, artData *d)
{
  (void) m;
  return *(const double *) factor * d->q[0] + d->a[0];
}


TEST(an_output_of_the_host_program_stands_behind_the_others)
{
  double factor = 2, y[3] = {0};
  asked a = {0};
  artModel *m = keep_text_at(QUIET, "cart.yaml");
  const artOutputDef def = {.name = "score", .unit = "m", .value = twice, .context = &factor};
  artOutputDef again = def;
  CHECK_WORKS(art_attach_output(m, &def, &check_error));
  CHECK_WORKS(art_attach_input(m, "push", ask, &a, &check_error));
  CHECK_EQ_INT(art_count(m).outputs, 3);
  CHECK_TEXT(art_output_name(m, 2), "score");
  CHECK_TEXT(art_output_unit(m, 2), "m");
  again.name = "push";
  CHECK_FAILS(art_attach_output(m, &again, &check_error), ART_BAD_INPUT,
              "the model has an output 'push' already");
  artData *d = keep_fresh_data(m);
  const artRunDef study = study_of(ART_AUTOMATIC);
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.03, &check_error));
  art_outputs(m, d, y);
  CHECK_CLOSE(y[2], 2 * y[0] + y[1] / 2, 1e-12);
}


//---- parameters ------------------------------------------------------------------------------------

TEST(laws_inputs_and_outputs_stay_attached_when_a_parameter_changes)
{
  static const char LIVE[] = "articula: 1\n"
                             "parameters: {m: 2 kg}\n"
                             "inputs: {push: {unit: N, limits: [-50, 50], every: 20 ms}}\n"
                             "bodies: {cart: {mass: = m}}\n"
                             "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                             "forces:\n"
                             "  motor: {type: joint-force, coordinate: rail, value: = push}\n"
                             "  spring: {type: callback}\n"
                             "initial: {rail: {slide: 0.5}}\n"
                             "outputs: [rail.slide]\n";
  asked a = {0};
  double stiffness = 200, factor = 2, y[2];
  const artCallbackDef spring = {
      .name = "spring", .apply = pull, .potential = stored, .context = &stiffness};
  const artOutputDef score = {.name = "score", .value = twice, .context = &factor};
  artModel *m = keep_text_at(LIVE, "cart.yaml");
  CHECK_WORKS(art_attach_force(m, &spring, &check_error));
  CHECK_WORKS(art_attach_input(m, "push", ask, &a, &check_error));
  CHECK_WORKS(art_attach_output(m, &score, &check_error));
  for (int k = 0; k < 3; k++) CHECK_WORKS(art_set_parameter(m, "m", 4 + k, &check_error));
  CHECK_WORKS(art_check_functions(m, &check_error));
  CHECK_EQ_INT(art_count(m).outputs, 2);
  artData *d = keep_fresh_data(m);
  const artRunDef study = study_of(ART_AUTOMATIC);
  keep_started_run(m, d, &study);
  CHECK_EQ_INT(a.calls, 1);
  art_outputs(m, d, y);
  const double acceleration = (-200 * 0.5 - 3 * 0.5) / 6;
  CHECK_CLOSE(d->a[0], acceleration, 1e-9);
  CHECK_CLOSE(y[1], 2 * 0.5 + acceleration, 1e-9);
}


// a force that is not a number behind 0.5 m
static artStatus lose(void *context, const artModel *m, artData *d)
{
  art_apply_joint_force(m, d, 0, *(const double *) context + (d->q[0] > 0.6 ? NAN : 0));
  return ART_OK;
}


TEST(a_callback_that_gives_no_number_is_named)
{
  for (int has_potential = 0; has_potential < 2; has_potential++) {
    artModel *m = read();
    artData *d = keep_fresh_data(m);
    artError error = {0};
    double force = 1;
    const artCallbackDef def = {.name = "spring",
                                .apply = lose,
                                .potential = has_potential ? stored : NULL,
                                .context = &force};
    if (!CHECK(d && art_attach_force(m, &def, &error) == ART_OK)) return;
    CHECK(art_accelerate(m, d, ART_AUTOMATIC, &error) == ART_OK);
    d->q[0] = 0.7;
    art_update(m, d);
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, &error), ART_NO_CONVERGENCE);
    CHECK_CONTAINS(error.text, "cart.yaml:10:3: force 'spring', a callback, applied what is not "
                               "finite at t = 0 s");
    const artRunDef study = study_of(ART_AUTOMATIC);
    art_reset(m, d);
    artRun *run = keep_started_run(m, d, &study);
    CHECK(run && art_run_to(run, 1, &error) != ART_OK);
    CHECK_CONTAINS(error.text, "force 'spring', a callback, applied what is not finite");
  }
}


// art_set_input holds limits; data->u is the memory behind it
TEST(inputs_that_are_written_directly_are_taken_as_they_are)
{
  artModel *m = read();
  artData *d = keep_fresh_data(m);
  double stiffness = 0;
  const artCallbackDef spring = {.name = "spring", .apply = pull, .context = &stiffness};
  if (!CHECK(d && art_attach_force(m, &spring, &check_error) == ART_OK)) return;
  CHECK_EQ_INT(art_set_input(m, d, 0, 60, &check_error), ART_BAD_INPUT);
  d->u[0] = 60;
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error));
  CHECK_CLOSE(d->a[0], 30, 1e-12);
}
