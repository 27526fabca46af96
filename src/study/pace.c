// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The longest step of simulators that take their steps without looking into them: half of the shortest time for which formulas of
// time keep their branches, and no longer than their smooth parts allow.
#include <math.h>

#include "force/force.h"
#include "study/run.h"

// changes of branches that are followed
enum { MOST_CHANGES = 20000 };


// branches of the time t, at the state where the run begins
static void choose_modes(artRun *run, double t)
{
  run->d->work->is_frozen = 0;
  run_put(run, t, run->y);
  run->d->work->is_frozen = 1;
}


double run_pace(artRun *run, const artRunDef *study)
{
  stepView *v = &run->view;
  double t = study->from, pace = INFINITY;
  if (!v->is_needed || run->engine != &relative_engine || !(study->until > study->from)) {
    return INFINITY;
  }
  const int was_frozen = run->d->work->is_frozen, reads_state = v->reads_state;
  v->reads_state = 0; // formulas of time alone
  choose_modes(run, t);
  pace = force_view_pace(v, run->m, run->d, study->from, study->until);
  for (int k = 0; k < MOST_CHANGES && t < study->until; k++) {
    v->from = t;
    const double next = force_view_switch(v, run->m, run->d, t, study->until);
    if (!(next < study->until)) break;
    if (k > 0) pace = fmin(pace, 0.5 * (next - t));
    t = next;
    choose_modes(run, t);
  }
  v->reads_state = reads_state;
  choose_modes(run, study->from);
  run->d->work->is_frozen = was_frozen;
  return pace;
}
