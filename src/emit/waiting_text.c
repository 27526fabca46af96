// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Variables that wait in memory: stores behind them, loads under new names before their readers.
#include "emit/waiting_text.h"

#include <string.h>

static const char *waiting_place_of(emitWriter *w, int e)
{
  ART_ASSERT(w->waiting->plan.place[e] > 0);
  const int place = w->waiting->plan.place[e] - 1;
  const char *text = place < WAITING_FAST
                         ? arena_format(&w->arena, "SHARED(%d)", place)
                         : arena_format(&w->arena, "LOCAL(%d)", place - WAITING_FAST);
  if (!text) w->no_memory = 1;
  return text ? text : "";
}


static void print_waiting_keep(emitWriter *w, int e, int depth)
{
  writer_say(w, depth, "KEEP(%s, %s);", waiting_place_of(w, e), w->waiting->name[e]);
}


static void *copy_of(emitWriter *w, const char **from, int n)
{
  const char **to = arena_alloc(&w->arena, (size_t) n + 1, sizeof *to);
  if (to) memcpy(to, from, (size_t) n * sizeof *to);
  return to;
}


void waiting_open(emitWriter *w)
{
  emitWaiting *x = arena_alloc(&w->arena, 1, sizeof *x);
  w->waiting = x;
  if (x && eqn_plan_waiting(w->list, WAITING_FAST, &x->plan)) {
    x->name = copy_of(w, w->scope.name, w->list->n);
    x->symbol = copy_of(w, w->scope.symbol, w->list->pool->symbol_count);
  }
  if (x && x->name && x->symbol) return;
  w->no_memory = 1;
  waiting_close(w);
}


void waiting_close(emitWriter *w)
{
  if (w->waiting) eqn_forget_waiting(&w->waiting->plan);
  w->waiting = NULL;
}


void waiting_load(emitWriter *w, int e, int depth)
{
  emitWaiting *x = w->waiting;
  const int n = w->list->n;
  if (!x) return;
  for (int i = x->plan.first[e]; i < x->plan.first[e + 1]; i++) {
    const int value = x->plan.load[i];
    const char **name = value < n ? &w->scope.name[value] : &w->scope.symbol[value - n];
    const char *again = arena_format(&w->arena, "again%d", ++x->nagain);
    if (!again) {
      w->no_memory = 1;
      return;
    }
    if (value < n) {
      writer_say(w, depth, "const real %s = AGAIN(%s, %s);", again, waiting_place_of(w, value),
                 *name);
    } else {
      writer_say(w, depth, "const real %s = ANEW(%s);", again, x->symbol[value - n]);
    }
    *name = again;
  }
}


// the end of a run of equations takes coordinates with it, which may change then, and that of a loop all that was loaded in it
static void forget_loaded(emitWriter *w, int e)
{
  const emitWaiting *x = w->waiting;
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


void waiting_keep(emitWriter *w, int e, int depth)
{
  const emitWaiting *x = w->waiting;
  if (!x || w->list->equation[e].stage < 0) return;
  if (x->plan.place[e] > 0 && !x->plan.is_late[e]) print_waiting_keep(w, e, depth);
  forget_loaded(w, e);
}


void waiting_keep_late(emitWriter *w, int from, int to, int depth)
{
  if (!w->waiting) return;
  for (int e = from; e < to; e++) {
    if (w->waiting->plan.place[e] > 0 && w->waiting->plan.is_late[e])
      print_waiting_keep(w, e, depth);
  }
}
