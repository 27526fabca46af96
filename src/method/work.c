// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The part of a data block that methods keep: its life.
#include "base/memory.h"
#include "method/method.h"
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


struct methodWork *method_work(artData *d)
{
  static const workOwner owner = {.free = free_methods};
  artWork *w = d->work;
  if (w->method) return w->method;
  w->method = mem_alloc(1, sizeof *w->method);
  if (w->method) w->owner[WORK_METHODS] = &owner;
  return w->method;
}
