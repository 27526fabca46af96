// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Nodes and polynomials of the bridges over singular positions.
#include "data/place.h"
#include "loop/loop.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/numbers.h"
#include "model/link_pose.h"

// Below the first fraction of the sound strength, the singular position is extrapolated by a
// straight line. The nearest nodes are at the second distance from it, in rad or relative to the
// size of the loop.
#define EXTRAPOLATION_STRENGTH 0.2
#define NEAREST_NODE           0.06

// a block is held within this distance of the singular position, in units of the nearest nodes'
// distance
#define HELD_WINDOW 2.5

// distance of the nodes, in units of the nearest one's
static const double away[SINGULAR_SIDE] = {1, 2, 3.3, 5};

// Tolerances. MAX_TANGENT_DEVIATION: deviation of a step from its tangent, relative to the step.
// MAX_PREDICTION_ERROR: deviation of a node from its prediction, in units of the bridge.
// MAX_BRIDGE_VIOLATION: constraint violation on the polynomial, m or rad. MAX_ROUNDED_VIOLATION:
// the same relative to the size of the loop, if lengths in the model file are rounded.
#define MAX_TANGENT_DEVIATION 0.05
#define MAX_PREDICTION_ERROR  5e-2
#define MAX_BRIDGE_VIOLATION  1e-13
#define MAX_ROUNDED_VIOLATION 1.2e-6

// below this violation only rounding may be left
#define ROUNDING_VIOLATION 1e-12

// a bridge that failed is tried again once the strength has fallen to this fraction
#define TRY_AGAIN 0.5

// Beyond this multiple of its window, a block below this fraction of the weak limit is approaching
// another singular position.
#define WINDOW_MARGIN              1.5
#define OTHER_SINGULARITY_STRENGTH 0.5

// range of the search for singular positions outside a run, in rad or relative to the size of the
// loop
#define SEARCH_RANGE 3.2

// steps towards the singular position; trials, each with half the node distance; Newton iterations;
// bisections of a step
enum { MAX_WALKS = 30, MAX_TRIALS = 4, MAX_ITERATIONS = 25, MAX_HALVES = 8 };


// The moving parts: the input of a block, the block, and the blocks between them. Their rows depend
// on nothing else, so the rest of the machine stays where it is.
typedef struct walker {
  const artModel *m;
  artData *d;
  struct loopWork *loop;
  int block;
  int solved;   // how many blocks of hold.walked are solved: all, or all but the last
  int place;    // index of the input in q
  double scale; // a displacement of the input comparable with the size of the loop
} walker;


static double *walk_coordinate(const walker *w)
{
  return &w->d->q[w->place];
}


static double walked_block_strength(const walker *w)
{
  return singular_path_strength(w->loop->blocks, w->block);
}


//---- moving parts --------------------------------------------------------------------------------


static void add_path_link(loopPath *path, int link)
{
  if (path->is_link[link]) return;
  path->is_link[link] = 1;
  path->link[path->nlink++] = link;
}


// the links on one side of a cut, up to the last one that does not move the other side too
static void add_side(const treeModel *t, loopPath *path, const cutSide *side)
{
  if (side->n == 0) return;
  const int last = t->dof_link[side->dof[0]];
  for (int link = side->link; link != last; link = t->link[link].parent) add_path_link(path, link);
  add_path_link(path, last);
}


static void add_tie(const artModel *m, loopPath *path, int tie)
{
  ART_ASSERT(tie >= 0 && tie < m->ncut + m->nrelation);
  if (path->is_tie[tie]) return;
  path->is_tie[tie] = 1;
  if (tie < m->ncut) {
    path->cut[path->ncut++] = tie;
    add_side(&m->tree, path, &m->cut[tie].side[0]);
    add_side(&m->tree, path, &m->cut[tie].side[1]);
    return;
  }
  const modelRelation *r = &m->relation[tie - m->ncut];
  path->relation[path->nrelation++] = tie - m->ncut;
  for (int k = 0; k < r->n; k++) add_path_link(path, m->tree.dof_link[r->velocity[k]]);
}


