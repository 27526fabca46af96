// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How dependent coordinates follow the free and driven ones:  v_v = B v_u,  a_v = B a_u + b,  where
// J_v B = -J_u  and  J_v b = gamma.
//
// B is found column by column, block after block. A block that stands apart, and whose rows see more
// coordinates than it has itself, need not have all of B: rows of B are  -T J_u,  T = J_v^-1,  where somebody asks for
// them, and one solution with  J_u v_u  gives all its velocities.
#include <string.h>

#include "gen/build.h"


int gen_dependent_entries(const genBuild *b, const genMatrix *A, int row, const genEntry **entry)
{
  ART_ASSERT(row >= 0 && row < A->n);
  genEntry *list = b->entry;
  int n = 0;
  for (int k = 0; k < A->count[row]; k++) {
    const genEntry e = {b->blocks.place[A->row[row][k].column], A->row[row][k].node};
    if (e.column < 0 || e.node == 0) continue;
    int at = n++;
    for (; at > 0 && list[at - 1].column > e.column; at--) list[at] = list[at - 1];
    list[at] = e;
  }
  *entry = list;
  return n;
}


void gen_solve_blocks(genBuild *b, int *x)
{
  exprPool *p = b->pool;
  const genBlocks *blocks = &b->blocks;
  expr_solving(p, 1);
  for (int k = 0; k < blocks->count; k++) {
    const int first = blocks->start[k], n = blocks->start[k + 1] - first;
    for (int i = first; i < first + n; i++) {
      const genEntry *e;
      const int count = gen_dependent_entries(b, &b->closing.J, blocks->row[i], &e);
      for (int c = 0; c < count && e[c].column < first; c++) {
        const int known = x[e[c].column];
        if (known != 0) x[i] = expr_sub(p, x[i], expr_mul(p, e[c].node, known));
      }
    }
    gen_solve(p, n, b->loops.LU[k], x + first);
  }
  expr_solving(p, 0);
}


void gen_solve_blocks_transposed(genBuild *b, int *x)
{
  exprPool *p = b->pool;
  const genBlocks *blocks = &b->blocks;
  expr_solving(p, 1);
  for (int k = blocks->count - 1; k >= 0; k--) {
    const int first = blocks->start[k], n = blocks->start[k + 1] - first;
    gen_solve_transposed(p, n, b->loops.LU[k], x + first);
    for (int i = first; i < first + n; i++) {
      const genEntry *e;
      const int count = gen_dependent_entries(b, &b->closing.J, blocks->row[i], &e);
      for (int c = 0; c < count && e[c].column < first; c++) {
        int *earlier = &x[e[c].column];
        *earlier = expr_sub(p, *earlier, expr_mul(p, e[c].node, x[i]));
      }
    }
  }
  expr_solving(p, 0);
}


static int leading_column_of(const genLoops *l, int u)
{
  ART_ASSERT(u >= 0 && u < l->nf + l->nc);
  return u < l->nf ? l->free[u] : l->driven[u - l->nf];
}


// rows of J_u, and B by columns
static void solve_columns(genBuild *b)
{
  genLoops *l = &b->loops;
  const int nd = l->nd, nu = l->nf + l->nc;
  int *x = gen_alloc(b, (size_t) nd, sizeof *x);
  for (int u = 0; u < nu; u++) {
    for (int i = 0; i < nd; i++) {
      l->K[i * nu + u] = gen_closing_entry(b, i, leading_column_of(l, u));
      x[i] = expr_neg(b->pool, l->K[i * nu + u]);
    }
    gen_solve_blocks(b, x);
    for (int i = 0; i < nd; i++) l->columns[i * nu + u] = x[i];
  }
}


// T = J_v^-1 of one block, row by row
static int *invert_block(genBuild *b, int k)
{
  ART_ASSERT(k >= 0 && k < b->blocks.count);
  exprPool *p = b->pool;
  const int n = b->blocks.start[k + 1] - b->blocks.start[k];
  int *T = gen_alloc(b, (size_t) (n * n), sizeof *T);
  expr_solving(p, 1);
  for (int i = 0; i < n; i++) {
    T[i * n + i] = expr_constant(p, 1);
    gen_solve_transposed(p, n, b->loops.LU[k], T + i * n);
  }
  expr_solving(p, 0);
  return T;
}


void gen_couple(genBuild *b)
{
  genLoops *l = &b->loops;
  const size_t nd = (size_t) l->nd, nu = (size_t) (l->nf + l->nc), count = (size_t) b->blocks.count;
  l->K = gen_alloc(b, nd * nu, sizeof *l->K);
  l->columns = gen_alloc(b, nd * nu, sizeof *l->columns);
  l->B = gen_alloc(b, nd * nu, sizeof *l->B);
  l->b = gen_alloc(b, nd, sizeof *l->b);
  l->way = gen_alloc(b, count, sizeof *l->way);
  l->T = gen_alloc(b, count, sizeof *l->T);
  solve_columns(b);
  memcpy(l->B, l->columns, nd * nu * sizeof *l->B);
  for (int i = 0; i < l->nd; i++) l->b[i] = b->closing.gamma[b->blocks.row[i]];
  gen_solve_blocks(b, l->b);
}

//---- ways ----------------------------------------------------------------------------------------

// ties of a block to others, by one row of a matrix of dependent coordinates
static void mark_tied(const genBuild *b, const genMatrix *A, int row, int k, const int *block,
                      char *is_tied)
{
  const genEntry *e;
  const int n = gen_dependent_entries(b, A, row, &e);
  for (int c = 0; c < n; c++) {
    if (block[e[c].column] == k) continue;
    is_tied[k] = is_tied[block[e[c].column]] = 1;
  }
}


