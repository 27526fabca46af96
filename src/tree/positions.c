// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Positions of links relative to their parents and in ground.
#include "tree/tree.h"


// rotation matrix of a quaternion, v_link = R v_joint; divided by |e|^2, so the length need not be
// exactly one
static m3 quaternion_rotation(const real *e)
{
  const real ww = r_mul(e[0], e[0]), xx = r_mul(e[1], e[1]);
  const real yy = r_mul(e[2], e[2]), zz = r_mul(e[3], e[3]);
  const real scale = r_div(r_const(2), r_add(r_add(ww, xx), r_add(yy, zz)));

  const real wx = r_mul(e[0], e[1]), wy = r_mul(e[0], e[2]), wz = r_mul(e[0], e[3]);
  const real xy = r_mul(e[1], e[2]), xz = r_mul(e[1], e[3]), yz = r_mul(e[2], e[3]);
  const real one = r_const(1);
  return (m3){
      {r_sub(one, r_mul(scale, r_add(yy, zz))), r_mul(scale, r_add(xy, wz)),
       r_mul(scale, r_sub(xz, wy))},
      {r_mul(scale, r_sub(xy, wz)), r_sub(one, r_mul(scale, r_add(xx, zz))),
       r_mul(scale, r_add(yz, wx))},
      {r_mul(scale, r_add(xz, wy)), r_mul(scale, r_sub(yz, wx)),
       r_sub(one, r_mul(scale, r_add(xx, yy)))},
  };
}


// origin of a link displaced by s along z of its joint frame
static v3 slid_origin(const treeLink *link, real s)
{
  return v3_add(link->p, v3_scale(s, link->R.z));
}


// rotate the two rows that change when the joint turns about z
static void turn_about_joint(treePose *pose, const treeLink *link, real s, real c)
{
  const m3 turned = m3_turn_z(s, c, link->R);
  pose->R.x = turned.x;
  pose->R.y = turned.y;
}


void tree_place(const treeModel *t, treeData *d, const real *q)
{
  ART_ASSERT(q || t->nq == 0);
  d->has_world = 0;
  tree_forget_velocities(d);
  tree_place_some(t, d, q, 1, t->n);
}


void tree_place_some(const treeModel *t, treeData *d, const real *q, int first, int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  const treeLink *restrict links = t->link;
  treePose *restrict poses = d->pose;
  const real *restrict sine = d->sine, *restrict cosine = d->cosine;

  // all coordinates at once: computing unneeded sines costs less than selecting
  const int from = first < t->n ? links[first].q0 : t->nq, to = end < t->n ? links[end].q0 : t->nq;
  r_sincos_all(to - from, q + from, d->sine + from, d->cosine + from);

  for (int i = first; i < end; i++) {
    const treeLink *link = &links[i];
    const int k = link->q0;
    treePose *pose = &poses[i];
    switch (link->kind) {
    case LINK_FIXED: break;
    case LINK_REVOLUTE: turn_about_joint(pose, link, sine[k], cosine[k]); break;
    case LINK_PRISMATIC: pose->p = slid_origin(link, q[k]); break;
    case LINK_SCREW:
      turn_about_joint(pose, link, sine[k], cosine[k]);
      pose->p = slid_origin(link, r_mul(link->pitch, q[k]));
      break;
    case LINK_SPHERICAL: pose->R = m3_mul_m3(quaternion_rotation(q + k), link->R); break;
    case LINK_FREE:
      pose->R = m3_mul_m3(quaternion_rotation(q + k + 3), link->R);
      pose->p = v3_add(link->p, m3_back(link->R, v3_make(q[k], q[k + 1], q[k + 2])));
      break;
    }
  }
}


void tree_world(const treeModel *t, treeData *d)
{
  d->world[0] = (treeWorld){m3_identity(), {r_const(0), r_const(0), r_const(0)}};
  tree_world_some(t, d, 1, t->n);
  d->has_world = 1;
}


void tree_world_some(const treeModel *t, treeData *d, int first, int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  for (int i = first; i < end; i++) {
    const treeWorld *parent = &d->world[t->link[i].parent];
    const treePose *pose = &d->pose[i];
    if (t->link[i].parent == 0) {
      d->world[i] = (treeWorld){pose->R, pose->p};
      continue;
    }

    // R_i0 = R_ip R_p0,  o_i = o_p + R_p0^T p
    d->world[i].R = m3_mul_m3(pose->R, parent->R);
    d->world[i].o = v3_add(parent->o, m3_back(parent->R, pose->p));
  }
}
