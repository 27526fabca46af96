// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Matching by the symbolic method with augmenting paths; block form by strongly connected
// components.
#include "loop/match.h"

#include <string.h>

#include "base/error.h"
#include "base/least_first.h"

// the rows of each column, ascending
typedef struct patternColumns {
  int *start, *row;
} patternColumns;


static bool by_columns(const matchPattern *p, patternColumns *c, baseArena *memory)
{
  if (!ARENA_TAKE(memory, c->start, p->n + 2) ||
      !ARENA_TAKE(memory, c->row, (size_t) p->start[p->m] + 1))
    return false;
  for (int e = 0; e < p->start[p->m]; e++) c->start[p->column[e] + 2]++;
  for (int j = 0; j < p->n; j++) c->start[j + 2] += c->start[j + 1];
  for (int i = 0; i < p->m; i++) {
    for (int e = p->start[i]; e < p->start[i + 1]; e++) c->row[c->start[p->column[e] + 1]++] = i;
  }
  return true;
}

//---- matching ------------------------------------------------------------------------------------

// a row on the augmenting path, its next entry to try, and the column it would take
typedef struct pathStep {
  int row, next, column;
} pathStep;

typedef struct matching {
  const matchPattern *pattern;
  patternColumns rows;
  int *column;    // m: the column of each row, or -1
  int *row;       // n: the row of each column, or -1
  int *visited;   // n: number of the last search that visited a column
  int search;     // number of searches so far
  int *mine;      // n: 1 + the last row whose columns were marked
  pathStep *path; // m + 1
  baseArena memory;
} matching;


static int column_height(const matching *g, int j)
{
  return g->rows.start[j + 1] - g->rows.start[j];
}


// S_ij: number of rows that touch column j and share another column with row i, whose columns are
// marked
static int count_connections(const matching *g, int i, int j)
{
  const matchPattern *p = g->pattern;
  int count = 0;
  for (int e = g->rows.start[j]; e < g->rows.start[j + 1]; e++) {
    const int k = g->rows.row[e];
    bool shares = false;
    for (int f = p->start[k]; f < p->start[k + 1] && k != i && !shares; f++) {
      shares = p->column[f] != j && g->mine[p->column[f]] == i + 1;
    }
    count += shares;
  }
  return count;
}


static bool is_open(const matching *g, int e)
{
  return g->pattern->usable[e] && g->row[g->pattern->column[e]] < 0;
}


// the column for row i by the symbolic method, -1 when all of its columns are taken
static int best_column(const matching *g, int i)
{
  const matchPattern *p = g->pattern;
  int least = -1, ties = 0;
  for (int e = p->start[i]; e < p->start[i + 1]; e++) {
    const int h = column_height(g, p->column[e]);
    g->mine[p->column[e]] = i + 1;
    if (!is_open(g, e) || (least >= 0 && h > least)) continue;
    ties = h == least ? ties + 1 : 1;
    least = h;
  }

  // count connections only to break ties
  int best = -1, fewest = -1;
  for (int e = p->start[i]; e < p->start[i + 1]; e++) {
    const int j = p->column[e];
    if (!is_open(g, e) || column_height(g, j) != least) continue;
    const int mine = ties > 1 ? count_connections(g, i, j) : 0;
    if (best < 0 || mine < fewest) best = j, fewest = mine;
  }
  return best;
}


static void match_row_to_column(matching *g, int i, int j)
{
  g->column[i] = j;
  g->row[j] = i;
}


// find a column for row i by moving other rows to other columns (augmenting path)
static bool augment_matching(matching *g, int i)
{
  const matchPattern *p = g->pattern;
  int depth = 0;
  g->search++;
  g->path[0] = (pathStep){i, p->start[i], -1};
  while (depth >= 0) {
    pathStep *step = &g->path[depth];

    // the next column of this row not visited by this search
    step->column = -1;
    while (step->column < 0 && step->next < p->start[step->row + 1]) {
      const int e = step->next++, j = p->column[e];
      if ((!p->usable || p->usable[e]) && g->visited[j] != g->search) step->column = j;
    }
    if (step->column < 0) {
      depth--;
      continue;
    }
    g->visited[step->column] = g->search;
    const int other = g->row[step->column];
    if (other < 0) {
      for (; depth >= 0; depth--) match_row_to_column(g, g->path[depth].row, g->path[depth].column);
      return true;
    }
    g->path[++depth] = (pathStep){other, p->start[other], -1};
  }
  return false;
}


