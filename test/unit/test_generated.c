// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated equations compiled, kept, loaded and called; runs by them.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "articula/articula.h"
#include "data/work.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"

static uint64_t seed = 11;
static char folder[] = "/tmp/articula-test-XXXXXX";

//---- helpers -------------------------------------------------------------------------------------

static artGenerated *load_code(const artModel *m, artData *d, unsigned forms)
{
  artGenerateDef def = art_default_generate();
  def.forms = forms;
  artGenerated *g = NULL;
  CHECK_WORKS(art_load_generated(&g, m, d, &def, &check_error));
  return g;
}


static int next_state(const artModel *m, artData *d, int trial)
{
  artAssembly assembly;
  if (trial > 0 && m->nrow > 0 && !loop_random_state(m, d, &seed)) return 0;
  if (trial > 0 && m->nrow == 0) {
    double *move = malloc((size_t) m->tree.nv * sizeof *move + 8);
    sample_numbers(&seed, 0.5, m->tree.nv, move);
    art_move(m, d->q, move);
    sample_numbers(&seed, 1, m->tree.nv, d->v);
    free(move);
  }
  art_update(m, d);
  return m->nrow == 0 || art_assemble(m, d, &assembly, NULL) == ART_OK;
}


// accelerations and power by code and by numbers at one state
static void compare_at(const artModel *m, artData *d, artGenerated *g)
{
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv;
  double *q = malloc(nq * sizeof *q), *v = malloc(nv * sizeof *v), *a = malloc(nv * sizeof *a);
  double power = 0, scale = 1;
  memcpy(q, d->q, nq * sizeof *q);
  memcpy(v, d->v, nv * sizeof *v);
  CHECK_WORKS(art_generated_accelerate(g, d->time, q, v, a, &power, &check_error));
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  for (size_t k = 0; k < nv; k++) scale = check_larger(scale, fabs(d->a[k]));
  CHECK_NEAR(a, d->a, (int) nv, 1e-10 * scale);
  CHECK_CLOSE(power, d->work->power, 1e-10 * check_larger(scale, fabs(d->work->power)));
  CHECK_NEAR(q, d->q, (int) nq, 1e-9);
  CHECK_NEAR(v, d->v, (int) nv, 1e-9);
  free(q), free(v), free(a);
}


static void compare_model(const artModel *m, int states)
{
  artData *d = keep_fresh_data(m);
  if (CHECK(next_state(m, d, 0))) {
    artGenerated *g = load_code(m, d, ART_FORM_ACCELERATE | ART_FORM_POWER);
    for (int i = 0; g && i < states && next_state(m, d, i); i++) {
      d->time = 0.3 * i;
      if (next_state(m, d, 0)) compare_at(m, d, g);
    }
    art_free_generated(g);
  }
}


// files of the cache that end like this
static int count_files(const char *ending)
{
  char path[100];
  int n = 0;
  snprintf(path, sizeof path, "%s/articula", folder);
  DIR *all = opendir(path);
  if (!all) return 0;
  for (struct dirent *entry; (entry = readdir(all));) {
    const size_t length = strlen(entry->d_name), own = strlen(ending);
    n += length > own && strcmp(entry->d_name + length - own, ending) == 0;
  }
  closedir(all);
  return n;
}


static void remove_files(void)
{
  char command[200];
  snprintf(command, sizeof command, "rm -rf '%s/articula'", folder);
  CHECK_EQ_INT(system(command), 0);
}

//---- numbers -------------------------------------------------------------------------------------

