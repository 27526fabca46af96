// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Passing singular positions: coordinates as polynomials of their input.
#include "loop/singular_path.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"

// rounding error of the coordinates at the nearest nodes, relative to their size
#define ROUNDING 2e-13

// sound strength of a block that was weak when the coordinates were chosen, relative to its largest
// entries
#define SOUND_STRENGTH 0.2

int singular_path_find_column(const loopBlocks *blocks, int k, int column)
{
  ART_ASSERT(k >= 0 && k < blocks->block_count);
  const loopBlock *block = &blocks->block[k];
  for (int p = block->first; p < block->first + block->size; p++) {
    if (blocks->column[p] == column) return p;
  }
  return -1;
}


//---- inputs --------------------------------------------------------------------------------------


static void open_column(singularPath *hold, int *count, int column)
{
  *count += !hold->open[column];
  hold->open[column] = 1;
}


// Go through the blocks from k backwards. Coordinates that a block determines become known, the
// others that its rows depend on become open, until a single open one is left.
int singular_path_find_input(singularPath *hold, const loopBlocks *blocks, int k)
{
  ART_ASSERT(k >= 0 && k < blocks->block_count);
  int count = 0, input = -1;
  hold->walk_count = 0;
  memset(hold->open, 0, (size_t) blocks->n * sizeof *hold->open);
  for (int b = k; b == k || (b >= 0 && count > 1); b--) {
    const loopBlock *block = &blocks->block[b];
    const int first = block->first, end = first + block->size;
    int closed = 0;
    for (int p = first; p < end; p++) {
      closed += hold->open[blocks->column[p]];
      hold->open[blocks->column[p]] = 0;
    }
    if (closed == 0 && b != k) continue;
    count -= closed;
    hold->walked[hold->walk_count++] = b;
    for (int e = blocks->right_start[first]; e < blocks->right_start[end]; e++) {
      const int column = blocks->column_u[block->reach[blocks->right[e].where]];
      if (!hold->places->is_idle[column]) open_column(hold, &count, column);
    }
    for (int e = blocks->left_start[first]; e < blocks->left_start[end]; e++) {
      open_column(hold, &count, blocks->column[blocks->left[e].where]);
    }
  }
  for (int j = 0; j < blocks->n && count == 1 && input < 0; j++) {
    if (hold->open[j]) input = j;
  }

  // ascending
  for (int i = 0, j = hold->walk_count - 1; i < j; i++, j--) {
    const int other = hold->walked[j];
    hold->walked[j] = hold->walked[i];
    hold->walked[i] = other;
  }
  return input;
}


// component of the idle spin's angular velocity per unit of the idle velocity
static double idle_slope(const loopTurn *turn, int component)
{
  return turn->idle < 0 ? 0 : turn->axis[2][component] / turn->axis[2][turn->idle];
}


// find the block that determines an orientation apart from its idle spin, and the positions of its
// x
static void find_turn_block(singularPath *hold, loopBlocks *blocks, int t)
{
  ART_ASSERT(t >= 0 && t < hold->places->turn_count);
  const loopTurn *turn = &hold->places->turn[t];
  int *at = hold->turn_at + 3 * t;
  int first = -1;
  for (int component = 0; component < 3; component++) {
    const int p = blocks->position[turn->v + component];
    if (p < 0) continue;
    at[turn_slot(turn, component)] = p;
    if (first < 0 || p < first) first = p;
  }
  hold->turn_block[t] = first < 0 ? -1 : blocks->block_of[first];
  for (int i = 0; i < (turn->idle < 0 ? 3 : 2); i++) {
    if (at[i] < 0 || blocks->block_of[at[i]] != hold->turn_block[t]) hold->turn_block[t] = -1;
  }
  if (turn->idle >= 0 && at[2] >= 0) hold->turn_block[t] = -1;
  for (int i = 0; i < 3 && hold->turn_block[t] >= 0; i++) {
    if (i == turn->idle) continue;
    blocks_set_idle(blocks, at[turn_slot(turn, i)], turn->v + turn->idle, idle_slope(turn, i));
  }
}


