// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// For each velocity coordinate, the position or the orientation that it changes.
#ifndef LOOP_PLACES_H
#define LOOP_PLACES_H

#include <stdbool.h>

#include "base/arena.h"
#include "loop/rotation_vector.h"
#include "model/model.h"

typedef struct loopPlaces {
  int *place;    // [nv] index in q of the coordinate whose rate it is, or -1
  int *turn_of;  // [nv] index of the orientation that it turns, or -1
  bool *is_idle; // [nv] velocities along idle spins
  int turn_count;
  loopTurn *turn;
} loopPlaces;

// Returns 0 when memory ran out.
int places_start(loopPlaces *places, const artModel *m, baseArena *arena);

// Find idle spins again after parameters of the model have changed.
void places_find(loopPlaces *places, const artModel *m);

#endif