// blocks whose coordinates rows or, once it is known, inertia tie to other blocks             [count]
static char *find_tied(genBuild *b, const genDynamics *d)
{
  const genBlocks *blocks = &b->blocks;
  char *is_tied = gen_alloc(b, (size_t) blocks->count, 1);
  int *block = gen_alloc(b, (size_t) b->loops.nd, sizeof *block);
  for (int k = 0; k < blocks->count; k++) {
    for (int i = blocks->start[k]; i < blocks->start[k + 1]; i++) block[i] = k;
  }
  for (int i = 0; i < b->loops.nd; i++) {
    mark_tied(b, &b->closing.J, blocks->row[i], block[i], block, is_tied);
    if (d) mark_tied(b, &d->M, b->loops.dependent[i], block[i], block, is_tied);
  }
  return is_tied;
}


// whether the rows of a block see at least as many coordinates as it has
static int sees_many(const genBuild *b, int k)
{
  ART_ASSERT(k >= 0 && k < b->blocks.count);
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc, n = b->blocks.start[k + 1] - b->blocks.start[k];
  int seen = 0;
  for (int u = 0; u < nu; u++) {
    int any = 0;
    for (int i = b->blocks.start[k]; i < b->blocks.start[k + 1]; i++) any |= l->K[i * nu + u] != 0;
    seen += any;
  }
  return seen >= n;
}


static void couple_row(genBuild *b, int k, int i, const int *T)
{
  ART_ASSERT(k >= 0 && k < b->blocks.count);
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc, first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
  for (int u = 0; u < nu; u++) {
    l->B[i * nu + u] = expr_neg(p, expr_dot(p, n, T, 1, l->K + first * nu + u, nu));
  }
}


int gen_has_choice(genBuild *b)
{
  const char *is_tied = find_tied(b, NULL);
  for (int k = 0; k < b->blocks.count; k++) {
    if (!is_tied[k] && sees_many(b, k)) return 1;
  }
  return 0;
}


void gen_choose_way(genBuild *b, const genDynamics *d, genWay way)
{
  genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  const char *is_tied = find_tied(b, d);
  for (int k = 0; k < b->blocks.count; k++) {
    const int first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
    const int can = !is_tied[k] && sees_many(b, k);
    if (can && !l->T[k]) l->T[k] = invert_block(b, k);
    l->way[k] = can ? way : WAY_COLUMNS;
    if (l->way[k] == WAY_COLUMNS) {
      memcpy(l->B + first * nu, l->columns + first * nu, (size_t) (n * nu) * sizeof *l->B);
      continue;
    }
    for (int i = 0; i < n; i++) couple_row(b, k, first + i, l->T[k] + i * n);
  }
}

//---- following -----------------------------------------------------------------------------------

// x += B y on the coordinates of one block
static void follow_by_columns(genBuild *b, int k, const int *y, int *x)
{
  ART_ASSERT(k >= 0 && k < b->blocks.count);
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  for (int i = b->blocks.start[k]; i < b->blocks.start[k + 1]; i++) {
    for (int u = 0; u < nu; u++) {
      if (y[u] != 0) x[i] = expr_add(p, x[i], expr_mul(p, l->B[i * nu + u], y[u]));
    }
  }
}


// J_v x = g - J_u y on the coordinates of one block, g[nd] of its rows or none
static void follow_by_rows(genBuild *b, int k, const int *g, const int *y, int *x)
{
  ART_ASSERT(k >= 0 && k < b->blocks.count);
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc, first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
  int *right = gen_alloc(b, (size_t) n, sizeof *right);
  for (int i = 0; i < n; i++) {
    if (g) right[i] = g[b->blocks.row[first + i]];
    for (int u = 0; u < nu; u++) {
      const int e = l->K[(first + i) * nu + u];
      if (y[u] != 0) right[i] = expr_sub(p, right[i], expr_mul(p, e, y[u]));
    }
  }
  expr_solving(p, 1);
  gen_solve(p, n, l->LU[k], right);
  expr_solving(p, 0);
  memcpy(x + first, right, (size_t) n * sizeof *x);
}


// of the velocity coordinates y[nv] those that others follow, free ones first
static int *leading_entries(genBuild *b, const int *y)
{
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  int *x = gen_alloc(b, (size_t) nu, sizeof *x);
  for (int u = 0; u < nu; u++) x[u] = y[leading_column_of(l, u)];
  return x;
}


int *gen_follow_velocities(genBuild *b, const int *v)
{
  int *x = gen_alloc(b, (size_t) b->loops.nd, sizeof *x), *y = leading_entries(b, v);
  for (int k = 0; k < b->blocks.count; k++) {
    if (b->loops.way[k] == WAY_COLUMNS) {
      follow_by_columns(b, k, y, x);
    } else {
      follow_by_rows(b, k, NULL, y, x);
    }
  }
  return x;
}


int *gen_follow_accelerations(genBuild *b, const int *a, const int *known)
{
  const genLoops *l = &b->loops;
  int *x = gen_alloc(b, (size_t) l->nd, sizeof *x), *y = leading_entries(b, a),
      *more = leading_entries(b, a);
  if (known) memset(more + l->nf, 0, (size_t) l->nc * sizeof *more);
  for (int i = 0; i < l->nd; i++) x[i] = known ? known[l->dependent[i]] : l->b[i];
  for (int k = 0; k < b->blocks.count; k++) {
    if (l->way[k] == WAY_COLUMNS) {
      follow_by_columns(b, k, more, x);
    } else {
      follow_by_rows(b, k, b->closing.gamma, y, x);
    }
  }
  return x;
}
