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
  int which; // unit, or message
} splitStep;

// Values of units of one task that another reads, sent together. Messages of one task to another are received in the
// order in which they are sent.
typedef struct splitMessage {
  int from, to;
  int n, *unit;
} splitMessage;

typedef struct splitSteps {
  int n;
  splitStep *step;
  int units, copies;
  int operations; // with copies
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
  double time;            // of one evaluation, transfers included, in additions
  double ideal;           // the same with transfers that take no time
  int critical;           // operations on the longest way through steps and messages
  int critical_transfers; // messages on the way that has the most
  baseArena arena;
} splitPlan;

void split_plan_free(splitPlan *plan);

// The plan in which each task does its sequences one after the other, and each transfer that is kept is a message,
// with the time that it takes by the options, into *plan; the graph must live longer. Scratch is the transfers' arena's,
// which leaves the work where memory runs out, or tasks wait for one another.
void split_plan_of_transfers(splitPlan **plan, const taskGraph *graph, transferGraph *transfers,
                             const splitOptions *options);

// Find `ideal`, `critical` and `critical_transfers` of a plan whose steps and messages are there. Scratch is the plan's
// arena's, which leaves the work where memory runs out.
void split_plan_measure(splitPlan *plan);

// The time of one evaluation by the options; -1 when tasks wait for one another. Scratch as above.
double split_plan_time(splitPlan *plan, const splitOptions *options);

// Homes by our own search, and their plan; tasks that would have nothing to do are left out. NULL when memory ran out. The
// graph must live longer.
splitPlan *split_create(const taskGraph *graph, const taskMarks *marks,
                        const splitOptions *options);

#endif
