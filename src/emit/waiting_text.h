// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statements by which variables wait in memory for their readers (eqn/waiting.c): KEEP(place, x), AGAIN(place, x) and
// ANEW(q[3]), which texts define where memory is to be used so; elsewhere they are the variable itself.
#ifndef EMIT_WAITING_TEXT_H
#define EMIT_WAITING_TEXT_H

#include "emit/statement.h"
#include "eqn/list.h"

enum { WAITING_FAST = 108 }; // numbers of each of 256 threads, in 216 kB of shared memory

typedef struct emitWaiting {
  eqnWaiting plan;
  const char **name, **symbol; // as they were
  int nagain;                  // new names so far
} emitWaiting;

// From here on until it is closed.
void waiting_open(emitWriter *w);
void waiting_close(emitWriter *w);

// Before an equation and behind it; and of equations from .. to behind the iterations that they belong to. Nothing where
// nothing waits.
void waiting_load(emitWriter *w, int e, int depth);
void waiting_keep(emitWriter *w, int e, int depth);
void waiting_keep_late(emitWriter *w, int from, int to, int depth);

#endif
