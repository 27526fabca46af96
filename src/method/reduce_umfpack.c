// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Solution by all rows of J_v with sparse LU factors of a rectangular matrix, UMFPACK (Davis 2004).
// UMFPACK factors such matrices but solves square systems only, so the factors are extracted and
// solved with here:
//
//   P A Q = [L1; L2] U,   L by rows, U by columns.
//
// The column order is chosen once per partition, the pivots at every evaluation. UMFPACK allocates
// memory for every factorisation.
#include <math.h>
#include <suitesparse/umfpack.h>

#include "base/memory.h"
#include "method/reduce.h"

struct reduceFactors {
  double control[UMFPACK_CONTROL];
  void *symbolic;
  int l_room, u_room; // capacity
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
  f->control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE; // rows are already scaled
  f->control[UMFPACK_PIVOT_TOLERANCE] = 0.5;      // at least half of the largest entry of a column
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


// allocate a quarter more entries than needed; 0 when memory ran out
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


// extract L, U, P and Q; 0 when memory ran out or a pivot is zero
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
  // the pivot is the last entry of a column of U
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

    // L1 y = (P b)_1, unit diagonal
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
