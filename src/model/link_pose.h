// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses of frames, for laying out the tree, and small displacements of its links.
#ifndef MODEL_LINK_POSE_H
#define MODEL_LINK_POSE_H

#include "model/links.h"
#include "spatial/pose.h"

// The coordinates of one link in q[nq], moved by its part of a displacement[nv].
void pose_move_link(const treeLink *link, double *q, const double *displacement);

#endif
