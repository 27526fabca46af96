// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pattern work behind a partition: matching rows with columns, and the block triangular form.
#ifndef LOOP_MATCH_H
#define LOOP_MATCH_H

#include <stdbool.h>

#include "articula/base.h"
#include "base/arena.h"

// A pattern of m rows and n columns, m x n by rows.
typedef struct matchPattern {
  int m, n;
  const bool *entry;  // counted as connections
  const bool *usable; // may be matched: a subset of entry
} matchPattern;

// Give each row a column of its own, by the symbolic method: in the order of the rows, the free
// column with the fewest entries, then with the fewest connections, then the first (Postiau 2004,
// section 2.3.4); augmenting paths where that runs out of columns.
//   writes column[m]; -1 for rows that no matching can serve beside the others
// Returns how many rows are matched, -1 when memory ran out.
int match_columns(const matchPattern *pattern, int *column);

// Block lower triangular form of a square pattern (n x n by rows) with a perfect matching.
//   writes row[n], column[n] (permutations), start[n + 1]; positions of a block are consecutive,
//   blocks in solve order, rows and columns of a block ascending
// Returns the number of blocks, 0 when there is no perfect matching, -1 when memory ran out.
int match_blocks(int n, const bool *entry, int *row, int *column, int *start);

#endif
