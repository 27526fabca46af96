// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How many units of each kind it takes to run a graph in the length of its critical path: bounds and estimates
// from the indices alone, before anything is scheduled.
#ifndef SCHED_BOUND_H
#define SCHED_BOUND_H

#include "sched/graph.h"
#include "sched/schedule_units.h"

typedef struct schedBounds {
  int operations[SCHED_KINDS];
  int lower[SCHED_KINDS]; // with fewer it cannot be done: work by length
  int asap[SCHED_KINDS];  // most operations with the same earliest beginning: crude, too many
  int alap[SCHED_KINDS];  // with the same latest beginning: crude, too many
  int peak[SCHED_KINDS];  // most that are expected in one cycle
  int mean
      [SCHED_KINDS]; // most that are expected on the mean from the first cycle on: the best guess
} schedBounds;

// U[kind][i] = operations expected in cycle i, 1 to length: each operation is spread evenly over the cycles in
// which it may begin. The sum over all cycles is the number of operations, times the interval of the kind's
// units. Room for (length + 1) * SCHED_KINDS, a row for each kind; element 0 of rows stays 0. After graph_index.
void bound_profile(const schedGraph *graph, const schedMachine *machine, double *profile);

// Returns 0 when memory ran out. After graph_index.
int bound_find(schedBounds *bounds, const schedGraph *graph, const schedMachine *machine);

// Cycles that no schedule on this machine can do without, -1 when memory ran out: the critical path; and for each kind,
// of operations that can begin in cycle a at the earliest and have b cycles at least from their beginning to the
// end of all,  a + (ceil(n / units) - 1) interval + b - 1,  the largest over a and b. After graph_index.
int bound_cycles(const schedGraph *graph, const schedMachine *machine);

#endif
