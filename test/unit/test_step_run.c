// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps for controllers: set what acts on a machine, go on by exactly dt, by every method and integrator.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "model/methods.h"
#include "support/keep.h"
#include "support/mallocs.h"

// 1 kg on a rail, pushed by a function of the host program; and the same in two halves that a closed loop holds
// together
static const char TREE[] = "articula: 1\n"
                           "bodies: {cart: {mass: 1}}\n"
                           "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                           "forces: {push: {type: joint-force, coordinate: rail, function: push}}\n"
                           "outputs: [rail.slide, rail.rate]\n";
static const char LOOP[] =
    "articula: 1\n"
    "bodies: {cart: {mass: 0.5, inertia: [1, 1, 1]}, twin: {mass: 0.5, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  rail: {type: prismatic, axis: x, from: ground, to: cart}\n"
    "  other: {type: prismatic, axis: x, from: ground, at: [0, 1, 0], to: twin}\n"
    "  tie: {type: prismatic, axis: y, from: cart, to: twin}\n"
    "forces: {push: {type: joint-force, coordinate: rail, function: push}}\n";


static artStatus push(void *context, const double *x, double *y)
{
  (void) x;
  y[0] = *(const double *) context;
  return ART_OK;
}


typedef struct pushedRun {
  artModel *m;
  artData *d;
  artRun *run;
  double force;
} pushedRun;


static artRunDef study_of(int way, artIntegrator integrator)
{
  artRunDef study = art_default_run();
  model_set_way(&study, way);
  study.until = 2;
  study.integrator = integrator;
  study.step = integrator == ART_RK4 ? 0.004 : 0; // that of natural methods, too
  return study;
}


static int begin(pushedRun *p, const char *text, const artRunDef *study)
{
  artError error = {0};
  p->force = 0;
  p->m = NULL;
  art_read_model(&p->m, text, strlen(text), "cart.yaml", &error);
  keep_model(p->m);
  if (!error.status && strstr(text, "function")) {
    art_attach_function(p->m, "push", push, &p->force, &error);
  }
  if (!error.status) p->d = keep_data(art_create_data(p->m));
  if (!error.status) art_create_run(&p->run, p->m, p->d, study, &error);
  CHECK_TEXT(error.text, "");
  if (!error.status) keep_run(p->run);
  return !error.status;
}


//---- zero-order hold -------------------------------------------------------------------------------

// Force +-1 N, changed every 10 ms: after k of them the mass is at k/2 h^2, or h^2/2 beyond the last whole pair.
static double singular_path_place(int k)
{
  const double h = 0.01;
  return k / 2 * h * h + k % 2 * h * h / 2;
}


static void check_hold(const char *text, int way, artIntegrator integrator)
{
  const artRunDef study = study_of(way, integrator);
  pushedRun p;
  if (!begin(&p, text, &study)) return;
  double worst = 0;
  long taken = 0;
  for (int k = 0; k < 200; k++) {
    if (k == 10) taken = mallocs;
    p.force = k % 2 ? -1 : 1;
    if (!CHECK_WORKS(art_step(p.run, 0.01, &check_error))) break;
    CHECK(p.d->time == (k + 1) * 0.01);
    worst = check_larger(worst, fabs(p.d->q[0] - singular_path_place(k + 1)));
    worst = check_larger(worst, fabs(p.d->v[0] - (k % 2 ? 0 : 0.01)));
    if (!CHECK(fabs(p.d->a[0] - p.force) < 1e-9)) break; // of the force before the jump
  }
  CHECK_EQ_INT(mallocs, taken);
  if (!CHECK(worst <= 1e-12)) {
    fprintf(stderr, "  %s with %s: %.2e\n", model_way_name(way), art_integrator_name(integrator),
            worst);
  }
  CHECK(art_certify(p.run).energy_error < 1e-9);
}


TEST(a_held_force_moves_a_mass_exactly_by_every_method_and_integrator)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    const int way = model_way_at(k);
    const int is_natural = model_method_has(way, METHOD_NATURAL);
    for (int i = 0; i < (is_natural ? 1 : ART_MOREAU); i++) {
      check_hold(TREE, way, (artIntegrator) i);
      if (model_method_has(way, METHOD_LOOPS)) check_hold(LOOP, way, (artIntegrator) i);
    }
  }
}


//---- time ------------------------------------------------------------------------------------------