TEST(functions_of_the_tree_can_be_called)
{
  artModel *m = keep_machine("puma560");
  artData *d = keep_fresh_data(m);
  artGenerated *g = load_code(m, d, ART_FORM_INVERSE);
  if (!CHECK(g)) return;
  const int f = art_find_generated(g, "inverse"), nv = m->tree.nv;
  CHECK(f >= 0);
  CHECK_EQ_INT(art_find_generated(g, "accelerate"), -1);
  const artFunctionInfo info = art_generated_function(g, f);
  CHECK_EQ_INT(info.noutput, 1);
  CHECK_EQ_INT(art_generated_output(g, f, 0).n, nv);

  double tau[6], want[6], a[6], *in[8] = {NULL}, *out[1] = {tau};
  sample_numbers(&seed, 1, nv, a);
  next_state(m, d, 1);
  for (int k = 0; k < info.ninput; k++) {
    const char *name = art_generated_input(g, f, k).name;
    in[k] = strcmp(name, "q") == 0 ? d->q : strcmp(name, "v") == 0 ? d->v : a;
  }
  CHECK_EQ_INT(art_generated_call(g, f, in, out, NULL), ART_OK);
  art_inverse_dynamics(m, d, a, want);
  CHECK_NEAR(tau, want, nv, 1e-11);
  CHECK_EQ_INT(art_generated_accelerate(g, 0, d->q, d->v, a, NULL, NULL), ART_BAD_INPUT);
  art_free_generated(g);
}


TEST(two_machines_are_loaded_side_by_side)
{
  artModel *m[2] = {keep_machine("gimbal"), keep_machine("loops/four-bar")};
  artData *d[2] = {keep_fresh_data(m[0]), keep_fresh_data(m[1])};
  artGenerated *g[2];
  for (int i = 0; i < 2; i++) {
    CHECK(next_state(m[i], d[i], 0));
    g[i] = load_code(m[i], d[i], ART_FORM_ACCELERATE | ART_FORM_POWER);
  }
  for (int i = 0; i < 6 && g[0] && g[1]; i++) compare_at(m[i % 2], d[i % 2], g[i % 2]);
  for (int i = 0; i < 2; i++) art_free_generated(g[i]);
}


TEST(parameters_can_be_changed)
{
  artModel *m = keep_machine("pendulum");
  artData *d = keep_fresh_data(m);
  artGenerated *g = load_code(m, d, ART_FORM_ACCELERATE);
  artError error = {0};
  double before = 0, after = 0, gravity = 0, q[1] = {0.4}, v[1] = {0};
  if (!CHECK(g)) return;
  CHECK_EQ_INT(art_generated_accelerate(g, 0, q, v, &before, NULL, &error), ART_OK);
  if (CHECK_EQ_INT(art_generated_parameter(g, "gravity_y", &gravity, &error), ART_OK)) {
    CHECK_EQ_INT(art_set_generated_parameter(g, "gravity_y", 2 * gravity, &error), ART_OK);
    CHECK_EQ_INT(art_generated_accelerate(g, 0, q, v, &after, NULL, &error), ART_OK);
    before *= 2;
    CHECK_CLOSE_REL(after, before, 1e-14);
  } else {
    printf("  %s\n", error.text);
  }
  CHECK_EQ_INT(art_set_generated_parameter(g, "gravity_q", 1, &error), ART_BAD_INPUT);
  CHECK_CONTAINS(error.text, "gravity_q");
  art_free_generated(g);
}


// one of six rotors stands for all, and the others say so
TEST(shared_parameters_stand_for_all)
{
  artModel *m = keep_machine("generator/stewart-bare");
  artData *d = keep_fresh_data(m);
  artGenerateDef def = art_default_generate();
  artGenerated *g = NULL;
  def.share = 1;
  if (!CHECK(next_state(m, d, 0)) ||
      !CHECK_WORKS(art_load_generated(&g, m, d, &def, &check_error))) {
    return;
  }
  double value = 0;
  CHECK_WORKS(art_generated_parameter(g, "leg1_stroke_rotor", &value, &check_error));
  CHECK(value == 2);
  CHECK_FAILS(art_set_generated_parameter(g, "leg6_stroke_rotor", 3, &check_error), ART_BAD_INPUT,
              "'leg6_stroke_rotor' is one parameter with 'leg1_stroke_rotor'");
  def.lanes = 4;
  CHECK_FAILS(art_write_source(m, d, &def, "/dev/null", &check_error), ART_BAD_INPUT, "not shared");
  art_free_generated(g);
}

