// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where discs, balls and blades touch their planes, and the forces there.
#include "force/roll_place.h"

#include <math.h>

#include "data/place.h"
#include "force/force.h"
#include "road/road.h"


rollBodyPlace roll_body(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nroll);
  const modelCut *cut = &m->cut[m->roll[i].cut];
  const cutSide *from = &cut->side[0], *to = &cut->side[1];
  const treeWorld *ground = tree_in_ground(&d->work->tree, from->link);
  const treeWorld *body = tree_in_ground(&d->work->tree, to->link);
  return (rollBodyPlace){.surface = data_axes(&from->R, ground),
                         .origin = v3_add(ground->o, m3_back(ground->R, from->r)),
                         .centre = v3_add(body->o, m3_back(body->R, to->r)),
                         .axis = m3_back(data_axes(&to->R, body), cut->axis2),
                         .radius = cut->length};
}


// where a disc lies flat, or a blade stands upright, it has no heading
static rollPlace curved_place(const artModel *m, const artData *d, int i)
{
  const rollBodyPlace body = roll_body(m, d, i);
  const rollPlace p = roll_touch(&m->cut[m->roll[i].cut].on, &body).place;
  if (p.sine > 0 || m->roll[i].kind == ROLL_BALL) return p;
  return (rollPlace){.point = body.centre,
                     .normal = body.surface.z,
                     .along = body.surface.x,
                     .across = body.surface.y,
                     .centre = body.centre,
                     .axis = body.axis};
}


rollPlace roll_place(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nroll);
  const modelCut *cut = &m->cut[m->roll[i].cut];
  const cutSide *from = &cut->side[0], *to = &cut->side[1];
  if (cut->on.shape != ROLL_ON_PLANE) return curved_place(m, d, i);
  const treeWorld *ground = tree_in_ground(&d->work->tree, from->link);
  const treeWorld *body = tree_in_ground(&d->work->tree, to->link);
  const m3 plane = data_axes(&from->R, ground);
  const v3 centre = v3_add(body->o, m3_back(body->R, to->r));
  if (m->roll[i].kind == ROLL_BALL) return roll_ball_place(&plane, centre, cut->length);
  const v3 axis = m3_back(data_axes(&to->R, body), cut->axis2);
  const double radius = m->roll[i].kind == ROLL_DISC ? cut->length : 0;
  rollPlace p = roll_tilted_place(&plane, centre, axis, radius);
  if (p.sine > 0) return p;
  p.point = centre;
  p.along = plane.x;
  p.across = plane.y;
  return p;
}


void roll_apply(const artModel *m, artData *d)
{
  for (int i = 0; i < m->nroll; i++) {
    const rollForce *f = &d->work->force->roll[i];
    for (int side = 0; side < 2; side++) {
      const int link = m->cut[m->roll[i].cut].side[side].link;
      const treeWorld *w = tree_in_ground(&d->work->tree, link);
      const v3 force = side ? f->force : v3_neg(f->force);
      if (link > 0) force_at_point(d, link, m3_mul(w->R, v3_sub(f->point, w->o)), force);
    }
  }
}


double roll_pace(const artModel *m, const artData *d, int *most)
{
  double pace = 0;
  for (int i = 0; i < m->nroll; i++) {
    const modelCut *cut = &m->cut[m->roll[i].cut];
    if (cut->on.shape != ROLL_ON_ROAD || art_road_is_level(cut->on.road)) continue;
    const treeData *t = data_velocity(m, d);
    const cutSide *side = &cut->side[1];
    const v3 v = tree_point_velocity(t, side->link, side->r);
    const double own = sqrt(v3_dot(v, v)) / road_shortest_length(cut->on.road);
    if (own > pace) pace = own, *most = i;
  }
  return pace;
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
