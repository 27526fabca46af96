// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bridges over singular positions (hold.h) in another partition. The coordinates of a loop with one way to
// move lie on a curve; a bridge is a piece of it, along whichever of them is the input.
#ifndef LOOP_CARRY_H
#define LOOP_CARRY_H

#include "loop/hold.h"

// Take what is known of blocks that were there in another partition, too, with the same input or with
// another of their coordinates in its place.
void carry_over(loopHold *hold, const loopBlocks *blocks, const loopHold *old,
                const loopBlocks *old_blocks);

#endif
