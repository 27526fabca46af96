// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// LU factorisation of small dense matrices:  P A = L U,  where L has a unit diagonal and the
// diagonal of U is stored as reciprocals.
#include "loop/lu.h"

#include "base/error.h"

static inline void exchange_entries(double *a, double *b)
{
  const double c = *a;
  *a = *b;
  *b = c;
}


static inline void exchange_rows(int n, double *a, double *b)
{
  for (int j = 0; j < n; j++) exchange_entries(a + j, b + j);
}


// 1 / pivot, or 0 for an unusable pivot, which also sets *smallest to 0
static inline double pivot_reciprocal(double pivot, double *smallest)
{
  const double size = lu_usable(pivot) ? fabs(pivot) : 0;
  if (size < *smallest) *smallest = size;
  return size > 0 ? 1 / pivot : 0;
}

//---- factorisation -------------------------------------------------------------------------------

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

    pivot[k] = pivot_reciprocal(pivot[k], &smallest);
    for (int i = k + 1; i < n; i++) {
      double *row = A + i * n;
      row[k] *= pivot[k];
      for (int j = k + 1; j < n; j++) row[j] -= row[k] * pivot[j];
    }
  }
  return smallest;
}


double lu_factor_large(int n, double *A, int *swap)
{
  ART_ASSERT(n >= 3);
  return n == 3 ? factor_n(3, A, swap) : factor_n(n, A, swap);
}

//---- single right-hand side ----------------------------------------------------------------------

static inline void solve_n(int n, const double *A, const int *swap, double *b)
{
  for (int i = 0; i < n; i++) exchange_entries(b + i, b + swap[i]);

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


void lu_solve_large(int n, const double *A, const int *swap, double *b)
{
  ART_ASSERT(n >= 3);
  if (n == 3) {
    solve_n(3, A, swap, b);
  } else {
    solve_n(n, A, swap, b);
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
  for (int i = n - 1; i >= 0; i--) exchange_entries(b + i, b + swap[i]);
}


void lu_solve_transposed_large(int n, const double *A, const int *swap, double *b)
{
  ART_ASSERT(n >= 3);
  if (n == 3) {
    solve_transposed_n(3, A, swap, b);
  } else {
    solve_transposed_n(n, A, swap, b);
  }
}

//---- several right-hand sides --------------------------------------------------------------------

static inline void subtract_row_multiple(int count, double factor, const double *from, double *to)
{
  for (int e = 0; e < count; e++) to[e] -= factor * from[e];
}


void lu_solve_many_large(int n, const double *A, const int *swap, int count, double *B)
{
  ART_ASSERT(n >= 3 && count >= 0);
  if (count == 1) {
    lu_solve_large(n, A, swap, B);
    return;
  }
  for (int i = 0; i < n; i++) {
    if (swap[i] != i) exchange_rows(count, B + i * count, B + swap[i] * count);
  }
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < i; j++)
      subtract_row_multiple(count, A[i * n + j], B + j * count, B + i * count);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      subtract_row_multiple(count, A[i * n + j], B + j * count, B + i * count);
    for (int e = 0; e < count; e++) B[i * count + e] *= A[i * n + i];
  }
}
