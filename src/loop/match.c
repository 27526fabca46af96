// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Matching by the symbolic method with augmenting paths, and the block form by CXSparse.
#include "loop/match.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/cs.h>

#include "base/least_first.h"
#include "base/numbers.h"

// the rows of each column, ascending
static cs_di *by_columns(const matchPattern *p)
{
  cs_di *A = cs_di_spalloc(p->m, p->n, p->start[p->m] + 1, 0, 0);
  if (!A) return NULL;
  memset(A->p, 0, ((size_t) p->n + 1) * sizeof *A->p);
  for (int e = 0; e < p->start[p->m]; e++) A->p[p->column[e] + 1]++;
  for (int j = 0; j < p->n; j++) A->p[j + 1] += A->p[j];
  for (int i = 0; i < p->m; i++) {
    for (int e = p->start[i]; e < p->start[i + 1]; e++) A->i[A->p[p->column[e]]++] = i;
  }
  for (int j = p->n; j > 0; j--) A->p[j] = A->p[j - 1];
  A->p[0] = 0;
  return A;
}

//---- matching ------------------------------------------------------------------------------------

// a row on the way of a search, the entries it has tried, and the column that it hopes for
typedef struct pathStep {
  int row, next, column;
} pathStep;

typedef struct matching {
  const matchPattern *pattern;
  cs_di *rows;    // by columns
  int *column;    // m: the column of each row, or -1
  int *row;       // n: the row of each column, or -1
  int *visited;   // n: the last search that has met a column
  int search;     // searches so far
  int *mine;      // n: 1 + the last row of which a column was marked
  pathStep *path; // m + 1
  baseArena memory;
} matching;


static int height(const matching *g, int j)
{
  return g->rows->p[j + 1] - g->rows->p[j];
}


