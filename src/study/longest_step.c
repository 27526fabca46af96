// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The longest step of a run: a hundredth of its time, or a machine at rest would sleep through whatever begins later; and where
// formulas change their branches with the time again and again, as max(0, sin(20*time) - 0.9) does, half of the shortest time
// that a switching function keeps its sign, for a motion may be so smooth in between that steps would go over several changes.
#include <math.h>

#include "base/dip.h"
#include "base/memory.h"
#include "force/force.h"
#include "study/run.h"

// of the run, at which switching functions are looked at
enum { INSTANTS = 2000 };


static int formula_recurs(const formula *f, int slot)
{
  return f && formula_uses(f, slot) && formula_last_change(f) == INFINITY;
}


static int has_branching_formulas(const artModel *m)
{
  for (int i = 0; i < m->nelement; i++) {
    for (int c = 0; c < 3; c++) {
      if (m->element[i].formula[c] && m->element[i].formula[c]->nswitch > 0) return 1;
    }
  }
  for (int i = 0; i < model_frozen_count(m); i++) {
    const signalFormula *s = model_frozen(m, i);
    if (s && s->f->nswitch > 0) return 1;
  }
  return m->nlatch > 0;
}


// Does a formula read the time, in this slot, so that branches may change ever again?
static int has_recurring_branches(const artModel *m, int slot)
{
  for (int i = 0; i < m->nelement; i++) {
    for (int c = 0; c < 3; c++) {
      if (formula_recurs(m->element[i].formula[c], slot)) return 1;
    }
  }
  for (int i = 0; i < model_frozen_count(m); i++) {
    const signalFormula *s = model_frozen(m, i);
    if (s && formula_recurs(s->f, slot)) return 1;
  }
  for (int i = 0; i < m->nsignal; i++) {
    if (m->signal[i].slot >= 0 && formula_uses(m->signal[i].value.f, slot)) return 1;
  }
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    if (latch->engage && formula_uses(latch->engage, slot)) return 1;
    if (latch->release && formula_uses(latch->release, slot)) return 1;
  }
  return 0;
}


// values of a switching function at this instant and the two before it, and the last change of its sign
typedef struct signWatch {
  double g[3], since;
} signWatch;


// whether the sign changes and changes back between the last two instants
static int changes_twice(artRun *run, const signWatch *w, int i, double t, double h, double *g)
{
  const double sign = w->g[2] > 0 ? 1 : -1;
  const dipSearch d = {{t - 2 * h, t - h, t}, {sign * w->g[0], sign * w->g[1], sign * w->g[2]}, 0};
  double at;
  if (!dip_next(&d, &at)) return 0;
  run_switches(run, at, run->y, g);
  return sign * g[i] < 0;
}


// The shortest time that a switching function keeps its sign, at the state where the run begins.
static double shortest_stay(artRun *run, const artRunDef *study, signWatch *watch, double *g)
{
  const int n = run->m->nswitch;
  const double whole = study->until - study->from, h = whole / INSTANTS;
  double shortest = INFINITY;
  int *is_frozen = &run->d->work->is_frozen;
  const int was_frozen = *is_frozen;
  run_put(run, study->from, run->y);
  force_set_modes(run->m, run->d);
  *is_frozen = 1;
  for (int i = 0; i < n; i++) watch[i].since = -INFINITY;
  for (int k = 0; k <= INSTANTS; k++) {
    const double t = study->from + k * h;
    run_switches(run, t, run->y, g);
    for (int i = 0; i < n; i++) {
      signWatch *w = &watch[i];
      w->g[0] = w->g[1], w->g[1] = w->g[2], w->g[2] = g[i];
    }
    for (int i = 0; i < n && k > 0; i++) {
      signWatch *w = &watch[i];
      if ((w->g[1] > 0) != (w->g[2] > 0)) {
        shortest = fmin(shortest, t - w->since);
        w->since = t;
      } else if (k > 1 && changes_twice(run, w, i, t, h, g)) {
        shortest = h;
      }
    }
  }
  *is_frozen = was_frozen;
  run_put(run, study->from, run->y);
  return fmax(shortest, 2 * h);
}


artStatus run_longest_step(artRun *run, const artRunDef *study, artError *error)
{
  const artModel *m = run->m;
  run->longest = (study->until - study->from) / 100;

  // steps of rk4 are as long as they are asked to be
  const int can_recur = study->integrator != ART_RK4 && has_branching_formulas(m);
  int recurring = 0;
  for (int k = 0; k < m->nquantity && can_recur; k++) {
    recurring |= m->quantity[k].kind == QUANTITY_TIME && has_recurring_branches(m, k);
  }
  if (!recurring || !(run->longest > 0 && run->longest < INFINITY)) return ART_OK;

  signWatch *watch = MEM_ARRAY(signWatch, m->nswitch);
  double *g = MEM_ARRAY(double, m->nswitch);
  if (watch && g) run->longest = fmin(run->longest, shortest_stay(run, study, watch, g) / 2);
  const int has_room = watch && g;
  mem_free(watch);
  mem_free(g);
  return has_room ? ART_OK : base_no_memory(error);
}
