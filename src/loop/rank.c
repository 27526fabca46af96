// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rank by row elimination; the pivot of a row is its largest remaining entry.
#include "loop/rank.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/least_first.h"
#include "base/max_nan.h"

// smallest relative remainder of a row accepted in the first round; the second round uses the
// tolerance
static const double MIN_SOUND_REMAINDER = 1e-3;

// smaller multipliers are rounding errors; dropping them keeps a sparse matrix sparse
static const double MIN_MULTIPLIER = 1e-15;

// smallest coefficient of a combination to store, with rows scaled to 1
static const double MIN_COEFFICIENT = 1e-6;

typedef struct entry {
  int at;
  double value;
} entry;

typedef struct entries {
  int n, room;
  entry *entry;
} entries;

// A = L R, where R are the rows of A at the time when they became pivot rows
typedef struct elimination {
  int m, n;
  const bool *driven;
  double tolerance;
  bool best_first;
  double *scale;     // m: largest magnitude in each row; 0 for zero rows
  entries *A;        // m: scaled rows after elimination by the pivots so far, sorted by columns
  entries *L;        // m: multipliers, by ascending pivots
  int limit;         // upper bound of the number of pivots
  int *done;         // m: number of pivots by which a row has been eliminated
  int count;         // pivots so far
  int *row, *column; // limit: pivots
  double *pivot;     // limit
  int *pivot_of;     // n: the pivot in this column, or -1
  bool *taken;       // m: rows that contain a pivot
  double weakest;

  // dense work row, or coefficients of a combination of rows
  double *number; // max(n, limit)
  bool *listed;   // max(n, limit): is the index in `list`?
  int *list;      // max(n, limit): indices that may be nonzero
  int listed_count;
  leastFirst next; // limit: pivots still to apply
  entry *found;    // limit
  baseArena memory;
} elimination;


// one more of each than needed, so that an empty matrix is not a special case
static bool open_elimination(elimination *e, loopRank *rank)
{
  const int m = e->m, n = e->n, limit = m < n ? m : n;
  baseArena *a = &e->memory, *result = &rank->memory;
  const size_t rows = (size_t) m + 1, columns = (size_t) n + 1, pivots = (size_t) limit + 1;
  e->limit = limit;
  e->weakest = 1;
  const bool taken =
      ARENA_TAKE(a, e->scale, rows) && ARENA_TAKE(a, e->A, rows) && ARENA_TAKE(a, e->L, rows) &&
      ARENA_TAKE(a, e->done, rows) && ARENA_TAKE(a, e->taken, rows) &&
      ARENA_TAKE(a, e->row, pivots) && ARENA_TAKE(a, e->column, pivots) &&
      ARENA_TAKE(a, e->pivot, pivots) && ARENA_TAKE(a, e->pivot_of, columns) &&
      ARENA_TAKE(a, e->number, columns) && ARENA_TAKE(a, e->listed, columns) &&
      ARENA_TAKE(a, e->list, columns) && ARENA_TAKE(a, e->next.item, pivots) &&
      ARENA_TAKE(a, e->found, pivots) && ARENA_TAKE(result, rank->kind, rows) &&
      ARENA_TAKE(result, rank->independent, rows) && ARENA_TAKE(result, rank->other, rows) &&
      ARENA_TAKE(result, rank->start, rows + 1);
  for (int j = 0; j < n && taken; j++) e->pivot_of[j] = -1;
  return taken;
}


static bool load_scaled(elimination *e, const loopMatrix *J)
{
  entry *to = arena_alloc(&e->memory, (size_t) matrix_count(J) + 1, sizeof *to);
  if (!to) return false;
  const double zero = e->tolerance * max_magnitude(matrix_count(J), J->value);
  for (int i = 0; i < e->m; i++) {
    const int first = J->start[i], end = J->start[i + 1];
    const double largest = max_magnitude(end - first, J->value + first);
    if (!(largest > zero)) continue;

    e->scale[i] = largest;
    e->A[i].entry = to;
    for (int k = first; k < end; k++) {
      if (J->value[k] != 0) *to++ = (entry){J->column[k], J->value[k] / largest};
    }
    e->A[i].n = e->A[i].room = (int) (to - e->A[i].entry);
  }
  return true;
}


