// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Damped least squares with a constraint Jacobian of any rank:  minimise |J x - b|^2 + mu |x|^2,
// with scaled rows and columns; some columns may be fixed. As mu -> 0, x is the minimum-norm
// solution.
#ifndef LOOP_DAMPED_LEAST_SQUARES_H
#define LOOP_DAMPED_LEAST_SQUARES_H

#include "articula/base.h"
#include "base/arena.h"
#include "loop/matrix.h"

typedef struct loopLeast {
  const loopMatrix *J; // owned by the caller
  double *row;         // m: row scale factors
  // n: column scale factors, the size against which x is measured; 0: fixed column
  double *column;

  int count;      // columns that are not fixed
  int *free;      // n: their numbers
  int *number;    // n: index of a column in free, -1: fixed
  double *normal; // m x m, lower triangle by columns; NULL for large m: sparse
  double *factor; // the same after damping, factored
  double *right;  // m
  int *at;        // m: rows of the nonzero entries of a column
  double *entry;  // m: their values
  int *start;     // n + 1: entries of J by columns
  int *of_row;    // entries: their rows
  int *place;     // entries: their indices into the values of J
} loopLeast;

// Allocate memory; returns 0 when there is none. Scales are zero until the caller sets them. J may
// be replaced later by another matrix of the same size with at most `entries` entries.
int least_start(loopLeast *least, const loopMatrix *J, int entries, baseArena *arena);

// Form the normal equations. Call again whenever J or a scale has changed.
void least_gather(loopLeast *least);

// Solve for right-hand side b[m]; mu is `damping` times the largest diagonal entry. Writes all of
// x[n].
artStatus least_solve(loopLeast *least, double damping, const double *b, double *x,
                      artError *error);

#endif
