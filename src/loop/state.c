// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What closed loops remember from step to step, as numbers.
#include "loop/state.h"

#include <string.h>

#include "loop/loop.h"

enum {
  STEEP_LIMIT,
  PIVOT_START,
  CHOICE,
  HAS_TRIED,
  HOLD_COUNT,
  HOLD_HELD,
  TIME_BEFORE,
  TIME_LAST,
  SINGLE
};


// B has a row for every dependent coordinate and at most a column for every independent one
static size_t largest_B(const artModel *m)
{
  const size_t n = (size_t) m->tree.nv;
  return n * n / 4;
}


size_t state_count(const artModel *m)
{
  return SINGLE + (size_t) m->tree.nq + 2 * largest_B(m);
}


void state_save(const artModel *m, const artData *d, double *numbers)
{
  const struct loopWork *loop = d->work->loop;
  const loopHold *hold = &loop->hold;
  double *q = numbers + SINGLE, *before = q + m->tree.nq, *last = before + largest_B(m);
  const size_t bytes = loop->blocks->B_size * sizeof(double);
  memset(numbers, 0, state_count(m) * sizeof *numbers);
  numbers[STEEP_LIMIT] = loop->steep_limit;
  numbers[PIVOT_START] = loop->pivot_start;
  numbers[CHOICE] = (double) loop->choice;
  numbers[HAS_TRIED] = loop->has_tried;
  numbers[HOLD_COUNT] = hold->count;
  numbers[HOLD_HELD] = hold->held;
  numbers[TIME_BEFORE] = hold->time_before;
  numbers[TIME_LAST] = hold->time_last;
  memcpy(q, loop->q_chosen, (size_t) m->tree.nq * sizeof *q);
  memcpy(before, hold->before, bytes);
  memcpy(last, hold->last, bytes);
}


artStatus state_load(const artModel *m, artData *d, const double *numbers, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const double *q = numbers + SINGLE, *before = q + m->tree.nq, *last = before + largest_B(m);
  memcpy(d->q, q, (size_t) m->tree.nq * sizeof *q);
  loop->choice = (loopChoice) numbers[CHOICE];
  const artStatus status = loop_partition(m, d, error);
  if (status != ART_OK) return status;

  const size_t bytes = loop->blocks->B_size * sizeof(double);
  loopHold *hold = &loop->hold;
  loop->steep_limit = numbers[STEEP_LIMIT];
  loop->pivot_start = numbers[PIVOT_START];
  loop->has_tried = (int) numbers[HAS_TRIED];
  hold->count = (int) numbers[HOLD_COUNT];
  hold->held = (int) numbers[HOLD_HELD];
  hold->time_before = numbers[TIME_BEFORE];
  hold->time_last = numbers[TIME_LAST];
  memcpy(hold->before, before, bytes);
  memcpy(hold->last, last, bytes);
  return ART_OK;
}
