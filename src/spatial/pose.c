// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses: frames in frames.
#include "spatial/pose.h"
#include "spatial/quaternion.h"

#include <math.h>


modelPose pose_identity(void)
{
  return (modelPose){m3_identity(), {0, 0, 0}};
}


modelPose pose_from_art(const artPose *pose)
{
  const double *e = pose->rotation;
  const double norm = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
  const double w = e[0] / norm, x = e[1] / norm, y = e[2] / norm, z = e[3] / norm;
  return (modelPose){
      .R = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}},
      .r = {pose->position[0], pose->position[1], pose->position[2]},
  };
}


void pose_quaternion(m3 R, double q[4])
{
  quaternion_of(R, q);
}


artPose pose_to_art(modelPose pose)
{
  artPose out = {.position = {pose.r.x, pose.r.y, pose.r.z}};
  pose_quaternion(pose.R, out.rotation);
  return out;
}


modelPose pose_compose(modelPose a, modelPose b)
{
  return (modelPose){m3_mul_m3(b.R, a.R), v3_add(a.r, m3_back(a.R, b.r))};
}


modelPose pose_inverse(modelPose a)
{
  return (modelPose){m3_transpose(a.R), v3_neg(m3_mul(a.R, a.r))};
}


static v3 unit(v3 a)
{
  return v3_scale(1 / sqrt(v3_dot(a, a)), a);
}


m3 pose_align(const double axis[3], const double x[3])
{
  const double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
  const v3 z = unit((v3){axis[0] / largest, axis[1] / largest, axis[2] / largest});

  // without a wish, x follows the axis that comes after z in the cycle x, y, z
  v3 wish = {x[0], x[1], x[2]};
  if (v3_dot(wish, wish) == 0) {
    if (fabs(axis[2]) == largest) {
      wish = (v3){1, 0, 0};
    } else if (fabs(axis[1]) == largest) {
      wish = (v3){0, 0, 1};
    } else {
      wish = (v3){0, 1, 0};
    }
  }
  const v3 ex = unit(v3_sub(wish, v3_scale(v3_dot(wish, z), z)));
  return (m3){ex, v3_cross(z, ex), z};
}
