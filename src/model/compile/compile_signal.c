// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inputs, states and signals: names first, then formulas. A formula that reads a signal has that one parsed before it, so
// the order in which they come to their end is an order of evaluation, and a loop is one that meets itself.
#include <math.h>
#include <string.h>

#include "base/error_recovery.h"
#include "model/model.h"

//---- lists ---------------------------------------------------------------------------------------

// the SI unit of an item as it is written, and its dimension
static void take_unit(artModel *m, const char *text, artPlace place, const char **unit,
                      baseDimension *dimension)
{
  *unit = "";
  *dimension = UNIT_ANY;
  if (!text) return;
  baseUnit own;
  error_check(unit_parse(&own, text, place, error_current()));
  if (own.scale != 1) {
    char name[UNIT_NAME_LENGTH];
    error_refuse(place,
                 "the unit '%.40s' is not a unit of SI; write %s here, values may have any unit of "
                 "that kind",
                 text,
                 own.dimension.kg || own.dimension.m || own.dimension.s || own.dimension.A ||
                         own.dimension.K
                     ? unit_name(own.dimension, name)
                     : "rad");
  }
  *dimension = own.dimension;
  *unit = arena_text(&m->arena, text);
}


static void add_held(artModel *m, const modelHeld *held)
{
  m->held = arena_grow(&m->arena, m->held, m->nheld, &m->held_capacity, sizeof *m->held);
  m->held[m->nheld] = *held;
  m->held[m->nheld].slot = -1;
  table_add(&m->helds, &m->arena, held->name, m->nheld);
  m->nheld++;
}


static void add_state(artModel *m, const modelState *state)
{
  m->state = arena_grow(&m->arena, m->state, m->nstate, &m->state_capacity, sizeof *m->state);
  m->state[m->nstate] = *state;
  m->state[m->nstate].slot = -1;
  table_add(&m->states, &m->arena, state->name, m->nstate);
  m->nstate++;
  if (state->rate.text) m->nrate = m->nstate;
}


static void add_signal(artModel *m, const modelSignal *signal)
{
  m->signal = arena_grow(&m->arena, m->signal, m->nsignal, &m->signal_capacity, sizeof *m->signal);
  m->signal[m->nsignal] = *signal;
  m->signal[m->nsignal].slot = -1;
  table_add(&m->signals, &m->arena, signal->name, m->nsignal);
  m->nsignal++;
}


void model_add_element_state(artModel *m, const char *name)
{
  add_state(m, &(modelState){.name = name, .unit = "1", .dimension = UNIT_NUMBER});
}


//---- names ---------------------------------------------------------------------------------------

static void declare_input(artModel *m, const inputRecord *record)
{
  const artInputDef *def = &record->def;
  const fieldWhere *where = &record->head.where;
  modelHeld held = {.name = arena_text(&m->arena, def->name),
                    .place = where->place,
                    .initial = def->initial,
                    .least = def->has_limits ? def->limits[0] : -HUGE_VAL,
                    .largest = def->has_limits ? def->limits[1] : HUGE_VAL,
                    .every = def->every,
                    .clock = -1,
                    .hold = def->hold,
                    .is_shown = 1};
  take_unit(m, def->unit, field_place(where, "unit"), &held.unit, &held.dimension);
  model_keep_place(m, &held.place);
  add_held(m, &held);
}