// returns false when memory ran out
static bool open_matching(matching *g)
{
  const matchPattern *p = g->pattern;
  const size_t m = (size_t) p->m + 1, n = (size_t) p->n + 1;
  const bool is_open = by_columns(p, &g->rows, &g->memory) && ARENA_TAKE(&g->memory, g->row, n) &&
                       ARENA_TAKE(&g->memory, g->visited, n) &&
                       ARENA_TAKE(&g->memory, g->mine, n) && ARENA_TAKE(&g->memory, g->path, m);
  for (int j = 0; j < p->n && is_open; j++) g->row[j] = -1;
  for (int i = 0; i < p->m && is_open; i++) g->column[i] = -1;
  return is_open;
}


int match_columns(const matchPattern *p, int *column)
{
  ART_ASSERT(p->usable);
  matching g = {.pattern = p, .column = column};
  int count = open_matching(&g) ? 0 : -1;
  for (int i = 0; i < p->m && count >= 0; i++) {
    const int j = best_column(&g, i);
    if (j >= 0) match_row_to_column(&g, i, j);
    count += j >= 0 || augment_matching(&g, i);
  }
  arena_free(&g.memory);
  return count;
}

//---- block form ----------------------------------------------------------------------------------

// blocks of a square pattern: block k has the rows and columns at start[k] <= p < start[k + 1],
// ascending
typedef struct patternBlocks {
  int count;
  int *block; // n: of each row
  int *start; // n + 1
  int *row, *column;
} patternBlocks;

// depth-first search for strongly connected components
typedef struct circling {
  int met;           // rows visited so far
  int *number, *low; // n: visit number of a row, from 1; smallest visit number reachable from it
  int waiting;
  int *wait; // n: stack of `waiting` rows not yet assigned to a block
} circling;


static void meet_cycle_row(circling *c, pathStep *step, const matchPattern *p, int row)
{
  ART_ASSERT(c->number[row] == 0); // visited for the first time
  c->number[row] = c->low[row] = ++c->met;
  c->wait[c->waiting++] = row;
  *step = (pathStep){row, p->start[row], -1};
}


// Strongly connected rows form one block (Tarjan 1972). Finds all blocks reachable from row i.
static void find_circles(const matching *g, circling *c, patternBlocks *b, int i)
{
  const matchPattern *p = g->pattern;
  int depth = 0;
  meet_cycle_row(c, &g->path[0], p, i);
  while (depth >= 0) {
    pathStep *step = &g->path[depth];
    const int row = step->row;
    if (step->next < p->start[row + 1]) {
      const int other = g->row[p->column[step->next++]];
      if (c->number[other] == 0) {
        meet_cycle_row(c, &g->path[++depth], p, other);
      } else if (b->block[other] < 0 && c->number[other] < c->low[row]) {
        c->low[row] = c->number[other];
      }
      continue;
    }
    if (c->low[row] == c->number[row]) {
      while (b->block[row] < 0) b->block[c->wait[--c->waiting]] = b->count;
      b->count++;
    }
    const int from = --depth >= 0 ? g->path[depth].row : row;
    if (c->low[row] < c->low[from]) c->low[from] = c->low[row];
  }
}


static void list_blocks(const matching *g, patternBlocks *b, int *next)
{
  const int n = g->pattern->n;
  for (int i = 0; i < n; i++) b->start[b->block[i] + 1]++;
  for (int k = 0; k < b->count; k++) b->start[k + 1] += b->start[k];
  memcpy(next, b->start, (size_t) n * sizeof *next);
  for (int i = 0; i < n; i++) b->row[next[b->block[i]]++] = i;
  memcpy(next, b->start, (size_t) n * sizeof *next);
  for (int j = 0; j < n; j++) b->column[next[b->block[g->row[j]]]++] = j;
}


