// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Symmetric positive definite systems with a fixed pattern, A = L D L^T by supernodes. Each block
// first receives the updates of earlier ones, then factors itself (left-looking).
#include "num/positive.h"

#include <float.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "num/positive_analysis.h"

// Up to MAX_DENSE_UNKNOWNS unknowns, L is stored as a dense matrix if it has this fraction of all
// entries (measured: bench/positive). For larger matrices the zeros cost more than the blocks
// waste.
#define MIN_DENSE_PART 0.75
enum { MAX_DENSE_UNKNOWNS = 64 };

struct numPositive {
  const numPattern *pattern;
  numPositiveKind kind;
  baseArena arena;
  positiveAnalysis analysis;
  double *entry; // [analysis.entries] L below the diagonals of the blocks
  double *pivot; // [n] D
  double *part;  // [widest] one row of L D
  double *sum;   // [tallest] one column of L D L^T
  double *y;     // [n] unknowns in pivot order
};


//---- create --------------------------------------------------------------------------------------

static int take_positive_room(numPositive *f)
{
  const positiveAnalysis *a = &f->analysis;
  f->entry = arena_alloc(&f->arena, (size_t) a->entries, sizeof *f->entry);
  f->pivot = arena_alloc(&f->arena, (size_t) a->n, sizeof *f->pivot);
  f->part = arena_alloc(&f->arena, (size_t) a->widest, sizeof *f->part);
  f->sum = arena_alloc(&f->arena, (size_t) a->tallest, sizeof *f->sum);
  f->y = arena_alloc(&f->arena, (size_t) a->n, sizeof *f->y);
  return f->entry && f->pivot && f->part && f->sum && f->y;
}


long positive_fill(const numPositive *f)
{
  long fill = 0;
  for (int k = 0; k < f->analysis.nblocks; k++) {
    const long width = f->analysis.block[k].width, height = f->analysis.block[k].height;
    fill += width * height - width * (width - 1) / 2;
  }
  return fill;
}


static int is_small_and_full(const numPositive *f)
{
  const double n = f->analysis.n;
  return n <= MAX_DENSE_UNKNOWNS && (double) positive_fill(f) >= MIN_DENSE_PART * 0.5 * n * (n + 1);
}


// sparse, unless `kind` forbids it or L turns out small and nearly dense
static artStatus analyse_positive_pattern(numPositive *f, numPositiveKind kind, artError *error)
{
  artStatus status = ART_OK;
  f->kind = kind == POSITIVE_DENSE ? POSITIVE_DENSE : POSITIVE_SPARSE;
  if (f->kind == POSITIVE_SPARSE) {
    status = positive_analyse_sparse(&f->analysis, f->pattern, &f->arena, error);
  }
  if (!status && kind == POSITIVE_AUTOMATIC && is_small_and_full(f)) {
    arena_free(&f->arena);
    f->kind = POSITIVE_DENSE;
  }
  if (!status && f->kind == POSITIVE_DENSE) {
    status = positive_analyse_dense(&f->analysis, f->pattern, &f->arena, error);
  }
  if (status) return status;
  return take_positive_room(f) ? ART_OK : base_no_memory(error);
}


// is the diagonal entry first in each column, with ascending rows below it?
static int is_lower_by_columns(const numPattern *A)
{
  for (int c = 0; c < A->n; c++) {
    if (A->start[c] >= A->start[c + 1] || A->row[A->start[c]] != c) return 0;
    for (int p = A->start[c] + 1; p < A->start[c + 1]; p++) {
      if (A->row[p] <= A->row[p - 1] || A->row[p] >= A->n) return 0;
    }
  }
  return A->start[0] == 0;
}


artStatus positive_create(numPositive **out, const numPattern *pattern, numPositiveKind kind,
                          artError *error)
{
  ART_ASSERT(pattern->n >= 0 && is_lower_by_columns(pattern));
  *out = NULL;
  numPositive *f = MEM_ARRAY(numPositive, 1);
  if (!f) return base_no_memory(error);
  f->pattern = pattern;
  const artStatus status = analyse_positive_pattern(f, kind, error);
  if (status) {
    positive_free(f);
    return status;
  }
  *out = f;
  return ART_OK;
}


void positive_free(numPositive *f)
{
  if (!f) return;
  arena_free(&f->arena);
  mem_free(f);
}


numPositiveKind positive_kind(const numPositive *f)
{
  return f->kind;
}


//---- sums of columns -----------------------------------------------------------------------------

// sum_i = L_i0 t_0 + ... over one to four columns, `height` apart
static void sum_few(int rows, int columns, const double *restrict L, long height,
                    const double *restrict t, double *restrict sum)
{
  ART_ASSERT(columns >= 1 && columns <= 4);
  const long b = height, c = 2 * height, d = 3 * height;
  switch (columns) {
  case 1:
    for (int i = 0; i < rows; i++) sum[i] = L[i] * t[0];
    break;
  case 2:
    for (int i = 0; i < rows; i++) sum[i] = L[i] * t[0] + L[b + i] * t[1];
    break;
  case 3:
    for (int i = 0; i < rows; i++) sum[i] = L[i] * t[0] + L[b + i] * t[1] + L[c + i] * t[2];
    break;
  default:
    for (int i = 0; i < rows; i++) {
      sum[i] = L[i] * t[0] + L[b + i] * t[1] + L[c + i] * t[2] + L[d + i] * t[3];
    }
  }
}


