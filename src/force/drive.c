// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drives: prescribed motion of joint coordinates, with its exact derivatives, and where it jumps.
#include "force/drive.h"

#include <float.h>
#include <math.h>
#include <string.h>

//---- the motion ----------------------------------------------------------------------------------

// the value of a spline over time with its two derivatives
static formulaJet table_jet(const forceLaw *table, double t)
{
  double f[3];
  law_derivatives(table, law_segment(table, t), t, f);
  return (formulaJet){f[0], f[1], f[2]};
}


static void set_time(const artModel *m, artWork *w, double t)
{
  for (int i = 0; i < m->nquantity; i++) {
    if (m->quantity[i].kind != QUANTITY_TIME) continue;
    w->jets[i] = (formulaJet){t, 1, 0};
    w->slots[i] = t;
  }
}


// a little later than t: what begins at t has begun, whatever rounding has made of its instant
static double behind(double t)
{
  return t + 64 * DBL_EPSILON * fmax(fabs(t), 1e-3);
}


void drive_set_branches(const artModel *m, artWork *w, int k, double t, int *mode)
{
  const formula *f = m->drive[k].formula;
  if (!f || f->nswitch == 0) return;
  set_time(m, w, behind(t));
  formula_set_branches(f, w->slots, mode, w->stack);
  set_time(m, w, t);
}


// at t, which formulas read already
static formulaJet jet_now(const modelDrive *drive, artWork *w, double t, const int *mode)
{
  if (!drive->formula) return table_jet(drive->table, t);
  return formula_jet(drive->formula, w->jets, mode, w->jet_stack);
}


formulaJet drive_jet(const artModel *m, artWork *w, int k, double t, const int *mode)
{
  set_time(m, w, t);
  return jet_now(&m->drive[k], w, t, mode);
}


void force_drive(const artModel *m, artData *d)
{
  artWork *w = d->work;
  if (m->ndrive == 0) return;
  set_time(m, w, d->time);
  for (int k = 0; k < m->ndrive; k++) {
    const modelDrive *drive = &m->drive[k];
    int *mode = w->mode + drive->mode0;
    if (!w->is_frozen) drive_set_branches(m, w, k, d->time, mode);
    const formulaJet jet = jet_now(drive, w, d->time, mode);
    d->q[drive->position] = jet.x;
    d->v[drive->velocity] = jet.dx;
    w->a_drive[drive->velocity] = jet.ddx;
  }
}


//---- where it jumps ------------------------------------------------------------------------------

// Instants are known to some units in the last place, and numbers in a model file to nine digits.
static const double INSTANT = 64 * DBL_EPSILON, DIGITS = 1e-9;

// m or rad, and m/s or rad/s: what is less is none
static const double NOTHING = 1e-13;


double drive_rate_jump(double t, formulaJet before, formulaJet after)
{
  const double jump = after.dx - before.dx;
  const double rates = fabs(before.dx) + fabs(after.dx);
  const double accelerations = fabs(before.ddx) + fabs(after.ddx);
  return fabs(jump) > INSTANT * (rates + fabs(t) * accelerations) + NOTHING ? jump : 0;
}


static int has_jumped(double t, formulaJet before, formulaJet after)
{
  const double values = fabs(before.x) + fabs(after.x);
  const double rates = fabs(before.dx) + fabs(after.dx);
  return !(fabs(after.x - before.x) <=
           DIGITS * values + INSTANT * fmax(fabs(t), 1) * rates + NOTHING);
}


artStatus drive_check_jump(const artModel *m, int k, double t, formulaJet before, formulaJet after,
                           artStatus status, artError *error)
{
  const modelDrive *drive = &m->drive[k];
  const modelCoordinate *coordinate = &m->position[drive->position];
  if (!has_jumped(t, before, after)) return ART_OK;
  const char *unit = coordinate->dimension.m == 1 ? "m" : "rad";
  return base_fail(error, status, drive->place,
                   "drive '%s' puts '%s' from %.9g %s to %.9g %s at once, by %.3g %s at t = %.9g s, "
                   "which takes an infinite velocity; lead it there in a time of its own, by "
                   "ramp(time, t0, x0, t1, x1) or smooth(time, t0, x0, t1, x1)",
                   drive->name, coordinate->name, before.x, unit, after.x, unit, after.x - before.x,
                   unit, t);
}


static void keep_drives(const artModel *m, artData *d)
{
  artWork *w = d->work;
  if (w->has_before) return;
  w->has_before = 1;
  memcpy(w->mode_before, w->mode, (size_t) m->nmode * sizeof *w->mode);
  for (int k = 0; k < m->ndrive; k++) {
    w->drive_before[k] = drive_jet(m, w, k, d->time, w->mode + m->drive[k].mode0);
  }
}


// Of functions that are zero at one instant rounding lets some come later: all go at once.
void force_cross_drives(const artModel *m, artData *d, int k, int i)
{
  artWork *w = d->work;
  int *mode = w->mode + m->drive[k].mode0;
  const int was = mode[i];
  keep_drives(m, d);
  for (int j = 0; j < m->ndrive; j++) {
    drive_set_branches(m, w, j, d->time, w->mode + m->drive[j].mode0);
  }
  if (mode[i] == was) formula_cross(m->drive[k].formula, i, mode);
}


artStatus force_find_blow(const artModel *m, artData *d, int *is_blow, artError *error)
{
  artWork *w = d->work;
  artStatus status = ART_OK;
  *is_blow = 0;
  if (!w->has_before) return ART_OK;
  w->has_before = 0;
  for (int k = 0; k < m->ndrive && status == ART_OK; k++) {
    const formulaJet before = w->drive_before[k];
    const formulaJet after = drive_jet(m, w, k, d->time, w->mode + m->drive[k].mode0);
    w->rate_jump[k] = drive_rate_jump(d->time, before, after);
    if (w->rate_jump[k] != 0) *is_blow = 1;
    status = drive_check_jump(m, k, d->time, before, after, ART_SINGULAR, error);
  }
  if (status != ART_OK) memcpy(w->mode, w->mode_before, (size_t) m->nmode * sizeof *w->mode);
  return status;
}
