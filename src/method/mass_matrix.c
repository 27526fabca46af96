// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations of trees by the mass matrix, factored from the leaves.
#include <math.h>

#include "base/error.h"
#include "force/force.h"
#include "method/method.h"


artStatus method_take_matrix(const artModel *m, artData *d, artMethod method, artMethod other,
                             double **M, artError *error)
{
  const size_t n = (size_t) m->tree.nv;
  if (n > METHOD_LARGEST_MATRIX) {
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "method %s keeps a full matrix and takes at most %d coordinates, this model "
                     "has %d; use %s",
                     art_method_name(method), METHOD_LARGEST_MATRIX, m->tree.nv,
                     art_method_name(other));
  }
  *M = arena_alloc(&d->work->method->arena, n * n, sizeof **M);
  return *M ? ART_OK : base_no_memory(error);
}


static artStatus mass_matrix_start(const artModel *m, artData *d, artError *error)
{
  double *M = NULL;
  const artStatus status = method_take_matrix(m, d, ART_MASS_MATRIX, ART_ORDER_N, &M, error);
  d->work->method->part[ART_MASS_MATRIX] = M;
  return status;
}


// driven coordinates have known accelerations: remove them from the matrix; the bias on the
// right-hand side already contains their effect
static void fix_driven(const artModel *m, double *M, double *rest)
{
  const treeModel *t = &m->tree;
  const long n = t->nv;
  for (int k = 0; k < t->nv; k++) {
    const int own = t->link[t->dof_link[k]].is_driven;
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      if (own || t->link[t->dof_link[j]].is_driven) M[k * n + j] = 0;
    }
    if (!own) continue;
    M[k * n + k] = 1;
    rest[k] = 0;
  }
}


static artStatus mass_matrix_solve(const artModel *m, artData *d, artError *error)
{
  artWorkspace *w = d->work;
  const int n = m->tree.nv;
  profile_begin(w->profile);
  artStatus status = force_apply(m, d, error);
  profile_end(w->profile, PROFILE_FORCES);
  if (status == ART_OK && n > 0) status = method_start(m, d, ART_MASS_MATRIX, error);
  if (status != ART_OK || n == 0) return status;
  double *M = method_part(d, ART_MASS_MATRIX);

  // M a = tau - h, with h at the prescribed accelerations of the drives
  tree_rne(&m->tree, &w->tree, d->v, w->a_drive, w->scratch);
  for (int k = 0; k < n; k++) w->scratch[k] = d->force[k] - w->scratch[k];
  profile_end(w->profile, PROFILE_INERTIA);
  data_need_world(m, d);
  tree_axes(&m->tree, &w->tree);
  tree_mass(&m->tree, &w->tree, NULL, M);
  if (m->ndrive > 0) fix_driven(m, M, w->scratch);
  profile_end(w->profile, PROFILE_PROJECTION);
  tree_factor(&m->tree, M);
  tree_solve(&m->tree, M, w->scratch);

  for (int k = n - 1; k >= 0; k--) {
    if (!(M[(long) k * n + k] > 0)) return method_report_singular(m, d, k, error);
    d->a[k] = w->scratch[k] + w->a_drive[k];
  }
  for (int k = 0; k < n; k++) {
    if (!isfinite(d->a[k])) return method_report_singular(m, d, k, error);
  }
  profile_end(w->profile, PROFILE_SOLUTION);
  return ART_OK;
}


// forming the mass matrix leaves the links with other accelerations
const methodKind mass_matrix_kind = {
    .start = mass_matrix_start,
    .solve = mass_matrix_solve,
    .leaves_links = 1,
    .stage = {[PROFILE_PROJECTION] = "M"},
};
