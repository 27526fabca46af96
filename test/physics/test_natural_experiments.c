// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motions in natural coordinates: the Iltis suspension against its reference, energy and constraints that
// are kept or visibly not, convergence to the motions in relative coordinates, and random starts.
//   ART_SOAK=1 in the environment makes the long ones long.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "natural/motion.h"
#include "natural/natural.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/machines.h"
#include "support/simulate.h"

static int is_soak(void)
{
  return getenv("ART_SOAK") != NULL;
}


//---- runs ----------------------------------------------------------------------------------------

CHECK_KEEPER(keep_machine_of, naturalMachine, natural_destroy)
CHECK_KEEPER(keep_path, naturalMotion, motion_free)


// a motion in natural coordinates from where a model starts
static naturalMotion *begin_motion(const char *name, naturalShape shape,
                                   const motionOptions *options)
{
  simulation s;
  naturalMachine *machine = NULL;
  naturalMotion *path = NULL;
  simulation_load(&s, name);
  art_update(s.model, s.data);
  CHECK_WORKS(art_assemble(s.model, s.data, NULL, &check_error));
  CHECK_WORKS(natural_create(&machine, s.model, s.data, shape, &check_error));
  keep_machine_of(machine);
  const int n = machine->s->n;
  double *q = keep_numbers(2 * n);
  natural_place(machine, q, q + n);
  CHECK_WORKS(
      motion_create(&path, machine->s, &machine->forces, options, 0, q, q + n, &check_error));
  return keep_path(path);
}


static artRunDef study_of(artMethod method, double step)
{
  artRunDef study = art_default_run();
  study.method = method, study.until = 1e4, study.step = art_method_is_natural(method) ? step : 0;
  study.tolerance = art_method_is_natural(method) ? 1e-9 : 1e-12;
  return study;
}


// run to t at once; the certificate, whose time tells whether it got there
static artCertificate run_to(const char *name, const artRunDef *study, double t)
{
  simulation s;
  artCertificate certificate = {0};
  if (simulation_begin(&s, name, study)) {
    const bool ok = CHECK_WORKS(art_run_to(s.run, t, &check_error));
    if (!ok) printf("  in models/%s.yaml: %s\n", name, check_error.text);
    certificate = art_certify(s.run);
  }
  return certificate;
}


//---- the Iltis suspension ------------------------------------------------------------------------

static const char iltis[] = "experiments/iltis-front";

// t, arm angle, its rate, height of the hub, length of the shock absorber, force of the tyre: a motion in
// the one degree of freedom on fitted kinematics by DOP853 at a tolerance of 3e-13, accurate to 1e-9
enum { ILTIS_ROWS = 22, ILTIS_COLUMNS = 6 };
static const double iltis_reference[ILTIS_ROWS][ILTIS_COLUMNS] = {
    {0.02, 0.002442175570, -3.197926118214, 0.356767360105, 0.440102443286, 3476.514352},
    {0.04, -0.021693647417, 1.011058896999, 0.349202299345, 0.444562393144, 6956.442302},
    {0.06, 0.014936642819, 1.564170933881, 0.360699585632, 0.437770001701, 1667.690609},
    {0.08, 0.016244626650, -1.046160430497, 0.361111827089, 0.437524903559, 1478.059539},
    {0.10, -0.001846919508, -0.380974836012, 0.355419951226, 0.440899416803, 4096.322436},
    {0.14, 0.005535579140, 0.051081847245, 0.357739931531, 0.439526468207, 3029.131496},
    {0.20, 0.002838847589, 0.046918781443, 0.356892037903, 0.440028640210, 3419.162565},
    {0.50, 0.002870591125, 0.000005982594, 0.356902015666, 0.440022733445, 3414.572794},
    {3.00, 0.002870515078, 0.000000000000, 0.356901991762, 0.440022747595, 3414.583789},
    {3.02, 0.005749648859, 0.530575550067, 0.357807259521, 0.439486573116, 5194.465185},
    {3.04, 0.035707449325, 2.570748394061, 0.367258653393, 0.433857220017, 6596.824004},
    {3.06, 0.097908699458, 3.125100669068, 0.387040801721, 0.421880595604, 4604.426644},
    {3.08, 0.142812407432, 1.184487310129, 0.401420374590, 0.412998992352, 3739.823124},
    {3.10, 0.150216213782, -0.117880275327, 0.403796931705, 0.411516054535, 4842.911416},
    {3.12, 0.144205908955, -0.582334855404, 0.401867575080, 0.412720278985, 3534.110899},
    {3.14, 0.119634264308, -2.099068233830, 0.393989883715, 0.417607690033, 1407.848926},
    {3.16, 0.062192920003, -3.249348880099, 0.375658583410, 0.428804622218, 2732.856196},
    {3.18, 0.010021349108, -1.578238299101, 0.359151415255, 0.438689492481, 4576.153547},
    {3.20, -0.001203192352, 0.056714781615, 0.355622094978, 0.440779924502, 4003.336310},
    {3.24, 0.004392613372, -0.069458150218, 0.357380505083, 0.439739397108, 3194.467662},
    {3.40, 0.002873043006, -0.001521095677, 0.356902786354, 0.440022277200, 3414.218277},
    {6.00, 0.002870515078, 0.000000000000, 0.356901991762, 0.440022747595, 3414.583789},
};


