// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Variable step steered by the energy invariant, with index 3 at long steps and index 1 at short ones
// (Cardenal, Cuadrado and Bayo 1997, equations 10 to 14).
#include "natural/motion_work.h"

// a state that satisfies the constraints, and accelerations and multipliers that satisfy the equations,
// for the other index; what this does to the energy is not the next step's
static artStatus change_index(naturalMotion *m, int index, artError *error)
{
  ART_ASSERT(index == 1 || index == 3);
  artStatus status = motion_factor_at(m, m->t, m->q, error);
  if (!status) status = motion_to_positions(m, m->t, m->q, error);
  if (!status) status = motion_to_velocities(m, m->v, error);
  if (!status) status = motion_relax(m, m->q, m->v, m->a, m->lambda, error);
  if (!status) status = motion_take_stock(m, error);
  if (status) return status;
  m->index = index;
  m->counts.switches++;
  return ART_OK;
}


static artStatus shorten_multi_step(naturalMotion *m, double ratio, artError *error)
{
  const motionOptions *o = &m->options;
  motionWork *w = m->work_space;
  m->counts.rejected++;
  w->reductions++;
  m->next = w->h * fmax(o->shrink, fmin(0.5, ratio));
  if (m->index == 3 && (m->next < o->leave_3 || w->reductions >= o->reductions)) {
    return change_index(m, 1, error);
  }
  return ART_OK;
}


artStatus motion_multi_step(naturalMotion *m, double longest, artError *error)
{
  ART_ASSERT(longest > 0);
  motionWork *w = m->work_space;
  const motionOptions *o = &m->options;
  const double shortest = o->shortest > 0 ? o->shortest : 1e-4 * o->longest;
  const artStatus entered = motion_enter(m, error);
  if (entered) return entered;
  for (;;) {
    w->h = fmin(m->next, longest);
    w->t = m->t + w->h;
    artStatus status = motion_try(m, error);
    if (status && w->h / 2 < shortest / 1024) return status;
    if (status) {
      base_forget(error);
      if ((status = shorten_multi_step(m, 0.5, error))) return status;
      continue;
    }

    // T / U with T = |Pi1 - Pi0| and the work by the trapezoidal rule, or the error of the rule in a second over what is
    // accepted, whichever is larger;  eta = (nu U / T)^(1/2)
    const motionFlaw flaw = motion_flaw(m);
    const double local = w->h * o->local, states = w->h * o->states;
    const double by_local =
        fmax(local > 0 ? flaw.position / local : 0, states > 0 ? flaw.states / states : 0);
    const double excess = fmax(flaw.energy / o->upper, by_local);
    const double ratio = excess > 0 ? sqrt(o->safety / excess) : INFINITY;
    if (excess > 1 && w->h > shortest) {
      if ((status = shorten_multi_step(m, ratio, error))) return status;
      m->next = fmax(m->next, shortest);
      continue;
    }
    w->reductions = 0;
    const double h = w->h;
    w->stands = h <= shortest;
    if ((status = motion_complete(m, error))) return status;
    if (isfinite(w->seen)) {
      m->counts.rejected++;
      m->next = fmax(shortest, fmin(0.9 * h, w->seen - m->t));
      continue;
    }
    const int whole = h >= m->next && w->h == h;

    // the error in a second grows fourfold when the step is doubled
    if (!whole || !(flaw.energy < o->lower) || !(by_local < 0.2)) return ART_OK;
    m->next = fmin(o->longest, m->next * fmax(1, fmin(o->growth, ratio)));
    return m->index == 1 && m->next > o->leave_1 ? change_index(m, 3, error) : ART_OK;
  }
}
