// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which nodes a function needs, and in which of its stages each is evaluated.
#include <limits.h>

#include "base/memory.h"
#include "eqn/draft.h"


void draft_for_roots(const eqnFunction *function, draftVisit *visit, void *context)
{
  for (int s = 0; s < function->nstage; s++) {
    const eqnStage *stage = &function->stage[s];
    for (int i = 0; i < stage->nroot; i++) visit(context, s, &stage->root[i], 0);
    for (int i = 0; i < stage->nunknown; i++) visit(context, s, &stage->correction[i], 0);
    if (stage->kind == STAGE_NEWTON) visit(context, s, &function->stage[s].residual, 0);
  }
  for (int v = 0; v < function->noutput; v++) {
    const eqnVector *output = &function->output[v];
    for (int i = 0; i < output->n; i++) visit(context, function->nstage - 1, &output->node[i], 1);
  }
}


typedef struct markContext {
  const eqnFunction *function;
  unsigned char *needed;
} markContext;


// what a straight stage names is evaluated there if anybody needs it
static void mark(void *context, int stage, int *node, int is_output)
{
  const markContext *c = (markContext *) context;
  if (is_output || c->function->stage[stage].kind != STAGE_STRAIGHT) c->needed[*node] = 1;
}


void draft_mark_needed(const exprPool *pool, const eqnFunction *function, unsigned char *needed)
{
  markContext context = {function, needed};
  draft_for_roots(function, mark, &context);
  for (int i = pool->count - 1; i >= 0; i--) {
    const int n = needed[i] ? expr_argument_count(pool, i) : 0;
    for (int k = 0; k < n; k++) needed[expr_argument(pool, i, k)] = 1;
  }
}


void draft_mark_constant(const exprPool *pool, const eqnProgram *program, unsigned char *constant)
{
  const eqnVector *parameter = &program->parameter;
  for (int i = 0; i < parameter->n; i++) constant[parameter->node[i]] = 1;
  for (int i = 0; i < pool->count; i++) {
    const exprOp op = pool->nodes[i].op;
    const int n = expr_argument_count(pool, i);
    int all = n > 0 && op != EXPR_CALL;
    for (int k = 0; all && k < n; k++) all = constant[expr_argument(pool, i, k)];
    if (all || op == EXPR_CONSTANT) constant[i] = 1;
  }
}

//---- stages --------------------------------------------------------------------------------------

static void need_at(void *stage_of, int stage, int *node, int is_output)
{
  int *need = (int *) stage_of;
  (void) is_output;
  if (need[*node] > stage) need[*node] = stage;
}


// the first stage in which what a node depends on has its last values: that of Newton's method that
// finds it, the one after an assignment; -1: any
static void find_lowest(const eqnDraft *d, int *low)
{
  for (int i = 0; i < d->n; i++) low[i] = -1;
  for (int s = 0; s < d->function->nstage; s++) {
    const eqnStage *stage = &d->function->stage[s];
    const int settled = stage->kind == STAGE_ASSIGN ? s + 1 : s;
    for (int i = 0; i < stage->nunknown; i++) low[stage->unknown[i]] = settled;
  }
  for (int i = 0; i < d->n; i++) {
    for (int k = 0; k < expr_argument_count(d->pool, i); k++) {
      const int argument = low[expr_argument(d->pool, i, k)];
      if (low[i] < argument) low[i] = argument;
    }
  }
}


int draft_stages(eqnDraft *d)
{
  int *need = d->stage, *low = MEM_ARRAY(int, d->n);
  if (!low) return 0;

  // the first stage that needs it, outputs belonging to the last
  for (int i = 0; i < d->n; i++) need[i] = INT_MAX;
  draft_for_roots(d->function, need_at, need);
  for (int i = d->n - 1; i >= 0; i--) {
    for (int k = 0; d->needed[i] && k < expr_argument_count(d->pool, i); k++) {
      const int a = expr_argument(d->pool, i, k);
      if (need[a] > need[i]) need[a] = need[i];
    }
  }

  // but not before its arguments have their last values
  find_lowest(d, low);
  for (int i = 0; i < d->n; i++) {
    if (!d->needed[i]) continue;
    if (d->stage[i] < low[i]) d->stage[i] = low[i];
    const int is_newton = d->function->stage[d->stage[i]].kind == STAGE_NEWTON;
    d->ahead[i] = is_newton && low[i] < d->stage[i];
    if (d->constant[i] && d->passes & 1u << PASS_CONSTANT) {
      d->stage[i] = -1;
      d->ahead[i] = 0;
    }
  }
  mem_free(low);
  return 1;
}
