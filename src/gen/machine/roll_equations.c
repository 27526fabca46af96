// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What rolls without slip: rows of velocities A v = 0 besides the loops. Over the free and driven coordinates u
//   G = A R,   R = [1; B]
// for the rows that are independent where the source is made; others have no force. With the reduced equations of
// the free coordinates, M_f a_f + r = G_f^T mu, and the accelerations a_0 that are known without a_f,
//   M_f = L^T D L,   Z = G_f L^-1,   S = Z D^-1 Z^T,   y = -L^-T r
//   S mu = gamma - A a_0 - Z D^-1 y,   L a_f = D^-1 (y + Z^T mu)
// Velocities of the free coordinates are projected by the same factors, by the change of least kinetic energy:
//   S nu = G u',   u_f' -= L^-1 D^-1 Z^T nu
#include <string.h>

#include "gen/build.h"
#include "loop/roll_rows.h"


const genRolls *gen_rolls(genBuild *b)
{
  if (b->rolls || b->m->nroll == 0) return b->rolls;
  const size_t n = (size_t) b->m->nroll_row, nv = (size_t) b->tree->nv;
  genRolls *x = gen_alloc(b, 1, sizeof *x);
  x->n = (int) n;
  x->A = gen_alloc(b, n * nv, sizeof *x->A);
  x->gamma = gen_alloc(b, n, sizeof *x->gamma);
  x->place = gen_alloc(b, ROLL_PLACE * (size_t) b->m->nroll, sizeof *x->place);
  x->force = gen_alloc(b, n, sizeof *x->force);
  gen_rolling_rows(b, x->A, x->gamma, x->place);
  return b->rolls = x;
}


//---- factors -------------------------------------------------------------------------------------

const genRolls *gen_reduced_rolls(genBuild *b)
{
  exprPool *p = b->pool;
  genRolls *x = (genRolls *) gen_rolls(b);
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc, nv = b->tree->nv;
  if (!x || x->G) return x;
  char *is_kept = gen_alloc(b, (size_t) x->n, 1);
  gen_must(b, rolling_independent(b->m, b->d, is_kept, b->error));
  x->row = gen_alloc(b, (size_t) x->n, sizeof *x->row);
  x->G = gen_alloc(b, (size_t) x->n * (size_t) nu, sizeof *x->G);
  for (int k = 0; k < x->n; k++) {
    if (!is_kept[k]) continue;
    const int *A = x->A + (long) k * nv;
    int *G = x->G + (long) x->nkept * nu;
    x->row[x->nkept++] = k;
    for (int u = 0; u < nu; u++) {
      G[u] = A[u < l->nf ? l->free[u] : l->driven[u - l->nf]];
      for (int i = 0; i < l->nd; i++) {
        G[u] = expr_add(p, G[u], expr_mul(p, A[l->dependent[i]], l->B[(long) i * nu + u]));
      }
    }
  }
  return x;
}


// L of the reduced mass matrix M_f [nf nf], Z, W = Z D^-1 and the factors of S
static void factor_rolling(genBuild *b, const int *M, genRolls *x)
{
  exprPool *p = b->pool;
  const int n = x->nkept, nf = b->loops.nf, nu = nf + b->loops.nc;
  x->L = gen_copy(b, nf * nf, M);
  x->Z = gen_alloc(b, (size_t) n * (size_t) nf, sizeof *x->Z);
  x->W = gen_alloc(b, (size_t) n * (size_t) nf, sizeof *x->W);
  x->S = gen_alloc(b, (size_t) n * (size_t) n, sizeof *x->S);
  expr_solving(p, 1);
  gen_factor_symmetric(p, nf, x->L);
  for (int k = 0; k < n; k++) {
    int *z = memcpy(x->Z + (long) k * nf, x->G + (long) k * nu, (size_t) nf * sizeof *z);
    gen_solve_lower(p, nf, x->L, z);
    for (int f = 0; f < nf; f++) {
      x->W[(long) k * nf + f] = expr_mul(p, z[f], x->L[(long) f * nf + f]);
    }
  }
  expr_solving(p, 0);
  for (int k = 0; k < n; k++) {
    for (int c = 0; c <= k; c++) {
      x->S[k * n + c] = expr_dot(p, nf, x->Z + (long) k * nf, 1, x->W + (long) c * nf, 1);
    }
  }
  expr_solving(p, 1);
  gen_factor_symmetric(p, n, x->S);
  expr_solving(p, 0);
}


