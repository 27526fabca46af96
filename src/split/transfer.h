// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sequences and transfers, after the thesis of Postiau (2004), 4.3.3 to 4.3.5: equations with the same section,
// sequence, block and task are one sequence; values that one reads of another are one transfer. Costs are
// numbers of operations, and transfers take no time unless it is said.
#ifndef SPLIT_TRANSFER_H
#define SPLIT_TRANSFER_H

#include "split/task_mark.h"

typedef struct transferSequence {
  int task;
  int operations;
  int asap, alap; // steps, counted from 1
  int position;   // within its task
  int is_fixed;   // in task 0: it calls functions of the user, or holds the results
} transferSequence;

typedef struct transferArc {
  int from, to; // sequences
  int is_kept;  // after grouping: its data go with another transfer if not
} transferArc;

typedef struct transferGraph {
  int ntask;
  int transfer; // operations that one between tasks takes; 0 in the thesis
  int n;
  transferSequence *sequence; // parents before children
  int narc;
  transferArc *arc;
  int *order;     // [n] sequences by latest, then by earliest step: the order within tasks
  int *of;        // [units of the graph] the sequence of a unit
  int ngroup;     // of branches and blocks
  int *prototype; // [ngroup] the task of a group ahead of any merging, -1: it has nothing to do
  int nprototype; //
  baseArena arena;
} transferGraph;

typedef struct transferMeasures {
  int operations;         // of all sequences
  int critical;           // on the longest way, through transfers and the order within tasks
  int timed;              // the same with the operations that transfers take
  int critical_transfers; // between tasks, on the way that has the most
  double speedup, rate;   // operations / critical; that per task
  int transfers, kept;    // between tasks, before and after grouping
  int *size, *out, *in,
      *between; // [ntask], and [ntask ntask] from row to column, those that are kept
} transferMeasures;

// Sequences of a marked graph, by the groups of the marks that have something to do. NULL when memory ran out.
transferGraph *transfer_create(const taskGraph *graph, int ngroup);
void transfer_free(transferGraph *graph);

// Whoever changes a graph lets its arena leave the work where memory runs out.

// Steps, and the order within tasks.
void transfer_schedule(transferGraph *graph);

// Tasks without a sequence are dropped, those behind them move up; then the order again.
void transfer_close_gaps(transferGraph *graph);

// Group transfers from one task to another: with a common origin they go with the first, with a common
// destination with the last, and those that cross with the one inside.
void transfer_group(transferGraph *graph);

// Measures of the graph as it is; arrays are the graph's. Returns 0 when memory ran out.
int transfer_measure(transferGraph *graph, transferMeasures *measures);

// Deal the sequences out to a number of tasks in the order of their steps, on a grid in which each takes a row:
// preferably to the task with most of its parents (4.3.7).
void transfer_deal(transferGraph *graph, int ntask);

// Move sequences one by one to other tasks as long as the longest way, transfers included, becomes shorter.
void transfer_move(transferGraph *graph);

//---- small tasks merged with others (4.3.6) -------------------------------------------------------

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