// are all coordinates of the block plain positions, or parts of orientations that it determines?
static int has_places(const singularPath *hold, const loopBlocks *blocks, int k)
{
  const loopBlock *block = &blocks->block[k];
  for (int i = 0; i < block->size; i++) {
    const int turn = hold->places->turn_of[blocks->column[block->first + i]];
    if (turn >= 0 && hold->turn_block[turn] != k) return 0;
  }
  return 1;
}


static void find_inputs(singularPath *hold, loopBlocks *blocks)
{
  for (int i = 0; i < 3 * hold->places->turn_count; i++) hold->turn_at[i] = -1;
  for (int t = 0; t < hold->places->turn_count; t++) find_turn_block(hold, blocks, t);
  for (int k = 0; k < blocks->block_count; k++) {
    const int input = has_places(hold, blocks, k) ? singular_path_find_input(hold, blocks, k) : -1;
    hold->input[k] = input >= 0 && hold->places->place[input] >= 0 ? input : -1;
    blocks_set_input(blocks, k, hold->input[k]);
  }
}


//---- creation and release ------------------------------------------------------------------------


// are there blocks that are never held?
static int has_leaps(const singularPath *hold, const loopBlocks *blocks)
{
  for (int k = 0; k < blocks->block_count; k++) {
    if (hold->input[k] < 0) return 1;
  }
  return 0;
}


// returns 0 when memory ran out
static int start_leap(singularPath *hold, loopBlocks *blocks, const loopMatrix *J)
{
  baseArena *a = &blocks->memory;
  singularLeap *l = &hold->leap;
  const size_t n = (size_t) blocks->n + 1, entries = (size_t) matrix_count(J) + 1;
  size_t size = 1;
  for (int k = 0; k < blocks->block_count; k++) {
    if ((size_t) blocks->block[k].size > size) size = (size_t) blocks->block[k].size;
  }
  l->side = arena_alloc(a, (size_t) blocks->block_count + 1, sizeof *l->side);
  if (!has_leaps(hold, blocks)) return l->side != NULL;
  return l->side && ARENA_TAKE(a, l->J, entries) && ARENA_TAKE(a, l->square, size * size) &&
         ARENA_TAKE(a, l->swap, n) && ARENA_TAKE(a, l->row, n) && ARENA_TAKE(a, l->column, n) &&
         ARENA_TAKE(a, l->rank, n);
}


int singular_path_start(singularPath *hold, loopBlocks *blocks, const loopPlaces *places,
                        const double *row_size, const double *q, int nq, const loopMatrix *J)
{
  baseArena *a = &blocks->memory;
  const size_t nd = (size_t) blocks->nd + 1, count = (size_t) blocks->block_count + 1;
  const size_t n = (size_t) blocks->n + 1, turns = (size_t) places->turn_count + 1;
  *hold = (singularPath){.places = places};
  const int taken = ARENA_TAKE(a, hold->input, count) && ARENA_TAKE(a, hold->size, count) &&
                    ARENA_TAKE(a, hold->sound, count) && ARENA_TAKE(a, hold->last_u, count) &&
                    ARENA_TAKE(a, hold->from_u, count) && ARENA_TAKE(a, hold->from_q, nq + 1) &&
                    ARENA_TAKE(a, hold->bridge, count) && ARENA_TAKE(a, hold->line, 2 * nd) &&
                    ARENA_TAKE(a, hold->term, SINGULAR_TERMS * nd) &&
                    ARENA_TAKE(a, hold->second, nd) && ARENA_TAKE(a, hold->turn_block, turns) &&
                    ARENA_TAKE(a, hold->turn_at, 3 * turns) && ARENA_TAKE(a, hold->base, nq + 1) &&
                    ARENA_TAKE(a, hold->motion, turns) && ARENA_TAKE(a, hold->is_needed, count) &&
                    ARENA_TAKE(a, hold->walked, count) && ARENA_TAKE(a, hold->open, n) &&
                    ARENA_TAKE(a, hold->side, blocks->m + 1) && ARENA_TAKE(a, hold->move, n) &&
                    ARENA_TAKE(a, hold->step, n) && ARENA_TAKE(a, hold->q, nq + 1) &&
                    ARENA_TAKE(a, hold->expected, nq + 1);
  if (!taken) return 0;
  find_inputs(hold, blocks);
  if (!start_leap(hold, blocks, J)) return 0;
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    hold->size[k] = INFINITY;
    for (int p = block->first; p < block->first + block->size; p++) {
      hold->size[k] = min_nan(hold->size[k], row_size[blocks->row[p]]);
    }
    hold->sound[k] = SOUND_STRENGTH * hold->size[k];
  }
  singular_path_remember(hold, blocks, q, J);
  return 1;
}