static void solve_rolling(genBuild *b, const genRolls *x, int *right)
{
  expr_solving(b->pool, 1);
  gen_solve_lower(b->pool, x->nkept, x->S, right);
  gen_solve_upper(b->pool, x->nkept, x->S, right);
  expr_solving(b->pool, 0);
}


//---- velocities ----------------------------------------------------------------------------------

// slip of the rows, and 1 + u'^2, of which its square is taken
static int *find_slip(genBuild *b, const genRolls *x, int *scale)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  int *v = gen_alloc(b, (size_t) nu, sizeof *v), *slip = gen_alloc(b, (size_t) x->n, sizeof *slip);
  for (int u = 0; u < nu; u++) v[u] = b->tree->v[u < l->nf ? l->free[u] : l->driven[u - l->nf]];
  for (int k = 0; k < x->nkept; k++) slip[k] = expr_dot(p, nu, x->G + (long) k * nu, 1, v, 1);
  *scale = expr_add(p, expr_constant(p, 1), expr_dot(p, nu, v, 1, v, 1));
  return slip;
}


void gen_roll_velocities(genBuild *b, eqnFunction *f)
{
  exprPool *p = b->pool;
  genRolls *x = (genRolls *) gen_reduced_rolls(b);
  const int nf = b->loops.nf;
  genDynamics rest;
  genReduced reduced;
  gen_find_dynamics(b, gen_alloc(b, (size_t) b->tree->nv, sizeof(int)), &rest);
  gen_reduce(b, &rest, &reduced);
  factor_rolling(b, reduced.A, x);
  int scale, *slip = find_slip(b, x, &scale);
  const int squares = expr_dot(p, x->nkept, slip, 1, slip, 1);
  solve_rolling(b, x, slip);
  int *unknown = gen_alloc(b, (size_t) nf, sizeof *unknown);
  int *change = x->change = gen_alloc(b, (size_t) nf, sizeof *change);
  for (int i = 0; i < nf; i++) {
    unknown[i] = b->tree->v[b->loops.free[i]];
    change[i] = expr_neg(p, expr_dot(p, x->nkept, x->Z + i, nf, slip, 1));
  }
  expr_solving(p, 1);
  gen_solve_upper(p, nf, x->L, change);
  expr_solving(p, 0);
  gen_add_stage(b, f,
                (eqnStage){.title = "velocities without slip",
                           .group = GROUP_VELOCITY,
                           .kind = STAGE_NEWTON,
                           .size = x->nkept,
                           .nunknown = nf,
                           .unknown = unknown,
                           .correction = change,
                           .residual = expr_div(p, squares, scale),
                           .tolerance = 1e-12,
                           .first = 1e-14,
                           .most = 30});
}


//---- accelerations -------------------------------------------------------------------------------

void gen_roll_accelerations(genBuild *b, const int *a_0, int *right)
{
  exprPool *p = b->pool;
  genRolls *x = (genRolls *) gen_rolls(b);
  const int nf = b->loops.nf, nv = b->tree->nv;
  int *mu = gen_alloc(b, (size_t) x->n, sizeof *mu);
  expr_solving(p, 1);
  gen_solve_lower(p, nf, x->L, right);
  expr_solving(p, 0);
  for (int k = 0; k < x->nkept; k++) {
    const int row = x->row[k];
    const int known = expr_dot(p, nv, x->A + (long) row * nv, 1, a_0, 1);
    const int own = expr_dot(p, nf, x->W + (long) k * nf, 1, right, 1);
    mu[k] = expr_sub(p, expr_sub(p, x->gamma[row], known), own);
  }
  solve_rolling(b, x, mu);
  for (int i = 0; i < nf; i++) {
    right[i] = expr_add(p, right[i], expr_dot(p, x->nkept, x->Z + i, nf, mu, 1));
  }
  expr_solving(p, 1);
  gen_solve_upper(p, nf, x->L, right);
  expr_solving(p, 0);
  for (int k = 0; k < x->nkept; k++) x->force[x->row[k]] = mu[k];
}


int gen_roll_share(genBuild *b, int velocity)
{
  int sum = 0;
  const genRolls *x = gen_rolls(b);
  for (int k = 0; x && k < x->n; k++) {
    const int A = x->A[(long) k * b->tree->nv + velocity];
    sum = expr_add(b->pool, sum, expr_mul(b->pool, A, x->force[k]));
  }
  return sum;
}