// largest error of each column but the time; the outputs of the model are these columns
static artCertificate follow_iltis(const artRunDef *study, double error[ILTIS_COLUMNS])
{
  simulation s;
  artCertificate certificate = {0};
  for (int c = 1; c < ILTIS_COLUMNS; c++) error[c] = INFINITY;
  if (simulation_begin(&s, iltis, study)) {
    double out[16];
    for (int c = 1; c < ILTIS_COLUMNS; c++) error[c] = 0;
    for (int r = 0; r < ILTIS_ROWS; r++) {
      simulation_go(&s, iltis_reference[r][0]);
      art_outputs(s.model, s.data, out);
      for (int c = 1; c < ILTIS_COLUMNS; c++) {
        error[c] = check_larger(error[c], fabs(out[c - 1] - iltis_reference[r][c]));
      }
    }
    certificate = art_certify(s.run);
  }
  return certificate;
}


TEST(the_iltis_suspension_follows_its_reference)
{
  double error[ILTIS_COLUMNS];
  const artRunDef study = study_of(ART_SEMIRECURSIVE, 0);
  follow_iltis(&study, error);
  CHECK(error[1] < 1e-11);
  CHECK(error[2] < 1e-9);
  CHECK(error[3] < 1e-11);
  CHECK(error[4] < 1e-11);
  CHECK(error[5] < 5e-6);
}


