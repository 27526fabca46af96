// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// States whose rates are formulas,  s' = r(t, q, v, s).  Early rates belong to the evaluation of forces; late ones, which
// read accelerations or forces, come after it. An implicit step asks for  s = base + weight r(s),  solved by Newton's
// method with exact derivatives. States that are far quicker than the step would ring by the trapezoidal rule
// s1 = s0 + h/2 (r0 + r1);  theirs is Euler's,  s1 = s0 + h r1,  whose error  h s''/(2 lambda)  is the smaller one then.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "force/contact_watch.h"
#include "force/force.h"

//---- rates ---------------------------------------------------------------------------------------

static double state_rate_of(const artData *d, const signalFormula *s)
{
  const artWorkspace *w = d->work;
  return formula_value(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
}


void force_some_rates(const artModel *m, artData *d, int n, const int *number)
{
  for (int k = 0; k < n; k++) {
    const int i = m->early[number ? number[k] : k];
    d->s_rate[i] = state_rate_of(d, &m->state[i].rate);
  }
}


void force_early_rates(const artModel *m, artData *d)
{
  const contactWatch *watch = force_watch(d);
  if (!watch) {
    force_some_rates(m, d, m->nearly, NULL);
    return;
  }
  force_some_rates(m, d, watch->states.n, watch->states.number);
  force_relax_contacts(m, d);
}


void force_late_rates(const artModel *m, artData *d)
{
  const artWorkspace *w = d->work;
  force_quantities(m, d, READ_BY_RATES);
  for (int i = 0; i < m->nlate; i++) {
    const signalFormula *s = &m->state[m->late[i]].rate;
    formula_set_branches(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
    d->s_rate[m->late[i]] = state_rate_of(d, s);
  }
}


artStatus force_check_rates(const artModel *m, const artData *d, artError *error)
{
  for (int i = 0; i < m->nrate; i++) {
    if (isfinite(d->s_rate[i])) continue;
    const modelState *state = &m->state[i];
    const char *words = state->words;
    return base_fail(error, ART_SINGULAR, state->place,
                     "%s%s%s has no rate at t = %.9g s: its formula gives %g there",
                     words ? "" : "state '", words ? words : state->name, words ? "" : "'", d->time,
                     d->s_rate[i]);
  }
  return ART_OK;
}


artStatus force_check_rules(const artModel *m, artData *d, artError *error)
{
  const artWorkspace *w = d->work;
  if (m->nrule > 0) force_quantities(m, d, READ_BY_RULES);
  for (int i = 0; i < m->nrule; i++) {
    const modelRule *rule = &m->rule[i];
    const signalFormula *s = &rule->value;
    formula_set_branches(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
    const double value = state_rate_of(d, s);
    if (model_keeps_rule(rule->need, value)) continue;
    if (rule->need == PART_ORDERED) {
      return base_fail(error, ART_SINGULAR, s->place,
                       "limits of %s '%s' leave a width of %.9g at t = %.9g s, a positive one is "
                       "wanted",
                       s->kind, rule->name, value, d->time);
    }
    return base_fail(error, ART_SINGULAR, s->place, "'%s' of %s '%s' is %.9g at t = %.9g s, %s",
                     rule->key, s->kind, rule->name, value, d->time, model_rule_words(rule->need));
  }
  return ART_OK;
}


//---- implicit steps ------------------------------------------------------------------------------

// the states that are solved for together, and who reads the signals between them
typedef struct stateGroup {
  int n;
  const int *list;
  int readers;
  statePattern *pattern;
} stateGroup;


// the slot of a state of the group, -1: nobody reads it
static int state_slot_of(const artModel *m, const stateGroup *group, int j)
{
  ART_ASSERT(j >= 0 && j < group->n);
  return m->state[group->list[j]].slot;
}


static void find_dependences(const artModel *m, const stateGroup *group, unsigned char *mark)
{
  const int n = group->n;
  for (int j = 0; j < n; j++) {
    const int slot = state_slot_of(m, group, j);
    memset(mark, 0, (size_t) m->nquantity);
    if (slot >= 0) mark[slot] = 1;
    force_signal_marks(m, group->readers, mark);
    for (int i = 0; i < n; i++) {
      const formula *rate = m->state[group->list[i]].rate.f;
      group->pattern->depends[(long) j * n + i] = formula_reads_marked(rate, mark) != 0;
    }
  }
}


static int have_common(int n, const unsigned char *a, const unsigned char *b)
{
  for (int i = 0; i < n; i++) {
    if (a[i] && b[i]) return 1;
  }
  return 0;
}


// each colour takes all states that have no rate in common with those that it has
static void find_state_pattern(const artModel *m, const stateGroup *group, unsigned char *mark)
{
  statePattern *p = group->pattern;
  const int n = group->n;
  unsigned char *taken = mark + m->nquantity;
  find_dependences(m, group, mark);
  for (int j = 0; j < n; j++) p->colour[j] = -1;
  p->ncolour = 0;
  for (int left = n; left > 0; p->ncolour++) {
    memset(taken, 0, (size_t) n);
    for (int j = 0; j < n; j++) {
      const unsigned char *own = p->depends + (long) j * n;
      if (p->colour[j] >= 0 || have_common(n, own, taken)) continue;
      p->colour[j] = p->ncolour;
      for (int i = 0; i < n; i++) taken[i] |= own[i];
      left--;
    }
  }
}


// derivatives of all signals between the states, and of the rates, by the states of one colour
static void differentiate_rates(const artModel *m, const artData *d, const stateGroup *group,
                                int colour, double *slope)
{
  ART_ASSERT(colour >= 0 && colour < group->pattern->ncolour);
  const artWorkspace *w = d->work;
  formulaJet *jets = w->force->jets;
  for (int j = 0; j < group->n; j++) {
    const int slot = state_slot_of(m, group, j);
    if (slot >= 0) jets[slot].dx = group->pattern->colour[j] == colour;
  }
  force_signal_jets(m, d, group->readers);
  for (int i = 0; i < group->n; i++) {
    const signalFormula *s = &m->state[group->list[i]].rate;
    slope[i] = formula_jet(s->f, jets, w->mode + s->mode0, w->force->jet_stack).dx;
  }
}


// dr/ds by rows
static void find_state_slopes(const artModel *m, const artData *d, const stateGroup *group,
                              double *J)
{
  const struct forceWork *own = d->work->force;
  const statePattern *p = group->pattern;
  const int n = group->n;
  double *slope = own->state_step;
  if (p->ncolour == 0) find_state_pattern(m, group, own->mark);
  memset(J, 0, (size_t) n * (size_t) n * sizeof *J);
  for (int i = 0; i < m->nquantity; i++) own->jets[i] = (formulaJet){own->slots[i], 0, 0};
  for (int colour = 0; colour < p->ncolour; colour++) {
    differentiate_rates(m, d, group, colour, slope);
    for (int j = 0; j < n; j++) {
      if (p->colour[j] != colour) continue;
      const unsigned char *depends = p->depends + (long) j * n;
      for (int i = 0; i < n; i++) {
        if (depends[i]) J[(long) i * n + j] = slope[i];
      }
    }
  }
}


// Is a state much quicker than the step? That is asked once in a step.
static int is_stiff_state(const artWorkspace *w, int state, double weight, double slope)
{
  ART_ASSERT(weight > 0);
  static const double QUICK =
      8; // the trapezoidal rule leaves 7/9 of a deviation, with its sign changed
  unsigned char *known = &w->force->is_stiff[state];
  if (*known == STATE_UNKNOWN) *known = -weight * slope > QUICK ? STATE_STIFF : STATE_SMOOTH;
  return *known == STATE_STIFF;
}


// the residual, whether it is no more than the rounding of its terms, and 1 - weight dr/ds
static void find_state_equations(const artModel *m, const artData *d, const stateGroup *group,
                                 double weight, double *J, double *residual)
{
  const artWorkspace *w = d->work;
  find_state_slopes(m, d, group, J);
  for (int i = 0; i < group->n; i++) {
    const int k = group->list[i];
    double *row = J + (long) i * group->n;
    const int stiff = is_stiff_state(w, k, weight, row[i]);
    const double base = stiff ? w->force->state_start[k] : w->force->state_base[k];
    const double own = stiff ? 2 * weight : w->force->is_stiff[k] == STATE_GIVEN ? 0 : weight;
    residual[i] = base + own * d->s_rate[k] - d->s[k];
    double size = fabs(base) + fabs(d->s[k]) + own * fabs(d->s_rate[k]);
    for (int j = 0; j < group->n; j++) {
      size += own * fabs(row[j] * d->s[group->list[j]]);
      row[j] = (i == j ? 1 : 0) - own * row[j];
    }
    w->force->is_met[i] = fabs(residual[i]) <= 16 * DBL_EPSILON * size;
  }
}


// J x = r by elimination with row exchange; x is in r then. 0: J is singular.
static int eliminate_states(int n, double *J, double *r)
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


static void find_state_rates(const artModel *m, artData *d, const stateGroup *group)
{
  force_refresh_states(m, d, group->readers);
  for (int i = 0; i < group->n; i++) {
    d->s_rate[group->list[i]] = state_rate_of(d, &m->state[group->list[i]].rate);
  }
}


static artStatus solve_states(const artModel *m, artData *d, const stateGroup *group, double weight,
                              artError *error)
{
  enum { MAX_ITERATIONS = 30 };
  static const double PRECISION = 1e-13;
  double *step = d->work->force->state_step, *J = d->work->force->state_matrix;
  int worst = 0;
  for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    find_state_rates(m, d, group);
    find_state_equations(m, d, group, weight, J, step);
    if (!eliminate_states(group->n, J, step)) break;
    int is_done = 1;
    for (int i = 0; i < group->n; i++) {
      const int k = group->list[i];
      const double size = fabs(d->s[k]) + fabs(d->work->force->state_start[k]);
      d->s[k] += step[i];
      const int is_short = fabs(step[i]) <= PRECISION * (size + fabs(weight * d->s_rate[k]));
      if (is_short || d->work->force->is_met[i]) continue;
      is_done = 0;
      worst = k;
    }
    if (!is_done) continue;
    find_state_rates(m, d, group);
    return ART_OK;
  }
  return base_fail(error, ART_NO_CONVERGENCE, m->state[worst].place,
                   "state '%s' is not found in a step at t = %.9g s; its rate is not finite, or "
                   "steeper than the step can follow",
                   m->state[worst].name, d->time);
}


artStatus force_solve_states(const artModel *m, artData *d, artError *error)
{
  const stateGroup early = {m->nearly, m->early, READ_BY_FORCES, &d->work->force->pattern[0]};
  return solve_states(m, d, &early, d->work->force->rate_weight, error);
}


artStatus force_solve_late(const artModel *m, artData *d, double weight, artError *error)
{
  const stateGroup late = {m->nlate, m->late, READ_BY_RATES, &d->work->force->pattern[1]};
  force_late_rates(m, d);
  return weight > 0 ? solve_states(m, d, &late, weight, error) : ART_OK;
}


void force_begin_step(const artModel *m, artData *d, const double *s, const double *rate,
                      double weight, int is_middle)
{
  ART_ASSERT(weight >= 0);
  struct forceWork *own = d->work->force;
  own->state_weight = own->rate_weight = weight;
  if (weight == 0) {
    memcpy(d->s, s, (size_t) m->nstate * sizeof *s);
    return;
  }
  memcpy(own->state_start, s, (size_t) m->nstate * sizeof *s);
  memset(own->is_stiff, STATE_UNKNOWN, (size_t) m->nstate);
  for (int i = 0; i < m->nstate; i++)
    own->state_base[i] = s[i] + (is_middle ? 0 : weight) * rate[i];

  // late ones go along the rate that they had, and are put right at the end
  for (int i = 0; i < m->nlate; i++) {
    const int k = m->late[i];
    d->s[k] = own->state_base[k] + weight * rate[k];
    own->state_base[k] = s[k] + weight * rate[k];
  }
}


void force_leave_middle(const artModel *m, artData *d, const double *s, double weight)
{
  struct forceWork *own = d->work->force;
  int stiff = 0;
  memcpy(d->s, s, (size_t) m->nstate * sizeof *s);
  own->state_weight = 0;
  for (int i = 0; i < m->nearly; i++) {
    const int k = m->early[i];
    own->state_base[k] = s[k];
    if (own->is_stiff[k] == STATE_STIFF) {
      stiff = 1;
    } else {
      own->is_stiff[k] = STATE_GIVEN;
    }
  }
  own->rate_weight = stiff ? weight : 0;
}
