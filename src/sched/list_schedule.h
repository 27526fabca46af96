// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations placed one after the other in a given order, each as early as it can be.
#ifndef SCHED_LIST_SCHEDULE_H
#define SCHED_LIST_SCHEDULE_H

#include "sched/graph.h"
#include "sched/schedule_units.h"

typedef struct schedSchedule {
  int n;
  int *step;  // [n] in which each begins, from 1
  int *unit;  // [n] of the machine
  int steps;  // the last step in which one begins
  int cycles; // until the last result is there; as many as steps where all operations take one
} schedSchedule;

// Every operation of the order, parents before children, goes to the unit of its kind that can begin it first, the
// lowest number among equals. Fills steps, units and lengths; returns 0 when memory ran out.
int place_in_order(schedSchedule *schedule, const schedGraph *graph, const schedMachine *machine,
                   const int *order);

// The numbers 0 to n - 1 by increasing `first`, then `second`, then as they are. Returns 0 when memory ran out.
int place_sort(int n, const int *first, const int *second, int *order);

//---- earliest finish with transfers in view (aware.c) --------------------------------------------

// Fill a schedule that has room; returns 0 when memory ran out.
int aware_place(schedSchedule *schedule, const schedGraph *graph, const schedMachine *machine);

#endif
