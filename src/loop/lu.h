// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small dense systems by rows. Sizes 1 and 2, the common ones, are inverted in place; larger ones
// are factored with partial pivoting. Nothing is allocated.
#ifndef LOOP_LU_H
#define LOOP_LU_H

#include <math.h>

// Factor A (n x n) in place.
//   writes swap[n] for n > 2: row k was exchanged with row swap[k] >= k
// Returns the magnitude of the smallest pivot; 0 when A is singular or not finite.
static inline double lu_factor(int n, double *A, int *swap);

// A x = b, in place.
static inline void lu_solve(int n, const double *A, const int *swap, double *b);

// A^T x = b, in place.
static inline void lu_solve_transposed(int n, const double *A, const int *swap, double *b);

// A X = B, in place; B is n x count by rows.
static inline void lu_solve_many(int n, const double *A, const int *swap, int count, double *B);

//---- larger sizes, in lu.c -----------------------------------------------------------------------

double lu_factor_large(int n, double *A, int *swap);
void lu_solve_large(int n, const double *A, const int *swap, double *b);
void lu_solve_transposed_large(int n, const double *A, const int *swap, double *b);
void lu_solve_many_large(int n, const double *A, const int *swap, int count, double *B);

//---- sizes 1 and 2 -------------------------------------------------------------------------------

// can 1 / pivot be formed?
static inline int lu_usable(double pivot)
{
  const double size = fabs(pivot);
  return size > 0 && size <= 1e300;
}


static inline double lu_invert_1(double *A)
{
  const double pivot = A[0];
  A[0] = lu_usable(pivot) ? 1 / pivot : 0;
  return lu_usable(pivot) ? fabs(pivot) : 0;
}


// Gaussian elimination would have the pivots p, the larger entry of the first column, and det / p.
static inline double lu_invert_2(double *A)
{
  const double a = A[0], b = A[1], c = A[2], d = A[3];
  const double det = a * d - b * c;
  const double first = fabs(a) > fabs(c) ? fabs(a) : fabs(c), second = fabs(det) / first;
  const int usable = lu_usable(det) && lu_usable(first);
  const double r = usable ? 1 / det : 0;

  A[0] = d * r, A[1] = -b * r;
  A[2] = -c * r, A[3] = a * r;
  return usable ? (first < second ? first : second) : 0;
}


static inline double lu_factor(int n, double *A, int *swap)
{
  if (n == 1) return lu_invert_1(A);
  if (n == 2) return lu_invert_2(A);
  return lu_factor_large(n, A, swap);
}


static inline void lu_solve(int n, const double *A, const int *swap, double *b)
{
  if (n == 1) {
    b[0] *= A[0];
  } else if (n == 2) {
    const double b0 = b[0], b1 = b[1];
    b[0] = A[0] * b0 + A[1] * b1;
    b[1] = A[2] * b0 + A[3] * b1;
  } else {
    lu_solve_large(n, A, swap, b);
  }
}


static inline void lu_solve_transposed(int n, const double *A, const int *swap, double *b)
{
  if (n == 1) {
    b[0] *= A[0];
  } else if (n == 2) {
    const double b0 = b[0], b1 = b[1];
    b[0] = A[0] * b0 + A[2] * b1;
    b[1] = A[1] * b0 + A[3] * b1;
  } else {
    lu_solve_transposed_large(n, A, swap, b);
  }
}


static inline void lu_solve_many(int n, const double *A, const int *swap, int count, double *B)
{
  if (n == 1) {
    for (int e = 0; e < count; e++) B[e] *= A[0];
  } else if (n == 2) {
    for (int e = 0; e < count; e++) {
      const double b0 = B[e], b1 = B[count + e];
      B[e] = A[0] * b0 + A[1] * b1;
      B[count + e] = A[2] * b0 + A[3] * b1;
    }
  } else {
    lu_solve_many_large(n, A, swap, count, B);
  }
}

#endif