// coordinates of block k
static void copy_coordinates(const singularPath *hold, const loopBlocks *blocks, int k,
                             const double *from, double *to)
{
  const loopBlock *block = &blocks->block[k];
  for (int p = block->first; p < block->first + block->size; p++) {
    const int place = hold->places->place[blocks->column[p]];
    if (place >= 0) to[place] = from[place];
  }
  for (int p = block->first; p < block->first + block->size; p++) {
    const int t = hold->places->turn_of[blocks->column[p]];
    if (t < 0 || hold->turn_block[t] != k) continue;
    const int at = hold->places->turn[t].q;
    memcpy(to + at, from + at, 4 * sizeof *to);
  }
}


// returns whether the block has passed its singular position
static int remember_block(singularPath *hold, const loopBlocks *blocks, int k, const double *q)
{
  const loopBlock *block = &blocks->block[k];
  hold->leap.side[k] = blocks_determinant(block);
  if (hold->input[k] < 0) return 0;
  const double u = q[hold->places->place[hold->input[k]]];
  const singularBridge *b = &hold->bridge[k];
  const int passed = b->count == SINGULAR_NODES && (u > b->middle) != (hold->last_u[k] > b->middle);
  hold->last_u[k] = u;
  if (block->is_held) return passed;
  hold->from_u[k] = u;
  copy_coordinates(hold, blocks, k, q, hold->from_q);
  const double strength = singular_path_strength(blocks, k);
  if (strength > hold->sound[k]) hold->sound[k] = strength;
  if (strength > 1.3 * SINGULAR_WEAK * hold->sound[k]) hold->bridge[k].failed = 0;
  return passed;
}


int singular_path_remember(singularPath *hold, const loopBlocks *blocks, const double *q,
                           const loopMatrix *J)
{
  int passed = -1;
  if (has_leaps(hold, blocks)) {
    memcpy(hold->leap.J, J->value, (size_t) matrix_count(J) * sizeof *J->value);
  }
  for (int k = 0; k < blocks->block_count; k++) {
    if (remember_block(hold, blocks, k, q)) passed = k;
  }
  return passed;
}


void singular_path_remember_walk(singularPath *hold, const loopBlocks *blocks, const double *q)
{
  for (int i = 0; i < hold->walk_count; i++) {
    (void) remember_block(hold, blocks, hold->walked[i], q);
  }
}


//---- held blocks ---------------------------------------------------------------------------------


// Newton's form c0 + c1 (w - w0) + c2 (w - w0)^2 + c3 (w - w0)^2 (w - w1) ... by Horner's rule
static singularTaylor newton_form(const singularBridge *b, int terms, const double *c, int stride,
                                  double w)
{
  ART_ASSERT(terms >= 0 && terms <= SINGULAR_TERMS);
  singularTaylor p = {0, 0, 0};
  while (terms > 0 && c[(long) (terms - 1) * stride] == 0) terms--;
  for (int k = terms - 1; k >= 0; k--) {
    const double d = w - b->node[k / 2];
    p.ddf = p.ddf * d + 2 * p.df;
    p.df = p.df * d + p.f;
    p.f = p.f * d + c[(long) k * stride];
  }
  return p;
}


