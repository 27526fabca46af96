// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Full-pivot elimination that only asks which pivots it would take.
#ifndef LOOP_PIVOT_H
#define LOOP_PIVOT_H

#include "loop/matrix.h"

// Choose pivots in m rows of A, those that rows[m] lists (NULL: the first m): always the largest entry
// that remains, as long as it is above least; of equals that of the first row, then of the first column.
// Columns of rank 0 are used up before columns of rank 1, and so on below ranks; columns of negative rank
// are never taken.
//   writes row[k], column[k]: the k-th pivot, k < min(m, n); row counts among the m
// Returns the number of pivots, -1 when memory ran out.
int pivot_choose(const loopMatrix *A, int m, const int *rows, int ranks, const int *rank_of,
                 double least, int *row, int *column);

#endif
