// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules: which unit of a machine begins which operation in which cycle.
#ifndef SCHED_SCHEDULE_H
#define SCHED_SCHEDULE_H

#include "sched/graph.h"
#include "sched/schedule_units.h"

typedef struct schedSchedule {
  int n;
  int *step;  // [n] in which each begins, from 1
  int *unit;  // [n] of the machine
  int steps;  // the last step in which one begins
  int cycles; // until the last result is there; as many as steps where all operations take one
} schedSchedule;

// How operations are taken one after the other and given to units.
typedef enum schedRule {
  SCHED_LIST,   // by latest, then by earliest beginning, then as they stand; the thesis's
  SCHED_FINISH, // longest way to the end first, transfers counted; then to and fro in time
} schedRule;

// The costs of the graph's nodes are set to the latencies of the machine and its indices are found. Every kind
// that occurs must have a unit. The schedule lives in the arena of the graph.
void schedule_create(schedSchedule *schedule, schedGraph *graph, const schedMachine *machine,
                     schedRule rule);

// Operations by units and cycles: 1 where all units begin one in every step.
double schedule_usage(const schedSchedule *schedule, const schedMachine *machine);

// The numbers 0 to n - 1 by increasing `first`, then `second`, then as they are.
void schedule_sort(int n, const int *first, const int *second, int *order, baseArena *arena);

//---- results that wait to be used ----------------------------------------------------------------

// A result is kept, by the unit that made it, from the cycle after it is there to the last one in which another
// operation that reads it begins; results that nobody reads leave at once. size[unit] is the most that are kept at the
// same time. Returns how many are kept by all units together at most. Room on the way is the graph's.
int buffer_sizes(const schedSchedule *schedule, const schedGraph *graph,
                 const schedMachine *machine, int *size);

// The last cycle in which a result is read, 0 when it is not.
int buffer_last_use(const schedSchedule *schedule, const schedGraph *graph, int i);

#endif
