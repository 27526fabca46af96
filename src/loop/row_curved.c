// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The row of a joint that rolls on a curved surface, for numbers and symbols.
#include "loop/row.h"


// what rolls on a curved surface
rollBodyPlace R_NAME(row_roll_body)(const rowShape *shape, const cutState *s)
{
  return (rollBodyPlace){s->from.e, s->from.r, s->to.r, m3_back(s->to.e, shape->axis2),
                         shape->length};
}


// it touches:  phi = its gap, along the normal at the point of contact
real R_NAME(row_curved)(const rowShape *shape, const rollSurface *on, const cutState *s,
                        loopRow *row)
{
  const rollBodyPlace body = R_NAME(row_roll_body)(shape, s);
  const rollTouch touch = R_NAME(roll_touch)(on, &body);
  row->r = s->to.r;
  row->u = touch.place.normal;
  row->t = v3_cross(v3_sub(touch.place.point, s->to.r), row->u);
  return touch.gap;
}


// the rows of what rolls with the velocity  w = d' - omega x d  of its centre relative to the surface
real R_NAME(row_curved_second)(const rowShape *shape, const rollSurface *on, const cutState *s,
                               const cutMotion *plane, const cutMotion *body, const spanMotion *d)
{
  const rollBodyPlace at = R_NAME(row_roll_body)(shape, s);
  const rollTouch touch = R_NAME(roll_touch)(on, &at);
  const v3 w = v3_sub(d->rate, v3_cross(plane->omega, s->span));
  const v3 turn = v3_sub(body->omega, plane->omega);
  const rollMotion moves = {{plane->omega, plane->alpha, plane->a, s->from.r},
                            {body->omega, body->alpha, body->a, s->to.r},
                            w,
                            v3_add(w, v3_cross(turn, v3_sub(touch.place.point, s->to.r)))};
  real rate[3];
  R_NAME(roll_touch_rates)(on->kind, &touch, shape->length, &moves, rate);
  return rate[0];
}
