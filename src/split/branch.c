// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Branches of a tree, and their groups.
#include "split/branch.h"

//---- branches ------------------------------------------------------------------------------------

void branch_find(branchTree *tree, int nbody, const int *parent, baseArena *arena)
{
  int *children;
  tree->nbody = nbody;
  tree->n = 0;
  ARENA_TAKE(arena, children, nbody + 1);
  ARENA_TAKE(arena, tree->of, nbody + 1);
  ARENA_TAKE(arena, tree->parent, nbody + 1);
  for (int i = 1; i <= nbody; i++) children[parent[i]]++;
  for (int i = 1; i <= nbody; i++) {
    const int p = parent[i];
    if (p > 0 && children[p] == 1) {
      tree->of[i] = tree->of[p];
    } else {
      tree->of[i] = ++tree->n;
      tree->parent[tree->n] = tree->of[p];
    }
  }
}

//---- groups --------------------------------------------------------------------------------------

// a component of the graph of branches and blocks gets a number, beginning with a block
static void spread(branchGroups *g, int nbranch, int nblock, const unsigned char *touches,
                   int block, int group)
{
  g->of_block[block] = group;
  for (int i = 1; i <= nbranch; i++) {
    if (!touches[(i - 1) * nblock + block - 1]) continue;
    g->of_branch[i] = group;
    for (int k = 1; k <= nblock; k++) {
      if (touches[(i - 1) * nblock + k - 1] && g->of_block[k] < 0) {
        spread(g, nbranch, nblock, touches, k, group);
      }
    }
  }
}


// without a free branch on ground there is no group 0: the others move up
static void close_gap(branchGroups *g, int nbranch, int nblock)
{
  for (int i = 1; i <= nbranch; i++) {
    if (g->of_branch[i] == 0) return;
  }
  for (int i = 1; i <= nbranch; i++) g->of_branch[i]--;
  for (int k = 1; k <= nblock; k++) g->of_block[k]--;
  g->n--;
}


void branch_group(branchGroups *g, int nbranch, const int *parent, int nblock,
                  const unsigned char *touches, baseArena *arena)
{
  unsigned char *has_child;
  g->n = 1;
  ARENA_TAKE(arena, has_child, nbranch + 1);
  ARENA_TAKE(arena, g->of_branch, nbranch + 1);
  ARENA_TAKE(arena, g->of_block, nblock + 1);
  for (int i = 1; i <= nbranch; i++) g->of_branch[i] = -1;
  for (int k = 1; k <= nblock; k++) g->of_block[k] = -1;
  for (int k = 1; k <= nblock; k++) {
    if (g->of_block[k] < 0) spread(g, nbranch, nblock, touches, k, g->n++);
  }

  // the thesis, 4.3.2
  int has_first = 0;
  for (int i = 1; i <= nbranch; i++) {
    if (g->of_branch[i] >= 0) continue;
    const int h = parent[i];
    if (h == 0 && !has_first) {
      has_first = 1;
      g->of_branch[i] = 0;
    } else if (h == 0 || has_child[h]) {
      g->of_branch[i] = g->n++;
    } else {
      has_child[h] = 1;
      g->of_branch[i] = g->of_branch[h];
    }
  }

  if (nbranch > 0) close_gap(g, nbranch, nblock);
}
