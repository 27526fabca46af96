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