TEST(steps_of_one_length_are_counted_and_others_begin_a_new_count)
{
  pushedRun p;
  const artRunDef study = study_of(ART_AUTOMATIC, ART_RK4);
  if (!begin(&p, TREE, &study)) return;
  for (int k = 1; k <= 1000; k++) CHECK(art_step(p.run, 0.1, NULL) == ART_OK);
  CHECK(p.d->time == 1000 * 0.1);
  CHECK(art_step(p.run, 0.25, NULL) == ART_OK);
  CHECK(p.d->time == 1000 * 0.1 + 0.25);
  CHECK(art_step(p.run, 0.1, NULL) == ART_OK);
  CHECK(p.d->time == (1000 * 0.1 + 0.25) + 0.1);
  CHECK(art_step_to(p.run, 101, NULL) == ART_OK);
  CHECK(p.d->time == 101);
  CHECK(art_step(p.run, 0.1, NULL) == ART_OK && p.d->time == 101 + 0.1);
  CHECK(art_step(p.run, 0.1, NULL) == ART_OK && p.d->time == 101 + 2 * 0.1);
}


// `until` bounds nothing, a step of 0 s shows the present force, and steps that are none change nothing
TEST(limits_of_steps)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    pushedRun p;
    artError error = {0};
    const artRunDef study = study_of(model_way_at(k), ART_RK4);
    if (!begin(&p, TREE, &study)) return;
    p.force = 2;
    CHECK(art_step(p.run, 0, &error) == ART_OK && p.d->time == 0);
    CHECK_CLOSE(p.d->a[0], 2, 1e-9);
    CHECK(art_step(p.run, 3, &error) == ART_OK && p.d->time == 3);
    CHECK_CLOSE(p.d->q[0], 9, 1e-10);
    p.force = -1;
    CHECK(art_step(p.run, 0, &error) == ART_OK && p.d->time == 3);
    CHECK_CLOSE(p.d->a[0], -1, 1e-9);
    CHECK_CLOSE(p.d->q[0], 9, 1e-10);
    const double bad[] = {-1e-300, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
      CHECK(art_step(p.run, bad[i], &error) == ART_BAD_INPUT && p.d->time == 3);
      CHECK_CONTAINS(error.text, "expected a number that is not negative");
    }
    CHECK(art_step_to(p.run, 2.999, &error) == ART_BAD_INPUT);
    CHECK_CONTAINS(error.text, "the run is at 3 s; expected a later time");
    CHECK(art_step_to(p.run, NAN, &error) == ART_BAD_INPUT && p.d->time == 3);
  }
}


// steps that are shorter than rounding allows a step to be
TEST(steps_of_no_length_to_speak_of_are_taken)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    for (int i = 0; i < ART_MOREAU; i++) {
      pushedRun p;
      const artRunDef study = study_of(model_way_at(k), (artIntegrator) i);
      if (!begin(&p, TREE, &study)) return;
      p.force = 1;
      double t = 0;
      for (int j = 0; j < 30; j++) {
        static const double way[] = {1e-18, 1e-9, 0.02, 1e-15, 1e-13, 3e-6};
        t += way[j % 6];
        if (!CHECK(art_step_to(p.run, t, NULL) == ART_OK && p.d->time == t)) break;
      }
      CHECK_CLOSE(p.d->q[0], t * t / 2, 1e-10);
      CHECK_CLOSE(p.d->v[0], t, 1e-10);
    }
  }
}


//---- mixed with rows -------------------------------------------------------------------------------

// art_run_to may go beyond its rows: the force of the next step acts from the row on all the same
TEST(steps_and_rows_may_follow_each_other)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    for (int i = 0; i < ART_MOREAU; i++) {
      pushedRun p;
      const artRunDef study = study_of(model_way_at(k), (artIntegrator) i);
      if (!begin(&p, TREE, &study)) return;
      p.force = 1;
      CHECK(art_step(p.run, 0.1, NULL) == ART_OK); // v = 0.1, x = 0.005
      CHECK(art_run_to(p.run, 0.30071, NULL) == ART_OK);
      CHECK_CLOSE(p.d->v[0], 0.30071, 1e-9);
      p.force = -2;
      CHECK(art_step_to(p.run, 0.50071, NULL) == ART_OK);
      CHECK_CLOSE(p.d->v[0], 0.30071 - 0.4, 1e-9);
      CHECK_CLOSE(p.d->q[0], 0.30071 * 0.30071 / 2 + 0.30071 * 0.2 - 0.04, 1e-9);
    }
  }
}


