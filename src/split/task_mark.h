// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where units belong: branches and blocks, sections, and on which branches they depend.
#ifndef SPLIT_TASK_MARK_H
#define SPLIT_TASK_MARK_H

#include <stdint.h>

#include "split/task.h"

//---- branches ------------------------------------------------------------------------------------
//
// Branches of a tree, and their groups by the blocks of its loops: tasks as the thesis of Postiau (2004) finds
// them ahead of any equation, from the tree and from the Jacobian alone (4.3.1, 4.3.2).

// A branch is a longest run of bodies without a fork: its last body has no child or several, and its first hangs
// on ground or on the last of another branch. Branches are counted from 1, parents before children.
typedef struct branchTree {
  int n;       // branches
  int *parent; // [n + 1] of a branch, 0: ground
  int nbody;   //
  int *of;     // [nbody + 1] the branch of a body, of[0] = 0
} branchTree;

// Find them from the parents of bodies 1 .. nbody, parent < child; its memory is the arena's, which leaves the work
// where memory runs out.
void branch_find(branchTree *tree, int nbody, const int *parent, baseArena *arena);

// Groups of branches and blocks: a group hangs together where a branch and a block share a coordinate.
// Branches without a block are free: each goes to the group of its parent if it is the first free child there,
// else it begins a new group. Group 0 has the first branch on ground, the groups of blocks follow in the
// order of their first blocks, then the groups of free branches.
typedef struct branchGroups {
  int n;
  int *of_branch; // [branches + 1]
  int *of_block;  // [blocks + 1]
} branchGroups;

// touches[(branch - 1) * nblock + block - 1]: whether they share a coordinate. parent[branches + 1].
void branch_group(branchGroups *groups, int nbranch, const int *parent, int nblock,
                  const unsigned char *touches, baseArena *arena);

//---- marks ---------------------------------------------------------------------------------------

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
