// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs that evaluate a machine by one and by tasks side by side, and compare bytes.
#ifndef SUPPORT_TASKS_H
#define SUPPORT_TASKS_H

#include "articula/articula.h"
#include "emit/task/parallel.h"

typedef struct tasksMachine {
  artModel *m;
  artData *d;
  eqnProgram *p;
  artError error; // why there are no equations
} tasksMachine;

// The equations of a machine at its own state; 0 when there are none. Close in any case.
int tasks_machine_open(tasksMachine *x, const char *path);
void tasks_machine_close(tasksMachine *x);

// Tasks of the search as if transfers took no time: small machines would else stay in one.
emitParallel tasks_freely(emitParallelKind kind, int tasks);

// program.c and main.c in a folder. The program looks at so many states, the first that of the machine, then others
// nearby, and every fourth so far away that loops may not close; it says "N bad, N held" of them and fails when a
// status or a byte differs or no state held. With an argument it loses a worker: --stalls, or of ranks --dies, or
// after the first state the caller: --leaves.
void tasks_machine_write(const tasksMachine *x, const char *folder, emitParallel parallel,
                         int trials);

#endif
