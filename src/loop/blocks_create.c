// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Construction of loopBlocks: the place of every entry of J, and the columns on which each block
// depends.

#include "base/error.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "loop/blocks.h"

// blocks under construction
typedef struct maker {
  loopBlocks *blocks;
  const loopPartition *partition;
  const loopMatrix *J;
  const bool *pattern;
  int *mark;   // nu: 1 + index in the reach of the present block, 0: not in it
  int *marked; // nu: the marked columns
  int marked_count;
  int **into_block; // block_count: index maps into the reach of the present block
  baseArena memory;
} maker;


static void *take_blocks_array(maker *k, size_t count, size_t size)
{
  return arena_alloc(&k->blocks->memory, count + 1, size);
}


static bool take_blocks_memory(maker *k)
{
  loopBlocks *b = k->blocks;
  const size_t nd = (size_t) b->nd, n = (size_t) b->n, count = (size_t) b->block_count;
  const size_t nu = (size_t) b->nu;
  return (b->row = take_blocks_array(k, nd, sizeof(int))) &&
         (b->column = take_blocks_array(k, nd, sizeof(int))) &&
         (b->column_u = take_blocks_array(k, nu, sizeof(int))) &&
         (b->block = take_blocks_array(k, count, sizeof *b->block)) &&
         (b->block_of = take_blocks_array(k, nd, sizeof(int))) &&
         (b->left_start = take_blocks_array(k, nd + 1, sizeof(int))) &&
         (b->right_start = take_blocks_array(k, nd + 1, sizeof(int))) &&
         (b->scale_inverse = take_blocks_array(k, nd, sizeof(double))) &&
         (b->work = take_blocks_array(k, nd, sizeof(double))) &&
         (b->position = take_blocks_array(k, n, sizeof(int))) &&
         (b->number = take_blocks_array(k, n, sizeof(int))) &&
         (b->block_of_row = take_blocks_array(k, (size_t) b->m, sizeof(int))) &&
         ARENA_TAKE(&k->memory, k->marked, nu + 1) && ARENA_TAKE(&k->memory, k->mark, nu + 1) &&
         ARENA_TAKE(&k->memory, k->into_block, count + 1);
}


static void number_columns(maker *k)
{
  loopBlocks *b = k->blocks;
  const loopPartition *p = k->partition;
  for (int j = 0; j < p->nf; j++) b->column_u[j] = p->free[j];
  for (int j = 0; j < p->nc; j++) b->column_u[p->nf + j] = p->driven[j];

  for (int j = 0; j < p->n; j++) b->position[j] = -1;
  for (int u = 0; u < b->nu; u++) b->number[b->column_u[u]] = u;
  for (int i = 0; i < p->nd; i++) {
    b->row[i] = p->block_row[i];
    b->column[i] = p->block_column[i];
    b->scale_inverse[i] = 1 / p->scale[b->row[i]];
    b->position[b->column[i]] = i;
  }
}


static bool lay_blocks(maker *k)
{
  loopBlocks *b = k->blocks;
  const int *start = k->partition->block_start;
  size_t area = 0;
  for (int i = 0; i < b->block_count; i++) {
    const size_t size = (size_t) (start[i + 1] - start[i]);
    area += size * size;
  }

  double *lu = take_blocks_array(k, area, sizeof(double));
  int *from = take_blocks_array(k, area, sizeof(int));
  int *swap = take_blocks_array(k, (size_t) b->nd, sizeof(int));
  if (!lu || !from || !swap) return false;
  for (size_t e = 0; e < area; e++) from[e] = -1;
  for (int r = 0; r < b->m; r++) b->block_of_row[r] = -1;
  for (int i = 0; i < b->block_count; i++) {
    const int size = start[i + 1] - start[i];
    b->block[i] = (loopBlock){
        .size = size, .first = start[i], .lu = lu, .from = from, .swap = swap + start[i]};
    for (int p = start[i]; p < start[i + 1]; p++) {
      b->block_of[p] = b->block_of_row[b->row[p]] = i;
      if (b->scale_inverse[p] > b->block[i].largest) b->block[i].largest = b->scale_inverse[p];
    }
    lu += size * size;
    from += size * size;
  }
  return true;
}

//---- entries -------------------------------------------------------------------------------------

