// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Full-pivot elimination that only asks which pivots it would take.
#ifndef LOOP_PIVOT_H
#define LOOP_PIVOT_H

// Choose pivots in A (m x n by rows, destroyed): always the largest entry that remains, as long as
// it is above least. Columns of rank 0 are used up before those of rank 1, and so on below ranks;
// columns of negative rank are never taken.
//   writes row[k], column[k]: the k-th pivot, k < min(m, n)
// Returns the number of pivots, -1 when memory ran out.
int pivot_choose(int m, int n, double *A, int ranks, const int *rank_of, double least, int *row,
                 int *column);

#endif
