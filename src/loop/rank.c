// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rank by elimination, row after row, each pivot the largest entry that remains of its row.
#include "loop/rank.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/larger.h"
#include "base/memory.h"

// what must remain of a row, relative to it, to be taken in the first round; in the second the tolerance
static const double SOUND = 1e-3;

// multipliers below this are rounding: dropping them keeps a sparse matrix sparse
static const double ROUNDING = 1e-15;

// coefficients of a combination that are worth a word, rows scaled to 1
static const double NOTABLE = 1e-6;

// A = L R, where R are the rows of A at the pivots, as they stand when they become one
typedef struct elimination {
  int m, n;
  const bool *driven;
  double tolerance;
  bool best_first;
  double *scale;       // m: largest entry of each row; 0 for rows of zeros
  double *A;           // m x n: the scaled rows less what the pivots explain
  double *L;           // m x limit: multipliers
  int limit;           // the most pivots there can be
  int *done;           // m: pivots that a row has met
  int count;           // pivots so far
  int *row, *column;   // limit: pivots
  bool *taken;         // m: rows that hold a pivot
  double *combination; // limit
  double weakest;
} elimination;


static double *row_of(const elimination *e, int i)
{
  return e->A + (size_t) i * (size_t) e->n;
}


static double *multipliers_of(const elimination *e, int i)
{
  return e->L + (size_t) i * (size_t) e->limit;
}


static double largest_entry(int n, const double *x)
{
  double largest = 0;
  for (int j = 0; j < n; j++) largest = base_larger(largest, fabs(x[j]));
  return largest;
}


static void close_elimination(elimination *e)
{
  mem_free(e->scale);
  mem_free(e->A);
  mem_free(e->L);
  mem_free(e->done);
  mem_free(e->row);
  mem_free(e->column);
  mem_free(e->taken);
  mem_free(e->combination);
}


static bool open_elimination(elimination *e)
{
  const int m = e->m, n = e->n, limit = m < n ? m : n;
  e->limit = limit;
  e->weakest = 1;

  // one more than needed, so that an empty matrix is no special case
  e->scale = MEM_ARRAY(double, m + 1);
  e->A = MEM_ARRAY(double, (size_t) m *(size_t) n + 1);
  e->L = MEM_ARRAY(double, (size_t) m *(size_t) limit + 1);
  e->done = MEM_ARRAY(int, m + 1);
  e->row = MEM_ARRAY(int, limit + 1);
  e->column = MEM_ARRAY(int, limit + 1);
  e->taken = MEM_ARRAY(bool, m + 1);
  e->combination = MEM_ARRAY(double, limit + 1);
  return e->scale && e->A && e->L && e->done && e->row && e->column && e->taken && e->combination;
}


static void load_scaled(elimination *e, const double *J)
{
  const double zero = e->tolerance * largest_entry(e->m * e->n, J);
  for (int i = 0; i < e->m; i++) {
    const double *from = J + (size_t) i * (size_t) e->n;
    const double largest = largest_entry(e->n, from);
    if (!(largest > zero)) continue;

    e->scale[i] = largest;
    for (int j = 0; j < e->n; j++) row_of(e, i)[j] = from[j] / largest;
  }
}


// subtract from row i what the pivots explain that it has not met yet
static void reduce_row(elimination *e, int i)
{
  double *a = row_of(e, i);
  for (int k = e->done[i]; k < e->count; k++) {
    const double *r = row_of(e, e->row[k]);
    const int column = e->column[k];
    const double l = a[column] / r[column];

    if (fabs(l) > ROUNDING) {
      for (int j = 0; j < e->n; j++) a[j] -= l * r[j];
      multipliers_of(e, i)[k] = l;
    }
    a[column] = 0;
  }
  e->done[i] = e->count;
}


// the largest entry of row i outside or inside the driven columns; -1 when all are zero
static int largest_column(const elimination *e, int i, bool driven)
{
  int best = -1;
  double most = 0;
  for (int j = 0; j < e->n; j++) {
    if ((e->driven && e->driven[j]) != driven) continue;
    const double size = fabs(row_of(e, i)[j]);
    if (size > most) most = size, best = j;
  }
  return best;
}


// take row i as a pivot row when enough of it remains
static void try_row(elimination *e, int i, double enough)
{
  reduce_row(e, i);
  const int column = largest_column(e, i, false);
  if (column < 0 || e->count == e->limit) return;

  const double remains = fabs(row_of(e, i)[column]);
  if (!(remains > enough)) return;

  e->weakest = base_smaller(e->weakest, remains);
  e->row[e->count] = i;
  e->column[e->count] = column;
  e->count++;
  e->taken[i] = true;
}


