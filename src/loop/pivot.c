// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Full-pivot elimination. The largest entry of each row is remembered, so that a step costs a look
// at every row and work only on the rows that the pivot touches.
#include "loop/pivot.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"

typedef struct pivoting {
  int m, n;
  double *A;
  const int *rank_of;
  int rank;     // of the columns whose turn it is
  bool *used;   // n: columns that hold a pivot
  bool *closed; // m: rows that hold a pivot
  int *largest; // m: column of the largest entry of an open row, -1 for none
} pivoting;


static double *row_of(const pivoting *p, int i)
{
  return p->A + (size_t) i * (size_t) p->n;
}


static void find_largest(pivoting *p, int i)
{
  const double *a = row_of(p, i);
  int best = -1;
  for (int j = 0; j < p->n; j++) {
    if (p->rank_of[j] != p->rank || p->used[j]) continue;
    if (best < 0 || fabs(a[j]) > fabs(a[best])) best = j;
  }
  p->largest[i] = best;
}


// the open row with the largest entry above least, -1 for none
static int best_row(const pivoting *p, double least)
{
  int best = -1;
  for (int i = 0; i < p->m; i++) {
    if (p->closed[i] || p->largest[i] < 0) continue;
    const double size = fabs(row_of(p, i)[p->largest[i]]);
    if (size > least) best = i, least = size;
  }
  return best;
}


static void eliminate(pivoting *p, int row, int column)
{
  const double *r = row_of(p, row);
  p->closed[row] = true;
  p->used[column] = true;

  for (int i = 0; i < p->m; i++) {
    if (p->closed[i]) continue;
    double *a = row_of(p, i);
    const double l = a[column] / r[column];
    if (l != 0) {
      for (int j = 0; j < p->n; j++) a[j] -= l * r[j];
    }
    if (l != 0 || p->largest[i] == column) find_largest(p, i);
  }
}


static int choose(pivoting *p, int ranks, double least, int *row, int *column)
{
  int count = 0;
  for (p->rank = 0; p->rank < ranks; p->rank++) {
    for (int i = 0; i < p->m; i++) find_largest(p, i);

    for (int best; (best = best_row(p, least)) >= 0; count++) {
      row[count] = best;
      column[count] = p->largest[best];
      eliminate(p, row[count], column[count]);
    }
  }
  return count;
}


int pivot_choose(int m, int n, double *A, int ranks, const int *rank_of, double least, int *row,
                 int *column)
{
  pivoting p = {.m = m, .n = n, .A = A, .rank_of = rank_of};
  p.used = MEM_ARRAY(bool, n + 1);
  p.closed = MEM_ARRAY(bool, m + 1);
  p.largest = MEM_ARRAY(int, m + 1);
  const bool ready = p.used && p.closed && p.largest;
  const int count = ready ? choose(&p, ranks, least, row, column) : -1;

  mem_free(p.used);
  mem_free(p.closed);
  mem_free(p.largest);
  return count;
}
