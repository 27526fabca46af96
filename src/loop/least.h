// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Damped least squares with a constraint Jacobian of any rank:  minimise |J x - b|^2 + mu |x|^2,
// rows and columns scaled, some columns held. With little damping x is the shortest solution.
#ifndef LOOP_LEAST_H
#define LOOP_LEAST_H

#include "articula/base.h"
#include "base/arena.h"

typedef struct loopLeast {
  int m, n;
  const double *J; // m x n by rows, the caller's
  double *row;     // m: rows are multiplied by this
  double *column;  // n: columns, too; x is measured against it; 0: held

  int count;      // columns that may move
  int *free;      // n
  int size;       // of the normal equations, in rows or in columns, whichever are fewer
  double *normal; // size x size, lower triangle by columns
  double *factor; // the same, damped
  double *right;  // m or n
  int *at;        // m or n: entries of a row or column that are not zero
  double *entry;  //
} loopLeast;

// Take the memory; 0 when there is none. Scales are zero until the caller sets them.
int least_start(loopLeast *least, int m, int n, const double *J, baseArena *arena);

// Form the normal equations; again whenever J or a scale has changed.
void least_gather(loopLeast *least);

// x for the right side b[m]; mu is `damping` times the largest diagonal entry. Writes all of x[n].
artStatus least_solve(loopLeast *least, double damping, const double *b, double *x,
                      artError *error);

#endif
