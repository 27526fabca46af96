// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Modes: the frozen segments of piecewise laws, sides of stops, branches of formulas and states of latches, and the
// functions that tell when they end. Branches of signals and rates have
// modes of their own. Modes of one element lie in the order spring, damper, stop,
// formulas; a law that is not smooth has two switching functions, its ends.
#include <math.h>

#include "force/contact_watch.h"
#include "force/force.h"
#include "force/port_forces.h"

// The laws of an element and where each of them is; its stops are at x and v. Returns how many laws there are.
typedef struct lawPlaces {
  elementLaw law[ELEMENT_MOST_LAWS];
  double at[ELEMENT_MOST_LAWS];
  double x, v;
} lawPlaces;


static int find_law_places(const artModel *m, const artData *d, const modelElement *e,
                           lawPlaces *out)
{
  const int n = element_laws(e, out->law);
  if (n == 0 && !model_has_stop(e)) return 0;
  portState port;
  force_move_port(m, d, e, &port);
  for (int i = 0; i < n; i++) {
    const elementLaw *law = &out->law[i];
    out->at[i] = law->is_of_rate ? port.in.v[law->axis] : port.in.x[law->axis] - law->rest;
  }
  out->x = port.in.x[0];
  out->v = port.in.v[0];
  return n;
}


void force_set_modes(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  if (m->nmode == 0) return;
  data_need_velocity(m, d);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    int *mode = w->mode + e->mode0;
    lawPlaces here;
    const int n = find_law_places(m, d, e, &here);
    for (int k = 0; k < n; k++) *mode++ = law_segment(here.law[k].law, here.at[k]);
    if (model_has_stop(e)) *mode = (int) stop_segment(&e->stop, here.x, here.v);
  }

  // formulas come after them, for they may read energies
  force_choose_formulas(m, d);
  force_set_latches(m, d);
  force_set_rigid(m, d);
}


void force_choose_formulas(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  force_choose_branches(m, d);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    int *mode = w->mode + e->mode0;
    for (int c = 0; c < 3 && e->formula[c]; c++) {
      formula_set_branches(e->formula[c], w->force->slots, mode, w->force->stack);
      mode += e->formula[c]->nswitch;
    }
  }
  for (int i = 0; i < m->nearly; i++) {
    const signalFormula *s = &m->state[m->early[i]].rate;
    formula_set_branches(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
  }
}


typedef void cornerAction(const formula *f, const double *slots, int *branch, double *stack);

// branches of all formulas that are frozen, drives left out
static void at_corners(const artModel *m, artData *d, cornerAction *act)
{
  artWorkspace *w = d->work;
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    int *mode = w->mode + e->mode0;
    for (int c = 0; c < 3 && e->formula[c]; c++) {
      act(e->formula[c], w->force->slots, mode, w->force->stack);
      mode += e->formula[c]->nswitch;
    }
  }
  for (int i = 0; i < model_frozen_count(m); i++) {
    const signalFormula *s = model_frozen(m, i);
    if (s) act(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
  }
}


void force_set_corners(const artModel *m, artData *d)
{
  force_quantities(m, d, READ_BY_FORCES);
  at_corners(m, d, formula_set_corners);
}


void force_leave_corners(const artModel *m, artData *d)
{
  at_corners(m, d, formula_leave_corners);
}


// distance to the two ends of a segment
static void law_ends(const forceLaw *law, int segment, double x, double *g)
{
  double low, high;
  law_bounds(law, segment, &low, &high);
  g[0] = isinf(low) ? 1 : x - low;
  g[1] = isinf(high) ? 1 : high - x;
}


// laws, stops and formulas of an element
static void element_switches(const artModel *m, const artData *d, const modelElement *e,
                             double *out)
{
  const artWorkspace *w = d->work;
  const int *mode = w->mode + e->mode0;
  lawPlaces here;
  const int n = find_law_places(m, d, e, &here);
  for (int k = 0; k < n; k++, mode++) {
    if (law_is_smooth(here.law[k].law)) continue;
    law_ends(here.law[k].law, *mode, here.at[k], out);
    out += 2;
  }
  if (model_has_stop(e)) {
    stop_margins(&e->stop, (stopSegment) *mode++, here.x, here.v, out);
    out += STOP_MARGINS;
  }
  for (int c = 0; c < 3 && e->formula[c]; c++) {
    formula_switches(e->formula[c], w->force->slots, mode, out, w->force->stack);
    mode += e->formula[c]->nswitch;
    out += e->formula[c]->nswitch;
  }
}


static void signal_switches(const artData *d, const signalFormula *s, double *g)
{
  const artWorkspace *w = d->work;
  if (!s->is_frozen) return;
  formula_switches(s->f, w->force->slots, w->mode + s->mode0, g + s->switch0, w->force->stack);
}


