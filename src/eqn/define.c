// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Definitions of constants. Passes treat every constant as a symbol. Its definition in terms of
// user parameters is appended to the list's pool, as equations evaluated before all others.
#include "eqn/list_builder.h"


int eqn_is_constant(const eqnList *list, int node)
{
  for (int i = 0; i < list->nconstant; i++) {
    if (list->constant[i] == node) return 1;
  }
  return 0;
}


void eqn_mark_followers(const eqnList *list, const unsigned char *is_meant,
                        unsigned char *is_marked)
{
  const exprPool *pool = list->pool;
  for (int i = 0; i < list->nread; i++) {
    if (is_meant[list->read[i].parameter]) is_marked[list->read[i].node] = 1;
  }
  for (int pass = 0; pass < 2; pass++) { // the definition of a symbol comes after it
    for (int i = 0; i < pool->count; i++) {
      for (int k = 0; k < expr_argument_count(pool, i); k++) {
        is_marked[i] |= is_marked[expr_argument(pool, i, k)];
      }
    }
    for (int i = 0; i < list->ndefined; i++) {
      is_marked[list->defined[i].node] |= is_marked[list->defined[i].definition];
    }
  }
}

//---- nodes ---------------------------------------------------------------------------------------

// a constant equal to a single parameter is read as that parameter, any other is defined
static void note_defined(listBuilder *d, int symbol, int node)
{
  eqnList *list = d->list;
  for (int k = 0; k < list->nread; k++) {
    if (list->read[k].node != node) continue;
    list->read[list->nread++] = (eqnRead){symbol, list->read[k].parameter};
    return;
  }
  list->defined[list->ndefined++] = (listDefined){symbol, node, -1};
}


void list_builder_define(listBuilder *d)
{
  eqnList *list = d->list;
  const eqnProgram *p = list->program;
  const exprPool *from = p->definitions;
  if (p->ndefined == 0) return;
  // symbols of the defined constants
  const int *symbol = list->constant + p->parameter.n - p->nuser;
  unsigned char *is_read = arena_alloc(d->scratch, (size_t) d->pool->count, 1);
  unsigned char *needed = arena_alloc(d->scratch, (size_t) from->count, 1);
  int *now = arena_alloc(d->scratch, (size_t) from->count, sizeof *now);
  ARENA_TAKE(&list->arena, list->defined, p->ndefined);
  list_builder_mark_needed(d->pool, d->function, is_read);
  for (int i = 0; i < p->ndefined; i++) {
    if (is_read[symbol[i]]) needed[p->defined[i].node] = 1;
  }
  expr_mark_arguments(from, from->count, needed);
  // symbols of the definitions in the list's pool: the user parameters
  for (int i = 0; i < list->nread; i++) {
    const int k = list->read[i].parameter;
    if (k < p->nuser) now[p->parameter.node[k]] = list->read[i].node;
  }
  d->ndefinition = -d->pool->count;
  // copy the marked nodes of the definitions to the list's pool
  exprPool *to = d->pool;
  for (int i = 0; i < from->count; i++) {
    if (!needed[i] || from->nodes[i].op == EXPR_SYMBOL) continue;
    now[i] = extract_node(to, from, i, now);
    if (from->nodes[i].name) expr_name(to, now[i], from->nodes[i].name, from->nodes[i].index);
  }
  d->ndefinition += d->pool->count;
  for (int i = 0; i < p->ndefined; i++) {
    if (is_read[symbol[i]]) note_defined(d, symbol[i], now[p->defined[i].node]);
  }
}

//---- equations -----------------------------------------------------------------------------------

void list_builder_place_definitions(listBuilder *d)
{
  ART_ASSERT(d->ndefinition >= 0 && d->ndefinition <= d->n);
  for (int i = d->n - d->ndefinition; i < d->n; i++) {
    d->needed[i] = 1;
    d->stage[i] = -1;
    d->ahead[i] = 1;
  }
  for (int i = 0; i < d->list->ndefined; i++) {
    const int node = d->list->defined[i].definition;
    d->is_equation[node] = 1;
    d->uses[node] = 2; // needs a variable
  }
}


void list_builder_bind_definitions(listBuilder *d)
{
  for (int i = 0; i < d->list->ndefined; i++) {
    listDefined *own = &d->list->defined[i];
    own->equation = d->list->equation_of[own->definition];
    ART_ASSERT(own->equation >= 0);
  }
}
