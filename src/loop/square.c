// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Factors of a sparse square matrix, block by block.
#include "loop/partition.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "loop/lu.h"
#include "loop/match.h"

enum { MAX_ROUNDS = 5 };


static int square_block_size(const loopSquare *f, int k)
{
  return f->start[k + 1] - f->start[k];
}


// copy the entries of block k to a dense matrix; `place` is scratch
static void load_block(const loopSquare *f, int k, int *place)
{
  const loopMatrix *A = f->A;
  const int first = f->start[k], size = square_block_size(f, k);
  memset(f->lu[k], 0, (size_t) (size * size) * sizeof(double));
  for (int c = 0; c < size; c++) place[f->column[first + c]] = c + 1;
  for (int r = 0; r < size; r++) {
    const int i = f->row[first + r];
    for (int e = A->start[i]; e < A->start[i + 1]; e++) {
      const int c = place[A->column[e]];
      if (c > 0) f->lu[k][r * size + c - 1] = A->value[e];
    }
  }
  for (int c = 0; c < size; c++) place[f->column[first + c]] = 0;
}


static int take_blocks(loopSquare *f)
{
  size_t area = 0;
  for (int k = 0; k < f->count; k++)
    area += (size_t) square_block_size(f, k) * (size_t) square_block_size(f, k);
  double *lu = arena_alloc(&f->memory, area + 1, sizeof *lu);
  if (!lu || !ARENA_TAKE(&f->memory, f->lu, f->count + 1)) return 0;
  for (int k = 0; k < f->count; k++) {
    f->lu[k] = lu;
    lu += square_block_size(f, k) * square_block_size(f, k);
  }
  return 1;
}


int square_factor(loopSquare *f, const loopMatrix *A)
{
  ART_ASSERT(A->m == A->n);
  const int n = A->m;
  const matchPattern pattern = {n, n, A->start, A->column, NULL};
  *f = (loopSquare){.A = A};
  baseArena *a = &f->memory;
  int *place = NULL;
  int ok = ARENA_TAKE(a, f->row, n + 1) && ARENA_TAKE(a, f->column, n + 1) &&
           ARENA_TAKE(a, f->start, n + 2) && ARENA_TAKE(a, f->swap, n + 1) &&
           ARENA_TAKE(a, f->work, 2 * n + 1) && ARENA_TAKE(a, place, n + 1);
  if (ok) f->count = match_blocks(&pattern, f->row, f->column, f->start);
  ok = ok && f->count >= 0 && take_blocks(f);
  f->is_regular = f->count > 0;
  for (int k = 0; k < f->count && ok; k++) {
    load_block(f, k, place);
    if (!(lu_factor(square_block_size(f, k), f->lu[k], f->swap + f->start[k]) > 0))
      f->is_regular = 0;
  }
  if (!ok) square_free(f);
  return ok;
}


void square_free(loopSquare *f)
{
  arena_free(&f->memory);
}


// D_k x_k = b_k - sum of A_kl x_l, l < k
void square_solve(const loopSquare *f, double *x)
{
  ART_ASSERT(f->is_regular);
  const loopMatrix *A = f->A;
  double *known = f->work, *part = f->work + A->m; // known: 0 in columns not solved yet
  memset(known, 0, (size_t) A->m * sizeof *known);
  for (int k = 0; k < f->count; k++) {
    const int first = f->start[k], size = square_block_size(f, k);
    for (int r = 0; r < size; r++) {
      const int i = f->row[first + r];
      part[r] = x[i];
      for (int e = A->start[i]; e < A->start[i + 1]; e++) {
        part[r] -= A->value[e] * known[A->column[e]];
      }
    }
    lu_solve(size, f->lu[k], f->swap + first, part);
    for (int c = 0; c < size; c++) known[f->column[first + c]] = part[c];
  }
  memcpy(x, known, (size_t) A->m * sizeof *x);
}


// D_k^T x_k = b_k - sum of A_lk^T x_l, l > k
void square_solve_transposed(const loopSquare *f, double *x)
{
  ART_ASSERT(f->is_regular);
  const loopMatrix *A = f->A;
  double *found = f->work, *part = f->work + A->m;
  for (int k = f->count - 1; k >= 0; k--) {
    const int first = f->start[k], size = square_block_size(f, k);
    for (int c = 0; c < size; c++) part[c] = x[f->column[first + c]];
    lu_solve_transposed(size, f->lu[k], f->swap + first, part);
    for (int r = 0; r < size; r++) {
      const int i = f->row[first + r];
      found[i] = part[r];
      for (int e = A->start[i]; e < A->start[i + 1]; e++) {
        x[A->column[e]] -= A->value[e] * part[r];
      }
    }
  }
  memcpy(x, found, (size_t) A->m * sizeof *x);
}


//---- condition -----------------------------------------------------------------------------------

static double sum_of_sizes(int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += fabs(x[i]);
  return sum;
}


static double norm_of(const loopMatrix *A)
{
  double most = 0;
  for (int i = 0; i < A->m; i++) {
    const int first = A->start[i];
    most = max_nan(most, sum_of_sizes(A->start[i + 1] - first, A->value + first));
  }
  return most;
}


// write the signs of x into `sign`; returns whether they are unchanged
static int take_signs(int n, const double *x, double *sign)
{
  int are_same = 1;
  for (int i = 0; i < n; i++) {
    const double s = x[i] >= 0 ? 1 : -1;
    are_same = are_same && s == sign[i];
    sign[i] = s;
  }
  return are_same;
}


static int largest_at(int n, const double *x)
{
  ART_ASSERT(n > 0);
  int most = 0;
  for (int i = 1; i < n; i++) {
    if (fabs(x[i]) > fabs(x[most])) most = i;
  }
  return most;
}


// The norm of A^-1 is the largest absolute column sum of A^-T. Go from column to column along the
// gradient of that sum (Hager's method).
static double climb_inverse_norm(const loopSquare *f, double *x, double *sign)
{
  const int n = f->A->m;
  double best = 0;
  int column = -1;
  for (int i = 0; i < n; i++) x[i] = 1.0 / n;
  memset(sign, 0, (size_t) n * sizeof *sign);
  for (int round = 0; round < MAX_ROUNDS; round++) {
    square_solve_transposed(f, x);
    const double sum = sum_of_sizes(n, x);
    const int are_same = take_signs(n, x, sign);
    if (round > 0 && (sum <= best || are_same)) return max_nan(sum, best);
    best = sum;
    memcpy(x, sign, (size_t) n * sizeof *x);
    square_solve(f, x);
    const int next = largest_at(n, x);
    if (next == column) break;
    column = next;
    memset(x, 0, (size_t) n * sizeof *x);
    x[column] = 1;
  }
  return best;
}


// lower bound from an alternating vector, which guards against unlucky cancellation (Higham)
static double try_alternating(const loopSquare *f, double *x)
{
  const int n = f->A->m;
  for (int i = 0; i < n; i++) x[i] = (i % 2 ? 1 : -1) * (1 + (double) i / (n > 1 ? n - 1 : 1));
  square_solve_transposed(f, x);
  return 2 * sum_of_sizes(n, x) / (3 * n);
}


double square_condition(const loopSquare *f, double *room)
{
  if (!f->is_regular) return INFINITY;
  const double inverse = climb_inverse_norm(f, room, room + f->A->m);
  return norm_of(f->A) * max_nan(inverse, try_alternating(f, room));
}
