// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The methods' part of a data block: creation, refresh, copy and release.
#include "base/memory.h"
#include "force/force_work.h"
#include "loop/loop.h"
#include "method/method.h"


// stop threads first: a stalled one may still access the data
static int free_methods(artWorkspace *w)
{
  struct methodWork *own = w->method;
  if (!method_free_workers(own)) return 0;
  for (int k = 0; k < MODEL_WAYS; k++) {
    const methodKind *kind = method_kind(k);
    if (own->part[k] && kind->free) kind->free(own->part[k]);
  }
  arena_free(&own->arena);
  arena_free(&own->changing);
  mem_free(own);
  return 1;
}


// The next evaluation creates the parts again; threads that used the old ones end.
static void refresh_methods(const artModel *m, artData *d)
{
  (void) m;
  struct methodWork *own = d->work->method;
  if (!method_free_workers(own)) return;
  for (int k = 0; k < MODEL_WAYS; k++) {
    const methodKind *kind = method_kind(k);
    if (own->part[k] && kind->free) kind->free(own->part[k]);
    own->part[k] = NULL;
  }
  own->has_shares = 0;
  own->roll = NULL;
  own->rigid = NULL;
  own->touch = NULL;
  arena_clear(&own->arena);
}


static artStatus copy_methods(artData *to, const artData *from, artError *error)
{
  const struct methodWork *other = from->work->method;
  struct methodWork *own = method_work(to);
  if (!own) return base_no_memory(error);

  // only the recursive method knows multipliers of inertia distributed over counterparts
  artData open = *from;
  if (other && other->has_shares && !from->work->force->has_multipliers) {
    method_need_forces(from->work->now, &open);
  }
  own->algebra = other ? other->algebra : ART_ALGEBRA_AUTOMATIC;
  own->alpha = other ? other->alpha : LOOP_BAUMGARTE_ALPHA;
  own->beta = other ? other->beta : LOOP_BAUMGARTE_BETA;
  artStatus status = ART_OK;
  for (int k = 0; k < MODEL_WAYS && status == ART_OK; k++) {
    const methodKind *kind = method_kind(k);
    if (kind->copy) status = kind->copy(to, from, error);
  }
  own->has_shares = other && other->has_shares;
  return status;
}


struct methodWork *method_work(artData *d)
{
  static const workOwner owner = {
      .free = free_methods, .copy = copy_methods, .refresh = refresh_methods};
  artWorkspace *w = d->work;
  if (w->method) return w->method;
  w->method = mem_alloc(1, sizeof *w->method);
  if (!w->method) return NULL;
  w->method->alpha = LOOP_BAUMGARTE_ALPHA;
  w->method->beta = LOOP_BAUMGARTE_BETA;
  w->owner[WORK_METHODS] = &owner;
  return w->method;
}


artStatus method_start(const artModel *m, artData *d, int way, artError *error)
{
  const struct methodWork *own = method_work(d);
  if (!own) return base_no_memory(error);
  const methodKind *kind = method_kind(way);
  return own->part[way] || !kind->start ? ART_OK : kind->start(m, d, error);
}
