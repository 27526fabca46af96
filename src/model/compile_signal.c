// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inputs, states and signals: names first, then formulas. A formula that reads a signal has that one parsed before it, so
// the order in which they come to their end is an order of evaluation, and a loop is one that meets itself.
#include <math.h>
#include <string.h>

#include "model/model.h"

//---- lists ---------------------------------------------------------------------------------------

// the SI unit of an item as it is written, and its dimension
static artStatus take_unit(artModel *m, const char *text, artPlace place, const char **unit,
                           baseDimension *dimension, artError *error)
{
  *unit = "";
  *dimension = UNIT_ANY;
  if (!text) return ART_OK;
  baseUnit own;
  const artStatus status = unit_parse(&own, text, place, error);
  if (status != ART_OK) return status;
  if (own.scale != 1) {
    char name[UNIT_NAME_LENGTH];
    return base_fail(
        error, ART_BAD_INPUT, place,
        "the unit '%.40s' is no unit of SI; write %s here, values may have any unit of "
        "that kind",
        text,
        own.dimension.kg || own.dimension.m || own.dimension.s || own.dimension.A || own.dimension.K
            ? unit_name(own.dimension, name)
            : "rad");
  }
  *dimension = own.dimension;
  *unit = arena_text(&m->arena, text);
  return *unit ? ART_OK : base_no_memory(error);
}


static artStatus add_held(artModel *m, const modelHeld *held, artError *error)
{
  m->held = arena_grow(&m->arena, m->held, m->nheld, &m->held_capacity, sizeof *m->held);
  if (!m->held) return base_no_memory(error);
  m->held[m->nheld] = *held;
  m->held[m->nheld].slot = -1;
  if (!held->name || !table_add(&m->helds, &m->arena, held->name, m->nheld)) {
    return base_no_memory(error);
  }
  m->nheld++;
  return ART_OK;
}


static artStatus add_state(artModel *m, const modelState *state, artError *error)
{
  m->state = arena_grow(&m->arena, m->state, m->nstate, &m->state_capacity, sizeof *m->state);
  if (!m->state) return base_no_memory(error);
  m->state[m->nstate] = *state;
  m->state[m->nstate].slot = -1;
  if (!state->name || !table_add(&m->states, &m->arena, state->name, m->nstate)) {
    return base_no_memory(error);
  }
  m->nstate++;
  if (state->rate.text) m->nrate = m->nstate;
  return ART_OK;
}


static artStatus add_signal(artModel *m, const modelSignal *signal, artError *error)
{
  m->signal = arena_grow(&m->arena, m->signal, m->nsignal, &m->signal_capacity, sizeof *m->signal);
  if (!m->signal) return base_no_memory(error);
  m->signal[m->nsignal] = *signal;
  m->signal[m->nsignal].slot = -1;
  if (!signal->name || !table_add(&m->signals, &m->arena, signal->name, m->nsignal)) {
    return base_no_memory(error);
  }
  m->nsignal++;
  return ART_OK;
}


artStatus model_add_element_state(artModel *m, const char *name, artError *error)
{
  return add_state(m, &(modelState){.name = name, .unit = "1", .dimension = UNIT_NUMBER}, error);
}


//---- names ---------------------------------------------------------------------------------------

static artStatus declare_input(artModel *m, const inputRecord *record, artError *error)
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
  const artStatus status =
      take_unit(m, def->unit, field_place(where, "unit"), &held.unit, &held.dimension, error);
  if (status != ART_OK) return status;
  if (!model_keep_place(m, &held.place)) return base_no_memory(error);
  return add_held(m, &held, error);
}


// one state has the name itself, several have their numbers behind a dot
static artStatus declare_states(artModel *m, const stateRecord *record, artError *error)
{
  static const char *const marks[] = {"rate0", "rate1", "rate2", "rate3",
                                      "rate4", "rate5", "rate6", "rate7"};
  const artStateDef *def = &record->def;
  const fieldWhere *where = &record->head.where;
  artStatus status = ART_OK;
  for (int k = 0; k < def->rate.count && status == ART_OK; k++) {
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
    status =
        take_unit(m, def->unit, field_place(where, "unit"), &state.unit, &state.dimension, error);
    if (status == ART_OK && (!state.rate.text || !model_keep_place(m, &state.place))) {
      status = base_no_memory(error);
    }
    if (status == ART_OK) status = add_state(m, &state, error);
  }
  return status;
}


