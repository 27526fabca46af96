// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inputs and states: fields, checks, and their sections in model files.
#include <math.h>
#include <string.h>

#include "model/define/records.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"

//---- inputs --------------------------------------------------------------------------------------

static const char *hold_word(int i)
{
  static const char *const words[] = {"zero", "first"};
  return i < ART_HOLDS ? words[i] : NULL;
}


// clang-format off
#define AT(field) offsetof(artInputDef, field)
static const fieldKey input_keys[] = {
    {"unit", KEY_UNIT, .offset = AT(unit), .help = "of its value, in SI"},
    {"default", KEY_NUMBER, Q_OWN, .offset = AT(initial), .mark = "initial", .fallback = "0",
     .help = "its value until it is set"},
    {"limits", KEY_ROW, Q_OWN, .offset = AT(limits), .given = AT(has_limits), .count = 2,
     .range = RANGE_CHECKED, .may_be_infinite = true, .fallback = "none",
     .help = "least and largest value that it may be set to; `inf`, `-inf`: none"},
    {"every", KEY_NUMBER, Q_TIME, .offset = AT(every), .above_zero = true,
     .range = RANGE_NOT_NEGATIVE, .help = "how often it is meant to be set"},
    {"hold", KEY_CHOICE, .offset = AT(hold), .choice = hold_word, .fallback = "zero",
     .help = "between two values: `zero`, it stays; `first`, it goes on a straight line"},
    {0}};
#undef AT
// clang-format on
const fieldForm reader_form_input = {.name = "input", .keys = input_keys};


static void check_input(const fieldCheck *c, void *from)
{
  const artInputDef *def = from;
  const double low = def->limits[0], high = def->limits[1];
  if ((unsigned) def->hold >= ART_HOLDS) {
    field_refuse(c, "hold", "input '%s' has the hold %d, which there is not", def->name,
                 (int) def->hold);
  } else if (!isfinite(def->initial)) {
    field_refuse(c, "initial", "input '%s' begins with a value that is not finite", def->name);
  } else if (def->has_limits && !(low <= high && low < HUGE_VAL && high > -HUGE_VAL)) {
    field_refuse(c, "limits",
                 "input '%s' has the limits %.9g and %.9g, expected the least value before the "
                 "largest",
                 def->name, low, high);
  } else if (def->has_limits && !(def->initial >= low && def->initial <= high)) {
    field_refuse(c, "initial", "input '%s' begins with %.9g, outside its limits %.9g to %.9g",
                 def->name, def->initial, low, high);
  }
}


void reader_set_input(modelReader *reader, const char *name, double value, int *is_known)
{
  artBuilder *b = reader->builder;
  *is_known = 0;
  for (int i = 0; i < b->inputs.count && !*is_known; i++) {
    inputRecord *record = RECORD(b->inputs, inputRecord, i);
    if (strcmp(record->def.name, name) != 0) continue;
    const fieldCheck check = {name, &record->head.where};
    *is_known = 1;
    record->def.initial = value;
    live_forget(b, &record->def.initial);
    check_input(&check, &record->def);
  }
}


static const fieldForm *const input_forms[] = {&reader_form_input, NULL};
const itemFamily item_input = {.what = "input",
                               .is_signal = 1,
                               .forms = input_forms,
                               .whole = &reader_form_input,
                               .size = sizeof(artInputDef),
                               ITEM_RECORDS(inputs, inputRecord),
                               .check = check_input};

//---- states --------------------------------------------------------------------------------------

// clang-format off
#define AT(field) offsetof(artStateDef, field)
static const fieldKey state_keys[] = {
    {"unit", KEY_UNIT, .offset = AT(unit), .help = "of the state, in SI"},
    {"initial", KEY_SOME_NUMBERS, Q_OWN, .offset = AT(initial), .fallback = "0",
     .help = "its value at the start; or a list of them, one for each rate"},
    {"rate", KEY_SOME_FORMULAS, Q_OWN_RATE, .need = REQUIRED, .offset = AT(rate),
     .help = "its derivative by time, a formula; or a list, for states NAME.1, NAME.2 ..."},
    {0}};
#undef AT
// clang-format on
const fieldForm reader_form_state = {.name = "state", .keys = state_keys};


static void check_state(const fieldCheck *c, void *from)
{
  static const double zero = 0;
  artStateDef *def = from;
  if (def->rate.count < 1) {
    field_refuse_all(c, "state '%s' has no rate: give its derivative by time", def->name);
  }
  for (int i = 0; i < def->rate.count; i++) {
    if (def->rate.name[i] && def->rate.name[i][0]) continue;
    field_refuse(c, "rate", "state '%s' has no rate: give its derivative by time", def->name);
  }
  if (def->initial.count == 0 && def->rate.count == 1) def->initial = (artNumbers){1, &zero};
  if (def->initial.count == def->rate.count) return;
  field_refuse(c, "initial", "state '%s' has %d initial value%s and %d rate%s, expected as many",
               def->name, def->initial.count, def->initial.count == 1 ? "" : "s", def->rate.count,
               def->rate.count == 1 ? "" : "s");
}


static const fieldForm *const state_forms[] = {&reader_form_state, NULL};
const itemFamily item_state = {.what = "state",
                               .is_signal = 1,
                               .forms = state_forms,
                               .whole = &reader_form_state,
                               .size = sizeof(artStateDef),
                               ITEM_RECORDS(states, stateRecord),
                               .check = check_state};
