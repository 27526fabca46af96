// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A parameter that reaches nothing but formulas and items which can be read alone: these are parsed and read again, by the
// code that reads a file, and what follows from them is compiled again, by the code that compiles a model, and takes the
// place of the old. Which formulas read which parameters is known from the reading itself, not from what was made of them.
#include <string.h>

#include "base/least_first.h"
#include "base/memory.h"
#include "model/parameter/live.h"
#include "model/parameter/reader_item.h"
#include "model/read/source.h"

//---- lists ---------------------------------------------------------------------------------------

static readerParameter *reading_of(const artModel *m, int p)
{
  ART_ASSERT(p >= 0 && p < m->nparameter);
  return RECORD(m->records->parameters, parameterRecord, p)->reading;
}


static int used_parameter_number(const memoUse *use)
{
  return ((const readerParameter *) use->parameter)->number;
}


// Parameters, items and programs have numbers in a row.
static int of_item(const artModel *m, int i)
{
  return m->nparameter + i;
}


static int of_program(const artModel *m, int i)
{
  return m->nparameter + m->records->items.count + i;
}


static int holder_of_item(const modelAffected *a, const artModel *m, int item)
{
  const int *count = item_of(m, item)->count;
  const int is_set = a->has_settings && count[ITEM_INITIALS] + count[ITEM_INPUTS] > 0;
  return item_stands_alone(m, item) && !is_set ? of_item(m, item) : -1;
}


// what has the value of a formula of the file; -1: neither a parameter nor an item that can be read alone
static int holder_of(const modelAffected *a, const artModel *m, const memoEntry *entry)
{
  const readerParameter *parameter = entry->parameter;
  if (parameter) return parameter->number;
  return entry->item < 0 ? -1 : holder_of_item(a, m, entry->item);
}


// a parameter reaches a holder: this is counted, or listed from the end of its part to the beginning
static void reach_holder(modelAffected *a, int p, int holder, int is_counting)
{
  if (holder < 0) {
    a->is_beyond[p] = 1;
  } else if (is_counting) {
    a->first[p]++;
  } else {
    a->reached[--a->first[p]] = holder;
  }
}


static void reach_by_files(modelAffected *a, const artModel *m, const readerMemo *memo,
                           int is_counting)
{
  for (int i = 0; i < memo->nentry; i++) {
    const memoEntry *entry = &memo->entry[i];
    const int holder = entry->count > 0 ? holder_of(a, m, entry) : -1;
    for (int k = 0; k < entry->count; k++) {
      reach_holder(a, used_parameter_number(&memo->use[entry->first + k]), holder, is_counting);
    }
  }
}


// slots of a program: quantities, then parameters, then numbers of items
static void reach_by_program(modelAffected *a, const artModel *m, int i, int is_counting)
{
  const formula *live = RECORD(m->records->programs, modelProgram, i)->f->live;
  for (int k = 0; live && k < live->nstep; k++) {
    const int p = formula_read(live, k) - FORMULA_PARAMETER;
    if (p >= 0 && p < m->nparameter) reach_holder(a, p, of_program(m, i), is_counting);
    if (p < m->nparameter) continue;
    const formula *f = RECORD(m->records->live, liveNumber, p - m->nparameter)->formula;
    for (int j = 0; j < f->nstep; j++) {
      const int inner = formula_read(f, j);
      if (inner >= 0) reach_holder(a, inner, of_program(m, i), is_counting);
    }
  }
}


static void fill_lists(modelAffected *a, const artModel *m, const readerMemo *memo, int is_counting)
{
  reach_by_files(a, m, memo, is_counting);
  for (int i = 0; i < a->nprogram; i++) reach_by_program(a, m, i, is_counting);
  for (int i = 0; i < m->records->checks.count; i++) {
    const modelCheck *check = RECORD(m->records->checks, modelCheck, i);
    reach_holder(a, check->parameter, holder_of_item(a, m, check->item), is_counting);
  }
}


