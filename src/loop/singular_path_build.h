// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Construction of bridges over singular positions (singular_path.h): the machine is moved along one of its
// independent coordinates, past the singular position, and brought back.
#ifndef LOOP_SINGULAR_PATH_BUILD_H
#define LOOP_SINGULAR_PATH_BUILD_H

#include "loop/loop.h"

// After a factorisation at the present positions: build a bridge for every block that is near a singular
// position and can be held. Returns whether anything was tried: positions are as before then, rows and
// blocks are not.
int bridge_build(const artModel *m, artData *d);

// Bring the data to where the coordinates were chosen, with all that bridge_is_rounded needs there.
artStatus bridge_look(const artModel *m, artData *d, artError *error);

// From there along the input of block k, on either side: do the lengths of its loop miss the first singular
// position, by no more than rounding, and by how much (m or rad)? The data comes back.
int bridge_is_rounded(const artModel *m, artData *d, int k, double *gap);

#endif