// S_ij: rows that touch column j and share another column with row i, whose columns are marked
static int connections(const matching *g, int i, int j)
{
  const matchPattern *p = g->pattern;
  int count = 0;
  for (int e = g->rows->p[j]; e < g->rows->p[j + 1]; e++) {
    const int k = g->rows->i[e];
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


// the column for row i by the symbolic method, -1 when all of its columns are given away
static int best_column(const matching *g, int i)
{
  const matchPattern *p = g->pattern;
  int least = -1, ties = 0;
  for (int e = p->start[i]; e < p->start[i + 1]; e++) {
    const int h = height(g, p->column[e]);
    g->mine[p->column[e]] = i + 1;
    if (!is_open(g, e) || (least >= 0 && h > least)) continue;
    ties = h == least ? ties + 1 : 1;
    least = h;
  }

  // connections are counted where they decide
  int best = -1, fewest = -1;
  for (int e = p->start[i]; e < p->start[i + 1]; e++) {
    const int j = p->column[e];
    if (!is_open(g, e) || height(g, j) != least) continue;
    const int mine = ties > 1 ? connections(g, i, j) : 0;
    if (best < 0 || mine < fewest) best = j, fewest = mine;
  }
  return best;
}


static void give(matching *g, int i, int j)
{
  g->column[i] = j;
  g->row[j] = i;
}


// find a column for row i by moving other rows to other columns of theirs
static bool augment(matching *g, int i)
{
  const matchPattern *p = g->pattern;
  int depth = 0;
  g->search++;
  g->path[0] = (pathStep){i, p->start[i], -1};
  while (depth >= 0) {
    pathStep *step = &g->path[depth];

    // the next column of the step that this search has not met
    step->column = -1;
    while (step->column < 0 && step->next < p->start[step->row + 1]) {
      const int e = step->next++, j = p->column[e];
      if (p->usable[e] && g->visited[j] != g->search) step->column = j;
    }
    if (step->column < 0) {
      depth--;
      continue;
    }
    g->visited[step->column] = g->search;
    const int other = g->row[step->column];
    if (other < 0) {
      for (; depth >= 0; depth--) give(g, g->path[depth].row, g->path[depth].column);
      return true;
    }
    g->path[++depth] = (pathStep){other, p->start[other], -1};
  }
  return false;
}


int match_columns(const matchPattern *p, int *column)
{
  matching g = {.pattern = p, .column = column};
  const size_t m = (size_t) p->m + 1, n = (size_t) p->n + 1;
  int count = -1;
  if ((g.rows = by_columns(p)) && (g.row = arena_alloc(&g.memory, n, sizeof *g.row)) &&
      (g.visited = arena_alloc(&g.memory, n, sizeof *g.visited)) &&
      (g.mine = arena_alloc(&g.memory, n, sizeof *g.mine)) &&
      (g.path = arena_alloc(&g.memory, m, sizeof *g.path))) {
    for (int j = 0; j < p->n; j++) g.row[j] = -1;
    for (int i = 0; i < p->m; i++) column[i] = -1;
    count = 0;
    for (int i = 0; i < p->m; i++) {
      const int j = best_column(&g, i);
      if (j >= 0) give(&g, i, j);
      count += j >= 0 || augment(&g, i);
    }
  }
  cs_di_spfree(g.rows);
  arena_free(&g.memory);
  return count;
}

//---- block form ----------------------------------------------------------------------------------

// Blocks as CXSparse has found them, in our order: of the blocks that wait for no other, always the one with the
// earliest row. Returns their number, -1 when memory ran out.
static int order_blocks(const matchPattern *p, const cs_di *rows, const cs_did *found, int *row,
                        int *column, int *start, baseArena *memory)
{
  const size_t n = (size_t) p->n, count = (size_t) found->nb;
  int *block_of_column = arena_alloc(memory, n, sizeof(int));
  int *block_of_row = arena_alloc(memory, n, sizeof(int));
  int *waits = arena_alloc(memory, count, sizeof(int)); // columns of others that are not placed yet
  leastFirst ready = {.item = arena_alloc(memory, count, sizeof(int))}; // first rows of blocks
  if (!block_of_column || !block_of_row || !waits || !ready.item) return -1;
  for (int k = 0; k < found->nb; k++) {
    const size_t size = (size_t) (found->r[k + 1] - found->r[k]);
    qsort(found->p + found->r[k], size, sizeof(int), base_order_ints);
    qsort(found->q + found->s[k], size, sizeof(int), base_order_ints);
    for (int c = found->s[k]; c < found->s[k + 1]; c++) block_of_column[found->q[c]] = k;
    for (int r = found->r[k]; r < found->r[k + 1]; r++) block_of_row[found->p[r]] = k;
  }
  for (int i = 0; i < p->n; i++) {
    const int k = block_of_row[i];
    for (int e = p->start[i]; e < p->start[i + 1]; e++) {
      waits[k] += block_of_column[p->column[e]] != k;
    }
  }
  for (int k = 0; k < found->nb; k++) {
    if (waits[k] == 0) least_put(&ready, found->p[found->r[k]]);
  }
  for (int b = 0; b < found->nb; b++) {
    const int k = block_of_row[least_take(&ready)], size = found->r[k + 1] - found->r[k];
    memcpy(row + start[b], found->p + found->r[k], (size_t) size * sizeof(int));
    memcpy(column + start[b], found->q + found->s[k], (size_t) size * sizeof(int));
    start[b + 1] = start[b] + size;

    // its columns are known to the rows of the others
    for (int c = found->s[k]; c < found->s[k + 1]; c++) {
      for (int e = rows->p[found->q[c]]; e < rows->p[found->q[c] + 1]; e++) {
        const int other = block_of_row[rows->i[e]];
        if (other != k && --waits[other] == 0) least_put(&ready, found->p[found->r[other]]);
      }
    }
  }
  return found->nb;
}


int match_blocks(const matchPattern *pattern, int *row, int *column, int *start)
{
  const int n = pattern->n;
  start[0] = 0;
  if (n == 0) return 0;
  baseArena memory = {0};
  cs_di *A = by_columns(pattern);
  cs_did *found = A ? cs_di_dmperm(A, 0) : NULL;
  int count = found ? 0 : -1;

  // the coarse form is one square part when every row and column is matched
  if (found && found->rr[1] == 0 && found->rr[2] == n && found->cc[2] == 0 && found->cc[3] == n) {
    count = order_blocks(pattern, A, found, row, column, start, &memory);
  }
  cs_di_spfree(A);
  cs_di_dfree(found);
  arena_free(&memory);
  return count;
}