// the same for any number of columns, four at a time to reduce memory accesses to the sums
static void sum_columns(int rows, int columns, const double *restrict L, long height,
                        const double *restrict t, double *restrict sum)
{
  ART_ASSERT(columns >= 1);
  int k = (columns - 1) % 4 + 1;
  sum_few(rows, k, L, height, t, sum);
  for (; k < columns; k += 4) {
    const double *restrict a = L + k * height, *restrict b = a + height;
    const double *restrict c = b + height, *restrict d = c + height;
    const double s = t[k], u = t[k + 1], v = t[k + 2], w = t[k + 3];
    for (int i = 0; i < rows; i++) sum[i] += a[i] * s + b[i] * u + c[i] * v + d[i] * w;
  }
}


// sum_i = sum over k of L_ik D_k L_jk, over the first columns of a block, for rows from j on
static void sum_products(numPositive *f, const positiveBlock *b, int columns, int j)
{
  ART_ASSERT(columns <= b->width && j < b->height);
  const double *row = f->entry + b->entry + j, *pivot = f->pivot + b->column;
  const long height = b->height;
  for (int k = 0; k < columns; k++) f->part[k] = row[k * height] * pivot[k];
  sum_columns(b->height - j, columns, row, height, f->part, f->sum);
}


//---- factor --------------------------------------------------------------------------------------

static void apply_update(numPositive *f, const positiveBlock *b, const positiveUpdate *update)
{
  const positiveBlock *source = &f->analysis.block[update->source];
  for (int j = update->from; j < update->to; j++) {
    const int *at = update->at + (j - update->from);
    double *column = f->entry + b->entry + (long) at[0] * b->height;
    sum_products(f, source, source->width, j);
    for (int i = 0; i < source->height - j; i++) column[at[i]] -= f->sum[i];
  }
}


// is the pivot positive, beyond rounding error of the original diagonal entry?
static int is_positive(const numPositive *f, int k, const double *values)
{
  const double given = values[f->pattern->start[f->analysis.order[k]]];
  return f->pivot[k] > DBL_EPSILON * given;
}


// returns the first pivot of the block that is not positive, or -1
static int factor_column_block(numPositive *f, const positiveBlock *b, const double *values)
{
  ART_ASSERT(b->width > 0 && b->width <= b->height);
  for (int c = 0; c < b->width; c++) {
    double *column = f->entry + b->entry + (long) c * b->height;

    // L_ic D_c = A_ic - sum over k < c of L_ik D_k L_ck
    if (c > 0) {
      sum_products(f, b, c, c);
      for (int i = c; i < b->height; i++) column[i] -= f->sum[i - c];
    }

    f->pivot[b->column + c] = column[c];
    if (!is_positive(f, b->column + c, values)) return b->column + c;
    const double inverse = 1 / column[c];
    for (int i = c + 1; i < b->height; i++) column[i] *= inverse;
  }
  return -1;
}


// returns the first pivot that is not positive, or -1
static int factor_blocks(numPositive *f, const double *values)
{
  const positiveAnalysis *a = &f->analysis;
  for (int k = 0; k < a->nblocks; k++) {
    const positiveBlock *b = &a->block[k];
    for (int u = 0; u < b->nupdates; u++) apply_update(f, b, &b->updates[u]);
    const int bad = factor_column_block(f, b, values);
    if (bad >= 0) return bad;
  }
  return -1;
}


artStatus positive_factor(numPositive *f, const double *values, int *worst)
{
  const positiveAnalysis *a = &f->analysis;
  memset(f->entry, 0, (size_t) a->entries * sizeof *f->entry);
  for (int p = 0; p < f->pattern->start[a->n]; p++) f->entry[a->where[p]] = values[p];

  const int bad = factor_blocks(f, values);
  *worst = bad < 0 ? -1 : a->order[bad];
  return bad < 0 ? ART_OK : ART_SINGULAR;
}


//---- solve ---------------------------------------------------------------------------------------

void positive_solve(numPositive *f, double *x)
{
  const positiveAnalysis *a = &f->analysis;
  for (int k = 0; k < a->n; k++) f->y[k] = x[a->order[k]];

  // y = L^-1 y
  for (int k = 0; k < f->analysis.nblocks; k++) {
    const positiveBlock *b = &f->analysis.block[k];
    const double *L = f->entry + b->entry;
    double *y = f->y + b->column;
    for (int c = 0; c < b->width; c++) {
      for (int i = c + 1; i < b->width; i++) y[i] -= L[(long) c * b->height + i] * y[c];
    }
    const int below = b->height - b->width;
    sum_columns(below, b->width, L + b->width, b->height, y, f->sum);
    for (int i = 0; i < below; i++) f->y[b->row[b->width + i]] -= f->sum[i];
  }

  for (int k = 0; k < a->n; k++) f->y[k] /= f->pivot[k];

  // y = L^-T y
  for (int k = f->analysis.nblocks - 1; k >= 0; k--) {
    const positiveBlock *b = &f->analysis.block[k];
    for (int i = b->width; i < b->height; i++) f->sum[i] = f->y[b->row[i]];
    double *y = f->y + b->column;
    for (int c = b->width - 1; c >= 0; c--) {
      const double *L = f->entry + b->entry + (long) c * b->height;
      f->sum[c] = y[c];
      for (int i = c + 1; i < b->height; i++) f->sum[c] -= L[i] * f->sum[i];
      y[c] = f->sum[c];
    }
  }

  for (int k = 0; k < a->n; k++) x[a->order[k]] = f->y[k];
}
