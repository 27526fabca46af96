// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What variables are called in text for people: after the quantity that they are, "crank_omega_z"; else after the link
// that they speak of, "crank_w12"; or after a quantity that they are a part of, "speed_signal_term".
#include <string.h>

#include "eqn/draft.h"

enum { LONGEST = 56 }; // characters; numbers come behind, and Fortran has room for 63


// the word of the link, then the quantity
static const char *name_of_node(const eqnDraft *d, const exprNode *n)
{
  const eqnProgram *p = d->list->program;
  const char *word = n->index >= 0 && n->index < p->nlink && p->word ? p->word[n->index] : NULL;
  if (!word) return arena_format(&d->list->arena, "%.*s", LONGEST, n->name);
  const int room = LONGEST - 1 - (int) strlen(word);
  return arena_format(&d->list->arena, "%s_%.*s", word, room > 0 ? room : 0, n->name);
}


// the quantity of the first of those that read an equation in the same stage
static const char *quantity_of_reader(const eqnList *list, int e, const char *const *quantity)
{
  const eqnEquation *x = &list->equation[e];
  for (int k = 0; k < x->nchild; k++) {
    const int child = x->child[k];
    if (quantity[child] && list->equation[child].stage == x->stage) return quantity[child];
  }
  return NULL;
}


void draft_find_meanings(const eqnDraft *d, const char **wanted)
{
  eqnList *list = d->list;
  const eqnProgram *p = list->program;
  const char **quantity = arena_alloc(d->scratch, (size_t) list->n, sizeof *quantity);

  // readers come behind what they read
  for (int e = list->n - 1; e >= 0; e--) {
    const eqnEquation *x = &list->equation[e];
    const exprNode *node = &d->pool->nodes[x->node];
    const char *word = p->word && x->owner > 0 ? p->word[x->owner] : NULL;
    quantity[e] = node->name ? name_of_node(d, node) : quantity_of_reader(list, e, quantity);
    if (node->name) {
      wanted[e] = quantity[e];
    } else if (word) {
      wanted[e] = arena_format(&list->arena, "%s_w%d", word, e + 1);
    } else if (quantity[e]) {
      wanted[e] = arena_format(&list->arena, "%s_term", quantity[e]);
    }
  }
}