TEST(natural_methods_converge_to_it_with_order_two)
{
  static const artMethod methods[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  for (int k = 0; k < 3; k++) {
    double coarse[ILTIS_COLUMNS], fine[ILTIS_COLUMNS];
    const artRunDef one = study_of(methods[k], 1e-3), half = study_of(methods[k], 0.5e-3);
    follow_iltis(&one, coarse);
    follow_iltis(&half, fine);
    for (int c = 1; c < ILTIS_COLUMNS; c++) {
      const double order = log2(coarse[c] / fine[c]);
      if (CHECK(order > 1.85 && order < 2.15)) continue;
      printf("  %s, column %d: order %g\n", art_method_name(methods[k]), c, order);
    }
    CHECK(fine[1] < 2.5e-5);
  }
}


// The table of doc/reports/experiments.md without its clock: the same accuracy by far fewer iterations.
TEST(the_variable_step_is_as_accurate_and_cheaper)
{
  simulation s;
  double fixed_error[ILTIS_COLUMNS], variable_error[ILTIS_COLUMNS];
  if (!simulation_load(&s, iltis)) return;
  const artRunDef *fixed = art_find_run(s.model, "fixed");
  const artRunDef *variable = art_find_run(s.model, "variable");
  if (CHECK(fixed && variable)) {
    const artCertificate slow = follow_iltis(fixed, fixed_error);
    const artCertificate quick = follow_iltis(variable, variable_error);
    for (int c = 1; c < ILTIS_COLUMNS; c++) CHECK(variable_error[c] < 1.1 * fixed_error[c]);
    CHECK(quick.energy_error < slow.energy_error);
    CHECK((double) slow.steps / (double) quick.steps > 6);
    CHECK((double) slow.evaluations / (double) quick.evaluations > 6);
  }
}


//---- singular positions --------------------------------------------------------------------------

typedef struct windowPath {
  double error, energy, constraints; // m; of the largest energy; m
} windowPath;


// along the reference of a row of four-bar windows, whose bars come to lie on one line again and again,
// where each window could fold
static windowPath follow_windows(const char *name, artMethod method, double step, double until)
{
  char path[512], line[256];
  double t, x, y;
  simulation s;
  windowPath worst = {0};
  const artRunDef study = study_of(method, step);
  snprintf(path, sizeof path, "%s/models/%s.csv", ART_SOURCE_DIR, name);
  FILE *file = fopen(path, "r");
  bool ok = CHECK(file != NULL);
  if (simulation_begin(&s, name, &study)) {
    while (ok && fgets(line, sizeof line, file)) {
      if (sscanf(line, "%lf,%lf,%lf", &t, &x, &y) != 3 || t > until) continue;
      ok = simulation_go(&s, t);
      worst.error = check_larger(
          worst.error, hypot(simulation_output(&s, "x") - x, simulation_output(&s, "y") - y));
    }
    const artCertificate c = art_certify(s.run);
    worst.energy = c.energy_error / c.energy_scale;
    worst.constraints = c.position_residual;
  }
  if (file) fclose(file);
  return ok ? worst : (windowPath){NAN, NAN, NAN};
}


// some twenty-five of them in 10 s; the variable step is steered by the energy alone
TEST(singular_positions_cost_no_accuracy)
{
  static const artMethod methods[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING, ART_MULTI_INDEX};
  static const double bound[] = {1e-2, 1e-2, 2e-3, 0.15};
  static const char *const names[] = {"benchmarks/four-bars-2", "benchmarks/four-bars-40"};
  const double fine = is_soak() ? 1e-3 : 2.5e-3;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 4; k++) {
      const double until = i == 0 || is_soak() ? 10 : 0.8; // the first one is at 0.71 s
      const windowPath a = follow_windows(names[i], methods[k], 5e-3, until);
      const windowPath b = follow_windows(names[i], methods[k], fine, until);
      const double order = log(a.error / b.error) / log(5e-3 / fine);
      printf("%s, %s: error %.1e %.1e m, energy %.1e %.1e, constraints %.1e %.1e\n", names[i],
             art_method_name(methods[k]), a.error, b.error, a.energy, b.energy, a.constraints,
             b.constraints);
      CHECK(a.error < bound[k]);
      CHECK(a.constraints < 1e-11 && b.constraints < 1e-11);
      if (methods[k] == ART_CONSERVING) CHECK(a.energy < 1e-11 && b.energy < 1e-11);
      if (methods[k] != ART_MULTI_INDEX) CHECK(order > 1.8 && order < 2.6);
    }
  }
}


//---- energy --------------------------------------------------------------------------------------

// the conserving method by steps loses so much of the energies at hand
static void check_energy(const char *name, double step, double until, double share)
{
  const artRunDef study = study_of(ART_CONSERVING, step);
  const artCertificate c = run_to(name, &study, until);
  if (CHECK(c.time == until) && CHECK(c.energy_error < share * c.energy_scale)) return;
  printf("  in models/%s.yaml by steps of %g s: %g J of %g J\n", name, step, c.energy_error,
         c.energy_scale);
}


TEST(conserving_keeps_the_energy_at_steps_of_25_ms)
{
  // clang-format off
  static const char *const names[] = {
      "pendulum", "bar-pendulum", "double-pendulum", "spherical-pendulum", "gyro", "satellite",
      "adams/spherical-2", "adams/spring-1", "benchmarks/loop-5", "benchmarks/loop-15",
      "benchmarks/four-bars-2", "benchmarks/four-bars-40", "loops/four-bar",
      "loops/geared-five-bar", "loops/seven-body", "loops/delta", "experiments/iltis-front",
      "loops/stewart", "loops/planar-robot-1", "loops/planar-robot-4"};
  // clang-format on
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    check_energy(names[i], 25e-3, 10, 1e-11);
  }
}


// Each step length comes upon the singular positions at places of its own.
TEST(conserving_keeps_it_however_near_steps_end_to_singular_positions)
{
  for (int i = 0; i < 30; i++) {
    const double step = 22e-3 + 0.2e-3 * i;
    check_energy("benchmarks/four-bars-40", step, 400 * step, 1e-11);
  }
}


TEST(conserving_keeps_it_for_a_thousand_seconds)
{
  static const char *const names[] = {
      "double-pendulum",   "spherical-pendulum", "gyro",
      "benchmarks/loop-5", "loops/four-bar",     "loops/planar-robot-4"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    check_energy(names[i], 25e-3, i < 4 || is_soak() ? 1000 : 100, 1e-9);
  }
}


