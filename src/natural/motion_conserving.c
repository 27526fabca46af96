// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The augmented Lagrangian method that conserves energy and momentum (Dopico, Gonzalez, Lugris and
// Cuadrado, equations 7 to 11). The unknown is the acceleration b at mid-step:
//
//   v1 = v0 + h b,   d = h v0 + h^2/2 b,   M b + Jm^T lambda = Qm,   phi(q0 + d) = 0
//
// with a mean Jacobian for which Jm d = phi1 - phi0 exactly, and mean forces Qm for which
// Qm d = V0 - V1. Multiplied with d, the equation says T1 + V1 = T0 + V0. (With d as the unknown, what
// lies below its last digit is 1e-15 J of a pendulum in every step, always of the same sign.)
#include <float.h>
#include <string.h>

#include "natural/motion_work.h"

static naturalState mean_state(const motionWork *w)
{
  naturalState mean = w->now;
  mean.J = w->J;
  return mean;
}


//---- Newton --------------------------------------------------------------------------------------

static artStatus move_to(naturalMotion *m)
{
  motionWork *w = m->work_space;
  for (int i = 0; i < m->s->n; i++) {
    w->d[i] = w->h * (m->v[i] + w->h / 2 * w->b[i]);
    w->q[i] = m->q[i] + w->d[i];
    w->v[i] = m->v[i] + w->h * w->b[i];
  }
  const artStatus status = natural_positions(m->s, &w->now, w->t, w->q);
  motion_find_mean(m);
  return status;
}


// Velocities at the ends of steps go to and fro across the constraints. The step begins with what is left
// of them on the constraints, v0 + dv, and with multipliers that turn the rest round:
//   d = h (v0 + dv) + h^2/2 a,  M dv + J^T mu = 0   ->   b = a + 2/h dv,  lambda + 2/h mu
// with dv in pseudo and mu in carried, as settle left them.
static artStatus conserving_predict(naturalMotion *m)
{
  motionWork *w = m->work_space;
  const artStatus status = natural_positions(m->s, &w->now, m->t, m->q);
  if (status) return status;
  motion_begin_mean(m);
  for (int i = 0; i < m->s->n; i++) w->b[i] = m->a[i] + 2 / w->h * m->pseudo[i];
  for (int k = 0; k < m->s->nrow; k++) w->lambda[k] = m->lambda[k] + 2 / w->h * m->carried[k];
  return move_to(m);
}


// forces at mid-step into Q; where nothing better is there, they represent the mean too
static artStatus find_middle_forces(naturalMotion *m, double *power, artError *error)
{
  motionWork *w = m->work_space;
  for (int i = 0; i < m->s->n; i++) {
    w->r[i] = m->q[i] + w->d[i] / 2;
    w->Mx[i] = w->d[i] / w->h;
  }
  return motion_forces(m, m->t + w->h / 2, w->r, w->Mx, w->Q, power, NULL, error);
}


static artStatus find_mean_forces(naturalMotion *m, double *power, artError *error)
{
  motionWork *w = m->work_space;
  *power = 0;
  if (!m->forces.apply_between) return find_middle_forces(m, power, error);
  memcpy(w->Q, m->s->weight, (size_t) m->s->n * sizeof *w->Q);
  return m->forces.apply_between(m->forces.context, m->t, m->q, m->v, w->t, w->q, w->v, w->Q, power,
                                 error);
}


// dq = -h^2/2 (M b + Jm^T (alpha/2 phi1 + lambda) - Qm)
static artStatus conserving_find_residual(naturalMotion *m, double alpha, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  double power;
  const artStatus status = find_mean_forces(m, &power, error);
  if (status) return status;

  const double h = w->h;
  const naturalState mean = mean_state(w);
  natural_mass_times(s, w->b, w->dq);
  for (int k = 0; k < s->nrow; k++) w->u[k] = alpha / 2 * w->now.phi[k] + w->lambda[k];
  natural_add_transposed(s, &mean, w->u, w->dq);
  for (int i = 0; i < s->n; i++) w->dq[i] = h * h / 2 * (w->Q[i] - w->dq[i]);
  w->work = h * power;
  return ART_OK;
}


// M + (h/2) C + (h^2/4) (K + alpha J^T J + curvature), made symmetric: one J represents both. K and the
// curvature are left out where they make it indefinite.
static artStatus conserving_factor_tangent(naturalMotion *m, const naturalState *x, double alpha,
                                           int curvature, artError *error)
{
  motionWork *w = m->work_space;
  const double share = w->h * w->h / 4;
  double power = 0;
  memcpy(w->J_factored, x->J, (size_t) m->s->row_start[m->s->nrow] * sizeof *x->J);
  natural_tangent(m->s, x, 1, alpha * share, w->values);
  if (curvature) natural_add_curvature(m->s, x, w->lambda, share, w->values);
  if (m->forces.add_tangent) {
    const artStatus status = find_middle_forces(m, &power, error);
    if (status) return status;
    m->forces.add_tangent(m->forces.context, share, w->h / 2, w->values);
  }
  if (!curvature && !m->forces.add_tangent) return motion_factor(m, error);
  if (motion_factor(m, NULL) == ART_OK) return ART_OK;
  natural_tangent(m->s, x, 1, alpha * share, w->values);
  return motion_factor(m, error);
}


