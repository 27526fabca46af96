// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Determination of the nodes that a function needs, and of the stage in which each is evaluated.
#include <limits.h>

#include "eqn/list_builder.h"


int list_builder_next_root(const eqnFunction *f, builderRoot *r)
{
  for (; r->vector < f->nstage; r->vector++, r->index = 0) {
    eqnStage *stage = &f->stage[r->vector];
    const int has_residual = stage->kind == STAGE_NEWTON || stage->kind == STAGE_WHEN;
    const int k = r->index++, unknown = k - stage->nroot;
    if (unknown >= stage->nunknown + has_residual) continue;
    r->node = unknown < 0                 ? &stage->root[k]
              : unknown < stage->nunknown ? &stage->correction[unknown]
                                          : &stage->residual;
    r->stage = r->vector;
    r->is_forced = stage->kind != STAGE_STRAIGHT;
    return 1;
  }
  for (; r->vector < f->nstage + f->noutput; r->vector++, r->index = 0) {
    const eqnVector *output = &f->output[r->vector - f->nstage];
    if (r->index >= output->n) continue;
    r->node = &output->node[r->index++];
    r->stage = f->nstage - 1;
    r->is_output = r->is_forced = 1;
    return 1;
  }
  return 0;
}


void list_builder_mark_needed(const exprPool *pool, const eqnFunction *function,
                              unsigned char *needed)
{
  for (builderRoot r = {0}; list_builder_next_root(function, &r);) {
    if (r.is_forced) needed[*r.node] = 1;
  }
  expr_mark_arguments(pool, pool->count, needed);
}


void list_builder_mark_constant(const exprPool *pool, int nparameter, const int *parameter,
                                unsigned char *constant)
{
  for (int i = 0; i < nparameter; i++) constant[parameter[i]] = 1;
  for (int i = 0; i < pool->count; i++) {
    const exprOp op = pool->nodes[i].op;
    const int n = expr_argument_count(pool, i);
    int all = n > 0 && op != EXPR_CALL;
    for (int k = 0; all && k < n; k++) all = constant[expr_argument(pool, i, k)];
    if (all || op == EXPR_CONSTANT) constant[i] = 1;
  }
}

//---- stages --------------------------------------------------------------------------------------

enum { NOBODY = -1, SEVERAL = -2 };

static void add_owner(int *owner, int other)
{
  *owner = *owner == NOBODY || *owner == other ? other : SEVERAL;
}


// the only conditional assignment that needs a node, if nothing else does
static void find_owners(const listBuilder *d, int *owner)
{
  const eqnFunction *f = d->function;
  for (int i = 0; i < d->n; i++) owner[i] = NOBODY;
  for (int v = 0; v < f->noutput; v++) {
    for (int i = 0; i < f->output[v].n; i++) owner[f->output[v].node[i]] = SEVERAL;
  }
  for (int s = 0; s < f->nstage; s++) {
    const eqnStage *stage = &f->stage[s];
    const int is_when = stage->kind == STAGE_WHEN;
    if (is_when || stage->kind == STAGE_NEWTON) owner[stage->residual] = SEVERAL;
    for (int i = 0; i < stage->nunknown; i++) {
      add_owner(&owner[stage->correction[i]], is_when ? s : SEVERAL);
    }
  }
  for (int i = d->n - 1; i >= 0; i--) {
    for (int k = 0; d->needed[i] && k < expr_argument_count(d->pool, i); k++) {
      add_owner(&owner[expr_argument(d->pool, i, k)], owner[i]);
    }
  }
}


static void find_stages(listBuilder *d)
{
  int *need = d->stage, *low = arena_alloc(d->scratch, 2 * (size_t) d->n, sizeof *low);
  int *owner = low + d->n;

  // the first stage that needs it; outputs belong to the last stage
  for (int i = 0; i < d->n; i++) need[i] = INT_MAX;
  for (builderRoot r = {0}; list_builder_next_root(d->function, &r);) {
    if (need[*r.node] > r.stage) need[*r.node] = r.stage;
  }
  for (int i = d->n - 1; i >= 0; i--) {
    for (int k = 0; d->needed[i] && k < expr_argument_count(d->pool, i); k++) {
      const int a = expr_argument(d->pool, i, k);
      if (need[a] > need[i]) need[a] = need[i];
    }
  }

  // but not before its arguments have their final values
  // the first stage in which the inputs of a node have their final values: the Newton stage that
  // computes them, or the stage after an assignment; -1: any
  for (int i = 0; i < d->n; i++) low[i] = -1;
  for (int s = 0; s < d->function->nstage; s++) {
    const eqnStage *stage = &d->function->stage[s];
    const int is_assigned = stage->kind == STAGE_ASSIGN || stage->kind == STAGE_WHEN;
    for (int i = 0; i < stage->nunknown; i++) low[stage->unknown[i]] = s + is_assigned;
  }
  for (int i = 0; i < d->n; i++) {
    for (int k = 0; k < expr_argument_count(d->pool, i); k++) {
      const int argument = low[expr_argument(d->pool, i, k)];
      if (low[i] < argument) low[i] = argument;
    }
  }
  find_owners(d, owner);
  for (int i = 0; i < d->n; i++) {
    if (!d->needed[i]) continue;
    const int stage = d->stage[i] < low[i] ? low[i] : d->stage[i];
    const eqnStageKind kind = d->function->stage[stage].kind;
    const int is_constant = d->constant[i] && d->passes & 1u << PASS_CONSTANT;
    const int is_ahead =
        kind == STAGE_NEWTON ? low[i] < stage : kind == STAGE_WHEN && owner[i] != stage;
    d->stage[i] = is_constant ? -1 : stage;
    d->ahead[i] = (unsigned char) (is_ahead && !is_constant);
  }
}


void list_builder_survey(listBuilder *d, baseArena *arena)
{
  d->n = d->pool->count;
  ARENA_TAKE(arena, d->needed, d->n);
  ARENA_TAKE(arena, d->constant, d->n);
  ARENA_TAKE(arena, d->ahead, d->n);
  ARENA_TAKE(arena, d->is_equation, d->n);
  ARENA_TAKE(arena, d->stage, d->n);
  ARENA_TAKE(arena, d->uses, d->n);
  ARENA_TAKE(arena, d->size, d->n);
  list_builder_mark_needed(d->pool, d->function, d->needed);
  list_builder_mark_constant(d->pool, d->list->nconstant, d->list->constant, d->constant);
  find_stages(d);
  list_builder_place_definitions(d);
}
