// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sequences and transfers, after the thesis of Postiau (2004), 4.3.3 to 4.3.5: equations with the
// same section, sequence, block and task form one sequence; the values that one sequence reads from
// another form one transfer. Costs are numbers of operations; transfers take no time unless noted.
#ifndef SPLIT_TRANSFER_H
#define SPLIT_TRANSFER_H

#include "split/task_mark.h"

typedef struct transferSequence {
  int task;
  int operations;
  int asap, alap; // earliest and latest step, counted from 1
  int position;   // within its task
  int is_fixed;   // must be in task 0: it calls user functions or contains the results
} transferSequence;

typedef struct transferArc {
  int from, to; // sequences
  int is_kept;  // after grouping: if not kept, its data travel with another transfer
} transferArc;

typedef struct transferGraph {
  int ntask;
  int transfer; // cost of a transfer between tasks, in operations; 0 in the thesis
  int n;
  transferSequence *sequence; // parents before children
  int narc;
  transferArc *arc;
  int *order;     // [n] sequences by latest, then by earliest step: their order within tasks
  int *of;        // [nodes of the graph] the sequence of a node
  int ngroup;     // of branches and blocks
  int *prototype; // [ngroup] task of a group before merging, -1: it has no work
  int nprototype; //
  baseArena arena;
} transferGraph;

typedef struct transferMeasures {
  int operations;         // of all sequences
  int critical;           // on the critical path, through transfers and the order within tasks
  int timed;              // the same, including the cost of transfers
  int critical_transfers; // between tasks, on the path with the most of them
  double speedup, rate;   // speedup: operations / critical; rate: the same per task
  int transfers, kept;    // between tasks, before and after grouping
  int *size, *out, *in,
      *between; // [ntask]; [ntask ntask] from row to column, kept transfers only
} transferMeasures;

// Create the sequences of a marked graph; tasks are the groups that have work. NULL when memory ran
// out.
transferGraph *transfer_create(const taskGraph *graph, int ngroup);
void transfer_free(transferGraph *graph);

// The functions that modify a graph require that its arena throws when memory runs out.

// Compute steps, and the order within tasks.
void transfer_schedule(transferGraph *graph);

// Remove tasks without a sequence and renumber the rest; then order again.
void transfer_close_gaps(transferGraph *graph);

// Group transfers from one task to another: those with a common origin travel with the first one,
// those with a common destination with the last one, and crossing ones with the inner one.
void transfer_group(transferGraph *graph);

// Measure the present graph; the arrays belong to the graph. Returns 0 when memory ran out.
int transfer_measure(transferGraph *graph, transferMeasures *measures);

// Assign the sequences to a number of tasks in the order of their steps, on a grid in which each
// takes a cell; each preferably goes to the task of most of its parents (4.3.7).
void transfer_deal(transferGraph *graph, int ntask);

// Move sequences one by one to other tasks as long as the critical path, including transfers, gets
// shorter.
void transfer_move(transferGraph *graph);

//---- merging of small tasks (4.3.6) --------------------------------------------------------------

typedef enum mergeKind {
  MERGE_TALKATIVE = 1, // merge with the task with which it exchanges most transfers
  MERGE_SMALL = 2,     // merge with the second smallest task
} mergeKind;

// k of the thesis: a task with less than this fraction of the mean work is too small.
#define MERGE_SMALLEST 0.5

typedef struct mergeRule {
  mergeKind kind;
  double smallest; // k
  int count;       // afterwards merge until there are at most this many tasks; 0: no limit
} mergeRule;

// Choose the two tasks to merge next, the smallest first. Returns 0 when there are at most `count`
// tasks, or, if count is 0, when no task is empty or below the fraction k of the mean.
// between[ntask ntask]: transfers from row to column.
int merge_choose(int ntask, const int *size, const int *between, const mergeRule *rule,
                 int *smallest, int *other);

// Merge tasks that are too small, then others until the limit of the rule is met; orders and groups
// again after every merge. Merged tasks keep the smaller number.
void merge_tasks(transferGraph *graph, const mergeRule *rule);

#endif
