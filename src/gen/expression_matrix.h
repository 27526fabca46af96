// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Matrices of expressions with few entries, by rows: what a machine of many loops has of them grows with its size, not
// with the square.
#ifndef GEN_EXPRESSION_MATRIX_H
#define GEN_EXPRESSION_MATRIX_H

#include "base/arena.h"
#include "sym/expr.h"

typedef struct genEntry {
  int column, node;
} genEntry;

typedef struct genMatrix {
  int n;          // rows
  int *count;     // [n] entries of each
  genEntry **row; // [n] with ascending columns
} genMatrix;

// An empty one; a row's entries, which are copied. Arenas leave where memory runs out.
void matrix_open(genMatrix *A, int n, baseArena *arena);
void matrix_set(genMatrix *A, int i, int n, const genEntry *entry, baseArena *arena);

// Where entry i j stands, made with the node 0 if there is none yet.
int *matrix_place(genMatrix *A, int i, int j, baseArena *arena);

// Of a lower triangle the whole symmetric matrix.
void matrix_mirror(genMatrix *A, const genMatrix *lower, baseArena *arena);

// The node of entry i j; 0: there is none.
int matrix_entry(const genMatrix *A, int i, int j);

// All entries of row i into x, which is zero at the beginning.
void matrix_spread(const genMatrix *A, int i, int *x);

//---- linear systems ------------------------------------------------------------------------------

// L U of a block at frozen pivots (n x n by rows, in place), and solutions with it.
void gen_factor(exprPool *p, int n, int *A);
void gen_solve(exprPool *p, int n, const int *LU, int *x);
void gen_solve_transposed(exprPool *p, int n, const int *LU, int *x);

// A x = b of a symmetric matrix, of which the lower triangle is read, in place.
void gen_eliminate_symmetric(exprPool *p, int n, int *A, int *x);

// Its factors, and the two halves of a solution, in place: L^T y = x, and L a = D^-1 x.
void gen_factor_symmetric(exprPool *p, int n, int *A);
void gen_solve_lower(exprPool *p, int n, const int *LDL, int *x);
void gen_solve_upper(exprPool *p, int n, const int *LDL, int *x);

#endif
