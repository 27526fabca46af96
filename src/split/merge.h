// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small tasks merged with others, after the thesis of Postiau (2004), 4.3.6.
#ifndef SPLIT_MERGE_H
#define SPLIT_MERGE_H

#include "split/transfer.h"

typedef enum mergeKind {
  MERGE_TALKATIVE = 1, // with the task with which it exchanges most transfers
  MERGE_SMALL = 2,     // with the second smallest task
} mergeKind;

// The k of the thesis: a task with less than this part of the mean is too small.
#define MERGE_SMALLEST 0.5

typedef struct mergeRule {
  mergeKind kind;
  double smallest; // k
  int count;       // then no more tasks than that, 0: as many as are left
} mergeRule;

// The two tasks to merge next, the smallest first; 0 when there are no more than `count`, or, if that is 0, none has less
// than the part k of the mean or nothing at all. between[ntask ntask] are transfers from row to column.
int merge_choose(int ntask, const int *size, const int *between, const mergeRule *rule,
                 int *smallest, int *other);

// Merge tasks of a graph that are too small, then others until there are no more than the rule says, ordered and grouped
// again after every merge; two tasks keep the smaller of their numbers.
void merge_tasks(transferGraph *graph, const mergeRule *rule);

#endif
