// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Passing singular positions. Where a block of J_v becomes singular, as when all bars of a
// parallelogram lie in one line, its coupling B is a quotient of two numbers that vanish together: an
// error e of the positions, e = 1e-16 at best, is an error e/s of the velocities and e/s^2 of the
// accelerations at a distance s. On the branch that the machine moves along B is smooth all the same.
// So, while the block's smallest pivot is below three hundredths of what it was, B is continued along a
// straight line in time through the last two steps before, and solved for again behind.
#ifndef LOOP_HOLD_H
#define LOOP_HOLD_H

#include "loop/blocks.h"

typedef struct loopHold {
  double *before, *last; // [B_size] B at the ends of two steps
  double time_before, time_last;
  int count; // how many of the two are there
  int held;  // blocks held at the last evaluation
} loopHold;

// The smallest pivot of a factored block in the units of J: rows that vanish altogether count as weak.
double hold_strength(const loopBlocks *blocks, int k);

// Take the memory from the blocks' own; 0 when there is none.
int hold_start(loopHold *hold, loopBlocks *blocks);

// Decide which blocks are held at time t, after blocks_factor: those whose strength is below three hundredths
// of `sound`; returns their number.
int hold_choose(loopHold *hold, loopBlocks *blocks, double sound, double t);

// What held blocks give for J_v x = b with the second derivatives on the right: dB/dt v_u.
void hold_bias(const loopHold *hold, loopBlocks *blocks, const double *v);

// Remember B at the end of a step, unless something is held.
void hold_remember(loopHold *hold, const loopBlocks *blocks, double t);

#endif
