// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Times a step of the methods in natural coordinates with dense and with sparse factors, compared with one of
// RK4 in relative coordinates in the same run: double pendulum, N four-bar windows (IFToMM A02), Iltis
// front suspension. Run in the root of the repository.
//   natural                       the table
//   natural METHOD N STEPS        nothing but STEPS steps of N windows, sparse, for counting instructions
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loop_models.h"

static const double step = 1e-3;  // s
static const double share = 0.25; // of CPU time for a number, s

static const int sizes[] = {1, 2, 5, 10, 20, 40, 100, 200};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct benchWay {
  artMethod method;
  artAlgebra algebra;
  int most; // windows; dense factors of more take long and say nothing new
} benchWay;

static const benchWay ways[] = {
    {ART_AUTOMATIC, ART_ALGEBRA_AUTOMATIC, 200}, // relative coordinates, RK4
    {ART_INDEX1, ART_ALGEBRA_DENSE, 40},         {ART_INDEX1, ART_ALGEBRA_SPARSE, 200},
    {ART_INDEX3, ART_ALGEBRA_DENSE, 40},         {ART_INDEX3, ART_ALGEBRA_SPARSE, 200},
    {ART_CONSERVING, ART_ALGEBRA_DENSE, 40},     {ART_CONSERVING, ART_ALGEBRA_SPARSE, 200},
};
enum { WAYS = sizeof ways / sizeof *ways };


//---- one run -------------------------------------------------------------------------------------

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


static artRun *start(const artModel *model, artData *data, const benchWay *way)
{
  artError error = {0};
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.method = way->method;
  study.algebra = way->algebra;
  study.integrator = ART_RK4;
  study.step = step;
  art_reset(model, data);
  if (art_create_run(&run, model, data, &study, &error) != ART_OK) {
    fprintf(stderr, "%s: %s\n", art_method_name(way->method), error.text);
  }
  return run;
}


// seconds for steps from the start on; NAN when they fail
static double time_steps(const artModel *model, artData *data, const benchWay *way, long steps)
{
  artError error = {0};
  artRun *run = start(model, data, way);
  if (!run) return NAN;
  const double begin = now();
  const artStatus status = art_run_to(run, (double) steps * step, &error);
  const double spent = now() - begin;
  art_free_run(run);
  if (status == ART_OK) return spent;
  fprintf(stderr, "%s: %s\n", art_method_name(way->method), error.text);
  return NAN;
}


// microseconds a step, over the same 0.5 s of motion for all; the smallest of several runs
static double time_step(const artModel *model, artData *data, const benchWay *way)
{
  const long steps = 500;
  double best = INFINITY, spent = 0;
  for (int round = 0; round < 50 && (round < 2 || spent < share); round++) {
    const double seconds = time_steps(model, data, way, steps);
    if (isnan(seconds)) return NAN;
    best = fmin(best, seconds);
    spent += seconds;
  }
  return 1e6 * best / (double) steps;
}


//---- the table -----------------------------------------------------------------------------------

static void print_head(void)
{
  printf("%-16s %10s", "us a step", "relative");
  for (int k = 1; k < WAYS; k++) printf(" %19s", art_method_name(ways[k].method));
  printf("\n%-16s %10s", "", "rk4");
  for (int k = 1; k < WAYS; k++) {
    printf(" %11s (ratio)", art_algebra_name(ways[k].algebra));
  }
  putchar('\n');
}


// a row; `us` receives the times, NAN where none was taken
static void time_model(const char *name, artModel *model, int n, double us[WAYS])
{
  artData *data = model ? art_create_data(model) : NULL;
  printf("%-16s", name);
  for (int k = 0; k < WAYS; k++) {
    us[k] = data && n <= ways[k].most ? time_step(model, data, &ways[k]) : NAN;
    if (k == 0) {
      printf(" %10.2f", us[k]);
    } else if (isnan(us[k])) {
      printf(" %19s", "-");
    } else {
      printf(" %11.2f (%5.2f)", us[k], us[k] / us[0]);
    }
    fflush(stdout);
  }
  putchar('\n');
  art_free_data(data);
  art_free_model(model);
}


static void time_file(const char *name, const char *path)
{
  artError error = {0};
  artModel *model = NULL;
  double us[WAYS];
  if (art_load_model(&model, path, &error) != ART_OK) {
    fprintf(stderr, "%s\n", error.text);
    return;
  }
  time_model(name, model, 1, us);
}


// least squares of log(us) over log(N), from ten windows on: 1 is linear growth
static double find_slope(double us[SIZES][WAYS], int way)
{
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < SIZES; i++) {
    if (sizes[i] < 10 || isnan(us[i][way])) continue;
    const double a = log(sizes[i]), b = log(us[i][way]);
    n += 1;
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}


static void time_windows(void)
{
  double us[SIZES][WAYS];
  for (int i = 0; i < SIZES; i++) {
    artError error = {0};
    char name[24];
    snprintf(name, sizeof name, "windows %d", sizes[i]);
    time_model(name, windows_model(sizes[i], &error), sizes[i], us[i]);
  }
  printf("%-16s %10.2f", "growth, power", find_slope(us, 0));
  for (int k = 1; k < WAYS; k++) printf(" %11.2f        ", find_slope(us, k));
  putchar('\n');
}


static int run_alone(const char *name, int n, long steps)
{
  for (int k = 0; k < WAYS; k++) {
    if (strcmp(art_method_name(ways[k].method), name) != 0 || ways[k].most < 200) continue;
    artModel *model = windows_model(n, NULL);
    artData *data = model ? art_create_data(model) : NULL;
    const double seconds = data ? time_steps(model, data, &ways[k], steps) : NAN;
    art_free_data(data);
    art_free_model(model);
    return isnan(seconds);
  }
  fprintf(stderr, "natural: no method %s\n", name);
  return 2;
}


int main(int argc, char **argv)
{
  if (argc == 4) return run_alone(argv[1], atoi(argv[2]), atol(argv[3]));
  if (argc != 1) {
    fprintf(stderr, "usage: natural [METHOD N STEPS]\n");
    return 2;
  }
  print_head();
  time_file("double pendulum", "models/double-pendulum.yaml");
  time_file("Iltis suspension", "models/experiments/iltis-front.yaml");
  time_windows();
  return 0;
}
