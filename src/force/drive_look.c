// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drives looked through before they are followed: where their values and rates jump.
//
// Time goes on in a thousand intervals. Where branches of the formula differ at the two ends of one, the instant of the
// change is found by bisection. Functions whose slope can jump though they do not switch, such as sqrt(x^2), hypot(x, 0)
// and acos(cos(x)), are compared with their derivatives in each interval,
//   x1 - x0 = h (v0 + v1)/2,    v1 - v0 = h (a0 + a1)/2,
// and where that fails in ever shorter halves of it: what is smooth soon agrees.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "force/drive.h"

enum { INTERVALS = 1000, MAX_CORNERS = 2000 };

// of the largest rate or value so far, and of the time in view
static const double EDGE = 1e-3, SHORTEST = 1e-9;

typedef struct driveLook {
  const artModel *m;
  artWorkspace *w;
  const modelDrive *drive;
  int *mode, *other; // its branches now, and at another instant
  double duration;
  double most_value, most_rate;
  forceCornerFound *found;
  void *context;
} driveLook;

//---- functions that switch -----------------------------------------------------------------------

static int is_same_branch(driveLook *x, double t)
{
  const int n = x->drive->nmode;
  drive_set_branches(x->m, x->w, x->drive, t, x->other);
  return memcmp(x->mode, x->other, (size_t) n * sizeof *x->mode) == 0;
}


// the branches end between the two
static double find_change(driveLook *x, double low, double high)
{
  const double width = 4 * DBL_EPSILON * fmax(fabs(low), fabs(high));
  while (high - low > width) {
    const double t = low + (high - low) / 2;
    *(is_same_branch(x, t) ? &low : &high) = t;
  }
  return drive_behind(high);
}


//---- and those that do not -----------------------------------------------------------------------

static formulaJet look_at_drive_time(driveLook *x, double t)
{
  const formulaJet jet = drive_jet(x->m, x->w, x->drive, t, x->mode);
  if (isfinite(jet.x)) x->most_value = max_nan(x->most_value, fabs(jet.x));
  return jet;
}


static double share_of_whole(double x, double whole)
{
  return x == 0 ? 0 : fabs(x) / whole;
}


// how far the ends of an interval are from one smooth curve, as multiples of what counts
static double drive_misfit(const driveLook *x, formulaJet a, formulaJet b, double h)
{
  const double value = share_of_whole(b.x - a.x - h / 2 * (a.dx + b.dx), EDGE * x->most_value);
  const double rate = share_of_whole(b.dx - a.dx - h / 2 * (a.ddx + b.ddx), EDGE * x->most_rate);
  return isfinite(value) && isfinite(rate) ? fmax(value, rate) : INFINITY;
}


static artStatus check_smooth(driveLook *x, double low, double high, artError *error)
{
  const modelDrive *drive = x->drive;
  const double shortest = SHORTEST * (x->duration + fabs(high));
  if (!formula_has_edges(drive->formula)) return ART_OK;
  formulaJet a = look_at_drive_time(x, low), b = look_at_drive_time(x, high);
  x->most_rate = max_nan(x->most_rate, fmin(fabs(a.dx), fabs(b.dx)));
  while (high - low > shortest) {
    if (drive_misfit(x, a, b, high - low) <= 1) return ART_OK;
    const double t = low + 0.49 * (high - low);
    const formulaJet c = look_at_drive_time(x, t);
    if (drive_misfit(x, a, c, t - low) > drive_misfit(x, c, b, high - t)) {
      b = c, high = t;
    } else {
      a = c, low = t;
    }
  }

  // at a jump the accelerations next to it do not show it
  const double told = (high - low) * (fabs(a.ddx) + fabs(b.ddx)) / 2;
  if (told > 0.1 * fabs(b.dx - a.dx) && isfinite(a.dx) && isfinite(b.dx)) {
    return base_fail(error, ART_BAD_INPUT, drive->place,
                     "%s '%s' moves '%s' with a velocity or an acceleration that grows without "
                     "bound towards t = %.6g s, as of a power below 2 at zero; use a formula for "
                     "which both are finite",
                     drive->kind, drive->name, x->m->position[drive->position].name, high);
  }
  return base_fail(
      error, ART_BAD_INPUT, drive->place,
      "the value or the rate of '%s' by %s '%s' jumps at t = %.9g s, the rate from %.6g to "
      "%.6g, in a function that has no switching instant there, such as sqrt, hypot, "
      "acos or a power; write it with abs, min, max, mod, ramp or if",
      x->m->position[drive->position].name, drive->kind, drive->name, high, a.dx, b.dx);
}


//---- all of the time -----------------------------------------------------------------------------

// t, where the branches change
static artStatus pass_corner(driveLook *x, double t, artError *error)
{
  const int n = x->drive->nmode;
  driveSides sides;
  drive_set_branches(x->m, x->w, x->drive, t, x->other);
  const artStatus status =
      drive_sides(x->m, x->w, x->drive, t, x->mode, x->other, ART_BAD_INPUT, &sides, error);
  if (sides.rate_jump != 0 && x->found) x->found(x->context, x->drive, t, sides.rate_jump);
  memcpy(x->mode, x->other, (size_t) n * sizeof *x->mode);
  return status;
}


// Ends of intervals are no round times, at which derivatives may be 0/0.
static artStatus look_at_drive(driveLook *x, double from, artError *error)
{
  const double h = x->duration / INTERVALS, little = 1e-6 * h;
  artStatus status = ART_OK;
  double t = from + little;
  int corners = 0;
  drive_set_branches(x->m, x->w, x->drive, from, x->mode);
  for (int i = 0; i <= INTERVALS && corners < MAX_CORNERS && status == ART_OK; i++) {
    const double end = i < INTERVALS ? from + (i + 0.53) * h : from + x->duration - little;
    while (status == ART_OK && corners < MAX_CORNERS && !is_same_branch(x, end)) {
      const double corner = find_change(x, t, end);
      if (corner - little > t) status = check_smooth(x, t, corner - little, error);
      if (status == ART_OK) status = pass_corner(x, corner, error);
      t = fmin(corner + little, end);
      corners++;
    }
    if (status == ART_OK) status = check_smooth(x, t, end, error);
    t = end;
  }
  return status;
}


artStatus force_look_at_motion(const artModel *m, artData *d, const modelDrive *drive, double from,
                               double until, int *mode, int *scratch, forceCornerFound *found,
                               void *context, artError *error)
{
  const formula *f = drive->formula;
  driveLook x = {.m = m,
                 .w = d->work,
                 .drive = drive,
                 .mode = mode,
                 .other = scratch,
                 .duration = until - from,
                 .found = found,
                 .context = context};
  if (!f || formula_is_constant(f) || !(until > from)) return ART_OK;
  if (f->nswitch == 0 && !formula_has_edges(f)) return ART_OK;
  return look_at_drive(&x, from, error);
}


artStatus force_look_at_drives(const artModel *m, artData *d, double from, double until,
                               forceCornerFound *found, void *context, artError *error)
{
  artWorkspace *w = d->work;
  artStatus status = ART_OK;
  for (int k = 0; k < m->ndrive && status == ART_OK; k++) {
    const modelDrive *drive = &m->drive[k];
    status = force_look_at_motion(m, d, drive, from, until, w->mode + drive->mode0,
                                  w->force->mode_before + drive->mode0, found, context, error);
  }
  return status;
}
