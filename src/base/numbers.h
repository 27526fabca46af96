// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small functions on arrays of numbers.
#ifndef BASE_NUMBERS_H
#define BASE_NUMBERS_H

#include <string.h>

// Copy n numbers; n may be 0.
static inline void base_copy(double *to, const double *from, size_t n)
{
  if (n > 0) memcpy(to, from, n * sizeof *to);
}


// a.b
static inline double base_dot(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}


// Next number of a reproducible pseudo-random sequence in [-1, 1).
static inline double base_scatter(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double) (*seed >> 8) / 8388608.0 - 1;
}


// Sort ascending in place (Shell 1959), because qsort may allocate memory.
static inline void base_sort_ints(int n, int *x)
{
  int gap = 1;
  while (gap < n / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (int i = gap; i < n; i++) {
      const int moved = x[i];
      int at = i;
      for (; at >= gap && x[at - gap] > moved; at -= gap) x[at] = x[at - gap];
      x[at] = moved;
    }
  }
}


// Comparison function for qsort: ascending doubles.
static inline int base_order_doubles(const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

#endif
