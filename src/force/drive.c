// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drives: prescribed motion of joint coordinates, with its exact derivatives, and where it jumps.
#include "force/drive.h"

#include <float.h>
#include <math.h>
#include <string.h>

//---- the motion ----------------------------------------------------------------------------------

static void set_time(const artModel *m, artWorkspace *w, double t)
{
  for (int i = 0; i < m->nquantity; i++) {
    if (m->quantity[i].kind != QUANTITY_TIME) continue;
    w->force->jets[i] = (formulaJet){t, 1, 0};
    w->force->slots[i] = t;
  }
}


double drive_behind(double t)
{
  return t + 64 * DBL_EPSILON * fmax(fabs(t), 1e-3);
}


void drive_set_branches(const artModel *m, artWorkspace *w, const modelDrive *drive, double t,
                        int *mode)
{
  const formula *f = drive->formula;
  if (!f || f->nswitch == 0) return;
  set_time(m, w, drive_behind(t));
  formula_set_branches(f, w->force->slots, mode, w->force->stack);
  set_time(m, w, t);
}


// at t, which formulas read already
static formulaJet jet_now(const modelDrive *drive, artWorkspace *w, double t, const int *mode)
{
  if (drive->formula) {
    return formula_jet(drive->formula, w->force->jets, mode, w->force->jet_stack);
  }
  double f[3];
  law_derivatives(drive->table, law_segment(drive->table, t), t, f);
  return (formulaJet){f[0], f[1], f[2]};
}


formulaJet drive_jet(const artModel *m, artWorkspace *w, const modelDrive *drive, double t,
                     const int *mode)
{
  set_time(m, w, t);
  return jet_now(drive, w, t, mode);
}


void force_drive(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  if (m->ndrive == 0) return;
  set_time(m, w, d->time);
  for (int k = 0; k < m->ndrive; k++) {
    const modelDrive *drive = &m->drive[k];
    int *mode = w->mode + drive->mode0;
    if (!w->is_frozen) drive_set_branches(m, w, drive, d->time, mode);
    const formulaJet jet = jet_now(drive, w, d->time, mode);
    d->q[drive->position] = jet.x;
    d->v[drive->velocity] = jet.dx;
    w->a_drive[drive->velocity] = jet.ddx;
  }
}


artStatus force_check_drives(const artModel *m, const artData *d, artError *error)
{
  for (int k = 0; k < m->ndrive; k++) {
    const modelDrive *drive = &m->drive[k];
    const double x = d->q[drive->position], rate = d->v[drive->velocity];
    if (isfinite(x) && isfinite(rate) && isfinite(d->work->a_drive[drive->velocity])) continue;
    return base_fail(error, ART_SINGULAR, drive->place,
                     "%s '%s' gives '%s' no finite %s at t = %.9g s; use a formula that has one",
                     drive->kind, drive->name, m->position[drive->position].name,
                     !isfinite(x)      ? "value"
                     : !isfinite(rate) ? "velocity"
                                       : "acceleration",
                     d->time);
  }
  return ART_OK;
}


//---- where it jumps ------------------------------------------------------------------------------

// relative: what instants are found to, and what numbers of a model file are written to
static const double INSTANT = 1e-12, DIGITS = 1e-9;

// m or rad, and m/s or rad/s: what is less is none
static const double NOTHING = 1e-13;


// the two sides of an instant, where the branches of either go on, or a little apart
static formulaJet side_jet(const artModel *m, artWorkspace *w, const modelDrive *drive, double t,
                           double away, const int *mode)
{
  const formulaJet there = drive_jet(m, w, drive, t, mode);
  const int is_there = isfinite(there.x) && isfinite(there.dx);
  return is_there ? there : drive_jet(m, w, drive, t + away, mode);
}


static double find_rate_jump(double t, formulaJet before, formulaJet after)
{
  const double jump = after.dx - before.dx;
  const double rates = fabs(before.dx) + fabs(after.dx);
  const double accelerations = fabs(before.ddx) + fabs(after.ddx);
  const int is_none = fabs(jump) <= INSTANT * (rates + fabs(t) * accelerations) + NOTHING;
  return is_none ? 0 : jump;
}


static int has_jumped(double t, formulaJet before, formulaJet after)
{
  const double values = fabs(before.x) + fabs(after.x);
  const double rates = fabs(before.dx) + fabs(after.dx);
  return !(fabs(after.x - before.x) <=
           DIGITS * values + 100 * INSTANT * fmax(fabs(t), 1) * rates + NOTHING);
}


