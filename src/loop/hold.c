// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Passing singular positions: coordinates as polynomials of the one they depend on.
#include "loop/hold.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"

// rounding of the coordinates at the nearest nodes, relative to their size
#define ROUNDING 2e-13

// a block that was weak where the coordinates were chosen should have this part of its largest entries
#define USUAL 0.2

int hold_find_column(const loopBlocks *blocks, int k, int column)
{
  const loopBlock *block = &blocks->block[k];
  for (int p = block->first; p < block->first + block->size; p++) {
    if (blocks->column[p] == column) return p;
  }
  return -1;
}


//---- inputs --------------------------------------------------------------------------------------


// the column of an entry of a block's rows outside of the block
static int right_column(const loopBlocks *blocks, const loopBlock *block, int e)
{
  return blocks->column_u[block->reach[blocks->right[e].where]];
}


// Columns that the marked blocks depend on and that none of them determines: one of them, and in *many
// whether there are others; *latest: the latest block that determines one, -1: none does.
static int list_inputs(const loopHold *hold, const loopBlocks *blocks, int *many, int *latest)
{
  int input = -1;
  *many = 0, *latest = -1;
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    const int first = block->first, end = first + block->size;
    if (!hold->walk[k]) continue;
    for (int e = blocks->right_start[first]; e < blocks->right_start[end]; e++) {
      const int column = right_column(blocks, block, e);
      *many |= input >= 0 && input != column;
      input = column;
    }
    for (int e = blocks->left_start[first]; e < blocks->left_start[end]; e++) {
      const int where = blocks->left[e].where, column = blocks->column[where];
      if (hold->walk[blocks->block_of[where]]) continue;
      *many |= input >= 0 && input != column;
      input = column;
      if (blocks->block_of[where] > *latest) *latest = blocks->block_of[where];
    }
  }
  return input;
}


int hold_find_input(loopHold *hold, const loopBlocks *blocks, int k)
{
  int many, latest;
  memset(hold->walk, 0, (size_t) blocks->block_count);
  hold->walk[k] = 1;
  for (;;) {
    const int input = list_inputs(hold, blocks, &many, &latest);
    if (!many) return input;
    if (latest < 0) return -1;
    hold->walk[latest] = 1;
  }
}


// velocities of orientations are rates of no coordinate
static int has_places(const loopBlocks *blocks, int k, const int *place)
{
  const loopBlock *block = &blocks->block[k];
  for (int i = 0; i < block->size; i++) {
    if (place[blocks->column[block->first + i]] < 0) return 0;
  }
  return 1;
}


static void find_inputs(loopHold *hold, loopBlocks *blocks, const int *place)
{
  for (int k = 0; k < blocks->block_count; k++) {
    const int input = has_places(blocks, k, place) ? hold_find_input(hold, blocks, k) : -1;
    hold->input[k] = input >= 0 && place[input] >= 0 ? input : -1;
    blocks_set_input(blocks, k, hold->input[k]);
  }
}


//---- life ----------------------------------------------------------------------------------------


static double size_of(const loopBlocks *blocks, int k, const double *row_size)
{
  const loopBlock *block = &blocks->block[k];
  double least = INFINITY;
  for (int i = 0; i < block->size; i++) {
    least = base_smaller(least, row_size[blocks->row[block->first + i]]);
  }
  return least;
}


// are there blocks that are never held?
static int has_leaps(const loopHold *hold, const loopBlocks *blocks)
{
  int count = 0;
  for (int k = 0; k < blocks->block_count; k++) count += hold->input[k] < 0;
  return count > 0;
}


// 0 when there is no memory
static int start_leap(loopHold *hold, loopBlocks *blocks)
{
  baseArena *a = &blocks->memory;
  holdLeap *l = &hold->leap;
  const size_t n = (size_t) blocks->n + 1, nd = (size_t) blocks->nd + 1;
  const size_t entries = (size_t) blocks->m * (size_t) blocks->n + 1;
  l->side = arena_alloc(a, (size_t) blocks->block_count + 1, sizeof *l->side);
  if (!has_leaps(hold, blocks)) return l->side != NULL;
  return l->side && (l->J = arena_alloc(a, entries, sizeof *l->J)) &&
         (l->rows = arena_alloc(a, entries, sizeof *l->rows)) &&
         (l->square = arena_alloc(a, nd * nd, sizeof *l->square)) &&
         (l->swap = arena_alloc(a, n, sizeof *l->swap)) &&
         (l->row = arena_alloc(a, n, sizeof *l->row)) &&
         (l->column = arena_alloc(a, n, sizeof *l->column)) &&
         (l->rank = arena_alloc(a, n, sizeof *l->rank));
}