//---- the host's own ------------------------------------------------------------------------------

static artStatus impact(void *context, const artModel *m, artData *d)
{
  const double force[3] = {3 + *(double *) context * d->v[0], 0.5 * d->time, -1};
  const double torque[3] = {0.1, d->q[1], 0};
  art_apply_force(m, d, art_find_frame(m, "outer.tip"), force);
  art_apply_torque(m, d, art_find_frame(m, "outer"), torque);
  art_apply_joint_force(m, d, 0, 0.7 * d->v[1]);
  return d->time > 100 ? ART_STOPPED : ART_OK;
}


static artStatus curve(void *context, const double *x, double *g, double *dg)
{
  (void) context;
  *g = x[1] - x[0] * x[0] / 2;
  dg[0] = -x[0];
  dg[1] = 1;
  return ART_OK;
}


static artStatus curve_bias(void *context, const double *x, const double *v, double *bias)
{
  (void) context;
  (void) x;
  *bias = -v[0] * v[0];
  return ART_OK;
}


static artBuilder *two_links(void)
{
  artBuilder *b = art_create_builder();
  artPose tip = art_default_pose();
  tip.position[0] = 1;
  static const char *const body[2] = {"inner", "outer"}, *const joint[2] = {"first", "second"};
  for (int i = 0; i < 2; i++) {
    artBodyDef link = art_default_body();
    link.name = body[i], link.mass = 1 + i, link.com[0] = 0.5;
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.1;
    art_add_body(b, &link);
    art_add_frame(b, body[i], "tip", &tip);
    artJointDef pin = art_default_joint();
    pin.name = joint[i], pin.type = ART_REVOLUTE, pin.from = i ? "inner.tip" : "ground";
    pin.to = body[i];
    pin.axis[0] = pin.axis[2] = 0;
    pin.axis[1] = 1;
    art_add_joint(b, &pin);
  }
  art_set_initial(b, "first.angle", 0.3);
  art_set_initial(b, "first.rate", 1.5);
  return b;
}


TEST(forces_and_constraints_of_the_host_are_called)
{
  static double drag = -0.2;
  static const char *const coordinates[2] = {"first", "second"};
  const artCallbackDef wind = {.name = "wind", .apply = impact, .context = &drag};
  const artConstraintDef cam = {
      .name = "cam", .n = 2, .coordinate = coordinates, .value = curve, .bias = curve_bias};
  for (int with_cam = 0; with_cam < 2; with_cam++) {
    artBuilder *b = keep_builder(two_links());
    art_add_callback(b, &wind);
    if (with_cam) art_add_constraint(b, &cam);
    artModel *m = NULL;
    CHECK_WORKS(art_compile_model(&m, b, &check_error));
    if (m) compare_model(m, with_cam ? 1 : 10);
    if (m) {
      keep_model(m);
      artData *d = keep_fresh_data(m);
      CHECK(next_state(m, d, 0));
      artGenerated *g = load_code(m, d, ART_FORM_ACCELERATE);
      double a[2];
      CHECK_FAILS(art_generated_accelerate(g, 101, d->q, d->v, a, NULL, &check_error), ART_STOPPED,
                  "wind");
      art_free_generated(g);
    }
  }
}


// derivatives of the accelerations against the numeric side, which finds them by differences
static void compare_tangent(const artModel *m, artData *d, artGenerated *g)
{
  artLinear *linear = NULL;
  const int f = art_find_generated(g, "accelerate_tangent");
  if (!CHECK(f >= 0) || !CHECK(art_linearise(m, d, ART_AUTOMATIC, &linear, NULL) == ART_OK)) return;
  double a_q[4] = {0}, a_v[4] = {0}, *const in[3] = {&d->time, d->q, d->v};
  CHECK_EQ_INT(art_generated_function(g, f).noutput, 2);
  CHECK_EQ_INT(art_generated_call(g, f, in, (double *const[]){a_q, a_v}, NULL), ART_OK);
  const int n = linear->n;
  for (int i = 0; i < n; i++) {
    const double *row = linear->A + (long) (n + i) * 2 * n;
    CHECK_NEAR(a_q + linear->coordinate[i] * n, row, n, 1e-6);
    CHECK_NEAR(a_v + linear->coordinate[i] * n, row + n, n, 1e-6);
  }
  art_free_linear(linear);
}


