// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How well the loops are closed, over all rows, whatever the method and the partition.
#ifndef LOOP_RESIDUAL_H
#define LOOP_RESIDUAL_H

#include "data/work.h"

// The largest |phi|, |d phi/dt| and |d2 phi/dt2| at the present state and its accelerations, for
// which tree_rne has been run (work->has_motion).
typedef struct loopResidual {
  double position, velocity, acceleration; // m or rad, per s, per s^2
} loopResidual;

// The first two of them alone, for which no accelerations are needed.
artStatus residual_open(const artModel *m, artData *d, loopResidual *residual, artError *error);

artStatus residual_find(const artModel *m, artData *d, loopResidual *residual, artError *error);

#endif
