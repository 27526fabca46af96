// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Augmented Lagrangian of index 1 with the trapezoidal rule and projections (Cardenal, Cuadrado and
// Bayo 1997, equations 5 to 7). Sweeps go on to rounding, so that accelerations and multipliers are those of their equation 4,
//   M a + J^T lambda = Q,  J a = -c - 2 alpha phi' - beta^2 phi
// with Baumgarte's terms where the options have them.
#include <string.h>

#include "natural/motion_work.h"

enum { SWEEPS = 60 }; // at most: weak rows take some tens

//---- accelerations -------------------------------------------------------------------------------

// u = J a + c, with Baumgarte's terms in c
static void index1_measure_rows(naturalMotion *m, const double *a)
{
  motionWork *w = m->work_space;
  natural_times(m->s, &w->now, a, w->u);
  for (int k = 0; k < m->s->nrow; k++) w->u[k] += w->now.bias[k] + w->stabiliser[k];
}


// Baumgarte's terms: damping phi' + stiffness phi
static void index1_stabilise(naturalMotion *m, const double *v)
{
  motionWork *w = m->work_space;
  const motionOptions *o = &m->options;
  if (o->damping == 0 && o->stiffness == 0) return;
  natural_times(m->s, &w->now, v, w->stabiliser);
  for (int k = 0; k < m->s->nrow; k++) {
    const double rate = w->stabiliser[k] + w->now.phi_t[k];
    w->stabiliser[k] = o->damping * rate + o->stiffness * w->now.phi[k];
  }
}


// (M + alpha J^T J) da = Q - M a - J^T (lambda + alpha (J a + c));  a += da;
// lambda += alpha (J a + c).  Returns the largest |da|.
static double index1_sweep(naturalMotion *m, double *a, double *lambda)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  natural_mass_times(s, a, w->r);
  for (int i = 0; i < s->n; i++) w->r[i] = w->Q[i] - w->r[i];
  for (int k = 0; k < s->nrow; k++) w->u[k] = -(lambda[k] + m->alpha * w->u[k]);
  natural_add_transposed(s, &w->now, w->u, w->r);
  positive_solve(w->factor, w->r);

  for (int i = 0; i < s->n; i++) a[i] += w->r[i];
  index1_measure_rows(m, a);
  for (int k = 0; k < s->nrow; k++) lambda[k] += m->alpha * w->u[k];
  return motion_largest(s->n, w->r);
}


artStatus motion_relax(naturalMotion *m, const double *q, const double *v, double *a,
                       double *lambda, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  double power = 0;
  artStatus status = natural_velocities(s, &w->now, v);
  if (!status) status = motion_forces(m, w->now.t, q, v, w->Q, &power, NULL, error);
  if (status) return status;

  // each sweep leaves 1 / (1 + alpha mu) of the error, mu of J M^-1 J^T; where mu is nearly zero, in a
  // singular position, what is left does no harm
  index1_stabilise(m, v);
  index1_measure_rows(m, a);

  // accelerations to compare changes with, also of a machine at rest: of the largest force on the heaviest mass, and of
  // the constraints
  const double least =
      motion_largest(s->n, w->Q) / w->heaviest + motion_largest(s->nrow, w->now.bias);
  const double usual = isfinite(least) ? least : 0;

  // w->left is what a sweep leaves of the change before, the last one most: rows that yield slowly show when the others
  // are done. It is learnt by sweeps to the end, and by no less than the penalty is meant to leave.
  const int learns = w->left > 1e-3;
  double before = INFINITY;
  for (int i = 0; i < SWEEPS; i++) {
    const double change = index1_sweep(m, a, lambda), size = fmax(usual, motion_largest(s->n, a));
    if (!isfinite(change)) return motion_stuck(m, i, w->u);
    m->counts.sweeps++;
    if (i > 0 && before > 1e-12 * size) w->left = fmax(learns ? 1e-7 : w->left, change / before);

    // change by the next sweep
    const double next = learns ? change : change * w->left;
    if (next <= 1e-13 * size) break;
    if (i > 1 && change > before / 2 && change <= 1e-10 * size) break;
    before = change;
  }
  return ART_OK;
}


artStatus motion_sweep(naturalMotion *m, double t, const double *q, const double *v, double *a,
                       double *lambda, artError *error)
{
  const artStatus status = motion_factor_at(m, t, q, error);
  return status ? status : motion_relax(m, q, v, a, lambda, error);
}


