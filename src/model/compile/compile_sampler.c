// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Samplers: their clocks, and the order in which the samplers of one instant are evaluated. A sampler comes after all that it
// reads; memories come last, for everybody else reads what they were before the instant.

#include "base/error_recovery.h"
#include "model/read/source.h"

// the walk along what formulas read: signals and samplers are nodes
typedef struct sampleWalk {
  artModel *m;
  char *held, *signal; // [nheld], [nsignal] 0: not met, 1: on the way, 2: done
  int *path;           // the way: samplers, and signals after them by -1 - number
  int depth;
} sampleWalk;


static void visit_held(sampleWalk *w, int i, artPlace place);


static const char *name_at(const sampleWalk *w, int node)
{
  return node >= 0 ? w->m->held[node].name : w->m->signal[-1 - node].name;
}


_Noreturn static void refuse_loop(const sampleWalk *w, int node, artPlace place)
{
  char members[BASE_HINT_LENGTH] = "";
  int first = 0;
  while (first < w->depth && w->path[first] != node) first++;
  for (int k = first; k < w->depth; k++) {
    const int next = k + 1 < w->depth ? w->path[k + 1] : node;
    base_append(members, sizeof members, "%s'%s' reads '%s'", k > first ? ", " : "",
                name_at(w, w->path[k]), name_at(w, next));
  }
  error_refuse(place, "algebraic loop of one instant: %s; a delay or a memory breaks it", members);
}


// what a formula reads of the same instant; `self`: the sampler it belongs to, whose own old value it may read
static void visit_formula(sampleWalk *w, const signalFormula *s, int self)
{
  for (int k = 0; k < s->f->nstep; k++) {
    const int slot = formula_read(s->f, k);
    if (slot < 0) continue;
    const modelQuantity *quantity = &w->m->quantity[slot];
    const int i = quantity->index;
    if (quantity->kind == QUANTITY_HELD && i != self && w->m->held[i].clock >= 0 &&
        !w->m->held[i].is_memory) {
      visit_held(w, i, s->place);
    } else if (quantity->kind == QUANTITY_SIGNAL && w->signal[i] == 1) {
      refuse_loop(w, -1 - i, s->place);
    } else if (quantity->kind == QUANTITY_SIGNAL && w->signal[i] == 0) {
      w->signal[i] = 1;
      w->path[w->depth++] = -1 - i;
      visit_formula(w, &w->m->signal[i].value, -1);
      w->depth--;
      w->signal[i] = 2;
    }
  }
}


static void visit_held(sampleWalk *w, int i, artPlace place)
{
  artModel *m = w->m;
  if (w->held[i] == 2) return;
  if (w->held[i] == 1) refuse_loop(w, i, place);
  w->held[i] = 1;
  w->path[w->depth++] = i;
  visit_formula(w, &m->held[i].next, i);
  w->depth--;
  w->held[i] = 2;
  m->sampler[m->nsampler++] = i;
}


int model_clock_of(artModel *m, const modelHeld *held)
{
  int i = 0;
  while (i < m->nclock &&
         (m->clock[i].every != held->every || m->clock[i].offset != held->offset)) {
    i++;
  }
  if (i == m->nclock) {
    m->clock[m->nclock++] = (modelClock){.every = held->every, .offset = held->offset};
  }
  return i;
}


// the first number of a clock tells its instants, and all others have the same; 0: they have not, or two clocks have
int model_clocks_again(artModel *m)
{
  for (int k = 0; k < m->nclock; k++) {
    int first = 0;
    while (m->held[first].clock != k) first++;
    modelClock *clock = &m->clock[k];
    *clock = (modelClock){.every = m->held[first].every, .offset = m->held[first].offset};
    for (int i = first + 1; i < m->nheld; i++) {
      const modelHeld *held = &m->held[i];
      if (held->clock != k) continue;
      if (held->every != clock->every || held->offset != clock->offset) return 0;
    }
    for (int j = 0; j < k; j++) {
      if (m->clock[j].every == clock->every && m->clock[j].offset == clock->offset) return 0;
    }
  }
  return 1;
}


static void parse_sampler(artModel *m, int i)
{
  modelHeld *held = &m->held[i];
  held->clock = model_clock_of(m, held);
  model_signal_formula(m, &held->next, held->dimension);
  held->next.mode0 = m->nmode;
  m->nmode += held->next.f->nswitch;
  model_mark_reads(m, held->next.f, READ_BY_SAMPLERS);
  if (held->next.level > m->sample_level) m->sample_level = held->next.level;
}


void model_compile_samplers(artModel *m)
{
  const size_t n = (size_t) m->nheld;
  m->clock = arena_alloc(&m->arena, n, sizeof *m->clock);
  m->sampler = arena_alloc(&m->arena, n, sizeof *m->sampler);
  sampleWalk w = {.m = m};
  w.held = arena_alloc(&m->arena, n, 1);
  w.signal = arena_alloc(&m->arena, (size_t) m->nsignal, 1);
  w.path = arena_alloc(&m->arena, n + (size_t) m->nsignal, sizeof *w.path);
  bool is_sound = true;
  for (int i = m->ninput; i < m->nheld; i++) {
    is_sound &= model_try_signal(m, &m->held[i].next, m->held[i].name, parse_sampler, i);
  }
  if (!is_sound) recovery_drop();
  for (int memory = 0; memory < 2; memory++) {
    for (int i = m->ninput; i < m->nheld; i++) {
      if (m->held[i].is_memory == memory) visit_held(&w, i, m->held[i].place);
    }
  }
}
