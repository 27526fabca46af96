// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Passing singular positions: coordinates as polynomials of the one they depend on.
#include "loop/hold.h"

#include <math.h>
#include <string.h>

// within this distance of the singular position, in units of that of the nearest nodes, blocks are held
#define HELD 2.5

// rounding of the coordinates at the nearest nodes, relative to their size
#define ROUNDING 2e-13


int hold_start(loopHold *hold, loopBlocks *blocks, const double *q, int nq)
{
  baseArena *a = &blocks->memory;
  const size_t nd = (size_t) blocks->nd;
  *hold = (loopHold){.nq = nq};
  hold->q = arena_copy(a, q, (size_t) nq, sizeof *q);
  return hold->q &&
         (hold->bridge = arena_alloc(a, (size_t) blocks->nu + 1, sizeof *hold->bridge)) &&
         (hold->is_bridged = arena_alloc(a, (size_t) blocks->block_count + 1, 1)) &&
         (hold->line = arena_alloc(a, nd + 1, 2 * sizeof *hold->line)) &&
         (hold->term = arena_alloc(a, nd + 1, HOLD_TERMS * sizeof *hold->term)) &&
         (hold->second = arena_alloc(a, nd + 1, sizeof *hold->second));
}


double hold_strength(const loopBlocks *blocks, int k)
{
  return blocks->block[k].pivot / blocks->block[k].largest;
}


int hold_column(const loopBlocks *blocks, int k, const int *place)
{
  const loopBlock *block = &blocks->block[k];
  if (block->reach_count != 1 || place[blocks->column_u[block->reach[0]]] < 0) return -1;
  for (int i = 0; i < block->size; i++) {
    if (place[blocks->column[block->first + i]] < 0) return -1;
  }
  return block->reach[0];
}


// value and two derivatives
typedef struct taylor {
  double f, df, ddf;
} taylor;


// Newton's form c0 + c1 (w - w0) + c2 (w - w0)^2 + c3 (w - w0)^2 (w - w1) ... by Horner's rule
static taylor newton_form(const holdBridge *b, int terms, const double *c, int stride, double w)
{
  taylor p = {0, 0, 0};
  while (terms > 0 && c[(long) (terms - 1) * stride] == 0) terms--;
  for (int k = terms - 1; k >= 0; k--) {
    const double d = w - b->node[k / 2];
    p.ddf = p.ddf * d + 2 * p.df;
    p.df = p.df * d + p.f;
    p.f = p.f * d + c[(long) k * stride];
  }
  return p;
}


// with the straight line, derivatives with respect to w
static taylor evaluate(const loopHold *hold, const holdBridge *b, int nd, int p, double w)
{
  taylor x = newton_form(b, 2 * b->count, hold->term + p, nd, w);
  x.f += hold->line[2 * p] + hold->line[2 * p + 1] * w;
  x.df += hold->line[2 * p + 1];
  return x;
}


static void hold_block(loopHold *hold, loopBlocks *blocks, int k, const holdBridge *b, double w,
                       const int *place, double *q)
{
  const loopBlock *block = &blocks->block[k];
  for (int i = 0; i < block->size; i++) {
    const int p = block->first + i;
    const taylor x = evaluate(hold, b, blocks->nd, p, w);
    q[place[blocks->column[p]]] = x.f;
    block->B[i] = x.df / b->unit;
    hold->second[p] = x.ddf / (b->unit * b->unit);
  }
}


void hold_release(loopHold *hold, loopBlocks *blocks)
{
  hold->held = 0;
  for (int k = 0; k < blocks->block_count; k++) blocks->block[k].is_held = false;
}


int hold_choose(loopHold *hold, loopBlocks *blocks, const int *place, double *q)
{
  hold_release(hold, blocks);
  for (int k = 0; k < blocks->block_count; k++) {
    loopBlock *block = &blocks->block[k];
    if (!hold->is_bridged[k]) continue;
    const holdBridge *b = &hold->bridge[block->reach[0]];
    const double w = (q[place[blocks->column_u[block->reach[0]]]] - b->middle) / b->unit;
    if (b->count < HOLD_NODES || !(fabs(w) < HELD)) continue;
    hold_block(hold, blocks, k, b, w, place, q);
    block->is_held = true;
    hold->held++;
  }
  return hold->held;
}


