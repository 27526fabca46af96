// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Symmetric positive semidefinite systems with a skyline.
#include "num/skyline.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/max_nan.h"


static long skyline_row_length(const numSkyline *s, int r)
{
  ART_ASSERT(s->first[r] >= 0 && s->first[r] <= r);
  return r - s->first[r] + 1;
}


int skyline_start(numSkyline *s, int n, const int *first, baseArena *arena)
{
  s->n = n;
  s->first = arena_copy(arena, first, (size_t) n, sizeof *first);
  if (!s->first || !ARENA_TAKE(arena, s->row, n) || !ARENA_TAKE(arena, s->inverse, n) ||
      !ARENA_TAKE(arena, s->diagonal, n))
    return 0;

  long total = 0;
  for (int r = 0; r < n; r++) total += skyline_row_length(s, r);
  double *entries = arena_alloc(arena, (size_t) total, sizeof *entries);
  if (!entries) return 0;
  for (int r = 0; r < n; r++) {
    s->row[r] = entries - first[r];
    entries += skyline_row_length(s, r);
  }
  return 1;
}


void skyline_clear(numSkyline *s)
{
  if (s->n == 0) return;
  const double *begin = s->row[0] + s->first[0], *end = s->row[s->n - 1] + s->n;
  memset(s->row[0] + s->first[0], 0, (size_t) (end - begin) * sizeof *begin);
}


static double dot_row_parts(const double *a, const double *b, int from, int to)
{
  double sum = 0;
  for (int k = from; k < to; k++) sum += a[k] * b[k];
  return sum;
}


// compute one row of L; returns its pivot
static double factor_row(numSkyline *s, int r)
{
  double *row = s->row[r];
  const int first = s->first[r];

  // g_c = A_rc - sum of L_ck g_k
  for (int c = first; c < r; c++) {
    const int from = s->first[c] > first ? s->first[c] : first;
    row[c] = s->inverse[c] > 0 ? row[c] - dot_row_parts(s->row[c], row, from, c) : 0;
  }

  // L_rc = g_c / D_c,  D_r = A_rr - sum of L_rc g_c
  double pivot = row[r];
  for (int c = first; c < r; c++) {
    const double l = row[c] * s->inverse[c];
    pivot -= l * row[c];
    row[c] = l;
  }
  return pivot;
}


int skyline_factor(numSkyline *s)
{
  double largest = 0;
  for (int r = 0; r < s->n; r++) {
    s->diagonal[r] = s->row[r][r];
    largest = max_nan(largest, s->diagonal[r]);
  }
  int aside = 0;
  for (int r = 0; r < s->n; r++) {
    const double pivot = factor_row(s, r);
    const int counts =
        s->diagonal[r] > SKYLINE_NOTHING * largest && pivot > SKYLINE_DEPENDENT * s->diagonal[r];
    s->inverse[r] = counts ? 1 / pivot : 0;
    aside += !counts;
  }
  return aside;
}


double skyline_solve(const numSkyline *s, double *x, int *worst)
{
  double most = 0;
  *worst = -1;
  for (int r = 0; r < s->n; r++) {
    x[r] -= dot_row_parts(s->row[r], x, s->first[r], r);
    if (s->inverse[r] > 0) continue;
    if (!(fabs(x[r]) <= most) && !isnan(most)) {
      most = fabs(x[r]);
      *worst = r;
    }
    x[r] = 0;
  }
  for (int r = 0; r < s->n; r++) x[r] *= s->inverse[r];
  for (int r = s->n - 1; r >= 0; r--) {
    const double *row = s->row[r];
    for (int c = s->first[r]; c < r; c++) x[c] -= row[c] * x[r];
  }
  return most;
}
