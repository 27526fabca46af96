// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Energy and momentum of rods with mass (model/rod_physics.h).
#include "data/rod.h"

#include "model/rod_physics.h"


v3 rod_end(const artData *d, const cutSide *side, int order)
{
  ART_ASSERT(order >= 0 && order <= 2);
  const treeData *t = &d->work->tree;
  if (order == 0) return tree_point(t, side->link, side->r);
  if (order == 1) return tree_point_velocity(t, side->link, side->r);
  const treeBody *body = tree_body(t, side->link);
  return point_acceleration(tree_in_ground(t, side->link), body->omega, &body->acc, side->r);
}


v3 rod_accelerations(const artModel *m, const artData *d, int rod)
{
  ART_ASSERT(rod >= 0 && rod < m->nrod);
  const cutSide *side = m->cut[m->rod[rod]].side;
  return v3_add(rod_end(d, &side[0], 2), rod_end(d, &side[1], 2));
}


double rod_kinetic(const artModel *m, const artData *d)
{
  double sum = 0;
  for (int i = 0; i < m->nrod; i++) {
    const modelCut *cut = &m->cut[m->rod[i]];
    sum += rod_kinetic_of(cut->mass, rod_end(d, &cut->side[0], 1), rod_end(d, &cut->side[1], 1));
  }
  return sum;
}


double rod_potential(const artModel *m, const artData *d)
{
  double sum = 0;
  for (int i = 0; i < m->nrod; i++) {
    const modelCut *cut = &m->cut[m->rod[i]];
    for (int k = 0; k < 2; k++) {
      const cutSide *side = &cut->side[k];
      sum += rod_potential_of(cut->mass, m->tree.gravity, rod_end(d, side, 0), side->link == 0);
    }
  }
  return sum;
}


wrench rod_momentum(const artModel *m, const artData *d)
{
  const v3 zero = {0, 0, 0};
  wrench sum = {zero, zero};
  for (int i = 0; i < m->nrod; i++) {
    const modelCut *cut = &m->cut[m->rod[i]];
    v3 r[2], v[2];
    for (int k = 0; k < 2; k++) {
      r[k] = rod_end(d, &cut->side[k], 0);
      v[k] = rod_end(d, &cut->side[k], 1);
    }
    sum = wr_add(sum, rod_momentum_of(cut->mass, r, v));
  }
  return sum;
}
