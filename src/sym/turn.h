// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Conversion of vectors and matrices of a link to its parent's axes, on symbols: first the rotation
// about the joint axis z, then the constant rotation of the joint frame, whose entries are mostly
// zeros and ones that fold. If the constant rotation is a general one, both are combined in one
// matrix. For files that include sym/tree_inside.h.
#ifndef SYM_TURN_H
#define SYM_TURN_H

#include "tree/tree.h"

static inline int turn_zeros(v3 a)
{
  return (a.x.node == 0) + (a.y.node == 0) + (a.z.node == 0);
}


// should the two rotations be kept separate? (EXPR_RECORD keeps the order of the numeric
// recursions)
static inline int turn_is_split(const treeLink *link)
{
  const int turns = link->kind == LINK_REVOLUTE || link->kind == LINK_SCREW;
  if (expr_used()->level == EXPR_RECORD) return 0;
  return turns && turn_zeros(link->R.x) + turn_zeros(link->R.y) + turn_zeros(link->R.z) >= 4;
}


// components in the parent's axes -> in link axes
static inline v3 turn_to_link(const treeLink *link, const treeData *d, const treePose *pose, v3 x)
{
  if (!turn_is_split(link)) return m3_mul(pose->R, x);
  const real s = d->sine[link->q0], c = d->cosine[link->q0];
  const v3 y = m3_mul(link->R, x);
  return v3_make(r_add(r_mul(c, y.x), r_mul(s, y.y)), r_sub(r_mul(c, y.y), r_mul(s, y.x)), y.z);
}


// components in link axes -> in the parent's axes
static inline v3 turn_to_parent(const treeLink *link, const treeData *d, const treePose *pose, v3 x)
{
  if (!turn_is_split(link)) return m3_back(pose->R, x);
  const real s = d->sine[link->q0], c = d->cosine[link->q0];
  const v3 y =
      v3_make(r_sub(r_mul(c, x.x), r_mul(s, x.y)), r_add(r_mul(s, x.x), r_mul(c, x.y)), x.z);
  return m3_back(link->R, y);
}


// the same for a symmetric matrix
static inline s3 turn_s3_to_parent(const treeLink *link, const treeData *d, const treePose *pose,
                                   s3 J)
{
  if (!turn_is_split(link)) return s3_back(pose->R, J);
  const real s = d->sine[link->q0], c = d->cosine[link->q0];

  // w = s (xx - yy) + 2 c xy:  xx' = xx - s w,  yy' = yy + s w,  xy' = c w - xy
  const real w = r_add(r_mul(s, r_sub(J.xx, J.yy)), r_mul(c, r_add(J.xy, J.xy)));
  const real sw = r_mul(s, w);
  const s3 turned = {r_sub(J.xx, sw),
                     r_add(J.yy, sw),
                     J.zz,
                     r_sub(r_mul(c, w), J.xy),
                     r_sub(r_mul(c, J.xz), r_mul(s, J.yz)),
                     r_add(r_mul(s, J.xz), r_mul(c, J.yz))};
  return s3_back(link->R, turned);
}


// the same for any matrix
static inline m3 turn_m3_to_parent(const treeLink *link, const treeData *d, const treePose *pose,
                                   m3 B)
{
  const m3 R = turn_is_split(link) ? link->R : pose->R;
  if (turn_is_split(link)) {
    const real s = d->sine[link->q0], c = d->cosine[link->q0];

    // w = s (xx - yy) + c (xy + yx):  xx' = xx - s w,  yy' = yy + s w,  xy' = c w - yx,  yx' = c w
    // - xy
    const real w = r_add(r_mul(s, r_sub(B.x.x, B.y.y)), r_mul(c, r_add(B.x.y, B.y.x)));
    const real sw = r_mul(s, w), cw = r_mul(c, w);
    B = (m3){
        {r_sub(B.x.x, sw), r_sub(cw, B.y.x), r_sub(r_mul(c, B.x.z), r_mul(s, B.y.z))},
        {r_sub(cw, B.x.y), r_add(B.y.y, sw), r_add(r_mul(s, B.x.z), r_mul(c, B.y.z))},
        {r_sub(r_mul(c, B.z.x), r_mul(s, B.z.y)), r_add(r_mul(s, B.z.x), r_mul(c, B.z.y)), B.z.z}};
  }
  return m3_mul_m3(m3_transpose(R), m3_mul_m3(B, R));
}

#endif
