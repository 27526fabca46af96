// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The mean Jacobian of a step, Jm d = phi1 - phi0 exactly (less what drives prescribe): discrete
// derivatives, row by row.
#include <string.h>

#include "natural/motion_work.h"

#include "base/three.h"

// J_k + (phi1 - phi0 - J_k d) d^T / d^T d  (Gonzalez 1996), with the coordinates of the row alone
static void mend_row(const naturalSystem *s, motionWork *w, int k)
{
  double along = 0, square = 0;
  for (int i = s->row_start[k]; i < s->row_start[k + 1]; i++) {
    const double d = w->d[s->column[i]];
    along += w->J[i] * d;
    square += d * d;
  }
  if (square == 0) return;
  const double factor = (w->now.phi[k] - w->phi_0[k] - along) / square;
  for (int i = s->row_start[k]; i < s->row_start[k + 1]; i++) {
    w->J[i] += factor * w->d[s->column[i]];
  }
}


//---- angles --------------------------------------------------------------------------------------

// J += factor times the gradient of x.y at mid-step by x
static void add_mean_product(const naturalSystem *s, motionWork *w, int row, int x, int y,
                             double factor)
{
  ART_ASSERT(x >= 0 && y >= 0);
  for (int k = 0; k < 3; k++) {
    const double mean = (w->form_0[3 * y + k] + w->now.form[3 * y + k]) / 2;
    natural_add_gradient(s, row, 3 * x + k, factor * mean, w->J + s->row_start[row]);
  }
}


// atan2(c, d) / c
static double angle_quotient(double c, double d)
{
  const double z = c / d;
  if (d > 0 && fabs(z) < 1e-4) return (1 - z * z / 3) / d;
  return atan2(c, d) / c;
}


// The angle a = atan2(r, p) of w in the plane of x and y, p = x.w, r = y.w, turns by
//   a1 - a0 = atan2(c, p0 p1 + r0 r1),  c = p0 r1 - r0 p1 = pm (r1 - r0) - rm (p1 - p0),
// and p and r are products: (a1 - a0) / c times pm dr - rm dp at mid-step is exact, and does not feel
// how the whole is turned.
static void find_angle_row(const naturalSystem *s, motionWork *w, int k)
{
  ART_ASSERT(s->row[k].kind == NATURAL_ANGLE);
  const naturalRow *row = &s->row[k];
  const double *f0 = w->form_0, *f1 = w->now.form;
  const int x = 3 * row->x, y = 3 * row->y, z = 3 * row->w;
  const double p0 = three_dot(f0 + x, f0 + z), p1 = three_dot(f1 + x, f1 + z);
  const double r0 = three_dot(f0 + y, f0 + z), r1 = three_dot(f1 + y, f1 + z);
  const double own = s->factor ? s->factor[k] : 1;
  const double factor = -own * row->sign * angle_quotient(p0 * r1 - r0 * p1, p0 * p1 + r0 * r1);
  const double by_p = -factor * (r0 + r1) / 2, by_r = factor * (p0 + p1) / 2;

  for (int i = s->row_start[k]; i < s->row_start[k + 1]; i++) {
    w->J[i] = s->column[i] == row->linear[0].q ? own : 0;
  }
  add_mean_product(s, w, k, row->x, row->w, by_p);
  add_mean_product(s, w, k, row->w, row->x, by_p);
  add_mean_product(s, w, k, row->y, row->w, by_r);
  add_mean_product(s, w, k, row->w, row->y, by_r);
}


//---- all rows ------------------------------------------------------------------------------------

void motion_begin_mean(naturalMotion *m)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  memcpy(w->J_0, w->now.J, (size_t) s->row_start[s->nrow] * sizeof *w->J);
  memcpy(w->phi_0, w->now.phi, (size_t) s->nrow * sizeof *w->phi_0);
  memcpy(w->form_0, w->now.form, 3 * (size_t) s->nform * sizeof *w->form_0);
}


void motion_find_mean(naturalMotion *m)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;

  // the Jacobian of products is linear in q: the mean of both ends is the one at mid-step, and exact
  const int count = s->row_start[s->nrow];
  for (int i = 0; i < count; i++) w->J[i] = (w->J_0[i] + w->now.J[i]) / 2;
  for (int k = 0; k < s->nrow && w->curved_rows; k++) {
    if (s->row[k].kind == NATURAL_ANGLE) find_angle_row(s, w, k);
    if (s->row[k].kind == NATURAL_USER) mend_row(s, w, k);
  }
}