int hold_start(loopHold *hold, loopBlocks *blocks, const int *place, const double *row_size,
               const double *q, int nq, const double *J)
{
  baseArena *a = &blocks->memory;
  const size_t nd = (size_t) blocks->nd + 1, count = (size_t) blocks->block_count + 1;
  *hold = (loopHold){.held = 0};
  const int taken = (hold->input = arena_alloc(a, count, sizeof *hold->input)) &&
                    (hold->size = arena_alloc(a, count, sizeof *hold->size)) &&
                    (hold->sound = arena_alloc(a, count, sizeof *hold->sound)) &&
                    (hold->last_u = arena_alloc(a, count, sizeof *hold->last_u)) &&
                    (hold->from_u = arena_alloc(a, count, sizeof *hold->from_u)) &&
                    (hold->from_x = arena_alloc(a, nd, sizeof *hold->from_x)) &&
                    (hold->bridge = arena_alloc(a, count, sizeof *hold->bridge)) &&
                    (hold->line = arena_alloc(a, nd, 2 * sizeof *hold->line)) &&
                    (hold->term = arena_alloc(a, nd, HOLD_TERMS * sizeof *hold->term)) &&
                    (hold->second = arena_alloc(a, nd, sizeof *hold->second)) &&
                    (hold->is_needed = arena_alloc(a, count, 1)) &&
                    (hold->walk = arena_alloc(a, count, 1)) &&
                    (hold->side = arena_alloc(a, (size_t) blocks->m + 1, sizeof *hold->side)) &&
                    (hold->move = arena_alloc(a, (size_t) blocks->n + 1, sizeof *hold->move)) &&
                    (hold->q = arena_alloc(a, (size_t) nq + 1, sizeof *hold->q));
  if (!taken) return 0;
  find_inputs(hold, blocks, place);
  if (!start_leap(hold, blocks)) return 0;
  for (int k = 0; k < blocks->block_count; k++) {
    hold->size[k] = size_of(blocks, k, row_size);
    hold->sound[k] = USUAL * hold->size[k];
  }
  hold_remember(hold, blocks, place, q, J);
  return 1;
}


// from one side of the bridge's middle to the other
static int has_passed(const loopHold *hold, int k, double u)
{
  const holdBridge *b = &hold->bridge[k];
  return b->count == HOLD_NODES && (u > b->middle) != (hold->last_u[k] > b->middle);
}


int hold_remember(loopHold *hold, const loopBlocks *blocks, const int *place, const double *q,
                  const double *J)
{
  int passed = -1;
  if (has_leaps(hold, blocks)) {
    memcpy(hold->leap.J, J, (size_t) blocks->m * (size_t) blocks->n * sizeof *J);
  }
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    hold->leap.side[k] = blocks_determinant(block);
    if (hold->input[k] < 0) continue;
    const double u = q[place[hold->input[k]]];
    if (has_passed(hold, k, u)) passed = k;
    hold->last_u[k] = u;
    if (block->is_held) continue;
    hold->from_u[k] = u;
    for (int p = block->first; p < block->first + block->size; p++) {
      hold->from_x[p] = q[place[blocks->column[p]]];
    }
    const double strength = hold_strength(blocks, k);
    if (strength > hold->sound[k]) hold->sound[k] = strength;
    if (strength > 1.3 * HOLD_WEAK * hold->sound[k]) hold->bridge[k].failed = 0;
  }
  return passed;
}


double hold_strength(const loopBlocks *blocks, int k)
{
  return blocks->block[k].pivot / blocks->block[k].largest;
}


int hold_is_weak(const loopHold *hold, const loopBlocks *blocks, int k)
{
  return !blocks->block[k].is_held && !(hold_strength(blocks, k) > HOLD_WEAK * hold->sound[k]);
}


//---- holding -------------------------------------------------------------------------------------