// needs a perfect matching; returns false when memory ran out
static bool find_pattern_blocks(matching *g, patternBlocks *b)
{
  const int n = g->pattern->n;
  const size_t size = (size_t) n + 1;
  baseArena *a = &g->memory;
  circling c = {.met = 0};
  if (!ARENA_TAKE(a, c.number, size) || !ARENA_TAKE(a, c.low, size) ||
      !ARENA_TAKE(a, c.wait, size) || !ARENA_TAKE(a, b->block, size) ||
      !ARENA_TAKE(a, b->start, size) || !ARENA_TAKE(a, b->row, size) ||
      !ARENA_TAKE(a, b->column, size)) {
    return false;
  }
  for (int i = 0; i < n; i++) b->block[i] = -1;
  for (int i = 0; i < n; i++) {
    if (c.number[i] == 0) find_circles(g, &c, b, i);
  }
  list_blocks(g, b, c.wait);
  return true;
}


// Topological order of the blocks; of all blocks that are ready, take the one with the earliest
// row. Returns false when memory ran out.
static bool order_blocks(matching *g, const patternBlocks *b, int *row, int *column, int *start)
{
  const matchPattern *p = g->pattern;
  const size_t count = (size_t) b->count + 1;
  int *waits =
      arena_alloc(&g->memory, count, sizeof(int)); // columns of other blocks not yet placed
  // first rows of ready blocks
  leastFirst ready = {.item = arena_alloc(&g->memory, count, sizeof(int))};
  if (!waits || !ready.item) return false;
  for (int i = 0; i < p->n; i++) {
    const int k = b->block[i];
    for (int e = p->start[i]; e < p->start[i + 1]; e++) {
      waits[k] += b->block[g->row[p->column[e]]] != k;
    }
  }
  for (int k = 0; k < b->count; k++) {
    if (waits[k] == 0) least_put(&ready, b->row[b->start[k]]);
  }
  for (int i = 0; i < b->count; i++) {
    const int k = b->block[least_take(&ready)], size = b->start[k + 1] - b->start[k];
    memcpy(row + start[i], b->row + b->start[k], (size_t) size * sizeof(int));
    memcpy(column + start[i], b->column + b->start[k], (size_t) size * sizeof(int));
    start[i + 1] = start[i] + size;

    // its columns are now known to the rows of other blocks
    for (int c = b->start[k]; c < b->start[k + 1]; c++) {
      for (int e = g->rows.start[b->column[c]]; e < g->rows.start[b->column[c] + 1]; e++) {
        const int other = b->block[g->rows.row[e]];
        if (other != k && --waits[other] == 0) least_put(&ready, b->row[b->start[other]]);
      }
    }
  }
  return true;
}


// match row i with a free column, else by an augmenting path; false when impossible
static bool match_row(matching *g, int i)
{
  const matchPattern *p = g->pattern;
  for (int e = p->start[i]; e < p->start[i + 1]; e++) {
    if (g->row[p->column[e]] >= 0) continue;
    match_row_to_column(g, i, p->column[e]);
    return true;
  }
  return augment_matching(g, i);
}


int match_blocks(const matchPattern *pattern, int *row, int *column, int *start)
{
  ART_ASSERT(pattern->m == pattern->n);
  const int n = pattern->n;
  start[0] = 0;
  if (n == 0) return 0;
  const matchPattern all = {n, n, pattern->start, pattern->column, NULL};
  matching g = {.pattern = &all};
  patternBlocks b = {.count = 0};
  bool is_matched = true;
  bool ok = ARENA_TAKE(&g.memory, g.column, n) && open_matching(&g);
  for (int i = 0; i < n && ok && is_matched; i++) is_matched = match_row(&g, i);
  if (is_matched)
    ok = ok && find_pattern_blocks(&g, &b) && order_blocks(&g, &b, row, column, start);
  arena_free(&g.memory);
  return ok ? b.count : -1;
}
