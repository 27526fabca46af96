// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bridges over singular positions (singular_path.h) after a change of the partition. The coordinates of a loop with
// one degree of freedom lie on a curve; a bridge is a piece of this curve, whichever coordinate is the input.
#ifndef LOOP_SINGULAR_PATH_PARTITION_H
#define LOOP_SINGULAR_PATH_PARTITION_H

#include "loop/singular_path.h"

// Take what is known of blocks that were there in another partition, too, with the same input or with
// another of their coordinates in its place.
void carry_over(loopHold *hold, const loopBlocks *blocks, const loopHold *old,
                const loopBlocks *old_blocks);

#endif
