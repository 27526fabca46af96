// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Factors of a sparse square matrix by the blocks of its block triangular form, each of them full.
#ifndef LOOP_SQUARE_H
#define LOOP_SQUARE_H

#include "base/arena.h"
#include "loop/matrix.h"

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
