// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of time of a case whose steps are made by kernels. Kernels see the ends of their steps alone, so that a pulse within one
// would be missed: the host looks at all steps by intervals (force/step_view.h) before they are made.
//
// Other quantities that such a formula reads have the values of the beginning, and 1 instead of 0.
#ifndef STUDY_SWEEP_TIMES_H
#define STUDY_SWEEP_TIMES_H

#include "study/run/run.h"

typedef struct sweepTimes {
  const char *why; // the case has to run by itself; NULL: it need not
  long unseen;     // steps of rk4 whose ends do not show what acts
  long unproved;   // steps of which that could not be found out
  double pace;     // of wheels at the beginning, 1/s
  int count;       // of instants between rows at which steps by error have to end ...
  double *stop;    // ... [count], by malloc
} sweepTimes;

// The data is at the beginning of the case; its time and modes change. 0: there is no memory.
int times_find(sweepTimes *out, const artModel *m, artData *d, const artRunDef *study);
void times_free(sweepTimes *x);

// Instants of many cases in their order, each once; returns how many are left.
int times_sort(int n, double *stop);

#endif