// one state has the name itself, several have their numbers after a dot
static void declare_states(artModel *m, const stateRecord *record)
{
  static const char *const marks[] = {"rate0", "rate1", "rate2", "rate3",
                                      "rate4", "rate5", "rate6", "rate7"};
  const artStateDef *def = &record->def;
  const fieldWhere *where = &record->head.where;
  for (int k = 0; k < def->rate.count; k++) {
    const char *name = def->rate.count == 1 ? arena_text(&m->arena, def->name)
                                            : arena_format(&m->arena, "%s.%d", def->name, k + 1);
    modelState state = {.name = name,
                        .place = where->place,
                        .initial = def->initial.value[k],
                        .is_shown = 1,
                        .rate = {.text = arena_text(&m->arena, def->rate.name[k]),
                                 .kind = "state",
                                 .head = &record->head,
                                 .place = field_place(where, k < 8 ? marks[k] : "rate"),
                                 .is_own = 1,
                                 .is_checked = def->unit != NULL}};
    take_unit(m, def->unit, field_place(where, "unit"), &state.unit, &state.dimension);
    model_keep_place(m, &state.place);
    add_state(m, &state);
  }
}


void model_declare_parts(artModel *m, const char *kind, const char *name, const recordHead *head,
                         const partContext *parts)
{
  model_check_parts(m, kind, name, head, parts);
  for (int i = 0; i < parts->n; i++) {
    const elementPart *part = &parts->part[i];
    const char *own = part->tail ? arena_format(&m->arena, "%s.%s", name, part->tail)
                                 : arena_text(&m->arena, name);
    artPlace item = head->where.place;
    const signalFormula text = {.text = arena_text(&m->arena, part->text),
                                .kind = kind,
                                .head = head,
                                .place = part->mark ? field_place(&head->where, part->mark) : item,
                                .is_own = part->is_own,
                                .is_checked = part->is_checked && part->unit};
    const char *unit;
    baseDimension dimension;
    take_unit(m, part->unit, field_place(&head->where, "unit"), &unit, &dimension);
    model_keep_place(m, &item);
    if (part->type == PART_HELD) {
      const modelHeld held = {.name = own,
                              .unit = unit,
                              .dimension = dimension,
                              .place = item,
                              .initial = part->initial,
                              .least = -HUGE_VAL,
                              .largest = HUGE_VAL,
                              .every = part->every,
                              .offset = part->offset,
                              .is_shown = part->is_shown,
                              .is_memory = part->is_memory,
                              .next = text};
      add_held(m, &held);
    } else if (part->type == PART_STATE) {
      const modelState state = {own, unit, dimension,  item, part->initial, part->is_shown,
                                -1,  text, part->words};
      add_state(m, &state);
    } else {
      const modelSignal signal = {.name = own,
                                  .unit = unit,
                                  .dimension = dimension,
                                  .place = item,
                                  .is_shown = part->is_shown,
                                  .is_projection = part->is_projection,
                                  .value = text};
      add_signal(m, &signal);
    }
  }
}


static void declare_block(artModel *m, const blockRecord *record)
{
  partContext parts = {.arena = &m->arena,
                       .lists = &m->scratch,
                       .where = &record->head.where,
                       .numbers = model_numbers(m)};
  parts.self = arena_compose(&m->arena, "'/%s'", record->name);
  record->kind->make(record->def, &parts);
  model_declare_parts(m, record->kind->form.name, record->name, &record->head, &parts);
}


#define COMPILE(function, declare, list, T)                                                        \
  static void function(void *context, int i)                                                       \
  {                                                                                                \
    const modelWork *w = context;                                                                  \
    declare(w->m, RECORD(w->b->list, T, i));                                                       \
  }

COMPILE(compile_input, declare_input, inputs, inputRecord)
COMPILE(compile_state, declare_states, states, stateRecord)
COMPILE(compile_block, declare_block, blocks, blockRecord)


void model_declare_signals(artModel *m, const artBuilder *b)
{
  modelWork w = {m, b};
  MODEL_EACH(b->inputs, inputRecord, def.name, compile_input, &w);
  m->ninput = m->nheld;
  MODEL_EACH(b->states, stateRecord, def.name, compile_state, &w);
  MODEL_EACH(b->blocks, blockRecord, name, compile_block, &w);
}


//---- names again ---------------------------------------------------------------------------------

static int is_same_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : a == b;
}


