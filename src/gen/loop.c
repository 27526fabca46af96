// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of a machine as expressions, and linear systems with frozen pivots.
#include <string.h>

#include "gen/build.h"
#include "loop/rows.h"
#include "sym/loop_symbolic.h"

//---- linear systems ------------------------------------------------------------------------------

// A = L U without exchanges: pivots stand on the diagonal by the order of rows and columns; the diagonal
// keeps the inverse of the pivots
void gen_factor(exprPool *p, int n, int *A)
{
  for (int k = 0; k < n; k++) {
    A[k * n + k] = expr_div(p, expr_constant(p, 1), A[k * n + k]);
    for (int i = k + 1; i < n; i++) {
      if (A[i * n + k] == 0) continue;
      A[i * n + k] = expr_mul(p, A[i * n + k], A[k * n + k]);
      for (int j = k + 1; j < n; j++) {
        if (A[k * n + j] == 0) continue;
        A[i * n + j] = expr_sub(p, A[i * n + j], expr_mul(p, A[i * n + k], A[k * n + j]));
      }
    }
  }
}


void gen_solve(exprPool *p, int n, const int *LU, int *x)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[i * n + k], x[k]));
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] = expr_sub(p, x[i], expr_mul(p, LU[i * n + k], x[k]));
    x[i] = expr_mul(p, x[i], LU[i * n + i]);
  }
}


//---- rows ----------------------------------------------------------------------------------------

static void copy3(double to[3], v3 from)
{
  to[0] = from.x, to[1] = from.y, to[2] = from.z;
}


static cutNumbers numbers_of(const artModel *m, int c)
{
  const modelCut *cut = &m->cut[c];
  cutNumbers x = {.number = c, .pitch = cut->pitch, .length = cut->length};
  for (int side = 0; side < 2; side++) {
    x.link[side] = cut->side[side].link;
    copy3(x.R[side], cut->side[side].R.x);
    copy3(x.R[side] + 3, cut->side[side].R.y);
    copy3(x.R[side] + 6, cut->side[side].R.z);
    copy3(x.r[side], cut->side[side].r);
  }
  copy3(x.axis2, cut->axis2);
  return x;
}


static void cut_rows(genBuild *b, int c)
{
  const modelCut *cut = &b->m->cut[c];
  const rowKind *kinds = rows_kinds(b->m->joint[cut->joint].type);
  const cutNumbers numbers = numbers_of(b->m, c);
  int kind[6];
  for (int i = 0; i < cut->nrow; i++) kind[i] = (int) kinds[i];
  genRows *rows = &b->rows;
  const int r = cut->row0;
  sym_record_cut(b->tree, &numbers, cut->nrow, kind, rows->phi + r,
                 rows->J + (long) r * b->tree->nv, rows->gamma + r, rows->action + 9 * r);
}


static artStatus add_external(genBuild *b, const char *name, const char *what, int narg, int n)
{
  const size_t count = (size_t) b->program->nexternal;
  eqnExternal *all = gen_alloc(b, count + 1, sizeof *all);
  if (!all) return base_no_memory(b->error);
  if (count > 0) memcpy(all, b->program->external, count * sizeof *all);
  all[b->program->nexternal++] = (eqnExternal){name, what, narg, n};
  b->program->external = all;
  return ART_OK;
}


// a relation of the host: value with gradient, and bias, as external functions
static artStatus user_row(genBuild *b, const modelRelation *relation)
{
  const int n = relation->n;
  exprPool *p = b->pool;
  int *argument = gen_alloc(b, 2 * (size_t) n, sizeof *argument);
  char *bias_name = arena_format(&b->program->arena, "%s_bias", relation->name);
  if (!argument || !bias_name) return base_no_memory(b->error);
  for (int i = 0; i < n; i++) {
    argument[i] = b->tree->q[relation->position[i]];
    argument[n + i] = b->tree->v[relation->velocity[i]];
  }
  artStatus status =
      add_external(b, relation->name, "coordinates to value, then its derivatives", n, 1 + n);
  if (status == ART_OK) {
    status = add_external(b, bias_name,
                          "coordinates, then rates, to what is left of the second derivative at "
                          "zero accelerations",
                          2 * n, 1);
  }
  if (status != ART_OK) return status;
  const int value = expr_call(p, expr_external(p, n, 1 + n), argument);
  const int bias = expr_call(p, expr_external(p, 2 * n, 1), argument);
  b->rows.phi[relation->row] = expr_element(p, value, 0);
  b->rows.gamma[relation->row] = expr_neg(p, expr_element(p, bias, 0));
  for (int i = 0; i < n; i++) {
    b->rows.J[(long) relation->row * b->tree->nv + relation->velocity[i]] =
        expr_element(p, value, 1 + i);
  }
  return ART_OK;
}


static artStatus relation_row(genBuild *b, int i)
{
  const modelRelation *relation = &b->m->relation[i];
  if (relation->user.value) return user_row(b, relation);
  exprPool *p = b->pool;
  int phi = expr_neg(p, gen_parameter(b, relation->constant, "coupling_constant", i));
  for (int k = 0; k < relation->n; k++) {
    const int c = gen_parameter(b, relation->coefficient[k], "coupling", 64 * i + k);
    phi = expr_add(p, phi, expr_mul(p, c, b->tree->q[relation->position[k]]));
    b->rows.J[(long) relation->row * b->tree->nv + relation->velocity[k]] = c;
  }
  b->rows.phi[relation->row] = phi;
  b->rows.gamma[relation->row] = 0;
  return ART_OK;
}


artStatus gen_rows(genBuild *b)
{
  const size_t n = (size_t) b->m->nrow, nv = (size_t) b->tree->nv;
  genRows *rows = &b->rows;
  rows->n = b->m->nrow;
  rows->phi = gen_alloc(b, n, sizeof *rows->phi);
  rows->gamma = gen_alloc(b, n, sizeof *rows->gamma);
  rows->J = gen_alloc(b, n * nv, sizeof *rows->J);
  rows->action = gen_alloc(b, 9 * n, sizeof *rows->action);
  if (!rows->phi || !rows->gamma || !rows->J || !rows->action) return base_no_memory(b->error);
  for (int c = 0; c < b->m->ncut; c++) cut_rows(b, c);
  artStatus status = ART_OK;
  for (int i = 0; i < b->m->nrelation && status == ART_OK; i++) status = relation_row(b, i);
  return status;
}