static void add_to_work_row(elimination *e, int at, double x)
{
  if (!e->listed[at]) {
    e->listed[at] = true;
    e->list[e->listed_count++] = at;
    e->number[at] = 0;
  }
  e->number[at] += x;
}


static void clear_list(elimination *e)
{
  for (int k = 0; k < e->listed_count; k++) e->listed[e->list[k]] = false;
  e->listed_count = 0;
}


// add x to a column of the work row; if the column has a pivot not applied yet, schedule it
static void add_column(elimination *e, int least, int column, double x)
{
  const bool is_new = !e->listed[column];
  add_to_work_row(e, column, x);
  if (is_new && e->pivot_of[column] >= least) least_put(&e->next, e->pivot_of[column]);
}


// Grow the list to `count` entries; capacity becomes twice that. False when memory ran out.
static bool make_entry_room(elimination *e, entries *x, int count)
{
  if (count <= x->room) return true;
  entry *all = arena_alloc(&e->memory, 2 * (size_t) count, sizeof *all);
  if (!all) return false;
  if (x->n > 0) memcpy(all, x->entry, (size_t) x->n * sizeof *all);
  x->entry = all;
  x->room = 2 * count;
  return true;
}


// Store the work row as row i, and append `count` multipliers to its list.
static bool keep_work_row(elimination *e, int i, int count)
{
  entries *A = &e->A[i], *L = &e->L[i];
  if (!make_entry_room(e, L, L->n + count) || !make_entry_room(e, A, e->listed_count)) return false;
  if (count > 0) memcpy(L->entry + L->n, e->found, (size_t) count * sizeof *L->entry);
  L->n += count;
  entry *to = A->entry;
  for (int k = 0; k < e->listed_count; k++) {
    const int column = e->list[k];
    if (e->number[column] != 0) *to++ = (entry){column, e->number[column]};
  }
  A->n = (int) (to - A->entry);
  return true;
}


// eliminate row i by the pivots not applied yet; false when memory ran out
static bool reduce_row(elimination *e, int i)
{
  ART_ASSERT(!e->taken[i]);
  const int least = e->done[i];
  int count = 0;
  e->done[i] = e->count;
  for (int k = 0; k < e->A[i].n; k++) {
    add_column(e, least, e->A[i].entry[k].at, e->A[i].entry[k].value);
  }
  while (e->next.count > 0) {
    const int k = least_take(&e->next), column = e->column[k];
    const entries *r = &e->A[e->row[k]];
    const double l = e->number[column] / e->pivot[k];
    if (fabs(l) > MIN_MULTIPLIER) {
      for (int j = 0; j < r->n; j++) add_column(e, least, r->entry[j].at, -l * r->entry[j].value);
      e->found[count++] = (entry){k, l};
    }
    e->number[column] = 0;
  }
  const bool is_kept = keep_work_row(e, i, count);
  clear_list(e);
  return is_kept;
}


// the largest entry of row i among driven or other columns, ties to the first; NULL: all are zero
static const entry *largest_of(const elimination *e, int i, bool driven)
{
  const entry *best = NULL;
  for (int k = 0; k < e->A[i].n; k++) {
    const entry *x = &e->A[i].entry[k];
    if ((e->driven && e->driven[x->at]) != driven) continue;
    const double more = best ? fabs(x->value) - fabs(best->value) : fabs(x->value);
    if (more > 0 || (best && more == 0 && x->at < best->at)) best = x;
  }
  return best;
}


// make row i a pivot row if enough of it remains; false when memory ran out
static bool try_row(elimination *e, int i, double enough)
{
  if (!reduce_row(e, i)) return false;
  const entry *largest = largest_of(e, i, false);
  if (!largest || e->count == e->limit) return true;

  const double remains = fabs(largest->value);
  if (!(remains > enough)) return true;

  e->weakest = min_nan(e->weakest, remains);
  e->row[e->count] = i;
  e->column[e->count] = largest->at;
  e->pivot[e->count] = largest->value;
  e->pivot_of[largest->at] = e->count;
  e->count++;
  e->taken[i] = true;
  return true;
}