static int take_held(artModel *m, const modelHeld *from)
{
  const int i = table_find(&m->helds, from->name);
  modelHeld *to = i < 0 ? NULL : &m->held[i];
  if (!to || !is_same_text(from->unit, to->unit) || !is_same_text(from->next.text, to->next.text) ||
      (from->every > 0) != (to->every > 0) || from->hold != to->hold ||
      from->is_memory != to->is_memory) {
    return 0;
  }
  to->every = from->every;
  to->offset = from->offset;
  to->initial = from->initial;
  to->least = from->least;
  to->largest = from->largest;
  return 1;
}


static int take_initial_state(artModel *m, const modelState *from)
{
  const int i = table_find(&m->states, from->name);
  if (i < 0 || !is_same_text(from->unit, m->state[i].unit) ||
      !is_same_text(from->rate.text, m->state[i].rate.text)) {
    return 0;
  }
  m->state[i].initial = from->initial;
  return 1;
}


static int take_signal(const artModel *m, const modelSignal *from)
{
  const int i = table_find(&m->signals, from->name);
  return i >= 0 && is_same_text(from->unit, m->signal[i].unit) &&
         is_same_text(from->value.text, m->signal[i].value.text);
}


artModel model_without_signals(const artModel *m)
{
  artModel own = *m;
  own.arena = own.formulas = own.scratch = (baseArena){.leaves = 1};
  own.live = &m->records->live;
  own.held = NULL;
  own.state = NULL;
  own.signal = NULL;
  own.rule = NULL;
  own.nheld = own.nstate = own.nsignal = own.nrule = 0;
  own.held_capacity = own.state_capacity = own.signal_capacity = own.rule_capacity = 0;
  own.helds = own.states = own.signals = (baseTable){0};
  return own;
}


int model_take_signals(artModel *m, const artModel *own)
{
  int is_done = 1;
  for (int k = 0; k < own->nheld && is_done; k++) is_done = take_held(m, &own->held[k]);
  for (int k = 0; k < own->nstate && is_done; k++) is_done = take_initial_state(m, &own->state[k]);
  for (int k = 0; k < own->nsignal && is_done; k++) is_done = take_signal(m, &own->signal[k]);
  return is_done;
}


int model_input_again(artModel *m, int i)
{
  artModel own = model_without_signals(m);
  declare_input(&own, RECORD(m->records->inputs, inputRecord, i));
  return model_take_signals(m, &own);
}


int model_state_again(artModel *m, int i)
{
  artModel own = model_without_signals(m);
  declare_states(&own, RECORD(m->records->states, stateRecord, i));
  return model_take_signals(m, &own);
}


int model_block_again(artModel *m, int i)
{
  artModel own = model_without_signals(m);
  declare_block(&own, RECORD(m->records->blocks, blockRecord, i));
  return model_take_signals(m, &own);
}


//---- questions -----------------------------------------------------------------------------------

int model_find_signal(const artModel *m, const char *name, modelQuantity *out)
{
  const int held = table_find(&m->helds, name), state = table_find(&m->states, name);
  const int signal = table_find(&m->signals, name);
  if (held >= 0) {
    *out = (modelQuantity){QUANTITY_HELD, held, 0, LEVEL_POSITION, m->held[held].dimension, 0};
  } else if (state >= 0) {
    *out = (modelQuantity){QUANTITY_STATE, state, 0, LEVEL_POSITION, m->state[state].dimension, 0};
  } else if (signal >= 0) {
    const modelSignal *s = &m->signal[signal];
    *out = (modelQuantity){QUANTITY_SIGNAL, signal, 0, s->value.level, s->dimension, 0};
  }
  return held >= 0 || state >= 0 || signal >= 0;
}


//---- formulas ------------------------------------------------------------------------------------

