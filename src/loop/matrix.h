// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sparse matrix by rows (CSR) with a fixed pattern: most rows of a constraint Jacobian touch only a
// few columns, however large the machine is.
#ifndef LOOP_MATRIX_H
#define LOOP_MATRIX_H

#include "base/error.h"

// Row i has the entries start[i] <= e < start[i + 1], their columns ascending.
typedef struct loopMatrix {
  int m, n;
  int *start;    // [m + 1]
  int *column;   // [start[m]]
  double *value; // [start[m]]
} loopMatrix;

static inline int matrix_count(const loopMatrix *A)
{
  return A->start[A->m];
}


// Index of the entry in row i and column j, -1: not in the pattern.
static inline int matrix_find(const loopMatrix *A, int i, int j)
{
  ART_ASSERT(i >= 0 && i < A->m);
  int low = A->start[i], high = A->start[i + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (A->column[middle] < j) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < A->start[i + 1] && A->column[low] == j ? low : -1;
}


static inline double matrix_at(const loopMatrix *A, int i, int j)
{
  const int e = matrix_find(A, i, j);
  return e < 0 ? 0 : A->value[e];
}


// Row i times a vector over the columns.
static inline double matrix_row_times(const loopMatrix *A, int i, const double *x)
{
  ART_ASSERT(i >= 0 && i < A->m);
  double sum = 0;
  for (int e = A->start[i]; e < A->start[i + 1]; e++) sum += A->value[e] * x[A->column[e]];
  return sum;
}

#endif
