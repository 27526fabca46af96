// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops at work: partition of the coordinates, dependent positions and velocities.
#include "loop/loop.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "data/place.h"
#include "loop/singular_path_partition.h"
#include "model/study_def.h"

enum { SAMPLES = 3 };

// a partition is given up when its smallest pivot has fallen to this part of what it was
#define WEAK_PIVOT 0.2

// another choice that was of no use is tried again when it has fallen to this part of what it was then
#define TRY_AGAIN 0.25

// a row has all but vanished where its largest entry is this part of what it is nearby
#define VANISHED 0.125

// a block this weak, in parts of what is sound, is in a singular position
#define NOTHING_LEFT 3e-4

// and tried to be given up when the dependent coordinates have become faster by the first factor, which
// raises the error of explicit methods; the next one must be flatter by the second
#define STEEPER 1.5
#define FLATTER 0.8

//---- life ----------------------------------------------------------------------------------------


static int take_path(loopPath *path, const artModel *m, baseArena *a)
{
  const size_t n = (size_t) m->tree.n, ncut = (size_t) m->ncut, nrelation = (size_t) m->nrelation;
  path->link = arena_alloc(a, n, sizeof *path->link);
  path->cut = arena_alloc(a, ncut + 1, sizeof *path->cut);
  path->relation = arena_alloc(a, nrelation + 1, sizeof *path->relation);
  path->is_link = arena_alloc(a, n, 1);
  path->is_tie = arena_alloc(a, ncut + nrelation, 1);
  path->tie = arena_alloc(a, (size_t) m->nrow, sizeof *path->tie);
  if (!path->link || !path->cut || !path->relation || !path->is_link || !path->is_tie ||
      !path->tie) {
    return 0;
  }
  for (int c = 0; c < m->ncut; c++) {
    for (int k = 0; k < m->cut[c].nrow; k++) path->tie[m->cut[c].row0 + k] = c;
  }
  for (int i = 0; i < m->nrelation; i++) path->tie[m->relation[i].row] = m->ncut + i;
  return 1;
}


int loop_start(struct loopWork **out, const artModel *m)
{
  const size_t nv = (size_t) m->tree.nv, nrow = (size_t) m->nrow;
  struct loopWork *loop = mem_alloc(1, sizeof *loop);
  *out = loop;
  if (!loop) return 0;
  baseArena *a = &loop->memory;
  const int taken =
      rows_start(&loop->rows, m, a) && take_path(&loop->path, m, a) &&
      (loop->pattern =
           arena_alloc(a, (size_t) matrix_count(&loop->rows.J) + 1, sizeof *loop->pattern)) &&
      (loop->driven = arena_alloc(a, nv, sizeof *loop->driven)) &&
      (loop->keep = arena_alloc(a, nrow, 1)) &&
      (loop->kept = arena_alloc(a, (size_t) m->ncut, sizeof *loop->kept)) &&
      (loop->step = arena_alloc(a, nv, sizeof *loop->step)) &&
      (loop->q_rough = arena_alloc(a, (size_t) m->tree.nq, sizeof(double))) &&
      (loop->q_closed = arena_alloc(a, (size_t) m->tree.nq, sizeof(double))) &&
      (loop->v_rough = arena_alloc(a, nv, sizeof *loop->v_rough)) &&
      (loop->v_closed = arena_alloc(a, nv, sizeof *loop->v_closed)) &&
      (loop->row_size = arena_alloc(a, nrow, sizeof *loop->row_size)) &&
      (loop->order = arena_alloc(a, nv, 1)) &&
      (loop->hand = arena_alloc(a, nv, sizeof *loop->hand)) &&
      (loop->name = arena_alloc(a, nv, sizeof *loop->name)) &&
      (loop->q_chosen = arena_alloc(a, (size_t) m->tree.nq, sizeof(double))) &&
      (loop->q_spare = arena_alloc(a, (size_t) m->tree.nq, sizeof(double))) &&
      (loop->right = arena_alloc(a, nv, sizeof *loop->right)) && places_start(&loop->places, m, a);
  if (!taken) {
    loop_free(loop);
    *out = NULL;
    return 0;
  }
  for (int k = 0; k < m->ndrive; k++) loop->driven[m->drive[k].velocity] = true;
  for (int k = 0; k < m->tree.nv; k++) {
    const int q = m->velocity[k].partner;
    loop->name[k] = q >= 0 ? m->position[q].name : m->velocity[k].name;
  }
  return 1;
}


