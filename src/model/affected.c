// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A parameter that reaches forces alone: these are read again, by the code that reads a file, and compiled again, by the code
// that compiles a model, and take the places of the old ones. Which formulas read which parameters is known from the
// reading itself, not from what was made of them.
#include <stdint.h>
#include <string.h>

#include "base/least_first.h"
#include "base/memory.h"
#include "model/reader.h"
#include "model/records.h"
#include "model/source.h"

//---- lists ---------------------------------------------------------------------------------------

static readerParameter *reading_of(const artModel *m, int p)
{
  return RECORD(m->records->parameters, parameterRecord, p)->reading;
}


static int number_of(const memoUse *use)
{
  return ((const readerParameter *) use->parameter)->number;
}


// what has the value of a formula; 0 in *is_listed: neither a parameter nor a force that can be read alone
static int holder_of(const artModel *m, const memoEntry *entry, int *is_listed)
{
  const readerParameter *parameter = entry->parameter;
  *is_listed = parameter || (entry->force >= 0 && model_stands_alone(&m->element[entry->force]));
  return parameter ? parameter->number : ~entry->force;
}


// count what each parameter reaches, then list it, from the end of its part to the beginning
static void fill_lists(modelAffected *a, const artModel *m, const readerMemo *memo, int is_counting)
{
  for (int i = 0; i < memo->nentry; i++) {
    const memoEntry *entry = &memo->entry[i];
    int is_listed;
    if (entry->count == 0) continue;
    const int holder = holder_of(m, entry, &is_listed);
    for (int k = 0; k < entry->count; k++) {
      const int p = number_of(&memo->use[entry->first + k]);
      if (!is_listed) {
        a->is_beyond[p] = 1;
      } else if (is_counting) {
        a->first[p]++;
      } else {
        a->reached[--a->first[p]] = holder;
      }
    }
  }
}


int affected_list(modelSource *source, const artModel *m)
{
  modelAffected *a = &source->affected;
  const size_t np = (size_t) m->nparameter, ne = (size_t) m->nelement;
  baseArena *arena = &source->arena;
  if (!source->memo.is_kept || np == 0) return 1;
  a->first = arena_alloc(arena, np + 1, sizeof *a->first);
  a->reached = arena_alloc(arena, (size_t) source->memo.nuse, sizeof *a->reached);
  a->is_beyond = arena_alloc(arena, np, 1);
  a->by_rank = arena_alloc(arena, np, sizeof *a->by_rank);
  a->queue = arena_alloc(arena, np, sizeof *a->queue);
  a->force = arena_alloc(arena, ne, sizeof *a->force);
  a->is_waiting = arena_alloc(arena, np + ne, 1);
  a->work = pool_create();
  if (!a->first || !a->reached || !a->is_beyond || !a->by_rank || !a->queue || !a->force ||
      !a->is_waiting || !a->work || !pool_reserve(a->work, 1)) {
    return 0;
  }
  fill_lists(a, m, &source->memo, 1);
  for (int p = 0; p < m->nparameter; p++) {
    a->first[p + 1] += a->first[p];
    if (m->parameter[p].is_read) a->is_beyond[p] = 1;
  }
  fill_lists(a, m, &source->memo, 0);
  affected_follow(a, m);
  return 1;
}


void affected_follow(modelAffected *a, const artModel *m)
{
  if (!a->first) return;
  for (int p = 0; p < m->nparameter; p++) a->by_rank[reading_of(m, p)->rank] = p;
}


void affected_free(modelAffected *a)
{
  pool_free(a->work);
}


//---- a change ------------------------------------------------------------------------------------

typedef struct changeWork {
  artModel *m;
  modelAffected *a;
  leastFirst queue; // ranks of parameters whose formulas read changed ones
  int nforce;
  modelReader reader;
  readerMemo memo; // of nothing but its room for a formula
  artError error;
} changeWork;


// a reader as it was behind the parameters, with a builder that holds nothing but the names of the model's
static int start_reader(changeWork *w)
{
  artBuilder *records = w->m->records;
  pool_clear(w->a->work);
  w->error = (artError){0};
  w->memo = (readerMemo){.scratch = w->m->source->memo.scratch};
  w->reader = *records->reader;
  w->reader.arena = (baseArena){0};
  w->reader.builder = art_create_builder();
  w->reader.error = &w->error;
  w->reader.memo = &w->memo;
  w->reader.section = "forces";
  if (!w->reader.builder) return 0;
  w->reader.builder->aliases = records->aliases;
  return 1;
}