static void eliminate(elimination *e)
{
  const double step = e->best_first ? 0.7 : e->tolerance / SOUND;
  for (double enough = e->best_first ? 0.99 : SOUND; enough > 0.9 * e->tolerance; enough *= step) {
    for (int i = 0; i < e->m; i++) {
      if (e->scale[i] > 0 && !e->taken[i]) try_row(e, i, fmax(enough, e->tolerance));
    }
  }
  for (int i = 0; i < e->m; i++) {
    if (e->scale[i] > 0 && !e->taken[i]) reduce_row(e, i);
  }
}


static loopRowKind kind_of(const elimination *e, int i)
{
  if (e->taken[i]) return LOOP_ROW_INDEPENDENT;
  const int column = largest_column(e, i, true);
  if (column < 0) return LOOP_ROW_REDUNDANT;
  return fabs(row_of(e, i)[column]) > e->tolerance ? LOOP_ROW_OVERDRIVEN : LOOP_ROW_REDUNDANT;
}


// row i = sum of c_k times pivot row k, all rows scaled:  c^T L_pivots = L_i
static const double *combine(elimination *e, int i)
{
  double *c = e->combination;
  memcpy(c, multipliers_of(e, i), (size_t) e->count * sizeof *c);

  for (int k = e->count - 1; k >= 0; k--) {
    if (c[k] == 0) continue;
    const double *l = multipliers_of(e, e->row[k]);
    for (int j = 0; j < k; j++) c[j] -= c[k] * l[j];
  }
  return c;
}


// the notable terms of row i, written when there is somewhere to write; returns how many
static int list_terms(elimination *e, int i, int *source, double *coefficient)
{
  const double *c = combine(e, i);
  int count = 0;
  for (int k = 0; k < e->count; k++) {
    if (fabs(c[k]) <= NOTABLE) continue;
    if (source) {
      source[count] = e->row[k];
      coefficient[count] = c[k] * e->scale[i] / e->scale[e->row[k]];
    }
    count++;
  }
  return count;
}


static bool take_results(loopRank *rank, int m)
{
  baseArena *memory = &rank->memory;
  rank->kind = arena_alloc(memory, (size_t) m + 1, sizeof *rank->kind);
  rank->independent = arena_alloc(memory, (size_t) m + 1, sizeof(int));
  rank->other = arena_alloc(memory, (size_t) m + 1, sizeof(int));
  rank->start = arena_alloc(memory, (size_t) m + 2, sizeof(int));
  return rank->kind && rank->independent && rank->other && rank->start;
}


static void sort_rows(loopRank *rank, const elimination *e)
{
  for (int i = 0; i < e->m; i++) {
    rank->kind[i] = kind_of(e, i);
    if (e->taken[i]) {
      rank->independent[rank->rank++] = i;
    } else {
      rank->other[rank->other_count++] = i;
    }
  }
}


static bool explain_rows(loopRank *rank, elimination *e)
{
  for (int k = 0; k < rank->other_count; k++) {
    rank->start[k + 1] = rank->start[k] + list_terms(e, rank->other[k], NULL, NULL);
  }

  const size_t terms = (size_t) rank->start[rank->other_count] + 1;
  rank->source = arena_alloc(&rank->memory, terms, sizeof(int));
  rank->coefficient = arena_alloc(&rank->memory, terms, sizeof(double));
  if (!rank->source || !rank->coefficient) return false;

  for (int k = 0; k < rank->other_count; k++) {
    const int first = rank->start[k];
    list_terms(e, rank->other[k], rank->source + first, rank->coefficient + first);
  }
  return true;
}


static artStatus find(loopRank *rank, elimination e, const double *J, artError *error)
{
  *rank = (loopRank){.m = e.m, .n = e.n};
  bool done = open_elimination(&e) && take_results(rank, e.m);
  if (done) {
    load_scaled(&e, J);
    eliminate(&e);
    sort_rows(rank, &e);
    rank->weakest = e.weakest;
    done = explain_rows(rank, &e);
  }

  close_elimination(&e);
  if (done) return ART_OK;
  rank_free(rank);
  return base_no_memory(error);
}


artStatus rank_find(loopRank *rank, int m, int n, const double *J, const bool *driven,
                    artError *error)
{
  const elimination e = {.m = m, .n = n, .driven = driven, .tolerance = LOOP_RANK_TOLERANCE};
  return find(rank, e, J, error);
}


artStatus rank_find_within(loopRank *rank, int m, int n, const double *J, const bool *driven,
                           double tolerance, artError *error)
{
  const elimination e = {
      .m = m, .n = n, .driven = driven, .tolerance = tolerance, .best_first = true};
  return find(rank, e, J, error);
}


void rank_free(loopRank *rank)
{
  arena_free(&rank->memory);
  *rank = (loopRank){0};
}
