// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses of definitions with plain numbers; see pose_algebra.h for their algebra.
#ifndef SPATIAL_POSE_H
#define SPATIAL_POSE_H

#include "articula/model.h"
#include "spatial/pose_algebra.h"

modelPose pose_from_art(const artPose *pose);
artPose pose_to_art(modelPose pose);

// pose_turned for arrays.
m3 pose_align(const double axis[3], const double x[3]);

// Quaternion (w, x, y, z), w >= 0, of the rotation matrix R with v_frame = R v_base.
void pose_quaternion(m3 R, double q[4]);

#endif
