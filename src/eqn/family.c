// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Repeated branches.
#include "eqn/family.h"

#include <stdlib.h>

#include "base/hash.h"

enum { MAX_PERIOD = 64 }; // maximum number of branches of one member

typedef struct familyLink {
  int parent, link;
  uint64_t shape;
} familyLink;


// children of one link are adjacent, in order
static int compare_links(const void *a, const void *b)
{
  const familyLink *x = a, *y = b;
  return x->parent != y->parent ? x->parent - y->parent : x->link - y->link;
}


// find the period by which most of the next n branches repeat, and join them to a family; returns
// the number of branches consumed, 1 if nothing repeats
static int join_family(familyTree *t, const familyLink *link, int n)
{
  ART_ASSERT(n > 0);
  int period = 0, covered = 1;
  for (int p = 1; p <= n / 2 && p <= MAX_PERIOD && covered < n; p++) {
    // how many times the first `period` of n branches repeat consecutively
    ART_ASSERT(p > 0 && p <= n);
    int k = p;
    while (k < n && link[k].shape == link[k - p].shape) k++;
    const int repeats = k / p;
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


void family_find(familyTree *t, const eqnProgram *p, baseArena *arena)
{
  const size_t n = (size_t) p->nlink;
  *t = (familyTree){0};
  familyLink *link = arena_alloc(arena, n + 1, sizeof *link);
  ARENA_TAKE(arena, t->size, n + 1);
  ARENA_TAKE(arena, t->of, n + 1);
  ARENA_TAKE(arena, t->copy, n + 1);

  // the shape of a branch: the kind of its first link and the shapes of its child branches
  for (int i = 0; i < p->nlink; i++) {
    const uint64_t shape = base_hash(BASE_HASH_EMPTY, &p->link_kind[i], sizeof *p->link_kind);
    link[i] = (familyLink){.parent = i > 0 ? p->link_parent[i] : -1, .link = i, .shape = shape};
  }
  for (int i = p->nlink - 1; i > 0; i--) {
    uint64_t *shape = &link[p->link_parent[i]].shape;
    *shape = base_hash(*shape, &link[i].shape, sizeof link[i].shape);
  }

  // parents come first; families within a branch are part of it
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
}

//---- nodes ---------------------------------------------------------------------------------------

void family_open_nodes(familyNodes *x, size_t n, baseArena *arena)
{
  ARENA_TAKE(arena, x->family, n);
  ARENA_TAKE(arena, x->copy, n);
  ARENA_TAKE(arena, x->colour, n);
}


// a node that depends on two branches belongs to none
void family_find_branch(familyNodes *x, int node)
{
  const exprOp op = x->pool->nodes[node].op;
  const int link = eqn_link_of(x->program, x->pool, node);
  x->family[node] = x->tree->of[link];
  x->copy[node] = x->tree->copy[link];
  if (op == EXPR_CALL || op == EXPR_ELEMENT) return;
  for (int k = 0; k < expr_argument_count(x->pool, node); k++) {
    const int a = expr_argument(x->pool, node, k), other = x->family[a];
    if (other == 0) continue;
    if (x->family[node] > 0 && (x->family[node] != other || x->copy[node] != x->copy[a])) {
      x->family[node] = 0;
      return;
    }
    x->family[node] = other;
    x->copy[node] = x->copy[a];
  }
}


uint64_t family_mix(uint64_t hash, uint64_t x)
{
  return base_hash(hash, &x, sizeof x);
}


// independent of the order of arguments for sums and products
uint64_t family_colour(const familyNodes *x, int node)
{
  const exprOp op = x->pool->nodes[node].op;
  const uint64_t hash = family_mix(BASE_HASH_EMPTY, (uint64_t) op);
  if (x->family[node] == 0) return family_mix(hash, (uint64_t) node);
  uint64_t sum = 0, chain = hash;
  for (int k = 0; k < expr_argument_count(x->pool, node); k++) {
    const uint64_t c = x->colour[expr_argument(x->pool, node, k)];
    sum += family_mix(hash, c);
    chain = family_mix(chain, c);
  }
  return op == EXPR_ADD || op == EXPR_MUL ? sum : chain;
}

//---- members -------------------------------------------------------------------------------------

familyMember family_member(const familyNodes *x, int node)
{
  return (familyMember){x->family[node], x->copy[node], node, x->colour[node]};
}


static int compare_members(const void *a, const void *b)
{
  const familyMember *x = a, *y = b;
  if (x->family != y->family) return x->family - y->family;
  if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
  return x->copy != y->copy ? x->copy - y->copy : x->node - y->node;
}


void family_sort_members(int n, familyMember *member)
{
  qsort(member, (size_t) n, sizeof *member, compare_members);
}


int family_count_alike(const familyMember *m, int n)
{
  ART_ASSERT(n > 0);
  int k = 1;
  while (k < n && m[k].family == m->family && m[k].colour == m->colour) k++;
  return k;
}
