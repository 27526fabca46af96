// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machine with multipliers, loops taken as they are (Postiau 2004, section 2.5.3; Baumgarte 1972):
//   M a + h - tau = J^T lambda,   J a = gamma - 2 alpha J v - beta^2 phi
// for the rows that count, through the factors M = L^T D L:
//   Z = J L^-1,  y = L^-T (tau - h),   Z D^-1 Z^T lambda = right side - Z D^-1 y,   L a = D^-1 (y + Z^T lambda)
// Where a coordinate moves no mass M has no such factors. Then J^T times the second equation is added to the first, which
// changes no solution: M + J^T J replaces M, tau - h + J^T (right side) replaces tau - h.

#include "gen/build.h"
#include "loop/loop.h"

typedef struct augmentedWork {
  int n, nv;      // rows, coordinates
  const int *row; // [n]
  int *L;         // [nv nv] factors of M: below the diagonal L, on it the inverse of D
  genDynamics d;  // at the accelerations of drives
  int *wanted;    // [n] J a
  int *y;         // [nv] L^-T (tau - h); of driven coordinates their accelerations
  int *Z, *W;     // [n nv] J L^-1 and J L^-1 D^-1; driven coordinates do not answer
} augmentedWork;


// J^T J to the lower triangle
static void add_rows(genBuild *b, const augmentedWork *w, int *M)
{
  exprPool *p = b->pool;
  for (int r = 0; r < w->n; r++) {
    const genEntry *J = b->rows.J.row[w->row[r]];
    const int count = b->rows.J.count[w->row[r]];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        int *entry = &M[(long) J[i].column * w->nv + J[j].column];
        if (J[j].column > J[i].column) continue;
        *entry = expr_add(p, *entry, expr_mul(p, J[i].node, J[j].node));
      }
    }
  }
}


// driven coordinates have known accelerations: rows and columns of their own
static void factor_mass(genBuild *b, augmentedWork *w)
{
  exprPool *p = b->pool;
  const int n = w->nv;
  w->L = gen_alloc(b, (size_t) n * (size_t) n, sizeof *w->L);
  for (int i = 0; i < n; i++) matrix_spread(&w->d.M, i, w->L + (long) i * n);
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) w->L[(long) i * n + j] = 0;
  }
  if (b->has_massless) add_rows(b, w, w->L);
  for (int i = 0; i < b->m->ndrive; i++) {
    const int k = b->m->drive[i].velocity;
    for (int j = 0; j < n; j++)
      w->L[j > k ? j * n + k : k * n + j] = j == k ? expr_constant(p, 1) : 0;
  }
  expr_solving(p, 1);
  gen_factor_symmetric(p, n, w->L);
  expr_solving(p, 0);
}


// L^T y = x
static void solve_half_factor(genBuild *b, const augmentedWork *w, int *x)
{
  expr_solving(b->pool, 1);
  gen_solve_lower(b->pool, w->nv, w->L, x);
  expr_solving(b->pool, 0);
}


static void halve_rows(genBuild *b, augmentedWork *w)
{
  const size_t n = (size_t) w->n, nv = (size_t) w->nv;
  w->Z = gen_alloc(b, n * nv, sizeof *w->Z);
  w->W = gen_alloc(b, n * nv, sizeof *w->W);
  for (int r = 0; r < w->n; r++) {
    int *z = w->Z + r * w->nv;
    matrix_spread(&b->rows.J, w->row[r], z);
    for (int i = 0; i < b->m->ndrive; i++) z[b->m->drive[i].velocity] = 0;
    solve_half_factor(b, w, z);
    for (int k = 0; k < w->nv; k++) {
      w->W[r * w->nv + k] = expr_mul(b->pool, z[k], w->L[k * w->nv + k]);
    }
  }
}


// gamma - 2 alpha J v - beta^2 phi
static void find_wanted(genBuild *b, augmentedWork *w)
{
  exprPool *p = b->pool;
  w->wanted = gen_alloc(b, (size_t) w->n, sizeof *w->wanted);
  const int damping = gen_parameter(b, 2 * LOOP_BAUMGARTE_ALPHA, "baumgarte_damping", 0);
  const int stiffness =
      gen_parameter(b, LOOP_BAUMGARTE_BETA * LOOP_BAUMGARTE_BETA, "baumgarte_stiffness", 0);
  for (int r = 0; r < w->n; r++) {
    const genEntry *J = b->rows.J.row[w->row[r]];
    int rate = 0;
    for (int k = 0; k < b->rows.J.count[w->row[r]]; k++) {
      rate = expr_add(p, rate, expr_mul(p, J[k].node, b->tree->v[J[k].column]));
    }
    const int drift =
        expr_add(p, expr_mul(p, damping, rate), expr_mul(p, stiffness, b->rows.phi[w->row[r]]));
    w->wanted[r] = expr_sub(p, b->rows.gamma[w->row[r]], drift);
  }
}


