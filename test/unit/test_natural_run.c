// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs in natural coordinates: the same machines, the same outputs, other equations.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "force/force_work.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/keep.h"
#include "support/mallocs.h"

enum { MAX_OUTPUTS = 100 };

static const artMethod methods[] = {ART_INDEX1, ART_INDEX3, ART_MULTI_INDEX, ART_CONSERVING};
enum { NMETHOD = sizeof methods / sizeof *methods };

#define DOUBLE_PENDULUM "models/double-pendulum.yaml"
#define FOUR_BAR        "models/loops/four-bar.yaml"
#define STEWART         "models/loops/stewart.yaml"


static artRunDef study_of(artMethod method, double until, double step)
{
  artRunDef study = art_default_run();
  study.method = method, study.until = until, study.step = step;
  return study;
}


// to the end in equal intervals; the data is left there
static artCertificate go(const artModel *m, artData *d, const artRunDef *study, int intervals)
{
  artRun *run = NULL;
  artError error = {0};
  artCertificate certificate = {0};
  artStatus status = art_create_run(&run, m, d, study, &error);
  for (int k = 1; k <= intervals && !status; k++) {
    status = art_run_to(run, study->until * k / intervals, &error);
  }
  if (!CHECK_EQ_INT(status, ART_OK)) CHECK_TEXT(error.text, art_method_name(study->method));
  if (run) certificate = art_certify(run);
  art_free_run(run);
  return certificate;
}


//---- motion --------------------------------------------------------------------------------------

// largest difference of a position to the motion in relative coordinates, at the end
static double error_of(const artModel *m, const double *reference, artMethod method, double until,
                       double step)
{
  artData *d = keep_fresh_data(m);
  artRunDef study = study_of(method, until, step);
  study.tolerance = 1e-10;
  go(m, d, &study, 1);
  double most = 0;
  for (int k = 0; k < art_count(m).nq; k++) most = check_larger(most, fabs(d->q[k] - reference[k]));
  return most;
}


static void check_order(const char *path, artMethod method, double until, double step)
{
  artModel *m = keep_file(path);
  artData *reference = keep_fresh_data(m);
  artRunDef study = study_of(ART_AUTOMATIC, until, 0);
  study.tolerance = 1e-12;
  go(m, reference, &study, 1);
  const double coarse = error_of(m, reference->q, method, until, step);
  const double fine = error_of(m, reference->q, method, until, step / 2);
  if (!CHECK(coarse > 3.7 * fine && coarse < 4.3 * fine && fine < 1e-3)) {
    printf("  %s, %s: %.3g at %g s, %.3g at %g s\n", path, art_method_name(method), coarse, step,
           fine, step / 2);
  }
}


