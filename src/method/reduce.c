// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Selection of the algebra of the semi-recursive method, and code shared by the variants with
// matrices: rows, right-hand sides, entries by columns.
#include "method/reduce.h"

#include <string.h>

// spare capacity for free coordinates of later partitions
enum { SPARE_FREE = 16 };

//---- creation and release ------------------------------------------------------------------------

artStatus reduce_start(const artModel *m, artData *d, artError *error)
{
  const treeModel *t = &m->tree;
  const size_t most = (size_t) METHOD_LARGEST_MATRIX * METHOD_LARGEST_MATRIX;
  baseArena *arena = &d->work->method->arena;
  methodReduce *r = arena_alloc(arena, 1, sizeof *r);
  long *row = arena_alloc(arena, (size_t) t->nv, sizeof *row);
  if (!r || !row) return base_no_memory(error);
  r->memory = &d->work->method->changing;

  // every row begins at its first coordinate on the path to ground
  size_t count = 0;
  for (int k = 0; k < t->nv; k++) {
    row[k] = t->dof_parent[k] < 0 ? k : row[t->dof_parent[k]];
    count += (size_t) (k - row[k]) + 1;
  }
  if (count > most) {
    return base_fail(
        error, ART_UNSUPPORTED, base_nowhere(),
        "method semirecursive keeps the mass matrix of the tree, which has %zu entries "
        "here, more than %zu; use recursive",
        count, most);
  }
  long next = 0;
  for (int k = 0; k < t->nv; k++) {
    const long first = row[k];
    row[k] = next - first;
    next += k - first + 1;
  }
  r->M_row = row;
  if (!ARENA_TAKE(arena, r->M, count) || !ARENA_TAKE(arena, r->sum, t->nv) ||
      !ARENA_TAKE(arena, r->R, t->nv))
    return base_no_memory(error);
  d->work->method->part[ART_SEMIRECURSIVE] = r;
  return ART_OK;
}


void reduce_free(void *part)
{
  methodReduce *r = part;
  if (r->rows && r->rows->stop) r->rows->stop(r);
  if (r->mass && r->mass->stop) r->mass->stop(r);
  arena_clear(r->memory);
  r->rows = NULL;
  r->mass = NULL;
  r->factors = NULL;
  r->full = NULL;
  r->pattern = NULL;
  r->nrow = 0;
}


// list all rows that have entries in the dependent columns, and allocate their right-hand sides
static int take_reduced_rows(methodReduce *r, const struct loopWork *loop)
{
  const loopMatrix *J = &loop->rows.J;
  const size_t most = (size_t) J->m + 1;
  if (!ARENA_TAKE(r->memory, r->row, most) || !ARENA_TAKE(r->memory, r->scale, most)) return 0;
  for (int i = 0; i < J->m; i++) {
    int has_entries = 0;
    for (int e = J->start[i]; e < J->start[i + 1]; e++) {
      has_entries |= loop->pattern[e] && loop->blocks->position[J->column[e]] >= 0;
    }
    if (!has_entries) continue;
    r->scale[r->nrow] = 1 / loop->partition.scale[i];
    r->row[r->nrow++] = i;
  }
  r->X = arena_alloc(r->memory, most * (size_t) r->nu + 1, sizeof *r->X);
  r->side = arena_alloc(r->memory, most, sizeof *r->side);
  return r->X && r->side;
}


// a free coordinate moves itself, a driven one has no free coordinate
static reduceRow row_of_R(const loopBlocks *blocks, int k)
{
  ART_ASSERT(k >= 0 && k < blocks->n);
  static const double one = 1;
  const int p = blocks->position[k];
  if (p < 0) return (reduceRow){blocks->number[k] < blocks->nf, &blocks->number[k], &one};
  const loopBlock *block = blocks_block(blocks, p);
  return (reduceRow){block->free_count, block->reach, blocks_B_row(blocks, p)};
}


// allocate the reduced mass matrix of the present partition
static artStatus take_reduced(methodReduce *r, artData *d, artError *error)
{
  const size_t nf = (size_t) d->work->loop->partition.nf;
  if (r->Mr && nf * nf <= r->Mr_room) return ART_OK;
  if (nf > METHOD_LARGEST_MATRIX) {
    return base_fail(
        error, ART_UNSUPPORTED, base_nowhere(),
        "method semirecursive keeps a full matrix of the free coordinates and takes at "
        "most %d, this model has %zu; use recursive",
        METHOD_LARGEST_MATRIX, nf);
  }

  // at singular positions more coordinates are free
  const size_t nv = (size_t) d->work->now->tree.nv,
               most = nf + SPARE_FREE < nv ? nf + SPARE_FREE : nv;
  r->Mr = arena_alloc(&d->work->method->arena, most * most, sizeof *r->Mr);
  r->Mr_room = most * most;
  return r->Mr ? ART_OK : base_no_memory(error);
}


