// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory of the recursions: allocated once, constants written once.
#include "tree/tree.h"


static int take_axes(treeAxes *S, size_t nv, baseArena *arena)
{
  return ARENA_TAKE(arena, S->ax, nv) && ARENA_TAKE(arena, S->ay, nv) &&
         ARENA_TAKE(arena, S->az, nv) && ARENA_TAKE(arena, S->lx, nv) &&
         ARENA_TAKE(arena, S->ly, nv) && ARENA_TAKE(arena, S->lz, nv);
}


static int take_all(const treeModel *t, treeData *d, baseArena *arena)
{
  const size_t n = (size_t) t->n, nq = (size_t) t->nq, nv = (size_t) t->nv;
  return ARENA_TAKE(arena, d->none, nv) && ARENA_TAKE(arena, d->sine, nq) &&
         ARENA_TAKE(arena, d->cosine, nq) && ARENA_TAKE(arena, d->pose, n) &&
         ARENA_TAKE(arena, d->world, n) && ARENA_TAKE(arena, d->vel, n) &&
         ARENA_TAKE(arena, d->body, n) && ARENA_TAKE(arena, d->art, n) &&
         ARENA_TAKE(arena, d->group, n) && take_axes(&d->S, nv, arena);
}


// K = tr(J)/2 1 - J
s3 tree_second_moments(s3 J)
{
  const real half = r_mul(r_const(0.5), r_add(r_add(J.xx, J.yy), J.zz));
  return (s3){r_sub(half, J.xx), r_sub(half, J.yy), r_sub(half, J.zz),
              r_neg(J.xy),       r_neg(J.xz),       r_neg(J.yz)};
}


void tree_take_constants(const treeModel *t, treeData *d)
{
  d->has_world = d->has_velocity = d->has_body = 0;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    d->pose[i] = (treePose){link->R, link->p};
    d->body[i].K = tree_second_moments(link->J);
  }
}


// ground first, every link after its parent, coordinates in the order of links
static int are_parents_first(const treeModel *t)
{
  int is_good = t->n >= 1 && t->nq >= t->nv;
  for (int i = 1, nq = 0, nv = 0; i < t->n && is_good; i++) {
    const treeLink *link = &t->link[i];
    is_good = link->parent >= 0 && link->parent < i && link->q0 == nq && link->v0 == nv;
    nq += link->nv + link_turns(link);
    nv += link->nv;
  }
  return is_good;
}


int tree_start(const treeModel *t, treeData *d, baseArena *arena)
{
  ART_ASSERT(are_parents_first(t));
  *d = (treeData){0};
  if (!take_all(t, d, arena)) return 0;
  tree_take_constants(t, d);
  return 1;
}
