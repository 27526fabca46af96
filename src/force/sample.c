// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Samplers at work: the instants of their clocks, and what is due at one.
#include <float.h>
#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "force/force.h"

//---- instants ------------------------------------------------------------------------------------

double force_rounding_at(double t)
{
  return 8 * DBL_EPSILON * fabs(t);
}


// instants that differ by rounding are one
static double rounding_at(const modelClock *clock, double t)
{
  return fmax(force_rounding_at(t), force_rounding_at(clock->every));
}


static double clock_instant(const modelClock *clock, double k)
{
  return clock->offset + k * clock->every;
}


// the first time of a table after t
static double next_table_time(const modelClock *clock, double t)
{
  const int k = force_table_row(clock->table, t + rounding_at(clock, t)) + 1;
  return k < clock->table->n ? clock->table->time[k] : HUGE_VAL;
}


double force_next_instant(const artModel *m, const artData *d)
{
  double next = HUGE_VAL;
  for (int i = 0; i < m->nclock; i++) {
    const modelClock *clock = &m->clock[i];
    if (clock->table) {
      next = fmin(next, next_table_time(clock, d->time));
      continue;
    }
    double k = fmax(floor((d->time - clock->offset) / clock->every), 0);
    while (clock_instant(clock, k) <= d->time + rounding_at(clock, d->time)) k++;
    next = fmin(next, clock_instant(clock, k));
  }
  return next;
}


static int is_clock_due(const modelClock *clock, double t)
{
  if (clock->table) {
    const int row = force_table_row(clock->table, t + rounding_at(clock, t));
    return row >= 0 && fabs(t - clock->table->time[row]) <= rounding_at(clock, t);
  }
  const double k = rint((t - clock->offset) / clock->every);
  return k >= 0 && fabs(t - clock_instant(clock, k)) <= rounding_at(clock, t);
}


int force_has_instant(const artModel *m, const artData *d)
{
  for (int i = 0; i < m->nclock; i++) {
    if (is_clock_due(&m->clock[i], d->time)) return 1;
  }
  return 0;
}


//---- what is due ---------------------------------------------------------------------------------

static void put_held_value(const artModel *m, artData *d, int i, double value)
{
  ART_ASSERT(i >= 0 && i < m->nheld);
  d->u[i] = value;
  if (m->held[i].slot >= 0) d->work->force->slots[m->held[i].slot] = value;
}


// inputs by tables, and by functions of the host program, which see the machine as all samplers do
static artStatus ask_inputs(const artModel *m, artData *d, artError *error)
{
  artStatus status = ART_OK;
  d->work->force->sampled_at = d->time;
  for (int i = 0; i < m->ninput && status == ART_OK; i++) {
    const modelHeld *held = &m->held[i];
    if (held->table) {
      put_held_value(m, d, i, force_table_between(held->table, held->hold, d->time, d->time));
      continue;
    }
    if (!held->value || !is_clock_due(&m->clock[held->clock], d->time)) continue;
    const double value = held->value(held->context, m, d);
    arithmetic_renew();
    status = art_set_input(m, d, i, value, error);
    put_held_value(m, d, i, d->u[i]);
  }
  return status;
}


// each sampler that is due, or all of them, signals between them by what has become of the others
static artStatus sample_due(const artModel *m, artData *d, int all, artError *error)
{
  artWorkspace *w = d->work;
  force_quantities(m, d, READ_BY_SAMPLERS);
  for (int k = 0; k < m->nsampler; k++) {
    const int i = m->sampler[k];
    const modelHeld *held = &m->held[i];
    const signalFormula *s = &held->next;
    if (!all && !is_clock_due(&m->clock[held->clock], d->time)) continue;
    force_refresh_signals(m, d, READ_BY_SAMPLERS);
    formula_set_branches(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
    const double value = formula_value(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
    if (!isfinite(value)) {
      return base_fail(error, ART_NO_CONVERGENCE, held->place,
                       "'%s' has no finite value at the instant t = %.9g s", held->name, d->time);
    }
    if (held->is_memory) {
      w->force->sampled[i] = value;
    } else {
      put_held_value(m, d, i, value);
    }
  }
  for (int i = m->ninput; i < m->nheld; i++) {
    const modelHeld *held = &m->held[i];
    if (held->is_memory && (all || is_clock_due(&m->clock[held->clock], d->time))) {
      put_held_value(m, d, i, w->force->sampled[i]);
    }
  }
  return ART_OK;
}


// the machine as it is just before the instant
artStatus force_sample(const artModel *m, artData *d, artError *error)
{
  if (!force_has_instant(m, d)) return ART_OK;
  artStatus status = ask_inputs(m, d, error);
  if (status == ART_OK) status = sample_due(m, d, 0, error);
  if (status == ART_OK) force_choose_formulas(m, d);
  return status;
}


artStatus force_next_samples(const artModel *m, artData *d, double *next, artError *error)
{
  const int n = m->nheld - m->ninput;
  for (int i = 0; i < n; i++) next[i] = d->u[m->ninput + i];
  const artStatus status = sample_due(m, d, 1, error);
  for (int i = 0; i < n; i++) {
    const double now = next[i];
    next[i] = d->u[m->ninput + i];
    put_held_value(m, d, m->ninput + i, now);
  }
  force_refresh_signals(m, d, READ_BY_SAMPLERS);
  return status;
}