//---- events and failures ---------------------------------------------------------------------------

// A cart of 1 kg runs against a stop, and bounces without loss: a force that switches within the steps.
static const char BOUNCE[] =
    "articula: 1\n"
    "bodies: {cart: {mass: 1}}\n"
    "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
    "forces:\n"
    "  push: {type: joint-force, coordinate: rail, function: push}\n"
    "  end: {type: joint-stop, coordinate: rail, upper: 0.1, stiffness: 1e4}\n"
    "initial: {rail: {rate: 1}}\n";


TEST(events_within_steps_are_found_and_counted)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    pushedRun p;
    artRunDef study = study_of(model_way_at(k), ART_DOPRI5);
    study.step = 1e-3;
    study.tolerance = 1e-9;
    if (!begin(&p, BOUNCE, &study)) return;
    for (int j = 0; j < 30; j++) CHECK(art_step(p.run, 0.01, NULL) == ART_OK);

    // in contact for half a period of 2 pi/100 s, then back at the same speed
    CHECK(art_certify(p.run).events == 2);
    const double back = 0.3 - 0.1 - acos(-1) / 100;
    CHECK_CLOSE(p.d->v[0], -1, 2e-4);
    CHECK_CLOSE(p.d->q[0], 0.1 - back, 2e-4);
  }
}


static artStatus fail_beyond(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = x[ART_JOINT_POSITION] > 0.0503 ? NAN : 0;
  return ART_OK;
}


// the law has no answer beyond 0.0503 m, which the cart reaches within the sixth step
TEST(after_a_failure_the_run_stands_at_the_last_good_state_and_says_so)
{
  static const char FAST[] =
      "articula: 1\n"
      "bodies: {cart: {mass: 1}}\n"
      "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
      "forces: {push: {type: joint-force, coordinate: rail, function: push}}\n"
      "initial: {rail: {rate: 1}}\n";
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    for (int i = 0; i < ART_MOREAU; i++) {
      pushedRun p;
      artError error = {0};
      artRunDef study = study_of(model_way_at(k), (artIntegrator) i);
      study.tolerance = 1e-6;
      study.step = i == ART_RK4 ? 0.001 : 0;
      if (!begin(&p, FAST, &study)) return;
      CHECK(art_attach_function(p.m, "push", fail_beyond, &p, NULL) == ART_OK);
      for (int j = 0; j < 5; j++) CHECK(art_step(p.run, 0.01, &error) == ART_OK);
      CHECK(art_step(p.run, 0.01, &error) != ART_OK);
      CHECK_CONTAINS(error.text, "push");
      CHECK(p.d->time >= 0.05 && p.d->time < 0.06);
      CHECK_CLOSE(p.d->q[0], p.d->time, 1e-9);
      const double t = p.d->time;

      // a law that is good again is gone on with, from there
      CHECK(art_attach_function(p.m, "push", push, &p.force, NULL) == ART_OK);
      error.text[0] = 0;
      CHECK(art_step(p.run, 0.01, &error) == ART_OK && p.d->time == t + 0.01);
      CHECK_TEXT(error.text, "");
      CHECK_CLOSE(p.d->q[0], p.d->time, 1e-9);
    }
  }
}


//---- snapshots -------------------------------------------------------------------------------------

// A controller tries a push, goes back and tries another one: the third try is the first to the last bit.
TEST(a_run_goes_back_to_a_snapshot_to_the_same_bits)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    for (int i = 0; i < ART_MOREAU; i++) {
      pushedRun p;
      const artRunDef study = study_of(model_way_at(k), (artIntegrator) i);
      if (!begin(&p, BOUNCE, &study)) return;
      for (int j = 0; j < 9; j++) {
        p.force = j;
        CHECK(art_step(p.run, 0.01, NULL) == ART_OK);
      }
      const savedRun saved = keep_saved_run(p.run);
      double first[2];
      for (int try = 0; try < 3; try++) {
        p.force = try == 1 ? -30 : 7;
        for (int j = 0; j < 4; j++) CHECK(art_step(p.run, 0.01, NULL) == ART_OK);
        CHECK(p.d->time == 13 * 0.01);
        const double now[2] = {p.d->q[0], p.d->v[0]};
        if (try == 0) memcpy(first, now, sizeof now);
        CHECK((memcmp(first, now, sizeof now) == 0) == (try != 1));
        if (!CHECK(art_load_run(p.run, saved.bytes, saved.size, NULL) == ART_OK)) break;
        CHECK(p.d->time == 9 * 0.01);
      }
    }
  }
}


