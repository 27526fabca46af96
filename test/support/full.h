// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small full matrices and patterns, by rows, as in src/loop. Each call overwrites the result
// of the one before.
#ifndef SUPPORT_FULL_H
#define SUPPORT_FULL_H

#include <math.h>

#include "loop/match.h"
#include "loop/matrix.h"

enum { FULL_MOST = 64 };

// All entries of J[m n], which stay where they are.
static inline const loopMatrix *full_matrix(int m, int n, double *J)
{
  static int start[FULL_MOST + 1], column[FULL_MOST * FULL_MOST];
  static loopMatrix A;
  for (int i = 0; i <= m; i++) start[i] = i * n;
  for (int e = 0; e < m * n; e++) column[e] = e % n;
  A = (loopMatrix){m, n, start, column, J};
  return &A;
}


// The marked entries of entry[m n], all of them usable.
static inline const matchPattern *full_pattern(int m, int n, const bool *entry)
{
  static int start[FULL_MOST + 1], column[FULL_MOST * FULL_MOST];
  static bool usable[FULL_MOST * FULL_MOST];
  static matchPattern p;
  int count = 0;
  for (int i = 0; i < m; i++) {
    start[i] = count;
    for (int j = 0; j < n; j++) {
      if (!entry[i * n + j]) continue;
      usable[count] = true;
      column[count++] = j;
    }
  }
  start[m] = count;
  p = (matchPattern){m, n, start, column, usable};
  return &p;
}


// A x = right sides in place, n x n by rows, by elimination with partial pivoting. Returns 0 when A is singular.
static inline int full_solve(int n, double *A, double *x)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    }
    if (!(fabs(A[best * n + k]) > 1e-9)) return 0;
    for (int j = 0; best != k && j < n; j++) {
      const double swap = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = swap;
    }
    const double swap = x[k];
    x[k] = x[best];
    x[best] = swap;
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
  return 1;
}

#endif
