// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Structure of L in A = L D L^T: pivot order, and supernodes (blocks of columns with common rows),
// computed once from the pattern of A.
#ifndef NUM_POSITIVE_ANALYSIS_H
#define NUM_POSITIVE_ANALYSIS_H

#include "articula/base.h"
#include "base/arena.h"
#include "num/pattern.h"

// Update of a later block by an earlier one, whose rows `from` to `to` - 1 are columns of the later
// block.
typedef struct positiveUpdate {
  int source; // block
  int from, to;
  int *at; // [height of source - from] rows of the source as row indices in the later block
} positiveUpdate;

// Consecutive columns of L with the same rows (a supernode), stored as a dense matrix by columns;
// its upper triangle is unused.
typedef struct positiveBlock {
  int column, width;
  int height;
  int *row;                // [height] ascending, starting with its own columns
  long entry;              // index of its first entry in the common array
  positiveUpdate *updates; // from earlier blocks
  int nupdates;
} positiveBlock;

// Rows and columns of L are numbered in the order of the pivots.
typedef struct positiveAnalysis {
  int n;
  int *order; // [n] the unknown of each pivot
  int nblocks;
  positiveBlock *block;
  long entries;        // in all blocks, including unused ones
  long *where;         // [start[n]] index of each value of A in the common array
  int widest, tallest; // maximum width and height of a block
} positiveAnalysis;

// Sparse: fill-reducing order, blocks according to the pattern.
artStatus positive_analyse_sparse(positiveAnalysis *a, const numPattern *pattern, baseArena *arena,
                                  artError *error);

// Dense: natural order, a single block.
artStatus positive_analyse_dense(positiveAnalysis *a, const numPattern *pattern, baseArena *arena,
                                 artError *error);

#endif
