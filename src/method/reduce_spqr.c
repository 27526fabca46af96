// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Solution by all rows of J_v with sparse QR factors of a rectangular matrix, SPQR (Davis 2011):
//
//   A E = Q R,   A x = b:   R (E^T x) = Q^T b.
//
// This is the least-squares solution, which is exact for compatible right-hand sides. The matrix is
// analysed once per partition; SPQR allocates memory for its factors and for every solution.
#include <suitesparse/SuiteSparseQR_C.h>

#include <string.h>

#include "method/reduce.h"

struct reduceFactors {
  cholmod_common common;
  SuiteSparseQR_C_factorization *qr;
  cholmod_sparse A;
  SuiteSparse_long *start, *at; // pattern of A
};


static int start_spqr(methodReduce *r, const struct loopWork *loop)
{
  struct reduceFactors *f = arena_alloc(r->memory, 1, sizeof *f);
  if (!f || !reduce_find_entries(r, loop)) return 0;
  r->factors = f;
  cholmod_l_start(&f->common);
  f->common.print = 0;

  // SPQR needs 64-bit indices
  const size_t nd = (size_t) r->nd, count = (size_t) r->start[r->nd];
  if (!ARENA_TAKE(r->memory, f->start, nd + 1) || !ARENA_TAKE(r->memory, f->at, count)) return 0;
  for (size_t j = 0; j <= nd; j++) f->start[j] = r->start[j];
  for (size_t e = 0; e < count; e++) f->at[e] = r->at[e];
  f->A = (cholmod_sparse){.nrow = (size_t) r->nrow,
                          .ncol = nd,
                          .nzmax = count,
                          .p = f->start,
                          .i = f->at,
                          .x = r->entry,
                          .itype = CHOLMOD_LONG,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
  reduce_take_entries(r, loop->J_chosen);
  f->qr = SuiteSparseQR_C_symbolic(SPQR_ORDERING_DEFAULT, 0, &f->A, &f->common);
  return f->qr != NULL;
}


static void stop_spqr(methodReduce *r)
{
  struct reduceFactors *f = r->factors;
  if (!f) return;
  if (f->qr) SuiteSparseQR_C_free(&f->qr, &f->common);
  cholmod_l_finish(&f->common);
}


static int factor_spqr(methodReduce *r, const struct loopWork *loop)
{
  struct reduceFactors *f = r->factors;
  reduce_take_entries(r, loop->rows.J.value);
  return SuiteSparseQR_C_numeric(SPQR_NO_TOL, &f->A, f->qr, &f->common) != 0;
}


static int solve_spqr(methodReduce *r, int count, double *columns)
{
  struct reduceFactors *f = r->factors;
  const size_t nrow = (size_t) r->nrow, n = (size_t) count;
  cholmod_dense B = {.nrow = nrow,
                     .ncol = n,
                     .nzmax = nrow * n,
                     .d = nrow,
                     .x = columns,
                     .xtype = CHOLMOD_REAL,
                     .dtype = CHOLMOD_DOUBLE};
  cholmod_dense *Y = SuiteSparseQR_C_qmult(SPQR_QTX, f->qr, &B, &f->common);
  cholmod_dense *X = Y ? SuiteSparseQR_C_solve(SPQR_RETX_EQUALS_B, f->qr, Y, &f->common) : NULL;
  for (size_t j = 0; j < n && X; j++) {
    memcpy(columns + j * nrow, (const double *) X->x + j * X->d, (size_t) r->nd * sizeof *columns);
  }
  const int solved = X != NULL;
  cholmod_l_free_dense(&X, &f->common);
  cholmod_l_free_dense(&Y, &f->common);
  return solved;
}


const reduceRows reduce_rows_spqr = {
    .start = start_spqr, .stop = stop_spqr, .factor = factor_spqr, .solve = solve_spqr};
