// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rank of a constraint Jacobian: which rows count, and from which of them the others follow.
#ifndef LOOP_RANK_H
#define LOOP_RANK_H

#include <stdbool.h>

#include "articula/base.h"
#include "base/arena.h"
#include "base/memory.h"
#include "loop/matrix.h"

typedef enum loopRowKind {
  LOOP_ROW_INDEPENDENT,
  LOOP_ROW_REDUNDANT, // a combination of independent rows; a row of zeros is one of none
  LOOP_ROW_OVERDRIVEN // the same, but for driven columns: a condition on the drives alone
} loopRowKind;

// Result of rank_find. It owns its memory; give it back with rank_free.
typedef struct loopRank {
  int m, n;
  int rank;
  loopRowKind *kind; // m

  int *independent; // rank rows, ascending
  int other_count;  // m - rank
  int *other;       // the redundant and overdriven rows, ascending

  // row other[k] = sum of coefficient[e] * row source[e] over start[k] <= e < start[k + 1], in the
  // columns that are not driven; coefficients too small to matter are left out
  int *start;
  int *source;
  double *coefficient;

  double weakest; // the least of what remained of an independent row, relative to the row
  baseArena memory;
} loopRank;

// Relative tolerance of all decisions: a row is zero when its largest entry is below this times the
// largest entry of J, and redundant when elimination leaves less than this times the row's largest
// entry.
#define LOOP_RANK_TOLERANCE 1e-9

// Find the rank of J over the columns that are not driven (driven may be NULL: none is). Earlier rows
// are preferred, but a row of which little remains waits until the sound ones are in. Start from any
// loopRank; on failure there is nothing to free. The result has memory from `keep`, or from the source in use (NULL), as
// all that is needed on the way.
// Cost O(m n rank) for a full matrix, as much as its entries and their fill for a sparse one.
artStatus rank_find(loopRank *rank, const loopMatrix *J, const bool *driven, memSource *keep,
                    artError *error);

// The same with a tolerance of its own, where rows that are most independent of those already in come first, whatever
// their order.
artStatus rank_find_within(loopRank *rank, const loopMatrix *J, const bool *driven,
                           double tolerance, memSource *keep, artError *error);

void rank_free(loopRank *rank);

#endif
