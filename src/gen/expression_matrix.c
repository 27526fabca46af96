// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Matrices of expressions by their entries, and linear systems with frozen pivots.
#include "gen/expression_matrix.h"

#include <string.h>

#include "base/error.h"


void matrix_open(genMatrix *A, int n, baseArena *arena)
{
  A->n = n;
  A->count = arena_alloc(arena, (size_t) n, sizeof *A->count);
  A->row = arena_alloc(arena, (size_t) n, sizeof *A->row);
}


void matrix_set(genMatrix *A, int i, int n, const genEntry *entry, baseArena *arena)
{
  ART_ASSERT(i >= 0 && i < A->n);
  A->count[i] = n;
  A->row[i] = arena_copy(arena, entry, (size_t) n, sizeof *entry);
}


// how many entries of a row come before column j
static int count_before(const genMatrix *A, int i, int j)
{
  ART_ASSERT(i >= 0 && i < A->n && j >= 0);
  int from = 0, to = A->count[i];
  while (from < to) {
    const int middle = (from + to) / 2;
    if (A->row[i][middle].column < j) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}


int matrix_entry(const genMatrix *A, int i, int j)
{
  const int k = count_before(A, i, j);
  return k < A->count[i] && A->row[i][k].column == j ? A->row[i][k].node : 0;
}


int *matrix_place(genMatrix *A, int i, int j, baseArena *arena)
{
  const int k = count_before(A, i, j), n = A->count[i];
  if (k < n && A->row[i][k].column == j) return &A->row[i][k].node;
  genEntry *row = arena_alloc(arena, (size_t) n + 1, sizeof *row);
  if (k > 0) memcpy(row, A->row[i], (size_t) k * sizeof *row);
  if (k < n) memcpy(row + k + 1, A->row[i] + k, (size_t) (n - k) * sizeof *row);
  row[k].column = j;
  A->row[i] = row;
  A->count[i]++;
  return &row[k].node;
}


void matrix_mirror(genMatrix *A, const genMatrix *lower, baseArena *arena)
{
  matrix_open(A, lower->n, arena);
  for (int i = 0; i < lower->n; i++) {
    A->count[i] += lower->count[i];
    for (int k = 0; k < lower->count[i]; k++) {
      const int j = lower->row[i][k].column;
      if (j < i) A->count[j]++;
    }
  }
  for (int i = 0; i < lower->n; i++) {
    A->row[i] = arena_alloc(arena, (size_t) A->count[i], sizeof **A->row);
    const int n = A->count[i] = lower->count[i];
    if (n > 0) memcpy(A->row[i], lower->row[i], (size_t) n * sizeof **A->row);
  }

  // entries above the diagonal come in the order of the rows
  for (int i = 0; i < lower->n; i++) {
    for (int k = 0; k < lower->count[i]; k++) {
      const genEntry *e = &lower->row[i][k];
      if (e->column < i) A->row[e->column][A->count[e->column]++] = (genEntry){i, e->node};
    }
  }
}


void matrix_spread(const genMatrix *A, int i, int *x)
{
  for (int k = 0; k < A->count[i]; k++) x[A->row[i][k].column] = A->row[i][k].node;
}

//---- linear systems ------------------------------------------------------------------------------

static void multiply_pair(exprPool *p, const int *A, int *x)
{
  const int y = expr_add(p, expr_mul(p, A[0], x[0]), expr_mul(p, A[1], x[1]));
  x[1] = expr_add(p, expr_mul(p, A[2], x[0]), expr_mul(p, A[3], x[1]));
  x[0] = y;
}


// A = L U without exchanges: pivots stand on the diagonal by the order of rows and columns; the diagonal
// keeps the inverse of the pivots
void gen_factor(exprPool *p, int n, int *A)
{
  if (n == 2) {
    // two unknowns, as most planar loops have, by the inverse: it takes as many operations as factors do and
    // no pivot that may vanish where the determinant does not
    const int a = A[0], b = A[1], c = A[2], d = A[3];
    const int determinant = expr_sub(p, expr_mul(p, a, d), expr_mul(p, b, c));
    const int inverse = expr_div(p, expr_constant(p, 1), determinant);
    A[0] = expr_mul(p, d, inverse);
    A[1] = expr_neg(p, expr_mul(p, b, inverse));
    A[2] = expr_neg(p, expr_mul(p, c, inverse));
    A[3] = expr_mul(p, a, inverse);
    return;
  }
  for (int k = 0; k < n; k++) {
    A[k * n + k] = expr_div(p, expr_constant(p, 1), A[k * n + k]);
    for (int i = k + 1; i < n; i++) {
      if (A[i * n + k] == 0) continue;
      A[i * n + k] = expr_mul(p, A[i * n + k], A[k * n + k]);
      for (int j = k + 1; j < n; j++) {
        if (A[k * n + j] == 0) continue;
        A[i * n + j] = expr_sub(p, A[i * n + j], expr_mul(p, A[i * n + k], A[k * n + j]));
      }
    }
  }
}


void gen_solve(exprPool *p, int n, const int *LU, int *x)
{
  if (n == 2) {
    multiply_pair(p, LU, x);
    return;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[i * n + k], x[k]));
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[i * n + k], x[k]));
    x[i] = expr_mul(p, x[i], LU[i * n + i]);
  }
}


// x^T A = the given row
void gen_solve_transposed(exprPool *p, int n, const int *LU, int *x)
{
  if (n == 2) {
    const int transposed[4] = {LU[0], LU[2], LU[1], LU[3]};
    multiply_pair(p, transposed, x);
    return;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[k * n + i], x[k]));
    x[i] = expr_mul(p, x[i], LU[i * n + i]);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[k * n + i], x[k]));
  }
}


// A = L^T D L from the last to the first, lower triangle in place: what hangs on parallel branches stays
// apart; the diagonal keeps the inverse of D
void gen_factor_symmetric(exprPool *p, int n, int *A)
{
  for (int k = n - 1; k >= 0; k--) {
    const int inverse = expr_div(p, expr_constant(p, 1), A[k * n + k]);
    for (int i = 0; i < k; i++) {
      if (A[k * n + i] == 0) continue;
      const int l = expr_mul(p, A[k * n + i], inverse);
      for (int j = 0; j <= i; j++) {
        if (A[k * n + j] == 0) continue;
        A[i * n + j] = expr_sub(p, A[i * n + j], expr_mul(p, l, A[k * n + j]));
      }
    }
    for (int i = 0; i < k; i++) A[k * n + i] = expr_mul(p, A[k * n + i], inverse);
    A[k * n + k] = inverse;
  }
}


void gen_solve_lower(exprPool *p, int n, const int *LDL, int *x)
{
  for (int k = n - 1; k >= 0; k--) {
    for (int i = 0; i < k; i++) {
      if (LDL[k * n + i] != 0) x[i] = expr_sub(p, x[i], expr_mul(p, LDL[k * n + i], x[k]));
    }
  }
}


void gen_solve_upper(exprPool *p, int n, const int *LDL, int *x)
{
  for (int k = 0; k < n; k++) {
    x[k] = expr_mul(p, x[k], LDL[k * n + k]);
    for (int i = 0; i < k; i++) {
      if (LDL[k * n + i] != 0) x[k] = expr_sub(p, x[k], expr_mul(p, LDL[k * n + i], x[i]));
    }
  }
}


void gen_eliminate_symmetric(exprPool *p, int n, int *A, int *x)
{
  expr_solving(p, 1);
  gen_factor_symmetric(p, n, A);
  gen_solve_lower(p, n, A, x);
  gen_solve_upper(p, n, A, x);
  expr_solving(p, 0);
}
