// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps of coupled parts.
#include "fmi/master.h"

#include <math.h>

#include "base/error.h"

enum { MOST_PASSES = 100, MOST_HALVES = 20 };

//---- values --------------------------------------------------------------------------------------

static artStatus link_value(const fmiMaster *m, const fmiLink *l, double t, double *value,
                            artError *error)
{
  *value = NAN;
  const artStatus status =
      l->signal ? ART_OK : part_get(&m->part[l->from], l->output, value, error);
  *value = l->signal ? signal_value(l->signal, t) : l->factor * *value + l->offset;
  return status;
}


// move every output, and values of signals at t, to its input; the largest change, relative to 1 + |value|
static artStatus pass(fmiMaster *m, double t, double *change, int *worst, artError *error)
{
  artStatus status = ART_OK;
  *change = 0;
  *worst = 0;
  for (int i = 0; i < m->nlink && !status; i++) {
    fmiLink *l = &m->link[i];
    double value;
    status = link_value(m, l, t, &value, error);
    if (status) break;
    if (!isfinite(value)) {
      return base_fail(error, ART_NO_CONVERGENCE, l->place, "%.100s becomes %g at %.9g s", l->words,
                       value, t);
    }
    const double moved = isnan(l->value) ? INFINITY : fabs(value - l->value) / (1 + fabs(value));
    if (moved > *change) {
      *change = moved;
      *worst = i;
    }
    if (value == l->value) continue;
    l->value = value;
    status = part_set(&m->part[l->to], l->input, value, error);
  }
  return status;
}


// until no value changes; values that go round in a circle may not settle
static artStatus settle(fmiMaster *m, artError *error)
{
  double change = INFINITY;
  int worst = 0;
  for (int k = 0; k < MOST_PASSES && change > 1e-3 * m->tolerance; k++) {
    const artStatus status = pass(m, m->time, &change, &worst, error);
    if (status) return status;
  }
  if (change <= m->tolerance) return ART_OK;
  return base_fail(error, ART_NO_CONVERGENCE, m->link[worst].place,
                   "values go round in a circle without a state and do not settle at %.9g s: "
                   "%.100s still changes by %.2g of itself",
                   m->time, m->link[worst].words, change);
}


artStatus master_begin(fmiMaster *m, artError *error)
{
  artStatus status = ART_OK;
  m->time = m->from;
  for (int i = 0; i < m->nlink; i++) m->link[i].value = NAN;
  for (int i = 0; i < m->npart && !status; i++) {
    status = part_begin(&m->part[i], m->from, m->until, error);
  }
  if (!status) status = settle(m, error);
  for (int i = 0; i < m->npart && !status; i++) status = part_begin_steps(&m->part[i], error);
  return status ? status : settle(m, error);
}

//---- steps ---------------------------------------------------------------------------------------

static bool can_go_back(const fmiMaster *m)
{
  for (int i = 0; i < m->npart; i++) {
    if (!part_can_save(&m->part[i])) return false;
  }
  return true;
}


// shorter steps are for those who take steps of every length
static bool can_halve(const fmiMaster *m, double h)
{
  for (int i = 0; i < m->npart; i++) {
    if (!part_takes_any_step(&m->part[i]) || !part_takes_step(&m->part[i], h / 2)) return false;
  }
  return can_go_back(m);
}


static artStatus save_all(fmiMaster *m, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < m->npart && !status; i++) status = part_save(&m->part[i], error);
  return status;
}


// back to the beginning of the step, with inputs as they are to be in it
static artStatus restore_all(fmiMaster *m, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < m->npart && !status; i++) status = part_restore(&m->part[i], error);
  for (int i = 0; i < m->nlink && !status; i++) {
    const fmiLink *l = &m->link[i];
    status = part_set(&m->part[l->to], l->input, l->value, error);
  }
  return status;
}


// all parts once; the first that does not come through ends it
static artStatus step_all(fmiMaster *m, double h, fmiOutcome *outcome, int *who, artError *error)
{
  artStatus status = ART_OK;
  *outcome = FMI_DONE;
  for (*who = 0; *who < m->npart && !status; ++*who) {
    status = part_step(&m->part[*who], m->time, h, outcome, error);
    if (*outcome != FMI_DONE) break;
  }
  return status;
}


static artStatus discarded(const fmiMaster *m, int who, double h, const char *why, artError *error)
{
  return base_fail(error, ART_NO_CONVERGENCE, m->part[who].place,
                   "'%.60s' discards the step of %.6g s at %.9g s, %s", m->part[who].name, h,
                   m->time, why);
}


static artStatus advance(fmiMaster *m, double h, int halves, artError *error);


static artStatus advance_halves(fmiMaster *m, double h, int halves, int who, artError *error)
{
  if (halves >= MOST_HALVES) return discarded(m, who, h, "however short it is", error);
  artStatus status = restore_all(m, error);
  m->halved++;
  if (!status) status = advance(m, h / 2, halves + 1, error);
  if (!status && !m->has_ended) status = settle(m, error);
  return status || m->has_ended ? status : advance(m, h / 2, halves + 1, error);
}


// a step with inputs that are held, done anew with the inputs of its end until these stay
static artStatus advance(fmiMaster *m, double h, int halves, artError *error)
{
  artStatus status = can_go_back(m) ? save_all(m, error) : ART_OK;
  for (int k = 1; !status; k++) {
    fmiOutcome outcome;
    int who, worst;
    double change = 0;
    status = step_all(m, h, &outcome, &who, error);
    if (status) break;
    m->has_ended = outcome == FMI_ENDED;
    if (m->has_ended) return ART_OK;
    if (outcome == FMI_DISCARDED) {
      return can_halve(m, h) ? advance_halves(m, h, halves, who, error)
                             : discarded(m, who, h, "and not all units take a shorter one", error);
    }
    if (m->iterations == 1) break;
    status = pass(m, m->time + h, &change, &worst, error);
    if (status || change <= m->tolerance) break;
    if (k == m->iterations) {
      m->unsettled++;
      break;
    }
    status = restore_all(m, error);
    m->redone++;
  }
  if (!status) m->time += h;
  return status;
}


artStatus master_step(fmiMaster *m, artError *error)
{
  const double end = fmin(m->from + (double) (m->steps + 1) * m->step, m->until);
  artStatus status = advance(m, end - m->time, 0, error);
  if (status || m->has_ended) return status;
  m->time = end;
  m->steps++;
  return settle(m, error);
}


bool master_is_over(const fmiMaster *m)
{
  return m->has_ended || m->time >= m->until - 1e-9 * m->step;
}
