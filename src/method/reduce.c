// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which algebra the semi-recursive method uses, and what those with matrices of their own share: rows, right
// sides, entries by columns.
#include "method/reduce.h"

#include <string.h>

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
  const loopMatrix *J = &loop->rows.J;
  for (int e = J->start[row]; e < J->start[row + 1]; e++) {
    if (loop->pattern[e] && loop->blocks->position[J->column[e]] >= 0) return 1;
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


// the first coordinate on the way to ground of each row; returns how many entries they have from there on
static size_t lay_mass(const treeModel *t, long *row)
{
  size_t count = 0;
  for (int k = 0; k < t->nv; k++) {
    row[k] = t->dof_parent[k] < 0 ? k : row[t->dof_parent[k]];
    count += (size_t) (k - row[k]) + 1;
  }
  return count;
}


// room for the mass matrix, once
static artStatus take_mass(const artModel *m, struct loopWork *loop, artError *error)
{
  const size_t most = (size_t) METHOD_LARGEST_MATRIX * METHOD_LARGEST_MATRIX;
  long *row = arena_alloc(&loop->memory, (size_t) m->tree.nv, sizeof *row);
  if (!row) return base_no_memory(error);
  const size_t count = lay_mass(&m->tree, row);
  if (count > most) {
    return base_fail(
        error, ART_UNSUPPORTED, base_nowhere(),
        "method semirecursive keeps the mass matrix of the tree, which has %zu entries "
        "here, more than %zu; use recursive",
        count, most);
  }
  long next = 0;
  for (int k = 0; k < m->tree.nv; k++) {
    const long first = row[k];
    row[k] = next - first;
    next += k - first + 1;
  }
  loop->M_row = row;
  loop->M = arena_alloc(&loop->memory, count, sizeof *loop->M);
  return loop->M ? ART_OK : base_no_memory(error);
}


// room for the reduced one of the present partition
static artStatus take_reduced(struct loopWork *loop, artError *error)
{
  const size_t nf = (size_t) loop->partition.nf;
  if (loop->Mr && nf * nf <= loop->Mr_room) return ART_OK;
  if (nf > METHOD_LARGEST_MATRIX) {
    return base_fail(
        error, ART_UNSUPPORTED, base_nowhere(),
        "method semirecursive keeps a full matrix of the free coordinates and takes at "
        "most %d, this model has %zu; use recursive",
        METHOD_LARGEST_MATRIX, nf);
  }
  loop->Mr = arena_alloc(&loop->memory, nf * nf, sizeof *loop->Mr);
  loop->Mr_room = nf * nf;
  return loop->Mr ? ART_OK : base_no_memory(error);
}


artStatus reduce_choose(const artModel *m, artData *d, reduceAlgebra *algebra, artError *error)
{
  struct loopWork *loop = d->work->loop;
  struct methodWork *own = method_work(d);
  if (!own) return base_no_memory(error);
  artStatus status = loop->M ? ART_OK : take_mass(m, loop, error);
  if (status == ART_OK) status = take_reduced(loop, error);
  if (status != ART_OK) return status;
  *algebra = asked_for(loop);
  if (is_same(*algebra, (reduceAlgebra){&reduce_rows_plain, &reduce_mass_plain})) {
    reduce_free(own->reduce);
    own->reduce = NULL;
    return ART_OK;
  }
  if (!own->reduce || own->reduce->serial != loop->serial ||
      !is_same(own->reduce->algebra, *algebra)) {
    reduce_free(own->reduce);
    own->reduce = start(m, loop, *algebra);
    if (!own->reduce) return base_no_memory(error);
  }
  if (loop->hold.held > 0 || !algebra->rows->factor(own->reduce, loop)) {
    algebra->rows = &reduce_rows_plain;
  }
  return ART_OK;
}


//---- right sides ----------------------------------------------------------------------------------

void reduce_gather(methodReduce *r, const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  const loopMatrix *J = &loop->rows.J;
  memset(r->X, 0, (size_t) r->nrow * (size_t) r->nu * sizeof *r->X);
  for (int p = 0; p < r->nrow; p++) {
    for (int e = J->start[r->row[p]]; e < J->start[r->row[p] + 1]; e++) {
      const int column = J->column[e];
      if (blocks->position[column] >= 0) continue;
      r->X[(long) blocks->number[column] * r->nrow + p] = -r->scale[p] * J->value[e];
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

int reduce_find_entries(methodReduce *r, const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  const loopMatrix *J = &loop->rows.J;
  const size_t most = (size_t) matrix_count(J) + 1;
  r->at = arena_alloc(&r->memory, most, sizeof *r->at);
  r->from = arena_alloc(&r->memory, most, sizeof *r->from);
  r->entry = arena_alloc(&r->memory, most, sizeof *r->entry);
  r->start = arena_alloc(&r->memory, (size_t) r->nd + 2, sizeof *r->start);
  if (!r->start || !r->at || !r->from || !r->entry) return 0;

  // columns are counted first, then filled: start[j + 1] goes through column j
  for (int is_second = 0; is_second < 2; is_second++) {
    for (int p = 0; p < r->nrow; p++) {
      for (int e = J->start[r->row[p]]; e < J->start[r->row[p] + 1]; e++) {
        const int j = blocks->position[J->column[e]];
        if (j < 0 || !loop->pattern[e]) continue;
        if (!is_second) {
          r->start[j + 2]++;
          continue;
        }
        const int to = r->start[j + 1]++;
        r->at[to] = p;
        r->from[to] = e;
      }
    }
    for (int j = 2; j <= r->nd && !is_second; j++) r->start[j] += r->start[j - 1];
  }
  return 1;
}


void reduce_take_entries(methodReduce *r, const double *J)
{
  for (int e = 0; e < r->start[r->nd]; e++) r->entry[e] = r->scale[r->at[e]] * J[r->from[e]];
}
