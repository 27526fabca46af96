// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Newton's equations of the conserving method are not symmetric: forces act along the mean Jacobian,
// constraints are met with the one at the end. The symmetric part is factored, and the rest,
//
//   (A + c Jm^T (J1 - Jm)) x = r,   A = M + ... + c Jm^T Jm,
//
// is what GMRES (Saad and Schultz 1986) is for: A^-1 times it is the identity but for about h v / 2, so
// a few products do.
#include <string.h>

#include "base/numbers.h"
#include "natural/motion_work.h"

// y = A^-1 (A + c Jm^T (J1 - Jm)) x
static void multiply(naturalMotion *m, double c, const double *x, double *y)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  naturalState skew = w->now, mean = w->now;
  skew.J = w->J_skew;
  mean.J = w->J;
  natural_times(s, &skew, x, w->u);
  for (int k = 0; k < s->nrow; k++) w->u[k] *= c;
  memset(y, 0, (size_t) s->n * sizeof *y);
  natural_add_transposed(s, &mean, w->u, y);
  positive_solve(w->factor, y);
  for (int i = 0; i < s->n; i++) y[i] += x[i];
}


// the new direction without what the earlier ones have of it; its components into h
static void orthogonalise(int n, int count, const double *basis, double *y, double *h)
{
  for (int j = 0; j < count; j++) {
    const double *old = basis + j * n;
    h[j] = base_dot(n, old, y);
    for (int i = 0; i < n; i++) y[i] -= h[j] * old[i];
  }
  h[count] = sqrt(base_dot(n, y, y));
}


typedef struct rotations {
  double c[SKEW_PRODUCTS], s[SKEW_PRODUCTS];
} rotations;


// old rotations on the new column, and one that clears its last entry; returns what is left
static double rotate(rotations *turn, int j, double *h, double *g)
{
  for (int k = 0; k < j; k++) {
    const double a = h[k], b = h[k + 1];
    h[k] = turn->c[k] * a + turn->s[k] * b;
    h[k + 1] = turn->c[k] * b - turn->s[k] * a;
  }
  const double size = hypot(h[j], h[j + 1]);
  turn->c[j] = h[j] / size;
  turn->s[j] = h[j + 1] / size;
  h[j] = size;
  g[j + 1] = -turn->s[j] * g[j];
  g[j] *= turn->c[j];
  return fabs(g[j + 1]);
}


// x = sum of y_j basis_j  with  H y = g
static void combine(int n, int count, double H[][SKEW_PRODUCTS + 1], const double *g,
                    const double *basis, double *x)
{
  double y[SKEW_PRODUCTS];
  memset(x, 0, (size_t) n * sizeof *x);
  for (int j = count - 1; j >= 0; j--) {
    y[j] = g[j];
    for (int k = j + 1; k < count; k++) y[j] -= H[k][j] * y[k];
    y[j] /= H[j][j];
    for (int i = 0; i < n; i++) x[i] += y[j] * basis[j * n + i];
  }
}


void motion_solve_skew(naturalMotion *m, double c, double *x)
{
  const int n = m->s->n;
  motionWork *w = m->work_space;
  double *basis = w->basis, H[SKEW_PRODUCTS][SKEW_PRODUCTS + 1], g[SKEW_PRODUCTS + 1];
  rotations turn;
  positive_solve(w->factor, x);
  const double size = g[0] = sqrt(base_dot(n, x, x));
  if (m->s->nrow == 0 || !(size > 0) || !isfinite(size)) return;

  const int count = m->s->row_start[m->s->nrow];
  for (int i = 0; i < count; i++) w->J_skew[i] = w->now.J[i] - w->J[i];
  for (int i = 0; i < n; i++) basis[i] = x[i] / size;
  int done = 0;
  for (double left = size; done < SKEW_PRODUCTS && left > 1e-3 * size; done++) {
    double *next = basis + (done + 1) * n;
    multiply(m, c, basis + done * n, next);
    orthogonalise(n, done + 1, basis, next, H[done]);
    const double length = H[done][done + 1];
    left = rotate(&turn, done, H[done], g);
    for (int i = 0; i < n && length > 0; i++) next[i] /= length;
  }
  combine(n, done, H, g, basis, x);
}
