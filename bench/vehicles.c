// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Times the vehicles of models/vehicles: an evaluation and the real-time factor of every method, and
// the nine stages of Hidalgo and Garcia de Jalon (2012) for van and truck by each algebra.
//   vehicles [NAME ..]    those whose file names contain NAME; run in the root of the repository
// RK4 takes steps of 1 ms and four evaluations each; index3 takes steps of 10 ms, and what counts as
// an evaluation is one of its iterations. A study named "quick" is run as it is. Times are of this
// thread's CPU.
#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "articula/articula.h"
#include "data/profile.h"
#include "method/method.h"


typedef struct benchWay {
  const char *name;
  int method;
  artAlgebra algebra;
  double until; // s of the manoeuvre that are run; slow ones are cut short
} benchWay;

static const benchWay ways[] = {
    {"plain", ART_SEMIRECURSIVE, ART_ALGEBRA_PLAIN, 5},
    {"dense", ART_SEMIRECURSIVE, ART_ALGEBRA_DENSE, 5},
    {"sparse", ART_SEMIRECURSIVE, ART_ALGEBRA_SPARSE, 5},
    {"recursive", ART_RECURSIVE, ART_ALGEBRA_AUTOMATIC, 1},
    {"augmented", ART_AUGMENTED, ART_ALGEBRA_AUTOMATIC, 1},
    {"generated", MODEL_GENERATED, ART_ALGEBRA_AUTOMATIC, 5},
    {"index3", ART_INDEX3, ART_ALGEBRA_AUTOMATIC, 5},
};
enum { WAYS = sizeof ways / sizeof *ways, ALGEBRAS = 3 };


