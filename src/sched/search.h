// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How many units a graph is worth: the fewest that run it in the length of its critical path, and those that are
// idle least.
#ifndef SCHED_SEARCH_H
#define SCHED_SEARCH_H

#include "sched/schedule.h"

//---- bounds --------------------------------------------------------------------------------------
//
// How many units of each kind it takes to run a graph in the length of its critical path: bounds and estimates
// from the indices alone, before anything is scheduled.

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

// After graph_index. Room on the way is the graph's.
void bound_find(schedBounds *bounds, const schedGraph *graph, const schedMachine *machine);

// Cycles that no schedule on this machine can do without: the critical path; and for each kind,
// of operations that can begin in cycle a at the earliest and have b cycles at least from their beginning to the
// end of all,  a + (ceil(n / units) - 1) interval + b - 1,  the largest over a and b. After graph_index.
int bound_cycles(const schedGraph *graph, const schedMachine *machine);

//---- search --------------------------------------------------------------------------------------

// A machine that was tried.
typedef struct schedTrial {
  int count[SCHED_KINDS];
  int steps, cycles;
  double usage;
} schedTrial;

typedef struct schedSearch {
  schedBounds bounds;
  int n, capacity;
  schedTrial *trial; // all, in the order of trying
  schedTrial fewest; // in minimal time with the fewest units, the cheapest among equals
  schedTrial best;   // in use: the most operations by units and steps
} schedSearch;

// The times of units are the machine's, its counts are not looked at. First each kind alone, with enough of all
// others, until the time is minimal; from there units are added, all ways of one, of two and so on, until the
// time is minimal again; among equal numbers the cheapest, a divider being dearer than a multiplier and that dearer than
// an adder. For the best use one, two, an eighth or a quarter of the units are taken away as long as that pays. Large
// graphs have fewer trials, so that a search takes some seconds at most. Trials live in the arena of the graph.
void search_units(schedSearch *search, schedGraph *graph, const schedMachine *machine,
                  schedRule rule);

// The machine with the units of a trial.
schedMachine search_machine(const schedMachine *machine, const schedTrial *trial);

#endif
