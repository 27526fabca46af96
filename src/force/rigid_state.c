// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contacts at work: their modes, and when they end.
#include <math.h>
#include <string.h>

#include "force/contact_watch.h"
#include "force/force.h"
#include "force/rigid_place.h"


void force_set_rigid(const artModel *m, artData *d)
{
  if (m->nrigid > 0) data_need_velocity(m, d);
  for (int i = 0; i < m->nrigid; i++) {
    const rigidPlace p = rigid_place(m, d, i);
    const int asks = p.gap <= m->rigid[i].reach && !d->work->force->is_stepping;
    rigid_put_modes(m, d, i, asks ? RIGID_ASKS : RIGID_APART, RIGID_APART);
    d->work->force->rigid[i] = (rigidForce){.floor = 0};
  }
}


int force_touches(const artModel *m, const artData *d)
{
  for (int i = 0; i < m->nrigid; i++) {
    const int mode = *rigid_mode(m, d, i, RIGID_SLIP);
    if (mode == RIGID_SLIDES || mode == RIGID_HOLDS) return 1;
  }
  return 0;
}


int force_asks(const artModel *m, const artData *d)
{
  for (int i = 0; i < m->nrigid; i++) {
    if (*rigid_mode(m, d, i, RIGID_SLIP) == RIGID_ASKS) return 1;
  }
  return 0;
}


// Of the largest normal force: by this friction goes beyond its limit before a contact slides, ten times what the solution there is
// allowed (num/coulomb.c), so that it cannot find that the contact holds.
static const double BEYOND = 1e-8;

// Of what counts as no velocity: what rounding leaves of it.
static const double ROUNDED = 1e-4;


static double largest_normal_force(const artModel *m, const artData *d)
{
  double most = 0;
  for (int i = 0; i < m->nrigid; i++) most = fmax(most, d->work->force->rigid[i].along[0]);
  return most;
}


// what a part that holds has left of its limit, or the speed of one that slides along its direction
static double part_margin(const artModel *m, const artData *d, int i, rigidPart part,
                          const rigidPlace *p, double beyond)
{
  const rigidForce *f = &d->work->force->rigid[i];
  const int mode = *rigid_mode(m, d, i, part), rows = rigid_slip_rows(m->rigid[i].arms);
  if (!rigid_resists(m, i, part) || mode == RIGID_APART) return 1;
  if (mode == RIGID_SLIDES) {
    const double least = f->begins[part] ? RIGID_STEADY * rigid_slow(m, i, p, part)
                                         : ROUNDED * rigid_still(m, i, p, part);
    return rigid_dot(f->direction[part], rigid_motion(m, i, p, part)) + least;
  }
  const double *x = f->along + (part == RIGID_ROLL ? rows : 1);
  const int n = part == RIGID_ROLL ? 2 : rows - 1;
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  const double friction = part == RIGID_ROLL ? 1 : m->rigid[i].friction;
  return friction * f->along[0] + beyond - sqrt(sum);
}


// positive while the mode holds
static void rigid_margins(const artModel *m, artData *d, int i, double beyond,
                          double g[RIGID_SWITCHES])
{
  const rigidForce *f = &d->work->force->rigid[i];
  const int mode = *rigid_mode(m, d, i, RIGID_SLIP);
  for (int k = 0; k < RIGID_SWITCHES; k++) g[k] = 1;
  if (mode == RIGID_ASKS) return;
  const rigidPlace p = rigid_place(m, d, i);
  g[RIGID_TOUCH] = mode == RIGID_APART             ? p.gap - f->floor
                   : rigid_has_jumped(m, i, p.gap) ? -1
                                                   : f->along[0];
  for (rigidPart part = RIGID_SLIP; part < RIGID_PARTS && mode != RIGID_APART; part++) {
    g[RIGID_PART + part] = part_margin(m, d, i, part, &p, beyond);
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
      for (int k = 0; k < RIGID_SWITCHES; k++) own[k] = INFINITY;
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
  *rigid_mode(m, d, (i - m->rigid[0].switch0) / RIGID_SWITCHES, RIGID_SLIP) = RIGID_ASKS;
  return 1;
}


// The numbers of a contact, one after the other: *x is read into them, or they are put there.
static void move_numbers(double **x, double *number, int n, int is_saved)
{
  memcpy(is_saved ? *x : number, is_saved ? number : *x, (size_t) n * sizeof *number);
  *x += n;
}


static void move_vector(double **x, v3 *v, int is_saved)
{
  double number[3] = {v->x, v->y, v->z};
  move_numbers(x, number, 3, is_saved);
  *v = (v3){number[0], number[1], number[2]};
}


static void move_contact(double **x, rigidForce *f, int is_saved)
{
  move_numbers(x, f->held, RIGID_ROWS, is_saved);
  move_numbers(x, f->along, RIGID_ROWS, is_saved);
  move_numbers(x, &f->floor, 1, is_saved);
  move_vector(x, &f->force, is_saved);
  move_vector(x, &f->torque, is_saved);
  for (rigidPart part = RIGID_SLIP; part < RIGID_PARTS; part++) {
    move_vector(x, &f->direction[part].along, is_saved);
    move_numbers(x, &f->direction[part].spin, 1, is_saved);
    double begins = f->begins[part];
    move_numbers(x, &begins, 1, is_saved);
    f->begins[part] = begins != 0;
  }
}


void force_save_rigid(const artModel *m, const artData *d, double *numbers)
{
  for (int i = 0; i < m->nrigid; i++) {
    rigidForce f = d->work->force->rigid[i];
    move_contact(&numbers, &f, 1);
  }
}


void force_load_rigid(const artModel *m, artData *d, const double *from)
{
  for (int i = 0; i < m->nrigid; i++, from += RIGID_NUMBERS) {
    double number[RIGID_NUMBERS], *x = number;
    memcpy(number, from, sizeof number);
    move_contact(&x, &d->work->force->rigid[i], 0);
  }
}