TEST(derivatives_go_through_forces_and_constraints_of_the_host)
{
  static double drag = -0.2;
  static const char *const coordinates[2] = {"first", "second"};
  const artCallbackDef wind = {.name = "wind", .apply = impact, .context = &drag};
  const artConstraintDef cam = {
      .name = "cam", .n = 2, .coordinate = coordinates, .value = curve, .bias = curve_bias};
  for (int with_cam = 0; with_cam < 2; with_cam++) {
    artBuilder *b = keep_builder(two_links());
    art_add_callback(b, &wind);
    if (with_cam) art_add_constraint(b, &cam);
    artModel *m = NULL;
    CHECK_EQ_INT(art_compile_model(&m, b, NULL), ART_OK);
    keep_model(m);
    artData *d = keep_fresh_data(m);
    CHECK(next_state(m, d, 0));
    artGenerated *g = load_code(m, d, ART_FORM_LINEAR);
    if (g) compare_tangent(m, d, g);
    art_free_generated(g);
  }
}

//---- the cache -----------------------------------------------------------------------------------

TEST(what_was_compiled_is_found_again)
{
  artModel *m = keep_machine("pendulum");
  artData *d = keep_fresh_data(m);
  remove_files();
  for (int i = 0; i < 3; i++) {
    artGenerated *g = load_code(m, d, ART_FORM_ACCELERATE);
    art_free_generated(g);
    CHECK_EQ_INT(count_files(".so"), 1);
    CHECK_EQ_INT(count_files(".c"), 1);
  }

  // nothing but these two is left behind, and it is ours alone
  CHECK_EQ_INT(count_files(""), 2 + 2); // and the two names of the folder itself
  char path[100];
  struct stat about;
  snprintf(path, sizeof path, "%s/articula", folder);
  CHECK(stat(path, &about) == 0);
  CHECK_EQ_INT(about.st_mode & 077, 0);
}


TEST(damaged_files_are_made_again)
{
  artModel *m = keep_machine("pendulum");
  artData *d = keep_fresh_data(m);
  static const char *const damage[] = {
      "echo no > \"$f\"",
      "truncate -s 6000 \"$f\"",
      "truncate -s -1 \"$f\"",
      "printf x | dd of=\"$f\" bs=1 seek=5000 conv=notrunc 2> /dev/null",
  };
  char command[300];
  remove_files();
  art_free_generated(load_code(m, d, ART_FORM_ACCELERATE));
  for (size_t k = 0; k < sizeof damage / sizeof *damage; k++) {
    snprintf(command, sizeof command, "for f in '%s'/articula/*.so; do %s; done", folder,
             damage[k]);
    CHECK_EQ_INT(system(command), 0);
    art_free_generated(load_code(m, d, ART_FORM_ACCELERATE));
    CHECK_EQ_INT(count_files(".so"), 1);
  }
}


TEST(processes_may_race)
{
  enum { PROCESSES = 4 };
  artModel *m = keep_machine("double-pendulum");
  pid_t child[PROCESSES];
  remove_files();
  fflush(stdout);
  for (int i = 0; i < PROCESSES; i++) {
    child[i] = fork();
    if (child[i] != 0) continue;
    artData *d = art_create_data(m);
    const artGenerateDef def = art_default_generate();
    artGenerated *g = NULL;
    double a[2];
    artStatus status = art_load_generated(&g, m, d, &def, NULL);
    if (status == ART_OK) status = art_generated_accelerate(g, 0, d->q, d->v, a, NULL, NULL);
    _exit((int) status);
  }
  for (int i = 0; i < PROCESSES; i++) {
    int status = -1;
    CHECK(waitpid(child[i], &status, 0) == child[i]);
    CHECK_EQ_INT(status, 0);
  }
  CHECK_EQ_INT(count_files(".so"), 1);
}


