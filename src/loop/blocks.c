// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Linear algebra with a partitioned Jacobian, block by block (Postiau 2004, equations 2.23 to
// 2.32).
#include "loop/blocks.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "loop/lu.h"

//---- factorisation -------------------------------------------------------------------------------

// gather the diagonal block from J, with scaled rows
static inline void gather_block(const loopBlocks *blocks, const loopBlock *block, int size,
                                const double *J)
{
  const double *scale = blocks->scale_inverse + block->first;
  for (int i = 0, e = 0; i < size; i++) {
    for (int j = 0; j < size; j++, e++) {
      block->lu[e] = block->from[e] < 0 ? 0 : scale[i] * J[block->from[e]];
    }
  }
}


static inline double factor_loop_block(const loopBlocks *blocks, loopBlock *block, const double *J)
{
  if (block->size == 2) {
    gather_block(blocks, block, 2, J);
    return block->pivot = lu_invert_2(block->lu);
  }
  gather_block(blocks, block, block->size, J);
  return block->pivot = lu_factor(block->size, block->lu, block->swap);
}


// gather the other entries of the rows at positions first to end - 1
static inline void gather_side_entries(loopBlocks *blocks, int first, int end, const double *J)
{
  for (int e = blocks->left_start[first]; e < blocks->left_start[end]; e++) {
    blocks->left[e].value = blocks->left[e].scale * J[blocks->left[e].at];
  }
  for (int e = blocks->right_start[first]; e < blocks->right_start[end]; e++) {
    blocks->right[e].value = blocks->right[e].scale * J[blocks->right[e].at];
  }
}


double blocks_factor(loopBlocks *blocks, const double *J)
{
  double smallest = INFINITY;
  for (int k = 0; k < blocks->block_count; k++) {
    smallest = min_nan(smallest, factor_loop_block(blocks, &blocks->block[k], J));
  }
  gather_side_entries(blocks, 0, blocks->nd, J);
  return smallest;
}


void blocks_factor_one(loopBlocks *blocks, int k, const double *J)
{
  ART_ASSERT(k >= 0 && k < blocks->block_count);
  loopBlock *block = &blocks->block[k];
  factor_loop_block(blocks, block, J);
  gather_side_entries(blocks, block->first, block->first + block->size, J);
}


// lu contains the inverse for sizes 1 and 2, and reciprocal pivots for larger sizes
double blocks_determinant(const loopBlock *block)
{
  const int n = block->size;
  const double *A = block->lu;
  if (n == 1) return 1 / A[0];
  if (n == 2) return 1 / (A[0] * A[3] - A[1] * A[2]);
  double product = 1;
  for (int k = 0; k < n; k++) product /= block->swap[k] == k ? A[k * n + k] : -A[k * n + k];
  return product;
}

//---- solution ------------------------------------------------------------------------------------

// b_p minus the contributions of earlier blocks
static double subtract_earlier_blocks(const loopBlocks *blocks, int p, const double *b)
{
  double sum = blocks->scale_inverse[p] * b[blocks->row[p]];
  for (int e = blocks->left_start[p]; e < blocks->left_start[p + 1]; e++) {
    sum -= blocks->left[e].value * blocks->work[blocks->left[e].where];
  }
  return sum;
}


// J_kk x_k = b_k - sum of J_kl x_l over l < k
static inline void solve_block(loopBlocks *blocks, const loopBlock *block, const double *b)
{
  const int first = block->first, end = first + block->size;
  double *work = blocks->work;
  if (block->is_held) {
    const double moved = block->input_at >= 0 ? work[block->input_at] : 0;
    for (int p = first; p < end; p++) {
      work[p] = block->given[p - first] + block->slope[p - first] * moved;
    }
    return;
  }
  for (int p = first; p < end; p++) work[p] = subtract_earlier_blocks(blocks, p, b);
  lu_solve(block->size, block->lu, block->swap, work + first);
}


void blocks_solve(loopBlocks *blocks, const double *b, double *x)
{
  for (int k = 0; k < blocks->block_count; k++) solve_block(blocks, &blocks->block[k], b);
  for (int p = 0; p < blocks->nd; p++) x[blocks->column[p]] = blocks->work[p];
}


void blocks_solve_some(loopBlocks *blocks, int count, const int *some, const double *b, double *x)
{
  ART_ASSERT(count >= 0 && count <= blocks->block_count);
  // clear the work entries that these blocks read; other blocks do not count
  for (int i = 0; i < count; i++) {
    const loopBlock *block = &blocks->block[some[i]];
    const int first = block->first, end = first + block->size;
    if (block->input_at >= 0) blocks->work[block->input_at] = 0;
    for (int e = blocks->left_start[first]; e < blocks->left_start[end]; e++) {
      blocks->work[blocks->left[e].where] = 0;
    }
  }
  for (int i = 0; i < count; i++) {
    const loopBlock *block = &blocks->block[some[i]];
    solve_block(blocks, block, b);
    for (int p = block->first; p < block->first + block->size; p++) {
      x[blocks->column[p]] = blocks->work[p];
    }
  }
}


