// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses of definitions.
#include "spatial/pose.h"
#include "spatial/quaternion.h"


modelPose pose_from_art(const artPose *pose)
{
  const double *r = pose->position;
  return pose_by_quaternion(pose->rotation, (v3){r[0], r[1], r[2]});
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


m3 pose_align(const double axis[3], const double x[3])
{
  return pose_turned((v3){axis[0], axis[1], axis[2]}, (v3){x[0], x[1], x[2]});
}
