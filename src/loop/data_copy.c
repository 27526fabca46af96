// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Copies of data blocks, and the memory size of a data block.
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "force/force.h"
#include "loop/loop.h"

//---- variants ------------------------------------------------------------------------------------

const artModel *loop_leave_copy(artData *d)
{
  artWorkspace *w = d->work, *first = w->first;
  if (!first) return w->now;
  const artModel *m = first->now;
  data_hand_over(m, w, first);
  w->first = NULL;
  d->work = first;
  data_free_work(w);
  first->is_frozen = 0;
  force_reset_latches(m, d);
  force_update(m, d);
  return m;
}


static int singular_path_alike(const artModel *a, const artModel *b)
{
  double x[LATCH_NUMBERS], y[LATCH_NUMBERS];
  for (int i = 0; i < a->nlatch; i++) {
    model_latch_numbers(a, i, x);
    model_latch_numbers(b, i, y);
    if (a->engaged[i] != b->engaged[i] || memcmp(x, y, sizeof x) != 0) return 0;
  }
  return 1;
}


static artStatus enter_variant(artData *d, const artModel *variant, artError *error)
{
  artModel *own = NULL;
  artWorkspace *first = d->work;
  double *holds = MEM_ARRAY(double, LATCH_NUMBERS * variant->nlatch);
  if (!holds) return base_no_memory(error);
  for (int i = 0; i < variant->nlatch; i++) {
    model_latch_numbers(variant, i, holds + LATCH_NUMBERS * i);
  }
  const artStatus status = model_create_variant(&own, first->model, variant->engaged, holds, error);
  mem_free(holds);
  if (status != ART_OK) return status;
  artWorkspace *w = loop_create_work(first->model, own);
  if (!w) {
    model_free_variant(own);
    return base_no_memory(error);
  }
  w->profile = first->profile;
  w->own_variant = own;
  w->first = first;
  d->work = w;
  return ART_OK;
}


// switch `to` to the variant of `from`, which may belong to a run
static artStatus take_data_variant(artData *to, const artData *from, artError *error)
{
  const artModel *want = from->work->now;
  if (to->work->now == want) return ART_OK;
  if (to->work->first && want != from->work->model && singular_path_alike(to->work->now, want))
    return ART_OK;
  (void) loop_leave_copy(to);
  return to->work->now == want ? ART_OK : enter_variant(to, want, error);
}


//---- copies --------------------------------------------------------------------------------------

// upper layers first, because they may modify the state of `to`
static artStatus copy_parts(artData *to, const artData *from, artError *error)
{
  artStatus status = ART_OK;
  for (int i = WORK_OWNERS - 1; i >= 0 && status == ART_OK; i--) {
    const workOwner *owner = from->work->owner[i] ? from->work->owner[i] : to->work->owner[i];
    if (owner && owner->copy) status = owner->copy(to, from, error);
  }
  return status;
}


artStatus art_copy_data(const artModel *m, artData *to, const artData *from, artError *error)
{
  ARITHMETIC_GUARD;
  if (!work_is_of(m, to) || !work_is_of(m, from) || to->work->model != from->work->model) {
    return base_misuse(error, __func__, "a model and two data blocks of it");
  }
  if (to == from) return ART_OK;
  work_look(to);
  artStatus status = take_data_variant(to, from, error);
  if (status == ART_OK) status = copy_parts(to, from, error);
  if (status != ART_OK) {
    art_reset(m, to);
    return status;
  }
  m = to->work->now;
  data_copy_work(to->work, from->work);
  to->work->revision =
      from->work->revision; // invalidates quantities derived from earlier parameters
  to->time = from->time;
  base_copy(to->q, from->q, (size_t) m->tree.nq);
  base_copy(to->v, from->v, (size_t) m->tree.nv);
  base_copy(to->a, from->a, (size_t) m->tree.nv);
  base_copy(to->force, from->force, (size_t) m->tree.nv);
  base_copy(to->s, from->s, (size_t) m->nstate);
  base_copy(to->s_rate, from->s_rate, (size_t) m->nstate);
  base_copy(to->u, from->u, (size_t) m->nheld);
  return ART_OK;
}


//---- memory --------------------------------------------------------------------------------------

size_t art_data_size(const artModel *m)
{
  ART_REQUIRE_OR(m, 0);
  artData *d = art_create_data(m);
  if (!d) return 0;
  const artWorkspace *w = d->work;
  size_t bytes = sizeof *d + sizeof *w + sizeof *w->force + arena_bytes(&w->arena);
  if (w->loop)
    bytes += sizeof *w->loop + arena_bytes(&w->loop->memory) + reserve_bytes(&w->loop->reserve);
  art_free_data(d);
  return bytes;
}
