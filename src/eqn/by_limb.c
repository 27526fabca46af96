// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A function limb by limb: all that depends on one limb, besides what carries it, is evaluated before the next one begins,
// so that few variables wait for what joins them.
//
// Assignments are cut by their targets. Stages of a limb find its coordinates first; then come the stages of the limbs
// that it carries, then all nodes that have their place there, with sums over the limbs until then. Nodes whose place
// is ground's limb keep the order that they had.
#include "eqn/draft.h"
#include "eqn/limb.h"

typedef struct byLimb {
  eqnDraft *d;
  limbTree limbs;
  int *turn;       // [nodes] number of the limb behind which a node is evaluated at the latest
  eqnStage *stage; // the new ones
  int nstage;
} byLimb;


// the unknowns of a stage, as far as they have a place: all of them, or some of its assignments
static void add_limb_stage(byLimb *b, const eqnStage *stage, int place)
{
  ART_ASSERT(stage->kind != STAGE_STRAIGHT);
  const int *place_of = b->limbs.place, is_cut = stage->kind == STAGE_ASSIGN;
  int all = is_cut ? 0 : place_of[stage->residual];
  eqnStage own = *stage;
  own.nunknown = 0;
  ARENA_TAKE(&b->d->list->arena, own.unknown, stage->nunknown);
  ARENA_TAKE(&b->d->list->arena, own.correction, stage->nunknown);
  for (int i = 0; i < stage->nunknown; i++) {
    all = limb_meet(&b->limbs, all, place_of[stage->unknown[i]]);
  }
  for (int i = 0; i < stage->nunknown; i++) {
    if ((is_cut ? place_of[stage->correction[i]] : all) != place) continue;
    own.unknown[own.nunknown] = stage->unknown[i];
    own.correction[own.nunknown++] = stage->correction[i];
  }
  if (own.nunknown > 0 || (stage->nunknown == 0 && all == place)) b->stage[b->nstage++] = own;
}


// stages that find something at a place, in their order; nodes of ground's limb stay with straight stages
static void add_limb_stages(byLimb *b, int place)
{
  const eqnFunction *f = b->d->function;
  for (int s = 0; s < f->nstage; s++) {
    const int is_straight = f->stage[s].kind == STAGE_STRAIGHT;
    if (is_straight && place == 1) b->stage[b->nstage++] = f->stage[s];
    if (!is_straight) add_limb_stage(b, &f->stage[s], place);
  }
}


// a sum over limbs is evaluated once the last of its terms is there
static int find_node_turn(const byLimb *b, int node)
{
  const exprNode *n = &b->d->pool->nodes[node];
  const int place = b->limbs.place[node];
  const int is_sum = n->op == EXPR_ADD || n->op == EXPR_SUB, is_met = place % 2;
  if (!is_met || !is_sum) return limb_turn(&b->limbs, place);

  // nodes that depend on limbs alone that carry the others are there before them
  int turn = -1;
  for (int k = 0; k < 2; k++) {
    const int a = k == 0 ? n->a : n->b, p = b->limbs.place[a];
    const int is_early = p % 2 == 0 && limb_meet(&b->limbs, p, place - 1) == place - 1;
    if (!is_early && b->turn[a] > turn) turn = b->turn[a];
  }
  return turn;
}


// all nodes that are evaluated behind a limb, and not before for somebody else
static void add_limb_nodes(byLimb *b, int limb)
{
  const exprPool *pool = b->d->pool;
  const eqnProgram *p = b->d->list->program;
  int link = 0;
  while (link < p->nlink && (b->limbs.limb[link] != limb || !p->link[link])) link++;
  eqnStage own = {.kind = STAGE_STRAIGHT};
  own.title =
      link < p->nlink ? arena_format(&b->d->list->arena, "limb of %s", p->link[link]) : "limb";
  ARENA_TAKE(&b->d->list->arena, own.root, pool->count);
  for (int i = 0; i < pool->count; i++) {
    if (b->turn[i] == b->limbs.last[limb]) own.root[own.nroot++] = i;
  }
  if (own.nroot > 0) b->stage[b->nstage++] = own;
}


static void add_limb(byLimb *b, int limb)
{
  ART_ASSERT(limb >= 0 && limb < b->limbs.n);
  add_limb_stages(b, 2 * limb);
  for (int k = limb + 1; k < b->limbs.n; k++) {
    if (b->limbs.parent[k] == limb) add_limb(b, k);
  }
  add_limb_stages(b, 2 * limb + 1);
  if (limb > 0) add_limb_nodes(b, limb);
}


static void order_stages(byLimb *b)
{
  eqnFunction *f = b->d->function;
  const exprPool *pool = b->d->pool;
  const size_t most = (size_t) (f->nstage + 1) * (size_t) (2 * b->limbs.n + 1);
  ARENA_TAKE(&b->d->list->arena, b->stage, most);
  ARENA_TAKE(b->d->scratch, b->turn, pool->count);
  for (int i = 0; i < pool->count; i++) b->turn[i] = find_node_turn(b, i);
  add_limb(b, 0);
  f->stage = b->stage;
  f->nstage = b->nstage;
}


// sums make nodes whose places are asked for anew
void draft_group_by_limb(eqnDraft *d)
{
  byLimb b = {.d = d};
  draft_sum_by_limb(d);
  limb_find(&b.limbs, d->list->program, d->function, d->pool, d->scratch);
  if (b.limbs.n > 1) order_stages(&b);
}
