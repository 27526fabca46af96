// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The linear algebra of the semi-recursive method in two parts that are chosen apart.
//
// Rows: how J_v x = b is solved. By the rows that count alone, along the blocks of J_v; or by all rows, of which some
// follow from the others (Hidalgo and Garcia de Jalon 2012, figure 4): A = J_v has more rows than columns, full column
// rank, and right sides that contradict nothing. LU with full pivoting, UMFPACK and SPQR take such matrices.
//
// Mass: how R^T M R is made and solved with: straight C along the branches of the tree, full matrices by BLAS and
// LAPACK, or sparse factors.
//
// Rows of J_v and dependent columns stand in the solve order of the blocks, independent columns in
// the order of blocks->column_u, free ones first. Whatever finds B leaves it in the blocks. Results
// depend on the state and on the partition alone, not on earlier evaluations.
#ifndef METHOD_REDUCE_H
#define METHOD_REDUCE_H

#include "loop/loop.h"
#include "method/method.h"

typedef struct methodReduce methodReduce;

// A coordinate moves nothing when less than this part of its inertia is left, others moving freely.
#define REDUCE_NOTHING 1e-14

// A pivot of scaled rows below this is nothing (as for the rank, loop/rank.h).
#define REDUCE_LEAST_PIVOT LOOP_RANK_TOLERANCE

// All rows of J_v. Without them the blocks solve, and they do as well where a call here fails. J_v^T y = c is always
// solved by the blocks: of redundant rows the independent ones carry the multipliers.
typedef struct reduceRows {
  // Take memory for the present partition; 0 when there is none.
  int (*start)(methodReduce *r, const struct loopWork *loop);
  void (*stop)(methodReduce *r); // NULL: the arena holds all of it

  // Factor J_v; 0 where that cannot be done well.
  int (*factor)(methodReduce *r, const struct loopWork *loop);

  // J_v X = Y in place: columns of all rows, one after the other, X in their first nd; 0 when there is no memory.
  int (*solve)(methodReduce *r, int count, double *columns);
} reduceRows;

typedef struct reduceMass {
  // Take memory for the present partition; 0 when there is none. Missing where none is needed.
  int (*start)(methodReduce *r, const artModel *m);
  void (*stop)(methodReduce *r);

  // Mr = R^T M R, lower triangle by rows, with the B of the blocks.
  void (*reduce)(methodReduce *r, const treeModel *t);

  // x = Mr^-1 x, Mr used up; returns the number of the pivot that is nothing, or -1.
  int (*solve_free)(methodReduce *r, double *x);
} reduceMass;

extern const reduceRows reduce_rows_lu, reduce_rows_umfpack, reduce_rows_spqr;
extern const reduceMass reduce_mass_plain, reduce_mass_dense, reduce_mass_sparse;

// One row of R: the numbers among the free coordinates of those that move a coordinate, and by how much.
typedef struct reduceRow {
  int n;
  const int *number;
  const double *rate;
} reduceRow;

// The work of the semi-recursive method.
struct methodReduce {
  double *M;      // mass matrix of the tree: row k from its first coordinate on the way to ground
  long *M_row;    // [nv] where column 0 of a row would stand
  double *sum;    // [nv] of rows of R
  double *Mr;     // [nf nf] reduced mass matrix
  size_t Mr_room; // entries

  // for the present partition
  const reduceRows *rows; // NULL: the blocks
  const reduceMass *mass;
  long serial;    // of the partition that the memory was taken for
  int is_by_rows; // the rows have been factored in this evaluation
  int nd, nf, nu; // dependent, free and independent columns
  const loopBlocks *blocks;
  reduceRow *R;      // [nv] with the B of the blocks
  baseArena *memory; // of what belongs to the present partition

  // all rows
  int nrow;         // of J_v that have entries
  int *row;         // [nrow] which
  double *scale;    // [nrow] by which they are multiplied, powers of two
  double *X;        // [nrow nu] by columns: right sides, then B in the first nd rows
  double *side;     // [nrow] a right side
  double *Jv;       // lu: [nrow nd] by columns, its factors
  int *swap;        // lu: [nd] row exchanges
  int *column_swap; // lu: [nd] column exchanges
  double *entry;    // sparse: entries of J_v by columns
  int *start, *at;  // sparse: [nd + 1] where columns begin, position of every entry in its column
  int *from;        // sparse: its entry in J
  struct reduceFactors *factors; // sparse: of the library at work

  struct reduceFull *full;       // mass, dense
  struct reducePattern *pattern; // mass, sparse
};

static inline methodReduce *reduce_of(const artData *d)
{
  return method_part(d, ART_SEMIRECURSIVE);
}

// Room for the mass matrix of the tree.
artStatus reduce_start(const artModel *m, artData *d, artError *error);
void reduce_free(void *part);

// The algebra that the data asks for, ready for the present partition, all rows factored where they are asked for; the
// blocks alone near singular positions, where some are held.
artStatus reduce_prepare(const artModel *m, artData *d, artError *error);

// B into the blocks.
void reduce_couple(methodReduce *r, struct loopWork *loop);

// J_v x = b, numbered as by blocks_solve.
void reduce_solve(methodReduce *r, struct loopWork *loop, const double *b, double *x);

// List the entries of J_v by columns: start, at, from, and room for entry; 0 when there is no memory.
int reduce_find_entries(methodReduce *r, const struct loopWork *loop);

// The entries out of a J, rows scaled.
void reduce_take_entries(methodReduce *r, const double *J);

// Mr = R^T M R, lower triangle by rows, entry by entry of M and B; the upper triangle is used up.
void reduce_plainly(methodReduce *r, const treeModel *t);

// Mr += F, where F + F^T = R^T M R.
void reduce_add_tree(methodReduce *r, const treeModel *t);

// Cholesky's factors of Mr and x = Mr^-1 x in straight C; returns as solve_free does.
int reduce_solve_plain(methodReduce *r, double *x);

#endif
