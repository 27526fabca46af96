// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Signals: the three primitives that inputs, states, blocks, sensors and actuators of a model are made of. Kinds add
// them by texts of the formula language (element/part.h); forces, conditions, outputs, rates and other signals read them
// as quantities QUANTITY_HELD, QUANTITY_STATE and QUANTITY_SIGNAL.
#ifndef MODEL_SIGNAL_H
#define MODEL_SIGNAL_H

#include "articula/model.h"
#include "element/part.h"
#include "model/define/records.h"
#include "model/formula/formula.h"
#include "model/formula/quantity_kind.h"

// A formula of a signal, state or held number. Branches of those that forces, early rates and conditions of latches read are frozen in a run
// and have switching functions; all others choose them where they are evaluated.
typedef struct signalFormula {
  const char *text;
  const char *kind;       // "block", for messages
  const recordHead *head; // of the builder: while the model is being compiled
  artPlace place;         // of the text
  int is_own;             // of the user, letter by letter
  int is_checked;         // strictly by units
  formula *f;             // NULL until it is parsed
  quantityLevel level;    // of what it reads
  int is_frozen;
  int mode0;   // its branches, f->nswitch
  int switch0; // where it is frozen, as many
} signalFormula;

// The rule for the value of a formula, which is not a number that is known when the model is made (part_rules.c).
typedef struct modelRule {
  partNeed need;
  const char *key, *name; // of the item
  baseDimension dimension;
  signalFormula value;
} modelRule;

// The signal that an input follows: value[k] at time[k], which increase.
typedef struct modelTable {
  int n;
  const double *time, *value;
} modelTable;

// A number that is constant between instants: an input, or the memory of a sampler.
typedef struct modelHeld {
  const char *name, *unit;
  baseDimension dimension;
  artPlace place;
  double initial;
  double least, largest; // of an input
  double every, offset;  // s; 0: no clock
  artHold hold;          // of an input
  artValue
      *value; // of an input: asked at the instants of its clock; NULL: the host program sets it
  void *context;
  const modelTable *table; // of an input: what it follows; or NULL
  int is_shown;
  int slot;           // its quantity, -1: nobody reads it
  int clock;          // of a sampler, or of an input with a function or a table; -1: none
  int is_memory;      // others of the same instant read its old value
  signalFormula next; // of a sampler
} modelHeld;

// The instants of samplers: t = offset + k every, k = 0, 1, 2 ...; or the times of a table.
typedef struct modelClock {
  double every, offset;
  const modelTable *table; // or NULL
} modelClock;

// An input on straight lines between the rows of its table: it is not a constant between instants.
static inline int held_is_on_lines(const modelHeld *held)
{
  return held->table && held->hold == ART_HOLD_FIRST;
}

// A state of artData's s.
typedef struct modelState {
  const char *name, *unit;
  baseDimension dimension;
  artPlace place;
  double initial;
  int is_shown;
  int slot;           // its quantity, -1: nobody reads it
  signalFormula rate; // without a text: the rate is given by a force element
  const char *words;  // what it is, for messages; NULL: its name
} modelState;

typedef struct modelSignal {
  const char *name, *unit;
  baseDimension dimension;
  artPlace place;
  int is_shown;
  int is_projection; // as in elementPart
  int is_being_parsed;
  int reader; // while it is being parsed: the signal that asked for it, or -1
  int slot;   // its quantity, -1: nobody reads it
  signalFormula value;
} modelSignal;

// How kinds write numbers of the definitions of a model that is being compiled.
partNumbers model_numbers(const artModel *m);

// Inputs, states and blocks of the builder: their names (compile_signal.c). Before forces, which may name them.
void model_declare_signals(artModel *m, const artBuilder *b);

// The parts of an item, which is a `kind` of this name: "block", "speed_loop".
void model_declare_parts(artModel *m, const char *kind, const char *name, const recordHead *head,
                         const partContext *parts);

// The rules of its values; before its parts are declared (part_rules.c). Those of formulas are kept.
void model_check_parts(artModel *m, const char *kind, const char *name, const recordHead *head,
                       const partContext *parts);

// Formulas of rules: units are checked, and those whose values change stay in the model.
void model_parse_rules(artModel *m);

// Does a value keep the rule? The words of a message otherwise: "a positive number is wanted".
int model_keeps_rule(partNeed need, double value);
const char *model_rule_words(partNeed need);

// A state whose rate an element gives.
void model_add_element_state(artModel *m, const char *name);

// Parse the formulas of all signals, once elements have coordinates; then rates and samplers, once all else is parsed
// that forces read.
void model_parse_signals(artModel *m);
void model_parse_rates(artModel *m);

// Samplers in the order of the data flow; ART_BAD_INPUT where there is none (compile_sampler.c).
void model_compile_samplers(artModel *m);

// Whether conditions of latches read a signal, themselves or by others.
int model_is_in_conditions(const artModel *m, const modelSignal *s);

// Formulas of signals, then early rates, that may be frozen in a run: the k-th, NULL where it is not; and its name.
int model_frozen_count(const artModel *m);
const signalFormula *model_frozen(const artModel *m, int k);
const char *model_frozen_name(const artModel *m, int k);

// The quantity that a whole name represents, 0: it is not an input, state or signal.
int model_find_signal(const artModel *m, const char *name, modelQuantity *out);

// The clock of a sampler, or of an input that is asked for, added where it is new; there is room for one of each.
int model_clock_of(artModel *m, const modelHeld *held);

// Who reads quantities: bits of modelQuantity.readers. Signals pass the bit on to what they read.
enum {
  READ_BY_FORCES = 1,
  READ_BY_RATES = 2,
  READ_BY_LATCHES = 4,
  READ_BY_SAMPLERS = 8,
  READ_BY_RULES = 16
};
void model_mark_read(artModel *m, int slot, int reader);

// The same of all that a formula reads.
void model_mark_reads(artModel *m, const formula *f, int reader);

#endif
