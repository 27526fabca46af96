// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machine with multipliers, loops taken as they are (Postiau 2004, section 2.5.3; Baumgarte 1972):
//   M a + h - tau = J^T lambda,   J a = gamma - 2 alpha J v - beta^2 phi
// for the rows that count, through the factors of M:
//   J M^-1 J^T lambda = right side - J M^-1 (tau - h)
#include <string.h>

#include "gen/build.h"
#include "loop/loop.h"

typedef struct augmentedWork {
  int n, nv;      // rows, coordinates
  const int *row; // [n]
  int *L;         // [nv nv] factors of M: below the diagonal L, on it the inverse of D
  genDynamics d;  // at the accelerations of drives
  int *X;         // [n nv] M^-1 J^T, by rows of J
  int *right;     // [n]
} augmentedWork;


// driven coordinates have known accelerations: rows and columns of their own
static int factor_mass(genBuild *b, augmentedWork *w)
{
  exprPool *p = b->pool;
  const int n = w->nv;
  w->L = gen_alloc(b, (size_t) n * (size_t) n, sizeof *w->L);
  if (!w->L) return 0;
  memcpy(w->L, w->d.M, (size_t) n * (size_t) n * sizeof *w->L);
  for (int i = 0; i < b->m->ndrive; i++) {
    const int k = b->m->drive[i].velocity;
    for (int j = 0; j < n; j++)
      w->L[j > k ? j * n + k : k * n + j] = j == k ? expr_constant(p, 1) : 0;
  }
  expr_solving(p, 1);
  gen_factor_symmetric(p, n, w->L);
  expr_solving(p, 0);
  return 1;
}


static void solve_mass(genBuild *b, const augmentedWork *w, int *x)
{
  expr_solving(b->pool, 1);
  gen_solve_symmetric(b->pool, w->nv, w->L, x);
  expr_solving(b->pool, 0);
}


// accelerations without multipliers: those of drives are kept
static int *free_accelerations(genBuild *b, const augmentedWork *w)
{
  int *x = gen_alloc(b, (size_t) w->nv, sizeof *x);
  if (!x) return NULL;
  for (int i = 0; i < w->nv; i++) x[i] = expr_neg(b->pool, w->d.h[i]);
  for (int i = 0; i < b->m->ndrive; i++) x[b->m->drive[i].velocity] = b->drive[2][i];
  solve_mass(b, w, x);
  return x;
}


static int find_dynamics(genBuild *b, augmentedWork *w)
{
  int *driven = gen_alloc(b, (size_t) w->nv, sizeof *driven);
  if (!driven) return 0;
  for (int i = 0; i < b->m->ndrive; i++) driven[b->m->drive[i].velocity] = b->drive[2][i];
  return gen_find_dynamics(b, driven, &w->d) && factor_mass(b, w);
}


// gamma - 2 alpha J v - beta^2 phi - J a_0
static int *right_sides(genBuild *b, const augmentedWork *w, const int *a)
{
  exprPool *p = b->pool;
  int *right = gen_alloc(b, (size_t) w->n, sizeof *right);
  if (!right) return NULL;
  const int damping = gen_parameter(b, 2 * LOOP_BAUMGARTE_ALPHA, "baumgarte_damping", 0);
  const int stiffness =
      gen_parameter(b, LOOP_BAUMGARTE_BETA * LOOP_BAUMGARTE_BETA, "baumgarte_stiffness", 0);
  for (int r = 0; r < w->n; r++) {
    const int *J = b->rows.J + (long) w->row[r] * w->nv;
    int rate = 0, pull = 0;
    for (int k = 0; k < w->nv; k++) {
      if (J[k] == 0) continue;
      rate = expr_add(p, rate, expr_mul(p, J[k], b->tree->v[k]));
      pull = expr_add(p, pull, expr_mul(p, J[k], a[k]));
    }
    const int drift =
        expr_add(p, expr_mul(p, damping, rate), expr_mul(p, stiffness, b->rows.phi[w->row[r]]));
    right[r] = expr_sub(p, expr_sub(p, b->rows.gamma[w->row[r]], drift), pull);
  }
  return right;
}


// J M^-1 J^T lambda = right; driven coordinates do not answer
static int solve_multipliers(genBuild *b, augmentedWork *w, int *lambda)
{
  exprPool *p = b->pool;
  const size_t n = (size_t) w->n, nv = (size_t) w->nv;
  w->X = gen_alloc(b, n * nv, sizeof *w->X);
  int *A = gen_alloc(b, n * n, sizeof *A);
  if (!w->X || !A) return 0;
  for (int r = 0; r < w->n; r++) {
    int *x = w->X + r * w->nv;
    memcpy(x, b->rows.J + (long) w->row[r] * w->nv, nv * sizeof *x);
    for (int i = 0; i < b->m->ndrive; i++) x[b->m->drive[i].velocity] = 0;
    solve_mass(b, w, x);
  }
  for (int r = 0; r < w->n; r++) {
    const int *J = b->rows.J + (long) w->row[r] * w->nv;
    for (int c = 0; c < w->n; c++) {
      for (int k = 0; k < w->nv; k++) {
        const int x = w->X[c * w->nv + k];
        if (J[k] != 0 && x != 0) {
          A[r * w->n + c] = expr_add(p, A[r * w->n + c], expr_mul(p, J[k], x));
        }
      }
    }
  }
  expr_solving(p, 1);
  gen_factor(p, w->n, A);
  gen_solve(p, w->n, A, lambda);
  expr_solving(p, 0);
  return 1;
}


artStatus gen_augmented(genBuild *b)
{
  const loopPartition *part = &b->d->work->loop->partition;
  augmentedWork w = {.n = part->nd, .nv = b->tree->nv, .row = part->block_row};
  int *a = find_dynamics(b, &w) ? free_accelerations(b, &w) : NULL;
  int *x = a ? right_sides(b, &w, a) : NULL;
  int *lambda = gen_alloc(b, (size_t) b->m->nrow, sizeof *lambda);
  if (!x || !lambda || !solve_multipliers(b, &w, x)) return base_no_memory(b->error);
  for (int r = 0; r < w.n; r++) {
    lambda[w.row[r]] = x[r];
    for (int k = 0; k < w.nv; k++) {
      const int answer = w.X[r * w.nv + k];
      if (answer != 0) a[k] = expr_add(b->pool, a[k], expr_mul(b->pool, answer, x[r]));
    }
  }
  eqnFunction *f = gen_add_function(
      b, "augmented",
      "accelerations and multipliers together; loops are taken as they are and stabilised",
      GEN_STATE_INPUTS, 2, 2 + gen_wheel_stage_count(b));
  if (!f) return base_no_memory(b->error);
  const eqnFunction *first = gen_function(b->program, "accelerate");
  f->ninput = gen_state_inputs(b, f->input);
  f->nstage = 0;
  if (b->m->ndrive > 0) f->stage[f->nstage++] = first->stage[0];
  gen_wheel_stages(b, f);
  f->stage[f->nstage++] =
      (eqnStage){.title = "accelerations and multipliers", .group = GROUP_SOLVE};
  f->output[0] = gen_vector(b, "a", "accelerations", w.nv, a, NULL);
  f->output[1] =
      gen_vector(b, "multiplier", "multipliers of the constraint rows", b->m->nrow, lambda, NULL);
  return ART_OK;
}
