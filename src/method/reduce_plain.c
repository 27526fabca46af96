// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The algebra of the semi-recursive method in plain C: J_v by its blocks, nonzero entries of B and
// M, R^T M R as a full matrix.
#include <math.h>
#include <string.h>

#include "method/reduce.h"


// F += v a^T b
static inline void add_row_pair(double *F, long nf, reduceRow a, reduceRow b, double v)
{
  for (int i = 0; i < a.n; i++) {
    const double factor = v * a.rate[i];
    double *row = F + a.number[i] * nf;
    for (int j = 0; j < b.n; j++) row[b.number[j]] += factor * b.rate[j];
  }
}


// F += a^T t, where t is the sum of rows of R on the path of coordinate k to ground, weighted by
// entries of M
static void add_sum(methodReduce *r, const treeModel *t, reduceRow a, int k)
{
  const double *M = r->M + r->M_row[k];
  double *sum = r->sum;
  for (int e = 0; e < r->nf; e++) sum[e] = 0;
  for (int i = 0; i < a.n; i++) sum[a.number[i]] = M[k] / 2 * a.rate[i];
  for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
    const reduceRow b = r->R[j];
    for (int i = 0; i < b.n; i++) sum[b.number[i]] += M[j] * b.rate[i];
  }
  for (int i = 0; i < a.n; i++) {
    double *row = r->Mr + (long) a.number[i] * r->nf;
    for (int e = 0; e < r->nf; e++) row[e] += a.rate[i] * sum[e];
  }
}


void reduce_add_tree(methodReduce *r, const treeModel *t)
{
  for (int k = 0; k < t->nv; k++) {
    const reduceRow a = r->R[k];
    if (a.n > 2 && 3 * a.n > r->nf) {
      add_sum(r, t, a, k); // one dense row
      continue;
    }
    const double *row = r->M + r->M_row[k];
    add_row_pair(r->Mr, r->nf, a, a, row[k] / 2);
    for (int j = t->dof_parent[k]; j >= 0 && a.n > 0; j = t->dof_parent[j]) {
      add_row_pair(r->Mr, r->nf, a, r->R[j], row[j]);
    }
  }
}


// nf = 1: R is a column
static double reduce_single(methodReduce *r, const treeModel *t)
{
  double *R = r->sum, half = 0;
  for (int k = 0; k < t->nv; k++) {
    const reduceRow a = r->R[k];
    const double *row = r->M + r->M_row[k];
    R[k] = a.n > 0 ? a.rate[0] : 0;
    double sum = row[k] * R[k] / 2;
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) sum += row[j] * R[j];
    half += R[k] * sum;
  }
  return 2 * half;
}


void reduce_plainly(methodReduce *r, const treeModel *t)
{
  const long nf = r->nf;
  double *F = r->Mr;
  if (nf == 1) {
    F[0] = reduce_single(r, t);
    return;
  }
  memset(F, 0, (size_t) (nf * nf) * sizeof *F);
  reduce_add_tree(r, t);
  for (long k = 0; k < nf; k++) {
    for (long j = 0; j <= k; j++) F[k * nf + j] += F[j * nf + k];
  }
}


int reduce_solve_plain(methodReduce *r, double *x)
{
  ART_ASSERT(r->nf >= 0 && r->Mr);
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


const reduceMass reduce_mass_plain = {.reduce = reduce_plainly, .solve_free = reduce_solve_plain};
