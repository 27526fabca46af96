// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The neutral language of emit/texts/machine_logic.in, which says what it has, made Fortran, MATLAB, Java or Python.
#ifndef EMIT_NEUTRAL_H
#define EMIT_NEUTRAL_H

#include "base/arena.h"
#include "emit/language/options.h"
#include "emit/write/template.h"

enum { NEUTRAL_CLEAR = 64 };

typedef struct neutralJob {
  FILE *out;
  baseArena *arena;
  emitLanguage language;
  const char *machine; // its name
  const char *room;    // before vectors of equations, "m%w%"
  const templateCondition *where;
  int nclear;
  const char *clear[NEUTRAL_CLEAR]; // vectors that are zero before derivatives are found
} neutralJob;

// Fields of the machine, in lines that are so deep; all routines. The arena leaves the work (base/leave.h) where memory runs out.
void neutral_print_fields(const neutralJob *job, int indent);
void neutral_print_routines(const neutralJob *job);

#endif
