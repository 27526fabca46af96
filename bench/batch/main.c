// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated accelerations of many instances, one by one and by lanes, side by side: nanoseconds for each, the middle
// ratio of many rounds, for clocks vary, and the largest difference. Needs scalar.c, batch.c and state.h, which
// bench_batch writes, and the C library.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "batch.h"
#include "scalar.h"
#include "state.h"

enum { L = batch_LANES, GROUPS = 8, COUNT = GROUPS * L, ROUNDS = 40, TURNS = REPEATS / 4 };

typedef struct instance {
  double t, q[NQ], v[NV], s[NS + 1], a[NV], r[NS + 1];
} instance;

typedef struct group {
  batch_lanes t[1], q[NQ], v[NV], s[NS + 1], a[NV], r[NS + 1];
} group;

static instance one[COUNT];
static scalar_parameters p1;
static scalar_accelerate_constants c1;
static group *many;
static batch_parameters *pn;
static batch_accelerate_constants *cn;


static double clock_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}


// aligned to a line of the cache
static void *take(size_t size)
{
  return aligned_alloc(64, (size + 63) / 64 * 64);
}


// every instance has its own velocities
static void begin(void)
{
  scalar_default(&p1);
  scalar_accelerate_prepare(&p1, &c1);
  batch_default(pn);
  batch_accelerate_prepare(pn, cn);
  for (int k = 0; k < COUNT; k++) {
    instance *x = &one[k];
    group *g = &many[k / L];
    x->t = T0;
    g->t[0][k % L] = T0;
    for (int i = 0; i < NQ; i++) g->q[i][k % L] = x->q[i] = q0[i];
    for (int i = 0; i < NV; i++) g->v[i][k % L] = x->v[i] = v0[i] * (1 + 1e-3 * k);
    for (int i = 0; i < NS; i++) g->s[i][k % L] = x->s[i] = s0[i];
  }
}


// coordinates move a little between evaluations, so that loops have to be closed as in a run
static int run_scalar(double step)
{
  int failed = 0;
  for (int k = 0; k < COUNT; k++) {
    instance *x = &one[k];
    for (int i = 0; i < NMOVE; i++) x->q[move_q[i]] += step * x->v[move_v[i]];
    failed |= scalar_accelerate(&p1, &c1, ARGUMENTS(&x->t, x->q, x->v, x->s, x->a, x->r), 0);
  }
  return failed;
}


static int run_lanes(double step)
{
  int failed = 0;
  for (int k = 0; k < GROUPS; k++) {
    group *g = &many[k];
    for (int i = 0; i < NMOVE; i++) g->q[move_q[i]] += step * g->v[move_v[i]];
    failed |= batch_accelerate(pn, cn, ARGUMENTS(g->t, g->q, g->v, g->s, g->a, g->r), 0);
  }
  return failed;
}


static double time_of(int (*run)(double))
{
  double least = HUGE_VAL;
  for (int repeat = 0; repeat < 2; repeat++) {
    const double start = clock_now();
    for (int i = 0; i < TURNS; i++) {
      if (run(i % 2 ? -1e-5 : 1e-5)) puts("  loops do not close");
    }
    least = fmin(least, (clock_now() - start) / TURNS / COUNT);
  }
  return least;
}


static int by_size(const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}


static double difference(void)
{
  double most = 0, scale = 0;
  for (int k = 0; k < COUNT; k++) {
    for (int i = 0; i < NV; i++) {
      scale = fmax(scale, fabs(one[k].a[i]));
      most = fmax(most, fabs(one[k].a[i] - many[k / L].a[i][k % L]));
    }
  }
  return most / scale;
}


int main(void)
{
  many = take(GROUPS * sizeof *many);
  pn = take(sizeof *pn);
  cn = take(sizeof *cn);
  double scalar = HUGE_VAL, batch = HUGE_VAL, ratio[ROUNDS];
  begin();
  run_scalar(0);
  run_lanes(0);
  for (int round = 0; round < ROUNDS; round++) {
    const double one_by_one = time_of(run_scalar), together = time_of(run_lanes);
    scalar = fmin(scalar, one_by_one);
    batch = fmin(batch, together);
    ratio[round] = one_by_one / together;
  }
  qsort(ratio, ROUNDS, sizeof *ratio, by_size);
  printf("| %s | %d | %.0f | %.0f | %.2f | %.1e |\n", MODEL, L, 1e9 * scalar, 1e9 * batch,
         ratio[ROUNDS / 2], difference());
  return 0;
}
