// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What closed loops remember from step to step, as numbers.
#include "loop/state.h"

#include <string.h>

#include "loop/loop.h"

enum { STEEP_LIMIT, PIVOT_START, CHOICE, HAS_TRIED, SINGLE };

enum { BRIDGE = HOLD_NODES + 4, DEPENDENT = 2 + HOLD_TERMS + 1 };


// where the numbers of a kind begin; there are never more columns, rows and blocks than velocities
typedef struct places {
  double *q_chosen, *q, *bridge, *is_bridged, *line, *term, *second;
} places;


size_t state_count(const artModel *m)
{
  return SINGLE + 2 * (size_t) m->tree.nq + (BRIDGE + 1 + DEPENDENT) * (size_t) m->tree.nv;
}


static places places_of(const artModel *m, double *numbers)
{
  const int nv = m->tree.nv;
  places p = {.q_chosen = numbers + SINGLE};
  p.q = p.q_chosen + m->tree.nq;
  p.bridge = p.q + m->tree.nq;
  p.is_bridged = p.bridge + BRIDGE * nv;
  p.line = p.is_bridged + nv;
  p.term = p.line + 2 * nv;
  p.second = p.term + HOLD_TERMS * nv;
  return p;
}


static void save_bridge(const holdBridge *b, double *to)
{
  to[0] = b->middle, to[1] = b->unit;
  to[2] = b->count, to[3] = b->has_failed;
  memcpy(to + 4, b->node, sizeof b->node);
}


static void load_bridge(holdBridge *b, const double *from)
{
  b->middle = from[0], b->unit = from[1];
  b->count = (int) from[2], b->has_failed = (int) from[3];
  memcpy(b->node, from + 4, sizeof b->node);
}


void state_save(const artModel *m, const artData *d, double *numbers)
{
  const struct loopWork *loop = d->work->loop;
  const loopHold *hold = &loop->hold;
  const size_t nd = (size_t) loop->blocks->nd, nq = (size_t) m->tree.nq;
  memset(numbers, 0, state_count(m) * sizeof *numbers);
  numbers[STEEP_LIMIT] = loop->steep_limit;
  numbers[PIVOT_START] = loop->pivot_start;
  numbers[CHOICE] = (double) loop->choice;
  numbers[HAS_TRIED] = loop->has_tried;

  const places to = places_of(m, numbers);
  memcpy(to.q_chosen, loop->q_chosen, nq * sizeof *to.q);
  memcpy(to.q, hold->q, nq * sizeof *to.q);
  memcpy(to.line, hold->line, 2 * nd * sizeof *to.line);
  memcpy(to.term, hold->term, HOLD_TERMS * nd * sizeof *to.term);
  memcpy(to.second, hold->second, nd * sizeof *to.second);
  for (int c = 0; c < loop->blocks->nu; c++) save_bridge(&hold->bridge[c], to.bridge + BRIDGE * c);
  for (int k = 0; k < loop->blocks->block_count; k++) to.is_bridged[k] = hold->is_bridged[k];
}


artStatus state_load(const artModel *m, artData *d, const double *numbers, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const places from = places_of(m, (double *) numbers);
  memcpy(d->q, from.q_chosen, (size_t) m->tree.nq * sizeof *d->q);
  loop->choice = (loopChoice) numbers[CHOICE];
  const artStatus status = loop_partition(m, d, error);
  if (status != ART_OK) return status;

  loopHold *hold = &loop->hold;
  const size_t nd = (size_t) loop->blocks->nd;
  loop->steep_limit = numbers[STEEP_LIMIT];
  loop->pivot_start = numbers[PIVOT_START];
  loop->has_tried = (int) numbers[HAS_TRIED];
  memcpy(hold->q, from.q, (size_t) m->tree.nq * sizeof *hold->q);
  memcpy(hold->line, from.line, 2 * nd * sizeof *hold->line);
  memcpy(hold->term, from.term, HOLD_TERMS * nd * sizeof *hold->term);
  memcpy(hold->second, from.second, nd * sizeof *hold->second);
  for (int c = 0; c < loop->blocks->nu; c++)
    load_bridge(&hold->bridge[c], from.bridge + BRIDGE * c);
  for (int k = 0; k < loop->blocks->block_count; k++)
    hold->is_bridged[k] = (char) from.is_bridged[k];
  return ART_OK;
}