static void forget_partition(struct loopWork *loop)
{
  if (!loop->is_ready) return;
  blocks_free(loop->blocks);
  partition_free(&loop->partition);
  rank_free(&loop->rank);
  loop->blocks = NULL;
  loop->is_ready = 0;
}


void loop_free(struct loopWork *loop)
{
  if (!loop) return;
  forget_partition(loop);
  arena_free(&loop->memory);
  mem_free(loop);
}


//---- positions -----------------------------------------------------------------------------------


artStatus loop_gap(const artModel *m, artData *d, double *gap, artError *error)
{
  loopRows *rows = &d->work->loop->rows;
  const artStatus status = rows_positions(m, d, rows, NULL, error);
  *gap = base_largest(m->nrow, rows->phi);
  return status;
}


artStatus loop_jacobian(const artModel *m, artData *d, const loopKept *kept, artError *error)
{
  tree_axes(&m->tree, &d->work->tree);
  return rows_jacobian(m, d, &d->work->loop->rows, kept, error);
}


//---- partition -----------------------------------------------------------------------------------


// entries that are ever used: look at J here and at a few places nearby
static artStatus find_pattern(const artModel *m, artData *d, artError *error)
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
    status = rows_positions(m, d, &loop->rows, NULL, error);
    if (status == ART_OK) status = loop_jacobian(m, d, NULL, error);
    for (int i = 0; i < J->m; i++) {
      double *size = &loop->row_size[i];
      for (int e = J->start[i]; e < J->start[i + 1]; e++) {
        if (fabs(J->value[e]) > 1e-12) loop->pattern[e] = true;
        *size = base_larger(*size, fabs(J->value[e]));
      }
    }
    memcpy(d->q, q, nq * sizeof *q);
  }
  data_place(m, d);
  return status;
}


// Rows that depend on one component of an orientation count as depending on all that it determines: they come into one
// block then, which can be held.
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


// Next to singular positions some rows of a block all but vanish: they are measured by what they are nearby,
// as far as the others are as large.
static void scale_rows(struct loopWork *loop)
{
  loopPartition *p = &loop->partition;
  for (int b = 0; b < p->block_count; b++) {
    const int first = p->block_start[b], end = p->block_start[b + 1];
    double most = 0;
    for (int i = first; i < end; i++) most = base_larger(most, p->scale[p->block_row[i]]);
    for (int i = first; i < end; i++) {
      const int r = p->block_row[i];
      const double size = fmin(loop->row_size[r], most);
      if (p->scale[r] > VANISHED * size) continue;
      while (p->scale[r] < size) p->scale[r] *= 2;
    }
  }
}


static artStatus choose(struct loopWork *loop, artError *error)
{
  // of redundant rows, as a planar loop in space has them, others may be better conditioned than the first
  artStatus status =
      loop->choice == LOOP_NUMERIC
          ? rank_find_within(&loop->rank, &loop->rows.J, loop->driven, LOOP_RANK_TOLERANCE, error)
          : rank_find(&loop->rank, &loop->rows.J, loop->driven, error);
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
                                    .flat = true};
  status = partition_find(&loop->partition, &request, error);
  if (status != ART_OK) {
    rank_free(&loop->rank);
    return status;
  }
  scale_rows(loop);
  status = blocks_create(&loop->blocks, &loop->partition, &loop->rows.J, loop->pattern, error);
  if (status != ART_OK) {
    partition_free(&loop->partition);
    rank_free(&loop->rank);
    return status;
  }
  loop->is_ready = 1;
  return ART_OK;
}


double loop_factor(struct loopWork *loop)
{
  double least = INFINITY;
  blocks_factor(loop->blocks, loop->rows.J.value);
  for (int k = 0; k < loop->blocks->block_count; k++) {
    least = base_smaller(least, hold_strength(loop->blocks, k));
  }
  return least;
}


// which rows are kept
static void mark_kept(const artModel *m, struct loopWork *loop)
{
  memset(loop->keep, 0, (size_t) m->nrow);
  for (int i = 0; i < loop->partition.nd; i++) loop->keep[loop->partition.row[i]] = 1;
  rows_select(m, loop->redundant == ART_REDUNDANT_DROP ? loop->keep : NULL, loop->kept);
}


void loop_set_redundant(const artModel *m, struct loopWork *loop, artRedundant redundant)
{
  if (loop->redundant == redundant) return;
  loop->redundant = redundant;
  loop->is_closed = loop->has_stayed = 0;
  if (loop->is_ready) mark_kept(m, loop);
}


