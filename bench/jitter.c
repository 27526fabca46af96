// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How evenly a machine is stepped at 1 kHz: times of art_step over a minute, by rk4 with one step of 1 ms in each.
//   jitter [FILE [SECONDS]]    run in the root of the repository; the five-bar car, 60 s
// Each step begins anew, as if a controller had set an input. Times are of this thread's CPU, and of the clock on the wall, in
// which other programs of the computer show.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "articula/articula.h"
#include "model/methods.h"

enum { CLOCKS = 2, RATE = 1000 };


static double now(clockid_t clock)
{
  struct timespec t = {0};
  clock_gettime(clock, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


static int by_size(const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}


static void print_times(const char *way, const char *clock, long n, double *time)
{
  double sum = 0;
  for (long k = 0; k < n; k++) sum += time[k];
  qsort(time, (size_t) n, sizeof *time, by_size);
  const double mean = sum / (double) n, rare = time[n - 1 - n / 1000];
  printf("%-14s %-10s %9.1f %9.1f %9.1f %9.1f\n", way, clock, 1e6 * mean, 1e6 * time[n / 2],
         1e6 * rare, 1e6 * time[n - 1]);
}


// times of n steps, in time[clock]; 0 when one failed
static int measure(artRun *run, long n, double *time[CLOCKS], artError *error)
{
  static const clockid_t CLOCK[CLOCKS] = {CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC};
  for (long k = 0; k < n; k++) {
    double start[CLOCKS];
    for (int i = 0; i < CLOCKS; i++) start[i] = now(CLOCK[i]);
    art_restart_run(run);
    if (art_step(run, 1.0 / RATE, error)) return 0;
    for (int i = CLOCKS - 1; i >= 0; i--) time[i][k] = now(CLOCK[i]) - start[i];
  }
  return 1;
}


static int step_by(const artModel *model, int way, long n, double *time[CLOCKS])
{
  artError error = {0};
  artRun *run = NULL;
  artData *data = art_create_data(model);
  const artRunDef *own = art_find_run(model, NULL);
  artRunDef study = own ? *own : art_default_run();
  model_set_way(&study, way);
  study.integrator = ART_RK4;
  study.step = 1.0 / RATE;
  const int is_good =
      data && !art_create_run(&run, model, data, &study, &error) && measure(run, n, time, &error);
  if (is_good) {
    print_times(model_way_name(way), "processor", n, time[0]);
    print_times(model_way_name(way), "wall", n, time[1]);
  } else {
    printf("%-14s t = %g s: %s\n", model_way_name(way), data ? data->time : 0, error.text);
  }
  art_free_run(run);
  art_free_data(data);
  return is_good;
}


int main(int argc, char **argv)
{
  const char *path = argc > 1 ? argv[1] : "models/vehicles/multilink-car.yaml";
  const long n = lround((argc > 2 ? atof(argv[2]) : 60) * RATE);
  artError error = {0};
  artModel *model = NULL;
  double *time[CLOCKS];
  for (int i = 0; i < CLOCKS; i++) time[i] = malloc((size_t) n * sizeof *time[i]);
  if (n < 1 || !time[0] || !time[1] || art_load_model(&model, path, &error)) {
    return fprintf(stderr, "%s\n", error.text), 2;
  }
  printf("%s, %ld steps of 1 ms by rk4; times of one in us\n", path, n);
  printf("%-14s %-10s %9s %9s %9s %9s\n", "method", "clock", "mean", "median", "99.9 %", "worst");
  int is_good = 1;
  const int ways[] = {ART_AUTOMATIC, MODEL_GENERATED};
  for (int i = 0; i < 2; i++) is_good &= step_by(model, ways[i], n, time);
  for (int i = 0; i < CLOCKS; i++) free(time[i]);
  art_free_model(model);
  return !is_good;
}