static walker start_bridge_walk(const artModel *m, artData *d, int k)
{
  ART_ASSERT(d->work->loop->hold.input[k] >= 0);
  struct loopWork *loop = d->work->loop;
  loopPath *path = &loop->path;
  const loopBlocks *blocks = loop->blocks;
  singular_path_find_input(&loop->hold, blocks, k);
  for (int i = 0; i < path->nlink; i++) path->is_link[path->link[i]] = 0;
  for (int i = 0; i < path->ncut; i++) path->is_tie[path->cut[i]] = 0;
  for (int i = 0; i < path->nrelation; i++) path->is_tie[m->ncut + path->relation[i]] = 0;
  path->nlink = path->ncut = path->nrelation = 0;
  for (int i = 0; i < loop->hold.walk_count; i++) {
    const loopBlock *block = &blocks->block[loop->hold.walked[i]];
    for (int p = block->first; p < block->first + block->size; p++) {
      add_tie(m, path, path->tie[blocks->row[p]]);
    }
  }
  base_sort_ints(path->nlink, path->link);
  return (walker){m, d, loop, k, loop->hold.walk_count, loop->places.place[loop->hold.input[k]], 1};
}


// copy the coordinates of the moving links
static void copy_positions(const walker *w, const double *from, double *to)
{
  const loopPath *path = &w->loop->path;
  for (int i = 0; i < path->nlink; i++) {
    const treeLink *link = &w->m->tree.link[path->link[i]];
    const int nq = link->nv + (link->kind == LINK_SPHERICAL || link->kind == LINK_FREE);
    for (int k = link->q0; k < link->q0 + nq; k++) to[k] = from[k];
  }
}


static void clear_velocities(const walker *w, double *x)
{
  const loopPath *path = &w->loop->path;
  for (int i = 0; i < path->nlink; i++) {
    const treeLink *link = &w->m->tree.link[path->link[i]];
    for (int k = link->v0; k < link->v0 + link->nv; k++) x[k] = 0;
  }
}


// move by a multiple of a displacement
static void move_path_links(const walker *w, double by, const double *displacement)
{
  const loopPath *path = &w->loop->path;
  double *step = w->loop->step;
  for (int i = 0; i < path->nlink; i++) {
    const treeLink *link = &w->m->tree.link[path->link[i]];
    for (int k = link->v0; k < link->v0 + link->nv; k++) step[k] = by * displacement[k];
    pose_move_link(link, w->d->q, step);
  }
}


//---- walks ---------------------------------------------------------------------------------------


// largest |phi| of the first `count` blocks of the walk
static double walked_blocks_gap(const walker *w, int count)
{
  ART_ASSERT(count <= w->loop->hold.walk_count);
  const struct loopWork *loop = w->loop;
  double most = 0;
  for (int i = 0; i < count; i++) {
    const loopBlock *block = &loop->blocks->block[loop->hold.walked[i]];
    for (int p = block->first; p < block->first + block->size; p++) {
      const double phi = fabs(loop->rows.phi[loop->blocks->row[p]]);
      if (!(phi <= most)) most = phi;
    }
  }
  return most;
}


// evaluate positions, rows and factors of all moving parts
static int find_path_rows(const walker *w)
{
  struct loopWork *loop = w->loop;
  const loopPath *path = &loop->path;
  const treeModel *t = &w->m->tree;
  treeData *tree = &w->d->work->tree;
  for (int i = 0; i < path->nlink; i++) {
    const int link = path->link[i];
    tree_place_some(t, tree, w->d->q, link, link + 1);
    tree_world_some(t, tree, link, link + 1);
    tree_axes_some(t, tree, link, link + 1);
  }
  for (int i = 0; i < path->ncut; i++) {
    rows_cut(w->m, w->d, &loop->rows, loop->kept, path->cut[i]);
  }
  for (int i = 0; i < path->nrelation; i++) {
    if (rows_relation(w->m, w->d, &loop->rows, path->relation[i], NULL) != ART_OK) return 0;
  }
  for (int i = 0; i < loop->hold.walk_count; i++) {
    blocks_factor_one(loop->blocks, loop->hold.walked[i], loop->rows.J.value);
  }
  return 1;
}


// dx/du of all moving parts into hold.move:  J_v dx/du = -J_u
static void find_tangent(const walker *w)
{
  struct loopWork *loop = w->loop;
  singularPath *hold = &loop->hold;
  const loopBlocks *blocks = loop->blocks;
  loopBlock *block = &loop->blocks->block[w->block];
  const int input = hold->input[w->block];
  for (int i = 0; i < hold->walk_count; i++) {
    const loopBlock *other = &blocks->block[hold->walked[i]];
    for (int p = other->first; p < other->first + other->size; p++) {
      hold->side[blocks->row[p]] = -matrix_at(&loop->rows.J, blocks->row[p], input);
    }
  }
  clear_velocities(w, hold->move);
  blocks_solve_some(loop->blocks, w->solved, hold->walked, hold->side, hold->move);
  for (int i = 0; i < block->size; i++) {
    block->slope[i] = hold->move[loop->blocks->column[block->first + i]];
  }
  hold->move[input] = 1;
}


