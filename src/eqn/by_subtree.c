// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A function subtree by subtree: all that depends on one subtree, besides what carries it, is evaluated before the next one begins,
// so that few variables wait for what joins them.
//
// Assignments are cut by their targets. Stages of a subtree find its coordinates first; then come the stages of the subtrees
// that it carries, then all nodes that have their place there, with sums over the subtrees until then. Nodes whose place
// is ground's subtree keep the order that they had.
#include "eqn/list_builder.h"
#include "eqn/subtree.h"

typedef struct bySubtree {
  listBuilder *d;
  subtreeMap subtrees;
  int *turn;       // [nodes] number of the subtree behind which a node is evaluated at the latest
  eqnStage *stage; // the new ones
  int nstage;
} bySubtree;


// the unknowns of a stage, as far as they have a place: all of them, or some of its assignments
static void add_subtree_stage(bySubtree *b, const eqnStage *stage, int place)
{
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


// stages that find something at a place, in their order; nodes of ground's subtree stay with straight stages
static void add_subtree_stages(bySubtree *b, int place)
{
  const eqnFunction *f = b->d->function;
  for (int s = 0; s < f->nstage; s++) {
    const int is_straight = f->stage[s].kind == STAGE_STRAIGHT;
    if (is_straight && place == 1) b->stage[b->nstage++] = f->stage[s];
    if (!is_straight) add_subtree_stage(b, &f->stage[s], place);
  }
}


// a sum over subtrees is evaluated once the last of its terms is there
static int find_node_turn(const bySubtree *b, int node)
{
  const exprNode *n = &b->d->pool->nodes[node];
  const int place = b->subtrees.place[node];
  const int is_sum = n->op == EXPR_ADD || n->op == EXPR_SUB, is_met = place % 2;
  if (!is_met || !is_sum) return subtree_turn(&b->subtrees, place);

  // nodes that depend on subtrees alone that carry the others are there before them
  int turn = -1;
  for (int k = 0; k < 2; k++) {
    const int a = k == 0 ? n->a : n->b, p = b->subtrees.place[a];
    const int is_early = p % 2 == 0 && subtree_meet(&b->subtrees, p, place - 1) == place - 1;
    if (!is_early && b->turn[a] > turn) turn = b->turn[a];
  }
  return turn;
}


// all nodes that are evaluated behind a subtree, and not before for somebody else
static void add_subtree_nodes(bySubtree *b, int subtree)
{
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


static void add_subtree(bySubtree *b, int subtree)
{
  ART_ASSERT(subtree >= 0 && subtree < b->subtrees.n);
  add_subtree_stages(b, 2 * subtree);
  for (int k = subtree + 1; k < b->subtrees.n; k++) {
    if (b->subtrees.parent[k] == subtree) add_subtree(b, k);
  }
  add_subtree_stages(b, 2 * subtree + 1);
  if (subtree > 0) add_subtree_nodes(b, subtree);
}


static void order_stages(bySubtree *b)
{
  eqnFunction *f = b->d->function;
  const exprPool *pool = b->d->pool;
  const size_t most = (size_t) (f->nstage + 1) * (size_t) (2 * b->subtrees.n + 1);
  ARENA_TAKE(&b->d->list->arena, b->stage, most);
  ARENA_TAKE(b->d->scratch, b->turn, pool->count);
  for (int i = 0; i < pool->count; i++) b->turn[i] = find_node_turn(b, i);
  add_subtree(b, 0);
  f->stage = b->stage;
  f->nstage = b->nstage;
}


// sums make nodes whose places are asked for anew
void list_builder_group_by_subtree(listBuilder *d)
{
  bySubtree b = {.d = d};
  list_builder_sum_by_subtree(d);
  subtree_find(&b.subtrees, d->list->program, d->function, d->pool, d->scratch);
  if (b.subtrees.n > 1) order_stages(&b);
}
