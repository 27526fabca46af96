// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of generated functions.
//
// Accelerations are expressions of all positions and velocities. Along the free coordinate k of a machine
// with loops the dependent ones move too,
//   dq = N (R_k),  R = [1; B],  q' = N v;      dv_v = d(B v_u)/dq dq
// so that  da/dk = a_q dq + a_v dv. A parameter moves the dependent positions by  J_v dq_v = -dphi/dp.
#include <stdlib.h>
#include <string.h>

#include "eqn/list.h"
#include "gen/build.h"
#include "loop/loop.h"

// Partial derivatives of the accelerations, and of what dependent velocities are.
typedef struct tangentParts {
  int nf;
  const int *free;
  int *a;         // [nf] accelerations of the free coordinates
  int *a_q, *a_v; // [nf nq], [nf nv]
  int *follow;    // [nd] dependent velocities B v_u
  int *follow_q;  // [nd nq]
} tangentParts;

//---- pieces --------------------------------------------------------------------------------------

// the free coordinates; without loops all that no drive prescribes
static int list_free(genBuild *b, tangentParts *t)
{
  if (b->m->nrow > 0) {
    t->nf = b->loops.nf;
    t->free = b->loops.free;
    return 1;
  }
  const treeModel *tree = &b->m->tree;
  int *list = gen_alloc(b, (size_t) tree->nv, sizeof *list);
  if (!list) return 0;
  for (int k = 0; k < tree->nv; k++) {
    if (!tree->link[tree->dof_link[k]].is_driven) list[t->nf++] = k;
  }
  t->free = list;
  return 1;
}


static int follow_velocities(genBuild *b, tangentParts *t)
{
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  t->follow = gen_alloc(b, (size_t) l->nd, sizeof *t->follow);
  if (!t->follow) return 0;
  for (int i = 0; i < l->nd; i++) {
    for (int u = 0; u < nu; u++) {
      const int v = b->tree->v[u < l->nf ? l->free[u] : l->driven[u - l->nf]];
      t->follow[i] = expr_add(b->pool, t->follow[i], expr_mul(b->pool, l->B[i * nu + u], v));
    }
  }
  return 1;
}


static int differentiate(genBuild *b, int n, const int *node, int count, const int *symbol,
                         int **result)
{
  *result = gen_alloc(b, (size_t) n * (size_t) count, sizeof **result);
  return *result && eqn_differentiate(b->pool, n, node, count, symbol, 0, NULL, *result);
}


static int find_parts(genBuild *b, tangentParts *t)
{
  const symTree *s = b->tree;
  if (!list_free(b, t)) return 0;
  t->a = gen_alloc(b, (size_t) t->nf, sizeof *t->a);
  if (!t->a) return 0;
  for (int i = 0; i < t->nf; i++) t->a[i] = b->acceleration[t->free[i]];
  return differentiate(b, t->nf, t->a, s->nq, s->q, &t->a_q) &&
         differentiate(b, t->nf, t->a, s->nv, s->v, &t->a_v) && follow_velocities(b, t) &&
         differentiate(b, b->loops.nd, t->follow, s->nq, s->q, &t->follow_q);
}


//---- chain rule ----------------------------------------------------------------------------------

static void add_product(exprPool *p, int *sum, int x, int y)
{
  if (x != 0 && y != 0) *sum = expr_add(p, *sum, expr_mul(p, x, y));
}


// a_q dq + a_v dv of all free accelerations into column k of A[nf n]; dv is that of the dependent ones
static void add_column(genBuild *b, const tangentParts *t, const int *dq, const int *dv, int *A,
                       int n, int k)
{
  const genLoops *l = &b->loops;
  const int nq = b->tree->nq, nv = b->tree->nv;
  for (int i = 0; i < t->nf; i++) {
    int *sum = &A[i * n + k];
    for (int j = 0; j < nq; j++) add_product(b->pool, sum, t->a_q[i * nq + j], dq[j]);
    for (int j = 0; j < l->nd; j++) {
      add_product(b->pool, sum, t->a_v[i * nv + l->dependent[j]], dv[j]);
    }
  }
}


// how dependent velocities change with the positions
static void change_of_follow(genBuild *b, const tangentParts *t, const int *dq, int *dv)
{
  const int nq = b->tree->nq;
  for (int i = 0; i < b->loops.nd; i++) {
    dv[i] = 0;
    for (int j = 0; j < nq; j++) add_product(b->pool, &dv[i], t->follow_q[i * nq + j], dq[j]);
  }
}


typedef struct tangentRoom {
  int *move, *dq, *dv; // [nv], [nq], [nd]
} tangentRoom;


static int take_room(genBuild *b, tangentRoom *r)
{
  r->move = gen_alloc(b, (size_t) b->tree->nv, sizeof *r->move);
  r->dq = gen_alloc(b, (size_t) b->tree->nq, sizeof *r->dq);
  r->dv = gen_alloc(b, (size_t) b->loops.nd, sizeof *r->dv);
  return r->move && r->dq && r->dv;
}