static bool eliminate_rows(elimination *e)
{
  const double step = e->best_first ? 0.7 : e->tolerance / MIN_SOUND_REMAINDER;
  bool ok = true;
  for (double enough = e->best_first ? 0.99 : MIN_SOUND_REMAINDER; enough > 0.9 * e->tolerance;
       enough *= step) {
    for (int i = 0; i < e->m && ok; i++) {
      if (e->scale[i] > 0 && !e->taken[i]) ok = try_row(e, i, fmax(enough, e->tolerance));
    }
  }
  for (int i = 0; i < e->m && ok; i++) {
    if (e->scale[i] > 0 && !e->taken[i]) ok = reduce_row(e, i);
  }
  return ok;
}


// add x to the coefficient of pivot k in a combination; pivots are processed from last to first
static void add_multiplier(elimination *e, int k, double x)
{
  if (!e->listed[k]) least_put(&e->next, -k);
  add_to_work_row(e, k, x);
}


// Row i = sum of c_k * (pivot row k), all rows scaled:  c^T L_pivots = L_i.  Returns the number of
// c_k, stored in e->found with k descending.
static int combine_pivot_rows(elimination *e, int i)
{
  int count = 0;
  for (int k = 0; k < e->L[i].n; k++) {
    add_multiplier(e, e->L[i].entry[k].at, e->L[i].entry[k].value);
  }
  while (e->next.count > 0) {
    const int k = -least_take(&e->next);
    const double c = e->number[k];
    if (c == 0) continue;
    const entries *L = &e->L[e->row[k]];
    for (int j = 0; j < L->n; j++) add_multiplier(e, L->entry[j].at, -c * L->entry[j].value);
    e->found[count++] = (entry){k, c};
  }
  clear_list(e);
  return count;
}


// list the coefficients of row i above MIN_COEFFICIENT; source and coefficient may be NULL; returns
// the count
static int list_terms(elimination *e, int i, int *source, double *coefficient)
{
  int count = 0;
  for (int t = combine_pivot_rows(e, i) - 1; t >= 0; t--) {
    const entry *c = &e->found[t];
    if (fabs(c->value) <= MIN_COEFFICIENT) continue;
    if (source) {
      source[count] = e->row[c->at];
      coefficient[count] = c->value * e->scale[i] / e->scale[e->row[c->at]];
    }
    count++;
  }
  return count;
}


static void sort_rows(loopRank *rank, const elimination *e)
{
  for (int i = 0; i < e->m; i++) {
    if (e->taken[i]) {
      rank->kind[i] = LOOP_ROW_INDEPENDENT;
      rank->independent[rank->rank++] = i;
      continue;
    }
    const entry *driven = largest_of(e, i, true);
    const bool is_driven = driven && fabs(driven->value) > e->tolerance;
    rank->kind[i] = is_driven ? LOOP_ROW_OVERDRIVEN : LOOP_ROW_REDUNDANT;
    rank->other[rank->other_count++] = i;
  }
  ART_ASSERT(rank->rank == e->count && rank->rank + rank->other_count == e->m);
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


static artStatus find_row_rank(loopRank *rank, elimination e, const loopMatrix *J, memSource *keep,
                               artError *error)
{
  *rank = (loopRank){.m = J->m, .n = J->n, .memory = {.source = keep}};
  bool done = open_elimination(&e, rank) && load_scaled(&e, J) && eliminate_rows(&e);
  if (done) {
    sort_rows(rank, &e);
    rank->weakest = e.weakest;
    done = explain_rows(rank, &e);
  }

  arena_free(&e.memory);
  if (done) return ART_OK;
  rank_free(rank);
  return base_no_memory(error);
}


artStatus rank_find(loopRank *rank, const loopMatrix *J, const bool *driven, memSource *keep,
                    artError *error)
{
  const elimination e = {.m = J->m, .n = J->n, .driven = driven, .tolerance = LOOP_RANK_TOLERANCE};
  return find_row_rank(rank, e, J, keep, error);
}


artStatus rank_find_within(loopRank *rank, const loopMatrix *J, const bool *driven,
                           double tolerance, memSource *keep, artError *error)
{
  const elimination e = {
      .m = J->m, .n = J->n, .driven = driven, .tolerance = tolerance, .best_first = true};
  return find_row_rank(rank, e, J, keep, error);
}


void rank_free(loopRank *rank)
{
  arena_free(&rank->memory);
  *rank = (loopRank){0};
}
