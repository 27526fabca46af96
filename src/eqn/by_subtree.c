// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ordering a function subtree by subtree: everything that depends on one subtree (and its carriers)
// is evaluated before the next one begins, so that few variables are live when subtrees are
// combined.
//
// Assignments are divided by their targets. The stages of a subtree compute its coordinates first;
// then come the stages of the subtrees that it carries, then all nodes that belong to it, with sums
// over the subtrees finished so far. Nodes that belong to ground keep their order.
#include "eqn/list_builder.h"
#include "eqn/subtree.h"

typedef struct bySubtree {
  listBuilder *d;
  subtreeMap subtrees;
  int *turn;       // [nodes] position of the subtree after which a node is evaluated at the latest
  eqnStage *stage; // the new stages
  int nstage;
} bySubtree;


// add the stages that compute something at a place, in order; nodes of ground stay in straight
// stages
static void add_subtree_stages(bySubtree *b, int place)
{
  const eqnFunction *f = b->d->function;
  for (int s = 0; s < f->nstage; s++) {
    const int is_straight = f->stage[s].kind == STAGE_STRAIGHT;
    if (is_straight && place == 1) b->stage[b->nstage++] = f->stage[s];
    if (!is_straight) {
      // add the part of a stage that belongs to a place: all its unknowns, or some of its assignments
      const eqnStage *stage = &f->stage[s];
      ART_ASSERT(stage->kind != STAGE_STRAIGHT);
      const int *place_of = b->subtrees.place, is_cut = stage->kind == STAGE_ASSIGN;
      int all = is_cut ? 0 : place_of[stage->residual];
      eqnStage own = *stage;
      own.nunknown = 0;
      ARENA_TAKE(&b->d->list->arena, own.unknown, stage->nunknown);
      ARENA_TAKE(&b->d->list->arena, own.correction, stage->nunknown);
      for (int i = 0; i < stage->nunknown; i++) {
        all = subtree_meet(&b->subtrees, all, place_of[stage->unknown[i]]);
      }
      for (int i = 0; i < stage->nunknown; i++) {
        if ((is_cut ? place_of[stage->correction[i]] : all) != place) continue;
        own.unknown[own.nunknown] = stage->unknown[i];
        own.correction[own.nunknown++] = stage->correction[i];
      }
      if (own.nunknown > 0 || (stage->nunknown == 0 && all == place)) b->stage[b->nstage++] = own;
    }
  }
}


// a sum over subtrees is evaluated once its last term is available
static int find_node_turn(const bySubtree *b, int node)
{
  const exprNode *n = &b->d->pool->nodes[node];
  const int place = b->subtrees.place[node];
  const int is_sum = n->op == EXPR_ADD || n->op == EXPR_SUB, is_met = place % 2;
  if (!is_met || !is_sum) return subtree_turn(&b->subtrees, place);

  // nodes that depend only on subtrees that carry the others are available earlier
  int turn = -1;
  for (int k = 0; k < 2; k++) {
    const int a = k == 0 ? n->a : n->b, p = b->subtrees.place[a];
    const int is_early = p % 2 == 0 && subtree_meet(&b->subtrees, p, place - 1) == place - 1;
    if (!is_early && b->turn[a] > turn) turn = b->turn[a];
  }
  return turn;
}


static void add_subtree(bySubtree *b, int subtree)
{
  ART_ASSERT(subtree >= 0 && subtree < b->subtrees.n);
  add_subtree_stages(b, 2 * subtree);
  for (int k = subtree + 1; k < b->subtrees.n; k++) {
    if (b->subtrees.parent[k] == subtree) add_subtree(b, k);
  }
  add_subtree_stages(b, 2 * subtree + 1);
  if (subtree > 0) {
    // add the nodes that are evaluated after a subtree and not earlier for another reader
    const exprPool *pool = b->d->pool;
    const eqnProgram *p = b->d->list->program;
    int link = 0;
    while (link < p->nlink && (b->subtrees.subtree[link] != subtree || !p->link[link])) link++;
    eqnStage own = {.kind = STAGE_STRAIGHT};
    own.title =
        link < p->nlink ? arena_format(&b->d->list->arena, "limb of %s", p->link[link]) : "limb";
    ARENA_TAKE(&b->d->list->arena, own.root, pool->count);
    for (int i = 0; i < pool->count; i++) {
      if (b->turn[i] == b->subtrees.last[subtree]) own.root[own.nroot++] = i;
    }
    if (own.nroot > 0) b->stage[b->nstage++] = own;
  }
}


// building sums creates nodes, so places are computed again
void list_builder_group_by_subtree(listBuilder *d)
{
  bySubtree b = {.d = d};
  list_builder_sum_by_subtree(d);
  subtree_find(&b.subtrees, d->list->program, d->function, d->pool, d->scratch);
  if (b.subtrees.n > 1) {
    eqnFunction *f = b.d->function;
    const exprPool *pool = b.d->pool;
    const size_t most = (size_t) (f->nstage + 1) * (size_t) (2 * b.subtrees.n + 1);
    ARENA_TAKE(&b.d->list->arena, b.stage, most);
    ARENA_TAKE(b.d->scratch, b.turn, pool->count);
    for (int i = 0; i < pool->count; i++) b.turn[i] = find_node_turn(&b, i);
    add_subtree(&b, 0);
    f->stage = b.stage;
    f->nstage = b.nstage;
  }
}