// List the entries of J by rows in solve order, inside and outside the diagonal block. Writes
// entries outside only if their arrays are allocated.
static void list_block_entries(maker *k)
{
  loopBlocks *b = k->blocks;
  const loopMatrix *J = k->J;
  int left = 0, right = 0;
  for (int p = 0; p < b->nd; p++) {
    const loopBlock *own = blocks_block(b, p);
    b->left_start[p] = left;
    b->right_start[p] = right;
    for (int at = J->start[b->row[p]]; at < J->start[b->row[p] + 1]; at++) {
      const int j = J->column[at], where = b->position[j];
      if (where >= 0 && b->block_of[where] == b->block_of[p]) {
        own->from[(p - own->first) * own->size + where - own->first] = at;
        continue;
      }
      if (!(k->pattern ? k->pattern[at] : J->value[at] != 0)) continue;
      if (where < 0) {
        if (b->right) b->right[right] = (loopRight){at, b->number[j], b->scale_inverse[p], 0};
        right++;
      } else {
        ART_ASSERT(b->block_of[where] < b->block_of[p]);
        if (b->left) b->left[left] = (loopLeft){at, where, b->scale_inverse[p], 0, NULL, 0, NULL};
        left++;
      }
    }
  }
  b->left_start[b->nd] = left;
  b->right_start[b->nd] = right;
}


// the first pass counts, the second writes
static bool make_entries(maker *k)
{
  loopBlocks *b = k->blocks;
  list_block_entries(k);
  loopLeft *left = take_blocks_array(k, (size_t) b->left_start[b->nd], sizeof *left);
  loopRight *right = take_blocks_array(k, (size_t) b->right_start[b->nd], sizeof *right);
  if (!left || !right) return false;
  b->left = left;
  b->right = right;
  list_block_entries(k);
  return true;
}

//---- reach ---------------------------------------------------------------------------------------

static void mark_reached_column(maker *k, int u)
{
  ART_ASSERT(u >= 0 && u < k->blocks->nu);
  if (k->mark[u]) return;
  k->mark[u] = 1;
  k->marked[k->marked_count++] = u;
}


// the independent columns that a block reaches directly or through earlier blocks
static bool list_reach(maker *k, loopBlock *block)
{
  loopBlocks *b = k->blocks;
  const int first = block->first, end = first + block->size;
  for (int e = 0; e < k->marked_count; e++) k->mark[k->marked[e]] = 0;
  k->marked_count = 0;
  for (int e = b->right_start[first]; e < b->right_start[end]; e++)
    mark_reached_column(k, b->right[e].where);
  for (int e = b->left_start[first]; e < b->left_start[end]; e++) {
    const loopBlock *earlier = blocks_block(b, b->left[e].where);
    for (int r = 0; r < earlier->reach_count; r++) mark_reached_column(k, earlier->reach[r]);
  }

  const size_t count = (size_t) k->marked_count;
  base_sort_ints(k->marked_count, k->marked);
  block->reach_count = k->marked_count;
  block->reach = take_blocks_array(k, count, sizeof(int));
  if (!block->reach) return false;
  for (int r = 0; r < k->marked_count; r++) {
    const int u = k->marked[r];
    block->reach[r] = u;
    block->free_count += u < b->nf;
    k->mark[u] = r + 1;
  }
  return true;
}


// replace columns by their index in the reach of the block, which must be marked
static bool place_entries(maker *k, const loopBlock *block)
{
  loopBlocks *b = k->blocks;
  const int first = block->first, end = first + block->size;
  for (int e = b->right_start[first]; e < b->right_start[end]; e++) {
    b->right[e].where = k->mark[b->right[e].where] - 1;
  }

  for (int e = b->left_start[first]; e < b->left_start[end]; e++) {
    k->into_block[b->block_of[b->left[e].where]] = NULL;
  }
  for (int e = b->left_start[first]; e < b->left_start[end]; e++) {
    const int from = b->block_of[b->left[e].where];
    const loopBlock *earlier = &b->block[from];
    int **into = &k->into_block[from];
    b->left[e].count = earlier->reach_count;

    // the reach contains the other one; equal length means that they are equal
    if (earlier->reach_count == block->reach_count) continue;
    if (!*into) {
      *into = take_blocks_array(k, (size_t) earlier->reach_count, sizeof(int));
      if (!*into) return false;
      for (int r = 0; r < earlier->reach_count; r++) (*into)[r] = k->mark[earlier->reach[r]] - 1;
    }
    b->left[e].into = *into;
  }
  return true;
}


