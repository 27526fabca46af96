// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numeric work with a partitioned Jacobian, block by block:  J_v x = b,  J_v^T y = c,
// B = -J_v^-1 J_u.
//
// All memory is taken by blocks_create. Vectors are in the caller's own numbering: length m over
// the rows of J, length n over its columns; only entries of the partition's rows or of the
// dependent columns are read or written, as stated. J is given by its entries, which must be zero
// outside the pattern. One loopBlocks serves one thread.
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
  double *lu;      // size x size by rows, rows scaled: factors as lu.h leaves them
  int *from;       // size x size: their entries in J, -1: there is none
  int *swap;       // size: row exchanges of the factorisation
  bool is_held;    // its coordinates are functions of its input, not solved for:
  double *slope;   // size: their derivatives
  double *given;   // size: the solution of J_v x = b less slope times that of the input
  int input_at;    // position of the input in the solve order; -1: an independent column
  int input_where; // its place in reach then
  bool is_direct;  // the input is the one column outside of the block that its rows depend on
  double pivot;    // the smallest pivot of the last factorisation, relative to its row's scale
  double largest;  // scale_inverse of its rows
  int reach_count; // independent columns on which its coordinates depend
  int free_count;  // the free ones among them, which come first
  int *reach;      // their numbers in column_u, ascending
  double *B;       // size x reach_count by rows: the block's part of B
} loopBlock;

// An entry of J_v in the columns of an earlier block.
typedef struct loopLeft {
  int at;             // its entry in J
  int where;          // position of its column in the solve order
  double scale;       // scale_inverse of its row
  double value;       // gathered by the factorisation, row scaled
  const double *from; // the row of B of that column,
  int count;          // its length,
  const int *into;    // and where its entries stand in the reach of this block; NULL: in place
} loopLeft;

// An entry of J_u.
typedef struct loopRight {
  int at;       // its entry in J
  int where;    // place of its column in the reach of the block
  double scale; // scale_inverse of its row
  double value; // gathered by the factorisation, row scaled
} loopRight;

typedef struct loopBlocks {
  int m, n;
  int nd;        // dependent columns
  int nf, nu;    // free columns; independent columns = free and driven
  int *row;      // nd rows of J in solve order
  int *column;   // nd dependent columns in solve order
  int *column_u; // nu independent columns: free ones ascending, then driven ones ascending
  int *position; // n: of a dependent column in the solve order, -1 for the others
  int *number;   // n: of an independent column in column_u

  size_t B_size; // entries of B in all; they lie one block after the other
  int block_count;
  loopBlock *block;
  int *block_of;     // nd: the block at each position
  int *block_of_row; // m: the block of a row of J, -1: the partition does not use the row

  int *left_start; // nd + 1: entries by rows in solve order
  loopLeft *left;
  int *right_start; // nd + 1: the same
  loopRight *right;

  double *
      idle_slope; // nd: of coordinates of held blocks by an independent column on which no row depends,
  int *idle_where; // nd: and where that stands in the reach of the block, -1: nowhere

  double *scale_inverse; // nd: by which the rows are multiplied, powers of two
  double *work;          // nd
  baseArena memory;
} loopBlocks;

// Take memory and work out every pattern. J, pattern and keep as in the request of the partition.
artStatus blocks_create(loopBlocks **blocks, const loopPartition *partition, const loopMatrix *J,
                        const bool *pattern, memSource *keep, artError *error);

// Accepts NULL.
void blocks_free(loopBlocks *blocks);

// Let the coordinate at position p move by so much with an independent column besides, while it is held: all rows stay
// closed when those that do so move together.
void blocks_set_idle(loopBlocks *blocks, int p, int column, double slope);

// Let the coordinates of block k be functions of one column while they are held; -1: they never are.
void blocks_set_input(loopBlocks *blocks, int k, int column);

//---- factorisation -------------------------------------------------------------------------------

// Factor all blocks and gather the rest of J, by its entries, which need not be kept for the functions below.
// Returns the smallest pivot of all blocks, each relative to the scale of its row at the time of
// the partition (the same is in block[k].pivot): 0 when J_v is singular. Compare it with its value
// at the partition.
double blocks_factor(loopBlocks *blocks, const double *J);

// The same for one block.
void blocks_factor_one(loopBlocks *blocks, int k, const double *J);

// Of a factored block with its rows scaled; not finite where a pivot is of no use.
double blocks_determinant(const loopBlock *block);

//---- solution ------------------------------------------------------------------------------------

// J_v x = b.
//   reads b at the partition's rows, writes x at the dependent columns
void blocks_solve(loopBlocks *blocks, const double *b, double *x);

// The same for the blocks some[count] alone, ascending, as if x were zero for all others, where it is left alone.
void blocks_solve_some(loopBlocks *blocks, int count, const int *some, const double *b, double *x);

// J_v^T y = c.
//   reads c at the dependent columns, writes y at the partition's rows
void blocks_solve_transposed(loopBlocks *blocks, const double *c, double *y);

//---- coupling ------------------------------------------------------------------------------------

// B = -J_v^-1 J_u into block[k].B. Cost: the size of B times the entries of J_v per row.
void blocks_couple(loopBlocks *blocks);

// v_v = B v_u, after blocks_couple.
//   reads v at the independent columns, writes it at the dependent ones
void blocks_multiply(const loopBlocks *blocks, double *v);

// f_u + B^T f_v, after blocks_couple.
//   reads f at all columns, adds to it at the independent ones
void blocks_project(const loopBlocks *blocks, double *f);

// The row of B that belongs to position p of the solve order: values, of which there are
// blocks_block(blocks, p)->reach_count, for the columns that its reach lists.
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