// the signals from the one that is read again to the one that reads it: 'a' reads 'b', 'b' reads 'a'
_Noreturn static void refuse_loop(const artModel *m, int signal, artPlace place)
{
  char members[BASE_HINT_LENGTH] = "";
  int chain[16], n = 0;
  for (int i = m->parsing; i >= 0 && n < 16; i = i == signal ? -1 : m->signal[i].reader) {
    chain[n++] = i;
  }
  if (n == 1) {
    error_refuse(place, "algebraic loop: '%s' reads itself; a state or a sampled block breaks it",
                 m->signal[signal].name);
  }
  for (int i = n - 1; i >= 0; i--) {
    base_append(members, sizeof members, "%s'%s' reads '%s'", i < n - 1 ? ", " : "",
                m->signal[chain[i]].name, m->signal[i > 0 ? chain[i - 1] : signal].name);
  }
  error_refuse(place, "algebraic loop: %s; a state or a sampled block breaks it", members);
}


void model_need_signal(artModel *m, int i, artPlace place)
{
  ART_ASSERT(i >= 0 && i < m->nsignal);
  modelSignal *signal = &m->signal[i];
  if (signal->value.f) return;
  if (signal->is_being_parsed) refuse_loop(m, i, place);
  signal->is_being_parsed = 1;
  signal->reader = m->parsing;
  m->parsing = i;
  model_signal_formula(m, &signal->value, signal->dimension);
  m->parsing = signal->reader;
  signal->is_being_parsed = 0;
  if (!signal->is_shown) signal->dimension = signal->value.f->dimension;
  signal->value.mode0 = m->nmode;
  m->nmode += signal->value.f->nswitch;
  m->signal_order[m->nordered++] = i;
}


typedef struct signalPiece {
  artModel *m;
  void (*parse)(artModel *m, int i);
  int i;
} signalPiece;


static void parse_piece(void *context)
{
  const signalPiece *piece = context;
  piece->parse(piece->m, piece->i);
}


bool model_try_signal(artModel *m, const signalFormula *s, const char *name,
                      void (*parse)(artModel *m, int i), int i)
{
  signalPiece piece = {m, parse, i};
  const artPlace place = s->head ? s->head->where.place : s->place;
  if (recovery_try(place, s->place, parse_piece, &piece)) return true;
  for (; m->parsing >= 0; m->parsing = m->signal[m->parsing].reader) {
    m->signal[m->parsing].is_being_parsed = 0;
  }
  recovery_lose(arena_text_n(&m->scratch, name, strcspn(name, ".")));
  return false;
}


static void parse_signal(artModel *m, int i)
{
  model_need_signal(m, i, m->signal[i].place);
}


void model_parse_signals(artModel *m)
{
  m->signal_order = arena_alloc(&m->arena, (size_t) m->nsignal, sizeof *m->signal_order);
  m->parsing = -1;
  model_parse_rules(m);
  bool is_sound = true;
  for (int i = 0; i < m->nsignal; i++) {
    is_sound &= model_try_signal(m, &m->signal[i].value, m->signal[i].name, parse_signal, i);
  }
  if (!is_sound) recovery_drop();
}


// A hysteresis keeps its side from step to step, so that its branches are frozen in a run; branches of late formulas are not.
static void check_memory(const signalFormula *s, const char *name)
{
  if (s->level <= LEVEL_VELOCITY || !formula_has_memory(s->f)) return;
  error_refuse(s->place,
               "%s '%s' has a hysteresis, which cannot depend on accelerations or forces; a "
               "lag or a sampled sensor between them can",
               s->kind, name);
}


// A condition of a latch reads it, which is to be true no earlier than a corner in it, and not to pass unseen there.
static int is_latch_condition(const artModel *m, const modelSignal *s)
{
  return model_is_in_conditions(m, s) && s->value.level <= LEVEL_VELOCITY &&
         s->value.f->nswitch > 0;
}


static void freeze_signal_formula(artModel *m, signalFormula *s)
{
  s->is_frozen = 1;
  s->switch0 = m->nswitch;
  m->nswitch += s->f->nswitch;
}


