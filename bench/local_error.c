// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The error that each step of a method in natural coordinates makes.
//   local_error                              the largest in 1 s of the double pendulum, and its order
//   local_error MODEL METHOD STEP UNTIL      of every step, as comma-separated values
// METHOD is index1, index3 or conserving. From every state of the motion one step of length h and two of
// h/2 are taken; the rule is of order two, so that the error of the one is 4/3 of what they differ by.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "natural/motion.h"
#include "natural/natural.h"

typedef struct bench {
  artModel *model;
  artData *data;
  naturalMachine *machine;
  motionOptions options;
  double *q, *v;      // where a step begins
  double *end, *fine; // positions where it ends, by one step and by two
} bench;


// from q, v at t one step or more to t + h; positions at the end, and with `keep` the state as well
static int take_steps(bench *b, double t, double h, int steps, double *end, int keep,
                      artError *error)
{
  const naturalSystem *s = b->machine->s;
  naturalMotion *m = NULL;
  motionOptions options = b->options;
  options.step = h / steps;
  artStatus status = motion_create(&m, s, &b->machine->forces, &options, t, b->q, b->v, error);
  if (status == ART_OK) status = motion_advance(m, t + h, error);
  if (status == ART_OK) {
    memcpy(end, m->q, (size_t) s->n * sizeof *end);
    if (keep) memcpy(b->v, m->v, (size_t) s->n * sizeof *b->v);
    if (keep) memcpy(b->q, m->q, (size_t) s->n * sizeof *b->q);
  }
  motion_free(m);
  return status == ART_OK;
}


// the largest local error until then; with `show` each of them on a line of its own
static double go(bench *b, double h, double until, int show, artError *error)
{
  const int n = b->machine->s->n;
  const long steps = lround(until / h);
  double most = 0;
  if (show) printf("time [s],local error [m]\n");
  for (long k = 0; k < steps; k++) {
    const double t = (double) k * h;
    if (!take_steps(b, t, h, 2, b->fine, 0, error)) return NAN;
    if (!take_steps(b, t, h, 1, b->end, 1, error)) return NAN;
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(b->end[i] - b->fine[i]));
    if (show) printf("%.9g,%.6g\n", t + h, 4.0 / 3 * worst);
    most = fmax(most, 4.0 / 3 * worst);
  }
  return most;
}


static int begin(bench *b, const char *path, const char *method, artError *error)
{
  b->options = motion_default_options();
  b->options.tolerance = 1e-12;
  if (strcmp(method, "index1") == 0) b->options.method = MOTION_INDEX1;
  if (strcmp(method, "conserving") == 0) b->options.method = MOTION_CONSERVING;
  if (art_load_model(&b->model, path, error) != ART_OK) return 0;
  artAssembly assembly;
  b->data = art_create_data(b->model);
  if (!b->data) return 0;
  art_update(b->model, b->data);
  if (art_assemble(b->model, b->data, &assembly, error) != ART_OK) return 0;
  if (natural_create(&b->machine, b->model, b->data, NATURAL_AUTOMATIC, error) != ART_OK) return 0;
  const size_t n = (size_t) b->machine->s->n;
  b->q = calloc(4 * n, sizeof *b->q);
  if (!b->q) return 0;
  b->v = b->q + n;
  b->end = b->v + n;
  b->fine = b->end + n;
  natural_place(b->machine, b->q, b->v);
  return 1;
}


static double measure(const char *path, const char *method, double h, double until, int show)
{
  bench b = {0};
  artError error = {0};
  const double most = begin(&b, path, method, &error) ? go(&b, h, until, show, &error) : NAN;
  if (isnan(most)) fprintf(stderr, "local_error: %s\n", error.text);
  natural_destroy(b.machine);
  art_free_data(b.data);
  art_free_model(b.model);
  free(b.q);
  return most;
}


int main(int argc, char **argv)
{
  if (argc == 5) return isnan(measure(argv[1], argv[2], atof(argv[3]), atof(argv[4]), 1));
  if (argc != 1) {
    fprintf(stderr, "usage: local_error [MODEL METHOD STEP UNTIL]\n");
    return 2;
  }
  static const char *const methods[] = {"index1", "index3", "conserving"};
  for (int k = 0; k < 3; k++) {
    const double coarse = measure("models/double-pendulum.yaml", methods[k], 2e-3, 1, 0);
    const double fine = measure("models/double-pendulum.yaml", methods[k], 1e-3, 1, 0);
    printf("%-10s  2 ms: %.2e m  1 ms: %.2e m  order %.2f\n", methods[k], coarse, fine,
           log2(coarse / fine));
  }
  return 0;
}
