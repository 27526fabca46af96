// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine that is stepped: a data block with its run. A simulator has one, a batch many.
//
// The user may change q, v and s between steps without the run being notified. So the state after a
// step is stored for comparison, and the run is restarted if the state has changed.
#ifndef PYTHON_MACHINE_H
#define PYTHON_MACHINE_H

#include "articula/articula.h"

// Start from {0}.
typedef struct pyMachine {
  const artModel *model;
  artData *data;
  artRun *run;
  double *kept;      // q, v, s and time as the run left them
  char *start;       // the saved run at its start
  size_t size;       // its size in bytes
  unsigned revision; // revision of the model's parameters
} pyMachine;

// Create a machine at the start of its study. Free it even after a failure.
artStatus machine_make(pyMachine *m, const artModel *model, const artRunDef *study,
                       artError *error);
void machine_free(pyMachine *m);

// Create another machine with the same start, bit-identical; it shares compiled equations with the
// first.
artStatus machine_make_like(pyMachine *m, const pyMachine *first, const artRunDef *study,
                            artError *error);

// Move q, v and s to other arrays, [nq], [nv], [states], with their values.
void machine_move(pyMachine *m, double *q, double *v, double *s);

// Restart the run if the state has been changed since the last step.
artStatus machine_look(pyMachine *m, const artRunDef *study, artError *error);

// Advance by n steps of dt; call machine_look before.
artStatus machine_step(pyMachine *m, double dt, long n, artError *error);

// Return to the start.
artStatus machine_reset(pyMachine *m, const artRunDef *study, artError *error);

// 1 if the state has not been changed since the last step.
int machine_is_as_left(const pyMachine *m);

// Store the present state as the one left by the run.
void machine_keep(pyMachine *m);

#endif
