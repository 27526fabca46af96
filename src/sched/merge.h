// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small tasks merged with others, after the thesis of Postiau (2004), 4.3.6.
#ifndef SCHED_MERGE_H
#define SCHED_MERGE_H

#include "sched/transfer.h"

typedef enum mergeKind {
  MERGE_TALKATIVE = 1, // with the task with which it exchanges most transfers
  MERGE_SMALL = 2,     // with the second smallest task
} mergeKind;

// A task is too small when it has less than this part of the mean.
#define MERGE_SMALLEST 0.5

// The two tasks to merge next, the smallest first; 0 when all are large enough, or as few as `count` asks for (0: no
// number is asked for). between[ntask ntask] are transfers from row to column.
int merge_choose(int ntask, const int *size, const int *between, mergeKind kind, int count,
                 int *smallest, int *other);

// Merge tasks of a graph until that is so; orders and groups again after every merge. Returns 0 when memory ran out.
int merge_tasks(transferGraph *graph, mergeKind kind, int count);

#endif
