// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Subtrees of a machine, and the position of expressions among them.
#include "eqn/subtree.h"


//---- subtrees ------------------------------------------------------------------------------------

static int subtree_link_of(const subtreeMap *t, int node)
{
  return eqn_link_of(t->program, t->pool, node);
}


// While subtrees are merged, each has the number of its first link.
static void join_subtrees(subtreeMap *t, int subtree, int other)
{
  const int first = subtree < other ? subtree : other;
  for (int i = 0; i < t->program->nlink; i++) {
    if (t->subtree[i] == subtree || t->subtree[i] == other) t->subtree[i] = first;
  }
}


// Subtrees merged by loops may be attached to several subtrees, or to one that is attached to them.
// Merge these until each is attached to exactly one.
static int join_carriers(subtreeMap *t, const int *parent_of)
{
  for (int i = 0; i < t->program->nlink; i++) t->parent[i] = -1;
  for (int i = 1; i < t->program->nlink; i++) {
    const int subtree = t->subtree[i], carrier = t->subtree[parent_of[i]];
    if (carrier == subtree) continue;
    if (carrier > subtree) {
      join_subtrees(t, carrier, subtree);
      return 1;
    }
    if (t->parent[subtree] >= 0 && t->parent[subtree] != carrier) {
      join_subtrees(t, t->parent[subtree], carrier);
      return 1;
    }
    t->parent[subtree] = carrier;
  }
  return 0;
}


// renumber consecutively, in the same order
static void number_subtrees(subtreeMap *t, int *number)
{
  for (int i = 0; i < t->program->nlink; i++) {
    if (t->subtree[i] != i) continue;
    t->parent[t->n] = i > 0 ? number[t->parent[i]] : 0;
    number[i] = t->n++;
  }
  for (int i = 0; i < t->program->nlink; i++) t->subtree[i] = number[t->subtree[i]];
}


static void number_behind(subtreeMap *t, int subtree, int *count)
{
  ART_ASSERT(subtree >= 0 && subtree < t->n);
  for (int k = subtree + 1; k < t->n; k++) {
    if (t->parent[k] == subtree) number_behind(t, k, count);
  }
  t->last[subtree] = (*count)++;
}


static void find_subtrees(subtreeMap *t, baseArena *room)
{
  const eqnFunction *f = t->function;
  const size_t n = t->program->nlink > 0 ? (size_t) t->program->nlink : 1;
  char *moves = arena_alloc(room, n, 1);
  int *number = arena_alloc(room, n, sizeof *number), count = 0;
  int *parent_of = arena_alloc(room, n, sizeof *parent_of);
  ARENA_TAKE(room, t->subtree, n);
  ARENA_TAKE(room, t->parent, n);
  ARENA_TAKE(room, t->last, n);
  for (int v = 0; v < f->ninput; v++) {
    for (int i = 0; i < f->input[v].n; i++) moves[subtree_link_of(t, f->input[v].node[i])] = 1;
  }
  // immovable links belong to their parents. Each chain is one subtree.
  int *children = number;
  const eqnProgram *p = t->program;
  for (int i = 1; i < p->nlink; i++) {
    const int parent = p->link_parent[i];
    parent_of[i] = moves[parent] || parent == 0 ? parent : parent_of[parent];
    children[parent_of[i]] += moves[i];
  }
  for (int i = 1; i < p->nlink; i++) {
    const int parent = parent_of[i];
    t->subtree[i] = !moves[i] || children[parent] == 1 ? t->subtree[parent] : i;
  }
  for (int s = 0; s < f->nstage; s++) {
    int link = 0;
    for (int i = 0; f->stage[s].kind == STAGE_NEWTON && i < f->stage[s].nunknown; i++) {
      const int other = subtree_link_of(t, f->stage[s].unknown[i]);
      if (link > 0 && other > 0) join_subtrees(t, t->subtree[link], t->subtree[other]);
      if (other > 0) link = other;
    }
  }
  while (join_carriers(t, parent_of)) continue;
  number_subtrees(t, number);
  number_behind(t, 0, &count);
}

//---- places --------------------------------------------------------------------------------------

static int subtree_carries(const subtreeMap *t, int subtree, int other)
{
  while (other > subtree) other = t->parent[other];
  return other == subtree;
}


int subtree_meet(const subtreeMap *t, int place, int other)
{
  ART_ASSERT(place / 2 < t->n && other / 2 < t->n);
  int a = place / 2, b = other / 2;
  if (a == b) return place | other;
  if (subtree_carries(t, a, b)) return place % 2 ? place : other;
  if (subtree_carries(t, b, a)) return other % 2 ? other : place;
  while (a != b) {
    if (a > b) {
      a = t->parent[a];
    } else {
      b = t->parent[b];
    }
  }
  return 2 * a + 1;
}


// unknowns of a stage depend on residual and corrections; returns whether this changed anything
static int spread_to_unknowns(subtreeMap *t, const eqnStage *stage)
{
  const int is_newton = stage->kind == STAGE_NEWTON;
  int all = is_newton || stage->kind == STAGE_WHEN ? t->place[stage->residual] : 0, is_new = 0;
  for (int i = 0; is_newton && i < stage->nunknown; i++) {
    all = subtree_meet(t, all, t->place[stage->correction[i]]);
  }
  for (int i = 0; i < stage->nunknown; i++) {
    int *own = &t->place[stage->unknown[i]];
    const int found = subtree_meet(t, all, t->place[stage->correction[i]]);
    const int now = subtree_meet(t, *own, found);
    is_new |= now != *own;
    *own = now;
  }
  return is_new;
}


// assigned coordinates depend on the assigned values, not on their own subtrees
static void find_subtree_places(subtreeMap *t, baseArena *room)
{
  const eqnFunction *f = t->function;
  ARENA_TAKE(room, t->place, t->pool->count);
  for (int v = 0; v < f->ninput; v++) {
    for (int i = 0; i < f->input[v].n; i++) {
      t->place[f->input[v].node[i]] = 2 * t->subtree[subtree_link_of(t, f->input[v].node[i])];
    }
  }
  for (int s = 0; s < f->nstage; s++) {
    const int is_assigned = f->stage[s].kind == STAGE_ASSIGN;
    for (int i = 0; is_assigned && i < f->stage[s].nunknown; i++) {
      t->place[f->stage[s].unknown[i]] = 0;
    }
  }
  for (int is_new = 1; is_new;) {
    is_new = 0;
    const exprPool *pool = t->pool;
    for (int i = 0; i < pool->count; i++) {
      if (pool->nodes[i].op == EXPR_CALL) t->place[i] = 1; // may depend on anything
      for (int k = 0; k < expr_argument_count(pool, i); k++) {
        t->place[i] = subtree_meet(t, t->place[i], t->place[expr_argument(pool, i, k)]);
      }
    }
    for (int s = 0; s < f->nstage; s++) is_new |= spread_to_unknowns(t, &f->stage[s]);
  }
}


void subtree_find(subtreeMap *t, const eqnProgram *program, const eqnFunction *function,
                  const exprPool *pool, baseArena *room)
{
  *t = (subtreeMap){.program = program, .function = function, .pool = pool};
  if (!program->link_of) return;
  find_subtrees(t, room);
  find_subtree_places(t, room);
}
