// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers that closed loops keep from step to step.
#include "loop/state.h"

#include <string.h>

#include "loop/loop.h"

enum { STEEP_LIMIT, PIVOT_START, CHOICE, TRIED, HAS_ORDER, SINGLE };

enum { BRIDGE = HOLD_NODES + 6, BLOCK = BRIDGE + 3, DEPENDENT = 2 + HOLD_TERMS + 1, MOTION = 9 };


// where the numbers of a kind begin; there are never more columns, rows and blocks than velocities
typedef struct places {
  double *q_chosen, *order, *bridge, *sound, *last_u, *from_u, *from_q, *base, *line, *term,
      *second;
  double *motion;
} places;


size_t state_count(const artModel *m)
{
  return SINGLE + 3 * (size_t) m->tree.nq +
         (1 + BLOCK + DEPENDENT + MOTION / 3) * (size_t) m->tree.nv;
}


static places places_of(const artModel *m, double *numbers)
{
  const int nv = m->tree.nv;
  places p = {.q_chosen = numbers + SINGLE};
  p.order = p.q_chosen + m->tree.nq;
  p.bridge = p.order + nv;
  p.sound = p.bridge + BRIDGE * nv;
  p.last_u = p.sound + nv;
  p.from_u = p.last_u + nv;
  p.from_q = p.from_u + nv;
  p.base = p.from_q + m->tree.nq;
  p.line = p.base + m->tree.nq;
  p.term = p.line + 2 * nv;
  p.second = p.term + HOLD_TERMS * nv;
  p.motion = p.second + nv;
  return p;
}


static void save_bridge(const holdBridge *b, double *to)
{
  to[0] = b->middle, to[1] = b->unit;
  to[2] = b->count, to[3] = b->failed, to[4] = b->gap, to[5] = b->window;
  memcpy(to + 6, b->node, sizeof b->node);
}


static void load_bridge(holdBridge *b, const double *from)
{
  b->middle = from[0], b->unit = from[1];
  b->count = (int) from[2], b->failed = from[3], b->gap = from[4];
  b->window = from[5];
  memcpy(b->node, from + 6, sizeof b->node);
}


void state_save(const artModel *m, const artData *d, double *numbers)
{
  const struct loopWork *loop = d->work->loop;
  const loopHold *hold = &loop->hold;
  const size_t nd = (size_t) loop->blocks->nd, nq = (size_t) m->tree.nq;
  const size_t turns = (size_t) loop->places.turn_count;
  memset(numbers, 0, state_count(m) * sizeof *numbers);
  numbers[STEEP_LIMIT] = loop->steep_limit;
  numbers[PIVOT_START] = loop->pivot_start;
  numbers[CHOICE] = (double) loop->choice;
  numbers[TRIED] = loop->tried;

  const places to = places_of(m, numbers);
  const size_t count = (size_t) loop->blocks->block_count;
  memcpy(to.q_chosen, loop->q_chosen, nq * sizeof *to.q_chosen);
  numbers[HAS_ORDER] = loop->order_chosen != NULL;
  for (int k = 0; k < m->tree.nv && loop->order_chosen; k++) to.order[k] = loop->order_chosen[k];
  memcpy(to.sound, hold->sound, count * sizeof *to.sound);
  memcpy(to.last_u, hold->last_u, count * sizeof *to.last_u);
  memcpy(to.from_u, hold->from_u, count * sizeof *to.from_u);
  memcpy(to.from_q, hold->from_q, nq * sizeof *to.from_q);
  memcpy(to.base, hold->base, nq * sizeof *to.base);
  memcpy(to.line, hold->line, 2 * nd * sizeof *to.line);
  memcpy(to.term, hold->term, HOLD_TERMS * nd * sizeof *to.term);
  memcpy(to.second, hold->second, nd * sizeof *to.second);
  memcpy(to.motion, hold->motion, turns * sizeof *hold->motion);
  for (size_t k = 0; k < count; k++) save_bridge(&hold->bridge[k], to.bridge + BRIDGE * k);
}


artStatus state_load(const artModel *m, artData *d, const double *numbers, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const places from = places_of(m, (double *) numbers);
  memcpy(d->q, from.q_chosen, (size_t) m->tree.nq * sizeof *d->q);
  loop->choice = (loopChoice) numbers[CHOICE];
  for (int k = 0; k < m->tree.nv; k++) loop->order[k] = (char) from.order[k];
  loop->prefer = numbers[HAS_ORDER] != 0 ? loop->order : NULL;
  const artStatus status = loop_partition(m, d, error);
  loop->prefer = NULL;
  if (status != ART_OK) return status;

  loopHold *hold = &loop->hold;
  const size_t nd = (size_t) loop->blocks->nd, nq = (size_t) m->tree.nq;
  const size_t turns = (size_t) loop->places.turn_count;
  loop->steep_limit = numbers[STEEP_LIMIT];
  loop->pivot_start = numbers[PIVOT_START];
  loop->tried = numbers[TRIED];
  const size_t count = (size_t) loop->blocks->block_count;
  memset(hold->leap.side, 0, count * sizeof *hold->leap.side);
  memcpy(hold->sound, from.sound, count * sizeof *hold->sound);
  memcpy(hold->last_u, from.last_u, count * sizeof *hold->last_u);
  memcpy(hold->from_u, from.from_u, count * sizeof *hold->from_u);
  memcpy(hold->from_q, from.from_q, nq * sizeof *hold->from_q);
  memcpy(hold->base, from.base, nq * sizeof *hold->base);
  memcpy(hold->line, from.line, 2 * nd * sizeof *hold->line);
  memcpy(hold->term, from.term, HOLD_TERMS * nd * sizeof *hold->term);
  memcpy(hold->second, from.second, nd * sizeof *hold->second);
  memcpy(hold->motion, from.motion, turns * sizeof *hold->motion);
  for (size_t k = 0; k < count; k++) load_bridge(&hold->bridge[k], from.bridge + BRIDGE * k);
  return ART_OK;
}


