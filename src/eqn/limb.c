// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Limbs of a machine, and the places of expressions among them.
#include "eqn/limb.h"


//---- limbs ---------------------------------------------------------------------------------------

static int limb_link_of(const limbTree *t, int node)
{
  return eqn_link_of(t->program, t->pool, node);
}


// While limbs are joined, each has the number of its first link.
static void join_limbs(limbTree *t, int limb, int other)
{
  const int first = limb < other ? limb : other;
  for (int i = 0; i < t->program->nlink; i++) {
    if (t->limb[i] == limb || t->limb[i] == other) t->limb[i] = first;
  }
}


static void join_loops(limbTree *t)
{
  const eqnFunction *f = t->function;
  for (int s = 0; s < f->nstage; s++) {
    int link = 0;
    for (int i = 0; f->stage[s].kind == STAGE_NEWTON && i < f->stage[s].nunknown; i++) {
      const int other = limb_link_of(t, f->stage[s].unknown[i]);
      if (link > 0 && other > 0) join_limbs(t, t->limb[link], t->limb[other]);
      if (other > 0) link = other;
    }
  }
}


// Limbs that loops have joined may hang on several, or on one that hangs on them: join those until each hangs on one.
static int join_carriers(limbTree *t, const int *parent_of)
{
  for (int i = 0; i < t->program->nlink; i++) t->parent[i] = -1;
  for (int i = 1; i < t->program->nlink; i++) {
    const int limb = t->limb[i], carrier = t->limb[parent_of[i]];
    if (carrier == limb) continue;
    if (carrier > limb) {
      join_limbs(t, carrier, limb);
      return 1;
    }
    if (t->parent[limb] >= 0 && t->parent[limb] != carrier) {
      join_limbs(t, t->parent[limb], carrier);
      return 1;
    }
    t->parent[limb] = carrier;
  }
  return 0;
}


// numbers without gaps, in the same order
static void number_limbs(limbTree *t, int *number)
{
  for (int i = 0; i < t->program->nlink; i++) {
    if (t->limb[i] != i) continue;
    t->parent[t->n] = i > 0 ? number[t->parent[i]] : 0;
    number[i] = t->n++;
  }
  for (int i = 0; i < t->program->nlink; i++) t->limb[i] = number[t->limb[i]];
}


static void number_behind(limbTree *t, int limb, int *count)
{
  ART_ASSERT(limb >= 0 && limb < t->n);
  for (int k = limb + 1; k < t->n; k++) {
    if (t->parent[k] == limb) number_behind(t, k, count);
  }
  t->last[limb] = (*count)++;
}


// Links that do not move belong to their parents. A chain is one limb.
static void make_chains(limbTree *t, int *parent_of, int *children, const char *moves)
{
  const eqnProgram *p = t->program;
  for (int i = 1; i < p->nlink; i++) {
    const int parent = p->link_parent[i];
    parent_of[i] = moves[parent] || parent == 0 ? parent : parent_of[parent];
    children[parent_of[i]] += moves[i];
  }
  for (int i = 1; i < p->nlink; i++) {
    const int parent = parent_of[i];
    t->limb[i] = !moves[i] || children[parent] == 1 ? t->limb[parent] : i;
  }
}


static void find_limbs(limbTree *t, baseArena *room)
{
  const eqnFunction *f = t->function;
  const size_t n = t->program->nlink > 0 ? (size_t) t->program->nlink : 1;
  char *moves = arena_alloc(room, n, 1);
  int *number = arena_alloc(room, n, sizeof *number), count = 0;
  int *parent_of = arena_alloc(room, n, sizeof *parent_of);
  ARENA_TAKE(room, t->limb, n);
  ARENA_TAKE(room, t->parent, n);
  ARENA_TAKE(room, t->last, n);
  for (int v = 0; v < f->ninput; v++) {
    for (int i = 0; i < f->input[v].n; i++) moves[limb_link_of(t, f->input[v].node[i])] = 1;
  }
  make_chains(t, parent_of, number, moves);
  join_loops(t);
  while (join_carriers(t, parent_of)) continue;
  number_limbs(t, number);
  number_behind(t, 0, &count);
}

//---- places --------------------------------------------------------------------------------------

static int limb_carries(const limbTree *t, int limb, int other)
{
  while (other > limb) other = t->parent[other];
  return other == limb;
}


int limb_meet(const limbTree *t, int place, int other)
{
  ART_ASSERT(place / 2 < t->n && other / 2 < t->n);
  int a = place / 2, b = other / 2;
  if (a == b) return place | other;
  if (limb_carries(t, a, b)) return place % 2 ? place : other;
  if (limb_carries(t, b, a)) return other % 2 ? other : place;
  while (a != b) {
    if (a > b) {
      a = t->parent[a];
    } else {
      b = t->parent[b];
    }
  }
  return 2 * a + 1;
}


static void spread_to_nodes(limbTree *t)
{
  const exprPool *pool = t->pool;
  for (int i = 0; i < pool->count; i++) {
    if (pool->nodes[i].op == EXPR_CALL) t->place[i] = 1; // may depend on anything
    for (int k = 0; k < expr_argument_count(pool, i); k++) {
      t->place[i] = limb_meet(t, t->place[i], t->place[expr_argument(pool, i, k)]);
    }
  }
}


// unknowns of a stage depend on residual and corrections; returns whether that was not known yet
static int spread_to_unknowns(limbTree *t, const eqnStage *stage)
{
  const int is_newton = stage->kind == STAGE_NEWTON;
  int all = is_newton || stage->kind == STAGE_WHEN ? t->place[stage->residual] : 0, is_new = 0;
  for (int i = 0; is_newton && i < stage->nunknown; i++) {
    all = limb_meet(t, all, t->place[stage->correction[i]]);
  }
  for (int i = 0; i < stage->nunknown; i++) {
    int *own = &t->place[stage->unknown[i]];
    const int found = limb_meet(t, all, t->place[stage->correction[i]]);
    const int now = limb_meet(t, *own, found);
    is_new |= now != *own;
    *own = now;
  }
  return is_new;
}


// coordinates that are assigned depend on the values they are assigned, not on their limbs
static void find_limb_places(limbTree *t, baseArena *room)
{
  const eqnFunction *f = t->function;
  ARENA_TAKE(room, t->place, t->pool->count);
  for (int v = 0; v < f->ninput; v++) {
    for (int i = 0; i < f->input[v].n; i++) {
      t->place[f->input[v].node[i]] = 2 * t->limb[limb_link_of(t, f->input[v].node[i])];
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
    spread_to_nodes(t);
    for (int s = 0; s < f->nstage; s++) is_new |= spread_to_unknowns(t, &f->stage[s]);
  }
}


void limb_find(limbTree *t, const eqnProgram *program, const eqnFunction *function,
               const exprPool *pool, baseArena *room)
{
  *t = (limbTree){.program = program, .function = function, .pool = pool};
  if (!program->link_of) return;
  find_limbs(t, room);
  find_limb_places(t, room);
}
