// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The algebra of the semi-recursive method in straight C: J_v by its blocks, B and M by the entries
// that are not zero, R^T M R as a full matrix.
#include <math.h>
#include <string.h>

#include "method/reduce.h"


reduceRow reduce_row_of_R(const struct loopWork *loop, int k)
{
  static const double one = 1;
  const loopBlocks *blocks = loop->blocks;
  const int p = blocks->position[k];
  if (p >= 0) {
    const loopBlock *block = blocks_block(blocks, p);
    return (reduceRow){block->free_count, block->reach, blocks_B_row(blocks, p)};
  }
  return (reduceRow){blocks->number[k] < blocks->nf, &blocks->number[k], &one}; // none if driven
}


// Mr += v (a^T b + b^T a), or v a^T a when both are the same coordinate; lower triangle
static void add_pair(double *Mr, int nf, reduceRow a, reduceRow b, double v, int same)
{
  // as everywhere in machines with one freedom
  if (a.n == 1 && b.n == 1 && a.number[0] == b.number[0]) {
    const double term = v * a.rate[0] * b.rate[0];
    Mr[(long) a.number[0] * (nf + 1)] += same ? term : 2 * term;
    return;
  }
  for (int i = 0; i < a.n; i++) {
    for (int j = 0; j < b.n; j++) {
      const int c = a.number[i], e = b.number[j];
      const double term = v * a.rate[i] * b.rate[j];
      if (same && c < e) continue;
      const long at = c >= e ? (long) c * nf + e : (long) e * nf + c;
      Mr[at] += c == e && !same ? 2 * term : term;
    }
  }
}


void reduce_add_tree(methodReduce *r, const artModel *m, const struct loopWork *loop)
{
  const treeModel *t = &m->tree;
  for (int k = 0; k < t->nv; k++) {
    const reduceRow a = reduce_row_of_R(loop, k);
    if (a.n == 0) continue;
    const double *row = r->M + r->M_row[k];
    add_pair(r->Mr, r->nf, a, a, row[k], 1);
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      add_pair(r->Mr, r->nf, a, reduce_row_of_R(loop, j), row[j], 0);
    }
  }
}


static void make_plain(methodReduce *r, const artModel *m, const struct loopWork *loop)
{
  memset(r->Mr, 0, (size_t) r->nf * (size_t) r->nf * sizeof *r->Mr);
  reduce_add_tree(r, m, loop);
}


int reduce_solve_plain(methodReduce *r, double *x)
{
  const int n = r->nf;
  double *A = r->Mr;
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


const reduceMass reduce_mass_plain = {.reduce = make_plain, .solve_free = reduce_solve_plain};