// The derivative that grows without bound towards t, so that the rate changes at once: the rate itself, as that of
// x^(1/2) at x = 0, or the acceleration alone, as that of x^(3/2). NULL: nothing does.
static const char *find_boundless(const artModel *m, artWorkspace *w, const modelDrive *drive,
                                  double t, double away, const int *mode)
{
  const double near = drive_jet(m, w, drive, t + away, mode).dx;
  const double far = drive_jet(m, w, drive, t + 16 * away, mode).dx;
  if (fabs(near - far) <= 1e-3 * (fabs(near) + fabs(far)) + 1e-6) return NULL;
  return fabs(near) < fabs(far) ? "acceleration" : "velocity";
}


static artStatus report_jump(const artModel *m, const modelDrive *drive, double t, double from,
                             double to, artStatus refusal, artError *error)
{
  const modelCoordinate *coordinate = &m->position[drive->position];
  const char *unit = coordinate->dimension.m == 1 ? "m" : "rad";
  const int is_small = fabs(to - from) <= 1e-4 * fmax(fabs(from), fabs(to));
  return base_fail(error, refusal, drive->place,
                   "%s '%s' moves '%s' from %.9g to %.9g %s at once, by %.3g %s at t = %.9g s, "
                   "which takes an infinite velocity; %s",
                   drive->kind, drive->name, coordinate->name, from, to, unit, to - from, unit, t,
                   is_small ? "write its numbers with more digits, that it joins"
                            : "give it time, by ramp(time, t0, x0, t1, x1) or smooth(time, t0, x0, "
                              "t1, x1)");
}


static artStatus report_boundless(const artModel *m, const modelDrive *drive, double t,
                                  const char *what, artStatus refusal, artError *error)
{
  return base_fail(error, refusal, drive->place,
                   "%s '%s' moves '%s' with an infinite %s at t = %.9g s; use a formula "
                   "for which it is finite, for example smooth(time, t0, x0, t1, x1)",
                   drive->kind, drive->name, m->position[drive->position].name, what, t);
}


artStatus drive_sides(const artModel *m, artWorkspace *w, const modelDrive *drive, double t,
                      const int *mode_before, const int *mode_after, artStatus refusal,
                      driveSides *sides, artError *error)
{
  const double away = INSTANT * fmax(fabs(t), 1);
  const formulaJet before = side_jet(m, w, drive, t, -away, mode_before);
  const formulaJet after = side_jet(m, w, drive, t, away, mode_after);
  *sides = (driveSides){before.dx, find_rate_jump(t, before, after)};
  if (has_jumped(t, before, after)) {
    return report_jump(m, drive, t, before.x, after.x, refusal, error);
  }
  const char *what = find_boundless(m, w, drive, t, -away, mode_before);
  if (!what) what = find_boundless(m, w, drive, t, away, mode_after);
  return what ? report_boundless(m, drive, t, what, refusal, error) : ART_OK;
}


// Of functions that are zero at one instant rounding lets some come later: all go at once.
void force_switch_drives(const artModel *m, artData *d, int k, int i)
{
  ART_ASSERT(k >= 0 && k < m->ndrive);
  artWorkspace *w = d->work;
  int *mode = w->mode + m->drive[k].mode0;
  if (!w->force->has_before) {
    w->force->has_before = 1;
    memcpy(w->force->mode_before, w->mode, (size_t) m->nmode * sizeof *w->mode);
  }
  for (int j = 0; j < m->ndrive; j++) {
    drive_set_branches(m, w, &m->drive[j], d->time, w->mode + m->drive[j].mode0);
  }
  if (mode[i] == w->force->mode_before[m->drive[k].mode0 + i])
    formula_switch_mode(m->drive[k].formula, i, mode);
}


artStatus force_find_impact(const artModel *m, artData *d, int *is_impact, artError *error)
{
  artWorkspace *w = d->work;
  artStatus status = ART_OK;
  *is_impact = 0;
  if (!w->force->has_before) return ART_OK;
  w->force->has_before = 0;
  for (int k = 0; k < m->ndrive && status == ART_OK; k++) {
    const modelDrive *drive = &m->drive[k];
    driveSides sides;
    status = drive_sides(m, w, drive, d->time, w->force->mode_before + drive->mode0,
                         w->mode + drive->mode0, ART_SINGULAR, &sides, error);
    w->force->rate_before[k] = sides.rate_before;
    w->force->rate_jump[k] = sides.rate_jump;
    if (sides.rate_jump != 0) *is_impact = 1;
  }
  if (status != ART_OK) memcpy(w->mode, w->force->mode_before, (size_t) m->nmode * sizeof *w->mode);
  return status;
}
