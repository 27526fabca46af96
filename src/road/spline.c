// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cubic spline through points, level at both ends and outside of them.
#include "road/spline.h"

#include "base/memory.h"
#include "road/kinds.h"


// between the points i and i + 1, with h their distance and a, b the ways to them:
//   z = (M0 b^3 + M1 a^3) / 6h + (z0/h - M0 h/6) b + (z1/h - M1 h/6) a
static roadJet evaluate(const artRoad *road, double x, double y)
{
  (void) y;
  const splineRoad *spline = (const splineRoad *) road;
  const int next = road_interval(spline->n, spline->x, x);
  if (next == 0) return (roadJet){.z = spline->z[0]};
  if (next == spline->n) return (roadJet){.z = spline->z[next - 1]};

  const double *p = spline->x + next - 1, *z = spline->z + next - 1, *M = spline->M + next - 1;
  const double h = p[1] - p[0], a = (x - p[0]) / h, b = (p[1] - x) / h, hh = h * h / 6;
  return (roadJet){.z = b * z[0] + a * z[1] - hh * a * b * ((1 + b) * M[0] + (1 + a) * M[1]),
                   .x = (z[1] - z[0]) / h +
                        h / 6 * ((3 * a * a - 1) * M[1] - (3 * b * b - 1) * M[0]),
                   .xx = b * M[0] + a * M[1]};
}


// second derivatives from the tridiagonal equations, with the widths h and the slopes d of the intervals,
//   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (d_i - d_{i-1}),
// where beyond the ends h = d = 0: this makes the spline level there
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


artStatus spline_create(artRoad **road, int n, const double *x, const double *z, artError *error)
{
  splineRoad *spline = road_create(sizeof *spline, ROAD_SPLINE, evaluate);
  double *upper = MEM_ARRAY(double, n);
  if (spline) {
    baseArena *arena = &spline->road.arena;
    spline->n = n;
    spline->x = arena_copy(arena, x, (size_t) n, sizeof *x);
    spline->z = arena_copy(arena, z, (size_t) n, sizeof *z);
    spline->M = arena_alloc(arena, (size_t) n, sizeof *spline->M);
  }
  if (!spline || !upper || !spline->x || !spline->z || !spline->M) {
    mem_free(upper);
    art_free_road(spline ? &spline->road : NULL);
    return base_no_memory(error);
  }
  find_moments(n, x, z, upper, spline->M);
  mem_free(upper);
  road_sign(&spline->road, "spline", n, x);
  road_sign(&spline->road, "heights", n, z);
  *road = &spline->road;
  return ART_OK;
}