// J a of the driven coordinates
static int pull_of_drives(genBuild *b, const augmentedWork *w, int r)
{
  exprPool *p = b->pool;
  int pull = 0;
  for (int i = 0; i < b->m->ndrive; i++) {
    const int J = matrix_entry(&b->rows.J, w->row[r], b->m->drive[i].velocity);
    pull = expr_add(p, pull, expr_mul(p, J, b->drive[2][i]));
  }
  return pull;
}


// h - J^T (wanted - J a of the driven coordinates)
static void open_forces(genBuild *b, augmentedWork *w)
{
  exprPool *p = b->pool;
  w->d.h = arena_copy(&b->program->arena, w->d.h, (size_t) w->nv, sizeof *w->d.h);
  for (int r = 0; r < w->n; r++) {
    const genEntry *J = b->rows.J.row[w->row[r]];
    const int open = expr_sub(p, w->wanted[r], pull_of_drives(b, w, r));
    for (int i = 0; i < b->rows.J.count[w->row[r]]; i++) {
      int *h = &w->d.h[J[i].column];
      *h = expr_sub(p, *h, expr_mul(p, J[i].node, open));
    }
  }
}


// what is wanted less what the rows see without multipliers: J a of the driven coordinates, Z D^-1 y of the others
static int *right_sides(genBuild *b, const augmentedWork *w)
{
  exprPool *p = b->pool;
  int *right = gen_alloc(b, (size_t) w->n, sizeof *right);
  for (int r = 0; r < w->n; r++) {
    int pull = pull_of_drives(b, w, r);
    for (int k = 0; k < w->nv; k++) {
      pull = expr_add(p, pull, expr_mul(p, w->W[r * w->nv + k], w->y[k]));
    }
    right[r] = expr_sub(p, w->wanted[r], pull);
  }
  return right;
}


// L a = D^-1 (y + Z^T lambda)
static int *augmented_accelerations(genBuild *b, const augmentedWork *w, const int *lambda)
{
  exprPool *p = b->pool;
  int *a = gen_alloc(b, (size_t) w->nv, sizeof *a);
  for (int k = 0; k < w->nv; k++) {
    a[k] = w->y[k];
    for (int r = 0; r < w->n; r++) {
      a[k] = expr_add(p, a[k], expr_mul(p, w->Z[r * w->nv + k], lambda[r]));
    }
  }
  expr_solving(p, 1);
  gen_solve_upper(p, w->nv, w->L, a);
  expr_solving(p, 0);
  return a;
}


void gen_augmented(genBuild *b)
{
  const loopPartition *part = &b->d->work->loop->partition;
  augmentedWork w = {.n = part->nd, .nv = b->tree->nv, .row = part->block_row};
  int *driven = gen_alloc(b, (size_t) w.nv, sizeof *driven);
  for (int i = 0; i < b->m->ndrive; i++) driven[b->m->drive[i].velocity] = b->drive[2][i];
  gen_find_dynamics(b, driven, &w.d);
  find_wanted(b, &w);
  if (b->has_massless) open_forces(b, &w);
  factor_mass(b, &w);
  w.y = gen_alloc(b, (size_t) w.nv, sizeof *w.y);
  for (int i = 0; i < w.nv; i++) w.y[i] = expr_neg(b->pool, w.d.h[i]);
  for (int i = 0; i < b->m->ndrive; i++) w.y[b->m->drive[i].velocity] = b->drive[2][i];
  solve_half_factor(b, &w, w.y);
  halve_rows(b, &w);
  int *x = right_sides(b, &w), *lambda = gen_alloc(b, (size_t) b->m->nrow, sizeof *lambda);
  // Z D^-1 Z^T lambda = right
  exprPool *p = b->pool;
  int *A = gen_alloc(b, (size_t) w.n * (size_t) w.n, sizeof *A);
  for (int r = 0; r < w.n; r++) {
    for (int c = 0; c <= r; c++) {
      A[r * w.n + c] = expr_dot(p, w.nv, w.Z + r * w.nv, 1, w.W + c * w.nv, 1);
    }
  }
  gen_eliminate_symmetric(p, w.n, A, x);
  const int *a = augmented_accelerations(b, &w, x);
  for (int r = 0; r < w.n; r++) lambda[w.row[r]] = x[r];
  eqnFunction *f = gen_add_function(
      b, EQN_AUGMENTED,
      "accelerations and multipliers together; loops are taken as they are and stabilised",
      GEN_STATE_INPUTS, 2, 2 + gen_wheel_stage_count(b));
  const eqnFunction *first = eqn_function(b->program, EQN_ACCELERATE);
  f->ninput = gen_state_inputs(b, f->input);
  f->nstage = 0;
  if (b->m->ndrive > 0) f->stage[f->nstage++] = first->stage[0];
  gen_wheel_stages(b, f);
  f->stage[f->nstage++] =
      (eqnStage){.title = "accelerations and multipliers", .group = GROUP_SOLVE};
  f->output[0] = gen_accelerations(b, a);
  f->output[1] =
      gen_vector(b, "multiplier", "multipliers of the constraint rows", b->m->nrow, lambda, NULL);
}
