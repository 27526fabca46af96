// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Energy, momentum and end forces of rods with mass (model/rod_physics.h).
#include "data/rod.h"

#include <string.h>

#include "model/rod_physics.h"


v3 rod_end(const artData *d, const cutSide *side, int order)
{
  const treeData *t = &d->work->tree;
  if (order == 0) return tree_point(t, side->link, side->r);
  if (order == 1) return tree_point_velocity(t, side->link, side->r);
  const treeBody *body = tree_body(t, side->link);
  const v3 around = v3_cross(body->omega, v3_cross(body->omega, side->r));
  const v3 turning = v3_add(v3_cross(body->acc.ang, side->r), around);
  return m3_back(tree_in_ground(t, side->link)->R, v3_add(body->acc.lin, turning));
}


v3 rod_accelerations(const artModel *m, const artData *d, int rod)
{
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


int rod_bar_reaction(const artModel *m, const artData *d, const char *joint, v3 *force)
{
  for (int i = 0; i < m->nbar; i++) {
    const modelBar *bar = &m->bar[i];
    for (int k = 0; k < 2; k++) {
      if (strcmp(bar->joint[k], joint) != 0) continue;
      const v3 f = k ? d->work->cut_force[bar->cut].lin : d->work->from_force[bar->cut];
      *force = bar->leads[k] ? v3_neg(f) : f;
      return 1;
    }
  }
  return 0;
}


void rod_end_forces(const artModel *m, artData *d)
{
  artWork *w = d->work;
  for (int i = 0; i < m->nrod; i++) {
    const int c = m->rod[i];
    const modelCut *cut = &m->cut[c];
    const cutSide *from = &cut->side[0], *to = &cut->side[1];
    const v3 span = v3_sub(rod_end(d, to, 0), rod_end(d, from, 0));
    const v3 thrust = v3_scale(w->multiplier[cut->row0] / cut->length, span), p = w->rod_force[i];
    w->from_force[c] = rod_end_force(cut->mass, v3_neg(thrust), p, rod_end(d, from, 2));
    w->cut_force[c].lin = rod_end_force(cut->mass, thrust, p, rod_end(d, to, 2));
  }
}
