// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Damped least squares by normal equations, in rows or columns, whichever are fewer.
#include "loop/least.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "num/dense.h"


int least_start(loopLeast *l, int m, int n, const double *J, baseArena *arena)
{
  const size_t rows = (size_t) m, columns = (size_t) n, size = m < n ? rows : columns;
  const size_t longest = m < n ? columns : rows;
  *l = (loopLeast){.m = m, .n = n, .J = J};
  return (l->row = arena_alloc(arena, rows, sizeof *l->row)) &&
         (l->column = arena_alloc(arena, columns, sizeof *l->column)) &&
         (l->free = arena_alloc(arena, columns, sizeof *l->free)) &&
         (l->normal = arena_alloc(arena, size * size, sizeof *l->normal)) &&
         (l->factor = arena_alloc(arena, size * size, sizeof *l->factor)) &&
         (l->right = arena_alloc(arena, longest, sizeof *l->right)) &&
         (l->at = arena_alloc(arena, longest, sizeof *l->at)) &&
         (l->entry = arena_alloc(arena, longest, sizeof *l->entry));
}


static int is_by_rows(const loopLeast *l)
{
  return l->m <= l->count;
}


// entry of the scaled matrix at row i and the j-th free column
static double entry(const loopLeast *l, int i, int j)
{
  const int k = l->free[j];
  return l->row[i] * l->J[(size_t) i * (size_t) l->n + (size_t) k] * l->column[k];
}


// add the product of a sparse vector with itself
static void add_square(loopLeast *l, int n)
{
  for (int a = 0; a < n; a++) {
    double *column = l->normal + (size_t) l->at[a] * (size_t) l->size;
    for (int b = a; b < n; b++) column[l->at[b]] += l->entry[a] * l->entry[b];
  }
}


void least_gather(loopLeast *l)
{
  l->count = 0;
  for (int k = 0; k < l->n; k++) {
    if (l->column[k] != 0) l->free[l->count++] = k;
  }
  const int by_rows = is_by_rows(l), terms = by_rows ? l->count : l->m;
  l->size = by_rows ? l->m : l->count;
  memset(l->normal, 0, (size_t) l->size * (size_t) l->size * sizeof *l->normal);
  for (int t = 0; t < terms; t++) {
    int n = 0;
    for (int s = 0; s < l->size; s++) {
      const double x = by_rows ? entry(l, s, t) : entry(l, t, s);
      if (x == 0) continue;
      l->at[n] = s;
      l->entry[n++] = x;
    }
    add_square(l, n);
  }
}


static artStatus solve_damped(loopLeast *l, double damping, artError *error)
{
  const size_t size = (size_t) l->size;
  double most = 0;
  for (size_t i = 0; i < size; i++) most = base_larger(most, l->normal[i * size + i]);
  memcpy(l->factor, l->normal, size * size * sizeof *l->factor);
  for (size_t i = 0; i < size; i++) l->factor[i * size + i] += most > 0 ? damping * most : 1;
  return num_solve_positive(l->size, l->factor, 1, l->right, error);
}


artStatus least_solve(loopLeast *l, double damping, const double *b, double *x, artError *error)
{
  memset(x, 0, (size_t) l->n * sizeof *x);
  if (is_by_rows(l)) {
    // (J J^T + mu) y = b,  x = J^T y
    for (int i = 0; i < l->m; i++) l->right[i] = l->row[i] * b[i];
    const artStatus status = solve_damped(l, damping, error);
    if (status != ART_OK) return status;
    for (int j = 0; j < l->count; j++) {
      double sum = 0;
      for (int i = 0; i < l->m; i++) sum += entry(l, i, j) * l->right[i];
      x[l->free[j]] = l->column[l->free[j]] * sum;
    }
    return ART_OK;
  }
  // (J^T J + mu) x = J^T b
  for (int j = 0; j < l->count; j++) {
    l->right[j] = 0;
    for (int i = 0; i < l->m; i++) l->right[j] += entry(l, i, j) * l->row[i] * b[i];
  }
  const artStatus status = solve_damped(l, damping, error);
  for (int j = 0; j < l->count && status == ART_OK; j++) {
    x[l->free[j]] = l->column[l->free[j]] * l->right[j];
  }
  return status;
}
