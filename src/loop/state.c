// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// State of closed loops that persists from step to step.
#include <stddef.h>
#include <string.h>

#include "base/numbers.h"
#include "loop/loop.h"

enum { CHOICE, HAS_ORDER, HEADER_COUNT };

// Everything that loops keep besides the choice of coordinates: n numbers for each loop, position,
// dependent coordinate, block or orientation.
typedef enum stateOwner { OF_LOOP, OF_POSITION, OF_DEPENDENT, OF_BLOCK, OF_TURN } stateOwner;

static const struct {
  size_t offset; // offset in loopWork of the value or of the pointer to values
  stateOwner owner;
  size_t n;
} list[] = {
    {offsetof(struct loopWork, steep_limit), OF_LOOP, 1},
    {offsetof(struct loopWork, pivot_start), OF_LOOP, 1},
    {offsetof(struct loopWork, tried), OF_LOOP, 1},
    {offsetof(struct loopWork, hold.sound), OF_BLOCK, 1},
    {offsetof(struct loopWork, hold.last_u), OF_BLOCK, 1},
    {offsetof(struct loopWork, hold.from_u), OF_BLOCK, 1},
    {offsetof(struct loopWork, hold.from_q), OF_POSITION, 1},
    {offsetof(struct loopWork, hold.base), OF_POSITION, 1},
    {offsetof(struct loopWork, hold.line), OF_DEPENDENT, 2},
    {offsetof(struct loopWork, hold.term), OF_DEPENDENT, SINGULAR_TERMS},
    {offsetof(struct loopWork, hold.second), OF_DEPENDENT, 1},
    {offsetof(struct loopWork, hold.motion), OF_TURN, sizeof(turnMotion) / sizeof(double)},
    {offsetof(struct loopWork, hold.bridge), OF_BLOCK, sizeof(singularBridge) / sizeof(double)},
};

enum { LIST_COUNT = sizeof list / sizeof list[0] };


// number of values of an item; loop = NULL: upper bound, since columns, rows and blocks never
// outnumber velocities
static size_t count_item(int i, const artModel *m, const struct loopWork *loop)
{
  const int nv = m->tree.nv;
  switch (list[i].owner) {
  case OF_POSITION: return list[i].n * (size_t) m->tree.nq;
  case OF_DEPENDENT: return list[i].n * (size_t) (loop ? loop->blocks->nd : nv);
  case OF_BLOCK: return list[i].n * (size_t) (loop ? loop->blocks->block_count : nv);
  case OF_TURN: return list[i].n * (size_t) (loop ? loop->places.turn_count : nv / 3);
  default: return list[i].n;
  }
}


static double *find_item(int i, const struct loopWork *loop)
{
  char *at = (char *) loop + list[i].offset;
  if (list[i].owner == OF_LOOP) return (double *) (void *) at;
  double *numbers;
  memcpy(&numbers, at, sizeof numbers);
  return numbers;
}


//---- numbers -------------------------------------------------------------------------------------

size_t state_count(const artModel *m)
{
  size_t count = HEADER_COUNT + (size_t) m->tree.nq + (size_t) m->tree.nv;
  for (int i = 0; i < LIST_COUNT; i++) count += count_item(i, m, NULL);
  return count;
}


void state_save(const artModel *m, const artData *d, double *numbers)
{
  ART_ASSERT(d->work->loop);
  const struct loopWork *loop = d->work->loop;
  double *order = numbers + HEADER_COUNT + m->tree.nq, *to = order + m->tree.nv;

  // unused values are zero; if the same choice was saved there before, they already are
  const int is_same =
      m->nlatch == 0 && !loop->order_chosen && numbers[HAS_ORDER] == 0 &&
      numbers[CHOICE] == (double) loop->choice &&
      memcmp(numbers + HEADER_COUNT, loop->q_chosen, (size_t) m->tree.nq * sizeof(double)) == 0;
  if (!is_same) memset(numbers, 0, state_count(m) * sizeof *numbers);
  numbers[CHOICE] = (double) loop->choice;
  numbers[HAS_ORDER] = loop->order_chosen != NULL;
  base_copy(numbers + HEADER_COUNT, loop->q_chosen, (size_t) m->tree.nq);
  for (int k = 0; k < m->tree.nv && loop->order_chosen; k++) order[k] = loop->order_chosen[k];
  for (int i = 0; i < LIST_COUNT; i++) {
    base_copy(to, find_item(i, loop), count_item(i, m, loop));
    to += count_item(i, m, NULL);
  }
}


