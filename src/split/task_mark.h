// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Position of nodes in the machine: branches, blocks and sections, and the branches on which they
// depend.
#ifndef SPLIT_TASK_MARK_H
#define SPLIT_TASK_MARK_H

#include <stdint.h>

#include "split/task.h"

//---- branches ------------------------------------------------------------------------------------
//
// Branches of a tree, and their groups by the blocks of its loops: the tasks that the thesis of
// Postiau (2004) derives from the tree and the Jacobian alone, before any equation (4.3.1, 4.3.2).

// A branch is a maximal chain of bodies without a fork: its last body has no child or several, and
// its first body is attached to ground or to the last body of another branch. Branches are numbered
// from 1, parents before children.
typedef struct branchTree {
  int n;       // branches
  int *parent; // [n + 1] parent branch, 0: ground
  int nbody;   //
  int *of;     // [nbody + 1] branch of each body, of[0] = 0
} branchTree;

// Find them from the parents of bodies 1 .. nbody, parent < child. Allocates from the arena, which
// throws when memory runs out.
void branch_find(branchTree *tree, int nbody, const int *parent, baseArena *arena);

// Groups are the connected components of branches and blocks; a branch and a block are connected if
// they share a coordinate. A branch without a block is free: it joins the group of its parent if it
// is the first free child there, else it starts a new group. Group 0 contains the first branch on
// ground; then come the groups of blocks in the order of their first blocks, then the groups of
// free branches.
typedef struct branchGroups {
  int n;
  int *of_branch; // [branches + 1]
  int *of_block;  // [blocks + 1]
} branchGroups;

// touches[(branch - 1) * nblock + block - 1]: do they share a coordinate? parent[branches + 1].
void branch_group(branchGroups *groups, int nbranch, const int *parent, int nblock,
                  const unsigned char *touches, baseArena *arena);

//---- marks ---------------------------------------------------------------------------------------

typedef struct taskMarks {
  branchTree tree;
  branchGroups groups;
  int nblock;
  int *block_of;     // [links] the block that determines the coordinates of a link, 0: none
  uint64_t *depends; // [nodes] bit set of the branches whose coordinates a node depends on
  baseArena arena;
} taskMarks;

// Assign the six fields of every node. Returns 0 when memory ran out; call task_marks_free in any
// case.
int task_mark(taskGraph *graph, taskMarks *marks);
void task_marks_free(taskMarks *marks);

#endif
