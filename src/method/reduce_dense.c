// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// R^T M R with full matrices, by BLAS and LAPACK where they are large enough to pay. With f free and d dependent
// coordinates and R = [B; 1]
//
//   R^T M R = M_ff + B^T C + C^T B,   C = M_df + M_dd B / 2,
//
// which is 2 nd^2 nf + 4 nd nf^2 operations in two products. Where B is mostly zero, as for vehicles, whose wheels do not
// move each other, it is made entry by entry instead.
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "method/reduce.h"

// an operation of a product costs this part of one on single entries, measured on polygons of 15 to 151 bars
#define PRODUCT_COST 0.1

// and calls cost as much as so many of them
#define CALLS_COST 500

// LAPACK's factors are quicker than those in straight C from this many free coordinates on
enum { LEAST_FREE = 24 };

struct reduceFull {
  int is_product;  // whether the products pay
  double *Mdd;     // [nd nd] both triangles, halved
  double *BC, *CB; // [2 nd nf] by columns: B over C, and C over B
};

//---- what pays -----------------------------------------------------------------------------------

static int count_row(const struct loopWork *loop, int k)
{
  const int *number;
  const double *rate;
  return reduce_row_of_R(loop, k, &number, &rate);
}


// operations entry by entry: each entry of M meets the entries of two rows of R
static double count_entries(const treeModel *t, const struct loopWork *loop)
{
  double count = 0;
  for (int k = 0; k < t->nv; k++) {
    for (int j = k; j >= 0; j = t->dof_parent[j]) {
      count += (double) count_row(loop, k) * count_row(loop, j);
    }
  }
  return count;
}


static int start_dense(methodReduce *r, const artModel *m, const struct loopWork *loop)
{
  struct reduceFull *full = arena_alloc(&r->memory, 1, sizeof *full);
  if (!full) return 0;
  r->full = full;
  const size_t nd = (size_t) r->nd, nf = (size_t) loop->blocks->nf;
  const double products = (double) nd * (double) nf * (2 * (double) nd + 4 * (double) nf);
  full->is_product = nd > 0 && CALLS_COST + PRODUCT_COST * products < count_entries(&m->tree, loop);
  if (!full->is_product) return 1;
  full->Mdd = arena_alloc(&r->memory, nd * nd, sizeof *full->Mdd);
  full->BC = arena_alloc(&r->memory, 2 * nd * nf, sizeof *full->BC);
  full->CB = arena_alloc(&r->memory, 2 * nd * nf, sizeof *full->CB);
  return full->Mdd && full->BC && full->CB;
}

//---- R^T M R -------------------------------------------------------------------------------------

// M_ff into the lower triangle of Mr by rows, M_dd / 2, and M_df over the place of B below
static void sort_mass(const methodReduce *r, const artModel *m, const artWork *w)
{
  const treeModel *t = &m->tree;
  const struct loopWork *loop = w->loop;
  const int nf = loop->partition.nf, nd = r->nd;
  struct reduceFull *full = r->full;
  for (int k = 0; k < t->nv; k++) {
    const double *row = w->loop->M + w->loop->M_row[k];
    const int f = loop->number[k], d = loop->position[k];
    for (int j = k; j >= 0; j = t->dof_parent[j]) {
      const int g = loop->number[j], e = loop->position[j];
      if (f >= 0 && g >= 0) {
        loop->Mr[f > g ? (long) f * nf + g : (long) g * nf + f] = row[j];
      } else if (d >= 0 && e >= 0) {
        full->Mdd[(long) d * nd + e] = full->Mdd[(long) e * nd + d] = row[j] / 2;
      } else if (f >= 0 && e >= 0) {
        full->CB[(long) f * 2 * nd + e] = row[j];
      } else if (d >= 0 && g >= 0) {
        full->CB[(long) g * 2 * nd + d] = row[j];
      }
    }
  }
}


// B where it stands in both matrices; it is zero where no block reaches
static void sort_B(const methodReduce *r, const loopBlocks *blocks)
{
  const long nd = r->nd;
  for (int p = 0; p < nd; p++) {
    const loopBlock *block = blocks_block(blocks, p);
    const double *B = blocks_B_row(blocks, p);
    for (int e = 0; e < block->free_count; e++) {
      const long column = 2 * nd * block->reach[e];
      r->full->BC[column + p] = r->full->CB[column + nd + p] = B[e];
    }
  }
}


static void clear(const methodReduce *r, struct loopWork *loop)
{
  const size_t nd = (size_t) r->nd, nf = (size_t) loop->partition.nf;
  memset(loop->Mr, 0, nf * nf * sizeof *loop->Mr);
  if (!r->full->is_product) return;
  for (size_t j = 0; j < nf; j++) memset(r->full->CB + 2 * nd * j, 0, nd * sizeof(double));
}


static void make_dense(methodReduce *r, const artModel *m, const artWork *w)
{
  struct loopWork *loop = w->loop;
  const int nf = loop->partition.nf, nd = r->nd, ld = 2 * nd;
  struct reduceFull *full = r->full;
  clear(r, loop);
  if (!full->is_product) {
    reduce_add_tree(m, w);
    return;
  }
  sort_mass(r, m, w);
  sort_B(r, loop->blocks);

  // C = M_df + M_dd B / 2; not by dsymm, which goes parallel however small the matrices are
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, nd, nf, nd, 1, full->Mdd, nd, full->BC, ld,
              1, full->CB, ld);
  for (long j = 0; j < nf; j++) {
    memcpy(full->BC + j * ld + nd, full->CB + j * ld, (size_t) nd * sizeof(double));
  }
  // M_ff + B^T C + C^T B
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, nf, nf, ld, 1, full->BC, ld, full->CB, ld, 1,
              loop->Mr, nf);
}

//---- solution ------------------------------------------------------------------------------------

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


static int solve_free_dense(methodReduce *r, struct loopWork *loop, double *x)
{
  (void) r;
  const int nf = loop->partition.nf;
  if (nf < LEAST_FREE) return reduce_solve_plain(loop, x);
  const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', nf, loop->Mr, nf);
  if (info != 0) return info - 1;
  const int weak = weak_pivot(loop->Mr, nf);
  if (weak >= 0) return weak;
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', nf, 1, loop->Mr, nf, x, nf);
  return -1;
}


const reduceMass reduce_mass_dense = {
    .start = start_dense, .reduce = make_dense, .solve_free = solve_free_dense};