TEST(motions_approach_those_of_relative_coordinates_with_order_two)
{
  static const artMethod fixed[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  for (int i = 0; i < 3; i++) {
    check_order(DOUBLE_PENDULUM, fixed[i], 0.5, 2e-3);
    check_order(FOUR_BAR, fixed[i], 0.5, 1e-3);
    check_order(STEWART, fixed[i], 0.2, 2e-3);
  }
}


// a universal joint whose axes pass each other by 3 um, before a bob of a gram
TEST(axes_that_nearly_meet_cost_no_accuracy)
{
  artModel *m = keep_text(
      "articula: 1\n"
      "bodies:\n"
      "  cross: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  arm: {mass: 0.1, com: [0, 0, -0.5], inertia: [0.01, 0.01, 0.001]}\n"
      "  bob: {mass: 1e-3, com: [0, 0, -0.1], inertia: [1e-6, 1e-6, 1e-6]}\n"
      "joints:\n"
      "  one: {type: revolute, axis: x, from: ground, to: cross}\n"
      "  two: {type: revolute, axis: y, from: {frame: cross, position: [0, 0, 3e-6]}, to: arm}\n"
      "  three: {type: revolute, axis: x, from: {frame: arm, position: [0, 0, -1]}, to: bob}\n"
      "initial: {one: {angle: 0.5}, two: {angle: 0.3}}\n");
  artData *reference = keep_fresh_data(m);
  artRunDef study = study_of(ART_AUTOMATIC, 0.05, 0);
  study.tolerance = 1e-12;
  go(m, reference, &study, 1);
  static const artMethod fixed[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  for (int i = 0; i < 3; i++) CHECK(error_of(m, reference->q, fixed[i], 0.05, 1e-4) < 1e-8);
}


TEST(a_variable_step_keeps_the_energy_as_it_is_told)
{
  artModel *m = keep_file(DOUBLE_PENDULUM);
  double errors[2];
  for (int i = 0; i < 2; i++) {
    artData *d = keep_fresh_data(m);
    artRunDef study = study_of(ART_MULTI_INDEX, 1, 0);
    study.energy_upper = i == 0 ? 1e-5 : 1e-8;
    study.energy_lower = study.energy_upper / 100;
    const artCertificate c = go(m, d, &study, 10);
    errors[i] = c.energy_error;
    CHECK(c.longest_step > c.shortest_step);
  }
  CHECK(errors[1] < errors[0] / 10);
}


// steps, and rows that index 1 has made, of a second in which the step varies
static artCertificate go_steered(artModel *m, artSteering steering, double *by_index1)
{
  artData *d = keep_fresh_data(m);
  artRunDef study = study_of(ART_MULTI_INDEX, 1, 0);
  study.energy_upper = 1e-8, study.energy_lower = 1e-10, study.steering = steering;
  *by_index1 = 0;
  artRun *run = keep_started_run(m, d, &study);
  for (int k = 1; k <= 100 && run; k++) {
    CHECK_WORKS(art_run_to(run, k / 100.0, &check_error));
    *by_index1 += (d->work->force->run.step_index == 1) / 100.0;
  }
  const artCertificate c = art_certify(run);
  return c;
}


TEST(the_variable_step_obeys_its_constants)
{
  artModel *m = keep_file(DOUBLE_PENDULUM);
  double usual_part, part;
  const artCertificate usual = go_steered(m, (artSteering){0}, &usual_part);
  artCertificate c = go_steered(m,
                                (artSteering){.safety = 0.8,
                                              .growth = 2,
                                              .shrink = 0.1,
                                              .longest = 1e-2,
                                              .shortest = 1e-6,
                                              .leave_3 = 1e-4,
                                              .leave_1 = 2e-4,
                                              .reductions = 5},
                                &part);
  CHECK(c.steps == usual.steps && c.energy_error == usual.energy_error && part == usual_part);
  c = go_steered(m, (artSteering){.longest = usual.longest_step / 4}, &part);
  CHECK(c.longest_step <= usual.longest_step / 4 * 1.001);
  c = go_steered(m, (artSteering){.shortest = 2 * usual.shortest_step}, &part);
  CHECK(c.shortest_step >= 1.9 * usual.shortest_step && c.energy_error > usual.energy_error);
  c = go_steered(m, (artSteering){.leave_3 = 1, .leave_1 = 2}, &part);
  CHECK(part > 0.9 && usual_part < 0.5);
  c = go_steered(m, (artSteering){.local = 1e-6}, &part);
  CHECK(c.steps > 2 * usual.steps);
  c = go_steered(m, (artSteering){.energy = 1e4}, &part);
  CHECK(c.steps < usual.steps / 2);
  c = go_steered(m, (artSteering){.growth = 1.1}, &part);
  CHECK(c.steps > usual.steps);
}


TEST(energy_is_conserved_whatever_the_step)
{
  static const double steps[] = {1e-3, 1e-2};
  static const char *const paths[] = {DOUBLE_PENDULUM, FOUR_BAR};
  for (int i = 0; i < 4; i++) {
    artModel *m = keep_file(paths[i / 2]);
    artData *d = keep_fresh_data(m);
    artRunDef study = study_of(ART_CONSERVING, 2, steps[i % 2]);
    study.tolerance = 1e-11;
    const artCertificate c = go(m, d, &study, 7);
    if (!CHECK(c.energy_error < 1e-11 * c.energy_scale)) {
      printf("  %s, step %g s: %.2e J of %.2e J\n", paths[i / 2], steps[i % 2], c.energy_error,
             c.energy_scale);
    }
  }
}


TEST(projections_keep_constraints)
{
  static const char *const paths[] = {DOUBLE_PENDULUM, FOUR_BAR};
  for (int i = 0; i < 4; i++) {
    artModel *m = keep_file(paths[i / 2]);
    artData *d = keep_fresh_data(m);
    artRunDef study = study_of(i % 2 ? ART_CONSERVING : ART_INDEX3, 1, 2e-3);
    study.projections = ART_PROJECTIONS_YES;
    const artCertificate c = go(m, d, &study, 3);
    CHECK(c.position_residual < 1e-9);
    CHECK(c.velocity_residual < 1e-9);
    CHECK(c.acceleration_residual < 1e-7);
    CHECK(c.steps >= 500 && c.evaluations >= c.steps);
  }
}


//---- one instant ---------------------------------------------------------------------------------

// a machine with a loop whose outputs are of every kind
static const char text[] =
    "articula: 1\n"
    "bodies:\n"
    "  crank: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  rod: {mass: 2, com: [0.3, 0, 0], inertia: [0.02, 0.03, 0.03]}\n"
    "  piston: {mass: 3, inertia: [0.1, 0.1, 0.1]}\n"
    "joints:\n"
    "  main: {type: revolute, axis: y, from: ground, to: crank}\n"
    "  pin: {type: revolute, axis: y, from: {frame: crank, position: [0.2, 0, 0]}, to: rod}\n"
    "  slide: {type: prismatic, axis: x, from: {frame: ground, position: [0.8, 0, 0]}, to: "
    "piston}\n"
    "  bolt: {type: revolute, axis: y, from: {frame: rod, position: [0.6, 0, 0]}, to: piston, "
    "loop: cut}\n"
    "forces:\n"
    "  pressure: {type: joint-spring, coordinate: slide, stiffness: 200 N/m, damping: 3 N s/m}\n"
    "initial: {main: {angle: 60 deg, rate: 3 rad/s}}\n"
    "guess: {pin: {angle: -80 deg}}\n"
    "outputs: [main.angle, slide.rate, main.accel, bolt.fx, bolt.fz, main.fx, main.fz, main.ty,\n"
    "          pressure.force, energy.kinetic, energy.potential, energy.work, energy.balance,\n"
    "          momentum.x, rod.az, step.size, step.index]\n";

enum { OUTPUTS = 17, SIZE = 15, INDEX = 16 };


TEST(outputs_mean_the_same_with_every_method)
{
  artModel *m = keep_text(text);
  double want[OUTPUTS], got[OUTPUTS];
  artData *reference = keep_fresh_data(m);
  artRunDef study = study_of(ART_AUTOMATIC, 0.1, 0);
  study.tolerance = 1e-12;
  go(m, reference, &study, 4);
  art_outputs(m, reference, want);
  for (int i = 0; i < NMETHOD; i++) {
    artData *d = keep_fresh_data(m);
    study = study_of(methods[i], 0.1, 2e-5);
    study.tolerance = 1e-10;
    study.projections = ART_PROJECTIONS_YES;
    go(m, d, &study, 4);
    art_outputs(m, d, got);
    if (methods[i] != ART_MULTI_INDEX && !CHECK_NEAR(got, want, SIZE, 2e-5)) {
      printf("  by method %s\n", art_method_name(methods[i]));
    }
  }
  CHECK(want[SIZE] > 0 && want[INDEX] == 0);
}


TEST(step_and_index_are_outputs)
{
  artModel *m = keep_text(text);
  double values[OUTPUTS];
  static const double index[] = {1, 3};
  for (int i = 0; i < 2; i++) {
    artData *d = art_create_data(m);
    const artRunDef study = study_of(methods[i], 0.1, 1e-3);
    go(m, d, &study, 1);
    art_outputs(m, d, values);
    const double step = 1e-3;
    CHECK_CLOSE(values[SIZE], step, 1e-12);
    CHECK_CLOSE(values[INDEX], index[i], 0);
    art_free_data(d);
  }
  artData *d = art_create_data(m);
  artRunDef study = study_of(ART_AUTOMATIC, 0.1, 1e-3);
  study.integrator = ART_RK4;
  go(m, d, &study, 1);
  art_outputs(m, d, values);
  const double step = 1e-3;
  CHECK_CLOSE(values[SIZE], step, 1e-12);
  CHECK_CLOSE(values[INDEX], 0, 0);
  art_free_data(d);
}


//---- interruption --------------------------------------------------------------------------------

typedef struct someRun {
  artData *d;
  artRun *run;
} someRun;


static someRun begin(const artModel *m, const artRunDef *study)
{
  artData *d = keep_fresh_data(m);
  return (someRun){d, keep_started_run(m, d, study)};
}


TEST(instants_asked_for_do_not_change_the_motion)
{
  for (int i = 0; i < NMETHOD; i++) {
    artModel *m = keep_text(text);
    const artRunDef study = study_of(methods[i], 0.1, 1e-3);
    someRun rare = begin(m, &study), often = begin(m, &study);
    for (int k = 1; k <= 57; k++) CHECK_EQ_INT(art_run_to(often.run, 0.1 * k / 57, NULL), ART_OK);
    CHECK_EQ_INT(art_run_to(rare.run, 0.1, NULL), ART_OK);
    CHECK(memcmp(rare.d->q, often.d->q, (size_t) art_count(m).nq * sizeof(double)) == 0);
    CHECK(memcmp(rare.d->v, often.d->v, (size_t) art_count(m).nv * sizeof(double)) == 0);
  }
}


TEST(a_saved_run_is_not_loaded_with_other_settings)
{
  artModel *m = keep_text(text);
  artRunDef study = study_of(ART_INDEX3, 0.2, 1e-3);
  someRun first = begin(m, &study);
  study.spectral_radius = 0.5;
  someRun second = begin(m, &study);
  const savedRun saved = keep_saved_run(first.run);
  CHECK_SAYS(art_load_run(second.run, saved.bytes, saved.size, &check_error), ART_BAD_INPUT,
             "the run was saved with spectral_radius 1, this one has 0.5");
}


//---- memory --------------------------------------------------------------------------------------

TEST(nothing_is_taken_between_outputs)
{
  for (int i = 0; i < NMETHOD; i++) {
    artModel *m = keep_text(text);
    const artRunDef study = study_of(methods[i], 0.2, 1e-3);
    someRun r = begin(m, &study);
    CHECK_EQ_INT(art_run_to(r.run, 0.1, NULL), ART_OK);
    const long before = mallocs;
    CHECK_EQ_INT(art_run_to(r.run, 0.2, NULL), ART_OK);
    CHECK_EQ_INT(mallocs, before);
  }
}


TEST(a_lack_of_memory_is_told_and_nothing_is_lost)
{
  artModel *m = keep_text(text);
  const artRunDef study = study_of(ART_INDEX3, 0.2, 1e-3);
  int has_run = 0;
  for (long n = 1; n < 2000 && !has_run; n++) {
    artRun *run = NULL;
    heap_fail_at(n);
    artData *d = art_create_data(m);
    const artStatus status = d ? art_create_run(&run, m, d, &study, NULL) : ART_NO_MEMORY;
    has_run = status == ART_OK;
    CHECK(has_run || (status == ART_NO_MEMORY && !run));
    art_free_run(run);
    art_free_data(d);
    CHECK_EQ_INT(heap_live(), 0);
    heap_unwatch();
  }
  CHECK(has_run);
}
