// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Partition of a task graph into tasks that run in parallel.
//
// Costs are in units of one addition. A value computed in one task can be read in another after
// `latency`; each message costs its receiver `message`, each value in it costs its sender `write`
// and its receiver `read`. Cheap nodes whose inputs are available are recomputed instead of waited
// for. The search evaluates the resulting time at every move.
#ifndef SPLIT_SPLIT_H
#define SPLIT_SPLIT_H

#include "split/task_mark.h"

enum { SPLIT_TASKS = 64 };

typedef struct splitOptions {
  int tasks;      // 1 .. SPLIT_TASKS
  double latency; // from the end of a node to its use in another task
  double message; // cost of a message to its receiver
  double write;   // cost of each value in it to the sending task
  double read;    // and to the receiving task
  int moves;      // number of moves of the search
  unsigned seed;  // of the random numbers of the search
} splitOptions;

// Communication costs measured on two cores of a Neoverse N1 (bench/parallel).
splitOptions split_default_options(int tasks);

// Communication without cost, as assumed in the thesis.
splitOptions split_free_options(int tasks);

// Writes the home task of every node, task[graph->n]; calls of user functions and the results are
// in task 0. The search allocates from the arena, which throws when memory runs out.
void split_assign(const taskGraph *graph, const taskMarks *marks, const splitOptions *options,
                  int *task, baseArena *arena);

//---- the clock -----------------------------------------------------------------------------------

// Callbacks for the events of each task, in order; NULL: ignored.
typedef struct splitEvents {
  void *context;
  void (*compute)(void *context, int task, int unit, int is_copy, double end);
  void (*wait)(void *context, int task,
               int from); // a new message; the values received next belong to it
  void (*receive)(void *context, int task, int from, int unit);
} splitEvents;

// Simulates the tasks over one evaluation.
typedef struct splitClock {
  const taskGraph *graph;
  const splitOptions *options;
  const int *task; // [n] home task of each node
  // [n] nodes by the cost of everything that depends on them, largest first
  int *order;
  double *end;             // [n] completion time of a node at home
  uint64_t *at_hand;       // [n] bit t: the value is available in task t
  double now[SPLIT_TASKS]; // time until which each task is busy
  // [to][from] values computed until then have been received
  double received[SPLIT_TASKS][SPLIT_TASKS];
  const splitEvents *events;
  baseArena *arena;
} splitClock;

// Allocate from the arena; order the nodes without communication costs.
void split_clock_open(splitClock *clock, const taskGraph *graph, const splitOptions *options,
                      const int *task, baseArena *arena);

// Order the nodes with the communication between homes, or without.
void split_clock_order(splitClock *clock, int has_homes);

// Simulate one evaluation; returns the completion time of the last task.
double split_clock_run(splitClock *clock);

#endif