double loop_steepness(const struct loopWork *loop)
{
  double most = 0;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    const loopBlock *block = &loop->blocks->block[k];
    for (int e = 0; e < block->size * block->reach_count; e++) {
      if (e % block->reach_count < block->free_count) most = base_larger(most, fabs(block->B[e]));
    }
  }
  return most;
}


static artStatus partition_once(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  forget_partition(loop);
  loop->is_closed = 0;
  artStatus status = find_pattern(m, d, error);
  if (loop->prefer) fill_turns(loop);
  if (status == ART_OK) status = rows_positions(m, d, &loop->rows, NULL, error);
  if (status == ART_OK) status = loop_jacobian(m, d, NULL, error);
  if (status == ART_OK) status = choose(loop, error);
  if (status != ART_OK) return status;

  mark_kept(m, loop);
  loop->pivot = loop_factor(loop);
  loop->pivot_start = base_larger(loop->pivot_start, loop->pivot);
  blocks_couple(loop->blocks);
  loop->steep_limit = STEEPER * fmax(1, loop_steepness(loop));
  loop->serial = ++loop->partitions;
  const loopMatrix *J = &loop->rows.J;
  const size_t entries = (size_t) matrix_count(J);
  loop->J_chosen = arena_copy(&loop->blocks->memory, J->value, entries, sizeof *J->value);
  loop->order_chosen = NULL;
  if (loop->prefer) {
    loop->order_chosen = arena_copy(&loop->blocks->memory, loop->prefer, (size_t) m->tree.nv, 1);
    if (!loop->order_chosen) return base_no_memory(error);
  }
  if (!loop->J_chosen ||
      !hold_start(&loop->hold, loop->blocks, &loop->places, loop->row_size, d->q, m->tree.nq, J)) {
    return base_no_memory(error);
  }
  return ART_OK;
}


// the dependent coordinate of the blocks listed in hold.walked that an independent velocity moves fastest, -1: none
static int fastest_follower(const struct loopWork *loop, int leader)
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


// Blocks that depend on one velocity alone cannot be held when that turns an orientation, or when they share one with others.
// Returns whether there are such; the order is that of the present choice, with a coordinate for the first of these velocities.
static int order_turns(const artModel *m, struct loopWork *loop)
{
  int is_found = 0;
  for (int j = 0; j < m->tree.nv; j++) loop->order[j] = loop->blocks->position[j] >= 0 ? 0 : 2;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    const int input = loop->hold.input[k] < 0 ? hold_find_input(&loop->hold, loop->blocks, k) : -1;
    if (input < 0) continue;
    is_found = 1;
    const int follower = loop->places.place[input] < 0 ? fastest_follower(loop, input) : -1;
    if (follower < 0 || loop->order[input] == 0) continue;
    loop->order[input] = 0;
    loop->order[follower] = 2;
  }
  return is_found;
}


static int count_inputs(const struct loopWork *loop)
{
  int count = 0;
  for (int p = 0; p < loop->blocks->nd; p++)
    count += loop->hold.input[loop->blocks->block_of[p]] >= 0;
  return count;
}


artStatus loop_partition(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const loopChoice choice = loop->choice;
  const artStatus status = partition_once(m, d, error);
  if (status != ART_OK || loop->prefer || !order_turns(m, loop)) return status;
  const int before = count_inputs(loop);
  loop->choice = LOOP_NUMERIC;
  loop->prefer = loop->order;
  const int is_better = partition_once(m, d, NULL) == ART_OK && count_inputs(loop) > before;
  loop->prefer = NULL;
  if (is_better) return ART_OK;
  loop->choice = choice;
  return partition_once(m, d, error);
}


void loop_forget(struct loopWork *loop)
{
  forget_partition(loop);
  loop_reset(loop);
  loop->is_closed = loop->has_stayed = 0;
}


void loop_ask(struct loopWork *loop, loopChoice choice, artPlace place)
{
  loop->asked = choice;
  loop->hand_place = place;
  if (choice != LOOP_BY_HAND) loop->hand_count = 0;
}


// where a study of the file names the coordinates
static artPlace place_of_hand(const artModel *m, const char *independent)
{
  for (int i = 0; i < m->nstudy; i++) {
    if (m->study[i].def.type == ART_RUN && m->study[i].def.run.independent == independent)
      return m->study[i].hand;
  }
  return base_nowhere();
}


