// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statements by which variables wait in memory for their readers (eqn/waiting.c): KEEP(place, x), AGAIN(place, x) and
// ANEW(q[3]), which texts define where memory is to be used so; elsewhere they are the variable itself.
#ifndef EMIT_SPILL_TEXT_H
#define EMIT_SPILL_TEXT_H

#include "emit/write/statement.h"
#include "eqn/list.h"

enum { WAITING_FAST = 108 }; // numbers of each of 256 threads, in 216 kB of shared memory

typedef struct emitSpill {
  eqnSpill plan;
  const char **name, **symbol; // as they were
  int nagain;                  // new names so far
} emitSpill;

// From here on until it is closed.
void spill_open(emitWriter *w);
void spill_close(emitWriter *w);

// Before an equation and after it; and of equations from .. to after the iterations that they belong to. Nothing where
// nothing waits.
void spill_reload(emitWriter *w, int e, int depth);
void spill_store(emitWriter *w, int e, int depth);
void spill_store_late(emitWriter *w, int from, int to, int depth);

#endif
