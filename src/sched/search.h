// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Number of units for a graph: the smallest that reaches the length of the critical path, and the
// one with the best utilisation.
#ifndef SCHED_SEARCH_H
#define SCHED_SEARCH_H

#include "sched/schedule.h"

//---- bounds --------------------------------------------------------------------------------------
//
// Bounds and estimates of the number of units of each kind that are needed to reach the length of
// the critical path, from start times alone, before scheduling.

typedef struct schedBounds {
  int operations[SCHED_KINDS];
  int lower[SCHED_KINDS]; // necessary: work divided by length
  // largest number of operations with the same earliest start: crude, too high
  int asap[SCHED_KINDS];
  int alap[SCHED_KINDS]; // largest number with the same latest start: crude, too high
  int peak[SCHED_KINDS]; // largest expected number in one cycle
  int mean[SCHED_KINDS]; // largest expected mean from the first cycle on: the best estimate
} schedBounds;

// U[kind][i]: expected number of operations in cycle i = 1 .. length, if each operation is
// distributed evenly over its possible start cycles. The sum over all cycles is the number of
// operations times the interval of the kind's units. profile[(length + 1) * SCHED_KINDS], one row
// per kind; element 0 of a row is 0. Call after graph_index.
void bound_profile(const schedGraph *graph, const schedMachine *machine, double *profile);

// Call after graph_index. Temporary memory comes from the arena of the graph.
void bound_find(schedBounds *bounds, const schedGraph *graph, const schedMachine *machine);

// Lower bound of the cycles of any schedule on this machine: the critical path; and for each kind,
// with n operations that start in cycle a at the earliest and need at least b cycles until the end,
// a + (ceil(n / units) - 1) interval + b - 1,  maximised over a and b. Call after graph_index.
int bound_cycles(const schedGraph *graph, const schedMachine *machine);

//---- search --------------------------------------------------------------------------------------

// A machine that has been tried.
typedef struct schedTrial {
  int count[SCHED_KINDS];
  int steps, cycles;
  double usage;
} schedTrial;

typedef struct schedSearch {
  schedBounds bounds;
  int n, capacity;
  schedTrial *trial; // all, in chronological order
  schedTrial fewest; // minimal time with the fewest units, the cheapest among equals
  schedTrial best;   // best utilisation
} schedSearch;

// Uses the latencies of the machine and ignores its counts. First searches each kind alone, with
// enough units of all others, until the time is minimal. From there adds units, all combinations of
// one, of two and so on, until the time is minimal again; among equal numbers the cheapest (a
// divider costs more than a multiplier, a multiplier more than an adder). For the best utilisation
// removes one, two, an eighth or a quarter of the units as long as that helps. Large graphs get
// fewer trials, so a search takes a few seconds at most. Allocated in the arena of the graph.
void search_units(schedSearch *search, schedGraph *graph, const schedMachine *machine,
                  schedRule rule);

// The machine with the units of a trial.
schedMachine search_machine(const schedMachine *machine, const schedTrial *trial);

#endif
