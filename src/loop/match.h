// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Graph algorithms for a partition: matching rows with columns, block triangular form.
#ifndef LOOP_MATCH_H
#define LOOP_MATCH_H

#include <stdbool.h>

#include "articula/base.h"
#include "base/arena.h"

// A pattern by rows: row i has the entries start[i] <= e < start[i + 1], their columns ascending.
typedef struct matchPattern {
  int m, n;
  const int *start, *column; // all entries count as connections
  const bool *usable;        // [start[m]] entries that may be matched
} matchPattern;

// Match each row with a column of its own by the symbolic method: row after row, take the free
// column with the fewest entries, then with the fewest connections, then the first one (Postiau
// 2004, section 2.3.4). Where no column is left, search augmenting paths.
//   writes column[m]; -1 for rows that no maximum matching can serve together with the others
// Returns the number of matched rows, -1 when memory ran out.
int match_columns(const matchPattern *pattern, int *column);

// Block lower triangular form of a square pattern with a perfect matching; ignores `usable`.
//   writes row[n], column[n] (permutations), start[n + 1]; positions of a block are consecutive,
//   blocks in solve order, rows and columns of a block ascending
// Returns the number of blocks, 0 when there is no perfect matching, -1 when memory ran out.
int match_blocks(const matchPattern *pattern, int *row, int *column, int *start);

#endif
