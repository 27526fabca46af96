// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Projections onto the constraints, orthogonal in the norm of M (Bayo and Ledesma 1996). All solve for
// corrections: the absolute form, (M + alpha J^T J) v = M v*, loses cond * eps in every step. Corrections
// are pushed along the rows that were factored, which may belong to positions nearby: a
// right-hand side alpha J^T e with other rows than the matrix has would, by the size of alpha, push along the motion.
#include <string.h>

#include "natural/motion_work.h"

artStatus motion_factor_projector(naturalMotion *m, artError *error)
{
  motionWork *w = m->work_space;
  natural_tangent(m->s, &w->now, 1, m->alpha, w->values);
  memcpy(w->J_factored, w->now.J, (size_t) m->s->row_start[m->s->nrow] * sizeof *w->now.J);
  return motion_factor(m, error);
}


artStatus motion_factor_at(naturalMotion *m, double t, const double *q, artError *error)
{
  const artStatus status = natural_positions(m->s, &m->work_space->now, t, q);
  return status ? status : motion_factor_projector(m, error);
}


// r += J^T u with the rows that were factored
static void push_factored_rows(naturalMotion *m)
{
  motionWork *w = m->work_space;
  naturalState factored = w->now;
  factored.J = w->J_factored;
  natural_add_transposed(m->s, &factored, w->u, w->r);
}


//---- positions -----------------------------------------------------------------------------------

// (M + alpha J^T J) dq = -M (q - q*) - J^T (alpha phi + mu);  q += dq;  mu += alpha phi
static artStatus correct_positions(naturalMotion *m, double t, double *q)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  for (int i = 0; i < s->n; i++) w->dq[i] = w->want[i] - q[i];
  natural_mass_times(s, w->dq, w->r);
  for (int k = 0; k < s->nrow; k++) w->u[k] = -(m->alpha * w->now.phi[k] + w->mu[k]);
  push_factored_rows(m);
  positive_solve(w->factor, w->r);

  for (int i = 0; i < s->n; i++) q[i] += w->r[i];
  const artStatus status = natural_positions(s, &w->now, t, q);
  for (int k = 0; k < s->nrow; k++) w->mu[k] += m->alpha * w->now.phi[k];
  return status;
}


// Each correction is off by itself times the whole way, over the length: rows and factors are made anew
// after long ones, and the last is one for which that is nothing.
artStatus motion_to_positions(naturalMotion *m, double t, double *q, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  const double fine = 1e-14 * s->length, enough = 1e-9 * s->length;
  const double little = 1e-10 * s->length * s->length, nothing = 1e-5 * little;
  memcpy(w->want, q, (size_t) s->n * sizeof *q);
  memset(w->mu, 0, (size_t) s->nrow * sizeof *w->mu);

  double before = motion_largest(s->nrow, w->now.phi);
  if (before <= fine) return ART_OK;
  for (int i = 0; i < m->options.iterations; i++) {
    artStatus status = correct_positions(m, t, q);
    if (status) return status;
    const double change = motion_largest(s->n, w->r), left = motion_largest(s->nrow, w->now.phi);
    for (int k = 0; k < s->n; k++) w->dq[k] = w->want[k] - q[k];
    const double off = change * motion_largest(s->n, w->dq);
    if (off <= nothing && (left <= fine || (left <= 100 * fine && left > before / 4))) {
      return ART_OK;
    }
    if ((off > little || left > before / 10) && (status = motion_factor_projector(m, error))) {
      return status;
    }
    before = left;
  }
  return before <= enough ? ART_OK : motion_stuck(m, m->options.iterations, w->now.phi);
}


//---- velocities and accelerations ----------------------------------------------------------------

// u = J x + rest.  Returns the largest of its magnitudes.
static double measure_projected_rows(naturalMotion *m, const double *rest, const double *x)
{
  motionWork *w = m->work_space;
  natural_times(m->s, &w->now, x, w->u);
  for (int k = 0; k < m->s->nrow; k++) w->u[k] += rest[k];
  return motion_largest(m->s->nrow, w->u);
}


// x += dx with  (factored) dx = -weight J^T u
static void correct_projection(naturalMotion *m, double weight, double *x)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  for (int k = 0; k < s->nrow; k++) w->u[k] *= -weight;
  memset(w->r, 0, (size_t) s->n * sizeof *w->r);
  push_factored_rows(m);
  positive_solve(w->factor, w->r);
  for (int i = 0; i < s->n; i++) x[i] += w->r[i];
}


// corrections with the full penalty until rounding is all that is left, M dx + J^T mu = 0; factors
// that belong to positions too far away are made again, and what then stays is a singular position's
static artStatus project_by_penalty(naturalMotion *m, const double *rest, double *x,
                                    artError *error)
{
  enum { PASSES = 8 };
  motionWork *w = m->work_space;
  double before = measure_projected_rows(m, rest, x);
  int fresh = 0;
  memset(w->mu, 0, (size_t) m->s->nrow * sizeof *w->mu);
  for (int pass = 0; pass < PASSES && before > 0; pass++) {
    correct_projection(m, m->alpha, x);
    const double left = measure_projected_rows(m, rest, x);
    for (int k = 0; k < m->s->nrow; k++) w->mu[k] += m->alpha * w->u[k];
    if (left <= 1e-13 * motion_largest(m->s->n, x)) break;
    if (left > before / 10) {
      if (fresh) break;
      const artStatus status = motion_factor_projector(m, error);
      if (status) return status;
      fresh = 1;
    }
    before = left;
  }
  return ART_OK;
}


artStatus motion_to_velocities(naturalMotion *m, double *v, artError *error)
{
  return project_by_penalty(m, m->work_space->now.phi_t, v, error);
}


// one correction of x by whatever is factored
static void correct_once(naturalMotion *m, double weight, const double *rest, double *x)
{
  motionWork *w = m->work_space;
  measure_projected_rows(m, rest, x);
  correct_projection(m, weight, x);
  measure_projected_rows(m, rest, x);
  for (int k = 0; k < m->s->nrow; k++) w->mu[k] = weight * w->u[k];
}


artStatus motion_project_rates(naturalMotion *m, double weight, artError *error)
{
  motionWork *w = m->work_space;
  const int by_tangent = motion_projection(m) == PROJECTION_TANGENT;
  artStatus status = by_tangent ? ART_OK : motion_factor_projector(m, error);
  if (by_tangent) correct_once(m, weight, w->now.phi_t, w->v);
  if (!by_tangent && !status) status = motion_to_velocities(m, w->v, error);
  if (!status) status = natural_velocities(m->s, &w->now, w->v);
  if (status) return status;
  if (!by_tangent) return project_by_penalty(m, w->now.bias, w->a, error);
  correct_once(m, weight, w->now.bias, w->a);
  return ART_OK;
}


//---- for others ----------------------------------------------------------------------------------

artStatus motion_project_velocities(naturalMotion *m, double t, const double *q, double *v,
                                    artError *error)
{
  const artStatus status = motion_factor_at(m, t, q, error);
  return status ? status : motion_to_velocities(m, v, error);
}
