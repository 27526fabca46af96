// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Branches of a tree: parts that meet nowhere but at the base they stand on, so that recursions go
// through them side by side. Which parts these are follows from the tree alone.
#ifndef METHOD_BRANCHES_H
#define METHOD_BRANCHES_H

#include "tree/tree.h"

// links from first to before end: the root, then all that it carries
typedef struct treeBranch {
  int first, end;
  int inner; // first link whose joint belongs to the branch: the root where it stands on ground, else the
             // one after it; then the joint of the root is the base's
} treeBranch;

typedef struct treeBranches {
  int n;
  treeBranch *branch; // in the order of links
  int nbase;
  int *
      base; // links between ground and branches, and roots of branches that stand on them, in order
  int *of;  // [links] branch of a link, -1 for ground and other links of the base
} treeBranches;

// Branches stand on ground, and where one of them would be more than a quarter of the tree and parts
// further out, on the links up to there. 0 when memory ran out.
int branches_find(treeBranches *b, const treeModel *t, baseArena *arena);

// Deal the branches to workers so that the dearest share is cheap: worker[branch] for cost[branch], the
// dearest first, each to who has least. load is of as many numbers as there are workers.
void branches_deal(int n, const double *cost, int workers, double *load, int *worker);

#endif
