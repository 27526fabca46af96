// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Free places among the values that parts share.
#include "emit/write/free_places.h"

static void read_until(emitPlaces *p, int e, int part)
{
  ART_ASSERT(e >= 0 && part >= 0);
  if (p->last[e] < part) p->last[e] = part;
}


// variables in an operand that a stage reads when all its equations are known
static void read_operand(emitPlaces *p, const emitWriter *w, int node, int part)
{
  const exprPool *pool = w->list->pool;
  const int e = node < w->list->nnode ? w->list->equation_of[node] : -1;
  if (e >= 0) {
    read_until(p, e, part);
    return;
  }
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    read_operand(p, w, expr_argument(pool, node, k), part);
  }
}


void places_open(emitPlaces *p, emitWriter *w, const char *is_output)
{
  const eqnList *l = w->list;
  const int never = w->npart + 1;
  const size_t most = (size_t) (l->n + w->nshared) + 1;
  *p = (emitPlaces){.part = 1};
  p->end = arena_alloc(&w->arena, (size_t) w->function->nstage + 1, sizeof *p->end);
  p->last = arena_alloc(&w->arena, (size_t) l->n + 1, sizeof *p->last);
  p->read = arena_alloc(&w->arena, (size_t) never + 1, sizeof *p->read);
  p->next = arena_alloc(&w->arena, most, sizeof *p->next);
  p->unused = arena_alloc(&w->arena, most, sizeof *p->unused);
  for (int k = 0, e = w->nconst; k < w->function->nstage; k++) {
    while (e < l->n && l->equation[e].stage == k) e++;
    p->end[k] = e > 0 ? w->part[e - 1] : 0;
  }
  for (int part = 0; part <= never; part++) p->read[part] = -1;
  for (int e = w->nconst; e < l->n; e++) {
    const eqnEquation *x = &l->equation[e];
    p->last[e] = is_output[e] ? never : w->part[e];
    for (int k = 0; k < x->nchild; k++) {
      // iterations read anew the variables that were there before them, until they end
      const eqnEquation *reader = &l->equation[x->child[k]];
      const int is_repeated =
          w->function->stage[reader->stage].kind == STAGE_NEWTON && !reader->ahead;
      read_until(p, e, is_repeated ? p->end[reader->stage] : w->part[x->child[k]]);
    }
  }

  // at the end of a stage, its residual and the new values of its unknowns are read
  for (int k = 0; k < w->function->nstage; k++) {
    const eqnStage *stage = &w->function->stage[k];
    if (stage->kind == STAGE_STRAIGHT) continue;
    if (stage->kind != STAGE_ASSIGN) read_operand(p, w, stage->residual, p->end[k]);
    for (int i = 0; i < stage->nunknown; i++) read_operand(p, w, stage->correction[i], p->end[k]);
  }
}


int places_take(emitPlaces *p, emitWriter *w, int e)
{
  ART_ASSERT(e >= 0 && e < w->list->n);
  // a part may write its equations in another order than theirs: it takes places that were free before it
  for (; p->part < w->part[e]; p->part++) {
    for (int k = p->read[p->part]; k >= 0; k = p->next[k]) p->unused[p->nunused++] = k;
  }
  const int place = p->nunused > 0 ? p->unused[--p->nunused] : w->nshared++;
  p->next[place] = p->read[p->last[e]];
  p->read[p->last[e]] = place;
  return place;
}