artStatus loop_ask_for(const artModel *m, struct loopWork *loop, artPartition partition,
                       const char *independent, artError *error)
{
  const int by_hand = model_has_names(independent);
  const artPlace place = by_hand ? place_of_hand(m, independent) : base_nowhere();
  const int pivots = partition == ART_PARTITION_PIVOTING;
  loop_ask(loop, by_hand ? LOOP_BY_HAND : pivots ? LOOP_NUMERIC : LOOP_SYMBOLIC, place);
  if (!by_hand) return ART_OK;
  return model_find_independent(m, independent, place, loop->hand, &loop->hand_count, error);
}


void loop_reset(struct loopWork *loop)
{
  loop->choice = loop->asked;
  loop->prefer = NULL;
  loop->pivot_start = 0;
  loop->tried = 0;
  loop->repartitions = 0;
}


// least strength of the blocks that are not held
static double least_strength(const struct loopWork *loop)
{
  double least = INFINITY;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (!loop->blocks->block[k].is_held)
      least = base_smaller(least, hold_strength(loop->blocks, k));
  }
  return least;
}


int loop_is_sound(const struct loopWork *loop)
{
  return loop->is_ready && least_strength(loop) > WEAK_PIVOT * loop->pivot_start;
}


// everything that a partition consists of
typedef struct chosen {
  loopRank rank;
  loopPartition partition;
  loopBlocks *blocks;
  loopHold hold;
  double pivot_start, pivot, steep_limit;
  double *q_chosen, *J_chosen;
  char *order_chosen;
  long serial;
  loopChoice choice;
} chosen;


static chosen put_aside(struct loopWork *loop)
{
  const chosen c = {.rank = loop->rank,
                    .partition = loop->partition,
                    .blocks = loop->blocks,
                    .hold = loop->hold,
                    .pivot_start = loop->pivot_start,
                    .pivot = loop->pivot,
                    .steep_limit = loop->steep_limit,
                    .q_chosen = loop->q_chosen,
                    .J_chosen = loop->J_chosen,
                    .order_chosen = loop->order_chosen,
                    .serial = loop->serial,
                    .choice = loop->choice};
  loop->q_chosen = loop->q_spare;
  loop->is_ready = 0;
  return c;
}


static void take_back(const artModel *m, struct loopWork *loop, const chosen *c)
{
  loop->rank = c->rank;
  loop->partition = c->partition;
  loop->blocks = c->blocks;
  loop->hold = c->hold;
  loop->pivot_start = c->pivot_start;
  loop->pivot = c->pivot;
  loop->steep_limit = c->steep_limit;
  loop->q_chosen = c->q_chosen;
  loop->J_chosen = c->J_chosen;
  loop->order_chosen = c->order_chosen;
  loop->serial = c->serial;
  loop->choice = c->choice;
  loop->is_ready = 1;
  mark_kept(m, loop);
}


//---- another choice ------------------------------------------------------------------------------


// the input of a loop of its own: a drive, or the coordinate that moves fastest
static int fastest(const struct loopWork *loop, const char *is_column, const double *v, int nv)
{
  int best = -1;
  for (int j = 0; j < nv; j++) {
    if (!is_column[j] || loop->places.place[j] < 0) continue;
    if (best < 0 || loop->driven[j] || fabs(v[j]) > fabs(v[best])) best = j;
    if (loop->driven[j]) break;
  }
  return best;
}


// Rows of one cut that depend on one coordinate more than they are, idle spins apart: a loop with one way to move, which is
// a block of its own where that coordinate is known. Marks columns; returns whether it is one.
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


// a weak block that cannot be held, for it depends on several coordinates
static int is_stuck(const struct loopWork *loop, int k)
{
  return loop->hold.input[k] < 0 && hold_is_weak(&loop->hold, loop->blocks, k);
}


// do rows of a cut stand in such a block?
static int is_stuck_cut(const struct loopWork *loop, const modelCut *cut)
{
  int is_there = 0;
  for (int r = cut->row0; r < cut->row0 + cut->nrow; r++) {
    const int k = loop->blocks->block_of_row[r];
    is_there |= k >= 0 && is_stuck(loop, k);
  }
  return is_there;
}


