// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Links as dynamics need them, on symbols: parts of inertias move from links to their parents, and origins to where offsets
// have few components.
#include "sym/tree_inside.h"

#include <string.h>

#include "gen/tree/tree_equations.h"
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
  ART_ASSERT(i > 0 && i < s->n);
  const treeLink *link = &s->inside->model.link[i];
  treeLink *parent = &s->inside->model.link[link->parent];
  const treeInertia turned = {part->mass, m3_back(link->R, part->h), s3_back(link->R, part->J)};
  const treeInertia old = {parent->mass, parent->h, parent->J};
  const treeInertia sum = inertia_add(old, inertia_about(turned, link->p));
  parent->mass = sum.m;
  parent->h = sum.h;
  parent->J = sum.J;
}


void gen_make_moves(symTree *s, int nmove, const genMove *moves)
{
  exprPool *before = expr_use(s->pool);
  for (int k = 0; k < nmove; k++) {
    const genMove *move = &moves[k];
    treeLink *link = &s->inside->model.link[move->link], part;
    real *own[GEN_INERTIA], *moved[GEN_INERTIA];
    list_inertia(link, own);
    list_inertia(&part, moved);
    const real amount = *own[move->pivot];
    for (int i = 0; i < GEN_INERTIA; i++) {
      *moved[i] = r_mul(r_const(move->direction[i]), amount);
      *own[i] = r_sub(*own[i], *moved[i]);
    }
    if (move->to_rotor) {
      link->rotor = r_add(link->rotor, amount);
    } else if (link->parent > 0) {
      give_to_parent(s, move->link, &part);
    }
  }
  expr_use(before);
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

//---- origins -------------------------------------------------------------------------------------

// A joint that turns is felt alike wherever on its axis the origin is, a joint that slides wherever at all. An offset of a
// joint along such a direction is moved into the link, to its children and its inertia, where these have offsets of their
// own in that direction: one vector with fewer components for all that passes through the joint.

// operations that a component costs: of an offset (B p, p x f), of a first moment (B h, h x a), of a
// product of inertia (two products in moments)
enum { OF_OFFSET = 10, OF_MOMENT = 10, OF_PRODUCT = 4 };


static real *component_of_vector(v3 *x, int k)
{
  ART_ASSERT(k >= 0 && k < 3);
  return k == 0 ? &x->x : k == 1 ? &x->y : &x->z;
}


static int is_zero_component(v3 x, int k)
{
  return component_of_vector(&x, k)->node == 0;
}


// the parent's axis along which a row of a turn lies, -1: none
static int axis_along(v3 row, real *sign)
{
  for (int k = 0; k < 3; k++) {
    const int others = is_zero_component(row, (k + 1) % 3) && is_zero_component(row, (k + 2) % 3);
    *sign = *component_of_vector(&row, k);
    const int node = sign->node;
    if (others && (node == r_const(1).node || node == r_const(-1).node)) return k;
  }
  return -1;
}


// whether the origin may be moved along the link's axis a: joints that turn let it slide on their axis,
// those that slide square to it
static int may_slide(const treeLink *link, int a)
{
  if (link->kind == LINK_PRISMATIC) return a < 2;
  return link->kind == LINK_REVOLUTE && a == 2;
}


static real product_of(const treeLink *link, int a, int b)
{
  ART_ASSERT(a != b && a >= 0 && a < 3 && b >= 0 && b < 3);
  return a + b == 1 ? link->J.xy : a + b == 2 ? link->J.xz : link->J.yz;
}


// the cost of a slide along a in the link's inertia
static int cost_of_inertia(const treeLink *link, int a)
{
  int cost = link->mass.node != 0 && is_zero_component(link->h, a) ? OF_MOMENT : 0;
  for (int b = 0; b < 3; b++) {
    if (b != a && !is_zero_component(link->h, b) && product_of(link, a, b).node == 0)
      cost += OF_PRODUCT;
  }
  return cost;
}


static int cost_of_children(const symTree *s, int i, int a)
{
  const symModel *t = &s->inside->model;
  int cost = 0;
  for (int c = i + 1; c < t->n; c++) {
    if (t->link[c].parent == i && is_zero_component(s->inside->data.pose[c].p, a))
      cost += OF_OFFSET;
  }
  return cost;
}


static void slide_origin(symTree *s, int i, int a, real by)
{
  const symModel *t = &s->inside->model;
  treePose *pose = s->inside->data.pose;
  treeLink *link = &t->link[i];
  v3 back = {r_const(0), r_const(0), r_const(0)};
  *component_of_vector(&back, a) = r_neg(by);
  const v3 there = m3_back(link->R, back);
  link->p = v3_sub(link->p, there);
  pose[i].p = v3_sub(pose[i].p, there);
  const treeInertia own = inertia_about((treeInertia){link->mass, link->h, link->J}, back);
  link->h = own.h;
  link->J = own.J;
  for (int c = i + 1; c < t->n; c++) {
    if (t->link[c].parent != i) continue;
    t->link[c].p = v3_add(t->link[c].p, back);
    pose[c].p = v3_add(pose[c].p, back);
  }
}


// offsets from ground cost nothing, and applied wrenches are given about the origin as it is
static void try_slides(symTree *s, int i)
{
  const treeLink *link = &s->inside->model.link[i];
  const int *f = s->inside->data.f_ext ? (const int *) &s->inside->data.f_ext[i] : NULL;
  if (link->parent == 0) return;
  for (int e = 0; f && e < 6; e++) {
    if (f[e] != 0) return;
  }
  for (int a = 0; a < 3; a++) {
    const v3 row = a == 0 ? link->R.x : a == 1 ? link->R.y : link->R.z;
    real sign;
    const int k = axis_along(row, &sign);
    if (!may_slide(link, a) || k < 0 || is_zero_component(link->p, k)) continue;
    const int cost = cost_of_inertia(link, a) + cost_of_children(s, i, a);
    if (cost < OF_OFFSET)
      slide_origin(s, i, a, r_neg(r_mul(sign, *component_of_vector((v3 *) &link->p, k))));
  }
}


void gen_slide_origins(symTree *s)
{
  if (s->pool->level == EXPR_RECORD) return;
  exprPool *used = expr_use(s->pool);
  for (int i = 1; i < s->n; i++) try_slides(s, i);
  expr_use(used);
}

//---- links as they were --------------------------------------------------------------------------

struct genLinks {
  treeLink *link;
  treePose *pose;
};


genLinks *gen_save_links(symTree *s)
{
  const size_t n = (size_t) s->n;
  genLinks *before = arena_alloc(&s->memory, 1, sizeof *before);
  before->link = arena_copy(&s->memory, s->inside->model.link, n, sizeof *before->link);
  before->pose = arena_copy(&s->memory, s->inside->data.pose, n, sizeof *before->pose);
  return before;
}


void gen_restore_links(symTree *s, const genLinks *before)
{
  memcpy(s->inside->model.link, before->link, (size_t) s->n * sizeof *before->link);
  memcpy(s->inside->data.pose, before->pose, (size_t) s->n * sizeof *before->pose);
}
