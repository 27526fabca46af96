// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts: the three primitives that blocks, sensors and force elements with states of their own are made of. A kind
// writes texts of the formula language; the compiler (model/signal.h) makes of them signals, states and held numbers of
// the model, which every method knows.
//
//   signal   a named formula
//   state    a number s with  ds/dt = formula
//   held     a number that is constant between instants  t = offset + k every,  where the formula gives its next value
//
// A formula reads its own parts by the name that `self` writes:  arena_compose(c->arena, "-%s.current", c->self). Numbers
// in texts are written with %-24.17g, exact and of one width: a parameter that changes leaves every text as long as it
// was, and with it the layout of the model, which art_set_parameter keeps. Those that parameters give have names instead
// (part_number).
#ifndef ELEMENT_PART_H
#define ELEMENT_PART_H

#include <stdbool.h>

#include "base/arena.h"
#include "element/field.h"

typedef enum partType { PART_SIGNAL, PART_STATE, PART_HELD } partType;

typedef struct elementPart {
  partType type;
  const char *tail;  // of its name, behind that of its owner and a dot; NULL: it is the owner's own
  const char *unit;  // in SI, "rad/s"; NULL: of any dimension
  double initial;    // of a state or a held number
  const char *text;  // value of a signal, rate of a state, next value of a held number
  const char *words; // of a state: what it is, for messages; NULL: its name
  const char *mark; // the key of the definition where the text stands, for messages; NULL: the item
  bool is_own;      // the user's own text: messages point into it
  bool is_checked;  // with a unit, the units of plain numbers count as well
  bool is_shown;    // among the outputs of a file that names none

  // held: its clock, s; a memory is read by others of the same instant as it was before, all else as it is then
  double every, offset;
  bool is_memory;
} elementPart;

// The rule for a value of the definition. A formula of parameters is looked at when the model is made, others when runs
// start and at their rows.
typedef enum partNeed {
  PART_FITS, // by its unit alone
  PART_POSITIVE,
  PART_NOT_NEGATIVE,
  PART_ORDERED, // the width between two limits, which is positive
  PART_INSIDE,
  PART_FRAME
} partNeed;

typedef struct partRule {
  partNeed need;
  const char *key;  // where it stands, for messages
  const char *text; // the formula, or the name of the frame; NULL: it was not given
  const char *unit; // that the formula gives; NULL: any
  int seconds;      // times s to this power: -1 for a rate
  bool is_of_file;  // it holds for numbers of the file alone
  double value;     // PART_INSIDE: a number, which the limits enclose
  const char *limit[2];
} partRule;

// Numbers of definitions in texts. One that is a function of parameters is written by its number among such, '/#12',
// by which generated text knows it; any other as it is. A text that is not made where such a number is 0 is made in any
// case: part_is_live.
typedef struct partNumbers {
  const void *context;
  int (*find)(const void *context, const double *x); // its number, -1: no parameter gives it
} partNumbers;
#define PART_LIVE '#'
const char *part_number(const partNumbers *numbers, baseArena *arena, const double *x);
int part_is_live(const partNumbers *numbers, const double *x);

// Who adds parts: an item that is being compiled.
typedef struct partContext {
  baseArena *arena; // of the model, and
  baseArena *lists; // of the work on it: both leave it where memory runs out
  const fieldWhere *where;
  const char *self; // the name of the item as formulas write it, in quotes
  partNumbers numbers;
  int n, capacity;
  elementPart *part;
  int nrule, rule_capacity;
  partRule *rule;
} partContext;

// Add a part; texts are kept as they are, so they come from the arena or from the definition.
void part_add(partContext *c, const elementPart *part);

// Add a signal that is shown, or a state, which is shown where it has a unit. Messages point at the key `tail`.
void part_add_signal(partContext *c, const char *tail, const char *unit, const char *text);
void part_add_state(partContext *c, const char *tail, const char *unit, double initial,
                    const char *text);

// Add a rule of a value.
void part_require(partContext *c, const partRule *rule);

// Add a held number whose formula comes n samples later, 0 or more, by memories at its clock.
void part_add_delayed(partContext *c, const elementPart *value, int n);

#endif
