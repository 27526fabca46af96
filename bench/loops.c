// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Times machines with closed loops by every method for them, the semi-recursive one by each algebra.
//   loops                         both tables, the second compared with MuJoCo where it is installed
//   loops METHOD SHAPE N STEPS    nothing but STEPS steps of RK4 at 1 ms, for counting instructions;
//                                 METHOD as in the head of the first table, SHAPE polygon, windows or legs
// The first table has the cost of an evaluation as a run by RK4 at 1 ms meets it: positions and
// velocities closed anew where the method does so, accelerations, and the step's share. The second
// one is 10 s of N four-bar windows, IFToMM A02.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loop_models.h"

static const double step = 1e-3; // s
static const double share = 0.3; // for a number, s


// Time of this thread's CPU, s: other work on the machine does not count.
static double now(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


typedef struct benchShape {
  const char *name;
  artModel *(*create)(int n, artError *error);
  int sizes[12]; // ends with 0
} benchShape;

static const benchShape shapes[] = {
    {"polygon", polygon_model, {5, 11, 15, 31, 51, 101, 151, 251, 501, 1001, 0}},
    {"windows", windows_model, {1, 3, 10, 20, 40, 80, 160, 330, 0}},
    {"legs", frame_model, {1, 3, 10, 20, 40, 80, 160, 330, 0}},
};

typedef struct benchWay {
  const char *name;
  artMethod method;
  artAlgebra algebra;
  int most_bodies; // beyond this many it takes minutes and says nothing new; 0: any number
} benchWay;

static const benchWay ways[] = {
    {"plain", ART_SEMIRECURSIVE, ART_ALGEBRA_PLAIN, 0},
    {"dense", ART_SEMIRECURSIVE, ART_ALGEBRA_DENSE, 0},
    {"sparse", ART_SEMIRECURSIVE, ART_ALGEBRA_SPARSE, 0},
    {"recursive", ART_RECURSIVE, ART_ALGEBRA_AUTOMATIC, 0},
    {"augmented", ART_AUGMENTED, ART_ALGEBRA_AUTOMATIC, 300},
};

enum { SHAPES = sizeof shapes / sizeof *shapes, WAYS = sizeof ways / sizeof *ways };


//---- one run -------------------------------------------------------------------------------------

static artRun *start(const artModel *model, artData *data, const benchWay *way, double until)
{
  artError error = {0};
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.method = way->method;
  study.algebra = way->algebra;
  study.integrator = ART_RK4;
  study.step = step;
  study.until = until;
  art_reset(model, data);
  if (art_create_run(&run, model, data, &study, &error) != ART_OK) {
    fprintf(stderr, "%s: %s\n", way->name, error.text);
  }
  return run;
}


// nanoseconds an evaluation, over steps from the start on; the smallest of several runs
static double time_evaluation(const artModel *model, artData *data, const benchWay *way)
{
  double best = INFINITY, spent = 0;
  for (int round = 0; round < 50 && spent < share; round++) {
    artRun *run = start(model, data, way, 10);
    if (!run) return NAN;
    const long before = art_certify(run).evaluations;
    const double begin = now();
    double elapsed = 0;
    for (double t = 10 * step; t < 0.2 && elapsed < share / 3; t += 10 * step) {
      if (art_run_to(run, t, NULL) != ART_OK) return NAN;
      elapsed = now() - begin;
    }
    best = fmin(best, 1e9 * elapsed / (double) (art_certify(run).evaluations - before));
    spent += elapsed;
    art_free_run(run);
  }
  return best;
}


//---- cost of an evaluation -----------------------------------------------------------------------

static void time_shape(const benchShape *shape)
{
  printf("%-8s %6s %6s", shape->name, "N", "bodies");
  for (int k = 0; k < WAYS; k++) printf(" %12s", ways[k].name);
  printf("   us an evaluation; plain, dense, sparse: semirecursive\n");
  for (int i = 0; shape->sizes[i]; i++) {
    artError error = {0};
    artModel *model = shape->create(shape->sizes[i], &error);
    artData *data = model ? art_create_data(model) : NULL;
    if (!data) {
      fprintf(stderr, "%s\n", error.text);
      continue;
    }
    const int bodies = art_count(model).bodies;
    printf("%-8s %6d %6d", "", shape->sizes[i], bodies);
    for (int k = 0; k < WAYS; k++) {
      if (ways[k].most_bodies > 0 && bodies > ways[k].most_bodies) {
        printf(" %12s", "-");
        continue;
      }
      printf(" %12.2f", 1e-3 * time_evaluation(model, data, &ways[k]));
      fflush(stdout);
    }
    putchar('\n');
    art_free_data(data);
    art_free_model(model);
  }
  putchar('\n');
}


//---- ten seconds of windows ----------------------------------------------------------------------

static void print_run(int n, const char *who, double ms, double energy, double gap)
{
  printf("%8d  %-14s %10.1f ms  energy %.1e J  gap %.1e m\n", n, who, ms, energy, gap);
  fflush(stdout);
}


static double run_windows(int n, const benchWay *way)
{
  artError error = {0};
  double ms = NAN;
  artModel *model = windows_model(n, &error);
  artData *data = model ? art_create_data(model) : NULL;
  artRun *run = data ? start(model, data, way, 10) : NULL;
  if (run) {
    artStatus status = ART_OK;
    const double begin = now();
    for (int i = 1; i <= 1000 && status == ART_OK; i++) status = art_run_to(run, 0.01 * i, &error);
    const artCertificate c = art_certify(run);
    if (status == ART_OK) {
      ms = 1e3 * (now() - begin);
      print_run(n, way->name, ms, c.energy_error, c.position_residual);
    }
  }
  if (error.status) printf("%8d  %-14s %s\n", n, way->name, error.text);
  art_free_run(run);
  art_free_data(data);
  art_free_model(model);
  return ms;
}


#ifdef BENCH_MUJOCO

#include <mujoco/mujoco.h>

// An upright crank at x = i, with the coupler to its right but for the last one. MuJoCo refuses rods
// without inertia about their own axis; in a plane it does nothing.
static void write_crank(FILE *file, int i, int n)
{
  fprintf(
      file,
      "<body name='crank%d' pos='%d 0 0'><joint type='hinge' axis='0 0 1'/><inertial pos='0 .5 0' "
      "mass='1' diaginertia='.08333333333333333 .001 .08333333333333333'/>"
      "<site name='tip%d' pos='0 1 0'/>",
      i, i, i);
  if (i < n) {
    fprintf(file,
            "<body name='coupler%d' pos='0 1 0'><joint type='hinge' axis='0 0 1'/><inertial "
            "pos='.5 0 0' mass='1' diaginertia='.001 .08333333333333333 .08333333333333333'/>"
            "<site name='end%d' pos='1 0 0'/></body>",
            i + 1, i + 1);
  }
  fprintf(file, "</body>\n");
}


// Loops closed by `connect`, as stiff as the time step allows: softer ones open further.
static void write_windows(FILE *file, int n)
{
  fprintf(file,
          "<mujoco><option timestep='%g' gravity='0 -9.81 0' integrator='RK4'><flag "
          "contact='disable' passive='disable' actuation='disable' sensor='disable' "
          "energy='enable'/></option><size nconmax='0' njmax='%d'/><worldbody>\n",
          step, 4 * n + 10);
  for (int i = 0; i <= n; i++) write_crank(file, i, n);
  fprintf(file, "</worldbody><equality>\n");
  for (int i = 1; i <= n; i++) {
    fprintf(file,
            "<connect body1='coupler%d' body2='crank%d' anchor='1 0 0' solref='%g 1' "
            "solimp='.9999 .9999 .001'/>\n",
            i, i, 2 * step);
  }
  fprintf(file, "</equality></mujoco>\n");
}


// the model through MuJoCo's files in memory
static mjModel *load_windows(int n)
{
  char message[500] = "", *text = NULL;
  size_t size = 0;
  mjModel *model = NULL;
  FILE *file = open_memstream(&text, &size);
  mjVFS *files = malloc(sizeof *files);
  if (file) {
    write_windows(file, n);
    fclose(file);
  }
  if (files && text) {
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "windows.xml", (int) size) == 0) {
      memcpy(files->filedata[0], text, size);
      model = mj_loadXML("windows.xml", files, message, sizeof message);
    }
    mj_deleteVFS(files);
  }
  if (!model) fprintf(stderr, "MuJoCo: %s\n", message);
  free(files);
  free(text);
  return model;
}


