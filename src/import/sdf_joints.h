// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints of an SDF file.
#ifndef IMPORT_SDF_JOINTS_H
#define IMPORT_SDF_JOINTS_H

#include "import/sdf_frames.h"

// All joints, what couples them, and which of them close loops; links without a joint stand on ground, or fly.
void sdf_read_joints(sdfReader *r);

#endif
