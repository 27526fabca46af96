// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The part of a data block that methods keep: its life.
#include <string.h>

#include "base/memory.h"
#include "method/method.h"
#include "method/recursive_work.h"
#include "method/reduce.h"


// threads come first: one that has stalled may still come back to the data
static int free_methods(artWork *w)
{
  struct methodWork *own = w->method;
  if (!method_free_crew(own)) return 0;
  reduce_free(own->reduce);
  method_free_natural(own->natural);
  method_free_generated(own->generated);
  arena_free(&own->arena);
  mem_free(own);
  return 1;
}


// with the rows that the recursive method usually takes in `from`; threads stay with their branches
static artStatus copy_recursive(artData *to, const struct methodRecursive *from, artError *error)
{
  const artModel *m = to->work->now;
  struct methodWork *own = to->work->method;
  if (own->crew) return ART_OK;
  if (own->recursive && from && memcmp(own->recursive->keep, from->keep, (size_t) m->nrow) == 0) {
    return ART_OK;
  }
  own->recursive = NULL;
  return from ? recursive_start(m, to, from->keep, error) : ART_OK;
}


// multipliers of inertia that bodies share with twins are known to the recursive method alone
static void need_multipliers(const artData *d)
{
  const artWork *w = d->work;
  artData open = *d;
  if (w->loop && w->loop->has_shares && !w->has_multipliers) method_need_forces(w->now, &open);
}


static artStatus copy_methods(artData *to, const artData *from, artError *error)
{
  const struct methodWork *other = from->work->method;
  need_multipliers(from);
  if (!method_work(to)) return base_no_memory(error);
  artStatus status = copy_recursive(to, other ? other->recursive : NULL, error);
  if (status == ART_OK) status = method_copy_natural(to, from, error);
  if (status == ART_OK) status = method_copy_generated(to, from, error);
  return status;
}


struct methodWork *method_work(artData *d)
{
  static const workOwner owner = {.free = free_methods, .copy = copy_methods};
  artWork *w = d->work;
  if (w->method) return w->method;
  w->method = mem_alloc(1, sizeof *w->method);
  if (w->method) w->owner[WORK_METHODS] = &owner;
  return w->method;
}
