// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Augmented Lagrangian of index 3: Newton on the displacement of a step, mixed with the iteration of
// the multipliers (Bayo and Ledesma 1996; Cardenal, Cuadrado and Bayo 1997, equations 8 and 9), with the
// generalised-alpha family in the form of Arnold and Bruels 2007, where equilibrium holds at the end of
// the step:
//
//   q1 = q0 + h v0 + h^2 ((1/2 - beta) b0 + beta b1),   v1 = v0 + h ((1 - gamma) b0 + gamma b1)
//   (1 - am) b1 + am b0 = (1 - af) a1 + af a0
#include <string.h>

#include "natural/motion_work.h"

// m: what may be left open of a constraint of a large machine when its positions no longer change: stiff forces
// slow the penalty down.
static const double CLOSED = 3e-11;

typedef struct stepRule {
  double am, af, beta, gamma;
  double by_a; // da1/dq1
  double by_v; // dv1/dq1
} stepRule;


// Chung and Hulbert 1993 by the spectral radius; Hilber, Hughes and Taylor 1977 by alpha
static stepRule find_rule(const motionOptions *o, double h)
{
  ART_ASSERT(h > 0);
  stepRule r = {.beta = 0.25, .gamma = 0.5};
  if (o->hht != 0) {
    r.af = -o->hht;
  } else if (o->radius < 1) {
    r.am = (2 * o->radius - 1) / (o->radius + 1);
    r.af = o->radius / (o->radius + 1);
  }
  r.gamma = 0.5 - r.am + r.af;
  r.beta = (0.5 + r.gamma) * (0.5 + r.gamma) / 4;
  r.by_a = (1 - r.am) / ((1 - r.af) * r.beta * h * h);
  r.by_v = r.gamma / (r.beta * h);
  return r;
}


// q, v, a at the end of the step by the displacement d, differences first
static void index3_follow_displacement(naturalMotion *m, const stepRule *rule)
{
  motionWork *w = m->work_space;
  const double h = w->h, beta = rule->beta, gamma = rule->gamma;
  const double by_d = 1 / (beta * h * h), by_b = (0.5 - beta) / beta;
  const double now = (1 - rule->am) / (1 - rule->af), then = rule->am / (1 - rule->af);
  const double old = rule->af / (1 - rule->af);
  for (int i = 0; i < m->s->n; i++) {
    const double b0 = m->pseudo[i], b1 = by_d * (w->d[i] - h * m->v[i]) - by_b * b0;
    w->q[i] = m->q[i] + w->d[i];
    w->v[i] = m->v[i] + h * ((1 - gamma) * b0 + gamma * b1);
    w->a[i] = now * b1 + then * b0 - old * m->a[i];
    w->pseudo[i] = b1;
  }
}


// r = -(M a + J^T (alpha phi + lambda) - Q) / by_a
static artStatus index3_find_residual(naturalMotion *m, const stepRule *rule, double alpha,
                                      artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  double power = 0;
  const artStatus status = motion_forces(m, w->t, w->q, w->v, w->Q, &power, NULL, error);
  if (status) return status;

  natural_mass_times(s, w->a, w->dq);
  for (int k = 0; k < s->nrow; k++) w->u[k] = alpha * w->now.phi[k] + w->lambda[k];
  natural_add_transposed(s, &w->now, w->u, w->dq);
  for (int i = 0; i < s->n; i++) w->dq[i] = (w->Q[i] - w->dq[i]) / rule->by_a;
  return ART_OK;
}


// M + (h/2) C + (h^2/4) (K + alpha J^T J + curvature), h^2/4 and h/2 as the rule has them
static void fill_tangent(naturalMotion *m, const stepRule *rule, double alpha, int curvature,
                         int forces)
{
  motionWork *w = m->work_space;
  const double share = 1 / rule->by_a;
  natural_tangent(m->s, &w->now, 1, alpha * share, w->values);
  if (curvature) natural_add_curvature(m->s, &w->now, w->lambda, share, w->values);
  if (forces) m->forces.add_tangent(m->forces.context, share, rule->by_v * share, w->values);
}


