// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stiff problems: stability bounds the steps of Dormand and Prince, not the tolerance.
//
// The last two stages belong to the same instant. Their difference d is mostly along the fastest mode where that rules the
// step, so |f(y + d) - f(y)| / |d| estimates its eigenvalue, and h times that is the border of stability when the step is as long
// as this allows (Hairer, Wanner, Solving Ordinary Differential Equations II, section IV.2). Decaying modes alone come to the
// border; an undamped vibration is followed by much shorter steps, and BDF would not do better.
//
// BDF has to begin anew after every event, so steps since the last restart count; of earlier stretches those do that were long
// enough for it to gain in each, as between the instants of a sampler. And it pays only where the whole motion would take very many
// steps: a machine that comes to rest is at the border, too, with long steps.
#include "step/stepper.h"

enum {
  STIFF_STEPS = 500,   // at the border since the last restart: the problem is stiff
  STIFF_STRETCH = 200, // between two restarts: BDF gains
  STIFF_IN_ALL = 5000, // in a row of such stretches: the problem is stiff
  FEW_INSIDE = 6,      // in a row: it is not, and the count begins anew
};

// on the negative real axis
static const double BORDER = 3.25;

// steps of the present length in the time in view
static const double MANY_STEPS = 2e4;


int stiffness_is_at_switching_surface(const stepper *s, double h)
{
  const double *k6 = step_array(s, DOPRI5_BENDS - 2), *k7 = step_array(s, DOPRI5_BENDS - 1);
  double df = 0, dy = 0;
  for (int j = 0; j < s->problem.n; j++) {
    df += (k7[j] - k6[j]) * (k7[j] - k6[j]);
    dy += (s->y_new[j] - s->y_side[j]) * (s->y_new[j] - s->y_side[j]);
  }
  return h * h * df > BORDER * BORDER * dy;
}


void stiffness_watch(stepper *s, double h)
{
  stepState *st = &s->state;
  if (st->resume == STEP_RESTART) {
    st->at_switching_surface_before =
        st->at_switching_surface < STIFF_STRETCH
            ? 0
            : st->at_switching_surface_before + st->at_switching_surface;
    st->at_switching_surface = st->inside = 0;
  }
  if (st->counts.is_stiff || st->t_end == step_barrier(st)) return; // a step cut short says nothing
  if (stiffness_is_at_switching_surface(s, h)) {
    st->at_switching_surface++;
    st->inside = 0;
  } else if (++st->inside >= FEW_INSIDE) {
    st->at_switching_surface = 0;
  }
  const int is_stiff = st->at_switching_surface >= STIFF_STEPS ||
                       st->at_switching_surface_before + st->at_switching_surface >= STIFF_IN_ALL;
  if (!is_stiff || !(s->options.whole > MANY_STEPS * h)) return;
  st->counts.is_stiff = 1;
  st->counts.stiff_time = st->t_end;
}


// The step that ends here is to stiff_kind what its starter's step is: the motion within it is read off in the same way.
void stiffness_change_over(stepper *s)
{
  stepState *st = &s->state;
  if (!st->counts.is_stiff || !s->stiff_kind || st->counts.is_changed_over) return;
  st->is_fresh = 1;
  st->resume = STEP_RESTART;
  st->counts.stiff_time = st->t_new;
  st->counts.is_changed_over = 1;
  s->kind = stiffness_kind(s);
}


const stepKind *stiffness_kind(const stepper *s)
{
  return s->state.counts.is_changed_over && s->stiff_kind ? s->stiff_kind : s->first_kind;
}
