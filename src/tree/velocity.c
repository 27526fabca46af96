// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Velocities of links and points, accelerations of points.
#include "tree/tree.h"


// velocity of the link relative to its parent, at the link's origin, in the link's axes
static motion joint_velocity(const treeLink *link, const treePose *pose, const real *v)
{
  const real o = r_const(0);
  const v3 zero = {o, o, o};
  switch (link->kind) {
  case LINK_FIXED: break;
  case LINK_REVOLUTE: return (motion){{o, o, v[0]}, zero};
  case LINK_PRISMATIC: return (motion){zero, {o, o, v[0]}};
  case LINK_SCREW: return (motion){{o, o, v[0]}, {o, o, r_mul(link->pitch, v[0])}};
  case LINK_SPHERICAL: return (motion){{v[0], v[1], v[2]}, zero};
  case LINK_FREE:
    return (motion){{v[3], v[4], v[5]},
                    m3_mul(pose->R, m3_back(link->R, v3_make(v[0], v[1], v[2])))};
  }
  return (motion){zero, zero};
}


void tree_velocity(const treeModel *t, treeData *d, const real *v)
{
  ART_ASSERT(v || t->nv == 0);
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  d->vel[0] = (motion){zero, zero};
  tree_velocity_some(t, d, v, 1, t->n);
  d->has_velocity = 1;
}


void tree_velocity_some(const treeModel *t, treeData *d, const real *v, int first, int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  for (int i = first; i < end; i++) {
    const treeLink *link = &t->link[i];
    const treePose *pose = &d->pose[i];
    const motion *parent = &d->vel[link->parent];

    // omega_i = R omega_p + omega_J,  v_i = R (v_p + omega_p x p) + v_J
    const motion carried = {m3_mul(pose->R, parent->ang),
                            m3_mul(pose->R, v3_add(parent->lin, v3_cross(parent->ang, pose->p)))};
    d->vel[i] = mot_add(carried, joint_velocity(link, pose, v + link->v0));
  }
}


v3 tree_point(const treeData *d, int i, v3 r)
{
  return point_place(tree_in_ground(d, i), r);
}


v3 tree_point_velocity(const treeData *d, int i, v3 r)
{
  return point_velocity(tree_in_ground(d, i), tree_motion(d, i), r);
}


v3 tree_point_acceleration(const treeModel *t, const treeData *d, int i, v3 r)
{
  const treeBody *body = tree_body(d, i);
  return v3_add(point_acceleration(tree_in_ground(d, i), body->omega, &body->acc, r), t->gravity);
}
