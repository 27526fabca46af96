// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The signal of an input that is not connected to a part: a formula of time, or a table.
#ifndef FMI_UNIT_SIGNAL_H
#define FMI_UNIT_SIGNAL_H

#include "base/arena.h"
#include "base/unit.h"
#include "model/formula/formula.h"
#include "model/model.h"

typedef struct fmiSignal {
  const formula *formula; // or NULL: a table
  int *branch;
  double *stack;
  modelTable table;
  artHold hold;
  double since; // start of the current step: rows up to then have taken effect

  double factor, offset; // the input is factor f(t) + offset
  unsigned reference;    // of the input
  struct fmiSignal *next;
} fmiSignal;

// The input: its dimension (UNIT_ANY if unknown), and its unit, in which x is scale x + shift in
// SI.
typedef struct fmiTarget {
  const char *name;
  baseDimension dimension;
  double scale, shift;
} fmiTarget;

// Signals are stored in the arena; errors are thrown (base/error.h). A formula depends on `time`,
// or is a quantity; numbers without a unit are in the unit of the input, functions of time in SI.
void signal_formula(fmiSignal *signal, baseArena *arena, const char *text, artPlace place,
                    const fmiTarget *target);
void signal_table(fmiSignal *signal, baseArena *arena, const char *text, const fmiTarget *target);

double signal_value(const fmiSignal *signal, double t);

// Evaluate within a step that starts at the time of signal_begin, up to the next row of its table:
// at a jump (two rows with the same time) the value before it.
void signal_begin(fmiSignal *signal, double t);
double signal_on_way(const fmiSignal *signal, double t);

// The time of the first table row after t; infinite if there is none.
double signal_next(const fmiSignal *signal, double t);

#endif