static artStatus state_tangent(genBuild *b, const tangentParts *t, const tangentRoom *r)
{
  const genLoops *l = &b->loops;
  const int nf = t->nf, nv = b->tree->nv, nu = l->nf + l->nc;
  int *by_q = gen_alloc(b, (size_t) nf * (size_t) nf, sizeof *by_q);
  int *by_v = gen_alloc(b, (size_t) nf * (size_t) nf, sizeof *by_v);
  if (!by_q || !by_v) return base_no_memory(b->error);
  for (int k = 0; k < nf; k++) {
    memset(r->move, 0, (size_t) nv * sizeof *r->move);
    r->move[t->free[k]] = expr_constant(b->pool, 1);
    for (int i = 0; i < l->nd; i++) r->move[l->dependent[i]] = l->B[i * nu + k];
    gen_position_rates(b, r->move, r->dq);
    change_of_follow(b, t, r->dq, r->dv);
    add_column(b, t, r->dq, r->dv, by_q, nf, k);
    for (int i = 0; i < nf; i++) {
      for (int j = 0; j < nv; j++) {
        add_product(b->pool, &by_v[i * nf + k], t->a_v[i * nv + j], r->move[j]);
      }
    }
  }
  eqnFunction *f = gen_like_accelerate(
      b, "tangent", "derivatives of the accelerations of the free coordinates along them", 2);
  if (!f) return base_no_memory(b->error);
  f->output[f->noutput++] = gen_vector(
      b, "a_q", "by displacements of the free coordinates, by rows", nf * nf, by_q, NULL);
  f->output[f->noutput++] =
      gen_vector(b, "a_v", "by their velocities, by rows", nf * nf, by_v, NULL);
  return ART_OK;
}


//---- parameters ----------------------------------------------------------------------------------

// the parameter called name_index, as labels have it; -1: there is none
static int find_parameter(const genBuild *b, const char *word)
{
  for (int i = 0; i < b->tree->parameter_count; i++) {
    const exprNode *node = &b->pool->nodes[b->tree->parameter[i]];
    const size_t n = strlen(node->name);
    if (strncmp(word, node->name, n) != 0 || word[n] != '_') continue;
    if (atoi(word + n + 1) == node->index) return b->tree->parameter[i];
  }
  return -1;
}


static artStatus parameter_tangent(genBuild *b, const tangentParts *t, const tangentRoom *r)
{
  const genLoops *l = &b->loops;
  const int n = b->options->nsensitive, nd = l->nd;
  int *symbol = gen_alloc(b, (size_t) n, sizeof *symbol), *a_p, *phi_p, *follow_p;
  if (!symbol) return base_no_memory(b->error);
  for (int k = 0; k < n; k++) {
    symbol[k] = find_parameter(b, b->options->sensitive[k]);
    if (symbol[k] >= 0) continue;
    return base_fail(
        b->error, ART_BAD_INPUT, base_nowhere(),
        "'%s' is no parameter of the generated model; its parameters are listed in the "
        "struct of the generated header",
        b->options->sensitive[k]);
  }
  const int nrow = b->rows.n;
  if (!differentiate(b, t->nf, t->a, n, symbol, &a_p) ||
      !differentiate(b, nrow, b->closing.phi, n, symbol, &phi_p) ||
      !differentiate(b, nd, t->follow, n, symbol, &follow_p)) {
    return base_no_memory(b->error);
  }
  for (int k = 0; k < n; k++) {
    // J_v dq_v = -dphi/dp
    int *x = gen_alloc(b, (size_t) nd, sizeof *x);
    if (!x) return base_no_memory(b->error);
    for (int i = 0; i < nd; i++) x[i] = expr_neg(b->pool, phi_p[b->block_row[i] * n + k]);
    if (nd > 0) gen_solve_blocks(b, x);
    memset(r->move, 0, (size_t) b->tree->nv * sizeof *r->move);
    for (int i = 0; i < nd; i++) r->move[l->dependent[i]] = x[i];
    gen_position_rates(b, r->move, r->dq);
    change_of_follow(b, t, r->dq, r->dv);
    for (int i = 0; i < nd; i++) r->dv[i] = expr_add(b->pool, r->dv[i], follow_p[i * n + k]);
    add_column(b, t, r->dq, r->dv, a_p, n, k);
  }
  eqnFunction *f = gen_like_accelerate(
      b, "sensitivity", "derivatives of the accelerations of the free coordinates by parameters",
      1);
  if (!f) return base_no_memory(b->error);
  f->output[f->noutput++] =
      gen_vector(b, "a_p", "by rows, parameters in the order asked for", t->nf * n, a_p, NULL);
  return ART_OK;
}


artStatus gen_tangent(genBuild *b)
{
  tangentParts t = {0};
  tangentRoom r;
  if (!find_parts(b, &t) || !take_room(b, &r)) return base_no_memory(b->error);
  artStatus status = state_tangent(b, &t, &r);
  if (status == ART_OK && b->options->nsensitive > 0) status = parameter_tangent(b, &t, &r);
  return status;
}