static void parse_rate(artModel *m, int i)
{
  modelState *state = &m->state[i];
  signalFormula *rate = &state->rate;
  const baseDimension per_second = unit_product(state->dimension, UNIT_TIME, -1);
  model_signal_formula(m, rate, per_second);
  rate->mode0 = m->nmode;
  m->nmode += rate->f->nswitch;
  const int is_late = rate->level > LEVEL_VELOCITY;
  check_memory(rate, state->name);
  model_mark_reads(m, rate->f, is_late ? READ_BY_RATES : READ_BY_FORCES);
  if (is_late) {
    m->late[m->nlate++] = i;
  } else {
    m->early[m->nearly++] = i;
    freeze_signal_formula(m, rate);
  }
}


static void check_signal(artModel *m, int i)
{
  modelSignal *signal = &m->signal[i];
  check_memory(&signal->value, signal->name);
  if (!formula_has_memory(signal->value.f) && !is_latch_condition(m, signal)) return;
  model_mark_read(m, model_quantity(m, signal->name, signal->place), READ_BY_FORCES);
}


// Rates of positions, velocities and states belong to the evaluation of forces; rates that read accelerations and forces come
// after it.
void model_parse_rates(artModel *m)
{
  m->early = arena_alloc(&m->arena, (size_t) m->nrate, sizeof *m->early);
  m->late = arena_alloc(&m->arena, (size_t) m->nrate, sizeof *m->late);
  bool is_sound = true;
  for (int i = 0; i < m->nrate; i++) {
    is_sound &= model_try_signal(m, &m->state[i].rate, m->state[i].name, parse_rate, i);
  }
  for (int i = 0; i < m->nsignal; i++) {
    is_sound &= model_try_signal(m, &m->signal[i].value, m->signal[i].name, check_signal, i);
  }
  if (!is_sound) recovery_drop();
  for (int i = 0; i < m->nsignal; i++) {
    modelSignal *signal = &m->signal[i];
    const int is_read =
        signal->slot >= 0 && (m->quantity[signal->slot].readers & READ_BY_FORCES) != 0;
    if (is_read) freeze_signal_formula(m, &signal->value);
  }
  model_compile_samplers(m);
}


int model_is_in_conditions(const artModel *m, const modelSignal *s)
{
  return s->slot >= 0 && (m->quantity[s->slot].readers & READ_BY_LATCHES) != 0;
}


int model_frozen_count(const artModel *m)
{
  return m->nsignal + m->nearly;
}


const signalFormula *model_frozen(const artModel *m, int k)
{
  ART_ASSERT(k >= 0 && k < m->nsignal + m->nearly);
  const signalFormula *s =
      k < m->nsignal ? &m->signal[k].value : &m->state[m->early[k - m->nsignal]].rate;
  return s->is_frozen ? s : NULL;
}


const char *model_frozen_name(const artModel *m, int k)
{
  ART_ASSERT(k >= 0 && k < m->nsignal + m->nearly);
  return k < m->nsignal ? m->signal[k].name : m->state[m->early[k - m->nsignal]].name;
}


//---- who reads them ------------------------------------------------------------------------------

void model_mark_reads(artModel *m, const formula *f, int reader)
{
  for (int k = 0; k < f->nstep; k++) {
    const int slot = formula_read(f, k);
    if (slot >= 0) model_mark_read(m, slot, reader);
  }
}


void model_mark_read(artModel *m, int slot, int reader)
{
  ART_ASSERT(slot >= 0 && slot < m->nquantity);
  modelQuantity *quantity = &m->quantity[slot];
  if (quantity->readers & reader) return;
  quantity->readers = (unsigned short) (quantity->readers | reader);
  if (quantity->kind == QUANTITY_SIGNAL) {
    model_mark_reads(m, m->signal[quantity->index].value.f, reader);
  }
}