//---- inputs ----------------------------------------------------------------------------------------

// 1 kg on a rail, pushed by an input; another one of first order, and a spring whose force an input scales
static const char HELD[] =
    "articula: 1\n"
    "inputs:\n"
    "  push: {unit: N, default: 0, limits: [-100, 100]}\n"
    "  pull: {unit: N, default: 0, hold: first}\n"
    "bodies: {cart: {mass: 1}}\n"
    "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
    "forces: {motor: {type: joint-force, coordinate: rail, value: = push + pull}}\n"
    "outputs: [motor.force]\n";


static void check_hold_of_input(int way, artIntegrator integrator, int by_rows)
{
  const artRunDef study = study_of(way, integrator);
  pushedRun p;
  if (!begin(&p, HELD, &study)) return;
  double worst = 0;
  long taken = 0;
  for (int k = 0; k < 200; k++) {
    if (k == 10) taken = mallocs;
    CHECK_WORKS(art_set_input(p.m, p.d, 0, k % 2 ? -1 : 1, &check_error));
    const artStatus status = by_rows ? art_run_to(p.run, (k + 1) * 0.01, &check_error)
                                     : art_step(p.run, 0.01, &check_error);
    if (!CHECK(status == ART_OK && p.d->time == (k + 1) * 0.01)) break;
    worst = check_larger(worst, fabs(p.d->q[0] - singular_path_place(k + 1)));
    worst = check_larger(worst, fabs(p.d->v[0] - (k % 2 ? 0 : 0.01)));
    if (!CHECK(fabs(p.d->a[0] - (k % 2 ? -1 : 1)) < 1e-9)) break;
  }
  CHECK_TEXT(check_error.text, "");
  CHECK_EQ_INT(mallocs, taken);
  // steps of bdf and adams are as good as the tolerance
  if (!CHECK(worst <= (integrator >= ART_BDF ? 1e-9 : 1e-12))) {
    fprintf(stderr, "  %s with %s: %.2e\n", model_way_name(way), art_integrator_name(integrator),
            worst);
  }
}


TEST(an_input_that_is_held_moves_a_mass_exactly)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    const int way = model_way_at(k), is_natural = model_method_has(way, METHOD_NATURAL);
    for (int i = 0; i < (is_natural ? 1 : ART_MOREAU); i++) {
      check_hold_of_input(way, (artIntegrator) i, 0);
      check_hold_of_input(way, (artIntegrator) i, 1);
    }
  }
}


// the same force from a sampler in the file, in steps that end at its instants and between them
TEST(a_sampler_in_the_file_moves_a_mass_exactly)
{
  static const char text[] =
      "articula: 1\n"
      "bodies: {cart: {mass: 1}}\n"
      "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
      "blocks:\n"
      "  sign: {type: formula, unit: N, value: \"= 1[N]*cos(pi*time/10[ms])\", every: 10 ms}\n"
      "forces: {motor: {type: joint-force, coordinate: rail, value: = sign}}\n";
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    const int way = model_way_at(k), is_natural = model_method_has(way, METHOD_NATURAL);
    for (int i = 0; i < (is_natural ? 1 : ART_MOREAU); i++) {
      const artRunDef study = study_of(way, (artIntegrator) i);
      pushedRun p;
      artError error = {0};
      if (!begin(&p, text, &study)) return;
      double worst = 0;
      for (int j = 1; j <= 400 && !error.status; j++) {
        if (j < 200) {
          art_step(p.run, 0.005, &error);
        } else {
          art_run_to(p.run, j * 0.005, &error);
        }
        if (j % 2 == 0) worst = check_larger(worst, fabs(p.d->q[0] - singular_path_place(j / 2)));
      }
      CHECK_TEXT(error.text, "");
      if (!CHECK(worst <= 1e-12)) {
        fprintf(stderr, "  %s with %s: %.2e\n", model_way_name(way),
                art_integrator_name((artIntegrator) i), worst);
      }
    }
  }
}