// A planar machine in space: every loop has redundant rows.
TEST(conserving_keeps_the_energy_of_overconstrained_loops)
{
  static const char *const names[] = {"loops/four-bar", "benchmarks/loop-5",
                                      "loops/planar-robot-4"};
  motionOptions options = motion_default_options();
  options.method = MOTION_CONSERVING;
  options.step = 25e-3;
  for (int i = 0; i < 3; i++) {
    naturalMotion *path = begin_motion(names[i], NATURAL_SPATIAL, &options);
    double kinetic = 0, *work = keep_numbers(path->s->n);
    for (int k = 1; k <= 400; k++) {
      if (!CHECK(motion_advance(path, 25e-3 * k, NULL) == ART_OK)) break;
      kinetic = check_larger(kinetic, natural_kinetic(path->s, path->v, work));
    }
    if (!CHECK(path->energy_error < 1e-11 * kinetic)) {
      printf("  in models/%s.yaml: %g J of %g J\n", names[i], path->energy_error, kinetic);
    }
  }
}


// Index 1 for a while: sweeps for each acceleration that it finds; 2.6 of the first two when every result was confirmed by another sweep
TEST(accelerations_of_index_1_take_two_sweeps)
{
  static const char *const names[] = {"double-pendulum", "loops/four-bar",
                                      "experiments/iltis-front"};
  static const double until[] = {1, 1, 3};
  motionOptions options = motion_default_options();
  options.method = MOTION_INDEX1;
  for (int i = 0; i < 3; i++) {
    naturalMotion *path = begin_motion(names[i], NATURAL_AUTOMATIC, &options);
    CHECK_WORKS(motion_advance(path, until[i], &check_error));
    const double ratio = (double) path->counts.sweeps / (double) (path->counts.iterations + 1);
    if (!CHECK(ratio < 2.1)) printf("  in models/%s.yaml: %g\n", names[i], ratio);
  }
}


// lowest and highest energy of the two particles in 5 s, which is 0.625 J
static void energies_of_the_pendulum(artProjections projections, double range[2])
{
  simulation s;
  artRunDef study = study_of(ART_INDEX3, 25e-3);
  study.projections = projections;
  study.penalty = 1e7;
  range[0] = INFINITY;
  range[1] = -INFINITY;
  if (simulation_begin(&s, "experiments/spherical-pendulum", &study)) {
    for (int k = 0; k <= 200; k++) {
      if (!simulation_go(&s, 25e-3 * k)) break;
      const artEnergy e = art_energy(s.model, s.data);
      range[0] = check_smaller(range[0], e.kinetic + e.potential);
      range[1] = check_larger(range[1], e.kinetic + e.potential);
    }
  }
}


TEST(index_3_alone_gains_energy_and_projections_lose_little)
{
  double range[2];
  // the same system in six coordinates, solved apart in high precision
  const double alone[2] = {-0.773167, 1.97776}, projected[2] = {0.561784, 0.625};
  energies_of_the_pendulum(ART_PROJECTIONS_NO, range);
  CHECK_NEAR(range, alone, 2, 1e-4);
  energies_of_the_pendulum(ART_PROJECTIONS_YES, range);
  CHECK_NEAR(range, projected, 2, 1e-6);
}


//---- constraints ---------------------------------------------------------------------------------

// all machines of models/ whose names begin so
static void for_every_file(const char *start, void (*check)(const char *name))
{
  static machineFiles files;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    char name[256];
    snprintf(name, sizeof name, "%s", machine_name(files.path[i]));
    name[strlen(name) - strlen(".yaml")] = '\0';
    if (strncmp(name, start, strlen(start)) == 0) check(name);
  }
}


static void check_constraints(const char *name)
{
  // the bars of Andrews' mechanism turn at 6000 1/s
  const double step = strcmp(name, "benchmarks/andrews") == 0 ? 1e-5 : 1e-3;
  const artRunDef study = study_of(ART_INDEX3, step);
  const artCertificate c = run_to(name, &study, 200 * step);
  if (CHECK(c.time > 199 * step) && CHECK(c.position_residual < 1e-9) &&
      CHECK(c.velocity_residual < 1e-9) && CHECK(c.acceleration_residual < 1e-7)) {
    return;
  }
  printf("  in models/%s.yaml: %g, %g, %g\n", name, c.position_residual, c.velocity_residual,
         c.acceleration_residual);
}


TEST(projections_keep_the_constraints_of_every_model)
{
  for_every_file("", check_constraints);
}