// polynomial plus straight line, derivatives with respect to w
static singularTaylor evaluate_bridge(const singularPath *hold, const singularBridge *b, int nd,
                                      int p, double w)
{
  ART_ASSERT(p >= 0 && p < nd);
  singularTaylor x = newton_form(b, 2 * b->count, hold->term + p, nd, w);
  x.f += hold->line[2 * p] + hold->line[2 * p + 1] * w;
  x.df += hold->line[2 * p + 1];
  return x;
}


singularTaylor singular_path_along(const singularPath *hold, const loopBlocks *blocks, int k,
                                   int column, double w)
{
  const singularBridge *b = &hold->bridge[k];
  if (column == hold->input[k]) return (singularTaylor){b->middle + w * b->unit, b->unit, 0};
  return evaluate_bridge(hold, b, blocks->nd, singular_path_find_column(blocks, k, column), w);
}


static double place_on_bridge(const singularPath *hold, int k, const double *q)
{
  ART_ASSERT(hold->input[k] >= 0 && hold->bridge[k].unit != 0);
  const singularBridge *b = &hold->bridge[k];
  return (q[hold->places->place[hold->input[k]]] - b->middle) / b->unit;
}


// derivatives of an orientation of block k; the idle velocity is free, the slopes are the remainder
static void singular_path_turn(singularPath *hold, const loopBlocks *blocks, int t, double w,
                               double *q)
{
  const loopTurn *turn = &hold->places->turn[t];
  const int k = hold->turn_block[t], *at = hold->turn_at + 3 * t, i = turn->idle;
  const loopBlock *block = &blocks->block[k];
  const singularBridge *b = &hold->bridge[k];
  turnMotion *moves = &hold->motion[t];
  double x[3], dx[3], ddx[3];
  turn_read(turn, hold->base + turn->q, q + turn->q, x);
  for (int n = 0; n < (i < 0 ? 3 : 2); n++) {
    const singularTaylor y = evaluate_bridge(hold, b, blocks->nd, at[n], w);
    x[n] = y.f, dx[n] = y.df / b->unit, ddx[n] = y.ddf / (b->unit * b->unit);
  }
  turn_put(turn, hold->base + turn->q, x, q + turn->q);
  turn_along(turn, x, dx, ddx, moves);
  for (int c = 0; c < 3; c++) {
    const double idle = idle_slope(turn, c);
    const int p = at[turn_slot(turn, c)];
    if (c == i) continue;
    block->slope[p - block->first] = moves->along[c] - (i < 0 ? 0 : idle * moves->along[i]);
    hold->second[p] = moves->bend[c] - (i < 0 ? 0 : idle * moves->bend[i]);
  }
}


static void singular_path_block(singularPath *hold, const loopBlocks *blocks, int k, double *q)
{
  ART_ASSERT(hold->bridge[k].count == SINGULAR_NODES);
  const loopBlock *block = &blocks->block[k];
  const singularBridge *b = &hold->bridge[k];
  const double w = place_on_bridge(hold, k, q);
  for (int i = 0; i < block->size; i++) {
    const int p = block->first + i, place = hold->places->place[blocks->column[p]];
    if (place < 0) continue;
    const singularTaylor x = evaluate_bridge(hold, b, blocks->nd, p, w);
    q[place] = x.f;
    block->slope[i] = x.df / b->unit;
    hold->second[p] = x.ddf / (b->unit * b->unit);
  }
  for (int t = 0; t < hold->places->turn_count; t++) {
    if (hold->turn_block[t] == k) singular_path_turn(hold, blocks, t, w, q);
  }
}


void singular_path_release(singularPath *hold, loopBlocks *blocks)
{
  hold->held = 0;
  for (int k = 0; k < blocks->block_count; k++) blocks->block[k].is_held = false;
}


