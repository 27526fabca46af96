// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The algebra of the semi-recursive method in straight C: J_v by its blocks, B and M by the entries
// that are not zero, R^T M R as a full matrix.
#include <math.h>
#include <string.h>

#include "method/reduce.h"


// one row of R: the numbers of the free coordinates that move coordinate k, and by how much
typedef struct sparseRow {
  int n;
  const int *number;
  const double *value;
} sparseRow;


int reduce_row_of_R(const struct loopWork *loop, int k, const int **number, const double **rate)
{
  static const double one = 1;
  if (loop->number[k] >= 0) {
    *number = &loop->number[k], *rate = &one;
    return 1;
  }
  const int p = loop->position[k];
  if (p < 0) return 0; // driven
  const loopBlock *block = blocks_block(loop->blocks, p);
  *number = block->reach, *rate = blocks_B_row(loop->blocks, p);
  return block->free_count;
}


static sparseRow row_of_R(const struct loopWork *loop, int k)
{
  sparseRow row = {0, NULL, NULL};
  row.n = reduce_row_of_R(loop, k, &row.number, &row.value);
  return row;
}


// Mr += v (a^T b + b^T a), or v a^T a when both are the same coordinate; lower triangle
static void add_pair(double *Mr, int nf, sparseRow a, sparseRow b, double v, int same)
{
  // as everywhere in machines with one freedom
  if (a.n == 1 && b.n == 1 && a.number[0] == b.number[0]) {
    const double term = v * a.value[0] * b.value[0];
    Mr[(long) a.number[0] * (nf + 1)] += same ? term : 2 * term;
    return;
  }
  for (int i = 0; i < a.n; i++) {
    for (int j = 0; j < b.n; j++) {
      const int c = a.number[i], e = b.number[j];
      const double term = v * a.value[i] * b.value[j];
      if (same && c < e) continue;
      const long at = c >= e ? (long) c * nf + e : (long) e * nf + c;
      Mr[at] += c == e && !same ? 2 * term : term;
    }
  }
}


void reduce_add_tree(const artModel *m, const artWork *w)
{
  const treeModel *t = &m->tree;
  const struct loopWork *loop = w->loop;
  const int nf = loop->partition.nf;
  for (int k = 0; k < t->nv; k++) {
    const sparseRow a = row_of_R(loop, k);
    if (a.n == 0) continue;
    const double *row = loop->M + loop->M_row[k];
    add_pair(loop->Mr, nf, a, a, row[k], 1);
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      add_pair(loop->Mr, nf, a, row_of_R(loop, j), row[j], 0);
    }
  }
}


static void make_plain(methodReduce *r, const artModel *m, const artWork *w)
{
  (void) r;
  const size_t nf = (size_t) w->loop->partition.nf;
  memset(w->loop->Mr, 0, nf * nf * sizeof *w->loop->Mr);
  reduce_add_tree(m, w);
}


// Mr = L L^T in place and x = Mr^-1 x; returns the number of the pivot that is nothing, or -1
static int solve_cholesky(double *A, int n, double *x)
{
  for (int k = 0; k < n; k++) {
    double *row = A + (long) k * n;
    for (int j = 0; j < k; j++) {
      const double *above = A + (long) j * n;
      double sum = row[j];
      for (int i = 0; i < j; i++) sum -= row[i] * above[i];
      row[j] = sum / above[j];
    }
    double pivot = row[k];
    const double nothing = REDUCE_NOTHING * pivot;
    for (int i = 0; i < k; i++) pivot -= row[i] * row[i];
    if (!(pivot > nothing)) return k;
    row[k] = sqrt(pivot);
  }
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < k; i++) x[k] -= A[(long) k * n + i] * x[i];
    x[k] /= A[(long) k * n + k];
  }
  for (int k = n - 1; k >= 0; k--) {
    x[k] /= A[(long) k * n + k];
    for (int i = 0; i < k; i++) x[i] -= A[(long) k * n + i] * x[k];
  }
  return -1;
}


int reduce_solve_plain(struct loopWork *loop, double *x)
{
  return solve_cholesky(loop->Mr, loop->partition.nf, x);
}


static int solve_free_plain(methodReduce *r, struct loopWork *loop, double *x)
{
  (void) r;
  return reduce_solve_plain(loop, x);
}


static int factor_plain(methodReduce *r, const struct loopWork *loop)
{
  (void) r;
  (void) loop; // loop_place has factored the blocks
  return 1;
}


static void couple_plain(methodReduce *r, struct loopWork *loop)
{
  (void) r;
  blocks_couple(loop->blocks);
}


static void solve_plain(methodReduce *r, struct loopWork *loop, const double *b, double *x)
{
  (void) r;
  blocks_solve(loop->blocks, b, x);
}


void reduce_solve_transposed_plain(methodReduce *r, struct loopWork *loop, const double *c,
                                   double *y)
{
  (void) r;
  blocks_solve_transposed(loop->blocks, c, y);
}


const reduceRows reduce_rows_plain = {.factor = factor_plain,
                                      .couple = couple_plain,
                                      .solve = solve_plain,
                                      .solve_transposed = reduce_solve_transposed_plain};

const reduceMass reduce_mass_plain = {.reduce = make_plain, .solve_free = solve_free_plain};
