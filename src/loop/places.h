// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where velocities act: on a coordinate of which they are the rate, or on an orientation.
#ifndef LOOP_PLACES_H
#define LOOP_PLACES_H

#include <stdbool.h>

#include "base/arena.h"
#include "loop/rotation_vector.h"
#include "model/model.h"

typedef struct loopPlaces {
  int *place;    // [nv] that coordinate, or -1
  int *turn_of;  // [nv] the orientation, or -1
  bool *is_idle; // [nv] velocities by which idle spins are free
  int turn_count;
  loopTurn *turn;
} loopPlaces;

// 0 when there is no memory.
int places_start(loopPlaces *places, const artModel *m, baseArena *arena);

// The model has other numbers: by them a spin is idle or is not.
void places_find(loopPlaces *places, const artModel *m);

#endif
