// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pattern of a sparse symmetric matrix.
#ifndef NUM_PATTERN_H
#define NUM_PATTERN_H

// Lower triangle by columns; the diagonal entry comes first in each column, rows ascend.
typedef struct numPattern {
  int n;
  int *start; // [n + 1]
  int *row;   // [start[n]]
} numPattern;

#endif
