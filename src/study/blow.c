// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Blows: what a drive whose rate jumps does to the rest of the machine.
//
// In the equations of motion at a position, integrated over the instant, forces and velocity terms drop out and
// accelerations become jumps of velocities,
//   M dv + Phi_q^T L = P,    Phi_q dv = 0,    dv given in driven coordinates,
// with the impulses L of the loops and P of the drives. That is the part of the equations which is linear in the
// accelerations of the drives, and so every method has it already:
//   dv = (a(s dv_d) - a(0)) / s,    P = (f(s dv_d) - f(0)) / s,
// with s so large that nothing of a(0) is left in dv but its rounding. The drives' work is P times the mean of
// their rates before and after.
#include <string.h>

#include "force/force.h"
#include "study/run.h"

static const double SHARPNESS = 0x1p40; // s, 1/s


// accelerations and joint forces at y in the present modes, with drives that accelerate by so many jumps a second
static artStatus strike(artRun *run, double t, const double *y, double sharpness, artError *error)
{
  const artModel *m = run->m;
  artWork *w = run->d->work;
  run_put(run, t, y);
  for (int k = 0; k < m->ndrive; k++) {
    w->a_drive[m->drive[k].velocity] = sharpness * w->force->rate_jump[k];
  }
  return art_accelerate(m, run->d, run->method, error);
}


// what the drives have done
static double work_of_drives(const artRun *run, const double *force)
{
  const artModel *m = run->m;
  const artWork *w = run->d->work;
  double work = 0;
  for (int k = 0; k < m->ndrive; k++) {
    const int v = m->drive[k].velocity;
    const double impulse = (run->d->force[v] - force[v]) / SHARPNESS;
    work += impulse * (w->force->rate_before[k] + 0.5 * w->force->rate_jump[k]);
  }
  return work;
}


artStatus run_jump(artRun *run, double t, double *y, artError *error)
{
  const int nv = run->m->tree.nv;
  double *a = run->blow, *force = a + nv;
  int is_blow;
  run->d->time = t;
  artStatus status = force_find_blow(run->m, run->d, &is_blow, error);
  if (status != ART_OK || !is_blow) return status;
  if (force_has_taut(run->m)) return latch_strike_at(run, t, y, error);

  status = strike(run, t, y, 0, error);
  memcpy(a, run->d->a, (size_t) nv * sizeof *a);
  memcpy(force, run->d->force, (size_t) nv * sizeof *force);
  if (status == ART_OK) status = strike(run, t, y, SHARPNESS, error);
  if (status != ART_OK) return status;
  for (int k = 0; k < run->nv; k++) {
    const int v = run->velocity[k];
    y[run->nq + k] += (run->d->a[v] - a[v]) / SHARPNESS;
  }
  y[run->n - 1] += work_of_drives(run, force) / run->unit;
  run->certificate.blows++;
  return ART_OK;
}