static void note_value(artModel *m, int p)
{
  const double value = reading_of(m, p)->value;
  m->parameter[p].value = value;
  RECORD(m->records->parameters, parameterRecord, p)->value = value;
}


static void wait_for(changeWork *w, int holder)
{
  modelAffected *a = w->a;
  const int is_force = holder < 0, i = is_force ? ~holder : holder;
  char *is_waiting = &a->is_waiting[is_force ? w->m->nparameter + i : i];
  if (*is_waiting) return;
  *is_waiting = 1;
  if (is_force) {
    a->force[w->nforce++] = i;
  } else {
    least_put(&w->queue, reading_of(w->m, i)->rank);
  }
}


// all parameters that follow, each behind those that it reads
static int follow_parameters(changeWork *w, int first)
{
  modelAffected *a = w->a;
  int p = first;
  for (;;) {
    if (a->is_beyond[p]) return 0;
    for (int k = a->first[p]; k < a->first[p + 1]; k++) wait_for(w, a->reached[k]);
    do { // one that was set itself is a number, and follows nothing
      if (w->queue.count == 0) return 1;
      p = a->by_rank[least_take(&w->queue)];
      a->is_waiting[p] = 0;
    } while (!reading_of(w->m, p)->source.text);
    if (!reader_follow_parameter(&w->reader, reading_of(w->m, p))) return 0;
    note_value(w->m, p);
  }
}


// The words of a definition become those of another one; addresses of names and lists stay.
static int take_words(const artModel *m, const memPool *work, uintptr_t *to, const uintptr_t *from,
                      size_t size)
{
  for (size_t i = 0; i < size / sizeof *to; i++) {
    const int is_name = pool_holds(m->pool, (const void *) to[i]);
    if (is_name != pool_holds(work, (const void *) from[i])) return 0;
    if (!is_name) to[i] = from[i];
  }
  return 1;
}


static int read_force(changeWork *w, int i)
{
  artModel *m = w->m;
  elementRecord *record = RECORD(m->records->elements, elementRecord, i);
  modelReader *reader = &w->reader;
  if (!start_reader(w)) return 0;
  reader->file = record->file;
  if (builder_scope(reader->builder, reader->file->prefix) != ART_OK ||
      reader_read_item(reader, &item_force, record->item) != ART_OK) {
    return 0;
  }
  const elementRecord *own = RECORD(reader->builder->elements, elementRecord, 0);
  return own->kind == record->kind &&
         take_words(m, w->a->work, record->def, own->def, own->kind->size) &&
         model_take_again(m, i);
}


static void forget_waiting(changeWork *w)
{
  char *is_waiting = w->a->is_waiting;
  while (w->queue.count > 0) is_waiting[w->a->by_rank[least_take(&w->queue)]] = 0;
  for (int k = 0; k < w->nforce; k++) is_waiting[w->m->nparameter + w->a->force[k]] = 0;
}


// tables that were attached are part of the hash, and variants of latches have forces of their own
static int is_plain(const artModel *m)
{
  for (int i = 0; i < m->ninput; i++) {
    if (m->held[i].table) return 0;
  }
  return m->nlatch == 0;
}


int affected_change(artModel *m, int p, double value, int *is_touched)
{
  modelAffected *a = &m->source->affected;
  *is_touched = 0;
  if (!a->first || a->is_beyond[p] || !is_plain(m) || reading_of(m, p)->source.text) return 0;
  changeWork w = {.m = m, .a = a, .queue = {.item = a->queue}};
  memPool *outer = pool_use(a->work);
  *is_touched = 1;
  int is_done = start_reader(&w) && reader_set_parameter(&w.reader, reading_of(m, p), value);
  if (is_done) {
    note_value(m, p);
    is_done = follow_parameters(&w, p);
  }
  for (int k = 0; k < w.nforce && is_done; k++) is_done = read_force(&w, a->force[k]);
  forget_waiting(&w);
  pool_use(outer);
  return is_done;
}
