// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Structure of L in A = L D L^T (T. A. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006,
// chapter 4: elimination tree, row subtrees, supernodes).
#include "num/positive_analysis.h"

#include <suitesparse/amd.h>

#include "base/error.h"

// Columns are merged when at most this fraction of the block's entries are explicit zeros
// (measured: bench/positive; the minimum is flat).
#define MAX_ZEROS_PART 0.25

// work space for the analysis of a sparse pattern, rows and columns in pivot order
typedef struct tree {
  const numPattern *pattern;
  int *place;  // [n] position of each unknown in the pivot order
  int *start;  // [n + 1] rows of A ...
  int *column; // [start[n]] ... their columns left of the diagonal
  int *parent; // [n] row of the first entry of L below each pivot (elimination tree); -1: none
  int *count;  // [n] entries of L below each pivot
  int *mark;   // [n] last row that visited a column
  int *block;  // [n] block of each column
} tree;


//---- order and rows of A -------------------------------------------------------------------------

// row and column of an entry of A, in pivot order and below the diagonal
static void sort_entry(const int *place, int r, int c, int *row, int *column)
{
  ART_ASSERT(r >= c);
  const int i = place[r], j = place[c];
  *row = i > j ? i : j;
  *column = i > j ? j : i;
}


// the columns of each row; start[r] advances while row r - 1 is filled
static void list_rows(tree *t)
{
  const numPattern *A = t->pattern;
  int row, column;
  for (int c = 0; c < A->n; c++) {
    for (int p = A->start[c] + 1; p < A->start[c + 1]; p++) {
      sort_entry(t->place, A->row[p], c, &row, &column);
      if (row + 2 <= A->n) t->start[row + 2]++;
    }
  }
  for (int r = 2; r <= A->n; r++) t->start[r] += t->start[r - 1];
  for (int c = 0; c < A->n; c++) {
    for (int p = A->start[c] + 1; p < A->start[c + 1]; p++) {
      sort_entry(t->place, A->row[p], c, &row, &column);
      t->column[t->start[row + 1]++] = column;
    }
  }
}


static int tree_start(tree *t, const positiveAnalysis *a, const numPattern *pattern,
                      baseArena *arena)
{
  const size_t n = (size_t) a->n, size = sizeof(int);
  *t = (tree){
      .pattern = pattern,
      .place = arena_alloc(arena, n, size),
      .start = arena_alloc(arena, n + 1, size),
      .column = arena_alloc(arena, (size_t) pattern->start[n], size),
      .parent = arena_alloc(arena, n, size),
      .count = arena_alloc(arena, n, size),
      .mark = arena_alloc(arena, n, size),
      .block = arena_alloc(arena, n, size),
  };
  return t->place && t->start && t->column && t->parent && t->count && t->mark && t->block;
}


//---- rows of L -----------------------------------------------------------------------------------

// entries of each row of L: from each entry of A up the elimination tree
static void count_entries(tree *t)
{
  for (int r = 0; r < t->pattern->n; r++) {
    t->parent[r] = -1;
    t->mark[r] = r;
    for (int p = t->start[r]; p < t->start[r + 1]; p++) {
      for (int k = t->column[p]; t->mark[k] != r; k = t->parent[k]) {
        if (t->parent[k] < 0) t->parent[k] = r;
        t->count[k]++;
        t->mark[k] = r;
      }
    }
  }
}


static long trapezoid_entries(long width, long height)
{
  return width * height - width * (width - 1) / 2;
}


// merge consecutive columns of the tree as long as their rows are nearly the same
static void choose_blocks(positiveAnalysis *a, tree *t)
{
  long own = 0; // entries of L in the current block
  a->nblocks = 0;
  for (int c = 0; c < a->n; c++) {
    positiveBlock *b = a->nblocks > 0 ? &a->block[a->nblocks - 1] : NULL;
    const int height = t->count[c] + 1, grown = b ? b->width + height : 0;
    const long entries = b ? trapezoid_entries(b->width + 1, grown) : 0;
    const long zeros = entries - own - height;
    if (b && t->parent[c - 1] == c && (double) zeros <= MAX_ZEROS_PART * (double) entries) {
      b->width++;
      b->height = grown;
      own += height;
    } else {
      a->block[a->nblocks++] = (positiveBlock){.column = c, .width = 1, .height = height};
      own = height;
    }
    t->block[c] = a->nblocks - 1;
  }
}