int singular_path_choose(singularPath *hold, loopBlocks *blocks, double *q)
{
  singular_path_release(hold, blocks);
  for (int k = 0; k < blocks->block_count; k++) {
    const singularBridge *b = &hold->bridge[k];
    if (b->count < SINGULAR_NODES || !(fabs(place_on_bridge(hold, k, q)) < b->window)) continue;
    singular_path_block(hold, blocks, k, q);
    blocks->block[k].is_held = true;
    hold->held++;
  }
  return hold->held;
}


void singular_path_place(singularPath *hold, loopBlocks *blocks, double *q)
{
  for (int k = 0; k < blocks->block_count && hold->held > 0; k++) {
    if (blocks->block[k].is_held) singular_path_block(hold, blocks, k, q);
  }
}


void singular_path_bias(const singularPath *hold, loopBlocks *blocks, const double *v,
                        const double *a_drive)
{
  for (int k = 0; k < blocks->block_count && hold->held > 0; k++) {
    loopBlock *block = &blocks->block[k];
    if (!block->is_held) continue;
    const int u = hold->input[k];
    for (int i = 0; i < block->size; i++) {
      block->given[i] = hold->second[block->first + i] * v[u] * v[u] + block->slope[i] * a_drive[u];
    }
  }

  // an idle spin s adds twist u' s' to the angular acceleration of its link, with w_idle =
  // along_idle u' + e3_idle s'
  for (int t = 0; t < hold->places->turn_count && hold->held > 0; t++) {
    const loopTurn *turn = &hold->places->turn[t];
    const int k = hold->turn_block[t], i = turn->idle;
    if (k < 0 || !blocks->block[k].is_held || i < 0) continue;
    const loopBlock *block = &blocks->block[k];
    const turnMotion *moves = &hold->motion[t];
    const double u = v[hold->input[k]];
    const double spin = (v[turn->v + i] - moves->along[i] * u) / turn->axis[2][i];
    for (int c = 0; c < 3; c++) {
      if (c == i) continue;
      block->given[hold->turn_at[3 * t + turn_slot(turn, c)] - block->first] +=
          (moves->twist[c] - idle_slope(turn, c) * moves->twist[i]) * u * spin;
    }
  }
}


void singular_path_still(loopBlocks *blocks)
{
  for (int k = 0; k < blocks->block_count; k++) {
    loopBlock *block = &blocks->block[k];
    if (block->is_held) memset(block->given, 0, (size_t) block->size * sizeof *block->given);
  }
}


//---- building ------------------------------------------------------------------------------------


void singular_path_go_back(singularPath *hold, const loopBlocks *blocks, int k, double *q)
{
  copy_coordinates(hold, blocks, k, hold->from_q, q);
  copy_coordinates(hold, blocks, k, hold->from_q, hold->base);
  for (int t = 0; t < hold->places->turn_count; t++) {
    double *e = hold->base + hold->places->turn[t].q;
    if (hold->turn_block[t] != k) continue;
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int i = 0; i < 4; i++) e[i] /= length;
  }
}


void singular_path_predict(const singularPath *hold, const loopBlocks *blocks, int k, double w,
                           double *q)
{
  const loopBlock *block = &blocks->block[k];
  const singularBridge *b = &hold->bridge[k];
  for (int p = block->first; p < block->first + block->size; p++) {
    const int place = hold->places->place[blocks->column[p]];
    if (place >= 0) q[place] = evaluate_bridge(hold, b, blocks->nd, p, w).f;
  }
  for (int t = 0; t < hold->places->turn_count; t++) {
    const loopTurn *turn = &hold->places->turn[t];
    const int *at = hold->turn_at + 3 * t;
    double x[3];
    if (hold->turn_block[t] != k) continue;
    turn_read(turn, hold->base + turn->q, q + turn->q, x);
    for (int i = 0; i < (turn->idle < 0 ? 3 : 2); i++) {
      x[i] = evaluate_bridge(hold, b, blocks->nd, at[i], w).f;
    }
    turn_put(turn, hold->base + turn->q, x, q + turn->q);
  }
}


