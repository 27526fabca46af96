// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations from mass matrix and bias, on symbols.
#include "sym/tree_inside.h"

#include <string.h>

#include "gen/expression_matrix.h"
#include "gen/tree/tree_equations.h"


// Coordinates whose accelerations are given have a row and a column of the unit matrix, of which nothing is left in the
// equations of the others: zeros fold.
static void hold_given(const symModel *t, const real *a, real *M, real *x)
{
  const int n = t->nv;
  for (int k = 0; k < n; k++) {
    if (!t->link[t->dof_link[k]].is_driven) continue;
    for (int j = 0; j < n; j++) M[(long) k * n + j] = M[(long) j * n + k] = r_const(0);
    M[(long) k * n + k] = r_const(1);
    x[k] = a[k];
  }
}


// G^T G from the leaves; 1 / G_kk on the diagonal
static void factor_cholesky(const symModel *t, int n, real *M)
{
  for (int k = n - 1; k >= 0; k--) {
    real *row = M + (long) k * n;
    row[k] = r_div(r_const(1), r_sqrt(row[k]));
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) row[i] = r_mul(row[i], row[k]);

    // M_ij -= G_ki G_kj
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) {
      real *above = M + (long) i * n;
      for (int j = i; j >= 0; j = t->dof_parent[j]) {
        above[j] = r_sub(above[j], r_mul(row[i], row[j]));
      }
    }
  }
}


void gen_give(symTree *s, int link)
{
  s->inside->model.link[link].is_driven = 1;
}


void gen_record_solution(symTree *s, const int *M, const int *h, int cholesky, int *a)
{
  const symModel *t = &s->inside->model;
  const int n = s->nv;
  real *factors = s->inside->M, *x = (real *) a;
  exprPool *before = expr_use(s->pool);
  memcpy(factors, M, (size_t) n * (size_t) n * sizeof *M);
  for (int k = 0; k < n; k++) x[k] = r_sub(s->inside->tau[k], (real){h[k]});
  hold_given(t, s->inside->a, factors, x);

  if (cholesky) {
    expr_solving(s->pool, 1);
    factor_cholesky(t, n, factors);
    // x = (G^T G)^-1 x
    for (int k = n - 1; k >= 0; k--) {
      const real *row = factors + (long) k * n;
      x[k] = r_mul(x[k], row[k]);
      for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
        x[j] = r_sub(x[j], r_mul(row[j], x[k]));
      }
    }
    for (int k = 0; k < n; k++) {
      const real *row = factors + (long) k * n;
      for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
        x[k] = r_sub(x[k], r_mul(row[j], x[j]));
      }
      x[k] = r_mul(x[k], row[k]);
    }
    expr_solving(s->pool, 0);
  } else {
    gen_eliminate_symmetric(s->pool, n, (int *) factors, a);
  }
  expr_use(before);
}
