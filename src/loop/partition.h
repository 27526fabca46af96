// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dependent and independent coordinates:  J_v qd_v = -J_u qd_u  with a regular J_v, brought to
// block lower triangular form (Wehage and Haug 1982; Postiau 2004, section 2.3).
#ifndef LOOP_PARTITION_H
#define LOOP_PARTITION_H

#include <stdbool.h>

#include "articula/base.h"
#include "base/arena.h"
#include "loop/rank.h"

typedef enum loopChoice {
  LOOP_SYMBOLIC, // from the pattern, few and small blocks; numeric where that conditions badly
  LOOP_NUMERIC,  // the largest pivots
  LOOP_BY_HAND   // the independent coordinates are given
} loopChoice;

enum { PARTITION_RANKS = 3 };

typedef struct partitionRequest {
  const loopMatrix *J; // m x n, at an assembled configuration
  const bool *pattern; // entries that are ever non-zero; NULL: the non-zero entries of J
  const bool *driven;  // n; NULL: none
  const bool *idle; // n: columns that stay free, for others span them at every position; NULL: none
  const loopRank *rank; // of this J and these driven columns
  loopChoice choice;
  const char *prefer; // n, for LOOP_NUMERIC: 0 for columns that depend on others if they can, up to
                      // PARTITION_RANKS - 1 for such as stay free if they can; NULL: all are alike
  bool flat; // LOOP_SYMBOLIC: exchange independent columns for such as they move PARTITION_FASTEST
      // times as fast, where blocks do not grow: the angle of a cross for the turn of its shaft;
      // PARTITION_STEEPEST times as fast, even where they do
  int hand_count;          // for LOOP_BY_HAND
  const int *hand;         // the free independent columns
  const char *const *name; // n names of columns for messages; NULL: "column 3", from 0
  artPlace place;          // of the choice by hand, for messages
  memSource *
      keep; // of the partition's memory; NULL: the source in use, as for all that is needed on the way
} partitionRequest;

// Rows and columns are numbered as in J. "Free" columns are independent ones that are not driven.
typedef struct loopPartition {
  int m, n;
  int nd; // dependent columns = rank
  int nf; // free columns
  int nc; // driven columns

  int *row;       // nd independent rows of J, ascending
  int *dependent; // nd columns in the order of the choice; dependent[i] was chosen for row[i]
  int *free;      // nf, ascending
  int *driven;    // nc, ascending

  // J_v with rows block_row and columns block_column is block lower triangular; diagonal block k
  // has the positions block_start[k] <= p < block_start[k + 1], which stand in the order of its
  // pivots (full pivoting at the configuration of the request). Blocks are in solve order; of those
  // that could come next, the one with the earliest row does.
  int block_count;
  int *block_start;
  int *block_row, *block_column;

  loopChoice choice; // the choice that was made
  double condition;  // of J_v with its rows scaled, infinity norm, estimated
  double *scale;     // m: largest entry of each row of J, as a power of two; 1 for a row of zeros

  baseArena memory;
} loopPartition;

// Symbolic partitions are kept up to this condition number, or up to so many times that of the
// numeric partition.
#define PARTITION_GOOD_CONDITION  1e3
#define PARTITION_WORSE_CONDITION 1e2
#define PARTITION_FASTEST         10.0

// The inertia of a dependent coordinate that moves s times as fast as an independent one is s^2 times as large
// there, and takes as many digits from what the other inertias do.
#define PARTITION_STEEPEST 15.0

// Partition the columns. ART_BAD_INPUT names the coordinates when a choice by hand does not fit.
// Start from any loopPartition; on failure there is nothing to free.
artStatus partition_find(loopPartition *partition, const partitionRequest *request,
                         artError *error);

void partition_free(loopPartition *partition);

//---- pivots (pivot.c) ----------------------------------------------------------------------------

// Choose pivots in m rows of A, those that rows[m] lists (NULL: the first m): always the largest entry
// that remains, as long as it is above least; of equals that of the first row, then of the first column.
// Columns of rank 0 are used up before columns of rank 1, and so on below ranks; columns of negative rank
// are never taken.
//   writes row[k], column[k]: the k-th pivot, k < min(m, n); row counts among the m
// Returns the number of pivots, -1 when memory ran out.
int pivot_choose(const loopMatrix *A, int m, const int *rows, int ranks, const int *rank_of,
                 double least, int *row, int *column);

//---- factors of J_v (square.c) -------------------------------------------------------------------

// Factors of a sparse square matrix by the blocks of its block triangular form, each of them full.
typedef struct loopSquare {
  const loopMatrix *A;
  int is_regular;
  int count;                 // blocks
  int *row, *column, *start; // of blocks, see match_blocks
  double **lu;               // [count] factors of blocks
  int *swap;                 // [n] row exchanges
  double *work;              // [2 n]
  baseArena memory;
} loopSquare;

// Factor A, which the factors go on to read. 0 when memory ran out, and there is nothing to free.
int square_factor(loopSquare *f, const loopMatrix *A);
void square_free(loopSquare *f);

// A x = b and A^T x = b in place, for a regular matrix.
void square_solve(const loopSquare *f, double *x);
void square_solve_transposed(const loopSquare *f, double *x);

// |A| |A^-1| in the infinity norm, estimated (Hager 1984, Higham 1988); room for 2 n numbers.
double square_condition(const loopSquare *f, double *room);

#endif
