// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Choice of the independent coordinates at a position, and a new choice during a run when the
// present one has become ill-conditioned or steep.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/numbers.h"
#include "data/place.h"
#include "loop/loop.h"
#include "loop/singular_path.h"

enum { SAMPLES = 3 };

// a partition is reconsidered when its smallest pivot falls to this fraction of its initial value
#define WEAK_PIVOT 0.2

// after an attempt without improvement, try again when the strength has fallen to this fraction
#define TRY_AGAIN 0.25

// a row counts as vanishing where its largest entry is this fraction of its size nearby
#define VANISHING_ROW 0.125

// A block whose strength is below the first fraction of its sound strength is at a singular
// position. Below the second fraction rows become dependent: do not choose coordinates there, but
// before or after.
#define SINGULAR_STRENGTH  3e-4
#define RANK_LOSS_STRENGTH 1e-5

// A partition is also reconsidered when the largest |B| has grown by the first factor, because that
// raises the error of explicit methods. The new partition must reduce it by the second factor.
#define STEEPNESS_LIMIT 1.5
#define STEEPNESS_GAIN  0.8

//---- choice at a position ------------------------------------------------------------------------


// A road that is level nearby has slopes elsewhere: every coordinate that moves one side may be in its row.
static void fill_roads(const artModel *m, struct loopWork *loop)
{
  const loopMatrix *J = &loop->rows.J;
  for (int i = 0; i < m->nroll; i++) {
    const modelCut *cut = &m->cut[m->roll[i].cut];
    if (cut->on.shape != ROLL_ON_ROAD) continue;
    for (int e = J->start[cut->row0]; e < J->start[cut->row0 + 1]; e++) loop->pattern[e] = true;
  }
}


// find the entries of J that can be nonzero: evaluate J here and at a few positions nearby
static artStatus find_jacobian_pattern(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const size_t nq = (size_t) m->tree.nq;
  const loopMatrix *J = &loop->rows.J;
  double *q = loop->q_chosen;
  memcpy(q, d->q, nq * sizeof *q);
  memset(loop->pattern, 0, (size_t) matrix_count(J) * sizeof *loop->pattern);
  memset(loop->row_size, 0, (size_t) m->nrow * sizeof *loop->row_size);

  unsigned seed = 7;
  artStatus status = ART_OK;
  for (int sample = 0; sample < SAMPLES && status == ART_OK; sample++) {
    for (int k = 0; k < m->tree.nv; k++) loop->step[k] = 0.4 * base_scatter(&seed);
    art_move(m, d->q, loop->step);
    data_place(m, d);
    status = loop_rows(m, d, NULL, error);
    for (int i = 0; i < J->m; i++) {
      double *size = &loop->row_size[i];
      for (int e = J->start[i]; e < J->start[i + 1]; e++) {
        if (fabs(J->value[e]) > 1e-12) loop->pattern[e] = true;
        *size = max_nan(*size, fabs(J->value[e]));
      }
    }
    memcpy(d->q, q, nq * sizeof *q);
  }
  fill_roads(m, loop);
  data_place(m, d);
  return status;
}


// If a row depends on one component of an orientation, count it as depending on all three: they
// then belong to one block, which can be held.
static void fill_turns(struct loopWork *loop)
{
  const loopPlaces *places = &loop->places;
  const loopMatrix *J = &loop->rows.J;
  for (int i = 0; i < J->m; i++) {
    for (int e = J->start[i]; e < J->start[i + 1]; e++) {
      const int turn = places->turn_of[J->column[e]];
      if (turn < 0 || !loop->pattern[e]) continue;
      for (int v = places->turn[turn].v; v < places->turn[turn].v + 3; v++) {
        const int other = matrix_find(J, i, v);
        if (other >= 0 && !places->is_idle[v]) loop->pattern[other] = true;
      }
    }
  }
}


// Near singular positions some rows of a block almost vanish. Scale them by their size nearby, but
// not beyond the largest row of the block.
static void scale_rows(struct loopWork *loop)
{
  loopPartition *p = &loop->partition;
  for (int b = 0; b < p->block_count; b++) {
    const int first = p->block_start[b], end = p->block_start[b + 1];
    double most = 0;
    for (int i = first; i < end; i++) most = max_nan(most, p->scale[p->block_row[i]]);
    for (int i = first; i < end; i++) {
      const int r = p->block_row[i];
      const double size = fmin(loop->row_size[r], most);
      if (p->scale[r] > VANISHING_ROW * size) continue;
      while (p->scale[r] < size) p->scale[r] *= 2;
    }
  }
}


