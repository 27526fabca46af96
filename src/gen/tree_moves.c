// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Moving parts of inertias from links to their parents, on symbols.
#include "sym/tree_inside.h"

#include <string.h>

#include "gen/tree_equations.h"
#include "tree/inertia.h"


static void list_inertia(treeLink *link, real *all[GEN_INERTIA])
{
  real *const list[GEN_INERTIA] = {&link->mass, &link->h.x,  &link->h.y,  &link->h.z,  &link->J.xx,
                                   &link->J.yy, &link->J.zz, &link->J.xy, &link->J.xz, &link->J.yz};
  memcpy(all, list, sizeof list);
}


// give an inertia in the axes of link i at zero to its parent
static void give_to_parent(symTree *s, int i, const treeLink *part)
{
  const treeLink *link = &s->inside->model.link[i];
  treeLink *parent = &s->inside->model.link[link->parent];
  const treeInertia turned = {part->mass, m3_back(link->R, part->h), s3_back(link->R, part->J)};
  const treeInertia old = {parent->mass, parent->h, parent->J};
  const treeInertia sum = inertia_add(old, inertia_about(turned, link->p));
  parent->mass = sum.m;
  parent->h = sum.h;
  parent->J = sum.J;
}


static void make_move(symTree *s, const genMove *move)
{
  treeLink *link = &s->inside->model.link[move->link], part;
  real *own[GEN_INERTIA], *moved[GEN_INERTIA];
  list_inertia(link, own);
  list_inertia(&part, moved);
  const real amount = *own[move->pivot];
  for (int k = 0; k < GEN_INERTIA; k++) {
    *moved[k] = r_mul(r_const(move->direction[k]), amount);
    *own[k] = r_sub(*own[k], *moved[k]);
  }
  if (move->to_rotor) {
    link->rotor = r_add(link->rotor, amount);
  } else if (link->parent > 0) {
    give_to_parent(s, move->link, &part);
  }
}


void *gen_make_moves(symTree *s, int nmove, const genMove *moves)
{
  treeLink *links = s->inside->model.link;
  treeLink *copy = arena_copy(&s->memory, links, (size_t) s->n, sizeof *links);
  exprPool *before = expr_use(s->pool);
  for (int k = 0; k < nmove; k++) make_move(s, &moves[k]);
  expr_use(before);
  return copy;
}


void gen_undo_moves(symTree *s, void *before)
{
  if (before) memcpy(s->inside->model.link, before, (size_t) s->n * sizeof(treeLink));
}


void gen_inertia(const symTree *s, int *X)
{
  memset(X, 0, GEN_INERTIA * (size_t) s->n * sizeof *X);
  for (int i = 1; i < s->n; i++) {
    real *all[GEN_INERTIA];
    list_inertia(&s->inside->model.link[i], all);
    for (int k = 0; k < GEN_INERTIA; k++) X[GEN_INERTIA * i + k] = all[k]->node;
  }
}


int gen_rotor(const symTree *s, int link)
{
  return s->inside->model.link[link].rotor.node;
}
