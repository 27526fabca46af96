// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses on the scalar of scalar.h: a frame in a base, v_frame = R v_base, origin r in the axes of
// the base.
#ifndef SPATIAL_POSE_ALGEBRA_H
#define SPATIAL_POSE_ALGEBRA_H

#include "spatial/spatial.h"

typedef struct modelPose {
  m3 R;
  v3 r;
} modelPose;

static inline v3 v3_numbers(double x, double y, double z)
{
  return (v3){r_const(x), r_const(y), r_const(z)};
}


static inline modelPose pose_identity(void)
{
  return (modelPose){m3_identity(), v3_numbers(0, 0, 0)};
}


// pose of b, given in a, in the base of a
static inline modelPose pose_compose(modelPose a, modelPose b)
{
  return (modelPose){m3_mul_m3(b.R, a.R), v3_add(a.r, m3_back(a.R, b.r))};
}


// pose of a's base in a
static inline modelPose pose_inverse(modelPose a)
{
  return (modelPose){m3_transpose(a.R), v3_neg(m3_mul(a.R, a.r))};
}


// 1 - 2 (a + b) and 2 (a + b), entries of a quaternion's rotation matrix
static inline real pose_diagonal(real a, real b)
{
  return r_sub(r_const(1), r_mul(r_const(2), r_add(a, b)));
}


static inline real pose_beside(real a, real b)
{
  return r_mul(r_const(2), r_add(a, b));
}


// frame at r with the orientation of a quaternion (w, x, y, z) of any length
static inline modelPose pose_by_quaternion(const real e[4], v3 r)
{
  const real norm = r_sqrt(r_add(
      r_add(r_add(r_mul(e[0], e[0]), r_mul(e[1], e[1])), r_mul(e[2], e[2])), r_mul(e[3], e[3])));
  const real w = r_div(e[0], norm), x = r_div(e[1], norm), y = r_div(e[2], norm),
             z = r_div(e[3], norm);
  const real xx = r_mul(x, x), yy = r_mul(y, y), zz = r_mul(z, z);
  const real xy = r_mul(x, y), xz = r_mul(x, z), yz = r_mul(y, z);
  const real wx = r_mul(w, x), wy = r_mul(w, y), wz = r_mul(w, z);
  return (modelPose){
      .R = {{pose_diagonal(yy, zz), pose_beside(xy, wz), pose_beside(xz, r_neg(wy))},
            {pose_beside(xy, r_neg(wz)), pose_diagonal(xx, zz), pose_beside(yz, wx)},
            {pose_beside(xz, wy), pose_beside(yz, r_neg(wx)), pose_diagonal(xx, yy)}},
      .r = r};
}


static inline v3 pose_unit(v3 a)
{
  return v3_scale(r_div(r_const(1), r_sqrt(v3_dot(a, a))), a);
}


// a < b ? then : other
static inline v3 pose_choose(real a, real b, v3 then, v3 other)
{
  return (v3){r_select(r_less(a, b), then.x, other.x), r_select(r_less(a, b), then.y, other.y),
              r_select(r_less(a, b), then.z, other.z)};
}


// Rotate a frame so that z points along the axis (in its own axes, any length), and x along the
// direction perpendicular to it that is nearest to `x`. If `x` is zero, a direction is chosen such
// that axes along x, y, z give permutations.
static inline m3 pose_turned(v3 axis, v3 x)
{
  const real ax = r_abs(axis.x), ay = r_abs(axis.y), az = r_abs(axis.z);
  const real largest = r_max(ax, r_max(ay, az));
  const v3 z =
      pose_unit((v3){r_div(axis.x, largest), r_div(axis.y, largest), r_div(axis.z, largest)});

  // by default x follows the coordinate axis after z in the cycle x, y, z
  const v3 after_x = v3_numbers(0, 1, 0), after_y = v3_numbers(0, 0, 1),
           after_z = v3_numbers(1, 0, 0);
  const v3 of_y = pose_choose(ay, largest, after_x, after_y);
  const v3 own = pose_choose(az, largest, of_y, after_z);
  const v3 wish = pose_choose(r_const(0), v3_dot(x, x), x, own);
  const v3 ex = pose_unit(v3_sub(wish, v3_scale(v3_dot(wish, z), z)));
  return (m3){ex, v3_cross(z, ex), z};
}

#endif
