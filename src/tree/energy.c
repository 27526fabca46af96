// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinetic and potential energy, and momentum.
#include "tree/tree.h"


real tree_kinetic(const treeModel *t, const treeData *d, const real *v)
{
  real sum = r_const(0);
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const v3 w = tree_motion(d, i)->ang, u = tree_motion(d, i)->lin;

    // 2 T = m u.u + w.J w + 2 u.(w x h), and the rotor's part
    const real linear = r_mul(link->mass, v3_dot(u, u));
    const real angular = v3_dot(w, s3_mul(link->J, w));
    const real mixed = r_mul(r_const(2), v3_dot(u, v3_cross(w, link->h)));
    sum = r_add(sum, r_add(r_add(linear, angular), mixed));
    if (link->has_rotor) {
      const real rate = v[link->v0];
      sum = r_add(sum, r_mul(link->rotor, r_mul(rate, rate)));
    }
  }
  return r_mul(r_const(0.5), sum);
}


real tree_potential(const treeModel *t, const treeData *d)
{
  real sum = r_const(0);
  for (int i = 1; i < t->n; i++) {
    // V = -g.(m o + R^T h)
    const treeLink *link = &t->link[i];
    const v3 moment = v3_add(v3_scale(link->mass, tree_in_ground(d, i)->o),
                             m3_back(tree_in_ground(d, i)->R, link->h));
    sum = r_sub(sum, v3_dot(t->gravity, moment));
  }
  return sum;
}


wrench tree_momentum(const treeModel *t, const treeData *d)
{
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  wrench sum = {zero, zero};
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const v3 w = tree_motion(d, i)->ang, v = tree_motion(d, i)->lin;

    // P = m v + w x h,  L = J w + h x v about the link's origin, then moved to ground
    const wrench own = {v3_add(s3_mul(link->J, w), v3_cross(link->h, v)),
                        v3_add(v3_scale(link->mass, v), v3_cross(w, link->h))};
    sum = wr_add(sum, wr_back(tree_in_ground(d, i)->R, tree_in_ground(d, i)->o, own));
  }
  return sum;
}