TEST(missing_compilers_and_folders_are_reported)
{
  artModel *m = keep_machine("pendulum");
  artData *d = keep_fresh_data(m);
  const artGenerateDef def = art_default_generate();
  artGenerated *g = NULL;
  artError error = {0};
  setenv("CC", "no-such-compiler -x", 1);
  CHECK_EQ_INT(art_load_generated(&g, m, d, &def, &error), ART_UNSUPPORTED);
  CHECK(g == NULL);
  CHECK_CONTAINS(error.text, "'no-such-compiler' could not be started");
  CHECK_CONTAINS(error.text, "environment variable CC");
  setenv("CC", "false", 1);
  CHECK_EQ_INT(art_load_generated(&g, m, d, &def, &error), ART_UNSUPPORTED);
  CHECK_CONTAINS(error.text, "did not take the generated equations");
  unsetenv("CC");

  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  CHECK_EQ_INT(art_load_generated(&g, m, d, &def, &error), ART_UNSUPPORTED);
  CHECK_CONTAINS(error.text, "set XDG_CACHE_HOME");
  setenv("XDG_CACHE_HOME", folder, 1);
  char path[100];
  snprintf(path, sizeof path, "%s/articula", folder);
  CHECK(chmod(path, 0777) == 0);
  CHECK_EQ_INT(art_load_generated(&g, m, d, &def, &error), ART_UNSUPPORTED);
  CHECK_CONTAINS(error.text, "others may write in it");
  CHECK(chmod(path, 0700) == 0);

  // the method says the same
  setenv("CC", "no-such-compiler", 1);
  artRunDef study = art_default_run();
  model_set_way(&study, MODEL_GENERATED);
  artRun *run;
  CHECK_EQ_INT(art_create_run(&run, m, d, &study, &error), ART_UNSUPPORTED);
  CHECK_CONTAINS(error.text, "environment variable CC");
  unsetenv("CC");
}

//---- runs ----------------------------------------------------------------------------------------

static artCertificate run_to(const artModel *m, artData *d, int method, artIntegrator integrator,
                             double until, double tolerance)
{
  artRunDef study = art_default_run();
  model_set_way(&study, method);
  study.integrator = integrator, study.until = until, study.tolerance = tolerance;
  study.step = integrator == ART_RK4 ? 1e-3 : 0;
  artRun *run = NULL;
  artCertificate c = {0};
  if (CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error)) &&
      CHECK_WORKS(art_run_to(run, until, &check_error))) {
    c = art_certify(run);
  }
  art_free_run(run);
  return c;
}


// the same state, energies and work at the end; returns the certificate of the generated run
static artCertificate compare_runs(const char *name, artIntegrator integrator, double until,
                                   double tolerance, double allowed)
{
  artModel *m = keep_machine(name);
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
  const artCertificate numbers = run_to(m, d, ART_AUTOMATIC, integrator, until, tolerance);
  const artCertificate c = run_to(m, e, MODEL_GENERATED, integrator, until, tolerance);
  CHECK_NEAR(e->q, d->q, m->tree.nq, allowed);
  CHECK_NEAR(e->v, d->v, m->tree.nv, 10 * allowed);
  CHECK_CLOSE(c.work, numbers.work, allowed * check_larger(1, numbers.energy_scale));
  CHECK(c.energy_error <= numbers.energy_error + allowed * c.energy_scale);
  CHECK_EQ_INT(c.generated + c.not_generated, c.evaluations);
  CHECK_EQ_INT(numbers.generated, 0);
  return c;
}


