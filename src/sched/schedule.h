// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules: start cycle and unit of every operation.
#ifndef SCHED_SCHEDULE_H
#define SCHED_SCHEDULE_H

#include "sched/graph.h"
#include "sched/schedule_units.h"

typedef struct schedSchedule {
  int n;
  int *step;  // [n] start cycle of each, from 1
  int *unit;  // [n] unit of each
  int steps;  // the last start cycle
  int cycles; // until the last result is available; equal to steps if all operations take one cycle
} schedSchedule;

// Order in which operations are assigned to units.
typedef enum schedRule {
  SCHED_LIST, // by latest, then by earliest start, then by number; as in the thesis
  // longest remaining path first, including transfers; then alternating backward and forward passes
  SCHED_FINISH,
} schedRule;

// Sets the costs of the graph's nodes to the latencies of the machine and computes its start times.
// Every kind that occurs must have a unit. Allocated in the arena of the graph.
void schedule_create(schedSchedule *schedule, schedGraph *graph, const schedMachine *machine,
                     schedRule rule);

// Operations divided by units times steps: 1 if every unit starts one in every step.
double schedule_usage(const schedSchedule *schedule, const schedMachine *machine);

// The numbers 0 to n - 1 sorted by `first`, then by `second`; stable.
void schedule_sort(int n, const int *first, const int *second, int *order, baseArena *arena);

//---- buffered results ----------------------------------------------------------------------------

// A result is kept by the unit that computed it, from the cycle after it is available to the last
// cycle in which a reader starts; unread results leave at once. size[unit]: maximum number kept
// simultaneously. Returns the maximum over time of the total. Temporary memory comes from the arena
// of the graph.
int buffer_sizes(const schedSchedule *schedule, const schedGraph *graph,
                 const schedMachine *machine, int *size);

// Last cycle in which a result is read, 0 if never.
int buffer_last_use(const schedSchedule *schedule, const schedGraph *graph, int i);

#endif