// coordinates or inputs with values from outside, which no file has
static int has_settings(const modelSource *source)
{
  for (int i = 0; i < source->nsetting; i++) {
    if (!source->is_set[i]) return 1;
  }
  return 0;
}


int affected_list(modelSource *source, const artModel *m, const memPool *pool)
{
  modelAffected *a = &source->affected;
  a->nitem = m->records->items.count;
  a->nprogram = m->records->programs.count;
  const size_t np = (size_t) m->nparameter, nwaiting = np + (size_t) (a->nitem + a->nprogram);
  baseArena *arena = &source->arena;
  source->memo.is_complete = 1;
  if (!source->memo.is_kept || np == 0) return 1;
  a->has_settings = has_settings(source);
  a->first = arena_alloc(arena, np + 1, sizeof *a->first);
  a->is_beyond = arena_alloc(arena, np, 1);
  a->by_rank = arena_alloc(arena, np, sizeof *a->by_rank);
  a->queue = arena_alloc(arena, np, sizeof *a->queue);
  a->waiting = arena_alloc(arena, nwaiting, sizeof *a->waiting);
  a->is_waiting = arena_alloc(arena, nwaiting, 1);
  a->work = pool_create();
  if (!a->first || !a->is_beyond || !a->by_rank || !a->queue || !a->waiting || !a->is_waiting ||
      !a->work || !pool_reserve(a->work, pool_used(pool))) {
    return 0;
  }
  fill_lists(a, m, &source->memo, 1);
  for (int p = 0; p < m->nparameter; p++) a->first[p + 1] += a->first[p];
  a->reached = arena_alloc(arena, (size_t) a->first[np], sizeof *a->reached);
  if (!a->reached) return 0;
  fill_lists(a, m, &source->memo, 0);
  affected_parameter_map(a, m);
  return 1;
}


void affected_parameter_map(modelAffected *a, const artModel *m)
{
  if (!a->first) return;
  ART_ASSERT(m->records->items.count == a->nitem && m->records->programs.count == a->nprogram);
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
  int nwaiting;     // items and programs
  modelReader reader;
  readerMemo memo; // of nothing but its room for a formula
  int parameter;
  double value;
  int is_done;
} changeWork;


// memory for the next piece of work
static void clear_work(const changeWork *w)
{
  pool_clear(w->a->work);
  w->m->scratch = (baseArena){.leaves = 1};
}


// a reader as it was after the parameters, with a builder that holds nothing but the names of the model's
static int start_reader(changeWork *w)
{
  artBuilder *records = w->m->records;
  clear_work(w);
  w->memo = (readerMemo){.at = -1, .scratch = w->m->source->memo.scratch};
  w->reader = *records->reader;
  w->reader.arena = w->reader.scratch = (baseArena){.leaves = 1};
  w->reader.builder = art_create_builder();
  w->reader.memo = &w->memo;
  w->reader.kept = w->m->source->files;
  w->reader.number = -1;
  if (!w->reader.builder) return 0;
  w->reader.builder->aliases = records->aliases;
  w->reader.builder->known_roads = &records->roads;
  return 1;
}


static void note_value(artModel *m, int p)
{
  ART_ASSERT(p >= 0 && p < m->nparameter);
  parameterRecord *record = RECORD(m->records->parameters, parameterRecord, p);
  m->parameter[p].value = record->value = record->reading->value;
  if (record->reading->is_set) m->parameter[p].formula = record->formula = NULL;
}


static void put_holder_waiting(changeWork *w, int holder)
{
  ART_ASSERT(holder >= 0);
  modelAffected *a = w->a;
  if (a->is_waiting[holder]) return;
  a->is_waiting[holder] = 1;
  if (holder < w->m->nparameter) {
    least_put(&w->queue, reading_of(w->m, holder)->rank);
  } else {
    a->waiting[w->nwaiting++] = holder;
  }
}


