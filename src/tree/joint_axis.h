// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joint axes by kind of joint, in arbitrary axes.
#ifndef TREE_JOINT_AXIS_H
#define TREE_JOINT_AXIS_H

#include "tree/tree.h"

// Axis of a velocity coordinate through the origin of the link: the joint rotates about it, slides
// along it, or (screw) slides by the pitch while it rotates.
typedef struct jointAxis {
  int turns, slides;
  v3 e;
} jointAxis;

static inline v3 joint_row(const m3 *R, int k)
{
  return k == 0 ? R->x : k == 1 ? R->y : R->z;
}


// Sliding axes of a free joint, i.e. the axes of its frame, from those of the parent; *room is
// storage for them. Unused for other joints.
static inline const m3 *joint_slides(const treeLink *link, const m3 *parent, m3 *room)
{
  if (link->kind != LINK_FREE) return parent;
  *room = m3_mul_m3(link->R, *parent);
  return room;
}


// Axis of coordinate k of a joint, from the axes of the link and the sliding axes of a free joint.
static inline jointAxis joint_axis(const treeLink *link, const m3 *own, const m3 *slides, int k)
{
  // tested first: most joints are of this type, and the compiler specialises this path
  if (link->kind == LINK_REVOLUTE) return (jointAxis){1, 0, own->z};
  switch (link->kind) {
  case LINK_FIXED:
  case LINK_REVOLUTE: break;
  case LINK_PRISMATIC: return (jointAxis){0, 1, own->z};
  case LINK_SCREW: return (jointAxis){1, 1, own->z};
  case LINK_SPHERICAL: return (jointAxis){1, 0, joint_row(own, k)};
  case LINK_FREE:
    if (k < 3) return (jointAxis){0, 1, joint_row(slides, k)};
    return (jointAxis){1, 0, joint_row(own, k - 3)};
  }
  return (jointAxis){0, 0, own->z};
}


// Power of a wrench at the link's origin per unit rate of the coordinate.
static inline real joint_power(const treeLink *link, jointAxis axis, wrench f)
{
  if (!axis.turns) return v3_dot(axis.e, f.lin);
  if (!axis.slides) return v3_dot(axis.e, f.ang);
  return r_add(v3_dot(axis.e, f.ang), r_mul(link->pitch, v3_dot(axis.e, f.lin)));
}


// Motion of the link at its origin per unit rate of the coordinate.
static inline motion joint_unit(const treeLink *link, jointAxis axis)
{
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  if (!axis.slides) return (motion){axis.e, zero};
  return axis.turns ? (motion){axis.e, v3_scale(link->pitch, axis.e)} : (motion){zero, axis.e};
}


// The same at a point from which the link's origin is at `arm`.
static inline motion joint_carried(const treeLink *link, jointAxis axis, v3 arm)
{
  motion m = joint_unit(link, axis);
  if (axis.turns) {
    const v3 around = v3_cross(arm, axis.e);
    m.lin = axis.slides ? v3_add(around, m.lin) : around;
  }
  return m;
}


// Motion at the link's origin for the rates v of all coordinates.
static inline motion joint_motion(const treeLink *link, const m3 *own, const m3 *slides,
                                  const real *v)
{
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  motion sum = {zero, zero};
  const real *spin = v + link_straight(link);
  if (link->kind == LINK_FREE) sum.lin = m3_back(*slides, v3_make(v[0], v[1], v[2]));
  if (link_turns(link)) sum.ang = m3_back(*own, v3_make(spin[0], spin[1], spin[2]));
  if (link->nv != 1) return sum;

  const jointAxis axis = joint_axis(link, own, slides, 0);
  if (axis.turns) sum.ang = v3_scale(v[0], axis.e);
  if (axis.slides) sum.lin = v3_scale(axis.turns ? r_mul(link->pitch, v[0]) : v[0], axis.e);
  return sum;
}

#endif
