// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units of a graph dealt out to tasks that run side by side.
//
// Costs are in additions. A value made in one task can be read in another `latency` later; each message holds up its
// receiver by `message`, and each value its maker by `write` and its reader by `read`. Cheap units whose parents are at
// hand are evaluated once more instead of being waited for. The search weighs all of that at every move.
#ifndef SPLIT_SPLIT_H
#define SPLIT_SPLIT_H

#include "split/task_mark.h"

enum { SPLIT_TASKS = 64 };

typedef struct splitOptions {
  int tasks;      // 1 .. SPLIT_TASKS
  double latency; // from the end of a unit to its use elsewhere
  double message; // cost of a message to its receiver
  double write;   // cost of each value in it to the task that made it
  double read;    // and the receiver
  int moves;      // of the search
  unsigned seed;  // where it begins
} splitOptions;

// Transfers as they are measured on two cores of a Neoverse N1 (bench/parallel).
splitOptions split_default_options(int tasks);

// Transfers that take no time, as the thesis counts.
splitOptions split_free_options(int tasks);

// The home task of every unit, [graph->n]; calls of the user's functions and the results are in task 0. The room that
// the search takes is the arena's, which leaves the work where memory runs out.
void split_assign(const taskGraph *graph, const taskMarks *marks, const splitOptions *options,
                  int *task, baseArena *arena);

//---- the clock -----------------------------------------------------------------------------------

// The events of each task go to these functions, in order, unless NULL.
typedef struct splitEvents {
  void *context;
  void (*compute)(void *context, int task, int unit, int is_copy, double end);
  void (*wait)(void *context, int task,
               int from); // a new message; values received next come with it
  void (*receive)(void *context, int task, int from, int unit);
} splitEvents;

// Follows the tasks through one evaluation.
typedef struct splitClock {
  const taskGraph *graph;
  const splitOptions *options;
  const int *task;                           // [n] homes
  int *order;                                // [n] units by what still depends on them, most first
  double *end;                               // [n] when a unit is done at home
  uint64_t *at_hand;                         // [n] bit t: its value is in task t
  double now[SPLIT_TASKS];                   // until when each task is busy
  double received[SPLIT_TASKS][SPLIT_TASKS]; // [to][from] values made until then have come
  const splitEvents *events;
  baseArena *arena;
} splitClock;

// Room in the arena, and the order without transfers.
void split_clock_open(splitClock *clock, const taskGraph *graph, const splitOptions *options,
                      const int *task, baseArena *arena);

// The order that transfers between homes ask for, or without them.
void split_clock_order(splitClock *clock, int has_homes);

// One evaluation; returns when the last task is done.
double split_clock_run(splitClock *clock);

#endif