// The multipliers take alpha/2 times what the constraints should be after the correction, by J1: the
// rounding of phi, times alpha, would be work of drives that nobody did.
static artStatus conserving_correct(naturalMotion *m, double alpha)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  motion_solve_skew(m, alpha * w->h * w->h / 4, w->dq);
  natural_times(s, &w->now, w->dq, w->mu);
  for (int k = 0; k < s->nrow; k++) w->lambda[k] += alpha / 2 * (w->now.phi[k] + w->mu[k]);
  for (int i = 0; i < s->n; i++) w->b[i] += 2 / (w->h * w->h) * w->dq[i];
  m->counts.iterations++;
  return move_to(m);
}


// with which each step begins
static double usual_penalty(const naturalMotion *m)
{
  const double h = m->work_space->h;
  return motion_penalty(m, h * h / 4, 2.5e3);
}


// Until rounding is all that is left, since what the equation lacks is what the energy gains. A mean
// Jacobian that vanishes, of a bar turned round, would let corrections die with the constraint unmet.
// Corrections that grow lead to another branch of the motion, if anywhere. With old factors a correction
// leaves forces along old rows, alpha times what is rounded off, and these do work: above the usual penalty
// factors belong to the present rows, along which forces do none.
static artStatus conserving_iterate(naturalMotion *m, double *alpha, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  const int most = (m->options.is_whole ? 1 : 3) * m->options.iterations;
  const double enough = fmax(m->options.tolerance * s->length, motion_rounding(m));
  const double usual = usual_penalty(m);
  motionGrowth growth = motion_begin_growth(m, *alpha, 3);
  double before = INFINITY, longest = s->length;
  int factor = 1;
  for (int i = 0; i < most; i++) {
    w->iteration = i + 1;
    artStatus status = conserving_find_residual(m, *alpha, error);
    const naturalState mean = mean_state(w);
    if (!status && factor) status = conserving_factor_tangent(m, &mean, *alpha, 1, error);
    if (!status) status = conserving_correct(m, *alpha);
    if (status) return status;

    const double change = motion_largest(s->n, w->dq), floor = motion_largest(s->n, w->q);
    const int stands = change <= 2 * DBL_EPSILON * floor ||
                       (change <= 100 * DBL_EPSILON * floor && change > before / 2) ||
                       (change <= enough && i + 1 == most);
    const int grown = motion_grow(m, &growth, change, alpha);
    if (stands && !grown) {
      return growth.left <= enough ? ART_OK : motion_stuck(m, i + 1, w->now.phi);
    }
    if (!isfinite(change) || (i > 0 && change > longest)) break;
    if (i == 0) longest = fmin(longest, fmax(10 * change, 1e-4 * s->length));
    factor = i == 0 || *alpha > usual || change > before / 2 || change > 1e-4 * s->length;
    before = change;
  }
  return motion_stuck(m, w->iteration, w->now.phi);
}


//---- the step ------------------------------------------------------------------------------------

// accelerations and multipliers at the end, of velocities on the constraints; 2 b - a0 would go to and
// fro without end
static artStatus conserving_project(naturalMotion *m, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  memcpy(w->pseudo, w->v, (size_t) s->n * sizeof *w->v);
  memcpy(w->a, w->b, (size_t) s->n * sizeof *w->b);
  artStatus status = motion_factor_projector(m, error);
  if (!status) status = motion_to_velocities(m, w->pseudo, error);
  memcpy(w->carried, w->mu, (size_t) s->nrow * sizeof *w->mu);
  if (!status) status = motion_relax(m, w->q, w->pseudo, w->a, w->lambda, error);
  for (int i = 0; i < s->n; i++) w->pseudo[i] -= w->v[i];
  return status;
}


// velocities and accelerations 2 b - a0
static artStatus conserving_project_step(naturalMotion *m, double alpha, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  memset(w->pseudo, 0, (size_t) s->n * sizeof *w->pseudo);
  memset(w->carried, 0, (size_t) s->nrow * sizeof *w->carried);
  for (int i = 0; i < s->n; i++) w->a[i] = 2 * w->b[i] - m->a[i];
  w->open = motion_find_open(m);
  if (motion_projection(m) == PROJECTION_TANGENT) {
    const artStatus status = conserving_factor_tangent(m, &w->now, alpha, 0, error);
    if (status) return status;
  }
  return motion_project_rates(m, alpha * w->h * w->h / 4, error);
}


artStatus motion_step_conserving(naturalMotion *m, artError *error)
{
  ART_ASSERT(m->work_space->h > 0);
  motionWork *w = m->work_space;
  double alpha = usual_penalty(m);
  artStatus status = conserving_predict(m);
  if (!status) status = conserving_iterate(m, &alpha, error);

  // across a singular position the tangent can be indefinite, but not with a penalty great enough
  if (status == ART_NO_CONVERGENCE && m->options.penalty == 0 && !m->options.is_whole) {
    // where that fails too, the first failure counts, and a shorter step may do
    double greater = 1e3 * alpha;
    if (conserving_predict(m) == ART_OK && conserving_iterate(m, &greater, NULL) == ART_OK) {
      alpha = greater;
      status = ART_OK;
    }
  }
  if (status) return status;

  // a drive does -lambda (Jm d) in its row, which is lambda times the prescribed change
  const naturalState mean = mean_state(w);
  if (m->s->ndrive > 0) natural_times(m->s, &mean, w->d, w->u);
  for (int k = 0; k < m->s->nrow; k++) {
    if (m->s->row[k].drive >= 0) w->work -= w->lambda[k] * w->u[k];
  }
  motion_leave_middle(m);
  return motion_projection(m) == PROJECTION_NONE ? conserving_project(m, error)
                                                 : conserving_project_step(m, alpha, error);
}
