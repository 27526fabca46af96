// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ways to make tasks: our own search, and the ways of the thesis of Postiau (2004), chapter 4.
#ifndef SPLIT_SPLIT_WAY_H
#define SPLIT_SPLIT_WAY_H

#include "split/split_plan.h"

typedef enum splitWay {
  SPLIT_SEARCH,
  SPLIT_THESIS, // groups of branches and blocks; small ones are merged with the second smallest
  SPLIT_TALK,   // the same; they are merged with the one with which they exchange most
  SPLIT_GRID,   // sequences dealt out on a grid
  SPLIT_MOVED, // as SPLIT_THESIS, then sequences move one by one while the longest way becomes shorter
  SPLIT_WAYS
} splitWay;

const char *split_way_name(splitWay way);

typedef struct splitChoice {
  splitWay way;
  int tasks; // 1 .. SPLIT_TASKS; 0: as many as are large enough, of groups, else 2
  double
      transfer; // what a message takes, in additions; NAN: as measured, and nothing by the thesis
  double smallest; // k of the thesis
  const int *
      gathered; // [nprototype] the task of each group that has something to do, from 0 on; NULL: merge
} splitChoice;

// By our own search, with transfers as measured.
splitChoice split_default_choice(int tasks);

// A way with as many tasks as are asked for; 0: as many as are large enough where groups are merged, else 2.
splitChoice split_choice_by(splitWay way, int tasks);

// Why there are fewer tasks than a choice asks for, of a machine with so many groups that have something to do.
const char *split_fewer_reason(const splitChoice *choice, int groups);

// Does a way merge groups, so that `smallest` and `gathered` count?
int split_way_merges(splitWay way);

// Read which of n groups make up a task, "0,4/1,2,3": each group once, with commas between groups of a task and '/' between
// tasks. task[n]; tasks are numbered by the smallest of their groups, so that group 0 is in task 0. Messages name `who`
// asks for it.
artStatus split_gather(const char *text, const char *who, int n, int *task, int *tasks,
                       artError *error);

// The costs of transfers by a choice.
splitOptions split_options_of(const splitChoice *choice);

typedef struct splitMade {
  splitPlan *plan;
  transferGraph *transfers; // of the thesis's ways, else NULL
} splitMade;

// Returns 0 when memory ran out; free in any case. The graph must live longer.
int split_make(splitMade *made, const taskGraph *graph, const taskMarks *marks,
               const splitChoice *choice);
void split_free(splitMade *made);

#endif
