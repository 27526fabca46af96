// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Methods of partitioning: our own search, and the methods in chapter 4 of the thesis of Postiau
// (2004).
#ifndef SPLIT_SPLIT_WAY_H
#define SPLIT_SPLIT_WAY_H

#include "split/split_plan.h"

typedef enum splitWay {
  SPLIT_SEARCH,
  SPLIT_THESIS, // groups of branches and blocks; small ones are merged with the second smallest
  SPLIT_TALK,   // the same; merged with the one with which they exchange most
  SPLIT_GRID,   // sequences assigned on a grid
  // as SPLIT_THESIS, then sequences are moved one by one while the critical path gets shorter
  SPLIT_MOVED,
  SPLIT_WAYS
} splitWay;

const char *split_way_name(splitWay way);

typedef struct splitChoice {
  splitWay way;
  int tasks; // 1 .. SPLIT_TASKS; 0: as many groups as are large enough; other methods: 2
  // cost of a message in additions; NAN: measured value, or zero for the methods of the thesis
  double transfer;
  double smallest; // k of the thesis
  // [nprototype] task of each group that has work, from 0; NULL: merge automatically
  const int *gathered;
} splitChoice;

// Our own search, with measured communication costs.
splitChoice split_default_choice(int tasks);

// A method with the given number of tasks; 0: as many as are large enough if groups are merged,
// else 2.
splitChoice split_choice_by(splitWay way, int tasks);

// Explains why there are fewer tasks than requested, for a machine with this many groups that have
// work.
const char *split_fewer_reason(const splitChoice *choice, int groups);

// Does the method merge groups (and use `smallest` and `gathered`)?
int split_way_merges(splitWay way);

// Parse the assignment of n groups to tasks, "0,4/1,2,3": each group once, commas between groups of
// a task and '/' between tasks. Writes task[n]; tasks are numbered by their smallest group, so that
// group 0 is in task 0. `who` is the option named in messages.
artStatus split_gather(const char *text, const char *who, int n, int *task, int *tasks,
                       artError *error);

// Communication costs for a choice.
splitOptions split_options_of(const splitChoice *choice);

typedef struct splitMade {
  splitPlan *plan;
  transferGraph *transfers; // for the methods of the thesis, else NULL
} splitMade;

// Returns 0 when memory ran out; call split_free in any case. The graph must outlive it.
int split_make(splitMade *made, const taskGraph *graph, const taskMarks *marks,
               const splitChoice *choice);
void split_free(splitMade *made);

#endif
