// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Augmented method (Postiau 2004, section 2.5.3): accelerations and multipliers together from
//
//   [M  J^T] [   x   ]   [tau - h]
//   [J   0 ] [-lambda] = [gamma* ]       a = x + accelerations of the drives
//
// for the independent rows, with h and gamma at the prescribed accelerations of the drives. Driven
// coordinates have an equation of their own, x = 0. One dense factorisation, kept simple for
// comparison.
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"

typedef struct methodAugmented {
  int most;      // order of the largest system
  double *M;     // [nv nv] mass matrix of the tree
  double *K;     // [most most] by columns, lower triangle
  double *x;     // [most]
  double *space; // LAPACK workspace
  lapack_int size;
  lapack_int *swap; // [most]
} methodAugmented;


static artStatus augmented_start(const artModel *m, artData *d, artError *error)
{
  struct methodWork *own = d->work->method;
  baseArena *arena = &own->arena;
  methodAugmented *g = arena_alloc(arena, 1, sizeof *g);
  if (!g) return base_no_memory(error);
  const artStatus status = method_take_matrix(m, d, ART_AUGMENTED, ART_RECURSIVE, &g->M, error);
  if (status != ART_OK) return status;
  g->most = m->tree.nv + m->nrow;
  const size_t n = (size_t) g->most;
  double best = 0;
  LAPACKE_dsysv_work(LAPACK_COL_MAJOR, 'L', g->most, 1, &best, g->most, NULL, &best, g->most, &best,
                     -1);
  g->size = (lapack_int) best;
  if (!ARENA_TAKE(arena, g->K, n * n) || !ARENA_TAKE(arena, g->x, n) ||
      !ARENA_TAKE(arena, g->swap, n) || !ARENA_TAKE(arena, g->space, g->size))
    return base_no_memory(error);
  own->part[ART_AUGMENTED] = g;
  return ART_OK;
}


// All rows and J at the present positions; *is_singular: a singular position is near.
static artStatus augmented_find_rows(const artModel *m, artData *d, int *is_singular,
                                     artError *error)
{
  struct loopWork *loop = d->work->loop;
  const artStatus status = loop_rows(m, d, NULL, error);
  *is_singular = status == ART_OK && method_may_be_singular(loop) && method_is_singular(m, d);
  return status;
}


// the matrix and the right-hand side; driven coordinates are decoupled
static artStatus make_system(const artModel *m, artData *d, methodAugmented *g, int n,
                             artError *error)
{
  ART_ASSERT(n <= g->most);
  artWorkspace *w = d->work;
  struct loopWork *loop = w->loop;
  const treeModel *t = &m->tree;
  tree_rne(t, &w->tree, d->v, w->a_drive, w->scratch);
  rods_positions(m, d, &w->rods);
  rods_bias(m, d, &w->rods, w->scratch);
  profile_end(w->profile, PROFILE_INERTIA);
  tree_mass(t, &w->tree, NULL, g->M);
  profile_end(w->profile, PROFILE_PROJECTION);
  const artStatus status = rows_gamma(m, d, &loop->rows, NULL, error);
  if (status != ART_OK) return status;
  method_stabilise(m, d, NULL);
  profile_end(w->profile, PROFILE_BIAS);

  memset(g->K, 0, (size_t) n * (size_t) n * sizeof *g->K);
  for (int k = 0; k < t->nv; k++) {
    const double *row = g->M + (long) k * t->nv;
    g->x[k] = loop->driven[k] ? 0 : d->force[k] - w->scratch[k];
    g->K[k + (long) k * n] = loop->driven[k] ? 1 : row[k];
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      if (!loop->driven[k] && !loop->driven[j]) g->K[k + (long) j * n] = row[j];
    }
  }
  rods_add_mass(m, &w->rods, loop->driven, g->K, 1, n);
  for (int i = 0; i < loop->rank.rank; i++) {
    const int row = loop->rank.independent[i];
    const loopMatrix *J = &loop->rows.J;
    for (int e = J->start[row]; e < J->start[row + 1]; e++) {
      const int k = J->column[e];
      if (!loop->driven[k]) g->K[t->nv + i + (long) k * n] = J->value[e];
    }
    g->x[t->nv + i] = loop->rows.gamma[row];
  }
  return ART_OK;
}


static artStatus augmented_solve(const artModel *m, artData *d, artError *error)
{
  artWorkspace *w = d->work;
  struct loopWork *loop = w->loop;
  int is_singular = 0;
  artStatus status = method_start(m, d, ART_AUGMENTED, error);
  if (status == ART_OK && !loop->is_ready) status = loop_partition(m, d, error);
  if (status != ART_OK) return status;
  profile_begin(w->profile);
  status = augmented_find_rows(m, d, &is_singular, error);
  profile_end(w->profile, PROFILE_CONSTRAINTS);
  if (status == ART_OK && is_singular) return method_semirecursive(m, d, error);
  data_need_world(m, d); // building a bridge over a singular position moves links
  if (status == ART_OK) status = force_apply(m, d, error);
  profile_end(w->profile, PROFILE_FORCES);
  if (status != ART_OK) return status;

  methodAugmented *g = method_part(d, ART_AUGMENTED);
  const int nv = m->tree.nv, n = nv + loop->rank.rank;
  status = make_system(m, d, g, n, error);
  if (status != ART_OK) return status;
  const lapack_int info =
      LAPACKE_dsysv_work(LAPACK_COL_MAJOR, 'L', n, 1, g->K, n, g->swap, g->x, n, g->space, g->size);
  int is_finite = info == 0;
  for (int k = 0; k < n; k++) is_finite = is_finite && isfinite(g->x[k]);
  if (!is_finite) {
    return base_fail(error, ART_SINGULAR, base_nowhere(),
                     "no accelerations can be found at t = %.9g s: %s", d->time,
                     loop_is_strong(loop, loop_factor(loop))
                         ? "something moves that has no inertia"
                         : "constraints that were independent follow from each other "
                           "here, in a singular position of the loops");
  }
  rods_react(m, d, &w->rods, g->x);
  for (int k = 0; k < nv; k++) d->a[k] = g->x[k] + w->a_drive[k];
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof *loop->rows.lambda);
  for (int i = 0; i < loop->rank.rank; i++) {
    loop->rows.lambda[loop->rank.independent[i]] = -g->x[nv + i];
  }
  profile_end(w->profile, PROFILE_SOLUTION);
  return ART_OK;
}


const methodKind augmented_kind = {
    .start = augmented_start,
    .solve = augmented_solve,
    .stage = {[PROFILE_CONSTRAINTS] = "J", [PROFILE_BIAS] = "gamma", [PROFILE_PROJECTION] = "M"},
};
