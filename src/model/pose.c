// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Frames in frames, for laying out the tree.
#include "model/pose.h"

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
  // the largest of the four components first, so that no digits are lost
  const double trace = R.x.x + R.y.y + R.z.z;
  const double square[4] = {1 + trace, 1 + 2 * R.x.x - trace, 1 + 2 * R.y.y - trace,
                            1 + 2 * R.z.z - trace};
  int k = 0;
  for (int i = 1; i < 4; i++) {
    if (square[i] > square[k]) k = i;
  }
  const double wx = R.y.z - R.z.y, wy = R.z.x - R.x.z, wz = R.x.y - R.y.x;
  const double xy = R.x.y + R.y.x, xz = R.x.z + R.z.x, yz = R.y.z + R.z.y;
  const double row[4][4] = {{square[0], wx, wy, wz},
                            {wx, square[1], xy, xz},
                            {wy, xy, square[2], yz},
                            {wz, xz, yz, square[3]}};
  const double scale = 0.5 / sqrt(square[k]);
  const double sign = row[k][0] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) q[i] = sign * scale * row[k][i];
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


// turn a quaternion by the rotation vector u, in the axes it describes
static void turn_quaternion(double e[4], const double u[3])
{
  const double angle = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double c = cos(0.5 * angle);
  const double s = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  const double w = e[0], x = e[1], y = e[2], z = e[3];
  const double a = s * u[0], b = s * u[1], g = s * u[2];
  e[0] = w * c - x * a - y * b - z * g;
  e[1] = x * c + w * a + y * g - z * b;
  e[2] = y * c + w * b + z * a - x * g;
  e[3] = z * c + w * g + x * b - y * a;
}


void pose_move_link(const treeLink *link, double *q, const double *displacement)
{
  const int has_quaternion = link_turns(link), straight = link_straight(link);
  for (int k = 0; k < straight; k++) q[link->q0 + k] += displacement[link->v0 + k];
  if (has_quaternion) {
    turn_quaternion(q + link->q0 + straight, displacement + link->v0 + straight);
  }
}
