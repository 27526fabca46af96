// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Symmetric positive semidefinite systems with a skyline: A x = b by A = L D L^T without exchanges,
// rows that follow from earlier ones being set aside.
#ifndef NUM_SKYLINE_H
#define NUM_SKYLINE_H

#include "base/arena.h"

// A row is set aside when less than the first part of its diagonal entry is left as a pivot, or when
// that entry is less than the second part of the largest one.
#define SKYLINE_DEPENDENT 1e-10
#define SKYLINE_NOTHING   1e-20

typedef struct numSkyline {
  int n;
  int *first;      // [n] first column of each row
  double **row;    // [n] row[r][c] for first[r] <= c <= r: A, then L
  double *inverse; // [n] of the pivots; 0: the row is set aside
  double *diagonal;
} numSkyline;

// Take the memory; 0 when there is none.
int skyline_start(numSkyline *s, int n, const int *first, baseArena *arena);

// All entries zero.
void skyline_clear(numSkyline *s);

// A into its factors, in place. Cost: the sum of squared row lengths. Returns how many rows were set
// aside.
int skyline_factor(numSkyline *s);

// x = A^-1 x, unknowns of rows set aside being zero. Returns the largest of what is left of x in
// these rows, which is zero when they do not contradict the others, and the row in *worst.
double skyline_solve(const numSkyline *s, double *x, int *worst);

#endif