// Solve the moving loops here to rounding error and find the tangent; 0 when that fails.
static int close_here(const walker *w)
{
  struct loopWork *loop = w->loop;
  double gap = INFINITY;
  for (int i = 0; i < MAX_ITERATIONS; i++) {
    if (!find_path_rows(w)) return 0;
    const double before = gap;
    gap = walked_blocks_gap(w, w->solved);
    if (!isfinite(gap)) return 0;
    if (gap == 0 || (gap < ROUNDING_VIOLATION && gap > 0.5 * before)) {
      find_tangent(w);
      return 1;
    }
    double *step = loop->hold.step;
    clear_velocities(w, step);
    blocks_solve_some(loop->blocks, w->solved, loop->hold.walked, loop->rows.phi, step);
    move_path_links(w, -1, step);
  }
  return 0;
}


// step along the tangent; the input becomes exactly `to`
static void move_straight(const walker *w, double by, double to)
{
  move_path_links(w, by, w->loop->hold.move);
  *walk_coordinate(w) = to;
}


// are the coordinates of the block within `by` of their prediction?
static int is_block_near_expected(const walker *w, double by)
{
  const loopBlocks *blocks = w->loop->blocks;
  const loopBlock *block = &blocks->block[w->block];
  const loopPlaces *places = &w->loop->places;
  const double *q = w->d->q, *expected = w->loop->hold.expected;
  for (int i = 0; i < block->size; i++) {
    const int column = blocks->column[block->first + i], at = places->place[column];
    double off, u[3];
    if (at >= 0) {
      off = fabs(q[at] - expected[at]);
    } else {
      const loopTurn *turn = &places->turn[places->turn_of[column]];
      turn_between(expected + turn->q, q + turn->q, u);
      off = fabs(u[column - turn->v]);
    }
    if (!(off <= by * fmax(1, fabs(block->slope[i])))) return 0;
  }
  return 1;
}


// Move the input to `to`, in steps short enough to stay on the branch.
static int walk_to(const walker *w, double to)
{
  struct loopWork *loop = w->loop;
  double step = to - *walk_coordinate(w);
  for (int halves = 0; *walk_coordinate(w) != to;) {
    const int is_last = fabs(step) >= fabs(to - *walk_coordinate(w));
    copy_positions(w, w->d->q, loop->hold.q);
    const double by = is_last ? to - *walk_coordinate(w) : step;
    move_straight(w, by, is_last ? to : *walk_coordinate(w) + step);
    copy_positions(w, w->d->q, loop->hold.expected);
    if (close_here(w) && is_block_near_expected(w, MAX_TANGENT_DEVIATION * fabs(step))) continue;
    if (halves++ == MAX_HALVES) return 0;
    copy_positions(w, loop->hold.q, w->d->q);
    step *= 0.5;
    if (!close_here(w)) return 0;
  }
  return 1;
}


//---- the singular position -----------------------------------------------------------------------


static double walk_scale(const walker *w)
{
  const struct loopWork *loop = w->loop;
  const loopBlocks *blocks = loop->blocks;
  const int input = loop->hold.input[w->block];
  double most = 0;
  for (int i = 0; i < loop->hold.walk_count; i++) {
    const loopBlock *block = &blocks->block[loop->hold.walked[i]];
    for (int p = block->first; p < block->first + block->size; p++) {
      most = max_nan(most, fabs(matrix_at(&loop->rows.J, blocks->row[p], input)));
    }
  }
  return fmin(1, loop->hold.size[w->block] / fmax(most, 1e-6 * loop->hold.size[w->block]));
}


// Move away first if the walk begins next to the singular position.
static int step_aside(walker *w)
{
  const double u = *walk_coordinate(w), sound = w->loop->hold.sound[w->block];
  if (walked_block_strength(w) > 0.02 * sound) return 1;
  return walk_to(w, u + 0.05 * w->scale) || walk_to(w, u - 0.05 * w->scale);
}


