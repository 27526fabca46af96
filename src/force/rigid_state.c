// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts at work: their modes, and when they end.
#include <math.h>
#include <string.h>

#include "force/contact_watch.h"
#include "force/force.h"
#include "force/rigid_place.h"


static int *rigid_mode(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nrigid);
  return d->work->mode + m->rigid[i].mode0;
}


void force_set_rigid(const artModel *m, artData *d)
{
  if (m->nrigid > 0) data_need_velocity(m, d);
  for (int i = 0; i < m->nrigid; i++) {
    const rigidPlace p = rigid_place(m, d, i);
    const int asks = p.gap <= m->rigid[i].reach && !d->work->force->is_stepping;
    *rigid_mode(m, d, i) = asks ? RIGID_ASKS : RIGID_APART;
    d->work->force->rigid[i] = (rigidForce){.floor = 0};
  }
}


int force_touches(const artModel *m, const artData *d)
{
  for (int i = 0; i < m->nrigid; i++) {
    const int mode = *rigid_mode(m, d, i);
    if (mode == RIGID_SLIDES || mode == RIGID_HOLDS) return 1;
  }
  return 0;
}


int force_asks(const artModel *m, const artData *d)
{
  for (int i = 0; i < m->nrigid; i++) {
    if (*rigid_mode(m, d, i) == RIGID_ASKS) return 1;
  }
  return 0;
}


// Of the largest normal force: by this friction goes beyond its limit before a contact slides, ten times what the solution there is
// allowed (num/coulomb.c), so that it cannot find that the contact holds.
static const double BEYOND = 1e-8;


static double largest_normal_force(const artModel *m, const artData *d)
{
  double most = 0;
  for (int i = 0; i < m->nrigid; i++) most = fmax(most, d->work->force->rigid[i].along[0]);
  return most;
}


// positive while the mode holds
static void rigid_margins(const artModel *m, artData *d, int i, double beyond,
                          double g[RIGID_SWITCHES])
{
  const rigidForce *f = &d->work->force->rigid[i];
  const int mode = *rigid_mode(m, d, i);
  g[RIGID_TOUCH] = g[RIGID_SLIP] = 1;
  if (mode == RIGID_ASKS) return;
  const rigidPlace p = rigid_place(m, d, i);
  g[RIGID_TOUCH] = mode == RIGID_APART ? p.gap - f->floor : f->along[0];
  if (m->rigid[i].friction == 0) return;
  if (mode == RIGID_HOLDS) {
    const double pull = hypot(f->along[1], f->along[2]);
    g[RIGID_SLIP] = m->rigid[i].friction * f->along[0] + beyond - pull;
  } else if (mode == RIGID_SLIDES) {
    g[RIGID_SLIP] = v3_dot(f->slip, rigid_slip(&p));
  }
}


void force_rigid_switches(const artModel *m, artData *d, double *g)
{
  if (m->nrigid == 0) return;
  if (d->work->force->is_stepping) {
    for (int k = 0; k < RIGID_SWITCHES * m->nrigid; k++) g[m->rigid[0].switch0 + k] = 1;
    return;
  }
  if (d->work->force->find_forces && force_touches(m, d)) d->work->force->find_forces(m, d);
  data_need_velocity(m, d);
  const double beyond = BEYOND * largest_normal_force(m, d);
  for (int i = 0; i < m->nrigid; i++) {
    double *own = g + m->rigid[i].switch0;
    if (force_is_far(d, m->rigid[i].element)) {
      own[RIGID_TOUCH] = own[RIGID_SLIP] = INFINITY;
    } else {
      rigid_margins(m, d, i, beyond, own);
    }
  }
}


int force_is_rigid_switch(const artModel *m, int i)
{
  return m->nrigid > 0 && i >= m->rigid[0].switch0 &&
         i < m->rigid[m->nrigid - 1].switch0 + RIGID_SWITCHES;
}


int force_switch_rigid(const artModel *m, artData *d, int i)
{
  if (!force_is_rigid_switch(m, i)) return 0;
  *rigid_mode(m, d, (i - m->rigid[0].switch0) / RIGID_SWITCHES) = RIGID_ASKS;
  return 1;
}


void force_save_rigid(const artModel *m, const artData *d, double *numbers)
{
  for (int i = 0; i < m->nrigid; i++, numbers += RIGID_NUMBERS) {
    const rigidForce *f = &d->work->force->rigid[i];
    const double all[RIGID_NUMBERS] = {f->held[0],  f->held[1],  f->held[2], f->slip.x,  f->slip.y,
                                       f->slip.z,   f->floor,    f->force.x, f->force.y, f->force.z,
                                       f->along[0], f->along[1], f->along[2]};
    memcpy(numbers, all, sizeof all);
  }
}


void force_load_rigid(const artModel *m, artData *d, const double *x)
{
  for (int i = 0; i < m->nrigid; i++, x += RIGID_NUMBERS) {
    rigidForce *f = &d->work->force->rigid[i];
    memcpy(f->held, x, sizeof f->held);
    f->slip = (v3){x[3], x[4], x[5]};
    f->floor = x[6];
    f->force = (v3){x[7], x[8], x[9]};
    memcpy(f->along, x + 10, sizeof f->along);
  }
}
