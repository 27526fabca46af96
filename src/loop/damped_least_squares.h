// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Damped least squares with a constraint Jacobian of any rank:  minimise |J x - b|^2 + mu |x|^2,
// rows and columns scaled, some columns held. With little damping x is the shortest solution.
#ifndef LOOP_DAMPED_LEAST_SQUARES_H
#define LOOP_DAMPED_LEAST_SQUARES_H

#include "articula/base.h"
#include "base/arena.h"
#include "loop/matrix.h"

typedef struct loopLeast {
  const loopMatrix *J; // the caller's
  double *row;         // m: rows are multiplied by this
  double *column;      // n: columns, too; x is measured against it; 0: held

  int count;      // columns that may move
  int *free;      // n: these,
  int *number;    // n: and their numbers among them, -1: held
  double *normal; // m x m, lower triangle by columns; NULL where they are many: sparse
  double *factor; // the same, damped
  double *right;  // m
  int *at;        // m: entries of a column that are not zero
  double *entry;  //
  int *start;     // n + 1: entries of J by columns
  int *of_row;    // entries: their rows
  int *place;     // entries: their places in J
} loopLeast;

// Take the memory; 0 when there is none. Scales are zero until the caller sets them. J may be exchanged
// later for another of its size with at most `entries` entries.
int least_start(loopLeast *least, const loopMatrix *J, int entries, baseArena *arena);

// Form the normal equations; again whenever J or a scale has changed.
void least_gather(loopLeast *least);

// x for the right-hand side b[m]; mu is `damping` times the largest diagonal entry. Writes all of x[n].
artStatus least_solve(loopLeast *least, double damping, const double *b, double *x,
                      artError *error);

#endif
