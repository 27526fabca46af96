// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The linear algebra of the semi-recursive method in two parts that are chosen apart.
//
// Rows: solution of J_v x = b. Either by the independent rows along the blocks of J_v, or by all
// rows, including redundant ones (Hidalgo and Garcia de Jalon 2012, figure 4). Then A = J_v has
// more rows than columns, full column rank, and compatible right-hand sides; LU with full pivoting,
// UMFPACK or SPQR solve it.
//
// Mass: assembly and solution with R^T M R, in plain C along the branches of the tree, with dense
// matrices by BLAS and LAPACK, or with sparse factors.
//
// Rows of J_v and dependent columns are in the solve order of the blocks, independent columns in
// the order of blocks->column_u, free ones first. B is always stored in the blocks. Results depend
// on the state and on the partition only, not on earlier evaluations.
#ifndef METHOD_REDUCE_H
#define METHOD_REDUCE_H

#include "loop/loop.h"
#include "method/method.h"

typedef struct methodReduce methodReduce;

// A coordinate moves nothing when less than this fraction of its inertia remains while the others
// are free.
#define REDUCE_NOTHING 1e-14

// A smaller pivot of scaled rows counts as zero (as for the rank, loop/rank.h).
#define REDUCE_LEAST_PIVOT LOOP_RANK_TOLERANCE

// Solution by all rows of J_v. NULL: the blocks solve, which is also the fallback when a call
// fails. J_v^T y = c is always solved by the blocks: the independent rows carry the multipliers.
typedef struct reduceRows {
  // Allocate memory for the present partition; 0 when there is none.
  int (*start)(methodReduce *r, const struct loopWork *loop);
  void (*stop)(methodReduce *r); // NULL: all memory is in the arena

  // Factor J_v; 0 if it is singular or memory ran out.
  int (*factor)(methodReduce *r, const struct loopWork *loop);

  // J_v X = Y in place; columns have all rows and follow each other; X is in the first nd rows. 0
  // when memory ran out.
  int (*solve)(methodReduce *r, int count, double *columns);
} reduceRows;

typedef struct reduceMass {
  // Allocate memory for the present partition; 0 when there is none. NULL: not needed.
  int (*start)(methodReduce *r, const artModel *m);
  void (*stop)(methodReduce *r);

  // Mr = R^T M R, lower triangle by rows, with B from the blocks.
  void (*reduce)(methodReduce *r, const treeModel *t);

  // x = Mr^-1 x, overwrites Mr; returns the index of a zero pivot, or -1.
  int (*solve_free)(methodReduce *r, double *x);
} reduceMass;

extern const reduceRows reduce_rows_lu, reduce_rows_umfpack, reduce_rows_spqr;
extern const reduceMass reduce_mass_plain, reduce_mass_dense, reduce_mass_sparse;

// One row of R: indices of the free coordinates that move a coordinate, and the derivatives.
typedef struct reduceRow {
  int n;
  const int *number;
  const double *rate;
} reduceRow;

// Work of the semi-recursive method.
struct methodReduce {
  // mass matrix of the tree: row k starts at its first coordinate on the path to ground
  double *M;
  long *M_row;    // [nv] index of column 0 of a row (virtual)
  double *sum;    // [nv] sum of rows of R
  double *Mr;     // [nf nf] reduced mass matrix
  size_t Mr_room; // its capacity

  // the rest belongs to the present partition
  const reduceRows *rows; // NULL: the blocks
  const reduceMass *mass;
  long serial;    // serial number of the partition for which memory was allocated
  int is_by_rows; // were all rows factored in this evaluation?
  int nd, nf, nu; // dependent, free and independent columns
  const loopBlocks *blocks;
  reduceRow *R;      // [nv] with B from the blocks
  baseArena *memory; // for the present partition

  // solution by all rows
  int nrow;         // rows of J_v that have entries
  int *row;         // [nrow] their numbers
  double *scale;    // [nrow] row scale factors, powers of two
  double *X;        // [nrow nu] by columns: right-hand sides, then B in the first nd rows
  double *side;     // [nrow] a right-hand side
  double *Jv;       // lu: [nrow nd] by columns, its factors
  int *swap;        // lu: [nd] row exchanges
  int *column_swap; // lu: [nd] column exchanges
  double *entry;    // sparse: values of J_v by columns
  int *start, *at;  // sparse: [nd + 1] start of each column; row of each entry
  int *from;        // sparse: index of each entry in J
  struct reduceFactors *factors; // sparse: data of the library in use

  struct reduceFull *full;       // mass, dense
  struct reducePattern *pattern; // mass, sparse
};

static inline methodReduce *reduce_of(const artData *d)
{
  return method_part(d, ART_SEMIRECURSIVE);
}

// Allocate the mass matrix of the tree.
artStatus reduce_start(const artModel *m, artData *d, artError *error);
void reduce_free(void *part);

// Select the algebra requested by the data, prepare it for the present partition, and factor all
// rows if requested. Uses the blocks alone near singular positions, where some are held.
artStatus reduce_prepare(const artModel *m, artData *d, artError *error);

// Compute B into the blocks.
void reduce_couple(methodReduce *r, struct loopWork *loop);

// J_v x = b, numbered as in blocks_solve.
void reduce_solve(methodReduce *r, struct loopWork *loop, const double *b, double *x);

// List the entries of J_v by columns in start, at and from, and allocate `entry`; 0 when memory ran
// out.
int reduce_find_entries(methodReduce *r, const struct loopWork *loop);

// Gather the scaled values from J.
void reduce_take_entries(methodReduce *r, const double *J);

// Mr = R^T M R, lower triangle by rows, from the nonzero entries of M and B; overwrites the upper
// triangle.
void reduce_plainly(methodReduce *r, const treeModel *t);

// Mr += F, where F + F^T = R^T M R.
void reduce_add_tree(methodReduce *r, const treeModel *t);

// x = Mr^-1 x by Cholesky factorisation of Mr in plain C; returns as solve_free does.
int reduce_solve_plain(methodReduce *r, double *x);

#endif