// Coordinates of held blocks stay dependent. Coordinates of loops with one degree of freedom that share a weak
// block with others stay dependent as well, and their inputs stay free if they can. Returns whether there are
// such loops.
static int order_columns(const artModel *m, const artData *d, struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  char *mark = (char *) loop->hold.move; // room for nv numbers
  int is_lumped = 0;
  memset(loop->order, 1, (size_t) m->tree.nv);
  for (int k = 0; k < blocks->block_count; k++) {
    const loopBlock *block = &blocks->block[k];
    if (!block->is_held) continue;
    for (int i = 0; i < block->size; i++) loop->order[blocks->column[block->first + i]] = 0;
  }
  for (int c = 0; c < m->ncut; c++) {
    if (!is_stuck_cut(loop, &m->cut[c])) continue;
    if (!is_single(m, loop, &m->cut[c], mark)) continue;
    const int input = fastest(loop, mark, d->v, m->tree.nv);
    for (int j = 0; j < m->tree.nv; j++) {
      if (mark[j] && loop->order[j] == 1) loop->order[j] = j == input ? 2 : 0;
    }
    is_lumped = 1;
  }
  return is_lumped;
}


// weak blocks that cannot be held
static int count_stuck(const struct loopWork *loop)
{
  int count = 0;
  for (int k = 0; k < loop->blocks->block_count; k++) count += is_stuck(loop, k);
  return count;
}


// Rows lose their rank at singular positions: coordinates are chosen before, or behind.
static int is_doubtful(const struct loopWork *loop)
{
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (hold_strength(loop->blocks, k) < 1e-5 * loop->hold.sound[k]) return 1;
  }
  return 0;
}


int loop_stuck(const struct loopWork *loop)
{
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (!loop->blocks->block[k].is_held &&
        hold_strength(loop->blocks, k) < NOTHING_LEFT * loop->hold.sound[k]) {
      return k;
    }
  }
  return -1;
}


// the blocks that were held go on so; 0: they cannot
static int hold_again(struct loopWork *loop, const chosen *old, double *q)
{
  carry_over(&loop->hold, loop->blocks, &old->hold, old->blocks);
  return hold_choose(&loop->hold, loop->blocks, q) >= old->hold.held;
}


typedef struct quality {
  double strength, steepness; // of blocks that are not held; of all
  int is_steep, stuck;        // blocks
} quality;


// is a choice by numbers better than the old one?
static int is_better(struct loopWork *loop, const chosen *old, const quality *before, double *q)
{
  if (!hold_again(loop, old, q)) return 0;
  if (count_stuck(loop) < before->stuck) return 1;
  const double strength = least_strength(loop);
  blocks_couple(loop->blocks);
  return strength > 2 * before->strength ||
         (before->is_steep && strength > 0.5 * before->strength &&
          loop_steepness(loop) < FLATTER * before->steepness);
}


artStatus loop_watch(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  if (!loop->is_ready) return loop_partition(m, d, error);
  const double steepness = loop_steepness(loop);
  const int is_steep = loop->choice != LOOP_BY_HAND && steepness > loop->steep_limit;
  const int is_sound = loop_is_sound(loop);
  const quality before = {least_strength(loop), steepness, is_steep, count_stuck(loop)};
  if (is_sound) loop->tried = 0;
  if (loop->tried > 0 && before.strength > loop->tried && isfinite(before.strength)) {
    loop->tried = before.strength;
  }
  const int has_tried = before.strength > TRY_AGAIN * loop->tried;
  if (!is_steep && (is_sound || (loop->tried > 0 && has_tried))) return ART_OK;
  if (is_doubtful(loop)) return ART_OK;

  // on the way down: other coordinates may do better, unless the position itself is singular
  loop->tried = before.strength;
  const int is_lumped = order_columns(m, d, loop);
  chosen old = put_aside(loop);
  loop->choice = LOOP_NUMERIC;
  loop->prefer = old.hold.held > 0 || is_lumped ? loop->order : NULL;
  const artStatus status = loop_partition(m, d, NULL);
  loop->prefer = NULL;
  if (status == ART_OK && is_better(loop, &old, &before, d->q)) {
    loop->q_spare = old.q_chosen;
    blocks_free(old.blocks);
    partition_free(&old.partition);
    rank_free(&old.rank);
    loop->repartitions++;
    loop->tried = 0;
    return ART_OK;
  }
  loop->q_spare = loop->q_chosen;
  forget_partition(loop);
  take_back(m, loop, &old);
  if (is_steep) loop->steep_limit = 2 * steepness;
  return status == ART_NO_MEMORY ? base_no_memory(error) : ART_OK;
}
