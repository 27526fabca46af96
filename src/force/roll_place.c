// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where discs, balls and blades touch their planes, and the forces there.
#include "force/roll_place.h"

#include <math.h>

#include "force/force.h"


// With c = n.a, s = sqrt(1 - c^2):  along = (a x n) / s,  across = (a - c n) / s,  and the rim is
// nearest to the plane at  centre - r (n - c a) / s.
rollPlace roll_place(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nroll);
  const modelCut *cut = &m->cut[m->roll[i].cut];
  const cutSide *from = &cut->side[0], *to = &cut->side[1];
  const treeWorld *ground = tree_in_ground(&d->work->tree, from->link);
  const treeWorld *body = tree_in_ground(&d->work->tree, to->link);
  const m3 plane = data_axes(&from->R, ground);
  rollPlace p = {.normal = plane.z, .along = plane.x, .across = plane.y, .sine = 1};
  p.point = p.centre = v3_add(body->o, m3_back(body->R, to->r));
  p.axis = plane.y;
  if (m->roll[i].kind == ROLL_BALL) {
    p.point = v3_sub(p.centre, v3_scale(cut->length, p.normal));
    return p;
  }
  p.axis = m3_back(data_axes(&to->R, body), cut->axis2);
  p.cosine = v3_dot(p.normal, p.axis);
  const v3 ahead = v3_cross(p.axis, p.normal);
  p.sine = sqrt(v3_dot(ahead, ahead));
  if (!(p.sine > 0)) return p;
  p.along = v3_scale(1 / p.sine, ahead);
  p.across = v3_cross(p.normal, p.along);
  const double radius = m->roll[i].kind == ROLL_DISC ? cut->length : 0;
  const v3 up = v3_sub(p.normal, v3_scale(p.cosine, p.axis));
  p.point = v3_sub(p.centre, v3_scale(radius / p.sine, up));
  return p;
}


void roll_apply(const artModel *m, artData *d)
{
  for (int i = 0; i < m->nroll; i++) {
    const rollForce *f = &d->work->force->roll[i];
    const int link = m->cut[m->roll[i].cut].side[1].link;
    const treeWorld *w = tree_in_ground(&d->work->tree, link);
    force_at_point(d, link, m3_mul(w->R, v3_sub(f->point, w->o)), f->force);
  }
}


double roll_shown(const artModel *m, const artData *d, int i, int component)
{
  data_need_world(m, d);
  const rollPlace p = roll_place(m, d, i);
  const v3 point = p.point, f = d->work->force->cut_force[m->roll[i].cut].lin;
  switch (component) {
  case 0: return v3_dot(f, p.normal);
  case 1: return v3_dot(f, p.along);
  case 2: return v3_dot(f, p.across);
  case 3: return point.x;
  case 4: return point.y;
  default: return point.z;
  }
}
