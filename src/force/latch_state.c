// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locks, latches and ropes at work: when they engage and release, and where they hold.
#include <math.h>

#include "force/force.h"
#include "model/latch_physics.h"

static double latch_length_of(const artModel *m, const artData *d, const modelLatch *latch)
{
  return force_latch_value(m, d, (int) (latch - m->latch), LATCH_LENGTH);
}


static double latch_rate_of(const artModel *m, const artData *d, const modelLatch *latch)
{
  return force_latch_value(m, d, (int) (latch - m->latch), LATCH_RATE);
}


//---- modes ---------------------------------------------------------------------------------------

static int branches_of(const formula *f)
{
  return f ? f->nswitch : 0;
}


// Open latches stay spent; branches follow the quantities as they are, and where these are not known yet the
// first step of a run crosses to the right ones.
void force_set_latches(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    int *mode = w->mode + latch->mode0, *state = mode + LATCH_STATE;
    mode[LATCH_NEARS] = latch_is_watched(latch) && latch_rate_of(m, d, latch) < 0;
    *state = m->engaged[i] ? LATCH_ENGAGED : *state == LATCH_SPENT ? LATCH_SPENT : LATCH_OPEN;
    mode += LATCH_BRANCHES;
    if (latch->engage) formula_set_branches(latch->engage, w->force->slots, mode, w->force->stack);
    mode += branches_of(latch->engage);
    if (latch->release)
      formula_set_branches(latch->release, w->force->slots, mode, w->force->stack);
  }
}


void force_reset_latches(const artModel *m, artData *d)
{
  for (int i = 0; i < m->nlatch; i++) {
    d->work->mode[m->latch[i].mode0 + LATCH_STATE] = LATCH_OPEN;
  }
}


// positive where a condition asks; -1: nothing does, as where there is none or it is not a number
static double condition_value(const artData *d, const formula *condition, const int *mode)
{
  const artWorkspace *w = d->work;
  const double value =
      condition ? formula_value(condition, w->force->slots, mode, w->force->stack) : -1;
  return isnan(value) ? -1 : value;
}


// positive where it is to engage
static double latch_engage_value(const artModel *m, const artData *d, const modelLatch *latch)
{
  const int *mode = d->work->mode + latch->mode0 + LATCH_BRANCHES;
  const double condition = condition_value(d, latch->engage, mode);
  const double length = latch_is_watched(latch) ? latch_length_of(m, d, latch) : 0;
  return latch_engages(latch, condition, length,
                       latch->type == ART_ROPE ? latch->cut.length : latch->distance);
}


// positive where it is to release
static double release_value(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nlatch);
  const modelLatch *latch = &m->latch[i];
  if (latch->type == ART_ROPE) return m->engaged[i] ? -force_latch_value(m, d, i, LATCH_FORCE) : -1;
  const int *mode = d->work->mode + latch->mode0 + LATCH_BRANCHES + branches_of(latch->engage);
  return condition_value(d, latch->release, mode);
}


// positive while the mode holds
static double margin_of(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nlatch);
  const modelLatch *latch = &m->latch[i];
  const int state = d->work->mode[latch->mode0 + LATCH_STATE];

  // what engages or releases does so, with its impact, before anything is asked again
  if ((state == LATCH_ENGAGED) != m->engaged[i]) return 1;
  if (state == LATCH_ENGAGED) return -release_value(m, d, i);
  const double engage = latch_engage_value(m, d, latch);
  if (state == LATCH_OPEN) return -engage;

  // a spent rope that goes on to stretch is taut after all
  return latch->type == ART_ROPE ? fmin(engage, LATCH_STRETCH * latch->cut.length - engage)
                                 : engage;
}


// positive while the ends of an open one go on to come nearer, or to part
static double way_of(const artModel *m, const artData *d, const modelLatch *latch)
{
  const int *mode = d->work->mode + latch->mode0;
  if (!latch_is_watched(latch) || mode[LATCH_STATE] == LATCH_ENGAGED) return 1;
  return (mode[LATCH_NEARS] ? -1 : 1) * latch_rate_of(m, d, latch);
}


