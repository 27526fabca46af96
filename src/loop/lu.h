// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// LU factorisation of small dense matrices, by rows, with row exchanges; sizes 1, 2 and 3 are
// written out. Nothing is allocated.
#ifndef LOOP_LU_H
#define LOOP_LU_H

// Factor A (n x n) in place; the diagonal then holds the reciprocals of the pivots.
//   writes swap[n]: row k was exchanged with row swap[k] >= k
// Returns the smallest pivot in magnitude: 0 when A is singular or not finite.
double lu_factor(int n, double *A, int *swap);

// A x = b, in place.
void lu_solve(int n, const double *A, const int *swap, double *b);

// A^T x = b, in place.
void lu_solve_transposed(int n, const double *A, const int *swap, double *b);

// A X = B, in place; B is n x count by rows.
void lu_solve_many(int n, const double *A, const int *swap, int count, double *B);

#endif
