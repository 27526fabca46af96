// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine that is stepped: a data block with its run. Simulators have one, batches many.
//
// Whoever steps it may have written into q, v and s before. The run knows nothing of that, so the state that it left behind
// is kept to compare with, and a run that finds another one begins anew there.
#ifndef PYTHON_MACHINE_H
#define PYTHON_MACHINE_H

#include "articula/articula.h"

// Start from {0}.
typedef struct pyMachine {
  const artModel *model;
  artData *data;
  artRun *run;
  double *kept;      // q, v, s and time as the run left them
  char *start;       // the saved run at its beginning,
  size_t size;       // so many bytes,
  unsigned revision; // of a model with these parameters
} pyMachine;

// A machine at the beginning of its study. On failure free it all the same.
artStatus machine_make(pyMachine *m, const artModel *model, const artRunDef *study,
                       artError *error);
void machine_free(pyMachine *m);

// Another one at the same beginning, to the same bits; compiled equations are shared with the first.
artStatus machine_make_like(pyMachine *m, const pyMachine *first, const artRunDef *study,
                            artError *error);

// Let q, v and s lie elsewhere from now on, [nq], [nv], [states]; they are copied there.
void machine_move(pyMachine *m, double *q, double *v, double *s);

// The state has been written since the last step: begin anew there.
artStatus machine_look(pyMachine *m, const artRunDef *study, artError *error);

// Advance by n steps of dt; the state before must have been looked at.
artStatus machine_step(pyMachine *m, double dt, long n, artError *error);

// Back to the beginning.
artStatus machine_reset(pyMachine *m, const artRunDef *study, artError *error);

// Nobody has written into the state since the last step.
int machine_is_as_left(const pyMachine *m);

// Take the present state for the one that the run left behind.
void machine_keep(pyMachine *m);

#endif
