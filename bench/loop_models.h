// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Looped machines of any size as models of Articula, as written by tools/make-loop.sh and
// tools/make-four-bars.sh.
#ifndef BENCH_LOOP_MODELS_H
#define BENCH_LOOP_MODELS_H

#include "articula/articula.h"

// A planar loop of n revolute joints and n - 1 bars; n is odd.
artModel *polygon_model(int n, artError *error);

// n four-bar windows side by side, 2n + 1 rods, IFToMM A02.
artModel *windows_model(int n, artError *error);

// A free frame from which n four-bar linkages hang side by side, 3n + 1 bodies: parts that the frame alone ties
// together, like the axles of a vehicle.
artModel *frame_model(int n, artError *error);

#endif