TEST(twenty_seconds_of_trees_are_those_of_numbers)
{
  const artCertificate c = compare_runs("gimbal", ART_DOPRI5, 20, 1e-10, 1e-9);
  CHECK_EQ_INT(c.programs, 1);
  CHECK_EQ_INT(c.not_generated, 0);
  compare_runs("spindle", ART_DOPRI5, 20, 1e-10, 1e-9);
  compare_runs("satellite", ART_DOPRI5, 20, 1e-10, 1e-9);
}


TEST(twenty_seconds_of_loops_are_those_of_numbers)
{
  const artCertificate c = compare_runs("loops/delta", ART_DOPRI5, 20, 1e-10, 1e-9);
  CHECK_EQ_INT(c.not_generated, 0);
  CHECK(c.position_residual < 1e-12);
  compare_runs("loops/seven-body", ART_DOPRI5, 20, 1e-10, 1e-6);
}


TEST(every_integrator_takes_generated_equations)
{
  for (int i = 0; i < ART_MOREAU; i++) {
    compare_runs("spherical-pendulum", (artIntegrator) i, 2, 1e-9, 1e-7);
    compare_runs("loops/geared-five-bar", (artIntegrator) i, 1, 1e-9, 1e-6);
  }
}


TEST(wheels_roll_over_bumps_as_in_numbers)
{
  const artCertificate c = compare_runs("vehicles/cart", ART_RK4, 2, 1e-8, 1e-10);
  CHECK_EQ_INT(c.not_generated, 0);
  compare_runs("vehicles/cart", ART_DOPRI5, 2, 1e-8, 1e-7);
}


TEST(piecewise_forces_stay_on_their_segments_in_a_step)
{
  artModel *m = keep_machine("puck");
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
  const artCertificate numbers = run_to(m, d, ART_AUTOMATIC, ART_DOPRI5, 6, 1e-9);
  const artCertificate c = run_to(m, e, MODEL_GENERATED, ART_DOPRI5, 6, 1e-9);
  CHECK(c.events > 10);
  CHECK_EQ_INT(c.events, numbers.events);
  CHECK_EQ_INT(c.steps, numbers.steps);
  CHECK_NEAR(e->q, d->q, m->tree.nq, 1e-10);
}


TEST(new_partitions_get_code_of_their_own)
{
  const artCertificate c = compare_runs("loops/four-bar", ART_DOPRI5, 3, 1e-10, 1e-7);
  CHECK(c.repartitions > 0);
  CHECK(c.programs > 1);
  CHECK(c.not_generated < c.generated / 20);
}


// code closes the loops at the ends of steps; instants between them, where it does so too, leave no trace
TEST(motion_does_not_depend_on_what_is_asked_on_the_way)
{
  artModel *m = keep_machine("loops/four-bar");
  artRunDef study = art_default_run();
  model_set_way(&study, MODEL_GENERATED);
  study.integrator = ART_RK4, study.step = 2e-3, study.until = 3;
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
  artRun *whole = keep_started_run(m, d, &study);
  CHECK_EQ_INT(art_run_to(whole, 3, NULL), ART_OK);
  artRun *often = keep_started_run(m, e, &study);
  for (int k = 1; k <= 700; k++) CHECK_EQ_INT(art_run_to(often, k * 3.0 / 700, NULL), ART_OK);
  CHECK(memcmp(d->q, e->q, (size_t) m->tree.nq * sizeof *d->q) == 0);
  CHECK(memcmp(d->v, e->v, (size_t) m->tree.nv * sizeof *d->v) == 0);
  const artCertificate a = art_certify(whole), b = art_certify(often);
  CHECK(a.work == b.work);
  CHECK(b.repartitions > 0);
  CHECK_EQ_INT(a.repartitions, b.repartitions);
  CHECK(b.position_residual < 1e-12);
}


int main(int argc, char **argv)
{
  if (!mkdtemp(folder)) return 1;
  setenv("XDG_CACHE_HOME", folder, 1);
  unsetenv("CC");
  const int failed = check_main(argc, argv);
  remove_files();
  rmdir(folder);
  return failed;
}
