// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A plan: the steps of each task, and the messages between tasks.
#ifndef SPLIT_SPLIT_PLAN_H
#define SPLIT_SPLIT_PLAN_H

#include "split/split.h"
#include "split/transfer.h"

typedef enum splitStepKind { STEP_COMPUTE, STEP_COPY, STEP_SEND, STEP_RECEIVE } splitStepKind;

typedef struct splitStep {
  splitStepKind kind;
  int which; // index of the node or the message
} splitStep;

// Values of nodes of one task that another task reads, sent together. Messages between two tasks
// are received in the order in which they are sent.
typedef struct splitMessage {
  int from, to;
  int n, *unit;
} splitMessage;

typedef struct splitSteps {
  int n;
  splitStep *step;
  int units, copies;
  int operations; // including copies
  double cost;
} splitSteps;

static inline void split_put_step(splitSteps *s, splitStepKind kind, int which)
{
  s->step[s->n++] = (splitStep){kind, which};
}

typedef struct splitPlan {
  const taskGraph *graph;
  int tasks;
  int *task;         // [graph->n] homes
  splitSteps *steps; // [tasks]
  int nmessage;
  splitMessage *message;
  double time;            // of one evaluation including communication, in additions
  double ideal;           // the same without communication costs
  int critical;           // operations on the critical path through steps and messages
  int critical_transfers; // messages on the path with the most messages
  baseArena arena;
} splitPlan;

void split_plan_free(splitPlan *plan);

// Create the plan *plan in which each task runs its sequences in order and each kept transfer is a
// message, with its time for these options. The graph must outlive it. Temporary memory comes from
// the arena of the transfers; throws when memory runs out or tasks deadlock.
void split_plan_of_transfers(splitPlan **plan, const taskGraph *graph, transferGraph *transfers,
                             const splitOptions *options);

// Compute `ideal`, `critical` and `critical_transfers` of a plan with steps and messages. Temporary
// memory comes from the arena of the plan, which throws when memory runs out.
void split_plan_measure(splitPlan *plan);

// Time of one evaluation for the options; -1 on deadlock. Memory as above.
double split_plan_time(splitPlan *plan, const splitOptions *options);

// Partition the graph by our own search and create the plan; tasks without work are omitted. NULL
// when memory ran out. The graph must outlive it.
splitPlan *split_create(const taskGraph *graph, const taskMarks *marks,
                        const splitOptions *options);

#endif
