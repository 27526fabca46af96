// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Many short runs of a car, on one thread and on two: cases a second, the gain, and the CPU time that all
// threads take together, which should not grow.
//
//   bench_sweep [CASES]      10000 without
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "articula/articula.h"

static const char path[] = "models/vehicles/multilink-car.yaml";


static double clock_of(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}


// a fiftieth of a second at steps of a millisecond
static artStatus short_run(void *context, const artModel *m, artRunDef *study, artError *error)
{
  (void) context;
  (void) error;
  *study = *art_find_run(m, NULL);
  study->integrator = ART_RK4;
  study->step = 1e-3;
  study->until = study->from + 0.02;
  study->interval = 0.02;
  return ART_OK;
}


static artStatus note(void *context, const artCase *c, artError *error)
{
  double *sum = context;
  if (c->error.status) {
    *error = c->error;
    return c->error.status;
  }
  *sum += c->value[0];
  return ART_OK;
}


typedef struct sweepTime {
  double wall, processor;
} sweepTime;


static sweepTime measure(artSweepDef def, int threads)
{
  double sum = 0;
  artError error = {0};
  def.threads = threads;
  def.context = &sum;
  const sweepTime start = {clock_of(CLOCK_MONOTONIC), clock_of(CLOCK_PROCESS_CPUTIME_ID)};
  if (art_run_sweep(&def, &error)) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
  const sweepTime t = {clock_of(CLOCK_MONOTONIC) - start.wall,
                       clock_of(CLOCK_PROCESS_CPUTIME_ID) - start.processor};
  printf("| %d | %ld | %.2f | %.1f | %.2f |\n", threads, def.ncase, t.wall,
         (double) def.ncase / t.wall, t.processor);
  return t;
}


int main(int argc, char **argv)
{
  const artRange rack = {5e-3, 7e-3, argc > 1 ? atol(argv[1]) : 10000};
  double *value = malloc((size_t) rack.count * sizeof *value);
  if (rack.count < 1 || !value) return 1;
  art_make_grid(1, &rack, value);
  const artSweepDef def = {.path = path,
                           .nparameter = 1,
                           .parameter = (const char *const[]){"rack"},
                           .ncase = rack.count,
                           .value = value,
                           .nresult = 1,
                           .result = &(artResultDef){ART_FINAL, 0},
                           .choose = short_run,
                           .done = note};
  puts("| threads | cases | wall, s | cases a second | processor, s |\n|---|---|---|---|---|");
  const sweepTime one = measure(def, 1), two = measure(def, 2);
  printf("\ngain of two threads: %.2f; processor time of two by that of one: %.3f\n",
         one.wall / two.wall, two.processor / one.processor);
  free(value);
  return 0;
}
