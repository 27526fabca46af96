// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Copy of a function to a pool of its own: the time of passes is then proportional to its own
// nodes, and their results do not depend on other functions.
#include "base/throw.h"
#include "eqn/list_builder.h"

typedef struct copyJob {
  baseArena *arena;
  const exprPool *from;
  unsigned char *needed; // [from->count]
  int *now;              // [from->count] numbers of needed nodes in the new pool
} copyJob;

//---- needed nodes --------------------------------------------------------------------------------

static void mark_copied_symbols(const copyJob *c, int first, int n, const int *node)
{
  for (int i = first; i < n; i++) {
    if (c->from->nodes[node[i]].op == EXPR_SYMBOL) c->needed[node[i]] = 1;
  }
}


//---- copies of nodes -----------------------------------------------------------------------------

// nodes that are not needed become 0
static int *copy_nodes(const copyJob *c, const int *node, int n)
{
  int *copy = arena_alloc(c->arena, (size_t) n, sizeof *copy);
  for (int i = 0; i < n; i++) copy[i] = c->needed[node[i]] ? c->now[node[i]] : 0;
  return copy;
}


static eqnVector *copy_vectors(const copyJob *c, const eqnVector *vector, int n)
{
  eqnVector *copy = arena_copy(c->arena, vector, (size_t) n, sizeof *vector);
  for (int v = 0; v < n; v++) copy[v].node = copy_nodes(c, vector[v].node, vector[v].n);
  return copy;
}


static eqnFunction *copy_function(const copyJob *c, const eqnFunction *from)
{
  eqnFunction *f = arena_copy(c->arena, from, 1, sizeof *from);
  f->input = copy_vectors(c, from->input, from->ninput);
  f->output = copy_vectors(c, from->output, from->noutput);
  f->stage = arena_copy(c->arena, from->stage, (size_t) from->nstage, sizeof *from->stage);
  for (int k = 0; k < f->nstage; k++) {
    eqnStage *s = &f->stage[k];
    s->root = copy_nodes(c, s->root, s->nroot);
    s->unknown = copy_nodes(c, s->unknown, s->nunknown);
    s->correction = copy_nodes(c, s->correction, s->nunknown);
    if (s->kind == STAGE_NEWTON || s->kind == STAGE_WHEN) s->residual = c->now[s->residual];
  }
  return f;
}

//---- all -----------------------------------------------------------------------------------------

void list_builder_copy(listBuilder *d)
{
  eqnList *list = d->list;
  const eqnProgram *program = list->program;
  const eqnFunction *f = list->function;
  copyJob c = {.arena = &list->arena, .from = program->pool};
  ARENA_TAKE(d->scratch, c.needed, c.from->count);
  ARENA_TAKE(d->scratch, c.now, c.from->count);
  for (builderRoot r = {0}; list_builder_next_root(f, &r);) {
    if (r.is_forced) c.needed[*r.node] = 1;
  }
  mark_copied_symbols(&c, program->nuser, program->parameter.n, program->parameter.node);
  for (int i = 0; i < program->ndefined; i++) c.needed[program->defined[i].symbol] = 1;
  for (int v = 0; v < f->ninput; v++) mark_copied_symbols(&c, 0, f->input[v].n, f->input[v].node);
  for (int s = 0; s < f->nstage; s++) {
    mark_copied_symbols(&c, 0, f->stage[s].nunknown, f->stage[s].unknown);
  }
  c.needed[0] = 1;
  expr_mark_arguments(c.from, c.from->count, c.needed);
  list->pool = d->pool = expr_create(c.from->level);
  if (!d->pool) error_throw();
  d->pool->leaves = 1;
  extract_pool(d->pool, c.from, c.needed, f->given, c.now);
  list->function = d->function = copy_function(&c, f);
  // list symbolic parameters, then defined constants, then user parameters, which are created here
  const eqnProgram *p = list->program;
  const int most = p->parameter.n + p->ndefined;
  list->constant = arena_alloc(c.arena, (size_t) most, sizeof *list->constant);
  list->read = arena_alloc(c.arena, (size_t) most, sizeof *list->read);
  for (int i = p->nuser; i < p->parameter.n; i++) {
    list->constant[list->nconstant++] = c.now[p->parameter.node[i]];
    list->read[list->nread++] = (eqnRead){c.now[p->parameter.node[i]], i};
  }
  for (int i = 0; i < p->ndefined; i++) {
    list->constant[list->nconstant++] = c.now[p->defined[i].symbol];
  }
  for (int i = 0; i < p->nuser; i++) {
    const exprNode *own = &p->definitions->nodes[p->parameter.node[i]];
    const int symbol = expr_symbol(list->pool, own->name, own->index);
    list->constant[list->nconstant++] = symbol;
    list->read[list->nread++] = (eqnRead){symbol, i};
  }
}
