// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Matching by the symbolic method with augmenting paths, and the block form by CXSparse.
#include "loop/match.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/cs.h>

#include "base/memory.h"

//---- matching ------------------------------------------------------------------------------------

typedef struct matching {
  const matchPattern *pattern;
  int *column;   // m: the column of each row, or -1
  int *row;      // n: the row of each column, or -1
  int *height;   // n: entries in each column
  bool *visited; // n: columns met by the present search
} matching;


static bool has(const matchPattern *p, int i, int j)
{
  return p->entry[(size_t) i * (size_t) p->n + (size_t) j];
}


static bool usable(const matchPattern *p, int i, int j)
{
  return p->usable[(size_t) i * (size_t) p->n + (size_t) j];
}


// whether rows i and k have an entry in a column other than j
static bool share_beside(const matchPattern *p, int i, int k, int j)
{
  for (int l = 0; l < p->n; l++) {
    if (l != j && has(p, i, l) && has(p, k, l)) return true;
  }
  return false;
}


// S_ij: rows that touch column j and share another column with row i
static int connections(const matchPattern *p, int i, int j)
{
  int count = 0;
  for (int k = 0; k < p->m; k++) count += k != i && has(p, k, j) && share_beside(p, i, k, j);
  return count;
}


// the column for row i by the symbolic method, -1 when all of its columns are given away
static int best_column(const matching *g, int i)
{
  const matchPattern *p = g->pattern;
  int best = -1, best_connections = -1; // -1: not counted yet
  for (int j = 0; j < p->n; j++) {
    if (!usable(p, i, j) || g->row[j] >= 0) continue;
    if (best >= 0 && g->height[j] > g->height[best]) continue;

    int mine = -1;
    if (best >= 0 && g->height[j] == g->height[best]) {
      if (best_connections < 0) best_connections = connections(p, i, best);
      mine = connections(p, i, j);
      if (mine >= best_connections) continue;
    }
    best = j, best_connections = mine;
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
  for (int j = 0; j < p->n; j++) {
    if (!usable(p, i, j) || g->visited[j]) continue;
    g->visited[j] = true;
    if (g->row[j] >= 0 && !augment(g, g->row[j])) continue;
    give(g, i, j);
    return true;
  }
  return false;
}


static bool match_row(matching *g, int i)
{
  const int j = best_column(g, i);
  if (j >= 0) {
    give(g, i, j);
    return true;
  }
  memset(g->visited, 0, (size_t) g->pattern->n * sizeof *g->visited);
  return augment(g, i);
}


static bool open_matching(matching *g)
{
  const matchPattern *p = g->pattern;
  g->row = MEM_ARRAY(int, p->n + 1);
  g->height = MEM_ARRAY(int, p->n + 1);
  g->visited = MEM_ARRAY(bool, p->n + 1);
  if (!g->row || !g->height || !g->visited) return false;

  for (int j = 0; j < p->n; j++) {
    g->row[j] = -1;
    for (int i = 0; i < p->m; i++) g->height[j] += has(p, i, j);
  }
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
  mem_free(g.row);
  mem_free(g.height);
  mem_free(g.visited);
  return count;
}

//---- block form ----------------------------------------------------------------------------------

// blocks as they come from CXSparse, and what is needed to put them in our order
typedef struct ordering {
  int n;
  const bool *entry;
  const cs_did *found;
  int *block_of;  // n: the block of each column
  int *waits;     // per block: other blocks' columns in its rows that are not placed yet
  int *first_row; // per block; -1 once placed
} ordering;


static cs_di *compressed(int n, const bool *entry)
{
  int count = 0;
  for (int k = 0; k < n * n; k++) count += entry[k];

  cs_di *A = cs_di_spalloc(n, n, count, 0, 0);
  if (!A) return NULL;
  int filled = 0;
  for (int j = 0; j < n; j++) {
    A->p[j] = filled;
    for (int i = 0; i < n; i++) {
      if (entry[(size_t) i * (size_t) n + (size_t) j]) A->i[filled++] = i;
    }
  }
  A->p[n] = filled;
  return A;
}


static int by_number(const void *a, const void *b)
{
  const int x = *(const int *) a, y = *(const int *) b;
  return (x > y) - (x < y);
}


static int size_of(const cs_did *found, int k)
{
  return found->r[k + 1] - found->r[k];
}


static bool survey(ordering *o)
{
  const cs_did *found = o->found;
  o->block_of = MEM_ARRAY(int, o->n);
  o->waits = MEM_ARRAY(int, found->nb);
  o->first_row = MEM_ARRAY(int, found->nb);
  if (!o->block_of || !o->waits || !o->first_row) return false;

  for (int k = 0; k < found->nb; k++) {
    qsort(found->p + found->r[k], (size_t) size_of(found, k), sizeof(int), by_number);
    qsort(found->q + found->s[k], (size_t) size_of(found, k), sizeof(int), by_number);
    for (int p = found->s[k]; p < found->s[k + 1]; p++) o->block_of[found->q[p]] = k;
    o->first_row[k] = found->p[found->r[k]];
  }
  return true;
}


static void count_waits(ordering *o)
{
  const cs_did *found = o->found;
  for (int k = 0; k < found->nb; k++) {
    for (int p = found->r[k]; p < found->r[k + 1]; p++) {
      const bool *row = o->entry + (size_t) found->p[p] * (size_t) o->n;
      for (int j = 0; j < o->n; j++) o->waits[k] += row[j] && o->block_of[j] != k;
    }
  }
}


// of the blocks that wait for nothing, the one with the earliest row
static int next_block(const ordering *o)
{
  int best = -1;
  for (int k = 0; k < o->found->nb; k++) {
    if (o->first_row[k] < 0 || o->waits[k] > 0) continue;
    if (best < 0 || o->first_row[k] < o->first_row[best]) best = k;
  }
  return best;
}


// block k is solved: its columns are known to the rows of the others
static void place(ordering *o, int k)
{
  const cs_did *found = o->found;
  o->first_row[k] = -1;
  for (int b = 0; b < found->nb; b++) {
    if (o->first_row[b] < 0) continue;
    for (int p = found->r[b]; p < found->r[b + 1]; p++) {
      const bool *row = o->entry + (size_t) found->p[p] * (size_t) o->n;
      for (int c = found->s[k]; c < found->s[k + 1]; c++) o->waits[b] -= row[found->q[c]];
    }
  }
}


static int write_blocks(ordering *o, int *row, int *column, int *start)
{
  const cs_did *found = o->found;
  start[0] = 0;
  for (int b = 0; b < found->nb; b++) {
    const int k = next_block(o), size = size_of(found, k);
    memcpy(row + start[b], found->p + found->r[k], (size_t) size * sizeof(int));
    memcpy(column + start[b], found->q + found->s[k], (size_t) size * sizeof(int));
    start[b + 1] = start[b] + size;
    place(o, k);
  }
  return found->nb;
}


static int order_blocks(int n, const bool *entry, const cs_did *found, int *row, int *column,
                        int *start)
{
  // the coarse form is one square part when every row and column is matched
  if (found->rr[1] != 0 || found->rr[2] != n || found->cc[2] != 0 || found->cc[3] != n) return 0;

  ordering o = {.n = n, .entry = entry, .found = found};
  int count = -1;
  if (survey(&o)) {
    count_waits(&o);
    count = write_blocks(&o, row, column, start);
  }
  mem_free(o.block_of);
  mem_free(o.waits);
  mem_free(o.first_row);
  return count;
}


int match_blocks(int n, const bool *entry, int *row, int *column, int *start)
{
  start[0] = 0;
  if (n == 0) return 0;

  cs_di *A = compressed(n, entry);
  cs_did *found = A ? cs_di_dmperm(A, 0) : NULL;
  const int count = found ? order_blocks(n, entry, found, row, column, start) : -1;
  cs_di_spfree(A);
  cs_di_dfree(found);
  return count;
}
