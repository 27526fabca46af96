// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Modes: the frozen segments of piecewise laws, sides of stops, branches of formulas and states of latches, and the
// functions that tell when they end. Modes of one element lie in the order spring, damper, stop,
// formulas; a law that is not smooth has two switching functions, its ends.
#include <math.h>

#include "force/bushing_work.h"

// length or coordinate of an element at the present state, and its rate
typedef struct lawArguments {
  double x, v;
} lawArguments;


static lawArguments arguments(const artModel *m, const artData *d, const modelElement *e)
{
  if (e->kind != ELEMENT_SPRING_DAMPER) {
    return (lawArguments){force_axis_x(d, e), force_axis_rate(d, e)};
  }
  const forceLine line = force_line(m, d, e);
  return (lawArguments){line.length, line.rate};
}


// what its laws are functions of, in the order of model_laws; returns how many there are
static int law_arguments(const artModel *m, const artData *d, const modelElement *e,
                         const forceLaw *law[MODEL_MOST_LAWS], double x[MODEL_MOST_LAWS])
{
  const int count = model_laws(e, law);
  int n = 0;
  if (count == 0) return 0;
  if (!e->bushing) {
    const lawArguments at = arguments(m, d, e);
    if (e->spring) x[n++] = at.x - e->rest;
    if (e->damper) x[n++] = at.v;
    return n;
  }
  const bushingPlace place = bushing_place(m, d, e);
  for (int i = 0; i < 12; i++) {
    const int is_rate = i >= 6, axis = i % 6;
    if (!(is_rate ? e->bushing->damper : e->bushing->spring)[axis]) continue;
    x[n++] = (is_rate ? place.rate : place.x)[axis];
  }
  return n;
}


void force_set_modes(const artModel *m, artData *d)
{
  artWork *w = d->work;
  if (m->nmode == 0) return;
  data_need_velocity(m, d);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    int *mode = w->mode + e->mode0;
    const forceLaw *law[MODEL_MOST_LAWS];
    double x[MODEL_MOST_LAWS];
    const int n = law_arguments(m, d, e, law, x);
    for (int k = 0; k < n; k++) *mode++ = law_segment(law[k], x[k]);
    if (!model_has_stop(e)) continue;
    const lawArguments at = arguments(m, d, e);
    *mode = (int) stop_segment(&e->stop, at.x, at.v);
  }

  // formulas come after them, for they may read energies
  force_quantities(m, d, 1);
  force_set_latches(m, d);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    int *mode = w->mode + e->mode0;
    for (int c = 0; c < 3 && e->formula[c]; c++) {
      formula_set_branches(e->formula[c], w->slots, mode, w->stack);
      mode += e->formula[c]->nswitch;
    }
  }
}


// distance to the two ends of a segment
static void law_ends(const forceLaw *law, int segment, double x, double *g)
{
  double low, high;
  law_bounds(law, segment, &low, &high);
  g[0] = isinf(low) ? 1 : x - low;
  g[1] = isinf(high) ? 1 : high - x;
}


void force_switches(const artModel *m, artData *d, double *g)
{
  artWork *w = d->work;
  force_quantities(m, d, 1);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    const int *mode = w->mode + e->mode0;
    double *out = g + e->switch0;
    const forceLaw *law[MODEL_MOST_LAWS];
    double x[MODEL_MOST_LAWS];
    const int n = law_arguments(m, d, e, law, x);
    for (int k = 0; k < n; k++, mode++) {
      if (law_is_smooth(law[k])) continue;
      law_ends(law[k], *mode, x[k], out);
      out += 2;
    }
    if (model_has_stop(e)) {
      const lawArguments at = arguments(m, d, e);
      *out++ = stop_margin(&e->stop, (stopSegment) *mode++, at.x, at.v);
    }
    for (int c = 0; c < 3 && e->formula[c]; c++) {
      formula_switches(e->formula[c], w->slots, mode, out, w->stack);
      mode += e->formula[c]->nswitch;
      out += e->formula[c]->nswitch;
    }
  }
  for (int i = 0; i < m->ndrive; i++) {
    const modelDrive *drive = &m->drive[i];
    if (!drive->formula) continue;
    formula_switches(drive->formula, w->slots, w->mode + drive->mode0, g + drive->switch0,
                     w->stack);
  }
  force_latch_switches(m, d, g);
}


// move a law to the neighbouring segment when the switching function is one of its ends
static int cross_law(const forceLaw *law, int *i, int *mode)
{
  if (law_is_smooth(law)) return 0;
  if (*i < 2) {
    *mode += *i == 0 ? -1 : 1;
    return 1;
  }
  *i -= 2;
  return 0;
}


static void cross_element(const artModel *m, artData *d, const modelElement *e, int i)
{
  int *mode = d->work->mode + e->mode0;
  const forceLaw *law[MODEL_MOST_LAWS];
  const int n = model_laws(e, law);
  for (int k = 0; k < n; k++, mode++) {
    if (cross_law(law[k], &i, mode)) return;
  }
  if (model_has_stop(e)) {
    data_need_velocity(m, d);
    const lawArguments at = arguments(m, d, e);
    *mode = (int) stop_next(&e->stop, (stopSegment) *mode, at.x, at.v);
    return;
  }
  for (int c = 0; c < 3 && e->formula[c]; c++) {
    if (i < e->formula[c]->nswitch) {
      formula_cross(e->formula[c], i, mode);
      return;
    }
    i -= e->formula[c]->nswitch;
    mode += e->formula[c]->nswitch;
  }
}


void force_cross(const artModel *m, artData *d, int i)
{
  if (force_cross_latch(m, d, i)) return;
  for (int k = 0; k < m->nelement; k++) {
    const modelElement *e = &m->element[k];
    if (i >= e->switch0 && i < e->switch0 + e->nswitch) {
      cross_element(m, d, e, i - e->switch0);
      return;
    }
  }
  for (int k = 0; k < m->ndrive; k++) {
    const modelDrive *drive = &m->drive[k];
    if (!drive->formula || i < drive->switch0 || i >= drive->switch0 + drive->nmode) continue;
    force_cross_drives(m, d, k, i - drive->switch0);
    return;
  }
}
