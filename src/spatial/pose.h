// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses: frames in frames, v_frame = R v_base, origin r in the base's axes. In numbers alone.
#ifndef SPATIAL_POSE_H
#define SPATIAL_POSE_H

#include "articula/model.h"
#include "spatial/spatial.h"

typedef struct modelPose {
  m3 R;
  v3 r;
} modelPose;

modelPose pose_identity(void);
modelPose pose_from_art(const artPose *pose);
artPose pose_to_art(modelPose pose);

// b in the base of a, when b is given in a.
modelPose pose_compose(modelPose a, modelPose b);

// a's base in a.
modelPose pose_inverse(modelPose a);

// Turn a frame so that z points along the axis (in its own axes, any length), and x along the
// direction square to it that is nearest to `x`; a zero x is chosen, so that axes along x, y, z give
// permutations.
m3 pose_align(const double axis[3], const double x[3]);

// Quaternion (w, x, y, z) of the frame of which R gives v_frame = R v_base, w >= 0.
void pose_quaternion(m3 R, double q[4]);

#endif
