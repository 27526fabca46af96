// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where the entries of L stand in A = L D L^T: the order of the pivots and blocks of columns that have
// their rows in common, found once from the pattern of A.
#ifndef NUM_POSITIVE_ANALYSIS_H
#define NUM_POSITIVE_ANALYSIS_H

#include "articula/base.h"
#include "base/arena.h"
#include "num/pattern.h"

// Update that a block subtracts from a later one: its rows `from` to `to` - 1 are columns of the later one.
typedef struct positiveUpdate {
  int source; // block
  int from, to;
  int *at; // [height of source - from] rows of the later block in which the source's stand
} positiveUpdate;

// Neighbouring columns of L, stored with the same rows: a matrix by columns of which the upper triangle
// is not used.
typedef struct positiveBlock {
  int column, width;
  int height;
  int *row;                // [height] ascending; its own columns are the first
  long entry;              // its first entry among the entries of all blocks
  positiveUpdate *updates; // from earlier blocks
  int nupdates;
} positiveBlock;

// Rows and columns of L are numbered in the order of the pivots.
typedef struct positiveAnalysis {
  int n;
  int *order; // [n] the unknown that each pivot stands for
  int nblocks;
  positiveBlock *block;
  long entries;        // of all blocks, unused ones included
  long *where;         // [start[n]] where each value of A goes among them
  int widest, tallest; // block
} positiveAnalysis;

// Few entries: an order of little fill, and blocks as the pattern makes them.
artStatus positive_analyse_sparse(positiveAnalysis *a, const numPattern *pattern, baseArena *arena,
                                  artError *error);

// All entries: the order given, one block.
artStatus positive_analyse_dense(positiveAnalysis *a, const numPattern *pattern, baseArena *arena,
                                 artError *error);

#endif