static double gap_of_windows(const mjModel *m, const mjData *d, int n)
{
  double gap = 0;
  for (int i = 1; i <= n; i++) {
    char name[24];
    snprintf(name, sizeof name, "tip%d", i);
    const double *tip = d->site_xpos + 3 * mj_name2id(m, mjOBJ_SITE, name);
    snprintf(name, sizeof name, "end%d", i);
    const double *end = d->site_xpos + 3 * mj_name2id(m, mjOBJ_SITE, name);
    gap = fmax(gap, hypot(tip[0] - end[0], tip[1] - end[1]));
  }
  return gap;
}


static double run_mujoco(int n)
{
  mjModel *m = load_windows(n);
  mjData *d = m ? mj_makeData(m) : NULL;
  double spent = 0, energy = 0, gap = 0;
  if (d) {
    // cranks turn by -1 rad/s, couplers stay level
    for (int k = 0; k < m->nv; k++) d->qvel[k] = m->body_parentid[m->dof_bodyid[k]] == 0 ? -1 : 1;
    mj_forward(m, d);
    const double start_energy = d->energy[0] + d->energy[1];
    for (int i = 0; i < 1000; i++) {
      const double begin = now();
      for (int k = 0; k < 10; k++) mj_step(m, d);
      spent += now() - begin;
      mj_kinematics(m, d);
      mj_energyPos(m, d);
      mj_comPos(m, d);
      mj_crb(m, d);
      mj_energyVel(m, d);
      energy = fmax(energy, fabs(d->energy[0] + d->energy[1] - start_energy));
      gap = fmax(gap, gap_of_windows(m, d, n));
    }
    print_run(n, "MuJoCo", 1e3 * spent, energy, gap);
  }
  if (d) mj_deleteData(d);
  if (m) mj_deleteModel(m);
  return d ? 1e3 * spent : NAN;
}

