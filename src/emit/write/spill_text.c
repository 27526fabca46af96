// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Variables that wait in memory: stores after them, loads under new names before their readers.
#include "emit/write/spill_text.h"

#include "base/throw.h"

static const char *spill_place_of(emitWriter *w, int e)
{
  ART_ASSERT(w->spill->plan.place[e] > 0);
  const int place = w->spill->plan.place[e] - 1;
  return place < SHARED_SPILLS ? arena_format(&w->arena, "SHARED(%d)", place)
                               : arena_format(&w->arena, "LOCAL(%d)", place - SHARED_SPILLS);
}


static void print_spill_keep(emitWriter *w, int e, int depth)
{
  writer_say(w, depth, "KEEP(%s, %s);", spill_place_of(w, e), w->spill->name[e]);
}


void spill_open(emitWriter *w)
{
  emitSpill *x = w->spill = arena_alloc(&w->arena, 1, sizeof *x);
  const size_t n = (size_t) w->list->n, nsymbol = (size_t) w->list->pool->symbol_count;
  if (!eqn_plan_spills(w->list, SHARED_SPILLS, &x->plan)) error_throw();
  x->name = arena_copy(&w->arena, w->scope.name, n, sizeof *x->name);
  x->symbol = arena_copy(&w->arena, w->scope.symbol, nsymbol, sizeof *x->symbol);
}


void spill_close(emitWriter *w)
{
  eqn_forget_spills(&w->spill->plan);
  w->spill = NULL;
}


void spill_reload(emitWriter *w, int e, int depth)
{
  emitSpill *x = w->spill;
  const int n = w->list->n;
  if (!x) return;
  for (int i = x->plan.first[e]; i < x->plan.first[e + 1]; i++) {
    const int value = x->plan.load[i];
    const char **name = value < n ? &w->scope.name[value] : &w->scope.symbol[value - n];
    const char *again = arena_format(&w->arena, "again%d", ++x->nagain);
    if (value < n) {
      writer_say(w, depth, "const real %s = AGAIN(%s, %s);", again, spill_place_of(w, value),
                 *name);
    } else {
      writer_say(w, depth, "const real %s = ANEW(%s);", again, x->symbol[value - n]);
    }
    *name = again;
  }
}


void spill_store(emitWriter *w, int e, int depth)
{
  const emitSpill *x = w->spill;
  if (!x || w->list->equation[e].stage < 0) return;
  if (x->plan.place[e] > 0 && !x->plan.is_late[e]) print_spill_keep(w, e, depth);
  // the end of a run of equations takes coordinates with it, which may change then, and that of a loop all that was loaded in it
  const eqnEquation *q = w->list->equation;
  const int n = w->list->n, stage = q[e].stage;
  const int is_last = e + 1 == n || q[e + 1].stage != stage || q[e + 1].ahead != q[e].ahead;
  const int is_loop = w->function->stage[stage].kind == STAGE_NEWTON && !q[e].ahead;
  if (!is_last) return;
  for (int k = e; k >= 0 && q[k].stage == stage && q[k].ahead == q[e].ahead; k--) {
    for (int i = x->plan.first[k]; i < x->plan.first[k + 1]; i++) {
      const int value = x->plan.load[i];
      if (value >= n) w->scope.symbol[value - n] = x->symbol[value - n];
      if (value < n && is_loop) w->scope.name[value] = x->name[value];
    }
  }
}


void spill_store_late(emitWriter *w, int from, int to, int depth)
{
  if (!w->spill) return;
  for (int e = from; e < to; e++) {
    if (w->spill->plan.place[e] > 0 && w->spill->plan.is_late[e]) print_spill_keep(w, e, depth);
  }
}
