// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Damped least squares by normal equations: dense ones by LAPACK, large ones by sparse Cholesky
// factors of CXSparse. The normal matrix is formed over the rows,  (J J^T + mu) y = b,  x = J^T y,
// even if there are fewer columns: x then lies in the row space of J to rounding error. With  (J^T
// J + mu) x = J^T b,  rounding would add about 1e-16 / damping times the size of x in the null
// space of J, where the matrix is only mu.
#include "loop/damped_least_squares.h"

#include <string.h>
#include <suitesparse/cs.h>

#include "base/error.h"
#include "base/max_nan.h"
#include "num/dense.h"

// largest number of rows with a dense normal matrix
enum { MAX_DENSE = 256 };


int least_start(loopLeast *l, const loopMatrix *J, int entries, baseArena *arena)
{
  ART_ASSERT(entries >= 0);
  const size_t rows = (size_t) J->m, columns = (size_t) J->n, most = (size_t) entries + 1;
  *l = (loopLeast){.J = J};
  if (rows <= MAX_DENSE) {
    l->normal = arena_alloc(arena, rows * rows, sizeof *l->normal);
    l->factor = arena_alloc(arena, rows * rows, sizeof *l->factor);
    if (!l->normal || !l->factor) return 0;
  }
  return ARENA_TAKE(arena, l->row, rows) && ARENA_TAKE(arena, l->column, columns) &&
         ARENA_TAKE(arena, l->free, columns) && ARENA_TAKE(arena, l->number, columns) &&
         ARENA_TAKE(arena, l->right, rows) && ARENA_TAKE(arena, l->at, rows) &&
         ARENA_TAKE(arena, l->entry, rows) && ARENA_TAKE(arena, l->start, columns + 2) &&
         ARENA_TAKE(arena, l->of_row, most) && ARENA_TAKE(arena, l->place, most);
}


// entry e of the scaled matrix, in row i
static double scaled_entry(const loopLeast *l, int i, int e)
{
  return l->row[i] * l->J->value[e] * l->column[l->J->column[e]];
}

//---- full ----------------------------------------------------------------------------------------

static void lay_columns(loopLeast *l)
{
  const loopMatrix *J = l->J;
  memset(l->start, 0, ((size_t) J->n + 2) * sizeof *l->start);
  for (int e = 0; e < matrix_count(J); e++) l->start[J->column[e] + 2]++;
  for (int k = 2; k <= J->n; k++) l->start[k] += l->start[k - 1];
  for (int i = 0; i < J->m; i++) {
    for (int e = J->start[i]; e < J->start[i + 1]; e++) {
      const int to = l->start[J->column[e] + 1]++;
      l->of_row[to] = i;
      l->place[to] = e;
    }
  }
}


// add the outer product of a sparse column with itself
static void add_square(loopLeast *l, int n)
{
  for (int a = 0; a < n; a++) {
    double *column = l->normal + (size_t) l->at[a] * (size_t) l->J->m;
    for (int b = a; b < n; b++) column[l->at[b]] += l->entry[a] * l->entry[b];
  }
}


static void gather_full(loopLeast *l)
{
  const size_t size = (size_t) l->J->m;
  memset(l->normal, 0, size * size * sizeof *l->normal);
  lay_columns(l);
  for (int j = 0; j < l->count; j++) {
    int n = 0;
    for (int e = l->start[l->free[j]]; e < l->start[l->free[j] + 1]; e++) {
      const double x = scaled_entry(l, l->of_row[e], l->place[e]);
      if (x == 0) continue;
      l->at[n] = l->of_row[e];
      l->entry[n++] = x;
    }
    add_square(l, n);
  }
}


void least_gather(loopLeast *l)
{
  l->count = 0;
  for (int k = 0; k < l->J->n; k++) {
    l->number[k] = l->column[k] != 0 ? l->count : -1;
    if (l->column[k] != 0) l->free[l->count++] = k;
  }
  if (l->normal) gather_full(l);
}


