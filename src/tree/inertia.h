// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid-body inertias about a point, on the scalar of the recursions.
#ifndef TREE_INERTIA_H
#define TREE_INERTIA_H

#include "tree/tree.h"

// inertia about another point, from which the original point is at p (parallel-axis theorem)
static inline treeInertia inertia_about(treeInertia g, v3 p)
{
  // k = 2 h + m p,  J' = J + (p.k) 1 - (k p^T + p k^T) / 2
  const v3 mp = v3_scale(g.m, p), k = v3_add(v3_add(g.h, g.h), mp);
  const real half = r_const(0.5);
  const real x = r_mul(k.x, p.x), y = r_mul(k.y, p.y), z = r_mul(k.z, p.z);
  const s3 shift = {
      r_add(y, z),
      r_add(x, z),
      r_add(x, y),
      r_neg(r_mul(half, r_add(r_mul(k.x, p.y), r_mul(k.y, p.x)))),
      r_neg(r_mul(half, r_add(r_mul(k.x, p.z), r_mul(k.z, p.x)))),
      r_neg(r_mul(half, r_add(r_mul(k.y, p.z), r_mul(k.z, p.y)))),
  };
  return (treeInertia){g.m, v3_add(g.h, mp), s3_add(g.J, shift)};
}


static inline treeInertia inertia_add(treeInertia a, treeInertia b)
{
  return (treeInertia){r_add(a.m, b.m), v3_add(a.h, b.h), s3_add(a.J, b.J)};
}

#endif
