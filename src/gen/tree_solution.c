// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations from mass matrix and bias, on symbols.
#include "sym/tree_inside.h"

#include <string.h>

#include "gen/tree.h"


// whether the acceleration of a coordinate is to be found
static int is_free(const symModel *t, int k)
{
  return !t->link[t->dof_link[k]].is_driven;
}


// L^T D L from the leaves; 1 / D on the diagonal
static void factor(const symModel *t, int n, real *M)
{
  for (int k = n - 1; k >= 0; k--) {
    real *row = M + (long) k * n;
    if (!is_free(t, k)) continue;
    row[k] = r_div(r_const(1), row[k]);
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) {
      if (!is_free(t, i)) continue;

      // L_ki = M_ki / D_k,  M_ij -= L_ki M_kj
      const real l = r_mul(row[i], row[k]);
      real *above = M + (long) i * n;
      for (int j = i; j >= 0; j = t->dof_parent[j]) {
        if (is_free(t, j)) above[j] = r_sub(above[j], r_mul(l, row[j]));
      }
      row[i] = l;
    }
  }
}


// x = (L^T D L)^-1 x
static void solve(const symModel *t, int n, const real *LDL, real *x)
{
  for (int k = n - 1; k >= 0; k--) {
    for (int j = t->dof_parent[k]; is_free(t, k) && j >= 0; j = t->dof_parent[j]) {
      if (is_free(t, j)) x[j] = r_sub(x[j], r_mul(LDL[(long) k * n + j], x[k]));
    }
  }
  for (int k = 0; k < n; k++) {
    if (!is_free(t, k)) continue;
    x[k] = r_mul(x[k], LDL[(long) k * n + k]);
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      if (is_free(t, j)) x[k] = r_sub(x[k], r_mul(LDL[(long) k * n + j], x[j]));
    }
  }
}


// G^T G from the leaves; 1 / G_kk on the diagonal
static void factor_cholesky(const symModel *t, int n, real *M)
{
  for (int k = n - 1; k >= 0; k--) {
    real *row = M + (long) k * n;
    if (!is_free(t, k)) continue;
    row[k] = r_div(r_const(1), r_sqrt(row[k]));
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) {
      if (is_free(t, i)) row[i] = r_mul(row[i], row[k]);
    }

    // M_ij -= G_ki G_kj
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) {
      real *above = M + (long) i * n;
      for (int j = i; is_free(t, i) && j >= 0; j = t->dof_parent[j]) {
        if (is_free(t, j)) above[j] = r_sub(above[j], r_mul(row[i], row[j]));
      }
    }
  }
}


// x = (G^T G)^-1 x
static void solve_cholesky(const symModel *t, int n, const real *G, real *x)
{
  for (int k = n - 1; k >= 0; k--) {
    if (!is_free(t, k)) continue;
    x[k] = r_mul(x[k], G[(long) k * n + k]);
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      if (is_free(t, j)) x[j] = r_sub(x[j], r_mul(G[(long) k * n + j], x[k]));
    }
  }
  for (int k = 0; k < n; k++) {
    if (!is_free(t, k)) continue;
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      if (is_free(t, j)) x[k] = r_sub(x[k], r_mul(G[(long) k * n + j], x[j]));
    }
    x[k] = r_mul(x[k], G[(long) k * n + k]);
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

  expr_solving(s->pool, 1);
  (cholesky ? factor_cholesky : factor)(t, n, factors);
  (cholesky ? solve_cholesky : solve)(t, n, factors, x);
  for (int k = 0; k < n; k++) {
    if (!is_free(t, k)) x[k] = s->inside->a[k];
  }
  expr_solving(s->pool, 0);
  expr_use(before);
}
