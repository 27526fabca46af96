// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Interpolation of points by piecewise polynomials, on the scalar of src/spatial: coefficients of
// powers of x - origin for each segment.
#ifndef LAW_JOIN_H
#define LAW_JOIN_H

#include "base/error.h"
#include "spatial/scalar.h"

typedef struct lawJoin {
  int n, stride;           // number of points; distance between consecutive points in the arrays
  const real *x, *f;       // [n]
  real *c, *knot, *origin; // of the resulting law
} lawJoin;


// width of the interval between points i and i + 1, slope of the chord
static inline real join_width(const lawJoin *p, int i)
{
  ART_ASSERT(i >= 0 && i + 1 < p->n);
  return r_sub(p->x[(i + 1) * p->stride], p->x[i * p->stride]);
}


static inline real join_slope(const lawJoin *p, int i)
{
  return r_div(r_sub(p->f[(i + 1) * p->stride], p->f[i * p->stride]), join_width(p, i));
}


static inline void join_straight(const lawJoin *p)
{
  for (int i = 0; i + 1 < p->n; i++) {
    p->origin[i] = p->x[i * p->stride];
    p->knot[i] = p->x[(i + 1) * p->stride];
    p->c[2 * i] = p->f[i * p->stride];
    p->c[2 * i + 1] = join_slope(p, i);
  }
}


// second derivatives M of the natural spline, from the tridiagonal equations
//   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (d_i - d_{i-1}),   M_0 = M_{n-1} = 0
// with widths h and slopes d of the intervals, by forward elimination and back substitution
static inline void join_moments(const lawJoin *p, real *upper, real *M)
{
  ART_ASSERT(p->n >= 2);
  const int n = p->n;
  upper[0] = M[0] = M[n - 1] = r_const(0);
  for (int i = 1; i < n - 1; i++) {
    const real h0 = join_width(p, i - 1), h1 = join_width(p, i);
    const real pivot = r_sub(r_mul(r_const(2), r_add(h0, h1)), r_mul(h0, upper[i - 1]));
    const real bend = r_mul(r_const(6), r_sub(join_slope(p, i), join_slope(p, i - 1)));
    upper[i] = r_div(h1, pivot);
    M[i] = r_div(r_sub(bend, r_mul(h0, M[i - 1])), pivot);
  }
  for (int i = n - 2; i > 0; i--) M[i] = r_sub(M[i], r_mul(upper[i], M[i + 1]));
}


// segment i + 1 lies between points i and i + 1; the end segments are straight extrapolations;
// upper[n] and M[n] are scratch
static inline void join_smoothly(const lawJoin *p, real *upper, real *M)
{
  const int n = p->n;
  join_moments(p, upper, M);
  for (int i = 0; i + 1 < n; i++) {
    real *c = p->c + 4 * (i + 1);
    const real h = join_width(p, i), sum = r_add(r_mul(r_const(2), M[i]), M[i + 1]);
    c[0] = p->f[i * p->stride];
    c[1] = r_sub(join_slope(p, i), r_div(r_mul(h, sum), r_const(6)));
    c[2] = r_div(M[i], r_const(2));
    c[3] = r_div(r_sub(M[i + 1], M[i]), r_mul(r_const(6), h));
    p->origin[i + 1] = p->knot[i] = p->x[i * p->stride];
  }
  const real h = join_width(p, n - 2), *last = p->c + 4 * (n - 1);
  const real bend = r_add(r_mul(r_const(2), last[2]), r_mul(r_mul(r_const(3), last[3]), h));
  p->c[0] = p->f[0];
  p->c[1] = p->c[4 + 1];
  p->c[4 * n] = p->f[(n - 1) * p->stride];
  p->c[4 * n + 1] = r_add(last[1], r_mul(bend, h));
  for (int k = 2; k < 4; k++) p->c[k] = p->c[4 * n + k] = r_const(0);
  p->origin[0] = p->x[0];
  p->origin[n] = p->knot[n - 1] = p->x[(n - 1) * p->stride];
}

#endif
