// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Jacobians of points: derivatives with respect to velocity coordinates.
#include "tree/tree.h"


void tree_jacobian(const treeModel *t, const treeData *d, int i, v3 r, real *J)
{
  ART_ASSERT(i >= 0 && i < t->n);
  ART_ASSERT(d->has_world);
  const long n = t->nv;
  for (long e = 0; e < 6 * n; e++) J[e] = r_const(0);

  // move inward to the last link that has a coordinate
  while (i > 0 && t->link[i].nv == 0) {
    r = v3_add(d->pose[i].p, m3_back(d->pose[i].R, r));
    i = t->link[i].parent;
  }
  if (i == 0) return;

  const v3 arm = v3_sub(tree_point(d, i, r), tree_in_ground(d, t->anchor[i])->o);
  for (int k = t->link[i].v0 + t->link[i].nv - 1; k >= 0; k = t->dof_parent[k]) {
    // velocity at the point: v + w x arm
    const motion S = tree_axis(&d->S, k);
    const v3 lin = v3_add(S.lin, v3_cross(S.ang, arm));
    J[k] = S.ang.x;
    J[n + k] = S.ang.y;
    J[2 * n + k] = S.ang.z;
    J[3 * n + k] = lin.x;
    J[4 * n + k] = lin.y;
    J[5 * n + k] = lin.z;
  }
}