artStatus motion_accelerations(naturalMotion *m, double t, const double *q, const double *v,
                               double *a, double *lambda, artError *error)
{
  memset(a, 0, (size_t) m->s->n * sizeof *a);
  memset(lambda, 0, (size_t) m->s->nrow * sizeof *lambda);
  const artStatus status = motion_sweep(m, t, q, v, a, lambda, error);
  if (status != ART_NO_CONVERGENCE) return status;
  const motionWork *w = m->work_space;
  return base_fail(error, status, base_nowhere(),
                   "t = %g s: no accelerations were found; largest residual %.3g in %s", t,
                   w->worst, w->row >= 0 && m->s->nrow > 0 ? m->s->row[w->row].name : "no row");
}


//---- the step ------------------------------------------------------------------------------------

// stiff forces: (A + h^2/4 K + h/2 C) dq = -A R  with  A = M + alpha J^T J
static artStatus soften_change(naturalMotion *m, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  natural_tangent(s, &w->now, 1, m->alpha, w->values);
  m->forces.add_tangent(m->forces.context, w->h * w->h / 4, w->h / 2, w->values);
  const artStatus status = motion_factor(m, error);
  if (status) return status;
  natural_mass_times(s, w->dq, w->r);
  natural_times(s, &w->now, w->dq, w->u);
  for (int k = 0; k < s->nrow; k++) w->u[k] *= m->alpha;
  natural_add_transposed(s, &w->now, w->u, w->r);
  positive_solve(w->factor, w->r);
  memcpy(w->dq, w->r, (size_t) s->n * sizeof *w->dq);
  return ART_OK;
}


static artStatus index1_project_step(naturalMotion *m, int stiff, artError *error)
{
  motionWork *w = m->work_space;
  artStatus status = natural_positions(m->s, &w->now, w->t, w->q);
  if (status || motion_projection(m) == PROJECTION_NONE) return status;

  w->open = motion_find_open(m);

  // the factors of the last pass serve
  if (stiff) status = motion_factor_projector(m, error);
  if (!status) status = motion_to_positions(m, w->t, w->q, error);
  if (!status) status = motion_to_velocities(m, w->v, error);
  return status;
}


// One pass of the trapezoidal rule: dq = -R with  R = q - q_0 - h v_0 - h^2/4 (a_0 + a). Where forces are stiff
// accelerations still change much with q, and v goes with q: dv = 2/h dq.
static artStatus pass_once(naturalMotion *m, int stiff, artError *error)
{
  motionWork *w = m->work_space;
  const double h = w->h;
  artStatus status = motion_sweep(m, w->t, w->q, w->v, w->a, w->lambda, error);
  if (status) return status;
  for (int i = 0; i < m->s->n; i++) {
    const double v = m->v[i] + h / 2 * (m->a[i] + w->a[i]);
    w->dq[i] = m->q[i] + h / 2 * (m->v[i] + v) - w->q[i];
    if (!stiff) w->v[i] = v;
  }
  if (stiff && (status = soften_change(m, error))) return status;
  for (int i = 0; i < m->s->n; i++) {
    w->q[i] += w->dq[i];
    if (stiff) w->v[i] += 2 / h * w->dq[i];
  }
  m->counts.iterations++;
  return ART_OK;
}


artStatus motion_step_index1(naturalMotion *m, artError *error)
{
  ART_ASSERT(m->work_space->h > 0);
  const motionOptions *o = &m->options;
  motionWork *w = m->work_space;
  const int n = m->s->n, most = o->passes > 0 ? o->passes : o->iterations;
  const double h = w->h;

  // q = q_0 + h v_0 + h^2/2 a_0, v = v_0 + h a_0; accelerations and multipliers as they were
  for (int i = 0; i < n; i++) {
    w->v[i] = m->v[i] + h * m->a[i];
    w->q[i] = m->q[i] + h * (m->v[i] + h / 2 * m->a[i]);
  }
  memcpy(w->a, m->a, (size_t) n * sizeof *w->a);
  memcpy(w->lambda, m->lambda, (size_t) m->s->nrow * sizeof *w->lambda);

  double before = INFINITY;
  int stiff = 0, done = 0;
  for (int pass = 0; pass < most && !done; pass++) {
    w->iteration = pass + 1;
    const artStatus status = pass_once(m, stiff, error);
    if (status) return status;
    const double change = motion_largest(n, w->dq);
    if (!isfinite(change)) return motion_stuck(m, pass + 1, w->u);

    // the first pass only leaves the predictor
    done = o->passes > 0 ? pass + 1 == most : pass > 0 && change <= o->tolerance * m->s->length;
    if (o->passes == 0 && change > before / 4) stiff = m->forces.add_tangent != NULL;
    before = change;
  }
  return done ? index1_project_step(m, stiff, error) : motion_stuck(m, most, w->u);
}
