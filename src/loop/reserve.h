// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory for partitions, taken once: a run that chooses other independent coordinates on its way, however often, asks
// the allocator for nothing.
#ifndef LOOP_RESERVE_H
#define LOOP_RESERVE_H

#include "base/arena.h"
#include "base/stack.h"
#include "loop/matrix.h"

typedef struct loopReserve {
  memStack *scratch; // of a search
  memStack *kept[2]; // partitions by turns: the present one, and one that may become better
  int turn;          // the present one
} loopReserve;

// No more than this is taken for one stack, 64 MiB; what coupled loops with more than about 400 rows need beyond it
// comes from the allocator.
#define LOOP_MOST_RESERVED ((size_t) 1 << 26)

// For a Jacobian with the pattern of J on a machine with nq positions; 0 when memory ran out, and the rest is freed by
// reserve_free.
int reserve_start(loopReserve *reserve, const loopMatrix *J, int nq, baseArena *arena);
void reserve_free(loopReserve *reserve);

// Bytes of all of it.
size_t reserve_bytes(const loopReserve *reserve);

#endif
