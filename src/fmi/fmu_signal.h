// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A signal that an input follows without another part: a formula of time, or a table.
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
  double since; // when it was on its way last: rows up to then have taken effect

  double factor, offset; // the input has factor f(t) + offset
  unsigned reference;    // of the input
  struct fmiSignal *next;
} fmiSignal;

// The input: its dimension (UNIT_ANY where it is not known), and x of its unit are scale x + shift in SI.
typedef struct fmiTarget {
  const char *name;
  baseDimension dimension;
  double scale, shift;
} fmiTarget;

// Signals live in the arena, which leaves where memory runs out; mistakes leave the work (base/error.h). A formula speaks of
// `time`, or is a quantity; numbers without a unit are in the unit of the input, what follows time in SI.
void signal_formula(fmiSignal *signal, baseArena *arena, const char *text, artPlace place,
                    const fmiTarget *target);
void signal_table(fmiSignal *signal, baseArena *arena, const char *text, const fmiTarget *target);

double signal_value(const fmiSignal *signal, double t);

// On the way from a time on, up to the next row of its table: there it has the value of before a jump (two rows at one time).
void signal_begin(fmiSignal *signal, double t);
double signal_on_way(const fmiSignal *signal, double t);

// The first row of its table behind t; infinite where there is none.
double signal_next(const fmiSignal *signal, double t);

#endif
