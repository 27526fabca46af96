// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Semi-recursive method (Hidalgo, Garcia de Jalon; Postiau 2004, section 2.5): the tree's equations
// reduced to the independent coordinates by the velocity transformation v = R v_f.
//
//   a = R a_f + s        R = [B; 1],  s = [b'; 0],  J_v b' = gamma
//   R^T M R a_f = R^T (tau - h - M s)
//   J_v^T lambda = (M a + h - tau)_v
//
// Positions and velocities are re-solved at every evaluation, so loops stay closed by construction.
#include <math.h>
#include <string.h>

#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"


// y = M x for the tree's mass matrix: lower triangle, entries along the way to ground only
static void multiply_tree(const treeModel *t, const double *M, const double *x, double *y)
{
  const long n = t->nv;
  memset(y, 0, (size_t) n * sizeof *y);
  for (int k = 0; k < t->nv; k++) {
    const double *row = M + k * n;
    double sum = row[k] * x[k];
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      sum += row[j] * x[j];
      y[j] += row[j] * x[k];
    }
    y[k] += sum;
  }
}


// one row of R: the numbers of the free coordinates that move coordinate k, and by how much
typedef struct sparseRow {
  int n;
  const int *number;
  const double *value;
} sparseRow;


static sparseRow row_of_R(const struct loopWork *loop, const int *position, int k,
                          const double *one)
{
  if (loop->number[k] >= 0) return (sparseRow){1, &loop->number[k], one};
  if (position[k] < 0) return (sparseRow){0, NULL, NULL}; // driven
  const loopBlock *block = blocks_block(loop->blocks, position[k]);
  return (sparseRow){block->free_count, block->reach, blocks_B_row(loop->blocks, position[k])};
}


// Mr += v (a^T b + b^T a), or v a^T a when both are the same coordinate; lower triangle
static void add_pair(double *Mr, int nf, sparseRow a, sparseRow b, double v, int same)
{
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


static void reduce_mass(const artModel *m, const artWork *w)
{
  static const double one = 1;
  const treeModel *t = &m->tree;
  const struct loopWork *loop = w->loop;
  const int nf = loop->partition.nf;
  memset(loop->Mr, 0, (size_t) nf * (size_t) nf * sizeof *loop->Mr);
  for (int k = 0; k < t->nv; k++) {
    const sparseRow a = row_of_R(loop, loop->position, k, &one);
    if (a.n == 0) continue;
    const double *row = w->M + (long) k * t->nv;
    add_pair(loop->Mr, nf, a, a, row[k], 1);
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      add_pair(loop->Mr, nf, a, row_of_R(loop, loop->position, j, &one), row[j], 0);
    }
  }
}


// Mr = L L^T in place and x = Mr^-1 x; returns the number of the pivot that is not positive, or -1
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
    for (int i = 0; i < k; i++) pivot -= row[i] * row[i];
    if (!(pivot > 0)) return k;
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


static artStatus solve_free(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const loopPartition *p = &loop->partition;
  double *x = loop->step;
  for (int i = 0; i < p->nf; i++) x[i] = loop->right[p->free[i]];
  const int bad = solve_cholesky(loop->Mr, p->nf, x);
  if (bad >= 0) {
    return base_fail(error, ART_SINGULAR, base_nowhere(),
                     "no acceleration can be found for '%s' at t = %.9g s: it moves nothing that "
                     "has inertia",
                     m->velocity[p->free[bad]].name, d->time);
  }
  for (int i = 0; i < p->nf; i++) d->a[p->free[i]] = x[i];
  return ART_OK;
}


artStatus method_semirecursive(const artModel *m, artData *d, artError *error)
{
  artWork *w = d->work;
  struct loopWork *loop = w->loop;
  const treeModel *t = &m->tree;
  const size_t bytes = (size_t) t->nv * sizeof(double);

  // closed positions and velocities, then forces there
  artStatus status = loop_close(m, d, error);
  if (status == ART_OK) status = force_apply(m, d, error);
  if (status != ART_OK) return status;

  // h at the accelerations of the drives, and with that motion gamma and s
  tree_rne(t, &w->tree, d->v, w->a_drive, w->scratch);
  status = rows_gamma(m, d, &loop->rows, loop->kept, error);
  if (status != ART_OK) return status;
  memset(d->a, 0, bytes);
  hold_bias(&loop->hold, loop->blocks, d->v);
  blocks_solve(loop->blocks, loop->rows.gamma, d->a);

  // tau - h - M s, projected
  tree_mass(t, &w->tree, w->M);
  multiply_tree(t, w->M, d->a, loop->right);
  for (int k = 0; k < t->nv; k++) loop->right[k] = d->force[k] - w->scratch[k] - loop->right[k];
  blocks_project(loop->blocks, loop->right);
  reduce_mass(m, w);
  status = solve_free(m, d, error);
  if (status != ART_OK) return status;

  // a_v = B a_f + b', added to the dependent accelerations that hold b' already
  for (int p = 0; p < loop->blocks->nd; p++) {
    const loopBlock *block = blocks_block(loop->blocks, p);
    const double *B = blocks_B_row(loop->blocks, p);
    double sum = 0;
    for (int i = 0; i < block->free_count; i++) {
      sum += B[i] * d->a[loop->blocks->column_u[block->reach[i]]];
    }
    d->a[loop->blocks->column[p]] += sum;
  }

  // J_v^T lambda = (M a + h - tau)_v
  multiply_tree(t, w->M, d->a, loop->right);
  for (int k = 0; k < t->nv; k++) loop->right[k] += w->scratch[k] - d->force[k];
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof(double));
  blocks_solve_transposed(loop->blocks, loop->right, loop->rows.lambda);
  for (int k = 0; k < t->nv; k++) d->a[k] += w->a_drive[k];
  return ART_OK;
}
