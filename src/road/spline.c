// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cubic spline through points, with slope 0 at both ends and level outside.

#include "base/memory.h"
#include "road/heights.h"


// Second derivatives M from the tridiagonal equations, with the widths h and the slopes d of the
// intervals,
//   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (d_i - d_{i-1}),
// with h = d = 0 beyond the ends, which makes the end slopes zero.
static void find_moments(int n, const double *x, const double *z, double *upper, double *M)
{
  double h0 = 0, d0 = 0;
  for (int i = 0; i < n; i++) {
    const double h1 = i < n - 1 ? x[i + 1] - x[i] : 0;
    const double d1 = i < n - 1 ? (z[i + 1] - z[i]) / h1 : 0;
    const double pivot = 2 * (h0 + h1) - (i > 0 ? h0 * upper[i - 1] : 0);
    upper[i] = h1 / pivot;
    M[i] = (6 * (d1 - d0) - (i > 0 ? h0 * M[i - 1] : 0)) / pivot;
    h0 = h1;
    d0 = d1;
  }
  for (int i = n - 2; i >= 0; i--) M[i] -= upper[i] * M[i + 1];
}


static void find_cubics(int n, const double *x, const double *z, const double *M, double *number)
{
  number[1] = z[0];
  number[(long) n * SPLINE_NUMBERS + 1] = z[n - 1];
  for (int i = 0; i + 1 < n; i++) {
    const double h = x[i + 1] - x[i];
    double *c = number + (long) (i + 1) * SPLINE_NUMBERS;
    c[0] = x[i];
    c[1] = z[i];
    c[2] = (z[i + 1] - z[i]) / h - h / 6 * (2 * M[i] + M[i + 1]);
    c[3] = M[i] / 2;
    c[4] = (M[i + 1] - M[i]) / (6 * h);
  }
}


artStatus spline_create(artRoad **road, int n, const double *x, const double *z, artError *error)
{
  ART_ASSERT(n >= 2);
  splineRoad *spline = road_create(sizeof *spline, ROAD_SPLINE, spline_height);
  double *upper = MEM_ARRAY(double, 2 * n), *M = upper + n;
  if (spline) {
    baseArena *arena = &spline->road.arena;
    spline->n = n;
    spline->x = arena_copy(arena, x, (size_t) n, sizeof *x);
    spline->number = arena_alloc(arena, ((size_t) n + 1) * SPLINE_NUMBERS, sizeof *spline->number);
  }
  if (!spline || !upper || !spline->x || !spline->number) {
    mem_free(upper);
    art_free_road(spline ? &spline->road : NULL);
    return base_no_memory(error);
  }
  find_moments(n, x, z, upper, M);
  find_cubics(n, x, z, M, spline->number);
  mem_free(upper);
  road_sign(&spline->road, "spline", n, x);
  road_sign(&spline->road, "heights", n, z);
  *road = &spline->road;
  return ART_OK;
}