// A force that goes from 0 to 1 N and back on straight lines, 10 ms each: x'' = t/h, then 2 - t/h ...
TEST(an_input_of_first_order_goes_from_value_to_value)
{
  const double h = 0.01;
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    const int way = model_way_at(k), is_natural = model_method_has(way, METHOD_NATURAL);
    for (int i = 0; i < (is_natural ? 1 : ART_MOREAU); i++) {
      pushedRun p;
      artRunDef study = study_of(way, (artIntegrator) i);
      if (is_natural) study.step = 1e-4;
      if (!begin(&p, HELD, &study)) return;
      double x = 0, v = 0, worst[2] = {0, 0};
      for (int j = 0; j < 40; j++) {
        const double from = j % 2, to = (j + 1) % 2;
        CHECK(art_set_input(p.m, p.d, 1, to, NULL) == ART_OK);
        if (!CHECK(art_step(p.run, h, NULL) == ART_OK)) break;
        x += h * v + h * h * (from / 3 + to / 6);
        v += h * (from + to) / 2;
        worst[0] = check_larger(worst[0], fabs(p.d->q[0] - x));
        worst[1] = check_larger(worst[1], fabs(p.d->v[0] - v));
        CHECK_CLOSE(p.d->a[0], to, 1e-9);
        CHECK(p.d->u[1] == to);
      }
      // the trapezoidal rule is exact for v alone
      CHECK(worst[0] < (is_natural ? 1e-7 : 1e-12) && worst[1] < (is_natural ? 1e-10 : 1e-12));
    }
  }
}


// where inputs stay as they are, the integrator goes on
TEST(steps_without_a_change_do_not_begin_anew)
{
  const char *const oscillator =
      "articula: 1\n"
      "inputs: {push: {unit: N}}\n"
      "bodies: {cart: {mass: 1}}\n"
      "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
      "forces:\n"
      "  motor: {type: joint-force, coordinate: rail, value: = push}\n"
      "  spring: {type: joint-spring, coordinate: rail, stiffness: 400}\n"
      "initial: {rail: {slide: 0.1}}\n";
  for (int i = ART_RK4 + 1; i < ART_MOREAU; i++) {
    long evaluations[2];
    for (int sets = 0; sets < 2; sets++) {
      pushedRun p;
      artRunDef study = study_of(ART_AUTOMATIC, (artIntegrator) i);
      study.tolerance = i == ART_BDF ? 1e-13 : 1e-11;
      if (!begin(&p, oscillator, &study)) return;
      for (int k = 0; k < 20; k++) {
        if (sets) CHECK(art_set_input(p.m, p.d, 0, k % 2 * 1e-300, NULL) == ART_OK);
        CHECK(art_step(p.run, 0.1, NULL) == ART_OK);
      }
      CHECK_CLOSE(p.d->q[0], 0.1 * cos(20 * 2.0), 1e-8);
      evaluations[sets] = art_certify(p.run).evaluations;
    }
    CHECK(evaluations[0] < evaluations[1]);
    if (i == ART_BDF || i == ART_ADAMS) CHECK(11 * evaluations[0] < 10 * evaluations[1]);
  }
}


// inputs are part of a snapshot: the way goes on with the inputs of then, or with others
TEST(a_snapshot_holds_the_inputs)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    for (int i = 0; i < ART_MOREAU; i++) {
      pushedRun p;
      const artRunDef study = study_of(model_way_at(k), (artIntegrator) i);
      if (!begin(&p, HELD, &study)) return;
      for (int j = 0; j < 12; j++) {
        CHECK(art_set_input(p.m, p.d, 0, j / 5, NULL) == ART_OK);
        CHECK(art_set_input(p.m, p.d, 1, j / 3, NULL) == ART_OK);
        CHECK(art_step(p.run, 0.01, NULL) == ART_OK);
      }
      CHECK(art_set_input(p.m, p.d, 1, 7, NULL) == ART_OK); // not yet stepped with
      const savedRun saved = keep_saved_run(p.run);
      double first[2];
      for (int try = 0; try < 3; try++) {
        if (try == 1) CHECK(art_set_input(p.m, p.d, 0, -3, NULL) == ART_OK);
        for (int j = 0; j < 4; j++) CHECK(art_step(p.run, 0.01, NULL) == ART_OK);
        const double now[2] = {p.d->q[0], p.d->v[0]};
        if (try == 0) memcpy(first, now, sizeof now);
        CHECK((memcmp(first, now, sizeof now) == 0) == (try != 1));
        if (!CHECK(art_load_run(p.run, saved.bytes, saved.size, NULL) == ART_OK)) break;
        CHECK(p.d->u[0] == 2 && p.d->u[1] == 7);
      }
    }
  }
}