artStatus state_load(const artModel *m, artData *d, const double *numbers, artError *error)
{
  ART_ASSERT(d->work->loop);
  struct loopWork *loop = d->work->loop;
  const double *order = numbers + HEADER_COUNT + m->tree.nq, *from = order + m->tree.nv;
  base_copy(d->q, numbers + HEADER_COUNT, (size_t) m->tree.nq);
  loop->choice = (loopChoice) numbers[CHOICE];
  for (int k = 0; k < m->tree.nv; k++) loop->order[k] = (char) order[k];
  loop->prefer = numbers[HAS_ORDER] != 0 ? loop->order : NULL;
  const artStatus status = loop_partition(m, d, error);
  loop->prefer = NULL;
  if (status != ART_OK) return status;
  for (int i = 0; i < LIST_COUNT; i++) {
    base_copy(find_item(i, loop), from, count_item(i, m, loop));
    from += count_item(i, m, NULL);
  }
  const size_t blocks = (size_t) loop->blocks->block_count;
  memset(loop->hold.leap.side, 0, blocks * sizeof *loop->hold.leap.side);
  return ART_OK;
}


//---- copies --------------------------------------------------------------------------------------

// copy settings, and positions, velocities and rows of the last evaluation
static void copy_settings(const artModel *m, struct loopWork *to, const struct loopWork *from)
{
  const size_t nv = (size_t) m->tree.nv, nrow = (size_t) m->nrow;
  to->asked = from->asked;
  to->hand_count = from->hand_count;
  memcpy(to->hand, from->hand, nv * sizeof *to->hand);
  to->hand_place = from->hand_place;
  loop_set_redundant(m, to, from->redundant);

  loopRows *rows = &to->rows;
  base_copy(rows->phi, from->rows.phi, nrow);
  base_copy(rows->gamma, from->rows.gamma, nrow);
  base_copy(rows->lambda, from->rows.lambda, nrow);
  base_copy(rows->J.value, from->rows.J.value, (size_t) matrix_count(&rows->J));
  memcpy(rows->row, from->rows.row, nrow * sizeof *rows->row);
  memcpy(rows->state, from->rows.state, (size_t) m->ncut * sizeof *rows->state);
}


static int are_chosen_alike(const artModel *m, const struct loopWork *a, const struct loopWork *b)
{
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv;
  if (!a->is_ready || a->choice != b->choice || a->partition.nf != b->partition.nf) return 0;
  if (!a->order_chosen != !b->order_chosen) return 0;
  if (memcmp(a->driven, b->driven, nv * sizeof *a->driven) != 0) return 0;
  return memcmp(a->q_chosen, b->q_chosen, nq * sizeof *a->q_chosen) == 0 &&
         memcmp(a->partition.free, b->partition.free,
                (size_t) a->partition.nf * sizeof *a->partition.free) == 0 &&
         (!a->order_chosen || memcmp(a->order_chosen, b->order_chosen, nv) == 0);
}


// For a choice by hand use its free coordinates: the coordinates requested by now may be different.
static artStatus partition_alike(const artModel *m, artData *d, const struct loopWork *from,
                                 artError *error)
{
  struct loopWork *loop = d->work->loop;
  if (are_chosen_alike(m, loop, from)) return ART_OK;
  memcpy(d->q, from->q_chosen, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(loop->driven, from->driven, (size_t) m->tree.nv * sizeof *loop->driven);
  loop->hand_count = from->partition.nf;
  memcpy(loop->hand, from->partition.free, (size_t) loop->hand_count * sizeof *loop->hand);
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
    singularLeap *a = &loop->hold.leap;
    const singularLeap *b = &other->hold.leap;
    base_copy(a->side, b->side, (size_t) loop->blocks->block_count);
    if (a->J && b->J) base_copy(a->J, b->J, (size_t) matrix_count(&loop->rows.J));
  }
  for (int i = 0; i < LIST_COUNT; i++) {
    if (list[i].owner != OF_LOOP && !other->is_ready) continue;
    base_copy(find_item(i, loop), find_item(i, other), count_item(i, m, loop));
  }
  copy_settings(m, loop, other);
  loop->choice = other->choice;
  loop->is_closed = loop->has_stayed = 0;
  return ART_OK;
}
