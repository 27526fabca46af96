// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Branches that repeat.
#include "eqn/family.h"

#include <stdlib.h>

#include "base/hash.h"

enum { LONGEST = 64 }; // branches of one member

typedef struct familyLink {
  int parent, link;
  uint64_t shape;
} familyLink;


// children of one link behind each other, in their order
static int compare_links(const void *a, const void *b)
{
  const familyLink *x = a, *y = b;
  return x->parent != y->parent ? x->parent - y->parent : x->link - y->link;
}


// how often the first `period` of n branches come one after another
static int count_repeats(const familyLink *link, int n, int period)
{
  int k = period;
  while (k < n && link[k].shape == link[k - period].shape) k++;
  return k / period;
}


// n branches from one on, by the period by which most of them repeat; returns how many were joined, one where nothing repeats
static int join_family(familyTree *t, const familyLink *link, int n)
{
  int period = 0, covered = 1;
  for (int p = 1; p <= n / 2 && p <= LONGEST && covered < n; p++) {
    const int repeats = count_repeats(link, n, p);
    if (repeats < 2 || repeats * p <= covered) continue;
    covered = repeats * p;
    period = p;
  }
  if (period == 0) return 1;
  t->size[++t->n] = covered / period;
  for (int k = 0; k < covered; k++) {
    t->of[link[k].link] = t->n;
    t->copy[link[k].link] = k / period;
  }
  return covered;
}


int family_find(familyTree *t, const eqnProgram *p, baseArena *arena)
{
  const size_t n = (size_t) p->nlink;
  *t = (familyTree){0};
  familyLink *link = arena_alloc(arena, n + 1, sizeof *link);
  t->size = arena_alloc(arena, n + 1, sizeof *t->size);
  t->of = arena_alloc(arena, n + 1, sizeof *t->of);
  t->copy = arena_alloc(arena, n + 1, sizeof *t->copy);
  if (!link || !t->size || !t->of || !t->copy) return 0;

  // the shape of a branch is the kind of its first link and the branches on that
  for (int i = 0; i < p->nlink; i++) {
    const uint64_t shape = base_hash(BASE_HASH_EMPTY, &p->link_kind[i], sizeof *p->link_kind);
    link[i] = (familyLink){.parent = i > 0 ? p->link_parent[i] : -1, .link = i, .shape = shape};
  }
  for (int i = p->nlink - 1; i > 0; i--) {
    uint64_t *shape = &link[p->link_parent[i]].shape;
    *shape = base_hash(*shape, &link[i].shape, sizeof link[i].shape);
  }

  // links are met with their parents before them: those within a branch belong to it
  qsort(link, n, sizeof *link, compare_links);
  for (int k = 1, count; k < p->nlink; k += count) {
    for (count = 1; k + count < p->nlink && link[k + count].parent == link[k].parent;) count++;
    const int parent = link[k].parent;
    for (int i = k; t->of[parent] == 0 && i < k + count;)
      i += join_family(t, link + i, k + count - i);
    for (int i = k; t->of[parent] > 0 && i < k + count; i++) {
      t->of[link[i].link] = t->of[parent];
      t->copy[link[i].link] = t->copy[parent];
    }
  }
  return 1;
}
