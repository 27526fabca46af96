// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Register spills in generated source (eqn/spill.c): KEEP(place, x) stores, AGAIN(place, x) and ANEW(q[3]) reload. Sources
// define these macros where they spill; elsewhere they are the variable itself.
#ifndef EMIT_SPILL_TEXT_H
#define EMIT_SPILL_TEXT_H

#include "emit/write/statement.h"
#include "eqn/list.h"

enum { SHARED_SPILLS = 108 }; // slots of each of 256 threads, in 216 kB of shared memory

typedef struct emitSpill {
  eqnSpill plan;
  const char **name, **symbol; // as they were
  int nagain;                  // new names so far
} emitSpill;

// From here on until it is closed.
void spill_open(emitWriter *w);
void spill_close(emitWriter *w);

// Emit the reloads before equation e, the spills after it, and the spills of equations [from, to) after their Newton loop.
void spill_reload(emitWriter *w, int e, int depth);
void spill_store(emitWriter *w, int e, int depth);
void spill_store_late(emitWriter *w, int from, int to, int depth);

#endif
