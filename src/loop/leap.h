// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps over singular positions that no bridge (hold.h) leads over: where a loop depends on several
// coordinates or on a ball joint, a step may go from one side to the other without coming near.
#ifndef LOOP_LEAP_H
#define LOOP_LEAP_H

#include "loop/loop.h"

// At the end of a step, after loop_close: a block without input that is on the other side of a singular
// position than it was at the end of the last step; -1: none.
int leap_find(const struct loopWork *loop);

#endif