void hold_bias(const loopHold *hold, loopBlocks *blocks, const double *v, const double *a_drive)
{
  for (int k = 0; k < blocks->block_count && hold->held > 0; k++) {
    loopBlock *block = &blocks->block[k];
    if (!block->is_held) continue;
    const int u = blocks->column_u[block->reach[0]];
    for (int i = 0; i < block->size; i++) {
      block->given[i] = hold->second[block->first + i] * v[u] * v[u] + block->B[i] * a_drive[u];
    }
  }
}


void hold_still(loopBlocks *blocks)
{
  for (int k = 0; k < blocks->block_count; k++) {
    loopBlock *block = &blocks->block[k];
    if (block->is_held) memset(block->given, 0, (size_t) block->size * sizeof *block->given);
  }
}


//---- building ------------------------------------------------------------------------------------


void hold_predict(const loopHold *hold, const loopBlocks *blocks, int k, double w, double *x)
{
  const loopBlock *block = &blocks->block[k];
  const holdBridge *b = &hold->bridge[block->reach[0]];
  for (int i = 0; i < block->size; i++) {
    x[i] = evaluate(hold, b, blocks->nd, block->first + i, w).f;
  }
}


// The next two terms, so that the polynomial has the value f and the slope df at w, with
// product = (w - w0)^2 (w - w1)^2 ... over the nodes so far.
static void add_terms(const holdBridge *b, double *c, int stride, double w, double f, double df,
                      double product)
{
  const int n = 2 * b->count;
  c[(long) n * stride] = (f - newton_form(b, n, c, stride, w).f) / product;
  c[(long) (n + 1) * stride] = (df - newton_form(b, n + 1, c, stride, w).df) / product;
}


void hold_add(loopHold *hold, const loopBlocks *blocks, int column, double w, const int *place,
              const double *q)
{
  holdBridge *b = &hold->bridge[column];
  double product = 1;
  for (int i = 0; i < b->count; i++) product *= (w - b->node[i]) * (w - b->node[i]);
  b->node[b->count] = w;
  for (int p = 0; p < blocks->nd; p++) {
    const int k = blocks->block_of[p];
    if (!hold->is_bridged[k] || blocks->block[k].reach[0] != column) continue;
    double *line = hold->line + 2 * p;
    const double x = q[place[blocks->column[p]]], slope = *blocks_B_row(blocks, p) * b->unit;

    // small numbers lose less: the first node's tangent is taken off
    if (b->count == 0) line[0] = x - slope * w, line[1] = slope;
    add_terms(b, hold->term + p, blocks->nd, w, x - line[0] - line[1] * w, slope - line[1],
              product);
  }
  b->count++;
}


// does the polynomial of so many terms meet all nodes as far as rounding lets it?
static int is_enough(const loopHold *hold, const holdBridge *b, int nd, int p, int terms)
{
  const double size = ROUNDING * fmax(1, fmax(fabs(hold->line[2 * p]), fabs(b->middle)));
  for (int i = 0; i < b->count; i++) {
    const double w = b->node[i];
    const taylor all = newton_form(b, 2 * b->count, hold->term + p, nd, w);
    const taylor few = newton_form(b, terms, hold->term + p, nd, w);
    if (!(fabs(all.f - few.f) * fabs(w) <= size)) return 0;
    if (!(fabs(all.df - few.df) * w * w <= size)) return 0;
  }
  return 1;
}


void hold_shorten(loopHold *hold, const loopBlocks *blocks, int column)
{
  const holdBridge *b = &hold->bridge[column];
  for (int p = 0; p < blocks->nd; p++) {
    const int k = blocks->block_of[p];
    if (!hold->is_bridged[k] || blocks->block[k].reach[0] != column) continue;
    int terms = 0;
    while (terms < HOLD_TERMS && !is_enough(hold, b, blocks->nd, p, terms)) terms++;
    for (int i = terms; i < HOLD_TERMS; i++) hold->term[(long) i * blocks->nd + p] = 0;
  }
}
