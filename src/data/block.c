// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Creation, copy and release of a data block: memory of all values besides the state.
#include "data/work.h"

#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "data/rod_inertia.h"


static int take_block_work(artWorkspace *w, const artModel *m)
{
  baseArena *a = &w->arena;
  const size_t nv = (size_t) m->tree.nv;
  return tree_start(&m->tree, &w->tree, a) && ARENA_TAKE(a, w->applied, m->tree.n) &&
         ARENA_TAKE(a, w->value, m->nvalue) && ARENA_TAKE(a, w->mode, m->nmode) &&
         ARENA_TAKE(a, w->a_drive, nv) && ARENA_TAKE(a, w->scratch, nv) &&
         ARENA_TAKE(a, w->rod_force, m->most_rods) && rods_start(&w->rods, m, a);
}


static int take_assembly_record(artWorkspace *w, const artModel *m)
{
  assemblyRecord *r = &w->assembled;
  baseArena *a = &w->arena;
  return ARENA_TAKE(a, r->q_before, m->tree.nq) && ARENA_TAKE(a, r->q_after, m->tree.nq) &&
         ARENA_TAKE(a, r->v_before, m->tree.nv) && ARENA_TAKE(a, r->v_after, m->tree.nv);
}


artWorkspace *data_create_work(const artModel *model, const artModel *variant)
{
  ART_ASSERT(model && variant);
  artWorkspace *w = mem_alloc(1, sizeof *w);
  if (!w) return NULL;
  w->model = model;
  w->now = variant;
  w->revision = model->revision;
  const int has_record = model->nrow > 0 || variant->nrow > 0;
  if (take_block_work(w, variant) && (!has_record || take_assembly_record(w, model))) return w;
  data_free_work(w);
  return NULL;
}


int data_free_work(artWorkspace *w)
{
  if (!w) return 1;
  for (int i = WORK_OWNERS - 1; i >= 0; i--) {
    if (w->owner[i] && !w->owner[i]->free(w)) return 0;
  }
  artWorkspace *first = w->first;
  arena_free(&w->arena);
  model_free_variant(w->own_variant);
  mem_free(w);
  return data_free_work(first);
}


void data_copy_work(artWorkspace *to, const artWorkspace *from)
{
  const int are_alike = arena_copy_all(&to->arena, &from->arena);
  ART_ASSERT(are_alike);
  to->tree.has_world = from->tree.has_world;
  to->tree.has_velocity = from->tree.has_velocity;
  to->tree.has_body = from->tree.has_body;
  to->tree.f_ext = from->tree.f_ext ? to->applied : NULL;
  to->is_frozen = from->is_frozen;
  to->power = from->power;
  to->has_motion = from->has_motion;
  to->placed = from->placed;
  to->moved = from->moved;
  to->accelerated = from->accelerated;
}


void data_hand_over(const artModel *m, const artWorkspace *from, artWorkspace *to)
{
  ART_ASSERT(from->model == to->model);
  if (m->nmode > 0) memcpy(to->mode, from->mode, (size_t) m->nmode * sizeof *to->mode);
  to->is_frozen = from->is_frozen;
  to->profile = from->profile;
  if (from->assembled.q_before && to->assembled.q_before) {
    const assemblyRecord *r = &from->assembled;
    base_copy(to->assembled.q_before, r->q_before, (size_t) m->tree.nq);
    base_copy(to->assembled.q_after, r->q_after, (size_t) m->tree.nq);
    base_copy(to->assembled.v_before, r->v_before, (size_t) m->tree.nv);
    base_copy(to->assembled.v_after, r->v_after, (size_t) m->tree.nv);
  }
  for (int i = 0; i < WORK_OWNERS; i++) {
    const workOwner *owner = from->owner[i];
    if (owner && owner->hand_over) owner->hand_over(m, from, to);
  }
}


void data_refresh(artData *d)
{
  artWorkspace *w = d->work;
  w->revision = w->model->revision;
  if (w->now->revision != w->revision) {
    model_refresh_variant((artModel *) (uintptr_t) w->now, w->model);
  }
  tree_take_constants(&w->now->tree, &w->tree);
  data_forget_motion(w);
  for (int i = WORK_OWNERS - 1; i >= 0; i--) {
    if (w->owner[i] && w->owner[i]->refresh) w->owner[i]->refresh(w->now, d);
  }
}


void data_forget_motion(artWorkspace *w)
{
  for (int i = 0; i < WORK_OWNERS; i++) {
    if (w->owner[i] && w->owner[i]->forget) w->owner[i]->forget(w);
  }
}
