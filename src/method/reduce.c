// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which algebra the semi-recursive method uses, and what those with matrices of their own share: rows, right
// sides, entries by columns.
#include "method/reduce.h"

#include "base/memory.h"


void reduce_free(methodReduce *r)
{
  if (!r) return;
  if (r->algebra.rows->stop) r->algebra.rows->stop(r);
  if (r->algebra.mass->stop) r->algebra.mass->stop(r);
  arena_free(&r->memory);
  mem_free(r);
}


static reduceAlgebra asked_for(const struct loopWork *loop)
{
  static const reduceRows *const rows[ART_REDUNDANTS] = {
      [ART_REDUNDANT_DROP] = &reduce_rows_plain,
      [ART_REDUNDANT_LU] = &reduce_rows_lu,
      [ART_REDUNDANT_UMFPACK] = &reduce_rows_umfpack,
      [ART_REDUNDANT_SPQR] = &reduce_rows_spqr,
  };
  static const reduceMass *const mass[ART_ALGEBRAS] = {
      [ART_ALGEBRA_AUTOMATIC] = &reduce_mass_plain,
      [ART_ALGEBRA_PLAIN] = &reduce_mass_plain,
      [ART_ALGEBRA_DENSE] = &reduce_mass_dense,
      [ART_ALGEBRA_SPARSE] = &reduce_mass_sparse,
  };
  const int is_tree = loop->blocks->nd == 0;
  return (reduceAlgebra){is_tree ? &reduce_rows_plain : rows[loop->redundant],
                         loop->blocks->nf == 0 ? &reduce_mass_plain : mass[loop->algebra]};
}


static int is_same(reduceAlgebra a, reduceAlgebra b)
{
  return a.rows == b.rows && a.mass == b.mass;
}


// whether a row of J has entries in the dependent columns
static int has_entries(const struct loopWork *loop, int row)
{
  const loopBlocks *blocks = loop->blocks;
  for (int p = 0; p < blocks->nd; p++) {
    if (loop->pattern[(long) row * blocks->n + blocks->column[p]]) return 1;
  }
  return 0;
}


// all rows that have some, with room for their right sides
static int take_rows(methodReduce *r, const struct loopWork *loop)
{
  const size_t most = (size_t) loop->blocks->m + 1;
  r->row = arena_alloc(&r->memory, most, sizeof *r->row);
  r->scale = arena_alloc(&r->memory, most, sizeof *r->scale);
  if (!r->row || !r->scale) return 0;
  for (int i = 0; i < loop->blocks->m; i++) {
    if (!has_entries(loop, i)) continue;
    r->scale[r->nrow] = 1 / loop->partition.scale[i];
    r->row[r->nrow++] = i;
  }
  r->X = arena_alloc(&r->memory, (size_t) r->nrow * (size_t) r->nu + 1, sizeof *r->X);
  r->side = arena_alloc(&r->memory, (size_t) r->nrow, sizeof *r->side);
  return r->X && r->side;
}


// what the two parts want
static methodReduce *start(const artModel *m, const struct loopWork *loop, reduceAlgebra algebra)
{
  methodReduce *r = mem_alloc(1, sizeof *r);
  if (!r) return NULL;
  r->serial = loop->serial;
  r->nd = loop->blocks->nd;
  r->nu = loop->blocks->nu;
  r->algebra = algebra;
  int ready = algebra.rows == &reduce_rows_plain || take_rows(r, loop);
  if (algebra.rows->start) ready = ready && algebra.rows->start(r, loop);
  if (algebra.mass->start) ready = ready && algebra.mass->start(r, m, loop);
  if (ready) return r;
  reduce_free(r);
  return NULL;
}


artStatus reduce_choose(const artModel *m, artData *d, reduceAlgebra *algebra, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const size_t nv = (size_t) m->tree.nv;
  if (!d->work->M) {
    return base_fail(
        error, ART_UNSUPPORTED, base_nowhere(),
        "method semirecursive keeps a full matrix and takes at most %d coordinates, this "
        "model has %d; use recursive",
        WORK_LARGEST_MATRIX, m->tree.nv);
  }
  if (!loop->Mr) loop->Mr = arena_alloc(&loop->memory, nv * nv, sizeof *loop->Mr);
  if (!loop->Mr) return base_no_memory(error);
  *algebra = asked_for(loop);
  if (is_same(*algebra, (reduceAlgebra){&reduce_rows_plain, &reduce_mass_plain})) {
    reduce_free(loop->reduce);
    loop->reduce = NULL;
    return ART_OK;
  }
  if (!loop->reduce || loop->reduce->serial != loop->serial ||
      !is_same(loop->reduce->algebra, *algebra)) {
    reduce_free(loop->reduce);
    loop->reduce = start(m, loop, *algebra);
    if (!loop->reduce) return base_no_memory(error);
  }
  if (loop->hold.held > 0 || !algebra->rows->factor(loop->reduce, loop)) {
    algebra->rows = &reduce_rows_plain;
  }
  return ART_OK;
}


//---- right sides ----------------------------------------------------------------------------------

void reduce_gather(methodReduce *r, const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  for (int j = 0; j < r->nu; j++) {
    double *column = r->X + (long) j * r->nrow;
    const double *J = loop->rows.J + blocks->column_u[j];
    for (int p = 0; p < r->nrow; p++) {
      column[p] = -r->scale[p] * J[(long) r->row[p] * blocks->n];
    }
  }
}


void reduce_gather_side(methodReduce *r, const double *b)
{
  for (int p = 0; p < r->nrow; p++) r->side[p] = r->scale[p] * b[r->row[p]];
}


void reduce_spread(const methodReduce *r, struct loopWork *loop)
{
  for (int k = 0; k < loop->blocks->block_count; k++) {
    const loopBlock *block = &loop->blocks->block[k];
    double *B = block->B;
    for (int p = block->first; p < block->first + block->size; p++) {
      for (int e = 0; e < block->reach_count; e++) {
        *B++ = r->X[(long) block->reach[e] * r->nrow + p];
      }
    }
  }
}

//---- entries by columns --------------------------------------------------------------------------

// one pass over the pattern; writes where there is room, returns how many entries there are
static size_t list_entries(methodReduce *r, const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  size_t count = 0;
  for (int j = 0; j < r->nd; j++) {
    if (r->start) r->start[j] = (int) count;
    for (int p = 0; p < r->nrow; p++) {
      const long from = (long) r->row[p] * blocks->n + blocks->column[j];
      if (!loop->pattern[from]) continue;
      if (r->start) r->at[count] = p, r->from[count] = from;
      count++;
    }
  }
  if (r->start) r->start[r->nd] = (int) count;
  return count;
}


int reduce_find_entries(methodReduce *r, const struct loopWork *loop)
{
  const size_t count = list_entries(r, loop);
  r->at = arena_alloc(&r->memory, count, sizeof *r->at);
  r->from = arena_alloc(&r->memory, count, sizeof *r->from);
  r->entry = arena_alloc(&r->memory, count, sizeof *r->entry);
  r->start = arena_alloc(&r->memory, (size_t) r->nd + 1, sizeof *r->start);
  if (!r->start || !r->at || !r->from || !r->entry) return 0;
  list_entries(r, loop);
  return 1;
}


void reduce_take_entries(methodReduce *r, const double *J)
{
  for (int e = 0; e < r->start[r->nd]; e++) r->entry[e] = r->scale[r->at[e]] * J[r->from[e]];
}
