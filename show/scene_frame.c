// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A scene at an instant: poses and velocities of bodies, forces and reactions as vectors.
#include <math.h>
#include <string.h>

#include "show/scene.h"

// rounding of a torque that should be zero, against the joint's force and the size of the machine
static const double NO_TORQUE = 1e-9;


static void put_floats(float *to, int n, const double *from)
{
  for (int k = 0; k < n; k++) to[k] = (float) from[k];
}


static double length_of(const double a[3])
{
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}


void scene_evaluate(const ioScene *scene, artData *data, float *poses, float *velocities,
                    float *vectors)
{
  const artModel *m = scene->model;
  for (int i = 0; i < scene->nbody; i++) {
    artPose pose;
    double linear[3], angular[3];
    art_body_pose(m, data, i + 1, &pose);
    art_body_velocity(m, data, i + 1, linear, angular);
    put_floats(poses + SCENE_POSE * i, 3, pose.position);
    put_floats(poses + SCENE_POSE * i + 3, 4, pose.rotation);
    put_floats(velocities + SCENE_VELOCITY * i, 3, linear);
    put_floats(velocities + SCENE_VELOCITY * i + 3, 3, angular);
  }
  for (int i = 0; i < scene->nvector; i++) {
    const sceneVector *vector = &scene->vector[i];
    double at[3], value[3], torque[3];
    if (vector->element >= 0) {
      art_force_arrow(m, data, vector->element, at, value);
    } else {
      art_joint_arrow(m, data, vector->joint, at, value, torque);
      const double least = NO_TORQUE * scene->size * length_of(value);
      if (vector->is_torque) memcpy(value, torque, sizeof value);
      if (vector->is_torque && length_of(value) <= least) memset(value, 0, sizeof value);
    }
    put_floats(vectors + SCENE_VECTOR * i, 3, at);
    put_floats(vectors + SCENE_VECTOR * i + 3, 3, value);
  }
}
