// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations by natural coordinates: convert to them, use the augmented Lagrangian of index 1,
// convert back.
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "loop/loop.h"
#include "method/method.h"
#include "natural/motion.h"
#include "natural/natural.h"

typedef struct methodNatural {
  naturalMachine *machine;
  naturalMotion *motion;
  double *q, *v, *a;       // [n] of natural coordinates
  double *lambda;          // [nrow]
  double *kept_q, *kept_v; // [nq], [nv] relative coordinates
  // s, [nq]; state at which the machine was created, which determines the weights of its rows
  double made, *made_q;
  baseArena arena;
} methodNatural;


// shared by all methods in natural coordinates, stored with the first of them
static methodNatural *natural_of(const artData *d)
{
  return method_part(d, ART_INDEX1);
}


static void natural_method_free(void *part)
{
  methodNatural *natural = part;
  motion_free(natural->motion);
  natural_destroy(natural->machine);
  arena_free(&natural->arena);
  mem_free(natural);
}


static int take_natural_arrays(methodNatural *w, const artModel *m)
{
  baseArena *a = &w->arena;
  const naturalSystem *s = w->machine->s;
  const size_t n = (size_t) s->n;
  return ARENA_TAKE(a, w->q, n) && ARENA_TAKE(a, w->v, n) && ARENA_TAKE(a, w->a, n) &&
         ARENA_TAKE(a, w->lambda, s->nrow) && ARENA_TAKE(a, w->kept_q, m->tree.nq) &&
         ARENA_TAKE(a, w->kept_v, m->tree.nv) && ARENA_TAKE(a, w->made_q, m->tree.nq);
}


// create the machine, and a motion at the present state
static artStatus natural_method_make(methodNatural *w, const artModel *m, artData *d,
                                     artError *error)
{
  const artStatus status = natural_create(&w->machine, m, d, NATURAL_AUTOMATIC, error);
  if (status != ART_OK) return status;
  if (!take_natural_arrays(w, m)) return base_no_memory(error);
  w->made = d->time;
  base_copy(w->made_q, d->q, (size_t) m->tree.nq);
  natural_place(w->machine, w->q, w->v);
  if (!natural_weigh_rows(w->machine->s, d->time, w->q)) return base_no_memory(error);
  motionOptions options = motion_default_options();
  options.method = MOTION_INDEX1;
  return motion_create(&w->motion, w->machine->s, &w->machine->forces, &options, d->time, w->q,
                       w->v, error);
}


static artStatus natural_method_start(const artModel *m, artData *d, artError *error)
{
  methodNatural *w = mem_alloc(1, sizeof *w);
  if (!w) return base_no_memory(error);
  const artStatus status = natural_method_make(w, m, d, error);
  if (status == ART_OK) {
    d->work->method->part[ART_INDEX1] = w;
  } else {
    natural_method_free(w);
  }
  return status;
}


static artStatus natural_method_copy(artData *to, const artData *from, artError *error)
{
  const artModel *m = to->work->now;
  const size_t nq = (size_t) m->tree.nq * sizeof(double), nv = (size_t) m->tree.nv * sizeof(double);
  methodNatural *a = natural_of(to);
  const methodNatural *b = natural_of(from);
  if (!a && !b) return ART_OK;
  if (a && b && a->made == b->made && (nq == 0 || memcmp(a->made_q, b->made_q, nq) == 0)) {
    return ART_OK;
  }
  if (a) natural_method_free(a);
  to->work->method->part[ART_INDEX1] = NULL;
  if (!b) return ART_OK;
  to->time = b->made;
  if (nq > 0) memcpy(to->q, b->made_q, nq);
  if (nv > 0) memset(to->v, 0, nv);
  art_update(m, to);
  return natural_method_start(m, to, error);
}


static artStatus natural_method_accelerate(const artModel *m, artData *d, artError *error)
{
  artStatus status = m->nrow > 0 ? loop_close(m, d, error) : ART_OK;
  if (status == ART_OK) status = method_start(m, d, ART_INDEX1, error);
  if (status != ART_OK) return status;
  methodNatural *w = natural_of(d);
  natural_place(w->machine, w->q, w->v);
  status = motion_accelerations(w->motion, d->time, w->q, w->v, w->a, w->lambda, error);
  if (status != ART_OK) return status;

  // converting back gives q and v with rounding errors: restore the original values
  const size_t nq = (size_t) m->tree.nq * sizeof *d->q, nv = (size_t) m->tree.nv * sizeof *d->v;
  memcpy(w->kept_q, d->q, nq);
  memcpy(w->kept_v, d->v, nv);
  natural_recover(w->machine, d->time, w->q, w->v, w->a);
  memcpy(d->q, w->kept_q, nq);
  memcpy(d->v, w->kept_v, nv);
  art_update(m, d);

  status = method_balance(m, d, error);
  if (status == ART_OK) method_need_forces(m, d);
  return status;
}


// these differ in their integration rules only; accelerations are the same
const methodKind index1_kind = {.start = natural_method_start,
                                .accelerate = natural_method_accelerate,
                                .copy = natural_method_copy,
                                .free = natural_method_free,
                                .rule = MOTION_INDEX1};
const methodKind index3_kind = {.accelerate = natural_method_accelerate, .rule = MOTION_INDEX3};
const methodKind multi_index_kind = {.accelerate = natural_method_accelerate, .rule = MOTION_MULTI};
const methodKind conserving_kind = {.accelerate = natural_method_accelerate,
                                    .rule = MOTION_CONSERVING};
