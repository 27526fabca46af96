// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Detection of steps across singular positions. A loop that depends on several coordinates or on a ball joint has
// no bridge (singular_path.h), and a step may lead from one side to the other without coming near.
#ifndef LOOP_SINGULAR_CROSSING_H
#define LOOP_SINGULAR_CROSSING_H

#include "loop/loop.h"

// At the end of a step, after loop_close: a block without input that is on the other side of a singular
// position than it was at the end of the last step; -1: none.
int leap_find(const struct loopWork *loop);

#endif
