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
  LOOP_SYMBOLIC, // from the pattern: few and small blocks; LOOP_NUMERIC if that is ill-conditioned
  LOOP_NUMERIC,  // full pivoting
  LOOP_BY_HAND   // the independent coordinates are given
} loopChoice;

enum { PARTITION_RANKS = 3 };

typedef struct partitionRequest {
  const loopMatrix *J; // m x n, at an assembled configuration
  const bool *pattern; // entries that can be nonzero; NULL: the nonzero entries of J
  const bool *driven;  // n; NULL: none
  // n: columns that stay free, because other columns span them at every position; NULL: none
  const bool *idle;
  const loopRank *rank; // of this J and these driven columns
  loopChoice choice;
  const char *prefer; // n, for LOOP_NUMERIC: 0 for columns that should be dependent, up to
                      // PARTITION_RANKS - 1 for columns that should be free; NULL: no preference
  bool flat; // LOOP_SYMBOLIC: exchange an independent column for a dependent one that moves
             // PARTITION_FASTEST times as fast, unless blocks grow (for example the angle of a
             // cross for the rotation of its shaft); if it moves PARTITION_STEEPEST times as fast,
             // even if blocks grow
  int hand_count;          // for LOOP_BY_HAND
  const int *hand;         // the free independent columns
  const char *const *name; // n names of columns for messages; NULL: "column 3", counted from 0
  artPlace place;          // where the choice by hand was made, for messages
  // memory source of the partition; NULL: the current source, which all temporary memory comes
  // from
  memSource *keep;
} partitionRequest;

// Rows and columns are numbered as in J. "Free" columns are independent ones that are not driven.
typedef struct loopPartition {
  int m, n;
  int nd; // dependent columns = rank
  int nf; // free columns
  int nc; // driven columns

  int *row;       // nd independent rows of J, ascending
  int *dependent; // nd columns in the order of choice; dependent[i] was chosen for row[i]
  int *free;      // nf, ascending
  int *driven;    // nc, ascending

  // J_v with rows block_row and columns block_column is block lower triangular. Diagonal block k
  // has the positions block_start[k] <= p < block_start[k + 1], ordered by its pivots (full
  // pivoting at the configuration of the request). Blocks are in solve order; of several possible
  // next blocks, the one with the earliest row comes first.
  int block_count;
  int *block_start;
  int *block_row, *block_column;

  loopChoice choice; // the method that was actually used
  double condition;  // of J_v with its rows scaled, infinity norm, estimated
  // m: largest magnitude in each row of J, rounded to a power of two; 1 for a zero row
  double *scale;

  baseArena memory;
} loopPartition;

// Symbolic partitions are accepted up to this condition number, or up to this multiple of the
// condition number of the numeric partition.
#define PARTITION_GOOD_CONDITION  1e3
#define PARTITION_WORSE_CONDITION 1e2
#define PARTITION_FASTEST         10.0

// If a dependent coordinate moves s times as fast as an independent one, its inertia appears s^2
// times as large there, and as many digits of the other inertias are lost.
#define PARTITION_STEEPEST 15.0

// Partition the columns. ART_BAD_INPUT names the coordinates when a choice by hand does not fit.
// `partition` need not be initialised; on failure there is nothing to free.
artStatus partition_find(loopPartition *partition, const partitionRequest *request,
                         artError *error);

void partition_free(loopPartition *partition);

//---- pivots (pivot.c) ----------------------------------------------------------------------------

// Choose pivots in the m rows of A listed in rows[m] (NULL: the first m): always the largest
// remaining entry above `least`; ties go to the first row, then to the first column. Columns of
// rank 0 are used up before columns of rank 1, and so on up to ranks - 1; columns of negative rank
// are never chosen.
//   writes row[k], column[k] of the k-th pivot, k < min(m, n); row is an index into rows
// Returns the number of pivots, -1 when memory ran out.
int pivot_choose(const loopMatrix *A, int m, const int *rows, int ranks, const int *rank_of,
                 double least, int *row, int *column);

//---- factors of J_v (square.c) -------------------------------------------------------------------

// Factors of a sparse square matrix by block triangular form, each diagonal block dense.
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

// Factor A. The factors refer to A, which must outlive them. Returns 0 when memory ran out; then
// there is nothing to free.
int square_factor(loopSquare *f, const loopMatrix *A);
void square_free(loopSquare *f);

// Solve A x = b or A^T x = b in place; A must be regular.
void square_solve(const loopSquare *f, double *x);
void square_solve_transposed(const loopSquare *f, double *x);

// Estimate of |A| |A^-1| in the infinity norm (Hager 1984, Higham 1988); `room` holds 2 n numbers.
double square_condition(const loopSquare *f, double *room);

#endif