static double now(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


static bool has_loops(const artModel *m)
{
  return art_count(m).loops > 0;
}


// trees have other methods than loops
static int method_of(const artModel *m, const benchWay *way)
{
  const bool is_semirecursive = way->method == ART_SEMIRECURSIVE;
  return has_loops(m) || !is_semirecursive ? way->method : ART_ORDER_N;
}


static artRun *start(const artModel *m, artData *d, const benchWay *way, artError *error)
{
  artRun *run = NULL;
  artRunDef study = *art_find_run(m, NULL);
  model_set_way(&study, method_of(m, way));
  study.algebra = way->algebra;
  study.redundant = ART_REDUNDANT_DROP;
  study.integrator = ART_RK4;
  study.step = way->method == ART_INDEX3 ? 1e-2 : 1e-3;
  art_reset(m, d);
  return art_create_run(&run, m, d, &study, error) == ART_OK ? run : NULL;
}


//---- methods -------------------------------------------------------------------------------------

static void time_way(const artModel *m, artData *d, const benchWay *way)
{
  artError error = {0};
  artRun *run = start(m, d, way, &error);
  if (!run) {
    printf("  %-10s %s\n", way->name, error.text);
    return;
  }
  const long before = art_certify(run).evaluations;
  const double begin = now();
  const artStatus status = art_run_to(run, way->until, &error);
  const double elapsed = now() - begin;
  const artCertificate c = art_certify(run);
  const long count = c.evaluations - before;
  printf("  %-10s %8.2f us  %8.1f times  %7ld evaluations  gap %.0e  energy %.0e J%s%s\n",
         way->name, 1e6 * elapsed / (double) count, c.time / elapsed, count, c.position_residual,
         c.energy_error, status ? "  " : "", status ? error.text : "");
  fflush(stdout);
  art_free_run(run);
}


// a whole study, with the integrator that it has
static void time_quick(const artModel *m, artData *d)
{
  artError error = {0};
  artRun *run = NULL;
  const artRunDef *found = art_find_run(m, "quick");
  art_reset(m, d);
  if (!found) return;
  artRunDef own = *found, *const study = &own;
  own.backend = ART_BACKEND_GENERATED; // as the file asks
  if (art_create_run(&run, m, d, study, &error) != ART_OK) return;
  const double begin = now();
  const artStatus status = art_run_to(run, study->until, &error);
  const double elapsed = now() - begin;
  const artCertificate c = art_certify(run);
  printf("  %-10s %8.1f ms  %8.1f times  %7ld evaluations  %ld steps  %ld events%s%s\n", "quick",
         1e3 * elapsed, c.time / elapsed, c.evaluations, c.steps, c.events, status ? "  " : "",
         status ? error.text : "");
  art_free_run(run);
}


static void time_vehicle(const artModel *m, artData *d, const char *name)
{
  const artCounts n = art_count(m);
  printf("%s: %d bodies, %d velocities, %d loops\n", name, n.bodies, n.nv, n.loops);
  for (int k = 0; k < WAYS; k++) {
    const int method = ways[k].method;
    const bool is_other_algebra = method == ART_SEMIRECURSIVE && k > 0;
    const bool needs_loops = is_other_algebra || method == ART_RECURSIVE || method == ART_AUGMENTED;
    if (has_loops(m) || !needs_loops) time_way(m, d, &ways[k]);
  }
  time_quick(m, d);
}


//---- stages --------------------------------------------------------------------------------------

// us an evaluation of every stage, the least of many short runs: stages are measured by the wall clock
static bool profile(const artModel *m, artData *d, const benchWay *way, double us[PROFILE_STAGES])
{
  for (int i = 0; i < PROFILE_STAGES; i++) us[i] = HUGE_VAL;
  for (int round = 0; round < 100; round++) {
    artError error = {0};
    dataProfile stages = {0};
    artRun *run = start(m, d, way, &error);
    if (!run) return false;
    art_run_to(run, 0.005, &error);
    d->work->profile = &stages;
    const artStatus status = art_run_to(run, 0.015, &error);
    d->work->profile = NULL;
    art_free_run(run);
    if (status) return false;
    for (int i = 0; i < PROFILE_STAGES; i++) {
      us[i] = fmin(us[i], 1e6 * stages.seconds[i] / (double) stages.evaluations);
    }
  }
  return true;
}


static void print_stages(const artModel *m, artData *d, const char *name)
{
  double us[ALGEBRAS][PROFILE_STAGES];
  for (int k = 0; k < ALGEBRAS; k++) {
    if (!profile(m, d, &ways[k], us[k])) return;
  }
  printf("%s, stages, us an evaluation %16s %10s %10s\n", name, "plain", "dense", "sparse");
  double sum[ALGEBRAS] = {0};
  for (int i = 0; i < PROFILE_STAGES; i++) {
    printf("  %d  %-34s", i + 1, method_stage_name(ART_SEMIRECURSIVE, (profileStage) i));
    for (int k = 0; k < ALGEBRAS; k++) {
      printf(" %10.2f", us[k][i]);
      sum[k] += us[k][i];
    }
    putchar('\n');
  }
  printf("     %-34s %10.2f %10.2f %10.2f\n", "all", sum[0], sum[1], sum[2]);
}


//---- files ---------------------------------------------------------------------------------------

static bool is_asked_for(int argc, char **argv, const char *path)
{
  for (int i = 1; i < argc; i++) {
    if (strstr(path, argv[i])) return true;
  }
  return argc == 1;
}


static void bench_file(const char *path)
{
  artModel *m = NULL;
  artError error = {0};
  artData *d = NULL;
  const char *name = strrchr(path, '/') + 1;
  if (art_load_model(&m, path, &error) == ART_OK) d = art_create_data(m);
  if (d) {
    time_vehicle(m, d, name);
    if (has_loops(m)) print_stages(m, d, name);
    putchar('\n');
  } else {
    printf("%s\n", error.text);
  }
  art_free_data(d);
  art_free_model(m);
}


int main(int argc, char **argv)
{
  glob_t files = {0};
  glob("models/vehicles/*.yaml", 0, NULL, &files);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    if (is_asked_for(argc, argv, files.gl_pathv[i])) bench_file(files.gl_pathv[i]);
  }
  globfree(&files);
  return 0;
}
