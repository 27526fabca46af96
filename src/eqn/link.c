// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The link of the machine to which an equation belongs: the last link with a symbol in it, else the
// last link of the equations that it reads. Recursions go from link to link, so equations form
// blocks.
#include "base/max_nan.h"
#include "eqn/list_builder.h"

enum { MIN_TITLED_EQUATIONS = 3 }; // minimum number of equations of a block with a title


int eqn_last_link(const eqnList *list, int node)
{
  int link = eqn_link_of(list->program, list->pool, node);
  for (int k = 0; k < expr_argument_count(list->pool, node); k++) {
    const int a = expr_argument(list->pool, node, k);
    if (list->equation_of[a] < 0) link = max_int(link, eqn_last_link(list, a));
  }
  return link;
}


// do enough equations from e on belong to the same link for a title? Ignores equations without a
// link
static int is_titled_block(const listBuilder *d, const int *link, int e)
{
  int n = 0;
  for (int i = e; i < d->list->n && n < MIN_TITLED_EQUATIONS; i++) {
    const eqnEquation *x = &d->list->equation[i];
    if (x->stage != d->list->equation[e].stage) break;
    if (link[i] != 0 && link[i] != link[e]) break;
    n += link[i] != 0;
  }
  return n == MIN_TITLED_EQUATIONS;
}


void list_builder_find_links(listBuilder *d)
{
  eqnList *list = d->list;
  if (!list->program->link_of || list->n == 0) return;
  int *link = arena_alloc(d->scratch, 2 * (size_t) list->n, sizeof *link), *own = link + list->n;
  for (int e = 0; e < list->n; e++) {
    const eqnEquation *x = &list->equation[e];
    link[e] = eqn_last_link(list, x->node);
    for (int k = 0; k < x->nparent && link[e] == 0; k++)
      link[e] = max_int(link[e], link[x->parent[k]]);
    list->equation[e].owner = link[e];
  }

  // Only recursions go from link to link; loops and linear systems mix links. Sines and cosines
  // come first. A loop belongs to the link of its first branch.
  for (int e = 0; e < list->n; e++) {
    const eqnEquation *x = &list->equation[e];
    const exprOp op = d->pool->nodes[x->node].op;
    own[e] = link[e];
    const int is_recursion =
        x->stage >= 0 && (x->group == GROUP_FORWARD || x->group == GROUP_BACKWARD);
    if (expr_is_trig(op) || !is_recursion || x->copy > 0) link[e] = 0;
  }
  int last = 0, stage = -1;
  for (int e = 0; e < list->n; e++) {
    if (list->equation[e].stage != stage) last = 0;
    stage = list->equation[e].stage;
    if (link[e] == 0 || link[e] == last || !is_titled_block(d, link, e)) continue;
    list->equation[e].link = last = link[e];
    for (int k = e + 1; k < list->n && list->equation[k].copy > 0; k++) {
      list->equation[k].link = own[k];
    }
  }
}