artStatus model_declare_parts(artModel *m, const char *kind, const char *name,
                              const recordHead *head, const partContext *parts, artError *error)
{
  if (parts->arena->has_run_out) return base_no_memory(error);
  artStatus status = parts->status;
  if (!status) status = model_check_parts(m, kind, name, head, parts, error);
  for (int i = 0; i < parts->n && status == ART_OK; i++) {
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
    status = take_unit(m, part->unit, field_place(&head->where, "unit"), &unit, &dimension, error);
    if (status == ART_OK && (!text.text || !model_keep_place(m, &item))) {
      status = base_no_memory(error);
    }
    if (status != ART_OK) break;
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
      status = add_held(m, &held, error);
    } else if (part->type == PART_STATE) {
      const modelState state = {own,           unit,           dimension, item,
                                part->initial, part->is_shown, -1,        text};
      status = add_state(m, &state, error);
    } else {
      const modelSignal signal = {.name = own,
                                  .unit = unit,
                                  .dimension = dimension,
                                  .place = item,
                                  .is_shown = part->is_shown,
                                  .value = text};
      status = add_signal(m, &signal, error);
    }
  }
  return status;
}


static artStatus declare_block(artModel *m, const blockRecord *record, artError *error)
{
  partContext parts = {.arena = &m->arena,
                       .where = &record->head.where,
                       .error = error,
                       .numbers = model_numbers(m)};
  parts.self = arena_compose(&m->arena, "'/%s'", record->name);
  record->kind->make(record->def, &parts);
  const artStatus status =
      model_declare_parts(m, record->kind->form.name, record->name, &record->head, &parts, error);
  arena_free(&parts.lists);
  return status;
}


artStatus model_declare_signals(artModel *m, const artBuilder *b, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < b->inputs.count && status == ART_OK; i++) {
    status = declare_input(m, RECORD(b->inputs, inputRecord, i), error);
  }
  m->ninput = m->nheld;
  for (int i = 0; i < b->states.count && status == ART_OK; i++) {
    status = declare_states(m, RECORD(b->states, stateRecord, i), error);
  }
  for (int i = 0; i < b->blocks.count && status == ART_OK; i++) {
    status = declare_block(m, RECORD(b->blocks, blockRecord, i), error);
  }
  return status;
}


//---- names again ---------------------------------------------------------------------------------

static int is_same(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : a == b;
}


static int take_held(artModel *m, const modelHeld *from)
{
  const int i = table_find(&m->helds, from->name);
  modelHeld *to = i < 0 ? NULL : &m->held[i];
  if (!to || !is_same(from->unit, to->unit) || !is_same(from->next.text, to->next.text) ||
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


static int take_state(artModel *m, const modelState *from)
{
  const int i = table_find(&m->states, from->name);
  if (i < 0 || !is_same(from->unit, m->state[i].unit) ||
      !is_same(from->rate.text, m->state[i].rate.text)) {
    return 0;
  }
  m->state[i].initial = from->initial;
  return 1;
}


static int take_signal(const artModel *m, const modelSignal *from)
{
  const int i = table_find(&m->signals, from->name);
  return i >= 0 && is_same(from->unit, m->signal[i].unit) &&
         is_same(from->value.text, m->signal[i].value.text);
}


artModel model_without_signals(const artModel *m)
{
  artModel own = *m;
  own.arena = own.formulas = (baseArena){0};
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
  for (int k = 0; k < own->nstate && is_done; k++) is_done = take_state(m, &own->state[k]);
  for (int k = 0; k < own->nsignal && is_done; k++) is_done = take_signal(m, &own->signal[k]);
  return is_done;
}


int model_input_again(artModel *m, int i)
{
  artModel own = model_without_signals(m);
  artError ignored = {0};
  return !declare_input(&own, RECORD(m->records->inputs, inputRecord, i), &ignored) &&
         model_take_signals(m, &own);
}


int model_state_again(artModel *m, int i)
{
  artModel own = model_without_signals(m);
  artError ignored = {0};
  return !declare_states(&own, RECORD(m->records->states, stateRecord, i), &ignored) &&
         model_take_signals(m, &own);
}


int model_block_again(artModel *m, int i)
{
  artModel own = model_without_signals(m);
  artError ignored = {0};
  return !declare_block(&own, RECORD(m->records->blocks, blockRecord, i), &ignored) &&
         model_take_signals(m, &own);
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
static artStatus refuse_loop(const artModel *m, int signal, artPlace place, artError *error)
{
  char members[BASE_HINT_LENGTH] = "";
  int chain[16], n = 0;
  for (int i = m->parsing; i >= 0 && n < 16; i = i == signal ? -1 : m->signal[i].reader) {
    chain[n++] = i;
  }
  if (n == 1) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "algebraic loop: '%s' reads itself; a state or a sampled block breaks it",
                     m->signal[signal].name);
  }
  for (int i = n - 1; i >= 0; i--) {
    base_append(members, sizeof members, "%s'%s' reads '%s'", i < n - 1 ? ", " : "",
                m->signal[chain[i]].name, m->signal[i > 0 ? chain[i - 1] : signal].name);
  }
  return base_fail(error, ART_BAD_INPUT, place,
                   "algebraic loop: %s; a state or a sampled block breaks it", members);
}


artStatus model_need_signal(artModel *m, int i, artPlace place, artError *error)
{
  modelSignal *signal = &m->signal[i];
  if (signal->value.f) return ART_OK;
  if (signal->is_being_parsed) return refuse_loop(m, i, place, error);
  signal->is_being_parsed = 1;
  signal->reader = m->parsing;
  m->parsing = i;
  const artStatus status = model_signal_formula(m, &signal->value, signal->dimension, error);
  m->parsing = signal->reader;
  signal->is_being_parsed = 0;
  if (status != ART_OK) return status;
  if (!signal->is_shown) signal->dimension = signal->value.f->dimension;
  signal->value.mode0 = m->nmode;
  m->nmode += signal->value.f->nswitch;
  m->signal_order[m->nordered++] = i;
  return ART_OK;
}


artStatus model_parse_signals(artModel *m, artError *error)
{
  m->signal_order = arena_alloc(&m->arena, (size_t) m->nsignal, sizeof *m->signal_order);
  if (!m->signal_order) return base_no_memory(error);
  m->parsing = -1;
  artStatus status = model_parse_rules(m, error);
  for (int i = 0; i < m->nsignal && status == ART_OK; i++) {
    status = model_need_signal(m, i, m->signal[i].place, error);
  }
  return status;
}


// A hysteresis keeps its side from step to step, so that its branches are frozen in a run; those of late formulas are not.
static artStatus check_memory(const signalFormula *s, const char *name, artError *error)
{
  if (s->level <= LEVEL_VELOCITY || !formula_has_memory(s->f)) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, s->place,
                   "%s '%s' has a hysteresis, which cannot depend on accelerations or forces; a "
                   "lag or a sampled sensor between them can",
                   s->kind, name);
}