//---- parameters ------------------------------------------------------------------------------------

// A mass and a spring that change between steps: the next step goes on with the new ones, and the energy that they bring
// is work. The law of the host program stays attached.
TEST(a_parameter_that_changes_between_steps_counts_from_there_on)
{
  static const char LIVE[] = "articula: 1\n"
                             "parameters: {m: 1 kg, k: 100 N/m}\n"
                             "inputs: {push: {unit: N}}\n"
                             "bodies: {cart: {mass: = m}}\n"
                             "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                             "forces:\n"
                             "  spring: {type: joint-spring, coordinate: rail, stiffness: = k}\n"
                             "  motor: {type: joint-force, coordinate: rail, value: = push}\n"
                             "  own: {type: joint-force, coordinate: rail, function: push}\n"
                             "initial: {rail: {slide: 0.1}}\n";
  for (int w = 0; model_way_at(w) != MODEL_WAYS; w++) {
    const int way = model_way_at(w);
    if (model_method_has(way, METHOD_NATURAL | METHOD_COMPILED)) continue; // they refuse it
    for (int i = 0; i < ART_MOREAU; i++) {
      pushedRun p;
      artRunDef study = study_of(way, (artIntegrator) i);
      study.step = i == ART_RK4 ? 1e-4 : 0;
      if (!begin(&p, LIVE, &study)) return;
      double x = 0.1, v = 0, m = 1, k = 100;
      for (int j = 0; j < 8; j++) {
        if (j == 3) m = 4;
        if (j == 5) k = 400;
        CHECK_WORKS(art_set_parameter(p.m, "m", m, &check_error));
        CHECK_WORKS(art_set_parameter(p.m, "k", k, &check_error));
        if (!CHECK_WORKS(art_step(p.run, 0.05, &check_error))) break;
        const double omega = sqrt(k / m), c = cos(omega * 0.05), s = sin(omega * 0.05);
        const double before = x;
        x = before * c + v / omega * s;
        v = v * c - before * omega * s;
        CHECK_CLOSE(p.d->q[0], x, 1e-6);
        CHECK_CLOSE(p.d->v[0], v, 1e-5);
      }
      CHECK(art_certify(p.run).energy_error < 1e-5);
    }
  }
}


// the same in a closed loop: the distance of the rails and a mass
TEST(a_parameter_of_a_closed_loop_changes_between_steps)
{
  static const char LIVE[] =
      "articula: 1\n"
      "parameters: {m: 0.5 kg, b: 1 m}\n"
      "bodies: {cart: {mass: 0.5, inertia: [1, 1, 1]}, twin: {mass: = m, inertia: [1, 1, 1]}}\n"
      "joints:\n"
      "  rail: {type: prismatic, axis: x, from: ground, to: cart}\n"
      "  other: {type: prismatic, axis: x, from: ground, at: [0, = b, 0], to: twin}\n"
      "  tie: {type: prismatic, axis: y, from: cart, to: twin}\n"
      "forces: {push: {type: joint-force, coordinate: rail, function: push}}\n";
  for (int w = 0; model_way_at(w) != MODEL_WAYS; w++) {
    const int way = model_way_at(w);
    if (!model_method_has(way, METHOD_LOOPS)) continue;
    if (model_method_has(way, METHOD_NATURAL | METHOD_COMPILED)) continue; // they refuse it
    pushedRun p;
    const artRunDef study = study_of(way, ART_RK4);
    if (!begin(&p, LIVE, &study)) return;
    p.force = 1;
    double x = 0, v = 0;
    for (int j = 0; j < 6; j++) {
      const double m = j < 3 ? 0.5 : 1.5, h = 0.05;
      CHECK_WORKS(art_set_parameter(p.m, "m", m, &check_error));
      CHECK_WORKS(art_set_parameter(p.m, "b", j < 2 ? 1 : 1.25, &check_error));
      if (!CHECK_WORKS(art_step(p.run, h, &check_error))) break;
      x += h * v + h * h / 2 / (0.5 + m);
      v += h / (0.5 + m);
      CHECK_CLOSE(p.d->q[0], x, 1e-9);
      CHECK_CLOSE(p.d->v[0], v, 1e-9);
    }
  }
}