static artStatus choose_coordinates(struct loopWork *loop, artError *error)
{
  memSource *keep = stack_source(loop->reserve.kept[loop->reserve.turn]);

  // of redundant rows, as in a planar loop in space, others may be better conditioned than the
  // first ones
  artStatus status = loop->choice == LOOP_NUMERIC
                         ? rank_find_within(&loop->rank, &loop->rows.J, loop->driven,
                                            LOOP_RANK_TOLERANCE, keep, error)
                         : rank_find(&loop->rank, &loop->rows.J, loop->driven, keep, error);
  if (status != ART_OK) return status;
  const partitionRequest request = {.J = &loop->rows.J,
                                    .pattern = loop->pattern,
                                    .driven = loop->driven,
                                    .idle = loop->places.is_idle,
                                    .rank = &loop->rank,
                                    .choice = loop->choice,
                                    .prefer = loop->prefer,
                                    .hand_count = loop->hand_count,
                                    .hand = loop->hand,
                                    .name = loop->name,
                                    .place = loop->hand_place,
                                    .flat = true,
                                    .keep = keep};
  loop->is_ready = 1;
  loop->blocks = NULL;
  status = partition_find(&loop->partition, &request, error);
  if (status == ART_OK) {
    scale_rows(loop);
    status =
        blocks_create(&loop->blocks, &loop->partition, &loop->rows.J, loop->pattern, keep, error);
  }
  if (status != ART_OK) loop_forget_partition(loop);
  return status;
}


// largest |B|, after blocks_couple: how much faster dependent coordinates move than independent
// ones
static double steepness_of(const struct loopWork *loop)
{
  double most = 0;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    const loopBlock *block = &loop->blocks->block[k];
    for (int i = 0; i < block->size; i++) {
      const double *B = block->B + (long) i * block->reach_count;
      for (int e = 0; e < block->free_count; e++) most = max_nan(most, fabs(B[e]));
    }
  }
  return most;
}


static artStatus partition_once(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  loop_forget_partition(loop);
  loop->is_closed = 0;
  artStatus status = find_jacobian_pattern(m, d, error);
  if (loop->prefer) fill_turns(loop);
  if (status == ART_OK) status = loop_rows(m, d, NULL, error);
  if (status == ART_OK) {
    memSource *outer = mem_use(stack_source(loop->reserve.scratch));
    status = choose_coordinates(loop, error);
    mem_use(outer);
  }
  if (status != ART_OK) return status;

  loop_mark_kept(m, loop);
  loop->pivot = loop_factor(loop);
  loop->pivot_start = max_nan(loop->pivot_start, loop->pivot);
  blocks_couple(loop->blocks);
  loop->steep_limit = STEEPNESS_LIMIT * fmax(1, steepness_of(loop));
  loop->serial = ++loop->partitions;
  const loopMatrix *J = &loop->rows.J;
  const size_t entries = (size_t) matrix_count(J);
  loop->J_chosen = arena_copy(&loop->blocks->memory, J->value, entries, sizeof *J->value);
  loop->order_chosen = NULL;
  if (loop->prefer) {
    loop->order_chosen = arena_copy(&loop->blocks->memory, loop->prefer, (size_t) m->tree.nv, 1);
    if (!loop->order_chosen) return base_no_memory(error);
  }
  if (!loop->J_chosen || !singular_path_start(&loop->hold, loop->blocks, &loop->places,
                                              loop->row_size, d->q, m->tree.nq, J)) {
    return base_no_memory(error);
  }
  loop_mark_bridged(m, loop);
  return ART_OK;
}


// the dependent coordinate of the blocks listed in hold.walked that an independent velocity moves
// fastest, -1: none
static int fastest_block_follower(const struct loopWork *loop, int leader)
{
  const loopBlocks *blocks = loop->blocks;
  int best = -1;
  double most = 0;
  for (int i = 0; i < loop->hold.walk_count; i++) {
    const loopBlock *block = &blocks->block[loop->hold.walked[i]];
    for (int p = block->first; p < block->first + block->size; p++) {
      const double *B = blocks_B_row(blocks, p);
      for (int e = 0; e < block->reach_count && loop->places.place[blocks->column[p]] >= 0; e++) {
        if (blocks->column_u[block->reach[e]] != leader || !(fabs(B[e]) > most)) continue;
        most = fabs(B[e]);
        best = blocks->column[p];
      }
    }
  }
  return best;
}


