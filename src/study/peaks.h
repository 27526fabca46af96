// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Maxima of several functions of one positive variable.
#ifndef STUDY_PEAKS_H
#define STUDY_PEAKS_H

#include "articula/base.h"
#include "base/arena.h"

typedef struct peakFunctions {
  int n;
  artStatus (*values)(void *context, double x, double *y, artError *error); // y[n]
  void *context;
} peakFunctions;

typedef struct peak {
  int function;
  double x, y;
} peak;

// All maxima that stand out between the first and the last of the places x[nx], which ascend: one for each
// place that is higher than its neighbours, to 1e-9 of x; by function, highest first. The list is taken
// from the arena.
artStatus peaks_find(const peakFunctions *f, int nx, const double *x, baseArena *arena, peak **list,
                     int *count, artError *error);

// By function, highest first.
void peaks_sort(peak *list, int count);

#endif