// without contacts out of reach, which come to no zero
static void watched_switches(const artModel *m, const artData *d, const contactWatch *watch,
                             double *g)
{
  for (int i = 0; i < watch->contact[watch->n - 1].switches[1]; i++)
    g[watch->switches[i]] = INFINITY;
  for (int k = 0; k < watch->elements.n; k++) {
    const modelElement *e = &m->element[watch->elements.number[k]];
    element_switches(m, d, e, g + e->switch0);
  }
  for (int k = 0; k < watch->signals.n; k++) {
    signal_switches(d, &m->signal[watch->signals.number[k]].value, g);
  }
  for (int k = 0; k < watch->states.n; k++) {
    signal_switches(d, &m->state[m->early[watch->states.number[k]]].rate, g);
  }
}


void force_switches(const artModel *m, artData *d, double *g)
{
  artWorkspace *w = d->work;
  const contactWatch *watch = force_watch(d);
  force_quantities(m, d, READ_BY_FORCES);
  for (int i = 0; i < m->nelement && !watch; i++) {
    element_switches(m, d, &m->element[i], g + m->element[i].switch0);
  }
  for (int i = 0; i < m->ndrive; i++) {
    const modelDrive *drive = &m->drive[i];
    if (!drive->formula) continue;
    formula_switches(drive->formula, w->force->slots, w->mode + drive->mode0, g + drive->switch0,
                     w->force->stack);
  }
  for (int i = 0; i < model_frozen_count(m) && !watch; i++) {
    const signalFormula *s = model_frozen(m, i);
    if (s) signal_switches(d, s, g);
  }
  if (watch) watched_switches(m, d, watch, g);
  force_latch_switches(m, d, g);
  force_rigid_switches(m, d, g);
}


// move a law to the neighbouring segment when the switching function is one of its ends
static int switch_law(const forceLaw *law, int *i, int *mode)
{
  if (law_is_smooth(law)) return 0;
  if (*i < 2) {
    *mode += *i == 0 ? -1 : 1;
    return 1;
  }
  *i -= 2;
  return 0;
}


// laws and stops of an element; 0: switching function i is one of its formulas
static int switch_element(artData *d, const modelElement *e, int i)
{
  int *mode = d->work->mode + e->mode0;
  elementLaw law[ELEMENT_MOST_LAWS];
  const int n = element_laws(e, law);
  for (int k = 0; k < n; k++, mode++) {
    if (switch_law(law[k].law, &i, mode)) return 1;
  }
  if (!model_has_stop(e)) return 0;
  *mode = (int) stop_next((stopSegment) *mode, i);
  return 1;
}


// switching function i of an element, where that is one of its formulas
static modeFormula element_formula(const artData *d, const modelElement *e, int i)
{
  elementLaw law[ELEMENT_MOST_LAWS];
  const int n_law = element_laws(e, law);
  int *branch = d->work->mode + e->mode0 + n_law;
  for (int k = 0; k < n_law; k++) i -= law_is_smooth(law[k].law) ? 0 : 2;
  if (i < 0 || model_has_stop(e)) return (modeFormula){0};
  for (int c = 0; c < 3 && e->formula[c]; c++) {
    const int n = e->formula[c]->nswitch;
    if (i < n) return (modeFormula){e->formula[c], i, branch};
    i -= n;
    branch += n;
  }
  return (modeFormula){0};
}


// the switch of a formula that is switching function i, drives left out
static modeFormula find_formula(const artModel *m, const artData *d, int i)
{
  const int k = m->switch_owner[i];
  if (k >= 0 && k < m->nelement)
    return element_formula(d, &m->element[k], i - m->element[k].switch0);
  if (k >= 0) {
    const signalFormula *s = model_frozen(m, k - m->nelement);
    return (modeFormula){s->f, i - s->switch0, d->work->mode + s->mode0};
  }
  return force_latch_formula(m, d, i);
}


int force_switching_surface(const artModel *m, artData *d, int i, int take)
{
  ART_ASSERT(i >= 0 && i < m->nswitch);
  const modeFormula at = find_formula(m, d, i);
  return at.f && formula_switching_surface(at.f, at.i, at.branch, take);
}


int force_is_latching(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nswitch);
  for (int k = 0; k < m->nlatch; k++) {
    if (i == m->latch[k].switch0 + LATCH_STATE) return 1;
  }
  if (force_is_rigid_switch(m, i)) return 1;
  const modeFormula at = find_formula(m, d, i);
  return at.f && formula_is_latching(at.f, at.i);
}


void force_switch_mode(const artModel *m, artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nswitch);
  if (force_switch_latch(m, d, i) || force_switch_rigid(m, d, i)) return;
  for (int k = 0; k < m->nelement; k++) {
    const modelElement *e = &m->element[k];
    if (i < e->switch0 || i >= e->switch0 + e->nswitch) continue;
    if (switch_element(d, e, i - e->switch0)) return;
  }
  for (int k = 0; k < m->ndrive; k++) {
    const modelDrive *drive = &m->drive[k];
    if (!drive->formula || i < drive->switch0 || i >= drive->switch0 + drive->nmode) continue;
    force_switch_drives(m, d, k, i - drive->switch0);
    return;
  }
  const modeFormula at = find_formula(m, d, i);
  if (at.f) formula_switch_mode(at.f, at.i, at.branch);
}
