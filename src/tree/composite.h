// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass matrix by the composite-rigid-body algorithm (Walker, Orin 1982). The same source serves
// numbers and symbols in ground axes (mass.c) and symbols in link axes (gen/tree/tree_recursion.c).
// An including file first defines the point of reference of composite bodies:
//
//   treeInertia group_of_link(t, d, i)            inertia of a link
//   treeInertia group_in_parent(t, d, i)          inertia of a link's subtree, relative to its
//   parent
//   motion group_axis(t, d, k)                    motion of the subtree for a unit of velocity
//   coordinate k
//   void group_row(t, d, k, f, row)               row[j] = S_j . f for every coordinate j that
//   moves k

#include "tree/inertia.h"

static inline treeInertia group_of_link(const treeModel *t, const treeData *d, int i);
static inline treeInertia group_in_parent(const treeModel *t, const treeData *d, int i);
static inline motion group_axis(const treeModel *t, const treeData *d, int k);
static inline void group_row(const treeModel *t, const treeData *d, int k, wrench f, real *row);


// momentum of a composite body with velocity S
static inline wrench group_momentum(const treeInertia *g, motion S)
{
  // N = J w + h x v,  F = m v - h x w
  return (wrench){v3_add(s3_mul(g->J, S.ang), v3_cross(g->h, S.lin)),
                  v3_sub(v3_scale(g->m, S.lin), v3_cross(g->h, S.ang))};
}


// composite inertia of each subtree; the link itself is included if other joints move it too
static void compose_groups(const treeModel *t, treeData *d)
{
  treeInertia *group = d->group; // group_in_parent reads this array too
  for (int i = 1; i < t->n; i++) group[i] = group_of_link(t, d, i);
  for (int i = t->n - 1; i > 0; i--) {
    const int p = t->link[i].parent;
    if (p > 0) group[p] = inertia_add(group[p], group_in_parent(t, d, i));
  }
}


// M_kj = S_j . I_k S_k
static void fill_mass_row(const treeModel *t, const treeData *d, int k, real *row)
{
  const treeLink *link = &t->link[t->dof_link[k]];
  group_row(t, d, k, group_momentum(&d->group[t->dof_link[k]], group_axis(t, d, k)), row);
  if (link->has_rotor) row[k] = r_add(row[k], link->rotor);
}
