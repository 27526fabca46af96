// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Detection of steps across singular positions. There the determinants of all column choices of a
// block change sign. Where a coordinate merely reverses, the determinants of only some choices do.
#include "loop/loop.h"

#include "loop/lu.h"
#include "loop/partition.h"


// determinant of the block's rows and the columns of the leap, with these values of J
static double leap_determinant(const struct loopWork *loop, const loopBlock *block, double *entries)
{
  const loopBlocks *blocks = loop->blocks;
  const singularLeap *leap = &loop->hold.leap;
  const loopBlock square = {.size = block->size, .lu = leap->square, .swap = leap->swap};
  loopMatrix J = loop->rows.J;
  J.value = entries;
  for (int i = 0; i < block->size; i++) {
    const int row = blocks->row[block->first + i];
    for (int j = 0; j < block->size; j++) {
      square.lu[i * block->size + j] = matrix_at(&J, row, leap->column[j]);
    }
  }
  return lu_factor(block->size, square.lu, square.swap) > 0 ? blocks_determinant(&square) : 0;
}


// does the determinant change sign for those columns for which it was largest before?
static int is_leap(const struct loopWork *loop, const loopBlock *block)
{
  const loopBlocks *blocks = loop->blocks;
  const singularLeap *leap = &loop->hold.leap;
  loopMatrix before = loop->rows.J;
  before.value = leap->J;
  for (int j = 0; j < blocks->n; j++) leap->rank[j] = loop->driven[j] ? -1 : 0;
  memSource *outer = mem_use(stack_source(loop->reserve.scratch));
  const int count = pivot_choose(&before, block->size, blocks->row + block->first, 1, leap->rank, 0,
                                 leap->row, leap->column);
  mem_use(outer);
  if (count < block->size) return 0;
  return leap_determinant(loop, block, leap->J) *
             leap_determinant(loop, block, loop->rows.J.value) <
         0;
}


int leap_find(const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    if (loop->hold.input[k] >= 0) continue;
    if (!(loop->hold.leap.side[k] * blocks_determinant(block) < 0)) continue;
    if (is_leap(loop, block)) return k;
  }
  return -1;
}
