// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps over singular positions. All determinants of a block's rows change sign there; where some coordinates
// merely turn back, those of other columns do not.
#include "loop/leap.h"

#include <string.h>

#include "loop/lu.h"
#include "loop/pivot.h"


// the rows of a block over all columns
static void gather_rows(const loopBlocks *blocks, const loopBlock *block, const double *J,
                        double *A)
{
  const size_t length = (size_t) blocks->n * sizeof *A;
  for (int i = 0; i < block->size; i++) {
    memcpy(A + (long) i * blocks->n, J + (long) blocks->row[block->first + i] * blocks->n, length);
  }
}


// of the block's rows and the columns of the leap
static double determinant(const loopBlocks *blocks, const loopBlock *block, const holdLeap *leap,
                          const double *J)
{
  const loopBlock square = {.size = block->size, .lu = leap->square, .swap = leap->swap};
  for (int i = 0; i < block->size; i++) {
    const double *from = J + (long) blocks->row[block->first + i] * blocks->n;
    for (int j = 0; j < block->size; j++) square.lu[i * block->size + j] = from[leap->column[j]];
  }
  return lu_factor(block->size, square.lu, square.swap) > 0 ? blocks_determinant(&square) : 0;
}


// did the determinant of those columns change sign that was largest before?
static int is_leap(const struct loopWork *loop, const loopBlock *block)
{
  const loopBlocks *blocks = loop->blocks;
  const holdLeap *leap = &loop->hold.leap;
  for (int j = 0; j < blocks->n; j++) leap->rank[j] = loop->driven[j] ? -1 : 0;
  gather_rows(blocks, block, leap->J, leap->rows);
  const int count =
      pivot_choose(block->size, blocks->n, leap->rows, 1, leap->rank, 0, leap->row, leap->column);
  if (count < block->size) return 0;
  return determinant(blocks, block, leap, leap->J) *
             determinant(blocks, block, leap, loop->rows.J) <
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
