// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Branches of a tree, found in one pass over its links, which lie depth first.
#include "method/recursive_work.h"

// a branch that is more than one part in so many of the tree is parted further out, if it can be
enum { SHARE = 4 };


// the first link from i on that carries several others side by side, or the last one
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

  // links that each link carries, itself included, and how many of them stand on it
  for (int i = t->n - 1; i > 0; i--) {
    size[i]++;
    size[t->link[i].parent] += size[i];
    children[t->link[i].parent]++;
  }

  b->of[0] = -1;
  for (int i = 1; i < t->n;) {
    const int last = branch_parting(children, i);
    if (children[last] < 2 || size[i] * SHARE <= t->n) {
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
