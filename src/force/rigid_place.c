// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "force/rigid_place.h"

#include <math.h>
#include <string.h>

#include "contact/contact_gap.h"
#include "contact/contact_rates.h"
#include "force/force.h"


// of the speed of what carries the surfaces, or of their size in a second
static const double SLOW = 1e-7, STILL = 1e-9;


// m, from which the reach follows
static double surface_size(const artModel *m, int i)
{
  return m->rigid[i].reach / RIGID_REACH;
}


static void put_vector(double x[3], v3 v)
{
  x[0] = v.x, x[1] = v.y, x[2] = v.z;
}


static v3 vector_at(const double x[3])
{
  return (v3){x[0], x[1], x[2]};
}


static int rigid_link_of(const artModel *m, int i, int side)
{
  return m->frame[m->element[m->rigid[i].element].frame[side]].link;
}


// the point of a surface that its shape refers to
static contactMotion surface_motion(const artData *d, const modelFrame *frame,
                                    const contactSide *side)
{
  const treeData *t = &d->work->tree;
  const treeWorld *link = tree_in_ground(t, frame->link);
  const m3 axes = data_axes(&frame->R, link);
  const v3 r = v3_add(frame->r, m3_mul(link->R, m3_back(axes, vector_at(side->offset))));
  contactMotion to = {.shape = side->shape,
                      .radius = side->radius,
                      .top = side->top,
                      .tube = side->tube,
                      .profile = side->profile,
                      .chain = side->chain,
                      .hull = side->hull};
  put_vector(to.at, tree_point(t, frame->link, r));
  put_vector(to.velocity, tree_point_velocity(t, frame->link, r));
  put_vector(to.axes, axes.x);
  put_vector(to.axes + 3, axes.y);
  put_vector(to.axes + 6, axes.z);
  put_vector(to.omega, m3_back(link->R, tree_motion(t, frame->link)->ang));
  memcpy(to.half, side->half, sizeof to.half);
  return to;
}


// a point of ground in axes of a link
static v3 point_of_link(const artData *d, int link, v3 point)
{
  const treeWorld *w = tree_in_ground(&d->work->tree, link);
  return m3_mul(w->R, v3_sub(point, w->o));
}


void rigid_tangents(v3 u[3])
{
  const v3 n = u[0];
  const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  const v3 axis = x <= y && x <= z ? (v3){1, 0, 0} : y <= z ? (v3){0, 1, 0} : (v3){0, 0, 1};
  const v3 across = v3_cross(n, axis);
  u[1] = v3_scale(1 / sqrt(v3_dot(across, across)), across);
  u[2] = v3_cross(n, u[1]);
}


rigidGap rigid_gap(const artModel *m, const artData *d, const int frame[2], const contactPair *pair)
{
  const int first = pair->first;
  const contactMotion side[2] = {surface_motion(d, &m->frame[frame[first]], &pair->side[first]),
                                 surface_motion(d, &m->frame[frame[!first]], &pair->side[!first])};
  const contactPoint at = contact_gap(side);
  return (rigidGap){at.gap, v3_scale(first ? -1 : 1, at.normal), at.point};
}


rigidPlace rigid_place(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nrigid);
  const modelElement *e = &m->element[m->rigid[i].element];
  const int first = e->contact->first;
  const contactMotion body[2] = {
      surface_motion(d, &m->frame[e->frame[first]], &e->contact->side[first]),
      surface_motion(d, &m->frame[e->frame[!first]], &e->contact->side[!first])};
  contactRates rates;
  contact_rates(body, &rates);
  const double sign = first ? -1 : 1;
  rigidPlace p = {.gap = rates.gap,
                  .u[0] = v3_scale(sign, vector_at(rates.normal)),
                  .point = vector_at(rates.point),
                  .normal_rate = v3_scale(sign, vector_at(rates.normal_rate)),
                  .point_rate = vector_at(rates.point_rate)};
  v3 velocity[2];
  for (int k = 0; k < 2; k++) {
    const int link = rigid_link_of(m, i, k);
    velocity[k] = tree_point_velocity(&d->work->tree, link, point_of_link(d, link, p.point));
  }
  p.velocity = v3_sub(velocity[1], velocity[0]);
  for (int k = 0; k < 2; k++) {
    const double *v = body[k].velocity, *w = body[k].omega;
    p.speed = fmax(p.speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    p.speed = fmax(p.speed, surface_size(m, i) * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
  }
  rigid_tangents(p.u);
  return p;
}


// The velocity v + omega x (p - o) of a body at a point p that moves over it by p' changes by the acceleration of the body there and
// by  omega x (p' - v).
void rigid_rates(const artModel *m, const artData *d, int i, const rigidPlace *p, double rate[3])
{
  const treeData *t = &d->work->tree;
  v3 change[2];
  for (int k = 0; k < 2; k++) {
    const int link = rigid_link_of(m, i, k);
    const v3 r = point_of_link(d, link, p->point);
    const v3 omega = m3_back(tree_in_ground(t, link)->R, tree_motion(t, link)->ang);
    const v3 over = v3_sub(p->point_rate, tree_point_velocity(t, link, r));
    change[k] = v3_add(tree_point_acceleration(&m->tree, t, link, r), v3_cross(omega, over));
  }
  const v3 a = v3_sub(change[1], change[0]);
  for (int k = 0; k < 3; k++) rate[k] = v3_dot(p->u[k], a);
  rate[0] += v3_dot(p->normal_rate, p->velocity);
}


// J_k = +-S_k.w for the wrench of a unit force along u at the point
void rigid_row(const artModel *m, const artData *d, int i, const rigidPlace *p, v3 u, double *J)
{
  const treeData *t = &d->work->tree;
  const treeAxes *S = &t->S;
  memset(J, 0, (size_t) m->tree.nv * sizeof *J);
  for (int k = 0; k < 2; k++) {
    const cutSide *side = &m->rigid[i].side[k];
    const v3 force = k ? u : v3_neg(u);
    const v3 origin = tree_in_ground(t, m->tree.anchor[side->link])->o;
    const v3 moment = v3_cross(v3_sub(p->point, origin), force);
    for (int c = 0; c < side->n; c++) {
      const int j = side->dof[c];
      J[j] = S->ax[j] * moment.x + S->ay[j] * moment.y + S->az[j] * moment.z + S->lx[j] * force.x +
             S->ly[j] * force.y + S->lz[j] * force.z;
    }
  }
}


v3 rigid_slip(const rigidPlace *p)
{
  return v3_sub(p->velocity, v3_scale(v3_dot(p->u[0], p->velocity), p->u[0]));
}


double rigid_slow(const artModel *m, int i, const rigidPlace *p)
{
  return SLOW * (p->speed + surface_size(m, i));
}


double rigid_still(const artModel *m, int i, const rigidPlace *p)
{
  return STILL * (p->speed + surface_size(m, i));
}
