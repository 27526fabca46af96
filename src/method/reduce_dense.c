// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// R^T M R with dense matrices, by BLAS and LAPACK if they are large enough. With f free and d
// dependent coordinates and R = [B; 1]
//
//   R^T M R = M_ff + B^T C + C^T B,   C = M_df + M_dd B / 2,
//
// which costs 2 nd^2 nf + 4 nd nf^2 operations in two products. Where B is mostly zero, as for
// vehicles, whose wheels do not move each other, it is computed entry by entry instead.
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "method/reduce.h"

// cost of an operation in a product relative to one on single entries, measured on polygons of 15
// to 151 bars
#define PRODUCT_COST 0.1

// overhead of the calls, in the same operations
#define CALLS_COST 500

// from this many free coordinates, LAPACK's Cholesky factorisation is faster than the one in plain
// C
enum { MIN_FREE = 24 };

struct reduceFull {
  int is_product;  // are the products faster?
  double *Mdd;     // [nd nd] both triangles, halved
  double *BC, *CB; // [2 nd nf] by columns: B over C, and C over B
};

static int start_dense(methodReduce *r, const artModel *m)
{
  struct reduceFull *full = arena_alloc(r->memory, 1, sizeof *full);
  if (!full) return 0;
  r->full = full;
  const size_t nd = (size_t) r->nd, nf = (size_t) r->nf;

  // cost entry by entry: each entry of M is multiplied with the entries of two rows of R
  const double products = (double) nd * (double) nf * (2 * (double) nd + 4 * (double) nf);
  double entries = 0;
  for (int k = 0; k < m->tree.nv; k++) {
    const double own = r->R[k].n;
    for (int j = k; j >= 0; j = m->tree.dof_parent[j]) entries += own * r->R[j].n;
  }
  full->is_product = nd > 0 && CALLS_COST + PRODUCT_COST * products < entries;

  // allocated always, because the products may be faster for the next partition
  full->Mdd = arena_alloc(r->memory, nd * nd, sizeof *full->Mdd);
  full->BC = arena_alloc(r->memory, 2 * nd * nf, sizeof *full->BC);
  full->CB = arena_alloc(r->memory, 2 * nd * nf, sizeof *full->CB);
  return full->Mdd && full->BC && full->CB;
}

//---- R^T M R -------------------------------------------------------------------------------------

// copy M_ff into the lower triangle of Mr by rows, M_dd / 2, and M_df below B
static void sort_mass(const methodReduce *r, const treeModel *t)
{
  const loopBlocks *blocks = r->blocks;
  const long nf = r->nf, nd = r->nd;
  const struct reduceFull *full = r->full;
  for (int k = 0; k < t->nv; k++) {
    const double *row = r->M + r->M_row[k];
    const int d = blocks->position[k], f = d < 0 ? blocks->number[k] : -1;
    if (f >= nf) continue; // driven
    for (int j = k; j >= 0; j = t->dof_parent[j]) {
      const int e = blocks->position[j], g = e < 0 ? blocks->number[j] : -1;
      if (g >= nf) continue;
      if (f >= 0 && g >= 0) {
        r->Mr[f > g ? f * nf + g : g * nf + f] = row[j];
      } else if (d >= 0 && e >= 0) {
        full->Mdd[d * nd + e] = full->Mdd[e * nd + d] = row[j] / 2;
      } else {
        full->CB[f >= 0 ? f * 2 * nd + e : g * 2 * nd + d] = row[j];
      }
    }
  }
}


static void make_dense(methodReduce *r, const treeModel *t)
{
  const int nf = r->nf, nd = r->nd, ld = 2 * nd;
  const loopBlocks *blocks = r->blocks;
  struct reduceFull *full = r->full;
  if (!full->is_product) {
    reduce_plainly(r, t);
    return;
  }
  memset(r->Mr, 0, (size_t) nf * (size_t) nf * sizeof *r->Mr);
  for (long j = 0; j < nf; j++) memset(full->CB + j * ld, 0, (size_t) nd * sizeof(double));
  sort_mass(r, t);

  // copy B into both matrices; zero outside the reach of a block
  for (int p = 0; p < nd; p++) {
    const loopBlock *block = blocks_block(blocks, p);
    const double *B = blocks_B_row(blocks, p);
    for (int e = 0; e < block->free_count; e++) {
      const long column = (long) ld * block->reach[e];
      full->BC[column + p] = full->CB[column + nd + p] = B[e];
    }
  }
  // C = M_df + M_dd B / 2; not by dsymm, which starts threads even for small matrices
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, nd, nf, nd, 1, full->Mdd, nd, full->BC, ld,
              1, full->CB, ld);
  for (long j = 0; j < nf; j++) {
    memcpy(full->BC + j * ld + nd, full->CB + j * ld, (size_t) nd * sizeof(double));
  }
  // M_ff + B^T C + C^T B
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, nf, nf, ld, 1, full->BC, ld, full->CB, ld, 1,
              r->Mr, nf);
}

//---- solution ------------------------------------------------------------------------------------

static int solve_free_dense(methodReduce *r, double *x)
{
  const int nf = r->nf;
  if (nf < MIN_FREE) return reduce_solve_plain(r, x);
  const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', nf, r->Mr, nf);
  if (info != 0) return info - 1;

  // find a pivot of Mr = U^T U that is zero relative to its diagonal entry
  for (int k = 0; k < nf; k++) {
    const double *column = r->Mr + (long) k * nf;
    double diagonal = 0;
    for (int i = 0; i <= k; i++) diagonal += column[i] * column[i];
    if (!(column[k] * column[k] > REDUCE_NOTHING * diagonal)) return k;
  }
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', nf, 1, r->Mr, nf, x, nf);
  return -1;
}


const reduceMass reduce_mass_dense = {
    .start = start_dense, .reduce = make_dense, .solve_free = solve_free_dense};
