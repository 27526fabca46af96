// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Points of contact of a wheel with a profile of lines and arcs, for numbers and symbols.
#include "tyre/edge_places.h"


wheelCut R_NAME(cut_profile)(const roadProfile *f, v3 centre, v3 axis)
{
  // e1 = +- a x z / |a x z|, with the sign that points along the profile; e3 = e1 x a with the plus
  // sign
  wheelCut cut;
  cut.q = r_sqrt(axis.x * axis.x + axis.y * axis.y);
  cut.e1x = axis.y / cut.q;
  cut.e1y = -axis.x / cut.q;
  const real lean = -axis.z / cut.q;
  cut.e3x = lean * axis.x;
  cut.e3y = lean * axis.y;
  const real k = f->c * cut.e1x + f->s * cut.e1y;
  cut.turn = k < 0 ? r_const(-1) : r_const(1);

  // for a wheel that rolls along a step, the wheel plane cuts the profile at a vanishing angle
  cut.k = r_max(r_abs(k), 1e-6);
  cut.m = f->c * cut.e3x + f->s * cut.e3y;
  cut.X = f->c * (centre.x - f->x) + f->s * (centre.y - f->y);
  cut.Z = centre.z - f->z;
  return cut;
}


real R_NAME(edge_misfit)(const wheelCut *cut, profilePoint *p)
{
  // g = a (q c - m s) + k b s
  p->b = (p->z - cut->Z) / cut->q;
  p->a = (p->x - cut->X - cut->m * p->b) / cut->k;
  return p->a * (cut->q * p->c - cut->m * p->s) + cut->k * p->b * p->s;
}


// dg along the profile at constant direction: ((q c - m s)^2 + (k s)^2) / (k q)
static real straight_slope(const wheelCut *cut, const profilePoint *p)
{
  const real u = cut->q * p->c - cut->m * p->s, v = cut->k * p->s;
  return (u * u + v * v) / (cut->k * cut->q);
}


profilePoint R_NAME(edge_on_line)(const wheelCut *cut, const profilePoint *start)
{
  profilePoint p = *start;
  const real t = R_NAME(edge_misfit)(cut, &p) / straight_slope(cut, &p);
  p.x -= t * p.c;
  p.z -= t * p.s;
  (void) R_NAME(edge_misfit)(cut, &p);
  return p;
}


profileArc R_NAME(edge_arc)(real R, const profilePoint *start)
{
  return (profileArc){R, start->x - R * start->s, start->z + R * start->c};
}


profilePoint R_NAME(edge_at_angle)(const profileArc *arc, real t)
{
  const real c = r_cos(t), s = r_sin(t);
  profilePoint p = {0};
  p.x = arc->x + arc->R * s;
  p.z = arc->z - arc->R * c;
  p.c = c;
  p.s = s;
  return p;
}


real R_NAME(edge_turning_slope)(const wheelCut *cut, const profileArc *arc, const profilePoint *p)
{
  // dg/dt = R dg/ds - a (q s + m c) + k b c, as the direction rotates by dt
  return arc->R * straight_slope(cut, p) - p->a * (cut->q * p->s + cut->m * p->c) +
         cut->k * p->b * p->c;
}


real R_NAME(edge_first_angle)(const wheelCut *cut, const profileArc *arc)
{
  const real b = (arc->z - cut->Z) / cut->q, a = (arc->x - cut->X - cut->m * b) / cut->k;
  const real s = a * cut->q, c = a * cut->m - cut->k * b;
  return r_atan2(c < 0 ? -s : s, r_abs(c));
}


discContact R_NAME(edge_contact_at)(const roadProfile *f, const wheelCut *cut, v3 axis,
                                    const profilePoint *p)
{
  // n = (-s, c) in the profile, T3 from the point to the centre, forward = a x T3
  discContact c = {0};
  const real along = p->a * cut->turn;
  c.radius = r_sqrt(r_max(p->a * p->a + p->b * p->b, 1e-12));
  c.normal = v3_make(-p->s * f->c, -p->s * f->s, p->c);
  c.arm = v3_make(along * cut->e1x + p->b * cut->e3x, along * cut->e1y + p->b * cut->e3y,
                  p->b * cut->q);
  c.forward = v3_cross(axis, v3_scale(-1 / c.radius, c.arm));
  R_NAME(complete_contact)(&c, axis);
  return c;
}


void R_NAME(edge_add)(edgeSums *sums, const discContact *c, real load, real spring)
{
  sums->load = v3_add(sums->load, v3_scale(load, c->normal));
  sums->spring = v3_add(sums->spring, v3_scale(spring, c->normal));
  sums->weight += spring;
  sums->radius += spring * c->radius;
}