static bool lay_coupling(maker *k)
{
  loopBlocks *b = k->blocks;
  const size_t nd = (size_t) b->nd;
  for (int i = 0; i < b->block_count; i++) {
    b->B_size += (size_t) b->block[i].size * (size_t) b->block[i].reach_count;
  }
  double *B = take_blocks_array(k, b->B_size, sizeof(double));
  double *given = take_blocks_array(k, nd, sizeof(double)),
         *slope = take_blocks_array(k, nd, sizeof(double));
  b->idle_slope = take_blocks_array(k, nd, sizeof(double));
  b->idle_where = take_blocks_array(k, nd, sizeof(int));
  if (!B || !given || !slope || !b->idle_slope || !b->idle_where) return false;
  for (int p = 0; p < b->nd; p++) b->idle_where[p] = -1;

  for (int i = 0; i < b->block_count; i++) {
    loopBlock *block = &b->block[i];
    block->B = B;
    block->given = given + block->first;
    block->slope = slope + block->first;
    block->input_at = -1;
    B += (size_t) block->size * (size_t) block->reach_count;
  }
  for (int e = 0; e < b->left_start[b->nd]; e++) {
    b->left[e].from = blocks_B_row(b, b->left[e].where);
  }
  return true;
}

//---- all together --------------------------------------------------------------------------------

static bool make_loop_blocks(maker *k)
{
  if (!take_blocks_memory(k)) return false;
  number_columns(k);
  if (!lay_blocks(k) || !make_entries(k)) return false;
  for (int i = 0; i < k->blocks->block_count; i++) {
    loopBlock *block = &k->blocks->block[i];
    if (!list_reach(k, block) || !place_entries(k, block)) return false;
  }
  return lay_coupling(k);
}


artStatus blocks_create(loopBlocks **blocks, const loopPartition *partition, const loopMatrix *J,
                        const bool *pattern, memSource *keep, artError *error)
{
  ART_ASSERT(partition->m == J->m && partition->n == J->n);
  ART_ASSERT(partition->nd + partition->nf + partition->nc ==
             partition->n); // every column has its part
  const loopPartition *p = partition;
  baseArena memory = {.source = keep};
  loopBlocks *b = *blocks = arena_alloc(&memory, 1, sizeof *b);
  if (!b) return base_no_memory(error);
  b->memory = memory;
  b->m = p->m, b->n = p->n, b->nd = p->nd;
  b->nf = p->nf, b->nu = p->nf + p->nc;
  b->block_count = p->block_count;
  maker k = {.blocks = b, .partition = p, .J = J, .pattern = pattern};
  const bool made = make_loop_blocks(&k);
  arena_free(&k.memory);
  if (made) return ART_OK;
  blocks_free(b);
  *blocks = NULL;
  return base_no_memory(error);
}


void blocks_set_idle(loopBlocks *blocks, int p, int column, double slope)
{
  const loopBlock *block = blocks_block(blocks, p);
  blocks->idle_slope[p] = slope;
  blocks->idle_where[p] = -1;
  for (int e = 0; e < block->reach_count; e++) {
    if (blocks->column_u[block->reach[e]] == column) blocks->idle_where[p] = e;
  }
}


// does the block depend on this column of its reach by an idle spin only?
static bool is_idle(const loopBlocks *blocks, const loopBlock *block, int where)
{
  for (int p = block->first; p < block->first + block->size; p++) {
    if (blocks->idle_where[p] == where) return true;
  }
  return false;
}


void blocks_set_input(loopBlocks *blocks, int k, int column)
{
  ART_ASSERT(k >= 0 && k < blocks->block_count);
  loopBlock *block = &blocks->block[k];
  const int first = block->first, end = first + block->size;
  block->input_at = column < 0 ? -1 : blocks->position[column];
  for (int e = 0; e < block->reach_count; e++) {
    if (blocks->column_u[block->reach[e]] == column) block->input_where = e;
  }
  block->is_direct = true;
  for (int e = blocks->right_start[first]; e < blocks->right_start[end]; e++) {
    const bool is_other = block->input_at >= 0 && !is_idle(blocks, block, blocks->right[e].where);
    block->is_direct = block->is_direct && !is_other;
  }
  for (int e = blocks->left_start[first]; e < blocks->left_start[end]; e++) {
    block->is_direct = block->is_direct && blocks->left[e].where == block->input_at;
  }
}


void blocks_free(loopBlocks *blocks)
{
  if (!blocks) return;
  baseArena memory = blocks->memory; // copied, because the blocks lie in this memory
  arena_free(&memory);
}