artStatus reduce_prepare(const artModel *m, artData *d, artError *error)
{
  static const reduceRows *const all_rows[ART_REDUNDANTS] = {
      [ART_REDUNDANT_LU] = &reduce_rows_lu,
      [ART_REDUNDANT_UMFPACK] = &reduce_rows_umfpack,
      [ART_REDUNDANT_SPQR] = &reduce_rows_spqr,
  };
  static const reduceMass *const masses[ART_ALGEBRAS] = {
      [ART_ALGEBRA_AUTOMATIC] = &reduce_mass_plain,
      [ART_ALGEBRA_PLAIN] = &reduce_mass_plain,
      [ART_ALGEBRA_DENSE] = &reduce_mass_dense,
      [ART_ALGEBRA_SPARSE] = &reduce_mass_sparse,
  };
  const struct loopWork *loop = d->work->loop;
  const loopBlocks *blocks = loop->blocks;
  methodReduce *r = reduce_of(d);
  const reduceRows *rows = blocks->nd > 0 ? all_rows[loop->redundant] : NULL;
  const reduceMass *mass = blocks->nf > 0 ? masses[d->work->method->algebra] : &reduce_mass_plain;
  if (rows && !rows->start) {
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "this build has no %s for redundant constraints; use lu",
                     art_redundant_name(loop->redundant));
  }
  if (r->serial != loop->serial || r->rows != rows || r->mass != mass) {
    reduce_free(r);
    const artStatus status = take_reduced(r, d, error);
    if (status != ART_OK) return status;
    r->nd = blocks->nd, r->nf = blocks->nf, r->nu = blocks->nu;
    r->blocks = blocks;
    for (int k = 0; k < m->tree.nv; k++) r->R[k] = row_of_R(blocks, k);
    r->rows = rows;
    int ready = !rows || (take_reduced_rows(r, loop) && rows->start(r, loop));
    r->mass = mass;
    if (mass->start) ready = ready && mass->start(r, m);
    if (!ready) {
      reduce_free(r);
      return base_no_memory(error);
    }
    r->serial = loop->serial;
  }
  r->is_by_rows = rows && loop->hold.held == 0 && rows->factor(r, loop);
  return ART_OK;
}

//---- right-hand sides ----------------------------------------------------------------------------

// X = -J_u with scaled rows; then solve for B
void reduce_couple(methodReduce *r, struct loopWork *loop)
{
  ART_ASSERT(r->blocks == loop->blocks); // reduce_prepare has been called for this partition
  loopBlocks *blocks = loop->blocks;
  const loopMatrix *J = &loop->rows.J;
  if (!r->is_by_rows) {
    blocks_couple(blocks);
    return;
  }
  memset(r->X, 0, (size_t) r->nrow * (size_t) r->nu * sizeof *r->X);
  for (int p = 0; p < r->nrow; p++) {
    for (int e = J->start[r->row[p]]; e < J->start[r->row[p] + 1]; e++) {
      const int column = J->column[e];
      if (blocks->position[column] >= 0) continue;
      r->X[(long) blocks->number[column] * r->nrow + p] = -r->scale[p] * J->value[e];
    }
  }
  if (r->nu > 0 && !r->rows->solve(r, r->nu, r->X)) {
    blocks_couple(blocks);
    return;
  }
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    double *B = block->B;
    for (int p = block->first; p < block->first + block->size; p++) {
      for (int e = 0; e < block->reach_count; e++) {
        *B++ = r->X[(long) block->reach[e] * r->nrow + p];
      }
    }
  }
}


void reduce_solve(methodReduce *r, struct loopWork *loop, const double *b, double *x)
{
  if (r->is_by_rows) {
    for (int p = 0; p < r->nrow; p++) r->side[p] = r->scale[p] * b[r->row[p]];
  }
  if (!r->is_by_rows || !r->rows->solve(r, 1, r->side)) {
    blocks_solve(loop->blocks, b, x);
    return;
  }
  for (int p = 0; p < r->nd; p++) x[loop->blocks->column[p]] = r->side[p];
}

//---- entries by columns --------------------------------------------------------------------------

int reduce_find_entries(methodReduce *r, const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  const loopMatrix *J = &loop->rows.J;
  const size_t most = (size_t) matrix_count(J) + 1;
  if (!ARENA_TAKE(r->memory, r->at, most) || !ARENA_TAKE(r->memory, r->from, most) ||
      !ARENA_TAKE(r->memory, r->entry, most) || !ARENA_TAKE(r->memory, r->start, r->nd + 2))
    return 0;

  // first pass counts, second pass fills: start[j + 1] runs through column j
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
