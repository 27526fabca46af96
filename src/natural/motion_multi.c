// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Variable step steered by the energy invariant, with index 3 at long steps and index 1 at short ones
// (Cardenal, Cuadrado and Bayo 1997, equations 10 to 14).
#include "base/larger.h"
#include "natural/motion_work.h"

// s: index 3 is left below the first, index 1 above the second
static const double LEAVE_3 = 1e-4, LEAVE_1 = 2e-4;
enum { REDUCTIONS = 5 };

// The energies at hand: kinetic ones so far, and what the weight does over the machine's size.
static double find_scale(naturalMotion *m)
{
  motionWork *w = m->work_space;
  if (m->options.energy > 0) return m->options.energy;
  const double heavy = motion_largest(m->s->n, m->s->weight) * m->s->length;
  const double kinetic = natural_kinetic(m->s, m->v, w->Mx);
  w->scale = base_larger(base_larger(w->scale, kinetic), base_larger(heavy, w->kinetic));
  return w->scale;
}


// a state that satisfies the constraints, and accelerations and multipliers that satisfy the equations,
// for the other index; what this does to the energy is not the next step's
static artStatus change_index(naturalMotion *m, int index, artError *error)
{
  motionWork *w = m->work_space;
  artStatus status = natural_positions(m->s, &w->now, m->t, m->q);
  if (!status) status = motion_factor_projector(m, error);
  if (!status) status = motion_to_positions(m, m->t, m->q, error);
  if (!status) status = motion_to_velocities(m, m->v, error);
  if (!status) status = motion_relax(m, m->q, m->v, m->a, m->lambda, error);
  if (!status) status = motion_take_stock(m, error);
  if (status) return status;
  m->index = index;
  m->counts.switches++;
  return ART_OK;
}


// eta = (nu U / T)^(1/2)
static double find_ratio(double upper, double error)
{
  return error > 0 ? sqrt(0.8 * upper / error) : INFINITY;
}


static artStatus shorten(naturalMotion *m, double ratio, artError *error)
{
  motionWork *w = m->work_space;
  m->counts.rejected++;
  w->reductions++;
  m->next = w->h * fmax(0.1, fmin(0.5, ratio));
  if (m->index == 3 && (m->next < LEAVE_3 || w->reductions >= REDUCTIONS)) {
    return change_index(m, 1, error);
  }
  return ART_OK;
}


static artStatus lengthen(naturalMotion *m, double ratio, artError *error)
{
  m->next = fmin(m->options.longest, m->next * fmax(1, fmin(2, ratio)));
  return m->index == 1 && m->next > LEAVE_1 ? change_index(m, 3, error) : ART_OK;
}


artStatus motion_multi_step(naturalMotion *m, double longest, artError *error)
{
  motionWork *w = m->work_space;
  const double shortest = 1e-4 * m->options.longest;
  for (;;) {
    w->h = fmin(m->next, longest);
    w->t = m->t + w->h;
    artStatus status = motion_try(m, error);
    if (status && w->h / 2 < shortest / 1024) return status;
    if (status) {
      if ((status = shorten(m, 0.5, error))) return status;
      continue;
    }

    // T = |Pi1 - Pi0| with the work by the trapezoidal rule
    const double scale = find_scale(m), upper = m->options.upper * scale;
    const double gap = fabs(w->energy - m->energy - w->work), ratio = find_ratio(upper, gap);
    if (gap > upper && w->h > shortest) {
      if ((status = shorten(m, ratio, error))) return status;
      m->next = fmax(m->next, shortest);
      continue;
    }
    w->reductions = 0;
    const int whole = w->h >= m->next;
    motion_accept(m);
    return whole && gap < m->options.lower * scale ? lengthen(m, ratio, error) : ART_OK;
  }
}
