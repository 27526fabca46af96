// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kernels of a machine for many instances, compiled for the processor, beside the same machine behind its interface: instances
// come to the same state and outputs, one that is broken stops alone, each may have parameters of its own.
//
//   program STEP STEPS
#include "many.cu"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plant.h"

enum { N = 3, BROKEN = 1, LAST = 2 };

static real x[NX * N], u[NU * N + 1], rows[many_NKNOWN * N], rate[NX * N], y[NY * N + 1],
    T[many_NT * N + 1], energy[N];
static double t[N], length[N], failed_at[N];
static int status[N], choice[N], mistakes;

static void check(int holds, const char *what)
{
  if (holds) return;
  printf("not so: %s\n", what);
  mistakes++;
}


// entries of an instance against entries of the machine
static void compare(const char *what, int n, const double *want, const real *all, int i)
{
  // both find instants of corners to rounding: states of plant/dc-motor differ by 1.16e-12
  const double most = plant_NEVENT > 0 ? 2e-12 : 1e-12;
  double size = 1, error = 0;
  for (int k = 0; k < n; k++) {
    size = fmax(size, fabs(want[k]));
    const double e = fabs(want[k] - all[k * N + i]);
    if (!(e <= error)) error = e;
  }
  if (error / size <= most) return;
  printf("%s of instance %d: error %g\n", what, i, error / size);
  mistakes++;
}


static void compare_machine(plant_machine *m, int i)
{
  double outputs[plant_NY + 1];
  compare("positions", plant_NQ, m->q, x, i);
  compare("velocities", plant_NV, m->v, x + NQ * N, i);
  compare("states", plant_NS, m->s, x + (NQ + NV) * N, i);
  check(fabs(t[i] - m->t) <= 1e-12, "time");
  check(plant_outputs(m, outputs) == 0, "outputs of the machine");
  compare("outputs", plant_NY, outputs, y, i);
}


static plant_machine *run_machine(double h, int steps, int is_varied)
{
  static plant_machine m;
  plant_start(&m);
  if (is_varied && plant_NPARAMETER > 0) *(double *) &m.p *= 1.001;
  plant_prepare(&m);
  check(plant_begin(&m) == 0, "the machine begins");
  for (int k = 0; k < steps; k++) check(plant_step(&m, h) == 0, "a step of the machine");
  return &m;
}


#if many_HAS_TANGENT
// A matrix of derivatives by the free numbers of `of`, or by all, against differences of accelerations; it has columns for these or for all.
static void compare_tangent(const many_batch *b, const char *what, int matrix, real *of,
                            int is_of_free)
{
  enum { MOST = sizeof many_free[0] / sizeof many_free[0][0] };
  static real was[NX * N];
  const int *is_free = many_free[choice[0]];
  int nfree = 0;
  while (nfree < MOST && is_free[nfree] >= 0) nfree++;
  const int from = many_matrix[choice[0]][matrix][0], numbers = many_matrix[choice[0]][matrix][1];
  const int columns = NV > 0 ? numbers / AT_LEAST_ONE(NV) : 0, count = is_of_free ? nfree : NV;
  double size = 1e-3, error = 0, rounding = 0; // of differences
  memcpy(was, x, sizeof was);
  for (int k = 0; columns > 0 && k < count; k++) {
    const int place = is_of_free ? is_free[k] : k, column = columns == count ? k : place;
    const double h = 2e-7 * (1 + fabs(of[place * N])), kept = of[place * N];
    double a[2][AT_LEAST_ONE(NV)];
    for (int side = 0; side < 2; side++) {
      of[place * N] = kept + (side ? h : -h);
      many_rates(*b);
      for (int i = 0; i < NV; i++) a[side][i] = rate[(NQ + i) * N];
      of[place * N] = kept;
      memcpy(x, was, sizeof was);
    }
    for (int i = 0; i < NV; i++) {
      const double want = (a[1][i] - a[0][i]) / (2 * h);
      const double e = fabs(want - T[(from + i * columns + column) * N]);
      size = fmax(size, fabs(want));
      rounding = fmax(rounding, 20 * 2.2e-16 * fabs(a[0][i]) / h);
      if (!(e <= error)) error = e;
    }
  }
  if (error <= 1e-6 * size + rounding) return;
  printf("derivatives of accelerations by %s: error %g\n", what, error / size);
  mistakes++;
}


// Positions with quaternions are no displacements.
static void check_tangent(const many_batch *b)
{
  static real tau[NV * N + 1];
  many_batch own = *b;
  own.tau = tau;
  many_rates(own);
  many_tangent(own);
  if (NQ == NV) compare_tangent(&own, "positions", 0, x, 1);
  compare_tangent(&own, "velocities", 1, x + NQ * N, 1);
  compare_tangent(&own, "joint forces", 2, tau, 0);
  many_rates(own);
}
#endif


int main(int argc, char **argv)
{
  const double h = argc > 2 ? atof(argv[1]) : 1e-3;
  const int steps = argc > 2 ? atoi(argv[2]) : 10;
#ifdef many_VARIED
  const int is_varied = 1;
#else
  const int is_varied = 0;
#endif
  const many_batch b = {.n = N,
                        .t = t,
                        .x = x,
                        .u = u,
                        .own = rows,
                        .rate = rate,
                        .y = y,
                        .T = T,
                        .energy = energy,
                        .length = length,
                        .status = status,
                        .failed_at = failed_at,
                        .choice = choice};
  check(NQ == (int) plant_NQ && NV == (int) plant_NV && NS == (int) plant_NS &&
            NY == (int) plant_NY,
        "sizes");
  many_begin(b);
  if (is_varied && many_NPARAMETER > 0) rows[LAST] *= 1.001;
  many_prepare(rows, N);
  for (int k = 0; k < many_NKNOWN; k++) many_shared[k] = rows[k * N];
  many_rates(b);
  many_weigh(b);
#if many_HAS_TANGENT
  check_tangent(&b);
#endif
  for (int i = 0; i < N; i++) check(status[i] == 0, "all begin");
  for (int k = 0; k < NX; k++) x[k * N + BROKEN] = NAN;
  many_rk4(b, h, steps);
  many_outputs(b);
  check(status[0] == 0 && status[LAST] == 0, "instances go on");
  check(status[BROKEN] != 0 && failed_at[BROKEN] == t[BROKEN], "one stops alone");
  compare_machine(run_machine(h, steps, 0), 0);
  compare_machine(run_machine(h, steps, is_varied), LAST);
#if many_HAS_TANGENT
  check_tangent(&b); // of what is engaged by now
#endif

  // once more by the other method
  static real end[NX * N];
  const double last = t[0];
  memcpy(end, x, sizeof end);
  many_begin(b);
  many_rates(b);
  many_weigh(b);
  many_dopri5(b, last, h, 1e-10);
  double size = 1, error = 0;
  for (int k = 0; k < NX; k++) {
    size = fmax(size, fabs(end[k * N]));
    error = fmax(error, fabs(end[k * N] - x[k * N]));
  }
  check(status[0] == 0 && t[0] == last && error <= 1e-5 * size, "Dormand and Prince");
  return mistakes > 0;
}
