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


// the shape of a branch is the kind of its first link and the branches on that
static void find_shapes(familyLink *link, const eqnProgram *p)
{
  for (int i = 0; i < p->nlink; i++) {
    const uint64_t shape = base_hash(BASE_HASH_EMPTY, &p->link_kind[i], sizeof *p->link_kind);
    link[i] = (familyLink){.parent = i > 0 ? p->link_parent[i] : -1, .link = i, .shape = shape};
  }
  for (int i = p->nlink - 1; i > 0; i--) {
    uint64_t *shape = &link[p->link_parent[i]].shape;
    *shape = base_hash(*shape, &link[i].shape, sizeof link[i].shape);
  }
}


// how often the first `period` of n branches come one after another
static int count_repeats(const familyLink *link, int n, int period)
{
  int k = period;
  while (k < n && link[k].shape == link[k - period].shape) k++;
  return k / period;
}


// the period by which most branches repeat, from the first of n on; 0: none
static int best_period(const familyLink *link, int n)
{
  int best = 0, covered = 1;
  for (int period = 1; period <= n / 2 && period <= LONGEST && covered < n; period++) {
    const int repeats = count_repeats(link, n, period);
    if (repeats < 2 || repeats * period <= covered) continue;
    covered = repeats * period;
    best = period;
  }
  return best;
}


// n branches from one on; returns how many of them were joined, one where nothing repeats
static int join_family(familyTree *t, const familyLink *link, int n)
{
  const int period = best_period(link, n);
  if (period == 0) return 1;
  const int repeats = count_repeats(link, n, period);
  t->size[++t->n] = repeats;
  for (int k = 0; k < repeats * period; k++) {
    t->of[link[k].link] = t->n;
    t->copy[link[k].link] = k / period;
  }
  return repeats * period;
}


// links are met with their parents before them: those within a branch belong to it
static void join_children(familyTree *t, const familyLink *link, int n)
{
  const int parent = link->parent;
  if (t->of[parent] == 0) {
    for (int k = 0; k < n;) k += join_family(t, link + k, n - k);
    return;
  }
  for (int k = 0; k < n; k++) {
    t->of[link[k].link] = t->of[parent];
    t->copy[link[k].link] = t->copy[parent];
  }
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
  find_shapes(link, p);
  qsort(link, n, sizeof *link, compare_links);
  for (int k = 1, count; k < p->nlink; k += count) {
    for (count = 1; k + count < p->nlink && link[k + count].parent == link[k].parent;) count++;
    join_children(t, link + k, count);
  }
  return 1;
}