// allocate the rows of every block, starting with its own columns; 0 when memory ran out
static int start_rows(positiveAnalysis *a, baseArena *arena)
{
  a->entries = 0;
  a->widest = a->tallest = 0;
  for (int k = 0; k < a->nblocks; k++) {
    positiveBlock *b = &a->block[k];
    b->row = arena_alloc(arena, (size_t) b->height, sizeof *b->row);
    if (!b->row) return 0;
    for (int i = 0; i < b->width; i++) b->row[i] = b->column + i;
    b->entry = a->entries;
    a->entries += (long) b->width * b->height;
    if (b->width > a->widest) a->widest = b->width;
    if (b->height > a->tallest) a->tallest = b->height;
  }
  return 1;
}


// rows below a block: rows of its last column, which contain the rows of all its columns
static void list_block_rows(positiveAnalysis *a, tree *t)
{
  for (int k = 0; k < a->nblocks; k++) a->block[k].height = a->block[k].width;
  for (int r = 0; r < a->n; r++) {
    t->mark[r] = r;
    for (int p = t->start[r]; p < t->start[r + 1]; p++) {
      for (int k = t->column[p]; t->mark[k] != r; k = t->parent[k]) {
        positiveBlock *b = &a->block[t->block[k]];
        if (k == b->column + b->width - 1) b->row[b->height++] = r;
        t->mark[k] = r;
      }
    }
  }
}


// index of row r in the block
static int find_block_row(const positiveBlock *b, int r)
{
  ART_ASSERT(r >= b->column);
  if (r < b->column + b->width) return r - b->column;
  int low = b->width, high = b->height;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    *(b->row[middle] <= r ? &low : &high) = middle;
  }
  ART_ASSERT(b->row[low] == r);
  return low;
}


//---- updates -------------------------------------------------------------------------------------

// end of the rows that belong to the same later block as row `from`
static int end_of_part(const tree *t, const positiveBlock *b, int from)
{
  ART_ASSERT(from >= b->width && from < b->height);
  int to = from + 1;
  while (to < b->height && t->block[b->row[to]] == t->block[b->row[from]]) to++;
  return to;
}


static int add_update(positiveAnalysis *a, positiveBlock *later, positiveUpdate update,
                      baseArena *arena)
{
  const positiveBlock *b = &a->block[update.source];
  ART_ASSERT(update.from < update.to && update.to <= b->height);
  const int rows = b->height - update.from;
  update.at = arena_alloc(arena, (size_t) rows, sizeof *update.at);
  if (!update.at) return 0;
  for (int i = 0; i < rows; i++) update.at[i] = find_block_row(later, b->row[update.from + i]);
  later->updates[later->nupdates++] = update;
  return 1;
}


// list the updates of each block in the order of their sources; 0 when memory ran out
static int list_updates(positiveAnalysis *a, const tree *t, baseArena *arena)
{
  for (int k = 0; k < a->nblocks; k++) {
    const positiveBlock *b = &a->block[k];
    for (int from = b->width; from < b->height; from = end_of_part(t, b, from)) {
      a->block[t->block[b->row[from]]].nupdates++;
    }
  }

  for (int k = 0; k < a->nblocks; k++) {
    positiveBlock *b = &a->block[k];
    b->updates = arena_alloc(arena, (size_t) b->nupdates, sizeof *b->updates);
    if (!b->updates) return 0;
    b->nupdates = 0;
  }
  for (int k = 0; k < a->nblocks; k++) {
    const positiveBlock *b = &a->block[k];
    for (int from = b->width, to; from < b->height; from = to) {
      to = end_of_part(t, b, from);
      positiveBlock *later = &a->block[t->block[b->row[from]]];
      if (!add_update(a, later, (positiveUpdate){.source = k, .from = from, .to = to}, arena)) {
        return 0;
      }
    }
  }
  return 1;
}


