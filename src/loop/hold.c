// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Passing singular positions: B continued in time.
#include "loop/hold.h"

#include <string.h>

// a block is held when its strength has fallen to this part of what is sound
#define HELD_PIVOT 3e-2


double hold_strength(const loopBlocks *blocks, int k)
{
  return blocks->block[k].pivot / blocks->block[k].largest;
}


int hold_start(loopHold *hold, loopBlocks *blocks)
{
  baseArena *a = &blocks->memory;
  *hold = (loopHold){0};
  hold->before = arena_alloc(a, blocks->B_size + 1, sizeof *hold->before);
  hold->last = arena_alloc(a, blocks->B_size + 1, sizeof *hold->last);
  return hold->before && hold->last;
}


// dB/dt between the two steps that are remembered; e counts the entries of all blocks
static double slope(const loopHold *hold, long e)
{
  if (hold->count < 2) return 0;
  return (hold->last[e] - hold->before[e]) / (hold->time_last - hold->time_before);
}


int hold_choose(loopHold *hold, loopBlocks *blocks, double sound, double t)
{
  hold->held = 0;
  for (int k = 0; k < blocks->block_count; k++) {
    loopBlock *block = &blocks->block[k];
    block->is_held = hold->count > 0 && !(hold_strength(blocks, k) > HELD_PIVOT * sound);
    if (!block->is_held) continue;
    hold->held++;

    // B(t) = B_last + dB/dt (t - t_last)
    const long first = block->B - blocks->block[0].B;
    for (long e = 0; e < (long) block->size * block->reach_count; e++) {
      block->B[e] = hold->last[first + e] + slope(hold, first + e) * (t - hold->time_last);
    }
  }
  return hold->held;
}


void hold_bias(const loopHold *hold, loopBlocks *blocks, const double *v)
{
  for (int k = 0; k < blocks->block_count && hold->held > 0; k++) {
    loopBlock *block = &blocks->block[k];
    if (!block->is_held) continue;
    const long first = block->B - blocks->block[0].B;
    for (int i = 0; i < block->size; i++) {
      double sum = 0;
      for (int e = 0; e < block->reach_count; e++) {
        const long at = first + (long) i * block->reach_count + e;
        sum += slope(hold, at) * v[blocks->column_u[block->reach[e]]];
      }
      block->given[i] = sum;
    }
  }
}


void hold_remember(loopHold *hold, const loopBlocks *blocks, double t)
{
  if (hold->held > 0 || (hold->count > 0 && !(t > hold->time_last))) return;
  double *oldest = hold->before;
  hold->before = hold->last;
  hold->last = oldest;
  hold->time_before = hold->time_last;
  hold->time_last = t;
  if (blocks->B_size) memcpy(hold->last, blocks->block[0].B, blocks->B_size * sizeof(double));
  if (hold->count < 2) hold->count++;
}
