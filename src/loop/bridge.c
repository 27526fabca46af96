// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Building bridges over singular positions.
#include "loop/bridge.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"

// A block is weak where its strength is below this part of what is sound, and the singular position is
// looked for by a straight line from where it is below the second; the nodes next to the singular
// position have the third.
#define WEAK    0.15
#define NEAR    0.2
#define NEAREST 0.06

// where nodes lie, in units of the distance of the nearest
static const double away[HOLD_SIDE] = {1, 2, 3.3, 5};

// nodes found by Newton's method are this near to where they were expected, in the same unit, and the
// polynomial leaves loops open by no more than the second, in m or rad
#define SAME_BRANCH 1e-2
#define OPEN        1e-12

// steps towards the singular position; trials, each with nodes at half the distance
enum { MOST_WALKS = 30, TRIALS = 3 };


// What is bridged: all weak blocks of one independent coordinate
typedef struct walker {
  const artModel *m;
  artData *d;
  struct loopWork *loop;
  int column;    // number of the coordinate in column_u,
  int velocity;  // in v,
  int place;     // and in q
  double target; // a value of it near the singular position
} walker;


static double *where(const walker *w)
{
  return &w->d->q[w->place];
}


// towards the singular position
static double direction(const walker *w)
{
  return w->target > w->loop->hold.q[w->place] ? 1 : -1;
}


static int is_mine(const walker *w, int k)
{
  return w->loop->hold.is_bridged[k] && w->loop->blocks->block[k].reach[0] == w->column;
}


// the least strength of the blocks that are bridged
static double strength(const walker *w)
{
  double least = INFINITY;
  for (int k = 0; k < w->loop->blocks->block_count; k++) {
    if (is_mine(w, k)) least = base_smaller(least, hold_strength(w->loop->blocks, k));
  }
  return least;
}


// all dependent coordinates along their tangents
static void predict_straight(const walker *w, double to)
{
  struct loopWork *loop = w->loop;
  const loopBlocks *blocks = loop->blocks;
  memset(loop->step, 0, (size_t) w->m->tree.nv * sizeof *loop->step);
  loop->step[w->velocity] = to - *where(w);
  blocks_multiply(blocks, loop->step);
  art_move(w->m, w->d->q, loop->step);
  *where(w) = to;
}


// those that are bridged by the nodes so far
static void predict_bridged(const walker *w, double at)
{
  const struct loopWork *loop = w->loop;
  const loopBlocks *blocks = loop->blocks;
  for (int k = 0; k < blocks->block_count; k++) {
    if (!is_mine(w, k)) continue;
    const loopBlock *block = &blocks->block[k];
    hold_predict(&loop->hold, blocks, k, at, block->given);
    for (int i = 0; i < block->size; i++) {
      w->d->q[loop->place[blocks->column[block->first + i]]] = block->given[i];
    }
  }
}


// closed there, with B; 0 when that cannot be
static int close_here(const walker *w)
{
  if (loop_solve(w->m, w->d, NULL) != ART_OK) return 0;
  blocks_couple(w->loop->blocks);
  return 1;
}


// Walk until the singular position is near, and guess where it is from the last two strengths.
static int find_middle(const walker *w, double *middle, double *slope)
{
  const double sound = w->loop->pivot_start, ahead = direction(w);
  double u = *where(w), s = strength(w), step = 0.1 * (w->target - u);
  for (int i = 0; i < MOST_WALKS; i++) {
    predict_straight(w, u + step);
    if (!close_here(w)) return 0;
    const double there = strength(w);
    *slope = (there - s) / step;
    u += step;
    s = there;
    *middle = u - s / *slope;
    const double left = (*middle - u) * ahead;
    if (!(left > 0)) return 0; // it becomes stronger this way
    if (s < NEAR * sound) return 1;
    step = ahead * fmin(0.5 * fabs(w->target - u), 0.7 * left);
  }
  return 0;
}


static int add_node(const walker *w, double at)
{
  struct loopWork *loop = w->loop;
  holdBridge *b = &loop->hold.bridge[w->column];
  predict_straight(w, b->middle + at * b->unit);
  if (b->count > 0) predict_bridged(w, at);
  if (!close_here(w)) return 0;
  for (int k = 0; k < loop->blocks->block_count && b->count > 0; k++) {
    if (!is_mine(w, k)) continue;
    const loopBlock *block = &loop->blocks->block[k];
    hold_predict(&loop->hold, loop->blocks, k, at, block->given);
    for (int i = 0; i < block->size; i++) {
      const double x = w->d->q[loop->place[loop->blocks->column[block->first + i]]];
      if (!(fabs(x - block->given[i]) < SAME_BRANCH * fmax(1, fabs(block->B[i])) * b->unit))
        return 0;
    }
  }
  hold_add(&loop->hold, loop->blocks, w->column, at, loop->place, w->d->q);
  return 1;
}