void singular_path_read(const singularPath *hold, const loopBlocks *blocks, int k, const double *q)
{
  const loopBlock *block = &blocks->block[k];
  for (int i = 0; i < block->size; i++) {
    const int place = hold->places->place[blocks->column[block->first + i]];
    if (place >= 0) block->given[i] = q[place];
  }
  for (int t = 0; t < hold->places->turn_count; t++) {
    const loopTurn *turn = &hold->places->turn[t];
    const int *at = hold->turn_at + 3 * t;
    double x[3], w[3] = {0, 0, 0}, dx[3];
    if (hold->turn_block[t] != k) continue;
    for (int c = 0; c < 3; c++) {
      if (c != turn->idle) w[c] = block->slope[at[turn_slot(turn, c)] - block->first];
    }
    turn_read(turn, hold->base + turn->q, q + turn->q, x);
    turn_rates(turn, x, w, dx);
    for (int i = 0; i < (turn->idle < 0 ? 3 : 2); i++) {
      block->given[at[i] - block->first] = x[i];
      block->slope[at[i] - block->first] = dx[i];
    }
  }
}


void singular_path_add(singularPath *hold, const loopBlocks *blocks, int k, double w)
{
  ART_ASSERT(hold->bridge[k].count < SINGULAR_NODES);
  singularBridge *b = &hold->bridge[k];
  const loopBlock *block = &blocks->block[k];
  const int nd = blocks->nd;
  double product = 1; // (w - w0)^2 (w - w1)^2 ... over the nodes so far
  for (int i = 0; i < b->count; i++) product *= (w - b->node[i]) * (w - b->node[i]);
  b->node[b->count] = w;
  for (int i = 0; i < block->size; i++) {
    const int p = block->first + i;
    double *line = hold->line + 2 * p;
    const double x = block->given[i], slope = block->slope[i] * b->unit;

    // subtract the tangent at the first node, because smaller numbers lose fewer digits
    if (b->count == 0) line[0] = x - slope * w, line[1] = slope;

    // append two terms so that the polynomial has the value and the slope at w
    double *c = hold->term + p;
    const int n = 2 * b->count;
    const double f = x - line[0] - line[1] * w, df = slope - line[1];
    c[(long) n * nd] = (f - newton_form(b, n, c, nd, w).f) / product;
    c[(long) (n + 1) * nd] = (df - newton_form(b, n + 1, c, nd, w).df) / product;
  }
  b->count++;
}


// does the polynomial truncated to `terms` reproduce all nodes to rounding error?
static int is_enough(const singularPath *hold, const singularBridge *b, int nd, int p, int terms)
{
  const double size = ROUNDING * fmax(1, fmax(fabs(hold->line[2 * p]), fabs(b->middle)));
  for (int i = 0; i < b->count; i++) {
    const double w = b->node[i];
    const singularTaylor all = newton_form(b, 2 * b->count, hold->term + p, nd, w);
    const singularTaylor few = newton_form(b, terms, hold->term + p, nd, w);
    if (!(fabs(all.f - few.f) * fabs(w) <= size)) return 0;
    if (!(fabs(all.df - few.df) * w * w <= size)) return 0;
  }
  return 1;
}


// Make the straight line pass through the outermost nodes, which are most accurate. Round slopes to
// whole numbers where rounding error allows it: bars of a parallelogram turn by equal angles or not
// at all.
static void straighten_bridge(singularPath *hold, const singularBridge *b, int nd, int p)
{
  ART_ASSERT(b->count >= 2);
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


void singular_path_shorten(singularPath *hold, const loopBlocks *blocks, int k)
{
  const singularBridge *b = &hold->bridge[k];
  const loopBlock *block = &blocks->block[k];
  for (int p = block->first; p < block->first + block->size; p++) {
    int terms = 0;
    while (terms < SINGULAR_TERMS && !is_enough(hold, b, blocks->nd, p, terms)) terms++;
    if (terms == 0) straighten_bridge(hold, b, blocks->nd, p);
    for (int i = terms; i < SINGULAR_TERMS; i++) hold->term[(long) i * blocks->nd + p] = 0;
  }
}
