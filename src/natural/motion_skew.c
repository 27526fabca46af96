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
static void multiply_by_skew(naturalMotion *m, double c, const double *x, double *y)
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


void motion_solve_skew(naturalMotion *m, double c, double *x)
{
  const int n = m->s->n;
  motionWork *w = m->work_space;
  double *basis = w->basis, H[SKEW_PRODUCTS][SKEW_PRODUCTS + 1], g[SKEW_PRODUCTS + 1];
  double cosine[SKEW_PRODUCTS], sine[SKEW_PRODUCTS]; // of the rotations that make H triangular
  positive_solve(w->factor, x);
  const double size = g[0] = sqrt(base_dot(n, x, x));
  if (m->s->nrow == 0 || !(size > 0) || !isfinite(size)) return;

  const int count = m->s->row_start[m->s->nrow];
  for (int i = 0; i < count; i++) w->J_skew[i] = w->now.J[i] - w->J[i];
  for (int i = 0; i < n; i++) basis[i] = x[i] / size;
  int done = 0;
  for (double left = size; done < SKEW_PRODUCTS && left > 1e-3 * size; done++) {
    // the new direction without what the earlier ones have of it
    double *next = basis + (done + 1) * n, *h = H[done];
    multiply_by_skew(m, c, basis + done * n, next);
    for (int j = 0; j <= done; j++) {
      const double *old = basis + j * n;
      h[j] = base_dot(n, old, next);
      for (int i = 0; i < n; i++) next[i] -= h[j] * old[i];
    }
    const double length = h[done + 1] = sqrt(base_dot(n, next, next));
    for (int i = 0; i < n && length > 0; i++) next[i] /= length;

    // old rotations on the new column, and one that clears its last entry
    for (int k = 0; k < done; k++) {
      const double a = h[k], b = h[k + 1];
      h[k] = cosine[k] * a + sine[k] * b;
      h[k + 1] = cosine[k] * b - sine[k] * a;
    }
    const double radius = hypot(h[done], h[done + 1]);
    cosine[done] = h[done] / radius;
    sine[done] = h[done + 1] / radius;
    h[done] = radius;
    g[done + 1] = -sine[done] * g[done];
    g[done] *= cosine[done];
    left = fabs(g[done + 1]);
  }

  // x = sum of y_j basis_j  with  H y = g
  double y[SKEW_PRODUCTS];
  memset(x, 0, (size_t) n * sizeof *x);
  for (int j = done - 1; j >= 0; j--) {
    y[j] = g[j];
    for (int k = j + 1; k < done; k++) y[j] -= H[k][j] * y[k];
    y[j] /= H[j][j];
    for (int i = 0; i < n; i++) x[i] += y[j] * basis[j * n + i];
  }
}
