// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rank of a constraint Jacobian: which rows are independent, and how the others depend on them.
#ifndef LOOP_RANK_H
#define LOOP_RANK_H

#include <stdbool.h>

#include "articula/base.h"
#include "base/arena.h"
#include "base/memory.h"
#include "loop/matrix.h"

typedef enum loopRowKind {
  LOOP_ROW_INDEPENDENT,
  LOOP_ROW_REDUNDANT, // a linear combination of independent rows; of none for a row of zeros
  LOOP_ROW_OVERDRIVEN // redundant except in driven columns: a condition on the drives alone
} loopRowKind;

// Result of rank_find; free it with rank_free.
typedef struct loopRank {
  int m, n;
  int rank;
  loopRowKind *kind; // m

  int *independent; // rank rows, ascending
  int other_count;  // m - rank
  int *other;       // the redundant and overdriven rows, ascending

  // row other[k] = sum of coefficient[e] * row source[e] over start[k] <= e < start[k + 1], in the
  // columns that are not driven; negligible coefficients are left out
  int *start;
  int *source;
  double *coefficient;

  double weakest; // smallest remainder of an independent row after elimination, relative to the row
  baseArena memory;
} loopRank;

// Relative tolerance of all decisions: a row is zero when its largest entry is below this times the
// largest entry of J, and redundant when elimination leaves less than this times the row's largest
// entry.
#define LOOP_RANK_TOLERANCE 1e-9

// Find the rank of J over the columns that are not driven (driven may be NULL: none). Earlier rows
// are preferred, but a row of which elimination leaves little is deferred until the sound rows are
// in. `rank` need not be initialised; on failure there is nothing to free. The result is allocated
// from `keep`, or from the current source (NULL) like all temporary memory.
// Cost: O(m n rank) for a full matrix; entries plus fill for a sparse one.
artStatus rank_find(loopRank *rank, const loopMatrix *J, const bool *driven, memSource *keep,
                    artError *error);

// The same with a given tolerance; rows are taken in order of independence from the rows already
// in, not in their given order.
artStatus rank_find_within(loopRank *rank, const loopMatrix *J, const bool *driven,
                           double tolerance, memSource *keep, artError *error);

void rank_free(loopRank *rank);

#endif
