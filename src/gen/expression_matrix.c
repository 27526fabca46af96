// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Matrices of expressions by their entries.
#include "gen/expression_matrix.h"

#include <string.h>


void matrix_open(genMatrix *A, int n, baseArena *arena)
{
  A->n = n;
  A->count = arena_alloc(arena, (size_t) n, sizeof *A->count);
  A->row = arena_alloc(arena, (size_t) n, sizeof *A->row);
}


void matrix_set(genMatrix *A, int i, int n, const genEntry *entry, baseArena *arena)
{
  A->count[i] = n;
  A->row[i] = arena_copy(arena, entry, (size_t) n, sizeof *entry);
}


// how many entries of a row stand before column j
static int count_before(const genMatrix *A, int i, int j)
{
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


static void count_mirrored(genMatrix *A, const genMatrix *lower)
{
  for (int i = 0; i < lower->n; i++) {
    A->count[i] += lower->count[i];
    for (int k = 0; k < lower->count[i]; k++) {
      const int j = lower->row[i][k].column;
      if (j < i) A->count[j]++;
    }
  }
}


void matrix_mirror(genMatrix *A, const genMatrix *lower, baseArena *arena)
{
  matrix_open(A, lower->n, arena);
  count_mirrored(A, lower);
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
