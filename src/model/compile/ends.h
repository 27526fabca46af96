// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The two ends of each joint before the links are laid, and their alignment in closed loops.
#ifndef MODEL_ENDS_H
#define MODEL_ENDS_H

#include "model/compile/lay.h"
#include "model/model.h"

// Axes in loops that are parallel or square to each other but for what files with few digits leave, and
// ends of planar loops that lie off their plane by as little, are taken as meant and noted in the model:
// off by up to MODEL_ALIGNED rad, or that part of the machine's size.
#define MODEL_ALIGNED 1e-5

// ends[njoint]; tree_joint[nbody] leads to each body, order[nbody] has parents before children.
void model_align_ends(artModel *m, jointEnds *ends, const int *tree_joint, const int *order);

#endif
