// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Augmented method (Postiau 2004, section 2.5.3): accelerations and multipliers together from
//
//   [M  J^T] [   x   ]   [tau - h]
//   [J   0 ] [-lambda] = [gamma* ]       a = x + accelerations of the drives
//
// over the rows that count, with h and gamma at the accelerations of the drives. Driven coordinates
// have an equation of their own, x = 0. One dense factorisation, kept plain for comparison.
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"

struct methodAugmented {
  int most;      // order of the largest system
  double *K;     // [most most] by columns, lower triangle
  double *x;     // [most]
  double *space; // of LAPACK
  lapack_int size;
  lapack_int *swap; // [most]
};


static struct methodAugmented *start(const artModel *m, baseArena *arena)
{
  struct methodAugmented *g = arena_alloc(arena, 1, sizeof *g);
  if (!g) return NULL;
  g->most = m->tree.nv + m->nrow;
  const size_t n = (size_t) g->most;
  double best = 0;
  LAPACKE_dsysv_work(LAPACK_COL_MAJOR, 'L', g->most, 1, &best, g->most, NULL, &best, g->most, &best,
                     -1);
  g->size = (lapack_int) best;
  g->K = arena_alloc(arena, n * n, sizeof *g->K);
  g->x = arena_alloc(arena, n, sizeof *g->x);
  g->swap = arena_alloc(arena, n, sizeof *g->swap);
  g->space = arena_alloc(arena, (size_t) g->size, sizeof *g->space);
  return g->K && g->x && g->swap && g->space ? g : NULL;
}


// M into the upper left corner, driven coordinates apart
static void put_mass(const artModel *m, const artData *d, struct methodAugmented *g, int n)
{
  const treeModel *t = &m->tree;
  const bool *driven = d->work->loop->driven;
  for (int k = 0; k < t->nv; k++) {
    const double *row = d->work->method->M + (long) k * t->nv;
    g->K[k + (long) k * n] = driven[k] ? 1 : row[k];
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      if (!driven[k] && !driven[j]) g->K[k + (long) j * n] = row[j];
    }
  }
}


static void put_rows(const artModel *m, const artData *d, struct methodAugmented *g, int n)
{
  const struct loopWork *loop = d->work->loop;
  const int nv = m->tree.nv;
  for (int i = 0; i < loop->rank.rank; i++) {
    const int row = loop->rank.independent[i];
    const loopMatrix *J = &loop->rows.J;
    for (int e = J->start[row]; e < J->start[row + 1]; e++) {
      const int k = J->column[e];
      if (!loop->driven[k]) g->K[nv + i + (long) k * n] = J->value[e];
    }
    g->x[nv + i] = loop->rows.gamma[row];
  }
}


static artStatus solve(const artModel *m, artData *d, artError *error)
{
  const struct loopWork *loop = d->work->loop;
  struct methodAugmented *g = d->work->method->augmented;
  const int nv = m->tree.nv, n = nv + loop->rank.rank;
  memset(g->K, 0, (size_t) n * (size_t) n * sizeof *g->K);
  put_mass(m, d, g, n);
  rods_add_mass(m, &d->work->rods, loop->driven, g->K, 1, n);
  put_rows(m, d, g, n);
  const lapack_int info =
      LAPACKE_dsysv_work(LAPACK_COL_MAJOR, 'L', n, 1, g->K, n, g->swap, g->x, n, g->space, g->size);
  int is_finite = info == 0;
  for (int k = 0; k < n; k++) is_finite = is_finite && isfinite(g->x[k]);
  if (is_finite) return ART_OK;
  return base_fail(error, ART_SINGULAR, base_nowhere(),
                   "no accelerations can be found at t = %.9g s: %s", d->time,
                   loop_is_sound(loop) ? "something moves that has no inertia"
                                       : "constraints that were independent follow from each other "
                                         "here, in a singular position of the loops");
}


// everything the system is made of, at the state as it is
static artStatus prepare(const artModel *m, artData *d, artError *error)
{
  artWork *w = d->work;
  struct loopWork *loop = w->loop;
  const treeModel *t = &m->tree;
  artStatus status = rows_positions(m, d, &loop->rows, NULL, error);
  if (status != ART_OK) return status;
  tree_axes(t, &w->tree);
  status = rows_jacobian(m, d, &loop->rows, NULL, error);
  profile_end(w->profile, PROFILE_CONSTRAINTS);
  if (status == ART_OK) status = force_apply(m, d, error);
  profile_end(w->profile, PROFILE_FORCES);
  if (status != ART_OK) return status;

  tree_rne(t, &w->tree, d->v, w->a_drive, w->scratch);
  rods_positions(m, d, &d->work->rods);
  rods_bias(m, d, &d->work->rods, w->scratch);
  profile_end(w->profile, PROFILE_INERTIA);
  tree_mass(t, &w->tree, NULL, w->method->M);
  profile_end(w->profile, PROFILE_PROJECTION);
  status = rows_gamma(m, d, &loop->rows, NULL, error);
  if (status == ART_OK) method_stabilise(m, d, NULL);
  profile_end(w->profile, PROFILE_BIAS);
  for (int k = 0; k < t->nv; k++) {
    w->method->augmented->x[k] = loop->driven[k] ? 0 : d->force[k] - w->scratch[k];
  }
  return status;
}


static artStatus take_memory(const artModel *m, artData *d, artError *error)
{
  const artStatus status = method_take_matrix(m, d, "augmented", "recursive", error);
  if (status != ART_OK) return status;
  struct methodWork *own = d->work->method;
  if (!own->augmented && !(own->augmented = start(m, &own->arena))) {
    return base_no_memory(error);
  }
  return d->work->loop->is_ready ? ART_OK : loop_partition(m, d, error);
}


artStatus method_augmented(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  artStatus status = take_memory(m, d, error);
  if (status == ART_OK && method_is_singular(m, d)) return method_semirecursive(m, d, error);
  profile_begin(d->work->profile);
  if (status == ART_OK) status = prepare(m, d, error);
  if (status == ART_OK) status = solve(m, d, error);
  if (status != ART_OK) return status;

  const double *x = d->work->method->augmented->x;
  const int nv = m->tree.nv;
  rods_react(m, d, &d->work->rods, x);
  for (int k = 0; k < nv; k++) d->a[k] = x[k] + d->work->a_drive[k];
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof *loop->rows.lambda);
  for (int i = 0; i < loop->rank.rank; i++) {
    loop->rows.lambda[loop->rank.independent[i]] = -x[nv + i];
  }
  profile_end(d->work->profile, PROFILE_SOLUTION);
  return ART_OK;
}


const methodKind augmented_kind = {
    .solve = method_augmented,
    .stage = {[PROFILE_CONSTRAINTS] = "J", [PROFILE_BIAS] = "gamma", [PROFILE_PROJECTION] = "M"},
};