// A held block transmits forces to its input by its slopes, even where no multiplier can transmit
// them:
//   -J_ku^T J_kk^-T c_k = slope^T c_k.
static double pass_on(const loopBlock *block, const double *c)
{
  double sum = 0;
  for (int i = 0; i < block->size; i++) sum += block->slope[i] * c[i];
  return sum;
}


void blocks_solve_transposed(loopBlocks *blocks, const double *c, double *y)
{
  double *work = blocks->work;
  for (int p = 0; p < blocks->nd; p++) work[p] = c[blocks->column[p]];

  // J_kk^T y_k = c_k - sum of J_lk^T y_l over l > k; the sum is accumulated as the y_l are found
  for (int k = blocks->block_count - 1; k >= 0; k--) {
    const loopBlock *block = &blocks->block[k];
    const int first = block->first, end = first + block->size;
    const bool by_slope = block->is_held && block->is_direct;
    if (by_slope && block->input_at >= 0) work[block->input_at] += pass_on(block, work + first);
    lu_solve_transposed(block->size, block->lu, block->swap, work + first);
    for (int p = first; p < end; p++) {
      y[blocks->row[p]] = blocks->scale_inverse[p] * work[p];
      if (by_slope) continue;
      for (int e = blocks->left_start[p]; e < blocks->left_start[p + 1]; e++) {
        work[blocks->left[e].where] -= blocks->left[e].value * work[p];
      }
    }
  }
}

//---- coupling ------------------------------------------------------------------------------------

// to -= value * (row of B of an earlier block)
static inline void subtract_left(const loopLeft *left, double *to)
{
  const double *from = left->from;
  if (!left->into) {
    for (int e = 0; e < left->count; e++) to[e] -= left->value * from[e];
  } else {
    for (int e = 0; e < left->count; e++) to[left->into[e]] -= left->value * from[e];
  }
}


// row p of -J_u^k - sum of J_kl B_l over l < k
static void start_row(const loopBlocks *blocks, int p, int count, double *to)
{
  for (int e = 0; e < count; e++) to[e] = 0;
  for (int e = blocks->right_start[p]; e < blocks->right_start[p + 1]; e++) {
    to[blocks->right[e].where] = -blocks->right[e].value;
  }
  for (int e = blocks->left_start[p]; e < blocks->left_start[p + 1]; e++) {
    subtract_left(&blocks->left[e], to);
  }
}


// the same if the block depends on a single column, as in machines with one degree of freedom
static inline double start_single(const loopBlocks *blocks, int p)
{
  double sum = 0;
  for (int e = blocks->right_start[p]; e < blocks->right_start[p + 1]; e++) {
    sum -= blocks->right[e].value;
  }
  for (int e = blocks->left_start[p]; e < blocks->left_start[p + 1]; e++) {
    if (blocks->left[e].count) sum -= blocks->left[e].value * *blocks->left[e].from;
  }
  return sum;
}


// B of a held block: slope times the row of its input, plus idle spins
static void couple_held(const loopBlocks *blocks, const loopBlock *block)
{
  const int count = block->reach_count;
  memset(block->B, 0, (size_t) (block->size * count) * sizeof *block->B);
  for (int i = 0; i < block->size; i++) {
    const int p = block->first + i, where = blocks->idle_where[p];
    if (where >= 0) block->B[i * count + where] = blocks->idle_slope[p];
  }
  if (block->input_at < 0) {
    for (int i = 0; i < block->size; i++)
      block->B[i * count + block->input_where] = block->slope[i];
    return;
  }
  const loopBlock *earlier = blocks_block(blocks, block->input_at);
  const double *from = blocks_B_row(blocks, block->input_at);
  for (int e = 0, into = 0; e < earlier->reach_count; e++) {
    while (block->reach[into] != earlier->reach[e]) into++;
    for (int i = 0; i < block->size; i++) block->B[i * count + into] = block->slope[i] * from[e];
  }
}


void blocks_couple(loopBlocks *blocks)
{
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    const int count = block->reach_count;
    if (block->is_held) {
      couple_held(blocks, block);
      continue;
    }
    for (int i = 0; i < block->size; i++) {
      if (count == 1) {
        block->B[i] = start_single(blocks, block->first + i);
      } else {
        start_row(blocks, block->first + i, count, block->B + (size_t) i * (size_t) count);
      }
    }
    lu_solve_many(block->size, block->lu, block->swap, count, block->B);
  }
}


void blocks_multiply(const loopBlocks *blocks, double *v)
{
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    const double *B = block->B;
    for (int p = block->first; p < block->first + block->size; p++, B += block->reach_count) {
      double sum = 0;
      for (int e = 0; e < block->reach_count; e++)
        sum += B[e] * v[blocks->column_u[block->reach[e]]];
      v[blocks->column[p]] = sum;
    }
  }
}


void blocks_project(const loopBlocks *blocks, double *f)
{
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    const double *B = block->B;
    for (int p = block->first; p < block->first + block->size; p++, B += block->reach_count) {
      const double fp = f[blocks->column[p]];
      if (fp == 0) continue;
      for (int e = 0; e < block->reach_count; e++)
        f[blocks->column_u[block->reach[e]]] += B[e] * fp;
    }
  }
}