#endif


static void time_windows(void)
{
  static const int sizes[] = {1, 10, 40};
  printf("windows, 10 s, RK4 at 1 ms\n");
  for (int i = 0; i < 3; i++) {
    double ours = NAN;
    for (int k = 0; k < WAYS; k++) {
      if (ways[k].method == ART_AUGMENTED && sizes[i] >= 40) continue;
      const double ms = run_windows(sizes[i], &ways[k]);
      if (k == 0) ours = ms;
    }
#ifdef BENCH_MUJOCO
    printf("%8s  plain/MuJoCo %.3f\n", "", ours / run_mujoco(sizes[i]));
#else
    (void) ours;
#endif
  }
}


//---- arguments -----------------------------------------------------------------------------------

// nothing but steps
static int count_steps(const char *way_name, const char *shape_name, int n, int steps)
{
  for (int s = 0; s < SHAPES; s++) {
    for (int k = 0; k < WAYS; k++) {
      if (strcmp(shapes[s].name, shape_name) != 0) continue;
      if (strcmp(ways[k].name, way_name) != 0) continue;
      artError error = {0};
      artModel *model = shapes[s].create(n, &error);
      artData *data = model ? art_create_data(model) : NULL;
      artRun *run = data ? start(model, data, &ways[k], 10) : NULL;
      const int bad = !run || art_run_to(run, steps * step, &error) != ART_OK;
      if (bad) fprintf(stderr, "loops: %s\n", error.text);
      art_free_run(run);
      art_free_data(data);
      art_free_model(model);
      return bad;
    }
  }
  fprintf(stderr, "loops: no method '%s' or shape '%s'\n", way_name, shape_name);
  return 2;
}


int main(int argc, char **argv)
{
  if (argc == 5) return count_steps(argv[1], argv[2], atoi(argv[3]), atoi(argv[4]));
  if (argc != 1) {
    fprintf(stderr, "usage: loops [METHOD SHAPE N STEPS]\n");
    return 2;
  }
  for (int s = 0; s < SHAPES; s++) time_shape(&shapes[s]);
  time_windows();
  return 0;
}
