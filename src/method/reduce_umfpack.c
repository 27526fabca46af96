// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All rows of J_v by sparse LU factors of a rectangular matrix, UMFPACK (Davis 2004). It factors such matrices but solves
// square systems alone, so the factors are taken out and solved with here:
//
//   P A Q = [L1; L2] U,   L by rows, U by columns.
//
// The order of columns is chosen once for a partition, pivots at every evaluation. UMFPACK takes memory for its factors
// whenever it finds new ones.
#include <math.h>
#include <suitesparse/umfpack.h>

#include "base/memory.h"
#include "method/reduce.h"

struct reduceFactors {
  double control[UMFPACK_CONTROL];
  void *symbolic;
  int l_room, u_room; // entries for which there is memory
  int *l_start, *l_at, *u_start, *u_at;
  double *l, *u;
  int *row, *column; // P and Q
  double *work;      // [nd]
};


static int start_umfpack(methodReduce *r, const struct loopWork *loop)
{
  baseArena *a = r->memory;
  struct reduceFactors *f = arena_alloc(a, 1, sizeof *f);
  if (!f || !reduce_find_entries(r, loop)) return 0;
  r->factors = f;
  f->l_start = arena_alloc(a, (size_t) r->nrow + 1, sizeof(int));
  f->u_start = arena_alloc(a, (size_t) r->nd + 1, sizeof(int));
  f->row = arena_alloc(a, (size_t) r->nrow, sizeof(int));
  f->column = arena_alloc(a, (size_t) r->nd, sizeof(int));
  f->work = arena_alloc(a, (size_t) r->nd, sizeof(double));
  if (!f->l_start || !f->u_start || !f->row || !f->column || !f->work) return 0;
  umfpack_di_defaults(f->control);
  f->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
  f->control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE; // rows are scaled already
  f->control[UMFPACK_PIVOT_TOLERANCE] = 0.5;      // at least half the largest of a column
  reduce_take_entries(r, loop->J_chosen);
  return umfpack_di_symbolic(r->nrow, r->nd, r->start, r->at, r->entry, &f->symbolic, f->control,
                             NULL) == UMFPACK_OK;
}


static void stop_umfpack(methodReduce *r)
{
  struct reduceFactors *f = r->factors;
  if (!f) return;
  umfpack_di_free_symbolic(&f->symbolic);
  mem_free(f->l_at);
  mem_free(f->l);
  mem_free(f->u_at);
  mem_free(f->u);
}


// room for some more entries than are needed now; 0 when there is no memory
static int take_factor_room(int count, int *room, int **at, double **value)
{
  if (count <= *room) return 1;
  mem_free(*at);
  mem_free(*value);
  *room = count + count / 4;
  *at = MEM_ARRAY(int, (size_t) *room);
  *value = MEM_ARRAY(double, (size_t) *room);
  if (!*at || !*value) *room = 0;
  return *room > 0;
}


// L, U, P and Q out of the factors; 0 when there is no memory, or a pivot is nothing
static int take_factors(methodReduce *r, void *numeric)
{
  struct reduceFactors *f = r->factors;
  int lnz, unz, rows, columns, diagonal, recip;
  if (umfpack_di_get_lunz(&lnz, &unz, &rows, &columns, &diagonal, numeric) != UMFPACK_OK) return 0;
  if (!take_factor_room(lnz, &f->l_room, &f->l_at, &f->l)) return 0;
  if (!take_factor_room(unz, &f->u_room, &f->u_at, &f->u)) return 0;
  if (umfpack_di_get_numeric(f->l_start, f->l_at, f->l, f->u_start, f->u_at, f->u, f->row,
                             f->column, NULL, &recip, NULL, numeric) != UMFPACK_OK) {
    return 0;
  }
  // pivots stand at the ends of the columns of U
  for (int k = 0; k < r->nd; k++) {
    const int last = f->u_start[k + 1] - 1;
    if (last < f->u_start[k] || f->u_at[last] != k) return 0;
    if (!(fabs(f->u[last]) > REDUCE_LEAST_PIVOT)) return 0;
  }
  return 1;
}


static int factor_umfpack(methodReduce *r, const struct loopWork *loop)
{
  struct reduceFactors *f = r->factors;
  void *numeric = NULL;
  reduce_take_entries(r, loop->rows.J.value);
  const int status =
      umfpack_di_numeric(r->start, r->at, r->entry, f->symbolic, &numeric, f->control, NULL);
  const int ready = status >= UMFPACK_OK && numeric && take_factors(r, numeric);
  umfpack_di_free_numeric(&numeric);
  return ready;
}


static int solve_umfpack(methodReduce *r, int count, double *columns)
{
  const struct reduceFactors *f = r->factors;
  double *y = f->work;
  for (int c = 0; c < count; c++) {
    double *b = columns + (long) c * r->nrow;

    // L1 y = (P b)_1, ones on the diagonal
    for (int i = 0; i < r->nd; i++) {
      y[i] = b[f->row[i]];
      for (int e = f->l_start[i]; e < f->l_start[i + 1]; e++) {
        if (f->l_at[e] != i) y[i] -= f->l[e] * y[f->l_at[e]];
      }
    }
    // U Q^T x = y
    for (int k = r->nd - 1; k >= 0; k--) {
      const int last = f->u_start[k + 1] - 1;
      y[k] /= f->u[last];
      for (int e = f->u_start[k]; e < last; e++) y[f->u_at[e]] -= f->u[e] * y[k];
    }
    for (int k = 0; k < r->nd; k++) b[f->column[k]] = y[k];
  }
  return 1;
}


const reduceRows reduce_rows_umfpack = {
    .start = start_umfpack, .stop = stop_umfpack, .factor = factor_umfpack, .solve = solve_umfpack};