static artStatus solve_full(loopLeast *l, double damping, artError *error)
{
  const size_t size = (size_t) l->J->m;
  double most = 0;
  for (size_t i = 0; i < size; i++) most = max_nan(most, l->normal[i * size + i]);
  memcpy(l->factor, l->normal, size * size * sizeof *l->factor);
  for (size_t i = 0; i < size; i++) l->factor[i * size + i] += most > 0 ? damping * most : 1;
  return num_solve_positive(l->J->m, l->factor, 1, l->right, error);
}

//---- sparse --------------------------------------------------------------------------------------

// transpose of the scaled matrix: one column for each row of J, fixed columns omitted
static cs_di *transposed_scaled_matrix(const loopLeast *l)
{
  const loopMatrix *J = l->J;
  cs_di *T = cs_di_spalloc(l->count, J->m, matrix_count(J) + 1, 1, 0);
  if (!T) return NULL;
  int n = 0;
  for (int i = 0; i < J->m; i++) {
    T->p[i] = n;
    for (int e = J->start[i]; e < J->start[i + 1]; e++) {
      const double x = scaled_entry(l, i, e);
      if (x == 0) continue;
      T->i[n] = l->number[J->column[e]];
      T->x[n++] = x;
    }
  }
  T->p[J->m] = n;
  return T;
}


static cs_di *diagonal_matrix(int n, double x)
{
  cs_di *D = cs_di_spalloc(n, n, n + 1, 1, 0);
  for (int k = 0; D && k < n; k++) D->p[k] = D->i[k] = k, D->x[k] = x;
  if (D) D->p[n] = n;
  return D;
}


// J J^T + mu
static cs_di *damped_normal_matrix(const loopLeast *l, double damping)
{
  cs_di *T = transposed_scaled_matrix(l), *B = T ? cs_di_transpose(T, 1) : NULL;
  cs_di *A = B ? cs_di_multiply(B, T) : NULL;
  double most = 0;
  for (int k = 0; A && k < A->n; k++) {
    for (int e = A->p[k]; e < A->p[k + 1]; e++) {
      if (A->i[e] == k) most = max_nan(most, A->x[e]);
    }
  }
  cs_di *D = A ? diagonal_matrix(A->n, most > 0 ? damping * most : 1) : NULL;
  cs_di *sum = D ? cs_di_add(A, D, 1, 1) : NULL;
  cs_di_spfree(T);
  cs_di_spfree(B);
  cs_di_spfree(A);
  cs_di_spfree(D);
  return sum;
}


static artStatus solve_sparse(loopLeast *l, double damping, artError *error)
{
  cs_di *A = damped_normal_matrix(l, damping);
  cs_dis *S = A ? cs_di_schol(1, A) : NULL;
  cs_din *N = S ? cs_di_chol(A, S) : NULL;
  double *x = N ? cs_di_malloc(l->J->m, sizeof *x) : NULL;
  if (x) {
    cs_di_ipvec(S->pinv, l->right, x, l->J->m);
    cs_di_lsolve(N->L, x);
    cs_di_ltsolve(N->L, x);
    cs_di_pvec(S->pinv, x, l->right, l->J->m);
  }
  const artStatus status = x   ? ART_OK
                           : S ? base_fail(error, ART_SINGULAR, base_nowhere(),
                                           "the normal equations are not positive definite")
                               : base_no_memory(error);
  cs_di_free(x);
  cs_di_nfree(N);
  cs_di_sfree(S);
  cs_di_spfree(A);
  return status;
}

//---- both ----------------------------------------------------------------------------------------

artStatus least_solve(loopLeast *l, double damping, const double *b, double *x, artError *error)
{
  ART_ASSERT(damping >= 0);
  const loopMatrix *J = l->J;
  memset(x, 0, (size_t) J->n * sizeof *x);
  for (int i = 0; i < J->m; i++) l->right[i] = l->row[i] * b[i];
  const artStatus status =
      l->normal ? solve_full(l, damping, error) : solve_sparse(l, damping, error);
  if (status != ART_OK) return status;
  for (int i = 0; i < J->m; i++) {
    for (int e = J->start[i]; e < J->start[i + 1]; e++) {
      x[J->column[e]] += scaled_entry(l, i, e) * l->right[i];
    }
  }
  for (int k = 0; k < J->n; k++) x[k] *= l->column[k];
  return ART_OK;
}
