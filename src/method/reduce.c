// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which algebra the semi-recursive method uses, and what those with matrices of their own share.
#include "method/reduce.h"

#include <string.h>

#include "base/memory.h"


void reduce_free(methodReduce *r)
{
  if (!r) return;
  if (r->algebra && r->algebra->stop) r->algebra->stop(r);
  arena_free(&r->memory);
  mem_free(r);
}


static const reduceAlgebra *asked_for(const struct loopWork *loop)
{
  if (loop->blocks->nd == 0) return &reduce_plain;
  switch (loop->algebra) {
  case ART_ALGEBRA_DENSE:
    return &reduce_dense;
  case ART_ALGEBRA_SPARSE:
    return &reduce_sparse;
  default:
    return &reduce_plain;
  }
}


// room for X and one right side, then what the algebra wants
static methodReduce *start(const artModel *m, const struct loopWork *loop,
                           const reduceAlgebra *algebra)
{
  methodReduce *r = mem_alloc(1, sizeof *r);
  if (!r) return NULL;
  r->serial = loop->serial;
  r->nd = loop->blocks->nd;
  r->nu = loop->blocks->nu;
  r->X = arena_alloc(&r->memory, (size_t) r->nd * (size_t) r->nu + 1, sizeof *r->X);
  r->side = arena_alloc(&r->memory, (size_t) r->nd, sizeof *r->side);
  r->algebra = algebra;
  if (r->X && r->side && algebra->start(r, m, loop)) return r;
  reduce_free(r);
  return NULL;
}


const reduceAlgebra *reduce_choose(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const size_t nv = (size_t) m->tree.nv;
  if (!d->work->M) {
    base_fail(error, ART_UNSUPPORTED, base_nowhere(),
              "method semirecursive keeps a full matrix and takes at most %d coordinates, this "
              "model has %d; use recursive",
              WORK_LARGEST_MATRIX, m->tree.nv);
    return NULL;
  }
  if (!loop->Mr) loop->Mr = arena_alloc(&loop->memory, nv * nv, sizeof *loop->Mr);
  if (!loop->Mr) {
    base_no_memory(error);
    return NULL;
  }
  const reduceAlgebra *algebra = asked_for(loop);
  if (algebra == &reduce_plain || loop->hold.held > 0) return &reduce_plain;
  if (!loop->reduce || loop->reduce->serial != loop->serial || loop->reduce->algebra != algebra) {
    reduce_free(loop->reduce);
    loop->reduce = start(m, loop, algebra);
    if (!loop->reduce) {
      base_no_memory(error);
      return NULL;
    }
  }
  return algebra->factor(loop->reduce, loop) ? algebra : &reduce_plain;
}


void reduce_gather(methodReduce *r, const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  for (int j = 0; j < r->nu; j++) {
    double *column = r->X + (long) j * r->nd;
    const double *J = loop->rows.J + blocks->column_u[j];
    for (int p = 0; p < r->nd; p++) column[p] = -J[(long) blocks->row[p] * blocks->n];
  }
}


void reduce_spread(const methodReduce *r, struct loopWork *loop)
{
  for (int k = 0; k < loop->blocks->block_count; k++) {
    const loopBlock *block = &loop->blocks->block[k];
    double *B = block->B;
    for (int p = block->first; p < block->first + block->size; p++) {
      for (int e = 0; e < block->reach_count; e++) *B++ = r->X[(long) block->reach[e] * r->nd + p];
    }
  }
}
