// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts: three primitives for blocks, sensors and force elements with states of their own. A kind
// writes formulas; the compiler (model/signal.h) turns them into signals, states and discrete
// states of the model, which all methods support.
//
//   signal   a named formula
//   state    a number s with  ds/dt = formula
//   held     a discrete state: constant between instants  t = offset + k every,  when the formula
//   gives its next value
//
// A formula refers to parts of its own item by `self`:  arena_compose(c->arena, "-%s.current",
// c->self).  Numbers in formulas are written with %-24.17g, exact and of constant width: a changed
// parameter then leaves the length of every formula and the layout of the model unchanged, as
// art_set_parameter requires. Numbers that depend on parameters are written as names (part_number).
#ifndef ELEMENT_PART_H
#define ELEMENT_PART_H

#include <stdbool.h>

#include "base/arena.h"
#include "element/field.h"

typedef enum partType { PART_SIGNAL, PART_STATE, PART_HELD } partType;

typedef struct elementPart {
  partType type;
  // appended with a dot to the name of its owner; NULL: the name of the owner itself
  const char *tail;
  const char *unit;  // in SI, "rad/s"; NULL: of any dimension
  double initial;    // of a state or a discrete state
  const char *text;  // value of a signal, rate of a state, next value of a discrete state
  const char *words; // description of a state for messages; NULL: its name
  const char *mark; // key of the definition that contains the formula, for messages; NULL: the item
  bool is_own;      // written by the user: messages point into it
  bool is_checked;  // also check the unit of plain numbers against `unit`
  bool is_shown;    // is it written if the file names no outputs?

  // of a signal that is part of a projection onto a convex set, as of a friction force onto its cone:
  // what comes out changes by no more than what goes in, even where this quotient or norm is singular
  bool is_projection;

  // Discrete states: the clock, s. At an instant, others read the old value of a memory and the new
  // value of anything else.
  double every, offset;
  bool is_memory;
} elementPart;

// Requirement on a value of the definition. Formulas of parameters are checked when the model is
// created, others when runs start and at output rows.
typedef enum partNeed {
  PART_FITS, // only the unit
  PART_POSITIVE,
  PART_NOT_NEGATIVE,
  PART_ORDERED, // difference of two limits, which must be positive
  PART_INSIDE,
  PART_FRAME
} partNeed;

typedef struct partRule {
  partNeed need;
  const char *key;  // its key, for messages
  const char *text; // the formula, or the name of the frame; NULL: not given
  const char *unit; // of the formula; NULL: any
  int seconds;      // times s^seconds: -1 for a rate
  bool is_of_file;  // applies only to numbers of the file
  double value;     // PART_INSIDE: a number that must be within the limits
  const char *limit[2];
} partRule;

// Numbers of definitions in formulas. A number that depends on parameters is written as '/#12', its
// index among such numbers, so that generated source can refer to it; any other number is written
// literally. A formula that is omitted where a number is 0 must be kept if the number depends on
// parameters: see part_is_live.
typedef struct partNumbers {
  const void *context;
  // index of a number, -1: does not depend on parameters
  int (*find)(const void *context, const double *x);
} partNumbers;
#define PART_LIVE '#'
const char *part_number(const partNumbers *numbers, baseArena *arena, const double *x);
int part_is_live(const partNumbers *numbers, const double *x);

// An item under compilation, which adds parts.
typedef struct partContext {
  baseArena *arena; // of the model
  baseArena *lists; // for temporary lists; both throw when memory runs out
  const fieldWhere *where;
  const char *self; // quoted name of the item, as formulas write it
  partNumbers numbers;
  int n, capacity;
  elementPart *part;
  int nrule, rule_capacity;
  partRule *rule;
} partContext;

// Add a part; strings are not copied, so they must come from the arena or from the definition.
void part_add(partContext *c, const elementPart *part);

// Add a visible signal, or a state, which is visible if it has a unit. Messages point at the key
// `tail`.
void part_add_signal(partContext *c, const char *tail, const char *unit, const char *text);
void part_add_state(partContext *c, const char *tail, const char *unit, double initial,
                    const char *text);

// Add a requirement on a value.
void part_require(partContext *c, const partRule *rule);

// Add a discrete state delayed by n >= 0 samples, by n memories with its clock.
void part_add_delayed(partContext *c, const elementPart *value, int n);

#endif