// Newton's form c0 + c1 (w - w0) + c2 (w - w0)^2 + c3 (w - w0)^2 (w - w1) ... by Horner's rule
static holdTaylor newton_form(const holdBridge *b, int terms, const double *c, int stride, double w)
{
  holdTaylor p = {0, 0, 0};
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
static holdTaylor evaluate(const loopHold *hold, const holdBridge *b, int nd, int p, double w)
{
  holdTaylor x = newton_form(b, 2 * b->count, hold->term + p, nd, w);
  x.f += hold->line[2 * p] + hold->line[2 * p + 1] * w;
  x.df += hold->line[2 * p + 1];
  return x;
}


holdTaylor hold_along(const loopHold *hold, const loopBlocks *blocks, int k, int column, double w)
{
  const holdBridge *b = &hold->bridge[k];
  if (column == hold->input[k]) return (holdTaylor){b->middle + w * b->unit, b->unit, 0};
  return evaluate(hold, b, blocks->nd, hold_find_column(blocks, k, column), w);
}


static double place_in(const loopHold *hold, int k, const int *place, const double *q)
{
  const holdBridge *b = &hold->bridge[k];
  return (q[place[hold->input[k]]] - b->middle) / b->unit;
}


static void hold_block(loopHold *hold, const loopBlocks *blocks, int k, const int *place, double *q)
{
  const loopBlock *block = &blocks->block[k];
  const holdBridge *b = &hold->bridge[k];
  const double w = place_in(hold, k, place, q);
  for (int i = 0; i < block->size; i++) {
    const int p = block->first + i;
    const holdTaylor x = evaluate(hold, b, blocks->nd, p, w);
    q[place[blocks->column[p]]] = x.f;
    block->slope[i] = x.df / b->unit;
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
    const holdBridge *b = &hold->bridge[k];
    if (b->count < HOLD_NODES || !(fabs(place_in(hold, k, place, q)) < b->window)) continue;
    hold_block(hold, blocks, k, place, q);
    blocks->block[k].is_held = true;
    hold->held++;
  }
  return hold->held;
}


void hold_place(loopHold *hold, loopBlocks *blocks, const int *place, double *q)
{
  for (int k = 0; k < blocks->block_count && hold->held > 0; k++) {
    if (blocks->block[k].is_held) hold_block(hold, blocks, k, place, q);
  }
}


void hold_bias(const loopHold *hold, loopBlocks *blocks, const double *v, const double *a_drive)
{
  for (int k = 0; k < blocks->block_count && hold->held > 0; k++) {
    loopBlock *block = &blocks->block[k];
    if (!block->is_held) continue;
    const int u = hold->input[k];
    for (int i = 0; i < block->size; i++) {
      block->given[i] = hold->second[block->first + i] * v[u] * v[u] + block->slope[i] * a_drive[u];
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
  for (int i = 0; i < block->size; i++) {
    x[i] = evaluate(hold, &hold->bridge[k], blocks->nd, block->first + i, w).f;
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


void hold_add(loopHold *hold, const loopBlocks *blocks, int k, double w, const double *x,
              const double *dx)
{
  holdBridge *b = &hold->bridge[k];
  const loopBlock *block = &blocks->block[k];
  double product = 1;
  for (int i = 0; i < b->count; i++) product *= (w - b->node[i]) * (w - b->node[i]);
  b->node[b->count] = w;
  for (int i = 0; i < block->size; i++) {
    const int p = block->first + i;
    double *line = hold->line + 2 * p;
    const double slope = dx[i] * b->unit;

    // small numbers lose less: the first node's tangent is taken off
    if (b->count == 0) line[0] = x[i] - slope * w, line[1] = slope;
    add_terms(b, hold->term + p, blocks->nd, w, x[i] - line[0] - line[1] * w, slope - line[1],
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
    const holdTaylor all = newton_form(b, 2 * b->count, hold->term + p, nd, w);
    const holdTaylor few = newton_form(b, terms, hold->term + p, nd, w);
    if (!(fabs(all.f - few.f) * fabs(w) <= size)) return 0;
    if (!(fabs(all.df - few.df) * w * w <= size)) return 0;
  }
  return 1;
}


// A straight line goes through the outermost nodes, which are known best. Bars of a parallelogram turn
// alike, or not at all: slopes are whole numbers where rounding allows them to be.
static void straighten(loopHold *hold, const holdBridge *b, int nd, int p)
{
  const double w0 = b->node[0], w1 = b->node[b->count - 1];
  const double x0 = newton_form(b, 2 * b->count, hold->term + p, nd, w0).f;
  const double x1 = newton_form(b, 2 * b->count, hold->term + p, nd, w1).f;
  const double found = (hold->line[2 * p + 1] + (x1 - x0) / (w1 - w0)) / b->unit;
  const double whole = nearbyint(found);
  const double slope = (fabs(found - whole) < ROUNDING ? whole : found) * b->unit;
  const double more = slope - hold->line[2 * p + 1];
  hold->line[2 * p] += 0.5 * (x0 + x1 - more * (w0 + w1));
  hold->line[2 * p + 1] = slope;
}


void hold_shorten(loopHold *hold, const loopBlocks *blocks, int k)
{
  const holdBridge *b = &hold->bridge[k];
  const loopBlock *block = &blocks->block[k];
  for (int p = block->first; p < block->first + block->size; p++) {
    int terms = 0;
    while (terms < HOLD_TERMS && !is_enough(hold, b, blocks->nd, p, terms)) terms++;
    if (terms == 0) straighten(hold, b, blocks->nd, p);
    for (int i = terms; i < HOLD_TERMS; i++) hold->term[(long) i * blocks->nd + p] = 0;
  }
}