// A block that depends on a single velocity cannot be held if that velocity belongs to an
// orientation, or if several blocks share it. Returns whether there are such blocks. Writes into
// loop->order the present choice, except that the fastest follower of the first of these velocities
// is preferred as independent.
static int order_turns(const artModel *m, struct loopWork *loop)
{
  int is_found = 0;
  for (int j = 0; j < m->tree.nv; j++) loop->order[j] = loop->blocks->position[j] >= 0 ? 0 : 2;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    const int input =
        loop->hold.input[k] < 0 ? singular_path_find_input(&loop->hold, loop->blocks, k) : -1;
    if (input < 0) continue;
    is_found = 1;
    const int follower = loop->places.place[input] < 0 ? fastest_block_follower(loop, input) : -1;
    if (follower < 0 || loop->order[input] == 0) continue;
    loop->order[input] = 0;
    loop->order[follower] = 2;
  }
  return is_found;
}


static int count_held_inputs(const struct loopWork *loop)
{
  int count = 0;
  for (int p = 0; p < loop->blocks->nd; p++)
    count += loop->hold.input[loop->blocks->block_of[p]] >= 0;
  return count;
}


artStatus loop_partition(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  ART_ASSERT(loop);
  const loopChoice choice = loop->choice;
  const artStatus status = partition_once(m, d, error);
  if (status != ART_OK || loop->prefer || !order_turns(m, loop)) return status;
  const int before = count_held_inputs(loop);
  loop->choice = LOOP_NUMERIC;
  loop->prefer = loop->order;
  const int is_better = partition_once(m, d, NULL) == ART_OK && count_held_inputs(loop) > before;
  loop->prefer = NULL;
  if (is_better) return ART_OK;
  loop->choice = choice;
  return partition_once(m, d, error);
}


//---- strength ------------------------------------------------------------------------------------


// least strength of the blocks that are not held
static double least_strength(const struct loopWork *loop)
{
  double least = INFINITY;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (!loop->blocks->block[k].is_held)
      least = min_nan(least, singular_path_strength(loop->blocks, k));
  }
  return least;
}


int loop_is_strong(const struct loopWork *loop, double strength)
{
  return strength > WEAK_PIVOT * loop->pivot_start;
}


int loop_is_sound(const struct loopWork *loop)
{
  // without dependent coordinates there is no pivot
  return loop->is_ready && (loop->partition.nd == 0 || loop_is_strong(loop, least_strength(loop)));
}


// is a weak block not holdable because it depends on several coordinates?
static int is_stuck(const struct loopWork *loop, int k)
{
  return loop->hold.input[k] < 0 && singular_path_is_weak(&loop->hold, loop->blocks, k);
}


int loop_weak(const struct loopWork *loop)
{
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (is_stuck(loop, k)) return k;
  }
  return -1;
}


static int count_stuck(const struct loopWork *loop)
{
  int count = 0;
  for (int k = 0; k < loop->blocks->block_count; k++) count += is_stuck(loop, k);
  return count;
}


// a block with less than this fraction of its sound strength, -1: none
static int find_weaker(const struct loopWork *loop, double part, int with_held)
{
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (loop->blocks->block[k].is_held && !with_held) continue;
    if (singular_path_strength(loop->blocks, k) < part * loop->hold.sound[k]) return k;
  }
  return -1;
}


int loop_stuck(const struct loopWork *loop)
{
  return find_weaker(loop, SINGULAR_STRENGTH, 0);
}


//---- change of the choice ------------------------------------------------------------------------


// the input for a loop with one degree of freedom: a drive, or the fastest coordinate
static int fastest_loop_input(const struct loopWork *loop, const char *is_column, const double *v,
                              int nv)
{
  int best = -1;
  for (int j = 0; j < nv; j++) {
    if (!is_column[j] || loop->places.place[j] < 0) continue;
    if (best < 0 || loop->driven[j] || fabs(v[j]) > fabs(v[best])) best = j;
    if (loop->driven[j]) break;
  }
  return best;
}


// Do the rows of this cut depend on exactly one coordinate more than there are rows, not counting
// idle spins? Then the loop has one degree of freedom, and is a block of its own once that
// coordinate is known. Marks its columns.
static int is_single(const artModel *m, const struct loopWork *loop, const modelCut *cut,
                     char *is_column)
{
  const loopMatrix *J = &loop->rows.J;
  int rows = 0, columns = 0;
  memset(is_column, 0, (size_t) m->tree.nv);
  for (int r = cut->row0; r < cut->row0 + cut->nrow; r++) {
    if (!loop->keep[r]) continue;
    rows++;
    for (int e = J->start[r]; e < J->start[r + 1]; e++) {
      const int j = J->column[e];
      if (!loop->pattern[e] || is_column[j] || loop->places.is_idle[j]) continue;
      is_column[j] = 1;
      columns++;
    }
  }
  return rows > 0 && columns == rows + 1;
}


