// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the studies share.
#include "study/study.h"

#include "force/force.h"


int study_free_velocities(const artModel *m, int *list)
{
  int n = 0;
  for (int k = 0; k < m->tree.nv; k++) {
    if (m->tree.link[m->tree.dof_link[k]].is_driven) continue;
    if (list) list[n] = k;
    n++;
  }
  return n;
}


int study_free_positions(const artModel *m, int *list)
{
  int n = 0;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int end = i + 1 < m->tree.n ? m->tree.link[i + 1].q0 : m->tree.nq;
    for (int k = link->q0; k < end && !link->is_driven; k++) {
      if (list) list[n] = k;
      n++;
    }
  }
  return n;
}


int study_is_angular(const artModel *m, int k)
{
  const treeLink *link = &m->tree.link[m->tree.dof_link[k]];
  return link->kind == LINK_FREE ? k - link->v0 >= 3 : link->kind != LINK_PRISMATIC;
}


artStatus study_missing_forces(const artModel *m, artData *d, const double *a, double *g,
                               artError *error)
{
  const artStatus status = force_apply(m, d, error);
  if (status != ART_OK) return status;
  tree_rne(&m->tree, &d->work->tree, d->v, a, g);
  for (int k = 0; k < m->tree.nv; k++) g[k] -= d->force[k];
  return ART_OK;
}


artStatus study_refuse_loops(const artModel *m, artData *d, artError *error)
{
  // the methods know what to say
  return m->ncut > 0 ? art_accelerate(m, d, ART_ORDER_N, error) : ART_OK;
}
