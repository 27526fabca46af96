// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Linear algebra with a partitioned Jacobian, block by block:  J_v x = b,  J_v^T y = c,  B =
// -J_v^-1 J_u.
//
// blocks_create allocates all memory. Vectors use the caller's numbering: length m over the rows of
// J, length n over its columns. Each function states which entries it reads and writes; it touches
// only rows of the partition or dependent columns. J is given by its values, which must be zero
// outside the pattern. A loopBlocks must not be shared between threads.
#ifndef LOOP_BLOCKS_H
#define LOOP_BLOCKS_H

#include <stdbool.h>

#include "articula/base.h"
#include "base/arena.h"
#include "base/error.h"
#include "loop/partition.h"

// One diagonal block.
typedef struct loopBlock {
  int size;
  int first;       // position of its first row and column in the solve order
  double *lu;      // size x size by rows, rows scaled: factors in the format of lu.h
  int *from;       // size x size: index into the values of J, -1: structural zero
  int *swap;       // size: row exchanges of the factorisation
  bool is_held;    // its coordinates are functions of its input instead of being solved for
  double *slope;   // size: derivatives of the coordinates with respect to the input, while held
  double *given;   // size: solution of J_v x = b minus slope * (x of the input), while held
  int input_at;    // position of the input in the solve order; -1: an independent column
  int input_where; // index of the input in reach, if it is an independent column
  bool is_direct;  // the input is the only column outside the block on which its rows depend
  double pivot;    // the smallest pivot of the last factorisation, relative to its row's scale
  double largest;  // largest scale_inverse of its rows
  int reach_count; // independent columns on which its coordinates depend
  int free_count;  // the free ones among them, which come first
  int *reach;      // their indices into column_u, ascending
  double *B;       // size x reach_count by rows: the block's part of B
} loopBlock;

// An entry of J_v left of the diagonal block, in a column of an earlier block.
typedef struct loopLeft {
  int at;             // index into the values of J
  int where;          // position of its column in the solve order
  double scale;       // scale_inverse of its row
  double value;       // scaled value, gathered by blocks_factor
  const double *from; // the row of B of that column
  int count;          // length of that row
  // for each of its entries the index in the reach of this block; NULL: the same index
  const int *into;
} loopLeft;

// An entry of J_u.
typedef struct loopRight {
  int at;       // index into the values of J
  int where;    // index of its column in the reach of the block
  double scale; // scale_inverse of its row
  double value; // scaled value, gathered by blocks_factor
} loopRight;

typedef struct loopBlocks {
  int m, n;
  int nd;        // dependent columns
  int nf, nu;    // free columns; independent columns = free and driven
  int *row;      // nd rows of J in solve order
  int *column;   // nd dependent columns in solve order
  int *column_u; // nu independent columns: free ones ascending, then driven ones ascending
  int *position; // n: position of a dependent column in the solve order, -1 for other columns
  int *number;   // n: index of an independent column in column_u

  size_t B_size; // entries of B in total; the blocks' parts are stored one after the other
  int block_count;
  loopBlock *block;
  int *block_of;     // nd: the block at each position
  int *block_of_row; // m: the block of a row of J, -1: the partition does not use the row

  int *left_start; // nd + 1: entries of left[] by rows in solve order
  loopLeft *left;
  int *right_start; // nd + 1: entries of right[] by rows in solve order
  loopRight *right;

  // nd: derivative of a held coordinate with respect to an independent column that no row
  // depends on (an idle spin)
  double *idle_slope;
  int *idle_where; // nd: index of that column in the reach of the block, -1: none

  double *scale_inverse; // nd: row scale factors, powers of two
  double *work;          // nd
  baseArena memory;
} loopBlocks;

// Allocate memory and compute all patterns. J, pattern and keep as in partitionRequest.
artStatus blocks_create(loopBlocks **blocks, const loopPartition *partition, const loopMatrix *J,
                        const bool *pattern, memSource *keep, artError *error);

// Accepts NULL.
void blocks_free(loopBlocks *blocks);

// While its block is held, let the coordinate at position p also follow an independent column with
// the given slope. The rows must stay satisfied when all coordinates with an idle slope move
// together.
void blocks_set_idle(loopBlocks *blocks, int p, int column, double slope);

// While block k is held, its coordinates are functions of this column; -1: the block can never be
// held.
void blocks_set_input(loopBlocks *blocks, int k, int column);

//---- factorisation -------------------------------------------------------------------------------

// Factor all blocks and gather the other entries of J; the functions below do not read J again.
// Returns the smallest pivot of all blocks, relative to the scale of its row at the time of the
// partition (also in block[k].pivot); 0 when J_v is singular. Compare it with its value at the
// partition.
double blocks_factor(loopBlocks *blocks, const double *J);

// The same for block k.
void blocks_factor_one(loopBlocks *blocks, int k, const double *J);

// Determinant of a factored block with scaled rows; not finite where a pivot is unusable.
double blocks_determinant(const loopBlock *block);

//---- solution ------------------------------------------------------------------------------------

// J_v x = b.
//   reads b at the partition's rows, writes x at the dependent columns
void blocks_solve(loopBlocks *blocks, const double *b, double *x);

// The same for blocks some[count] only (ascending). x counts as zero in all other blocks and is not
// written there.
void blocks_solve_some(loopBlocks *blocks, int count, const int *some, const double *b, double *x);

// J_v^T y = c.
//   reads c at the dependent columns, writes y at the partition's rows
void blocks_solve_transposed(loopBlocks *blocks, const double *c, double *y);

//---- coupling ------------------------------------------------------------------------------------

// Compute B = -J_v^-1 J_u into block[k].B. Cost: size of B times entries of J_v per row.
void blocks_couple(loopBlocks *blocks);

// v_v = B v_u, after blocks_couple.
//   reads v at the independent columns, writes it at the dependent columns
void blocks_multiply(const loopBlocks *blocks, double *v);

// f_u += B^T f_v, after blocks_couple.
//   reads f at the dependent columns, adds to it at the independent columns
void blocks_project(const loopBlocks *blocks, double *f);

// The block at position p of the solve order. Row p of B has reach_count values, one for each
// column in its reach.
static inline const loopBlock *blocks_block(const loopBlocks *blocks, int p)
{
  ART_ASSERT(p >= 0 && p < blocks->nd);
  return &blocks->block[blocks->block_of[p]];
}

static inline const double *blocks_B_row(const loopBlocks *blocks, int p)
{
  const loopBlock *block = blocks_block(blocks, p);
  return block->B + (size_t) (p - block->first) * (size_t) block->reach_count;
}

#endif