static void place_values(positiveAnalysis *a, const tree *t)
{
  const numPattern *A = t->pattern;
  for (int c = 0; c < A->n; c++) {
    for (int p = A->start[c]; p < A->start[c + 1]; p++) {
      int row, column;
      sort_entry(t->place, A->row[p], c, &row, &column);
      const positiveBlock *b = &a->block[t->block[column]];
      a->where[p] = b->entry + (long) (column - b->column) * b->height + find_block_row(b, row);
    }
  }
}


//---- both kinds ----------------------------------------------------------------------------------

static int start_positive_analysis(positiveAnalysis *a, const numPattern *pattern, int nblocks,
                                   baseArena *arena)
{
  const size_t n = (size_t) pattern->n, nonzeros = (size_t) pattern->start[n];
  *a = (positiveAnalysis){.n = pattern->n};
  a->order = arena_alloc(arena, n, sizeof *a->order);
  a->block = arena_alloc(arena, (size_t) nblocks, sizeof *a->block);
  a->where = arena_alloc(arena, nonzeros, sizeof *a->where);
  return a->order && a->block && a->where;
}


static int analyse_elimination_tree(positiveAnalysis *a, tree *t, baseArena *arena)
{
  for (int k = 0; k < a->n; k++) t->place[a->order[k]] = k;
  list_rows(t);
  count_entries(t);
  choose_blocks(a, t);
  if (!start_rows(a, arena)) return 0;
  list_block_rows(a, t);
  if (!list_updates(a, t, arena)) return 0;
  place_values(a, t);
  return 1;
}


// Fill-reducing order by AMD, from the same lists that amd_order builds, in memory from our
// allocator.
static int find_order(const numPattern *A, int *order, baseArena *scratch)
{
  const int n = A->n, entries = 2 * (A->start[n] - n), room = entries + entries / 5 + n;
  int *start, *next, *length, *list, *work;
  if (!ARENA_TAKE(scratch, start, n + 1) || !ARENA_TAKE(scratch, next, n + 1) ||
      !ARENA_TAKE(scratch, length, n + 1) || !ARENA_TAKE(scratch, list, room + 1) ||
      !ARENA_TAKE(scratch, work, 6 * n + 1)) {
    return 0;
  }

  // neighbours of each unknown; skips the diagonal, which is first in its column
  for (int c = 0; c < n; c++) {
    for (int p = A->start[c] + 1; p < A->start[c + 1]; p++) length[c]++, length[A->row[p]]++;
  }
  for (int c = 0; c < n; c++) next[c] = start[c] = c > 0 ? start[c - 1] + length[c - 1] : 0;
  for (int c = 0; c < n; c++) {
    for (int p = A->start[c] + 1; p < A->start[c + 1]; p++) {
      list[next[A->row[p]]++] = c;
      list[next[c]++] = A->row[p];
    }
  }
  amd_2(n, start, list, length, room, entries, work, work + n, order, work + 2 * n, work + 3 * n,
        work + 4 * n, work + 5 * n, NULL, NULL);
  return 1;
}


artStatus positive_analyse_sparse(positiveAnalysis *a, const numPattern *pattern, baseArena *arena,
                                  artError *error)
{
  baseArena scratch = {0};
  tree t;
  const int good = start_positive_analysis(a, pattern, pattern->n, arena) &&
                   tree_start(&t, a, pattern, &scratch) &&
                   (a->n == 0 || find_order(pattern, a->order, &scratch)) &&
                   analyse_elimination_tree(a, &t, arena);
  arena_free(&scratch);
  return good ? ART_OK : base_no_memory(error);
}


artStatus positive_analyse_dense(positiveAnalysis *a, const numPattern *pattern, baseArena *arena,
                                 artError *error)
{
  const int n = pattern->n;
  if (!start_positive_analysis(a, pattern, 1, arena)) return base_no_memory(error);
  a->nblocks = n > 0;
  a->block[0] = (positiveBlock){.width = n, .height = n};
  if (!start_rows(a, arena)) return base_no_memory(error);
  for (int c = 0; c < n; c++) {
    a->order[c] = c;
    for (int p = pattern->start[c]; p < pattern->start[c + 1]; p++) {
      a->where[p] = (long) c * n + pattern->row[p];
    }
  }
  return ART_OK;
}