// A million of them with ART_SOAK.
TEST(residuals_do_not_grow_with_the_number_of_steps)
{
  static const artMethod methods[] = {ART_INDEX1, ART_INDEX3};
  const double until = is_soak() ? 1000 : 100;
  for (int k = 0; k < 2; k++) {
    const artRunDef study = study_of(methods[k], 1e-3);
    const artCertificate c = run_to("double-pendulum", &study, until);
    CHECK(c.steps >= lround(until / 1e-3));
    CHECK(c.position_residual < 1e-11);
    CHECK(c.velocity_residual < 1e-11);
  }
}


//---- convergence ---------------------------------------------------------------------------------

// velocities at t, which all methods give
static bool velocities_at(const char *name, const artRunDef *study, double t, double v[64])
{
  simulation s;
  bool ok = simulation_begin(&s, name, study);
  if (ok) ok = simulation_go(&s, t);
  if (ok) memcpy(v, s.data->v, (size_t) art_count(s.model).nv * sizeof *v);
  if (ok) v[63] = art_count(s.model).nv;
  return ok;
}


static double distance(const double a[64], const double b[64])
{
  return check_apart((int) a[63], a, b);
}


TEST(natural_motions_converge_to_the_relative_ones_with_order_two)
{
  static const artMethod methods[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  static const char *const names[] = {"double-pendulum",
                                      "spherical-pendulum",
                                      "gyro",
                                      "satellite",
                                      "loops/four-bar",
                                      "benchmarks/loop-5",
                                      "loops/planar-robot-4",
                                      "loops/seven-body",
                                      "loops/delta",
                                      "experiments/iltis-front",
                                      "loops/stewart",
                                      "benchmarks/slider-crank"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    double want[64], coarse[64], fine[64];
    const artRunDef relative = study_of(ART_AUTOMATIC, 0);
    if (!velocities_at(names[i], &relative, 0.4, want)) continue;
    for (int k = 0; k < 3; k++) {
      const artRunDef one = study_of(methods[k], 1e-3), half = study_of(methods[k], 0.5e-3);
      if (!velocities_at(names[i], &one, 0.4, coarse)) continue;
      if (!velocities_at(names[i], &half, 0.4, fine)) continue;
      const double order = log2(distance(coarse, want) / distance(fine, want));
      if (CHECK(order > 1.85 && order < 2.15)) continue;
      printf("  in models/%s.yaml, %s: order %g, errors %g, %g\n", names[i],
             art_method_name(methods[k]), order, distance(coarse, want), distance(fine, want));
    }
  }
}


//---- random starts -------------------------------------------------------------------------------

// whatever the start: loops close and accelerations are there, or the trouble is said
static int check_start(simulation *s, const char *name)
{
  artAssembly assembly = {0};
  artError error = {0};
  artRun *run = NULL;
  const artRunDef study = study_of(ART_INDEX3, 1e-3);
  art_update(s->model, s->data);
  artStatus status = art_assemble(s->model, s->data, &assembly, &error);
  if (status == ART_OK) {
    CHECK(assembly.gap < 1e-9);
    status = art_create_run(&run, s->model, s->data, &study, &error);
  }
  if (run) {
    const artCertificate c = art_certify(run);
    if (!CHECK(isfinite(c.energy_start) && c.position_residual < 1e-8)) printf("  %s\n", name);
  } else {
    const int is_told = error.text[0] != '\0';
    if (!CHECK(is_told && (status == ART_NO_CONVERGENCE || status == ART_SINGULAR))) {
      printf("  %s: status %d, %s\n", name, (int) status, error.text);
    }
  }
  art_free_run(run);
  return status == ART_OK;
}


static int tried, closed;

static void check_starts(const char *name)
{
  simulation s;
  uint64_t seed = 5;
  const int trials = is_soak() ? 1000 : 20;
  if (simulation_load(&s, name) && art_count(s.model).loops > 0) {
    double shift[256];
    const int nv = art_count(s.model).nv;
    for (int i = 0; i < trials && nv <= 256; i++) {
      art_reset(s.model, s.data);
      for (int k = 0; k < nv; k++) shift[k] = check_uniform(&seed, -0.3, 0.3);
      art_move(s.model, s.data->q, shift);
      memset(s.data->v, 0, (size_t) nv * sizeof *shift);
      closed += check_start(&s, name);
      tried++;
    }
  }
}


TEST(perturbed_starts_assemble_or_fail_cleanly)
{
  for_every_file("loops/", check_starts);
  for_every_file("benchmarks/", check_starts);
  check_starts(iltis);

  // those whose coordinates are all given cannot move
  CHECK(4 * closed > 3 * tried);
}