// from the outermost node in front to the outermost behind
static int add_nodes(const walker *w)
{
  int ok = 1;
  for (int i = HOLD_SIDE - 1; i >= 0 && ok; i--) ok = add_node(w, -direction(w) * away[i]);
  for (int i = 0; i < HOLD_SIDE && ok; i++) ok = add_node(w, direction(w) * away[i]);
  return ok;
}


static int is_weak(const struct loopWork *loop, int k)
{
  return !(hold_strength(loop->blocks, k) > WEAK * loop->pivot_start);
}


// has its bridge been built, and does it reach here?
static int is_known(const struct loopWork *loop, int k, const double *q)
{
  const loopBlock *block = &loop->blocks->block[k];
  if (!loop->hold.is_bridged[k]) return 0;
  const holdBridge *b = &loop->hold.bridge[block->reach[0]];
  const double u = q[loop->place[loop->blocks->column_u[block->reach[0]]]];
  return b->count == HOLD_NODES && fabs(u - b->middle) <= away[HOLD_SIDE - 1] * b->unit;
}


// mark the weak blocks of a column; returns how many need a bridge
static int choose_blocks(const struct loopWork *loop, int column, const double *q)
{
  int count = 0;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (hold_column(loop->blocks, k, loop->place) != column || is_known(loop, k, q)) continue;
    loop->hold.is_bridged[k] = (char) is_weak(loop, k);
    count += loop->hold.is_bridged[k];
  }
  return count;
}


// how far the polynomials leave the loops open there
static double gap_at(const walker *w, double at)
{
  const struct loopWork *loop = w->loop;
  const loopBlocks *blocks = loop->blocks;
  const holdBridge *b = &loop->hold.bridge[w->column];
  double most = 0;
  predict_straight(w, b->middle + at * b->unit);
  predict_bridged(w, at);
  loop_place_links(w->m, w->d);
  if (rows_positions(w->m, w->d, &w->loop->rows, loop->kept, NULL) != ART_OK) return INFINITY;
  for (int p = 0; p < blocks->nd; p++) {
    const double phi = fabs(loop->rows.phi[blocks->row[p]]);
    if (is_mine(w, blocks->block_of[p]) && !(phi <= most)) most = phi;
  }
  return most;
}


// from the closed position that is remembered; 0 when there is no way over
static int build(const walker *w, double nearest)
{
  holdBridge *b = &w->loop->hold.bridge[w->column];
  double slope;
  memcpy(w->d->q, w->loop->hold.q, (size_t) w->m->tree.nq * sizeof *w->d->q);
  *b = (holdBridge){.count = 0};
  if (!close_here(w) || !find_middle(w, &b->middle, &slope)) return 0;
  b->unit = nearest * w->loop->pivot_start / fabs(slope);
  if (!add_nodes(w)) return 0;
  hold_shorten(&w->loop->hold, w->loop->blocks, w->column);
  return gap_at(w, 0.5) < OPEN && gap_at(w, 0) < OPEN && gap_at(w, -0.5) < OPEN;
}


// is a block weak that is not held?
static int is_needed(const struct loopWork *loop)
{
  if (loop->pivot > WEAK * loop->pivot_start) return 0;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (!loop->blocks->block[k].is_held && is_weak(loop, k)) return 1;
  }
  return 0;
}


int bridge_build(const artModel *m, artData *d)
{
  struct loopWork *loop = d->work->loop;
  double *q = loop->q_spare;
  int tried = 0;
  if (!is_needed(loop)) return 0;
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  for (int c = 0; c < loop->blocks->nu; c++) {
    const int velocity = loop->blocks->column_u[c], place = loop->place[velocity];
    const walker w = {m, d, loop, c, velocity, place, place < 0 ? 0 : q[place]};
    if (place < 0 || loop->hold.bridge[c].has_failed || !choose_blocks(loop, c, q)) continue;
    hold_release(&loop->hold, loop->blocks);
    int is_built = 0;
    for (int i = 0; i < TRIALS && !is_built; i++) is_built = build(&w, ldexp(NEAREST, -i));
    if (!is_built) loop->hold.bridge[c] = (holdBridge){.has_failed = 1};
    memcpy(d->q, q, (size_t) m->tree.nq * sizeof *q);
    tried = 1;
  }
  if (tried) loop_place_links(m, d);
  return tried;
}
