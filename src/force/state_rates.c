// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// States whose rates are formulas,  s' = r(t, q, v, s).  Early rates belong to the evaluation of forces; late ones, which
// read accelerations or forces, come after it. An implicit step asks for  s = base + weight r(s),  solved by Newton's
// method with exact derivatives: states may be far quicker than the step.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "force/force.h"

//---- rates ---------------------------------------------------------------------------------------

static double rate_of(const artData *d, const signalFormula *s)
{
  const artWork *w = d->work;
  return formula_value(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
}


void force_early_rates(const artModel *m, artData *d)
{
  for (int i = 0; i < m->nearly; i++)
    d->s_rate[m->early[i]] = rate_of(d, &m->state[m->early[i]].rate);
}


void force_late_rates(const artModel *m, artData *d)
{
  const artWork *w = d->work;
  force_quantities(m, d, READ_BY_RATES);
  for (int i = 0; i < m->nlate; i++) {
    const signalFormula *s = &m->state[m->late[i]].rate;
    formula_set_branches(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
    d->s_rate[m->late[i]] = rate_of(d, s);
  }
}


//---- implicit steps ------------------------------------------------------------------------------

// derivatives of all signals that forces read, and of the early rates, by one slot
static void differentiate(const artModel *m, const artData *d, int slot, double *slope)
{
  const artWork *w = d->work;
  formulaJet *jets = w->force->jets;
  jets[slot].dx = 1;
  force_signal_jets(m, d);
  for (int i = 0; i < m->nearly; i++) {
    const signalFormula *s = &m->state[m->early[i]].rate;
    slope[i] = formula_jet(s->f, jets, w->mode + s->mode0, w->force->jet_stack).dx;
  }
  jets[slot].dx = 0;
}


// J = 1 - weight dr/ds, by rows
static void find_matrix(const artModel *m, const artData *d, double weight, double *J)
{
  const artWork *w = d->work;
  const int n = m->nearly;
  double *slope = w->force->state_step;
  for (int i = 0; i < m->nquantity; i++) w->force->jets[i] = (formulaJet){w->force->slots[i], 0, 0};
  for (int j = 0; j < n; j++) {
    const int slot = m->state[m->early[j]].slot;
    if (slot >= 0) differentiate(m, d, slot, slope);
    for (int i = 0; i < n; i++) {
      J[(long) i * n + j] = (i == j ? 1 : 0) - (slot >= 0 ? weight * slope[i] : 0);
    }
  }
}


// J x = r by elimination with row exchange; x stands in r then. 0: J is singular.
static int eliminate(int n, double *J, double *r)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(J[(long) i * n + k]) > fabs(J[(long) best * n + k])) best = i;
    }
    if (!(fabs(J[(long) best * n + k]) > 0)) return 0;
    for (int j = k; j < n && best != k; j++) {
      const double kept = J[(long) k * n + j];
      J[(long) k * n + j] = J[(long) best * n + j];
      J[(long) best * n + j] = kept;
    }
    const double kept = r[k];
    r[k] = r[best];
    r[best] = kept;
    for (int i = k + 1; i < n; i++) {
      const double factor = J[(long) i * n + k] / J[(long) k * n + k];
      if (factor == 0) continue;
      for (int j = k + 1; j < n; j++) J[(long) i * n + j] -= factor * J[(long) k * n + j];
      r[i] -= factor * r[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) r[k] -= J[(long) k * n + j] * r[j];
    r[k] /= J[(long) k * n + k];
  }
  return 1;
}


artStatus force_solve_states(const artModel *m, artData *d, artError *error)
{
  enum { MOST_ITERATIONS = 30 };
  static const double PRECISION = 1e-13;
  artWork *w = d->work;
  const int n = m->nearly;
  const double weight = w->force->state_weight, *base = w->force->state_base;
  double *step = w->force->state_step, *J = w->force->state_matrix;
  int worst = 0;
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    force_refresh_states(m, d);
    force_early_rates(m, d);
    find_matrix(m, d, weight, J);
    for (int i = 0; i < n; i++) {
      const int k = m->early[i];
      step[i] = base[k] + weight * d->s_rate[k] - d->s[k];
    }
    if (!eliminate(n, J, step)) break;
    int is_done = 1;
    for (int i = 0; i < n; i++) {
      const int k = m->early[i];
      const double size = fabs(d->s[k]) + fabs(base[k]) + fabs(weight * d->s_rate[k]);
      d->s[k] += step[i];
      if (fabs(step[i]) <= PRECISION * size) continue;
      is_done = 0;
      worst = k;
    }
    if (!is_done) continue;
    force_refresh_states(m, d);
    return ART_OK;
  }
  return base_fail(error, ART_NO_CONVERGENCE, m->state[worst].place,
                   "state '%s' is not found in a step at t = %.9g s; its rate is not finite, or "
                   "steeper than the step can follow",
                   m->state[worst].name, d->time);
}