// A condition of a latch reads it, which is to be true no earlier than a corner in it, and not to pass unseen there.
static int is_condition(const artModel *m, const modelSignal *s)
{
  return model_is_in_conditions(m, s) && s->value.level <= LEVEL_VELOCITY &&
         s->value.f->nswitch > 0;
}


static void freeze(artModel *m, signalFormula *s)
{
  s->is_frozen = 1;
  s->switch0 = m->nswitch;
  m->nswitch += s->f->nswitch;
}


// Rates of positions, velocities and states belong to the evaluation of forces; those of accelerations and forces come
// after it.
artStatus model_parse_rates(artModel *m, artError *error)
{
  m->early = arena_alloc(&m->arena, (size_t) m->nrate, sizeof *m->early);
  m->late = arena_alloc(&m->arena, (size_t) m->nrate, sizeof *m->late);
  if (!m->early || !m->late) return base_no_memory(error);
  for (int i = 0; i < m->nrate; i++) {
    modelState *state = &m->state[i];
    signalFormula *rate = &state->rate;
    const baseDimension per_second = unit_product(state->dimension, UNIT_TIME, -1);
    const artStatus status = model_signal_formula(m, rate, per_second, error);
    if (status != ART_OK) return status;
    rate->mode0 = m->nmode;
    m->nmode += rate->f->nswitch;
    const int is_late = rate->level > LEVEL_VELOCITY;
    if (check_memory(rate, state->name, error) != ART_OK) return ART_BAD_INPUT;
    model_mark_reads(m, rate->f, is_late ? READ_BY_RATES : READ_BY_FORCES);
    if (is_late) {
      m->late[m->nlate++] = i;
    } else {
      m->early[m->nearly++] = i;
      freeze(m, rate);
    }
  }
  for (int i = 0; i < m->nsignal; i++) {
    modelSignal *signal = &m->signal[i];
    if (check_memory(&signal->value, signal->name, error) != ART_OK) return ART_BAD_INPUT;
    if (!formula_has_memory(signal->value.f) && !is_condition(m, signal)) continue;
    const int slot = model_quantity(m, signal->name, signal->place, error);
    if (slot < 0) return ART_NO_MEMORY;
    model_mark_read(m, slot, READ_BY_FORCES);
  }
  for (int i = 0; i < m->nsignal; i++) {
    modelSignal *signal = &m->signal[i];
    const int is_read =
        signal->slot >= 0 && (m->quantity[signal->slot].readers & READ_BY_FORCES) != 0;
    if (is_read) freeze(m, &signal->value);
  }
  return model_compile_samplers(m, error);
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
  const signalFormula *s =
      k < m->nsignal ? &m->signal[k].value : &m->state[m->early[k - m->nsignal]].rate;
  return s->is_frozen ? s : NULL;
}


const char *model_frozen_name(const artModel *m, int k)
{
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
  modelQuantity *quantity = &m->quantity[slot];
  if (quantity->readers & reader) return;
  quantity->readers = (unsigned short) (quantity->readers | reader);
  if (quantity->kind == QUANTITY_SIGNAL) {
    model_mark_reads(m, m->signal[quantity->index].value.f, reader);
  }
}
