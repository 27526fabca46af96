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
// A formula reads its own parts by the name that `self` writes:  arena_format(c->arena, "-%s.current", c->self).
#ifndef ELEMENT_PART_H
#define ELEMENT_PART_H

#include <stdbool.h>

#include "base/arena.h"
#include "element/field.h"

typedef enum partType { PART_SIGNAL, PART_STATE, PART_HELD } partType;

typedef struct elementPart {
  partType type;
  const char *tail; // of its name, behind that of its owner and a dot; NULL: it is the owner's own
  const char *unit; // in SI, "rad/s"; NULL: of any dimension
  double initial;   // of a state or a held number
  const char *text; // value of a signal, rate of a state, next value of a held number
  const char *mark; // the key of the definition where the text stands, for messages; NULL: the item
  bool is_checked;  // the user's own text: with a unit, those of names count
  bool is_shown;    // among the outputs of a file that names none

  // held: its clock, s; a memory is read by others of the same instant as it was before, all else as it is then
  double every, offset;
  bool is_memory;
} elementPart;

// Who adds parts: an item that is being compiled.
typedef struct partContext {
  baseArena *arena; // of the model
  const fieldWhere *where;
  artError *error;
  const double *gravity; // of the model, m/s^2
  const char *self;      // the name of the item as formulas write it, in quotes
  int n, capacity;
  elementPart *part;
} partContext;

// Add memories of n whole samples behind the formula of a held number, at its clock; *last: the name of the last of them
// as formulas write it, which is what the formula was n samples ago.
artStatus part_add_delay(partContext *c, const elementPart *first, int n, const char **last);

// Add a part; texts are kept as they are, so they come from the arena or from the definition.
artStatus part_add(partContext *c, const elementPart *part);

#endif