// Approach the singular position and extrapolate its place *middle from the last two determinants,
// which vanish there. *slope: of the strength.
static int find_middle(const walker *w, double *middle, double *slope)
{
  const double sound = w->loop->hold.sound[w->block];
  const loopBlock *block = &w->loop->blocks->block[w->block];
  double u = *walk_coordinate(w), det = blocks_determinant(block), weak = walked_block_strength(w);
  double step = 1e-3 * w->scale, left = INFINITY;
  for (int i = 0; i < MAX_WALKS; i++) {
    if (!walk_to(w, u + step)) return 0;
    const double now = blocks_determinant(block), before = left - step;
    const double fall = (walked_block_strength(w) - weak) / step;
    left = -now / ((now - det) / step);
    u = *walk_coordinate(w), det = now, weak = walked_block_strength(w);

    // The determinant may have a double zero, because rows of a planar loop in space can become
    // dependent where it folds. The strength, the smallest pivot, has a simple zero.
    const int is_double =
        nearbyint(-weak / fall / left) == 2 && weak < EXTRAPOLATION_STRENGTH * sound;
    if (is_double) left *= 2;
    *middle = u + left;
    *slope = walked_block_strength(w) / fabs(left);
    if (!(fabs(left) < 2 * w->scale)) return 0; // there is none near
    if (i > 0 && left * step < 0) return 0;     // it is behind, or the step has crossed it
    const int is_clear = fabs(left - before) < 0.1 * fabs(left);
    if (i > 0 && is_clear && walked_block_strength(w) < EXTRAPOLATION_STRENGTH * sound) return 1;
    step = (i == 0 ? 0.3 : 0.6) * left;
  }
  return 0;
}


//---- nodes ---------------------------------------------------------------------------------------


// move to the interpolation through the nodes so far
static void put_block_on_bridge(const walker *w, double at)
{
  const struct loopWork *loop = w->loop;
  const singularBridge *b = &loop->hold.bridge[w->block];
  const double to = b->middle + at * b->unit;
  move_straight(w, to - *walk_coordinate(w), to);
  singular_path_predict(&loop->hold, loop->blocks, w->block, at, w->d->q);
}


// add nodes from the outermost before to the outermost after the singular position
static int add_bridge_nodes(const walker *w, double ahead)
{
  struct loopWork *loop = w->loop;
  const singularBridge *b = &loop->hold.bridge[w->block];
  for (int i = 0; i < SINGULAR_NODES; i++) {
    const int is_behind = i >= SINGULAR_SIDE;
    const double at =
        is_behind ? ahead * away[i - SINGULAR_SIDE] : -ahead * away[SINGULAR_SIDE - 1 - i];
    if (i == SINGULAR_SIDE) {
      // cross the singular position
      put_block_on_bridge(w, at);
      copy_positions(w, w->d->q, loop->hold.expected);
      if (!close_here(w) || !is_block_near_expected(w, MAX_PREDICTION_ERROR * b->unit)) return 0;
    } else if (!walk_to(w, b->middle + at * b->unit)) {
      return 0;
    }
    singular_path_read(&loop->hold, loop->blocks, w->block, w->d->q);
    singular_path_add(&loop->hold, loop->blocks, w->block, at);
  }
  return 1;
}


// violation of the block's rows on its polynomials at `at`, with the blocks in between solved
static double gap_at(const walker *w, double at)
{
  put_block_on_bridge(w, at);
  walker between = *w;
  between.solved = w->solved - 1; // the block itself is the last
  const int is_closed = close_here(&between);
  const double gap = walked_blocks_gap(w, w->solved);
  return is_closed && isfinite(gap) ? gap : INFINITY;
}


static double largest_bridge_gap(const walker *w)
{
  return max_nan(gap_at(w, 0.5), max_nan(gap_at(w, 0), gap_at(w, -0.5)));
}


// Starts where the block was last not held. Returns 0 when there is no way across; *gap: violation
// on the bridge.
static int build_bridge(walker *w, double nearest, double *gap)
{
  struct loopWork *loop = w->loop;
  singularBridge *b = &loop->hold.bridge[w->block];
  double slope;
  *b = (singularBridge){.count = 0};
  *walk_coordinate(w) = loop->hold.from_u[w->block];
  for (int i = 0; i < loop->hold.walk_count; i++) {
    const int k = loop->hold.walked[i];
    if (loop->hold.input[k] < 0) continue;
    singular_path_go_back(&loop->hold, loop->blocks, k, w->d->q);
  }
  if (!close_here(w)) return 0;
  w->scale = walk_scale(w);
  if (!step_aside(w)) return 0;
  if (!find_middle(w, &b->middle, &slope)) return 0;
  b->unit = nearest * w->scale;
  b->window = fmin(HELD_WINDOW, SINGULAR_WEAK * loop->hold.sound[w->block] / (slope * b->unit));
  if (!add_bridge_nodes(w, b->middle > *walk_coordinate(w) ? 1 : -1)) return 0;
  *gap = largest_bridge_gap(w);
  return 1;
}


