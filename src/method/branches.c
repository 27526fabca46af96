// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Branches of a tree, found in one pass over its links, which are in depth-first order.
#include "method/recursive_work.h"

// split a branch that is larger than 1/MAX_BRANCH_PART of the tree, if possible
enum { MAX_BRANCH_PART = 4 };


// the first link from i on with several children, or the last link of the chain
static int branch_parting(const int *children, int i)
{
  while (children[i] == 1) i++;
  return i;
}


int branches_find(treeBranches *b, const treeModel *t, baseArena *arena)
{
  const size_t links = (size_t) t->n;
  int *size = arena_alloc(arena, links, sizeof *size);
  int *children = arena_alloc(arena, links, sizeof *children);
  const int taken = size && children && ARENA_TAKE(arena, b->branch, links) &&
                    ARENA_TAKE(arena, b->base, links) && ARENA_TAKE(arena, b->of, links);
  if (!taken) return 0;

  // links of each subtree including its root, and children of each link
  for (int i = t->n - 1; i > 0; i--) {
    size[i]++;
    size[t->link[i].parent] += size[i];
    children[t->link[i].parent]++;
  }

  b->of[0] = -1;
  for (int i = 1; i < t->n;) {
    const int last = branch_parting(children, i);
    if (children[last] < 2 || size[i] * MAX_BRANCH_PART <= t->n) {
      const int end = i + size[i], is_grounded = t->link[i].parent == 0;
      if (!is_grounded) b->base[b->nbase++] = i;
      for (int k = i; k < end; k++) b->of[k] = b->n;
      b->branch[b->n++] = (treeBranch){i, end, is_grounded ? i : i + 1};
      i = end;
      continue;
    }
    for (; i <= last; i++) {
      b->base[b->nbase++] = i;
      b->of[i] = -1;
    }
  }
  return 1;
}


void branches_deal(int n, const double *cost, int workers, double *load, int *worker)
{
  ART_ASSERT(n >= 0 && workers >= 1);
  for (int w = 0; w < workers; w++) load[w] = 0;
  for (int i = 0; i < n; i++) worker[i] = -1;
  for (int dealt = 0; dealt < n; dealt++) {
    int dearest = -1, least = 0;
    for (int i = 0; i < n; i++) {
      if (worker[i] < 0 && (dearest < 0 || cost[i] > cost[dearest])) dearest = i;
    }
    for (int w = 1; w < workers; w++) {
      if (load[w] < load[least]) least = w;
    }
    worker[dearest] = least;
    load[least] += cost[dearest];
  }
}
