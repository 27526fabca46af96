// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Life cycle of a data block: coordinates and elements, and loops if the machine has any.

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "force/force.h"
#include "loop/loop.h"


static int free_loops(artWorkspace *w)
{
  loop_free(w->loop);
  return 1;
}


static void forget_loops(artWorkspace *w)
{
  loop_forget(w->loop);
}


static void refresh_loops(const artModel *m, artData *d)
{
  places_find(&d->work->loop->places, m);
}


artWorkspace *loop_create_work(const artModel *model, const artModel *variant)
{
  static const workOwner owner = {
      .free = free_loops, .forget = forget_loops, .copy = state_copy, .refresh = refresh_loops};
  artWorkspace *w = data_create_work(model, variant);
  if (!w) return NULL;
  int is_made = force_start_work(w, variant);
  if (is_made && variant->nrow > 0) {
    is_made = loop_start(&w->loop, variant);
    if (is_made) w->owner[WORK_LOOPS] = &owner;
  }
  if (is_made) return w;
  data_free_work(w);
  return NULL;
}


artData *art_create_data(const artModel *m)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m, NULL);
  artData *d = mem_alloc(1, sizeof *d);
  if (!d) return NULL;
  d->work = loop_create_work(m, m);
  if (!d->work) {
    art_free_data(d);
    return NULL;
  }
  baseArena *a = &d->work->arena;
  if (!ARENA_TAKE(a, d->q, m->tree.nq) || !ARENA_TAKE(a, d->v, m->tree.nv) ||
      !ARENA_TAKE(a, d->a, m->tree.nv) || !ARENA_TAKE(a, d->force, m->tree.nv) ||
      !ARENA_TAKE(a, d->s, m->nstate) || !ARENA_TAKE(a, d->s_rate, m->nstate) ||
      !ARENA_TAKE(a, d->u, m->nheld)) {
    art_free_data(d);
    return NULL;
  }
  art_reset(m, d);
  return d;
}


void art_free_data(artData *d)
{
  if (d && data_free_work(d->work)) mem_free(d);
}


void art_reset(const artModel *m, artData *d)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  m = loop_leave_copy(d);
  artWorkspace *w = d->work;
  if (!w->is_frozen) data_forget_motion(w); // a continued run keeps its motion
  d->time = 0;
  base_copy(d->q, m->q_initial, (size_t) m->tree.nq);
  base_copy(d->v, m->v_initial, (size_t) m->tree.nv);
  for (int k = 0; k < m->nstate; k++) d->s[k] = m->state[k].initial;
  for (int k = 0; k < m->nheld; k++) d->u[k] = m->held[k].initial;
  w->is_frozen = 0;
  force_reset_work(w);
  force_update(m, d);
}
