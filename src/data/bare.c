// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The open tree: gravity is the only force, loops are open, and the mass of rods is at their end
// points.
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "data/place.h"
#include "data/rod.h"
#include "data/rod_inertia.h"


// the open tree has no applied forces; restore them afterwards, because reactions may be requested
static const wrench *take_applied(artData *d)
{
  const wrench *applied = d->work->tree.f_ext;
  d->work->tree.f_ext = NULL;
  d->work->has_motion = 0;
  return applied;
}


void art_inverse_dynamics(const artModel *m, artData *d, const double *a, double *tau)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(tau || m->tree.nv == 0, );
  const wrench *applied = take_applied(d);
  tree_rne(&m->tree, &d->work->tree, d->v, a, tau);
  rods_add(m, d, tau);
  d->work->tree.f_ext = applied;
}


void art_mass_matrix_lower(const artModel *m, artData *d, double *M)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(M || m->tree.nv == 0, );
  data_need_world(m, d);
  tree_axes(&m->tree, &d->work->tree);
  tree_mass(&m->tree, &d->work->tree, NULL, M);
  if (m->nrod == 0) return;
  rodInertia *rods = &d->work->rods;
  rods_positions(m, d, rods);
  rods_clear_mass(m, M);
  rods_add_mass(m, rods, NULL, M, m->tree.nv, 1);
}


void art_mass_matrix(const artModel *m, artData *d, double *M)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(M || m->tree.nv == 0, );
  const int n = m->tree.nv;
  if (n > 0) memset(M, 0, (size_t) n * (size_t) n * sizeof *M);
  art_mass_matrix_lower(m, d, M);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) M[(long) j * n + i] = M[(long) i * n + j];
  }
}


void art_momentum(const artModel *m, const artData *d, double linear[3], double angular[3])
{
  ARITHMETIC_GUARD;
  const v3 unknown = {NAN, NAN, NAN};
  data_put3(linear, unknown);
  data_put3(angular, unknown);
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(linear && angular, );
  data_need_velocity(m, d);
  const wrench p = wr_add(tree_momentum(&m->tree, &d->work->tree), rod_momentum(m, d));
  data_put3(linear, p.lin);
  data_put3(angular, p.ang);
}
