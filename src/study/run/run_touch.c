// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs of machines with rigid contacts by steps of given length (Moreau and Jean). A step of length h from q, v at t:
//   q_half = q + h/2 v
//   a at t + h/2, q_half and v + h/2 a_0, with a_0 the accelerations at v
//   v_end = v + h a + what contacts add (method/touch_step.c)
//   q_end = q_half + h/2 v_end, and surfaces that overlap there are moved apart
// which is of order two where nothing touches, and of order one with impacts.
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/max_nan.h"
#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"
#include "study/run/run.h"


int touch_take_arrays(artRun *run)
{
  const artModel *m = run->m;
  baseArena *a = &run->arena;
  const size_t nv = (size_t) m->tree.nv;
  runTouch *r = &run->touch;
  return ARENA_TAKE(a, r->v, nv) && ARENA_TAKE(a, r->free, nv) && ARENA_TAKE(a, r->end, nv) &&
         ARENA_TAKE(a, r->mean, nv) && ARENA_TAKE(a, r->s, m->nstate) &&
         ARENA_TAKE(a, r->rates, (size_t) m->tree.nq + nv) &&
         ARENA_TAKE(a, r->y, (size_t) m->tree.nq + nv + (size_t) m->nstate + 1);
}


// where a position follows from others, or from time
static artStatus settle_positions(artRun *run, double t, artError *error)
{
  run->d->time = t;
  if (run->has_lines) force_follow_lines(run->m, run->d);
  force_update(run->m, run->d);
  return run->m->nrow > 0 ? loop_close(run->m, run->d, error) : ART_OK;
}


// Accelerations without contacts: those in the middle of the step, from velocities and states at its start and then from those that the
// first ones lead to.
static artStatus accelerate_freely(artRun *run, double h)
{
  artData *d = run->d;
  const runTouch *r = &run->touch;
  artStatus status = ART_OK;
  d->work->force->is_free = 1;
  for (int turn = 0; turn < 2 && status == ART_OK; turn++) {
    for (int j = 0; j < run->nv && turn; j++) {
      const int k = run->velocity[j];
      d->v[k] = r->v[k] + 0.5 * h * d->a[k];
    }
    for (int k = 0; k < run->m->nstate && turn; k++) d->s[k] = r->s[k] + 0.5 * h * d->s_rate[k];
    if (turn) force_update(run->m, d);
    status = method_accelerate(run->m, d, (int) run->method, &run->failure);
  }
  d->work->force->is_free = 0;
  return status;
}


// Velocities at the end of the step without contacts. Those of drives are what they are in the middle, and change likewise.
static void find_free_velocities(artRun *run, double h)
{
  artData *d = run->d;
  const runTouch *r = &run->touch;
  for (int k = 0; k < run->m->tree.nv; k++) r->free[k] = d->v[k] + 0.5 * h * d->a[k];
  for (int j = 0; j < run->nv; j++) {
    const int k = run->velocity[j];
    r->free[k] = r->v[k] + h * d->a[k];
    d->v[k] = r->v[k];
  }
  for (int k = 0; k < run->m->nstate; k++) r->s[k] += h * d->s_rate[k];
  tree_forget_velocities(&d->work->tree);
}


static void put_velocities(artRun *run, const double *v)
{
  memcpy(run->d->v, v, (size_t) run->m->tree.nv * sizeof *v);
  tree_forget_velocities(&run->d->work->tree);
}


static double kinetic_of(artRun *run, const double *v)
{
  put_velocities(run, v);
  return art_energy(run->m, run->d).kinetic;
}


// power of the forces in the middle of the step, without contacts and drives
static artStatus find_power(artRun *run, const double *v, double *power)
{
  artData *d = run->d;
  put_velocities(run, v);
  force_update(run->m, d);
  d->work->force->is_free = 1;
  const artStatus status = force_apply(run->m, d, &run->failure);
  d->work->force->is_free = 0;
  *power = d->work->power;
  return status;
}


// The work of a step by velocities u before it, u_free after it without contacts, and u_end: forces do theirs by (u + u_end)/2, contacts, too,
// and drives have a part in what contacts change, since they move as prescribed.
static artStatus find_work(artRun *run, double h, double *work)
{
  const touchStep *step = &run->touch.step;
  const runTouch *r = &run->touch;
  const size_t nv = (size_t) run->m->tree.nv;
  double forces = 0, freely = 0;
  artStatus status = ART_OK;
  *work += step->work;
  if (step->n == 0) return ART_OK;
  memcpy(r->end, run->d->v, nv * sizeof *r->end);
  if (run->m->ndrive > 0) {
    const double before = kinetic_of(run, r->free);
    *work += kinetic_of(run, r->end) - before - step->shared - step->work;
  }
  for (size_t k = 0; k < nv; k++) r->mean[k] = 0.5 * (r->v[k] + r->free[k]);
  status = find_power(run, r->mean, &freely);
  for (size_t k = 0; k < nv; k++) r->mean[k] = 0.5 * (r->v[k] + r->end[k]);
  if (status == ART_OK) status = find_power(run, r->mean, &forces);
  *work += h * (forces - freely);
  put_velocities(run, r->end);
  return status;
}


artStatus touch_leap(void *context, double t, double h, const double *from, double *to)
{
  artRun *run = context;
  artData *d = run->d;
  runTouch *r = &run->touch;
  const size_t nv = (size_t) run->m->tree.nv;
  run->settled_time = -HUGE_VAL;
  r->is_open = 1;
  run_put(run, t, from);
  method_move_positions(run->m, d, d->v, 0.5 * h, r->rates);
  artStatus status = settle_positions(run, t + 0.5 * h, &run->failure);
  memcpy(r->v, d->v, nv * sizeof *r->v);
  if (run->m->nstate > 0) memcpy(r->s, d->s, (size_t) run->m->nstate * sizeof *r->s);
  if (status == ART_OK) status = accelerate_freely(run, h);
  if (status != ART_OK) return status;
  double work = h * d->work->power;
  find_free_velocities(run, h);
  r->step = (touchStep){.h = h, .free = r->free};
  status = method_touch_step(run->m, d, &r->step, &run->failure);
  if (status == ART_OK) status = find_work(run, h, &work);
  if (status != ART_OK) return status;
  if (run->m->nstate > 0) memcpy(d->s, r->s, (size_t) run->m->nstate * sizeof *r->s);
  method_move_positions(run->m, d, d->v, 0.5 * h, r->rates);
  status = settle_positions(run, t + h, &run->failure);
  if (status == ART_OK && method_touch_lift(run->m, d, &r->step)) {
    status = settle_positions(run, t + h, &run->failure);
  }
  if (status == ART_OK) run_take_state(run, run_work(run, from) + work, to);
  return status;
}


void touch_account(const artRun *run, double part, artCertificate *c)
{
  const touchStep *s = &run->touch.step;
  if (!run->touch.is_open) return;
  c->contact_impacts += s->meets;
  c->contact_loss -= part * s->work;
  c->contact_left = max_nan(c->contact_left, s->left);
  c->contact_overlap = max_nan(c->contact_overlap, s->overlap);
  if (c->contact[0] != '\0' || s->overlap <= RIGID_OVERLAP * s->reach) return;
  format_text(c->contact, sizeof c->contact, "%.200s", s->deepest->name);
}