// all parameters that follow, each after those that it reads
static int follow_parameters(changeWork *w, int first)
{
  modelAffected *a = w->a;
  int p = first;
  for (;;) {
    if (a->is_beyond[p]) return 0;
    for (int k = a->first[p]; k < a->first[p + 1]; k++) put_holder_waiting(w, a->reached[k]);
    do { // one that was set itself is a number, and follows nothing
      if (w->queue.count == 0) return 1;
      p = a->by_rank[least_take(&w->queue)];
      a->is_waiting[p] = 0;
    } while (reading_of(w->m, p)->is_set || !reading_of(w->m, p)->source.text);
    if (!reader_follow_parameter(&w->reader, reading_of(w->m, p))) return 0;
    note_value(w->m, p);
  }
}


static int read_affected_item(changeWork *w, int item)
{
  return start_reader(w) && item_read_again(w->m, item, &w->reader, w->a->work);
}


static int is_road(const changeWork *w, int item)
{
  return item_of(w->m, item)->family == &item_road;
}


static int read_affected_items(changeWork *w)
{
  const int first = of_item(w->m, 0), end = of_program(w->m, 0);
  int is_done = 1;
  for (int k = 0; k < w->nwaiting && is_done; k++) {
    const int i = w->a->waiting[k];
    if (i < end && !is_road(w, i - first)) is_done = read_affected_item(w, i - first);
  }
  return is_done;
}


// in their order, with those after that are made of others
static int read_roads(changeWork *w)
{
  int is_done = 1, is_behind = 0;
  for (int i = 0; i < w->a->nitem && is_done; i++) {
    if (!is_road(w, i)) continue;
    const int is_affected = is_behind && item_is_made_of_roads(w->m, i);
    if (!w->a->is_waiting[of_item(w->m, i)] && !is_affected) continue;
    is_done = read_affected_item(w, i);
    is_behind = 1;
  }
  return is_done;
}


// the records of a list that were read again
static int count_records(const changeWork *w, itemListName list)
{
  const int first = of_item(w->m, 0), end = of_program(w->m, 0);
  int n = 0;
  for (int k = 0; k < w->nwaiting; k++) {
    const int i = w->a->waiting[k];
    if (i < end) n += item_of(w->m, i - first)->count[list];
  }
  return n;
}


static int compile_records(const changeWork *w, itemListName list, int (*again)(artModel *m, int i))
{
  const int first = of_item(w->m, 0), end = of_program(w->m, 0);
  int is_done = 1;
  for (int k = 0; k < w->nwaiting; k++) {
    const int i = w->a->waiting[k];
    const itemRecord *item = i < end ? item_of(w->m, i - first) : NULL;
    for (int j = 0; item && j < item->count[list] && is_done; j++) {
      clear_work(w);
      is_done = again(w->m, item->first[list] + j);
    }
  }
  return is_done;
}


// formulas may have folded what a curve gives
static int compile_curves(changeWork *w)
{
  const int n = count_records(w, ITEM_CURVES);
  if (!compile_records(w, ITEM_CURVES, model_curve_again)) return 0;
  for (int i = 0; i < w->a->nprogram && n > 0; i++) {
    if (RECORD(w->m->records->programs, modelProgram, i)->calls_curves) {
      put_holder_waiting(w, of_program(w->m, i));
    }
  }
  return 1;
}


// was a section read again as a whole, by this function?
static int has_read(const changeWork *w, void (*read)(modelReader *reader, const yamlNode *section))
{
  const int first = of_item(w->m, 0), end = of_program(w->m, 0);
  for (int k = 0; k < w->nwaiting; k++) {
    const int i = w->a->waiting[k];
    if (i < end && item_of(w->m, i - first)->read == read) return 1;
  }
  return 0;
}


static int note_limits(changeWork *w)
{
  for (int p = 0; p < w->m->nparameter && has_read(w, reader_check_limits); p++) {
    parameterRecord *record = RECORD(w->m->records->parameters, parameterRecord, p);
    memcpy(record->limits, record->reading->limit, sizeof record->limits);
    memcpy(w->m->parameter[p].limits, record->limits, sizeof record->limits);
  }
  return 1;
}


