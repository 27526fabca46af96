// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Free cycles of units: found and taken in any order of time.
#ifndef SCHED_SLOTS_H
#define SCHED_SLOTS_H

#include "sched/schedule_units.h"

typedef struct schedUnitSlots {
  int interval; // cycles that an operation takes
  int capacity;
  int *next; // [capacity] the cycle itself when it is free, else one after it from which to look on
} schedUnitSlots;

typedef struct schedSlots {
  int nunit;
  schedUnitSlots *unit;
} schedSlots;

// Returns 0 when memory ran out.
int slots_create(schedSlots *slots, const schedMachine *machine);
void slots_free(schedSlots *slots);

// The first cycle from `from` on in which a unit can begin an operation; -1 when memory ran out.
int slots_first_free(schedSlots *slots, int unit, int from);

// Take it.
void slots_take(schedSlots *slots, int unit, int cycle);

#endif
