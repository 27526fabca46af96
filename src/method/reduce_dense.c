// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The algebra of the semi-recursive method with full matrices, by BLAS and LAPACK.
#include <cblas.h>
#include <lapacke.h>

#include "method/reduce.h"


//---- rows ----------------------------------------------------------------------------------------

static int start_rows(methodReduce *r, const struct loopWork *loop)
{
  (void) loop;
  const size_t nd = (size_t) r->nd;
  r->Jv = arena_alloc(&r->memory, nd * nd, sizeof *r->Jv);
  r->swap = arena_alloc(&r->memory, nd, sizeof *r->swap);
  return r->Jv && r->swap;
}


// J_v = P L U
static int factor_dense(methodReduce *r, const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  for (int j = 0; j < r->nd; j++) {
    const double *J = loop->rows.J + blocks->column[j];
    for (int p = 0; p < r->nd; p++) {
      r->Jv[(long) j * r->nd + p] = J[(long) blocks->row[p] * blocks->n];
    }
  }
  return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, r->nd, r->nd, r->Jv, r->nd, r->swap) == 0;
}


static void solve_columns(const methodReduce *r, char transposed, int count, double *columns)
{
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, transposed, r->nd, count, r->Jv, r->nd, r->swap, columns,
                      r->nd);
}


// B = -J_v^-1 J_u
static void couple_dense(methodReduce *r, struct loopWork *loop)
{
  reduce_gather(r, loop);
  if (r->nu > 0) solve_columns(r, 'N', r->nu, r->X);
  reduce_spread(r, loop);
}


static void solve_dense(methodReduce *r, struct loopWork *loop, const double *b, double *x)
{
  reduce_gather_side(r, b);
  solve_columns(r, 'N', 1, r->side);
  for (int p = 0; p < r->nd; p++) x[loop->blocks->column[p]] = r->side[p];
}


static void solve_transposed_dense(methodReduce *r, struct loopWork *loop, const double *c,
                                   double *y)
{
  for (int p = 0; p < r->nd; p++) r->side[p] = c[loop->blocks->column[p]];
  solve_columns(r, 'T', 1, r->side);
  for (int p = 0; p < r->nd; p++) y[loop->blocks->row[p]] = r->side[p];
}


//---- mass ----------------------------------------------------------------------------------------

static int start_mass(methodReduce *r, const artModel *m, const struct loopWork *loop)
{
  const size_t nv = (size_t) m->tree.nv, nf = (size_t) loop->blocks->nf;
  r->M = arena_alloc(&r->memory, nv * nv, sizeof *r->M);
  r->R = arena_alloc(&r->memory, nv * nf + 1, sizeof *r->R);
  r->MR = arena_alloc(&r->memory, nv * nf + 1, sizeof *r->MR);
  return r->M && r->R && r->MR;
}


// R = [B; 1] with its rows as the coordinates stand; zero for driven ones and where B has no entries
static void fill_R(methodReduce *r, const loopBlocks *blocks, int nv)
{
  for (int p = 0; p < r->nd; p++) {
    const loopBlock *block = blocks_block(blocks, p);
    const double *B = blocks_B_row(blocks, p);
    double *row = r->R + blocks->column[p];
    for (int e = 0; e < block->free_count; e++) row[(long) block->reach[e] * nv] = B[e];
  }
  for (int j = 0; j < blocks->nf; j++) r->R[(long) j * nv + blocks->column_u[j]] = 1;
}


// both triangles of M; between branches they are zero and stay so
static void fill_mass(const treeModel *t, const double *M, double *full)
{
  const long n = t->nv;
  for (int k = 0; k < t->nv; k++) {
    for (int j = k; j >= 0; j = t->dof_parent[j]) full[k * n + j] = full[j * n + k] = M[k * n + j];
  }
}


static void make_dense(methodReduce *r, const artModel *m, const artWork *w)
{
  const loopBlocks *blocks = w->loop->blocks;
  const int nv = m->tree.nv, nf = blocks->nf;
  if (nf == 0) return;

  fill_R(r, blocks, nv);

  // not by dsymm, which goes parallel however small the matrices are
  fill_mass(&m->tree, w->M, r->M);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, nv, nf, nv, 1, r->M, nv, r->R, nv, 0,
              r->MR, nv);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, nf, nf, nv, 1, r->R, nv, r->MR, nv, 0,
              w->loop->Mr, nf);
}


// the first pivot that is nothing against its diagonal entry, or -1; Mr = U^T U
static int weak_pivot(const double *U, int n)
{
  for (int k = 0; k < n; k++) {
    const double *column = U + (long) k * n;
    double diagonal = 0;
    for (int i = 0; i <= k; i++) diagonal += column[i] * column[i];
    if (!(column[k] * column[k] > REDUCE_NOTHING * diagonal)) return k;
  }
  return -1;
}


static int solve_free_dense(struct loopWork *loop, double *x)
{
  const int nf = loop->partition.nf;
  if (nf == 0) return -1;
  const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', nf, loop->Mr, nf);
  if (info != 0) return info - 1;
  const int weak = weak_pivot(loop->Mr, nf);
  if (weak >= 0) return weak;
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', nf, 1, loop->Mr, nf, x, nf);
  return -1;
}


const reduceRows reduce_rows_dense = {.start = start_rows,
                                      .factor = factor_dense,
                                      .couple = couple_dense,
                                      .solve = solve_dense,
                                      .solve_transposed = solve_transposed_dense};

const reduceMass reduce_mass_dense = {
    .start = start_mass, .reduce = make_dense, .solve_free = solve_free_dense};