//---- copies --------------------------------------------------------------------------------------

static void copy(double *to, const double *from, size_t n)
{
  if (n > 0) memcpy(to, from, n * sizeof *to);
}


// the way in which coordinates are chosen, and positions, velocities and rows of the last evaluation
static void copy_settings(const artModel *m, struct loopWork *to, const struct loopWork *from)
{
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv, nrow = (size_t) m->nrow;
  to->alpha = from->alpha;
  to->beta = from->beta;
  to->asked = from->asked;
  to->hand_count = from->hand_count;
  memcpy(to->hand, from->hand, nv * sizeof *to->hand);
  to->hand_place = from->hand_place;
  to->algebra = from->algebra;
  loop_set_redundant(m, to, from->redundant);
  to->has_shares = from->has_shares;
  copy(to->q_rough, from->q_rough, nq);
  copy(to->q_closed, from->q_closed, nq);
  copy(to->v_rough, from->v_rough, nv);
  copy(to->v_closed, from->v_closed, nv);

  loopRows *rows = &to->rows;
  copy(rows->phi, from->rows.phi, nrow);
  copy(rows->gamma, from->rows.gamma, nrow);
  copy(rows->lambda, from->rows.lambda, nrow);
  copy(rows->J.value, from->rows.J.value, (size_t) matrix_count(&rows->J));
  memcpy(rows->row, from->rows.row, nrow * sizeof *rows->row);
  memcpy(rows->state, from->rows.state, (size_t) m->ncut * sizeof *rows->state);
}


static int are_chosen_alike(const artModel *m, const struct loopWork *a, const struct loopWork *b)
{
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv;
  if (!a->is_ready || a->choice != b->choice || a->hand_count != b->hand_count) return 0;
  if (!a->order_chosen != !b->order_chosen) return 0;
  if (memcmp(a->driven, b->driven, nv * sizeof *a->driven) != 0) return 0;
  return memcmp(a->q_chosen, b->q_chosen, nq * sizeof *a->q_chosen) == 0 &&
         memcmp(a->hand, b->hand, (size_t) a->hand_count * sizeof *a->hand) == 0 &&
         (!a->order_chosen || memcmp(a->order_chosen, b->order_chosen, nv) == 0);
}


static artStatus partition_alike(const artModel *m, artData *d, const struct loopWork *from,
                                 artError *error)
{
  struct loopWork *loop = d->work->loop;
  if (are_chosen_alike(m, loop, from)) return ART_OK;
  memcpy(d->q, from->q_chosen, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(loop->driven, from->driven, (size_t) m->tree.nv * sizeof *loop->driven);
  loop->hand_count = from->hand_count;
  memcpy(loop->hand, from->hand, (size_t) m->tree.nv * sizeof *loop->hand);
  loop->choice = from->choice;
  if (from->order_chosen) memcpy(loop->order, from->order_chosen, (size_t) m->tree.nv);
  loop->prefer = from->order_chosen ? loop->order : NULL;
  const artStatus status = loop_partition(m, d, error);
  loop->prefer = NULL;
  if (status != ART_OK) return status;
  const loopPartition *a = &loop->partition, *b = &from->partition;
  const size_t nd = (size_t) b->nd * sizeof(int);
  if (a->nd == b->nd && a->block_count == b->block_count &&
      memcmp(a->block_row, b->block_row, nd) == 0 &&
      memcmp(a->block_column, b->block_column, nd) == 0) {
    return ART_OK;
  }
  return base_fail(
      error, ART_NO_CONVERGENCE, base_nowhere(),
      "the choice of independent coordinates cannot be repeated for a copy of the data");
}


// couplings at singular positions
static void copy_hold(const artModel *m, struct loopWork *to, const struct loopWork *from)
{
  loopHold *a = &to->hold;
  const loopHold *b = &from->hold;
  const size_t nd = (size_t) to->blocks->nd, nq = (size_t) m->tree.nq;
  const size_t count = (size_t) to->blocks->block_count;
  const size_t entries = (size_t) matrix_count(&to->rows.J);
  copy(a->sound, b->sound, count);
  copy(a->last_u, b->last_u, count);
  copy(a->from_u, b->from_u, count);
  copy(a->from_q, b->from_q, nq);
  copy(a->base, b->base, nq);
  copy(a->line, b->line, 2 * nd);
  copy(a->term, b->term, HOLD_TERMS * nd);
  copy(a->second, b->second, nd);
  copy(a->leap.side, b->leap.side, count);
  if (a->leap.J && b->leap.J) copy(a->leap.J, b->leap.J, entries);
  memcpy(a->motion, b->motion, (size_t) to->places.turn_count * sizeof *a->motion);
  memcpy(a->bridge, b->bridge, count * sizeof *a->bridge);
}


artStatus state_copy(artData *d, const artData *from, artError *error)
{
  const artModel *m = d->work->now;
  struct loopWork *loop = d->work->loop;
  const struct loopWork *other = from->work->loop;
  if (!other->is_ready) {
    loop_forget(loop);
  } else {
    const artStatus status = partition_alike(m, d, other, error);
    if (status != ART_OK) return status;
    copy_hold(m, loop, other);
  }
  copy_settings(m, loop, other);
  loop->choice = other->choice;
  loop->steep_limit = other->steep_limit;
  loop->pivot_start = other->pivot_start;
  loop->tried = other->tried;
  loop->is_closed = loop->has_stayed = 0;
  return ART_OK;
}
