// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Matching by the symbolic method with augmenting paths, and the block form by CXSparse.
#include "loop/match.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/cs.h>

#include "base/least_first.h"
#include "base/memory.h"
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
} matching;


static int height(const matching *g, int j)
{
  return g->rows->p[j + 1] - g->rows->p[j];
}


// whether a row has a marked entry in a column other than j
static bool share_beside(const matching *g, int mark, int row, int j)
{
  const matchPattern *p = g->pattern;
  for (int e = p->start[row]; e < p->start[row + 1]; e++) {
    if (p->column[e] != j && g->mine[p->column[e]] == mark) return true;
  }
  return false;
}


// S_ij: rows that touch column j and share another column with row i, whose columns are marked
static int connections(const matching *g, int i, int j)
{
  int count = 0;
  for (int e = g->rows->p[j]; e < g->rows->p[j + 1]; e++) {
    const int k = g->rows->i[e];
    count += k != i && share_beside(g, i + 1, k, j);
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


// the next column of a step that this search has not met; -1: there is none
static int next_column(matching *g, pathStep *step)
{
  const matchPattern *p = g->pattern;
  while (step->next < p->start[step->row + 1]) {
    const int e = step->next++, j = p->column[e];
    if (!p->usable[e] || g->visited[j] == g->search) continue;
    g->visited[j] = g->search;
    return j;
  }
  return -1;
}


// find a column for row i by moving other rows to other columns of theirs
static bool augment(matching *g, int i)
{
  int depth = 0;
  g->search++;
  g->path[0] = (pathStep){i, g->pattern->start[i], -1};
  while (depth >= 0) {
    pathStep *step = &g->path[depth];
    step->column = next_column(g, step);
    if (step->column < 0) {
      depth--;
    } else if (g->row[step->column] < 0) {
      for (; depth >= 0; depth--) give(g, g->path[depth].row, g->path[depth].column);
      return true;
    } else {
      const int other = g->row[step->column];
      g->path[++depth] = (pathStep){other, g->pattern->start[other], -1};
    }
  }
  return false;
}


static bool match_row(matching *g, int i)
{
  const int j = best_column(g, i);
  if (j < 0) return augment(g, i);
  give(g, i, j);
  return true;
}


static bool open_matching(matching *g)
{
  const matchPattern *p = g->pattern;
  g->rows = by_columns(p);
  g->row = MEM_ARRAY(int, p->n + 1);
  g->visited = MEM_ARRAY(int, p->n + 1);
  g->mine = MEM_ARRAY(int, p->n + 1);
  g->path = MEM_ARRAY(pathStep, p->m + 1);
  if (!g->rows || !g->row || !g->visited || !g->mine || !g->path) return false;
  for (int j = 0; j < p->n; j++) g->row[j] = -1;
  for (int i = 0; i < p->m; i++) g->column[i] = -1;
  return true;
}


int match_columns(const matchPattern *pattern, int *column)
{
  matching g = {.pattern = pattern, .column = column};
  int count = -1;
  if (open_matching(&g)) {
    count = 0;
    for (int i = 0; i < pattern->m; i++) count += match_row(&g, i);
  }
  cs_di_spfree(g.rows);
  mem_free(g.row);
  mem_free(g.visited);
  mem_free(g.mine);
  mem_free(g.path);
  return count;
}

//---- block form ----------------------------------------------------------------------------------

// blocks as they come from CXSparse, and what is needed to put them in our order
typedef struct ordering {
  const matchPattern *pattern;
  const cs_di *rows; // by columns
  const cs_did *found;
  int *block_of_column; // n
  int *block_of_row;    // n
  int *waits;           // per block: other blocks' columns in its rows that are not placed yet
  leastFirst ready;     // first rows of the blocks that wait for nothing
} ordering;


static int size_of(const cs_did *found, int k)
{
  return found->r[k + 1] - found->r[k];
}


static bool survey(ordering *o)
{
  const cs_did *found = o->found;
  o->block_of_column = MEM_ARRAY(int, o->pattern->n);
  o->block_of_row = MEM_ARRAY(int, o->pattern->n);
  o->waits = MEM_ARRAY(int, found->nb);
  o->ready.item = MEM_ARRAY(int, found->nb);
  if (!o->block_of_column || !o->block_of_row || !o->waits || !o->ready.item) return false;

  for (int k = 0; k < found->nb; k++) {
    qsort(found->p + found->r[k], (size_t) size_of(found, k), sizeof(int), base_order_ints);
    qsort(found->q + found->s[k], (size_t) size_of(found, k), sizeof(int), base_order_ints);
    for (int p = found->s[k]; p < found->s[k + 1]; p++) o->block_of_column[found->q[p]] = k;
    for (int p = found->r[k]; p < found->r[k + 1]; p++) o->block_of_row[found->p[p]] = k;
  }
  return true;
}


static void put_ready(ordering *o, int k)
{
  if (o->waits[k] == 0) least_put(&o->ready, o->found->p[o->found->r[k]]);
}


static void count_waits(ordering *o)
{
  const matchPattern *p = o->pattern;
  for (int i = 0; i < p->n; i++) {
    const int k = o->block_of_row[i];
    for (int e = p->start[i]; e < p->start[i + 1]; e++) {
      o->waits[k] += o->block_of_column[p->column[e]] != k;
    }
  }
  for (int k = 0; k < o->found->nb; k++) put_ready(o, k);
}


// block k is solved: its columns are known to the rows of the others
static void place(ordering *o, int k)
{
  for (int c = o->found->s[k]; c < o->found->s[k + 1]; c++) {
    const int column = o->found->q[c];
    for (int e = o->rows->p[column]; e < o->rows->p[column + 1]; e++) {
      const int b = o->block_of_row[o->rows->i[e]];
      if (b == k) continue;
      o->waits[b]--;
      put_ready(o, b);
    }
  }
}


// of the blocks that wait for nothing, always the one with the earliest row
static int write_blocks(ordering *o, int *row, int *column, int *start)
{
  const cs_did *found = o->found;
  start[0] = 0;
  for (int b = 0; b < found->nb; b++) {
    const int k = o->block_of_row[least_take(&o->ready)], size = size_of(found, k);
    memcpy(row + start[b], found->p + found->r[k], (size_t) size * sizeof(int));
    memcpy(column + start[b], found->q + found->s[k], (size_t) size * sizeof(int));
    start[b + 1] = start[b] + size;
    place(o, k);
  }
  return found->nb;
}


static int order_blocks(const matchPattern *pattern, const cs_di *rows, const cs_did *found,
                        int *row, int *column, int *start)
{
  // the coarse form is one square part when every row and column is matched
  const int n = pattern->n;
  if (found->rr[1] != 0 || found->rr[2] != n || found->cc[2] != 0 || found->cc[3] != n) return 0;

  ordering o = {.pattern = pattern, .rows = rows, .found = found};
  int count = -1;
  if (survey(&o)) {
    count_waits(&o);
    count = write_blocks(&o, row, column, start);
  }
  mem_free(o.block_of_column);
  mem_free(o.block_of_row);
  mem_free(o.waits);
  mem_free(o.ready.item);
  return count;
}


int match_blocks(const matchPattern *pattern, int *row, int *column, int *start)
{
  start[0] = 0;
  if (pattern->n == 0) return 0;

  cs_di *A = by_columns(pattern);
  cs_did *found = A ? cs_di_dmperm(A, 0) : NULL;
  const int count = found ? order_blocks(pattern, A, found, row, column, start) : -1;
  cs_di_spfree(A);
  cs_di_dfree(found);
  return count;
}
