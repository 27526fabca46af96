// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Solution by all rows of J_v with LU of a rectangular matrix and full pivoting, as Hidalgo and
// Garcia de Jalon (2012, equations 30 and 31) solve for R_z: dswap exchanges rows and columns, and
// rank-one updates by dger eliminate.
//
//   P A Q = [L1; L2] U,   A X = B:   L1 Y = (P B)_1,   U (Q^T X) = Y
//
// For compatible right-hand sides the rows of L2 add no information.
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "method/reduce.h"


static int start_lu(methodReduce *r, const struct loopWork *loop)
{
  const size_t nd = (size_t) r->nd, most = (size_t) loop->rows.J.m;
  r->Jv = arena_alloc(r->memory, most * nd, sizeof *r->Jv);
  r->swap = arena_alloc(r->memory, nd, sizeof *r->swap);
  r->column_swap = arena_alloc(r->memory, nd, sizeof *r->column_swap);
  return r->Jv && r->swap && r->column_swap;
}


static int factor_lu(methodReduce *r, const struct loopWork *loop)
{
  ART_ASSERT(r->nrow >= r->nd);
  const loopMatrix *J = &loop->rows.J;
  const int ld = r->nrow;
  double *A = r->Jv;
  memset(A, 0, (size_t) r->nrow * (size_t) r->nd * sizeof *A);
  for (int p = 0; p < r->nrow; p++) {
    for (int e = J->start[r->row[p]]; e < J->start[r->row[p] + 1]; e++) {
      const int j = loop->blocks->position[J->column[e]];
      if (j >= 0) A[(long) j * ld + p] = r->scale[p] * J->value[e];
    }
  }
  for (int k = 0; k < r->nd; k++) {
    // move the largest entry of the remaining submatrix to (k, k)
    int row = k, column = k;
    double most = -1;
    for (int j = k; j < r->nd; j++) {
      const double *a = A + (long) j * ld;
      const int i = k + (int) cblas_idamax(ld - k, a + k, 1);
      if (fabs(a[i]) > most) most = fabs(a[i]), row = i, column = j;
    }
    if (row != k) cblas_dswap(r->nd, A + k, ld, A + row, ld);
    if (column != k) cblas_dswap(ld, A + (long) k * ld, 1, A + (long) column * ld, 1);
    r->swap[k] = row, r->column_swap[k] = column;
    double *pivot = A + (long) k * ld + k;
    if (!(fabs(*pivot) > REDUCE_LEAST_PIVOT)) return 0;

    // A_22 -= l u^T,  l = a_21 / pivot,  u^T = a_12
    const int rows = ld - k - 1, columns = r->nd - k - 1;
    cblas_dscal(rows, 1 / *pivot, pivot + 1, 1);
    cblas_dger(CblasColMajor, rows, columns, -1, pivot + 1, 1, pivot + ld, ld, pivot + ld + 1, ld);
  }
  return 1;
}


static int solve_lu(methodReduce *r, int count, double *Y)
{
  const int ld = r->nrow, nd = r->nd;
  const double *A = r->Jv;
  for (int k = 0; k < nd; k++) {
    if (r->swap[k] != k) cblas_dswap(count, Y + k, ld, Y + r->swap[k], ld);
  }

  // L1 Y = P B
  for (int k = 0; k < nd; k++) {
    cblas_dger(CblasColMajor, nd - k - 1, count, -1, A + (long) k * ld + k + 1, 1, Y + k, ld,
               Y + k + 1, ld);
  }
  // U X = Y
  for (int k = nd - 1; k >= 0; k--) {
    const double *column = A + (long) k * ld;
    cblas_dscal(count, 1 / column[k], Y + k, ld);
    cblas_dger(CblasColMajor, k, count, -1, column, 1, Y + k, ld, Y, ld);
  }
  for (int k = nd - 1; k >= 0; k--) {
    if (r->column_swap[k] != k) cblas_dswap(count, Y + k, ld, Y + r->column_swap[k], ld);
  }
  return 1;
}


const reduceRows reduce_rows_lu = {.start = start_lu, .factor = factor_lu, .solve = solve_lu};