static int compile_tree(changeWork *w, int *has_tree)
{
  const int shapes = count_records(w, ITEM_BODIES) + count_records(w, ITEM_VISUALS);
  const int rest = count_records(w, ITEM_FRAMES) + count_records(w, ITEM_JOINTS) +
                   count_records(w, ITEM_COUPLINGS);
  *has_tree = shapes + rest > 0 || has_read(w, reader_read_gravity);
  clear_work(w);
  return !*has_tree || model_lay_again(w->m, w->a->work, shapes > 0);
}


// initial values, and latches where they or the tree have changed
static int compile_start(changeWork *w, int has_tree)
{
  const int has_start = count_records(w, ITEM_INITIALS) > 0;
  clear_work(w);
  if (has_start) model_start_again(w->m);
  return !(has_tree || has_start || count_records(w, ITEM_LATCHES) > 0) ||
         model_latches_again(w->m);
}


// in the order in which a model is compiled
static int compile_items(changeWork *w)
{
  int has_tree;
  return note_limits(w) && compile_curves(w) && compile_tree(w, &has_tree) &&
         compile_records(w, ITEM_INPUTS, model_input_again) &&
         compile_records(w, ITEM_STATES, model_state_again) &&
         compile_records(w, ITEM_BLOCKS, model_block_again) &&
         compile_records(w, ITEM_FORCES, model_take_again) && model_clocks_again(w->m) &&
         compile_records(w, ITEM_DRIVES, model_drive_again) && compile_start(w, has_tree) &&
         compile_records(w, ITEM_STUDIES, model_study_again);
}


static int parse_programs(changeWork *w)
{
  const int first = of_program(w->m, 0);
  int is_done = 1;
  for (int k = 0; k < w->nwaiting && is_done; k++) {
    const int i = w->a->waiting[k];
    if (i < first) continue;
    clear_work(w);
    is_done = model_parse_again(w->m, RECORD(w->m->records->programs, modelProgram, i - first));
  }
  return is_done;
}


static void forget_waiting(changeWork *w)
{
  modelAffected *a = w->a;
  while (w->queue.count > 0) a->is_waiting[a->by_rank[least_take(&w->queue)]] = 0;
  for (int k = 0; k < w->nwaiting; k++) a->is_waiting[a->waiting[k]] = 0;
}


// tables that were attached are part of the hash
static int has_no_attached_tables(const artModel *m)
{
  for (int i = 0; i < m->ninput; i++) {
    if (m->held[i].table) return 0;
  }
  return 1;
}


// Whatever is refused on the way leaves it undone.
static void change_parameter(void *context)
{
  changeWork *w = context;
  int is_done = start_reader(w) && reader_set_parameter(reading_of(w->m, w->parameter), w->value);
  if (is_done) {
    note_value(w->m, w->parameter);
    is_done = follow_parameters(w, w->parameter);
  }
  if (is_done && count_records(w, ITEM_ROADS) > 0) is_done = read_roads(w);
  w->is_done = is_done && read_affected_items(w) && compile_items(w) && parse_programs(w);
}


int affected_change(artModel *m, int p, double value, int *is_touched)
{
  ART_ASSERT(p >= 0 && p < m->nparameter);
  modelAffected *a = &m->source->affected;
  *is_touched = 0;
  if (!a->first || a->is_beyond[p] || !has_no_attached_tables(m)) return 0;
  changeWork w = {.m = m, .a = a, .queue = {.item = a->queue}, .parameter = p, .value = value};
  memPool *outer = pool_use(a->work);
  const baseArena arena = m->arena, formulas = m->formulas;
  *is_touched = 1;
  (void) error_try(change_parameter, &w, NULL);
  m->arena = arena;
  m->formulas = formulas;
  m->scratch = (baseArena){0};
  m->live = NULL;
  forget_waiting(&w);
  pool_use(outer);
  return w.is_done;
}
