// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inverse dynamics with links in their own axes, by newton_euler.h.
#include "tree/tree.h"

#include "tree/newton_euler.h"


static inline v3 axes_to_link(const treeModel *t, const treeData *d, int i, const treePose *pose,
                              v3 x)
{
  (void) t, (void) d, (void) i;
  return m3_mul(pose->R, x);
}


static inline v3 axes_to_parent(const treeModel *t, const treeData *d, int i, const treePose *pose,
                                v3 x)
{
  (void) t, (void) d, (void) i;
  return m3_back(pose->R, x);
}


static inline v3 axes_origin(const treeModel *t, const treeData *d, int i, const treePose *pose)
{
  (void) t, (void) d, (void) i;
  return pose->p;
}


static inline m3 link_turning(const treeModel *t, const treeData *d, int i, const real *a,
                              linkMotion *moved)
{
  (void) t, (void) d, (void) i, (void) a;
  return turning_matrix(moved->acc.ang, products_of(moved->omega));
}


// a.x b.x + a.y b.y + a.z b.z for a row of B and a column of K
static real row_column(v3 a, real x, real y, real z)
{
  return r_add(r_add(r_mul(a.x, x), r_mul(a.y, y)), r_mul(a.z, z));
}


wrench tree_inertia_force(const treeLink *link, s3 K, m3 B, v3 a)
{
  // N = h x a + integral r x B r dm, and the integral is the axial vector of B K
  const v3 turning = {
      r_sub(row_column(B.z, K.xy, K.yy, K.yz), row_column(B.y, K.xz, K.yz, K.zz)),
      r_sub(row_column(B.x, K.xz, K.yz, K.zz), row_column(B.z, K.xx, K.xy, K.xz)),
      r_sub(row_column(B.y, K.xx, K.xy, K.xz), row_column(B.x, K.xy, K.yy, K.yz)),
  };

  // F = m a + B h
  return (wrench){v3_add(turning, v3_cross(link->h, a)),
                  v3_add(v3_scale(link->mass, a), m3_mul(B, link->h))};
}


static inline wrench link_inertia_force(const treeModel *t, const treeData *d, int i, const real *a,
                                        m3 B, const linkMotion *moved)
{
  (void) a;
  return tree_inertia_force(&t->link[i], d->body[i].K, B, moved->acc.lin);
}


void tree_joint_force(const treeLink *link, const treePose *pose, wrench f, real *tau)
{
  switch (link->kind) {
  case LINK_FIXED: break;
  case LINK_REVOLUTE: tau[0] = f.ang.z; break;
  case LINK_PRISMATIC: tau[0] = f.lin.z; break;
  case LINK_SCREW: tau[0] = r_add(f.ang.z, r_mul(link->pitch, f.lin.z)); break;
  case LINK_FREE: {
    const v3 force = m3_mul(link->R, m3_back(pose->R, f.lin));
    tau[0] = force.x;
    tau[1] = force.y;
    tau[2] = force.z;
    tau += 3;
  }
  // fall through
  case LINK_SPHERICAL:
    tau[0] = f.ang.x;
    tau[1] = f.ang.y;
    tau[2] = f.ang.z;
    break;
  }
}


static inline void link_joint_force(const treeModel *t, const treeData *d, int i,
                                    const treePose *pose, wrench f, const real *a, real *tau)
{
  (void) d, (void) a;
  const treeLink *link = &t->link[i];
  if (link->kind == LINK_REVOLUTE) {
    tau[0] = f.ang.z;
  } else if (link->kind != LINK_FIXED) {
    tree_joint_force(link, pose, f, tau);
  }
}


void tree_rne(const treeModel *t, treeData *d, const real *v, const real *a, real *tau)
{
  ART_ASSERT(tau || t->nv == 0);
  find_joint_forces(t, d, v ? v : d->none, a ? a : d->none, tau);
  d->has_body = 1;
}
