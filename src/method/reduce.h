// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The linear algebra of the semi-recursive method, three times: straight C that follows the blocks of
// J_v and the branches of the tree, full matrices by BLAS and LAPACK, sparse factors of J_v by KLU.
//
// Rows of J_v and dependent columns stand in the solve order of the blocks, independent columns in
// the order of blocks->column_u, free ones first. Whatever finds B leaves it in the blocks. Results
// depend on the state and on the partition alone, not on earlier evaluations.
#ifndef METHOD_REDUCE_H
#define METHOD_REDUCE_H

#include "force/work.h"
#include "loop/loop.h"

typedef struct methodReduce methodReduce;

// A coordinate moves nothing when less than this part of its inertia is left, others moving freely.
#define REDUCE_NOTHING 1e-14

typedef struct reduceAlgebra {
  // Take memory for the present partition; 0 when there is none.
  int (*start)(methodReduce *r, const artModel *m, const struct loopWork *loop);
  void (*stop)(methodReduce *r);

  // Factor J_v and find B; 0 where that cannot be done well, and the blocks have to do it.
  int (*factor)(methodReduce *r, const struct loopWork *loop);
  void (*couple)(methodReduce *r, struct loopWork *loop);

  // J_v x = b and J_v^T y = c, numbered as by blocks_solve and blocks_solve_transposed.
  void (*solve)(methodReduce *r, struct loopWork *loop, const double *b, double *x);
  void (*solve_transposed)(methodReduce *r, struct loopWork *loop, const double *c, double *y);

  // loop->Mr = R^T M R, lower triangle by rows.
  void (*reduce)(methodReduce *r, const artModel *m, const artWork *w);

  // x = Mr^-1 x, Mr used up; returns the number of the pivot that is nothing, or -1.
  int (*solve_free)(struct loopWork *loop, double *x);
} reduceAlgebra;

extern const reduceAlgebra reduce_plain, reduce_dense, reduce_sparse;

struct methodReduce {
  const reduceAlgebra *algebra;
  long serial; // of the partition that the memory was taken for
  int nd, nu;  // dependent and independent columns
  baseArena memory;

  double *X;       // [nd nu] by columns: B
  double *side;    // [nd] a right side
  double *Jv;      // dense: [nd nd] by columns, its factors
  int *swap;       // dense: [nd] row exchanges
  double *M;       // dense: [nv nv] both triangles
  double *R, *MR;  // dense: [nv nf] by columns
  double *entry;   // sparse: entries of J_v by columns
  int *start, *at; // sparse: [nd + 1] where columns begin, position of every entry in its column
  long *from;      // sparse: its place in J
  struct reduceFactors *factors; // sparse: of KLU
};

// The algebra that the data asks for, ready for the present partition; straight C near singular
// positions, where blocks are held. NULL with *error when there is no memory.
const reduceAlgebra *reduce_choose(const artModel *m, artData *d, artError *error);

// Accepts NULL.
void reduce_free(methodReduce *r);

// Straight C, which sparse factors of J_v share.
void reduce_mass_plain(methodReduce *r, const artModel *m, const artWork *w);
int reduce_solve_plain(struct loopWork *loop, double *x);

// Copy B from X into the blocks.
void reduce_spread(const methodReduce *r, struct loopWork *loop);

// X = -J_u.
void reduce_gather(methodReduce *r, const struct loopWork *loop);

#endif
