// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Master algorithm of coupled simulations.
#include "fmi/master.h"

#include <math.h>

#include "base/error.h"

enum { MAX_PASSES = 100, MAX_HALVES = 20 };

//---- values --------------------------------------------------------------------------------------

static double link_value(const fmiMaster *m, const fmiLink *l, double t)
{
  if (l->signal) return signal_value(l->signal, t);
  return l->factor * part_get(&m->part[l->from], l->output) + l->offset;
}


// pass all outputs, and signals at t, to their inputs; returns the largest change, relative to 1 +
// |value|
static double pass_link_values(fmiMaster *m, double t, int *worst)
{
  double change = 0;
  *worst = 0;
  for (int i = 0; i < m->nlink; i++) {
    fmiLink *l = &m->link[i];
    const double value = link_value(m, l, t);
    if (!isfinite(value)) {
      error_throw_at(ART_NO_CONVERGENCE, l->place, "%.100s becomes %g at %.9g s", l->words, value,
                     t);
    }
    const double moved = isnan(l->value) ? INFINITY : fabs(value - l->value) / (1 + fabs(value));
    if (moved > change) {
      change = moved;
      *worst = i;
    }
    if (value == l->value) continue;
    l->value = value;
    part_set(&m->part[l->to], l->input, value);
  }
  return change;
}


// repeat until no value changes; values in an algebraic loop may not converge
static void settle_link_values(fmiMaster *m)
{
  double change = INFINITY;
  int worst = 0;
  for (int k = 0; k < MAX_PASSES && change > 1e-3 * m->tolerance; k++) {
    change = pass_link_values(m, m->time, &worst);
  }
  if (change <= m->tolerance) return;
  error_throw_at(ART_NO_CONVERGENCE, m->link[worst].place,
                 "values go round in a circle without a state and do not settle at %.9g s: "
                 "%.100s still changes by %.2g of itself",
                 m->time, m->link[worst].words, change);
}


void master_begin(fmiMaster *m)
{
  m->time = m->from;
  for (int i = 0; i < m->nlink; i++) m->link[i].value = NAN;
  for (int i = 0; i < m->npart; i++) part_begin(&m->part[i], m->from, m->until);
  settle_link_values(m);
  for (int i = 0; i < m->npart; i++) part_begin_steps(&m->part[i]);
  settle_link_values(m);
}

//---- steps ---------------------------------------------------------------------------------------

static bool can_go_back(const fmiMaster *m)
{
  for (int i = 0; i < m->npart; i++) {
    if (!part_can_save(&m->part[i])) return false;
  }
  return true;
}


// steps can be halved only if all parts accept variable steps
static bool can_halve(const fmiMaster *m)
{
  for (int i = 0; i < m->npart; i++) {
    if (!part_takes_any_step(&m->part[i])) return false;
  }
  return can_go_back(m);
}


// return to the start of the step, with the new inputs
static void restore_all(fmiMaster *m)
{
  for (int i = 0; i < m->npart; i++) part_restore(&m->part[i]);
  for (int i = 0; i < m->nlink; i++) {
    const fmiLink *l = &m->link[i];
    part_set(&m->part[l->to], l->input, l->value);
  }
}


// step all parts; stop at the first that fails
static fmiOutcome step_all(fmiMaster *m, double h, int *who)
{
  fmiOutcome outcome = FMI_DONE;
  for (*who = 0; *who < m->npart; ++*who) {
    outcome = part_step(&m->part[*who], m->time, h);
    if (outcome != FMI_DONE) break;
  }
  return outcome;
}


static void fail_discarded(const fmiMaster *m, int who, double h, const char *why)
{
  error_throw_at(ART_NO_CONVERGENCE, m->part[who].place,
                 "'%.60s' discards the step of %.6g s at %.9g s, %s", m->part[who].name, h, m->time,
                 why);
}


static void advance_master(fmiMaster *m, double h, int halves);


static void advance_halves(fmiMaster *m, double h, int halves, int who)
{
  if (!can_halve(m)) fail_discarded(m, who, h, "and not all FMUs take a shorter one");
  if (halves >= MAX_HALVES) fail_discarded(m, who, h, "however short it is");
  restore_all(m);
  m->halved++;
  advance_master(m, h / 2, halves + 1);
  if (m->has_ended) return;
  settle_link_values(m);
  advance_master(m, h / 2, halves + 1);
}


// a step with constant inputs, repeated with the inputs of its end until they converge
static void advance_master(fmiMaster *m, double h, int halves)
{
  if (can_go_back(m)) {
    for (int i = 0; i < m->npart; i++) part_save(&m->part[i]);
  }
  for (int k = 1;; k++) {
    int who, worst;
    const fmiOutcome outcome = step_all(m, h, &who);
    m->has_ended = outcome == FMI_ENDED;
    if (m->has_ended) return;
    if (outcome == FMI_DISCARDED) {
      advance_halves(m, h, halves, who);
      return;
    }
    if (m->iterations == 1 || pass_link_values(m, m->time + h, &worst) <= m->tolerance) break;
    if (k == m->iterations) {
      m->unsettled++;
      break;
    }
    restore_all(m);
    m->redone++;
  }
  m->time += h;
}


void master_step(fmiMaster *m)
{
  const double end = fmin(m->from + (double) (m->steps + 1) * m->step, m->until);
  advance_master(m, end - m->time, 0);
  if (m->has_ended) return;
  m->time = end;
  m->steps++;
  settle_link_values(m);
}


bool master_is_over(const fmiMaster *m)
{
  return m->has_ended || m->time >= m->until - 1e-9 * m->step;
}
