// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// LU factorisation of small dense matrices:  P A = L U,  L with ones on its diagonal.
#include "loop/lu.h"

#include <math.h>

static inline void exchange(double *a, double *b)
{
  const double c = *a;
  *a = *b;
  *b = c;
}


static inline void exchange_rows(int n, double *a, double *b)
{
  for (int j = 0; j < n; j++) exchange(a + j, b + j);
}


// 1 / pivot, or 0 for a pivot of no use, which also sets *smallest to 0
static inline double reciprocal(double pivot, double *smallest)
{
  const double size = fabs(pivot);
  if (!(size > 0 && size <= 1e300)) {
    *smallest = 0;
    return 0;
  }
  if (size < *smallest) *smallest = size;
  return 1 / pivot;
}

//---- factorisation -------------------------------------------------------------------------------

static double factor_1(double *A, int *swap)
{
  double smallest = INFINITY;
  swap[0] = 0;
  A[0] = reciprocal(A[0], &smallest);
  return smallest;
}


static double factor_2(double *A, int *swap)
{
  double smallest = INFINITY;
  swap[0] = fabs(A[2]) > fabs(A[0]);
  swap[1] = 1;
  if (swap[0]) exchange_rows(2, A, A + 2);

  A[0] = reciprocal(A[0], &smallest);
  A[2] *= A[0];
  A[3] = reciprocal(A[3] - A[2] * A[1], &smallest);
  return smallest;
}


static inline int largest_below(int n, const double *A, int k)
{
  int best = k;
  for (int i = k + 1; i < n; i++) {
    if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
  }
  return best;
}


static inline double factor_n(int n, double *A, int *swap)
{
  double smallest = INFINITY;
  for (int k = 0; k < n; k++) {
    double *pivot = A + k * n;
    swap[k] = largest_below(n, A, k);
    if (swap[k] != k) exchange_rows(n, pivot, A + swap[k] * n);

    pivot[k] = reciprocal(pivot[k], &smallest);
    for (int i = k + 1; i < n; i++) {
      double *row = A + i * n;
      row[k] *= pivot[k];
      for (int j = k + 1; j < n; j++) row[j] -= row[k] * pivot[j];
    }
  }
  return smallest;
}


double lu_factor(int n, double *A, int *swap)
{
  switch (n) {
  case 1:
    return factor_1(A, swap);
  case 2:
    return factor_2(A, swap);
  case 3:
    return factor_n(3, A, swap);
  default:
    return factor_n(n, A, swap);
  }
}

//---- one right side ------------------------------------------------------------------------------

static inline void solve_2(const double *A, const int *swap, double *b)
{
  const double y0 = b[swap[0]];
  const double y1 = b[1 - swap[0]] - A[2] * y0;
  b[1] = y1 * A[3];
  b[0] = (y0 - A[1] * b[1]) * A[0];
}


static inline void solve_n(int n, const double *A, const int *swap, double *b)
{
  for (int i = 0; i < n; i++) exchange(b + i, b + swap[i]);

  // L y = P b
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < i; j++) b[i] -= A[i * n + j] * b[j];
  }
  // U x = y
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
    b[i] *= A[i * n + i];
  }
}


void lu_solve(int n, const double *A, const int *swap, double *b)
{
  switch (n) {
  case 1:
    b[0] *= A[0];
    break;
  case 2:
    solve_2(A, swap, b);
    break;
  case 3:
    solve_n(3, A, swap, b);
    break;
  default:
    solve_n(n, A, swap, b);
    break;
  }
}


static inline void solve_transposed_n(int n, const double *A, const int *swap, double *b)
{
  // U^T z = b
  for (int i = 0; i < n; i++) {
    b[i] *= A[i * n + i];
    for (int j = i + 1; j < n; j++) b[j] -= A[i * n + j] * b[i];
  }
  // L^T P x = z
  for (int i = n - 1; i > 0; i--) {
    for (int j = 0; j < i; j++) b[j] -= A[i * n + j] * b[i];
  }
  for (int i = n - 1; i >= 0; i--) exchange(b + i, b + swap[i]);
}


void lu_solve_transposed(int n, const double *A, const int *swap, double *b)
{
  switch (n) {
  case 1:
    b[0] *= A[0];
    break;
  case 2:
    solve_transposed_n(2, A, swap, b);
    break;
  case 3:
    solve_transposed_n(3, A, swap, b);
    break;
  default:
    solve_transposed_n(n, A, swap, b);
    break;
  }
}

//---- many right sides ----------------------------------------------------------------------------

static inline void subtract(int count, double factor, const double *from, double *to)
{
  for (int e = 0; e < count; e++) to[e] -= factor * from[e];
}


static void solve_many_1(const double *A, int count, double *B)
{
  for (int e = 0; e < count; e++) B[e] *= A[0];
}


static void solve_many_2(const double *A, const int *swap, int count, double *B)
{
  const double *b0 = B + swap[0] * count, *b1 = B + (1 - swap[0]) * count;
  for (int e = 0; e < count; e++) {
    const double y0 = b0[e];
    const double x1 = (b1[e] - A[2] * y0) * A[3];
    B[e] = (y0 - A[1] * x1) * A[0];
    B[count + e] = x1;
  }
}


static void solve_many_n(int n, const double *A, const int *swap, int count, double *B)
{
  for (int i = 0; i < n; i++) {
    if (swap[i] != i) exchange_rows(count, B + i * count, B + swap[i] * count);
  }
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < i; j++) subtract(count, A[i * n + j], B + j * count, B + i * count);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) subtract(count, A[i * n + j], B + j * count, B + i * count);
    for (int e = 0; e < count; e++) B[i * count + e] *= A[i * n + i];
  }
}


void lu_solve_many(int n, const double *A, const int *swap, int count, double *B)
{
  if (count == 1) {
    lu_solve(n, A, swap, B);
  } else if (n == 1) {
    solve_many_1(A, count, B);
  } else if (n == 2) {
    solve_many_2(A, swap, count, B);
  } else {
    solve_many_n(n, A, swap, count, B);
  }
}
