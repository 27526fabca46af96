// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small full matrices and patterns, by rows, as those of src/loop. Each call overwrites what the one before
// it has left.
#ifndef SUPPORT_FULL_H
#define SUPPORT_FULL_H

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

#endif