// where the curvature makes it indefinite it is left out, and then what forces resist
static artStatus index3_factor_tangent(naturalMotion *m, const stepRule *rule, double alpha,
                                       int curvature, artError *error)
{
  motionWork *w = m->work_space;
  const int forces = m->forces.add_tangent != NULL;
  memcpy(w->J_factored, w->now.J, (size_t) m->s->row_start[m->s->nrow] * sizeof *w->now.J);
  if (curvature) {
    fill_tangent(m, rule, alpha, 1, forces);
    if (motion_factor(m, NULL) == ART_OK) return ART_OK;
  }
  if (forces) {
    fill_tangent(m, rule, alpha, 0, 1);
    if (motion_factor(m, NULL) == ART_OK) return ART_OK;
  }
  fill_tangent(m, rule, alpha, 0, 0);
  return motion_factor(m, error);
}


// d += dq, and the multipliers with the constraints after the correction
static artStatus index3_correct(naturalMotion *m, const stepRule *rule, double alpha)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  positive_solve(w->factor, w->dq);
  for (int i = 0; i < s->n; i++) w->d[i] += w->dq[i];
  index3_follow_displacement(m, rule);
  const artStatus status = natural_positions(s, &w->now, w->t, w->q);
  for (int k = 0; k < s->nrow; k++) w->lambda[k] += alpha * w->now.phi[k];
  m->counts.iterations++;
  return status;
}


// After the first, corrections longer than the machine lead nowhere, and corrections that die with a constraint unmet have
// found a vector of no length. Long ones leave factors that do not belong to where they lead.
static artStatus index3_iterate(naturalMotion *m, const stepRule *rule, double *alpha,
                                artError *error)
{
  const motionOptions *o = &m->options;
  motionWork *w = m->work_space;
  const double length = m->s->length, enough = fmax(o->tolerance * length, motion_rounding(m));
  const int every = motion_projection(m) == PROJECTION_TANGENT;
  motionGrowth growth = motion_begin_growth(m, *alpha, 0);
  double before = INFINITY;
  int factor = 1, curvature = 0;
  for (int i = 0; i < o->iterations; i++) {
    w->iteration = i + 1;
    artStatus status = index3_find_residual(m, rule, *alpha, error);
    if (!status && factor) status = index3_factor_tangent(m, rule, *alpha, curvature, error);
    if (!status) status = index3_correct(m, rule, *alpha);
    if (status) return status;

    const double change = motion_largest(m->s->n, w->dq);
    const int grown = motion_grow(m, &growth, change, alpha);
    const int closed = !m->forces.add_tangent ||
                       growth.left <= fmax(fmin(1e-10 * length, CLOSED), motion_rounding(m));
    if (change <= enough && !grown && (closed || i + 1 == o->iterations)) {
      return growth.left <= 1e-5 * length ? ART_OK : motion_stuck(m, i + 1, w->now.phi);
    }
    if (!isfinite(change) || (i > 0 && change > length)) break;
    curvature |= change > before / 4;
    factor = every || grown || change > before / 10 || change > 1e-4 * length;
    before = change;
  }
  return motion_stuck(m, w->iteration, w->now.phi);
}


artStatus motion_step_index3(naturalMotion *m, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  const stepRule rule = find_rule(&m->options, w->h);
  double alpha = motion_penalty(m, 1 / rule.by_a, 250);
  for (int i = 0; i < s->n; i++) w->d[i] = w->h * (m->v[i] + w->h / 2 * m->pseudo[i]);
  memcpy(w->lambda, m->carried, (size_t) s->nrow * sizeof *w->lambda);
  index3_follow_displacement(m, &rule);
  artStatus status = natural_positions(s, &w->now, w->t, w->q);
  if (!status) status = index3_iterate(m, &rule, &alpha, error);
  if (status) return status;
  memcpy(w->carried, w->lambda, (size_t) s->nrow * sizeof *w->lambda);
  if (motion_projection(m) == PROJECTION_NONE) return ART_OK;

  // M da + J^T mu = 0: the multipliers that go with the projected accelerations are lambda + mu, an order of h better
  // than lambda
  w->open = motion_find_open(m);
  memcpy(w->want, w->a, (size_t) s->n * sizeof *w->a);
  if ((status = motion_project_rates(m, alpha / rule.by_a, error))) return status;
  for (int i = 0; i < s->n; i++) w->pseudo[i] += w->a[i] - w->want[i];
  for (int k = 0; k < s->nrow; k++) w->lambda[k] += w->mu[k];
  return ART_OK;
}
