// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Symmetric positive semidefinite systems with a skyline: A x = b by A = L D L^T without pivoting;
// rows that depend on earlier rows are dropped.
#ifndef NUM_SKYLINE_H
#define NUM_SKYLINE_H

#include "base/arena.h"

// A row is dropped when its pivot is less than the first fraction of its diagonal entry, or when
// that entry is less than the second fraction of the largest one.
#define SKYLINE_DEPENDENT 1e-10
#define SKYLINE_NOTHING   1e-20

typedef struct numSkyline {
  int n;
  int *first;      // [n] first column of each row
  double **row;    // [n] row[r][c] for first[r] <= c <= r: A, then L
  double *inverse; // [n] of the pivots; 0: the row is dropped
  double *diagonal;
} numSkyline;

// Allocate memory; 0 when there is none.
int skyline_start(numSkyline *s, int n, const int *first, baseArena *arena);

// Set all entries to zero.
void skyline_clear(numSkyline *s);

// Factor A in place. Cost: the sum of squared row lengths. Returns the number of dropped rows.
int skyline_factor(numSkyline *s);

// x = A^-1 x, where unknowns of dropped rows are zero. Returns the largest residual in dropped rows
// (zero if they are consistent with the others), and its row in *worst.
double skyline_solve(const numSkyline *s, double *x, int *worst);

#endif
