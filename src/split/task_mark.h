// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where units belong: branches and blocks, sections, and on which branches they depend.
#ifndef SPLIT_TASK_MARK_H
#define SPLIT_TASK_MARK_H

#include <stdint.h>

#include "split/branch.h"
#include "split/task.h"

typedef struct taskMarks {
  branchTree tree;
  branchGroups groups;
  int nblock;
  int *block_of;     // [links] the block that finds the coordinates of a link, 0: none
  uint64_t *depends; // [units] the branches whose coordinates a unit depends on
  baseArena arena;
} taskMarks;

// Give every unit its six fields. Returns 0 when memory ran out; free the marks in any case.
int task_mark(taskGraph *graph, taskMarks *marks);
void task_marks_free(taskMarks *marks);

#endif