// build the block's bridge, exact or within MAX_ROUNDED_VIOLATION; 0 when there is none
static int build_best(walker *w, const double *q)
{
  struct loopWork *loop = w->loop;
  singularBridge *b = &loop->hold.bridge[w->block];
  double gap;
  for (int i = 0; i < MAX_TRIALS; i++) {
    copy_positions(w, q, w->d->q);
    if (!build_bridge(w, ldexp(NEAREST_NODE, -i), &gap)) continue;
    singular_path_shorten(&loop->hold, loop->blocks, w->block);
    if (largest_bridge_gap(w) < MAX_BRIDGE_VIOLATION) return 1;
  }

  // Lengths in the file are rounded by e: the branches part as e/s, and velocities jump by e/s^2 at
  // the ends of the bridge, so a longer bridge is better.
  for (int i = -1; i < 1; i++) {
    copy_positions(w, q, w->d->q);
    if (build_bridge(w, ldexp(NEAREST_NODE, -i), &b->gap))
      return b->gap < MAX_ROUNDED_VIOLATION * loop->hold.size[w->block];
  }
  return 0;
}


//---- all together --------------------------------------------------------------------------------


// Does the block have a bridge over the singular position near here? A failed bridge is tried again
// closer to it. Strength is proportional to the distance and equals the weak limit at the edge of
// the window, so a block weaker than that beyond the edge is near another singular position.
static int is_bridge_known(const struct loopWork *loop, int k, const double *q)
{
  const singularBridge *b = &loop->hold.bridge[k];
  const double strength = singular_path_strength(loop->blocks, k);
  const double w = fabs(q[loop->places.place[loop->hold.input[k]]] - b->middle) / b->unit;
  if (b->failed > 0) return strength > TRY_AGAIN * b->failed;
  if (b->count < SINGULAR_NODES || w > away[SINGULAR_SIDE - 1]) return 0;
  return w < WINDOW_MARGIN * b->window ||
         strength > OTHER_SINGULARITY_STRENGTH * SINGULAR_WEAK * loop->hold.sound[k];
}


int bridge_build(const artModel *m, artData *d)
{
  struct loopWork *loop = d->work->loop;
  double *q = loop->q_spare;
  int count = 0;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    const int is_needed = loop->hold.input[k] >= 0 &&
                          singular_path_is_weak(&loop->hold, loop->blocks, k) &&
                          !is_bridge_known(loop, k, d->q);
    loop->hold.is_needed[k] = (char) is_needed;
    count += is_needed;
  }
  if (count == 0) return 0;
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  singular_path_release(&loop->hold, loop->blocks);
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (!loop->hold.is_needed[k]) continue;
    walker w = start_bridge_walk(m, d, k);
    const int is_built = build_best(&w, q);
    copy_positions(&w, q, d->q);
    if (!find_path_rows(&w) || (is_built && is_bridge_known(loop, k, q))) continue;
    loop->hold.bridge[k] = (singularBridge){.failed = fmax(walked_block_strength(&w), DBL_MIN)};
  }
  data_place(m, d);
  return 1;
}


//---- search outside a run ------------------------------------------------------------------------


// search in one direction until the block is weak or cannot move on; *gap as below
static int look_on_for_weak(walker *w, double step, double *gap)
{
  struct loopWork *loop = w->loop;
  for (double way = 0; way < SEARCH_RANGE; way += fabs(step)) {
    if (!walk_to(w, *walk_coordinate(w) + step * w->scale)) return 0;
    if (!singular_path_is_weak(&loop->hold, loop->blocks, w->block)) {
      singular_path_remember_walk(&loop->hold, loop->blocks, w->d->q);
      continue;
    }
    copy_positions(w, w->d->q, loop->q_spare);
    const int is_bridge = build_best(w, loop->q_spare);
    *gap = loop->hold.bridge[w->block].gap;
    return is_bridge && *gap > 0;
  }
  return 0;
}


artStatus bridge_look(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  memcpy(d->q, loop->q_chosen, (size_t) m->tree.nq * sizeof *d->q);
  data_place(m, d);
  return loop_rows(m, d, loop->kept, error);
}


int bridge_is_rounded(const artModel *m, artData *d, int k, double *gap)
{
  struct loopWork *loop = d->work->loop;
  int found = 0;
  if (loop->hold.input[k] < 0) return 0;
  walker w = start_bridge_walk(m, d, k);
  for (int side = -1; side <= 1 && !found; side += 2) {
    copy_positions(&w, loop->q_chosen, d->q);
    if (!close_here(&w)) break;
    w.scale = walk_scale(&w);
    found = look_on_for_weak(&w, side * 0.05, gap);
  }
  copy_positions(&w, loop->q_chosen, d->q);
  return find_path_rows(&w) && found;
}