// Keep the coordinates of held blocks dependent. Loops with one degree of freedom that share a weak
// block with others: prefer to keep their coordinates dependent and their inputs free. Returns
// whether there are such loops.
static int order_choice_columns(const artModel *m, const artData *d, struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  char *mark = (char *) loop->hold.move; // has space for nv numbers
  int is_lumped = 0;
  memset(loop->order, 1, (size_t) m->tree.nv);
  for (int p = 0; p < blocks->nd; p++) {
    if (blocks_block(blocks, p)->is_held) loop->order[blocks->column[p]] = 0;
  }
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    int has_stuck = 0;
    for (int r = cut->row0; r < cut->row0 + cut->nrow; r++) {
      const int k = blocks->block_of_row[r];
      has_stuck |= k >= 0 && is_stuck(loop, k);
    }
    if (!has_stuck || !is_single(m, loop, cut, mark)) continue;
    const int input = fastest_loop_input(loop, mark, d->v, m->tree.nv);
    for (int j = 0; j < m->tree.nv; j++) {
      if (mark[j] && loop->order[j] == 1) loop->order[j] = j == input ? 2 : 0;
    }
    is_lumped = 1;
  }
  return is_lumped;
}


typedef struct quality {
  double strength, steepness; // strength of blocks that are not held; steepness of all blocks
  int is_steep, stuck;        // is_steep; number of stuck blocks
} quality;


// Is a numeric choice better than the old one? Blocks that were held must remain held.
static int is_choice_better(struct loopWork *loop, const struct loopWork *old,
                            const quality *before, double *q)
{
  carry_over(&loop->hold, loop->blocks, &old->hold, old->blocks);
  if (singular_path_choose(&loop->hold, loop->blocks, q) < old->hold.held) return 0;
  if (count_stuck(loop) < before->stuck) return 1;
  const double strength = least_strength(loop);
  blocks_couple(loop->blocks);
  return strength > 2 * before->strength ||
         (before->is_steep && strength > 0.5 * before->strength &&
          steepness_of(loop) < STEEPNESS_GAIN * before->steepness);
}


artStatus loop_watch(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  ART_ASSERT(loop);
  if (!loop->is_ready) return loop_partition(m, d, error);
  const double steepness = steepness_of(loop);
  const int is_steep = loop->choice != LOOP_BY_HAND && steepness > loop->steep_limit;
  const int is_sound = loop_is_sound(loop);
  const quality before = {least_strength(loop), steepness, is_steep, count_stuck(loop)};
  if (is_sound) loop->tried = 0;
  if (loop->tried > 0 && before.strength > loop->tried && isfinite(before.strength)) {
    loop->tried = before.strength;
  }
  const int has_tried = before.strength > TRY_AGAIN * loop->tried;
  if (!is_steep && (is_sound || (loop->tried > 0 && has_tried))) return ART_OK;
  if (find_weaker(loop, RANK_LOSS_STRENGTH, 1) >= 0) return ART_OK;

  // strength is falling: other coordinates may be better, unless the position itself is singular
  loop->tried = before.strength;
  const int is_lumped = order_choice_columns(m, d, loop);
  struct loopWork old = *loop;
  loop->q_chosen = old.q_spare;
  loop->reserve.turn = !old.reserve.turn;
  loop->is_ready = 0;
  loop->choice = LOOP_NUMERIC;
  loop->prefer = old.hold.held > 0 || is_lumped ? loop->order : NULL;
  const artStatus status = loop_partition(m, d, NULL);
  loop->prefer = NULL;
  if (status == ART_OK && is_choice_better(loop, &old, &before, d->q)) {
    loop->q_spare = old.q_chosen;
    loop_forget_partition(&old);
    loop->repartitions++;
    loop->tried = 0;
    return ART_OK;
  }

  // restore everything except the counters of partitions
  loop_forget_partition(loop);
  old.partitions = loop->partitions;
  old.is_closed = loop->is_closed;
  *loop = old;
  loop_mark_kept(m, loop);
  loop_mark_bridged(m, loop);
  if (is_steep) loop->steep_limit = 2 * steepness;
  return status == ART_NO_MEMORY ? base_no_memory(error) : ART_OK;
}