void force_latch_switches(const artModel *m, artData *d, double *g)
{
  artWorkspace *w = d->work;
  if (m->nlatch == 0) return;
  if (m->latch_level == LEVEL_ACCELERATION && w->force->find_forces) w->force->find_forces(m, d);
  force_quantities(m, d, READ_BY_LATCHES);
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    const int *mode = w->mode + latch->mode0 + LATCH_BRANCHES;
    double *out = g + latch->switch0;
    *out++ = way_of(m, d, latch);
    *out++ = margin_of(m, d, i);
    if (latch->engage) formula_switches(latch->engage, w->force->slots, mode, out, w->force->stack);
    mode += branches_of(latch->engage);
    out += branches_of(latch->engage);
    if (latch->release)
      formula_switches(latch->release, w->force->slots, mode, out, w->force->stack);
  }
}


// A latch that releases must see its condition false before it engages again.
static latchMode next_mode(const artModel *m, const artData *d, const modelLatch *latch, int mode)
{
  if (mode == LATCH_OPEN) return LATCH_ENGAGED;
  if (mode == LATCH_ENGAGED) return LATCH_SPENT;
  const double stretch = 0.5 * LATCH_STRETCH * latch->cut.length;
  return latch->type == ART_ROPE && latch_engage_value(m, d, latch) > stretch ? LATCH_ENGAGED
                                                                              : LATCH_OPEN;
}


int force_switch_latch(const artModel *m, artData *d, int i)
{
  for (int k = 0; k < m->nlatch; k++) {
    const modelLatch *latch = &m->latch[k];
    int *mode = d->work->mode + latch->mode0;
    if (i == latch->switch0 + LATCH_NEARS) {
      mode[LATCH_NEARS] = !mode[LATCH_NEARS];
      return 1;
    }
    if (i == latch->switch0 + LATCH_STATE) {
      mode[LATCH_STATE] = (int) next_mode(m, d, latch, mode[LATCH_STATE]);
      return 1;
    }
  }
  return 0;
}


modeFormula force_latch_formula(const artModel *m, const artData *d, int i)
{
  for (int k = 0; k < m->nlatch; k++) {
    const modelLatch *latch = &m->latch[k];
    const int local = i - latch->switch0, first = LATCH_BRANCHES + branches_of(latch->engage);
    int *mode = d->work->mode + latch->mode0;
    if (local < LATCH_BRANCHES || local >= latch->nswitch) continue;
    if (local < first) {
      return (modeFormula){latch->engage, local - LATCH_BRANCHES, mode + LATCH_BRANCHES};
    }
    return (modeFormula){latch->release, local - first, mode + first};
  }
  return (modeFormula){0};
}


int force_has_latched(const artModel *m, const artData *d)
{
  for (int i = 0; i < m->nlatch; i++) {
    const int mode = d->work->mode[m->latch[i].mode0 + LATCH_STATE];
    if ((mode == LATCH_ENGAGED) != m->engaged[i]) return 1;
  }
  return 0;
}


int force_has_taut(const artModel *m)
{
  for (int i = 0; i < m->nlatch; i++) {
    if (m->latch[i].type == ART_ROPE && m->engaged[i]) return 1;
  }
  return 0;
}


//---- where it holds ------------------------------------------------------------------------------

void force_measure_latch(const artModel *m, const artData *d, int i, double x[LATCH_NUMBERS])
{
  ART_ASSERT(i >= 0 && i < m->nlatch);
  const modelLatch *latch = &m->latch[i];
  for (int k = 0; k < LATCH_NUMBERS; k++) x[k] = 0;
  if (latch->type == ART_LOCK) x[0] = lock_sum(&latch->relation, d->q);
  if (latch->type != ART_LATCH) return;
  const treeData *t = data_world(m, d);
  const cutSide *to = &latch->cut.side[1];
  const treeWorld *from = tree_in_ground(t, latch->cut.side[0].link);
  const treeWorld *end = tree_in_ground(t, to->link);
  const modelPose pose =
      latch_pose((modelPose){from->R, from->o}, (modelPose){end->R, end->o}, to->R, to->r);
  const v3 part[4] = {pose.R.x, pose.R.y, pose.R.z, pose.r};
  for (int k = 0; k < 4; k++) {
    x[3 * k] = part[k].x;
    x[3 * k + 1] = part[k].y;
    x[3 * k + 2] = part[k].z;
  }
}
