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
static const double JUMPED = 1e3; // of the reach: a larger gap is not the drift of steps


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
static surfaceMotion surface_motion(const artData *d, const modelFrame *frame,
                                    const contactSide *side)
{
  const treeData *t = &d->work->tree;
  const treeWorld *link = tree_in_ground(t, frame->link);
  const m3 axes = data_axes(&frame->R, link);
  const v3 r = v3_add(frame->r, m3_mul(link->R, m3_back(axes, vector_at(side->offset))));
  surfaceMotion to = {.shape = side->shape,
                      .radius = side->radius,
                      .top = side->top,
                      .tube = side->tube,
                      .profile = side->profile,
                      .chain = side->chain,
                      .hull = side->hull,
                      .road = side->road,
                      .bend = fmax(side->valley, side->crest)};
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
  const surfaceMotion side[2] = {surface_motion(d, &m->frame[frame[first]], &pair->side[first]),
                                 surface_motion(d, &m->frame[frame[!first]], &pair->side[!first])};
  const contactPoint at = contact_gap(side);
  return (rigidGap){at.gap, v3_scale(first ? -1 : 1, at.normal), at.point};
}


rigidPlace rigid_place(const artModel *m, const artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nrigid);
  const modelElement *e = &m->element[m->rigid[i].element];
  const int first = e->contact->first;
  const surfaceMotion body[2] = {
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
  p.turn = v3_scale(sign, v3_sub(vector_at(body[1].omega), vector_at(body[0].omega)));
  for (int k = 0; k < 2; k++) {
    const double *v = body[k].velocity, *w = body[k].omega;
    p.speed = fmax(p.speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    p.speed = fmax(p.speed, surface_size(m, i) * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
  }
  rigid_tangents(p.u);
  return p;
}


//---- rows ----------------------------------------------------------------------------------------

int rigid_slip_rows(rigidArms arms)
{
  return 3 + (arms.spinning > 0);
}


int rigid_rows(rigidArms arms)
{
  return rigid_slip_rows(arms) + (arms.rolling > 0 ? 2 : 0);
}


rigidAxis rigid_axis(const v3 u[3], rigidArms arms, int row)
{
  ART_ASSERT(row >= 0 && row < rigid_rows(arms));
  const v3 none = {0, 0, 0};
  const int slip = rigid_slip_rows(arms);
  if (row < 3) return (rigidAxis){u[row], none};
  if (row < slip) return (rigidAxis){none, v3_scale(arms.spinning, u[0])};
  return (rigidAxis){none, v3_scale(arms.rolling, u[1 + row - slip])};
}


double rigid_axis_rate(const rigidAxis *axis, v3 velocity, v3 turn)
{
  return v3_dot(axis->force, velocity) + v3_dot(axis->torque, turn);
}


void rigid_put_force(rigidForce *f, const v3 u[3], rigidArms arms, const double *p)
{
  f->force = f->torque = (v3){0, 0, 0};
  for (int r = 0; r < rigid_rows(arms); r++) {
    const rigidAxis axis = rigid_axis(u, arms, r);
    f->along[r] = p[r];
    f->force = v3_add(f->force, v3_scale(p[r], axis.force));
    f->torque = v3_add(f->torque, v3_scale(p[r], axis.torque));
  }
}


// The velocity v + omega x (p - o) of a body at a point p that moves over it by p' changes by the acceleration of the body there and
// by  omega x (p' - v).
//   (e n.w)' = e (n.w' + n'.w),   (b u.w)' = b (u.w' - (u.n')(n.w)) of the part of w in the plane
void rigid_rates(const artModel *m, const artData *d, int i, const rigidPlace *p, double *rate)
{
  const treeData *t = &d->work->tree;
  const rigidArms arms = m->rigid[i].arms;
  v3 change[2], turn[2];
  for (int k = 0; k < 2; k++) {
    const int link = rigid_link_of(m, i, k);
    const v3 r = point_of_link(d, link, p->point);
    const v3 omega = m3_back(tree_in_ground(t, link)->R, tree_motion(t, link)->ang);
    const v3 over = v3_sub(p->point_rate, tree_point_velocity(t, link, r));
    change[k] = v3_add(tree_point_acceleration(&m->tree, t, link, r), v3_cross(omega, over));
    turn[k] = m3_back(tree_in_ground(t, link)->R, tree_body(t, link)->acc.ang);
  }
  const v3 a = v3_sub(change[1], change[0]), w = v3_sub(turn[1], turn[0]);
  const double spin = v3_dot(p->u[0], p->turn);
  for (int k = 0; k < rigid_rows(arms); k++) {
    const rigidAxis axis = rigid_axis(p->u, arms, k);
    rate[k] = rigid_axis_rate(&axis, a, w);
    const double turned = v3_dot(axis.torque, p->normal_rate);
    if (k >= rigid_slip_rows(arms)) rate[k] -= turned * spin;
  }
  rate[0] += v3_dot(p->normal_rate, p->velocity);
  if (arms.spinning > 0) rate[3] += arms.spinning * v3_dot(p->normal_rate, p->turn);
}


// J_k = +-S_k.w for the wrench of an axis at the point
void rigid_row(const artModel *m, const artData *d, int i, const rigidPlace *p,
               const rigidAxis *axis, double *J)
{
  const treeData *t = &d->work->tree;
  const treeAxes *S = &t->S;
  memset(J, 0, (size_t) m->tree.nv * sizeof *J);
  for (int k = 0; k < 2; k++) {
    const cutSide *side = &m->rigid[i].side[k];
    const v3 force = k ? axis->force : v3_neg(axis->force);
    const v3 torque = k ? axis->torque : v3_neg(axis->torque);
    const v3 origin = tree_in_ground(t, m->tree.anchor[side->link])->o;
    const v3 moment = v3_add(torque, v3_cross(v3_sub(p->point, origin), force));
    for (int c = 0; c < side->n; c++) {
      const int j = side->dof[c];
      J[j] = S->ax[j] * moment.x + S->ay[j] * moment.y + S->az[j] * moment.z + S->lx[j] * force.x +
             S->ly[j] * force.y + S->lz[j] * force.z;
    }
  }
}


//---- motion that is resisted ---------------------------------------------------------------------

rigidVector rigid_motion(const artModel *m, int i, const rigidPlace *p, rigidPart part)
{
  const rigidArms arms = m->rigid[i].arms;
  const v3 n = p->u[0], v = part == RIGID_ROLL ? v3_scale(arms.rolling, p->turn) : p->velocity;
  return (rigidVector){v3_sub(v, v3_scale(v3_dot(n, v), n)),
                       part == RIGID_ROLL ? 0 : arms.spinning * v3_dot(n, p->turn)};
}


int rigid_resists(const artModel *m, int i, rigidPart part)
{
  return part == RIGID_ROLL ? m->rigid[i].arms.rolling > 0 : m->rigid[i].friction > 0;
}


double rigid_dot(rigidVector a, rigidVector b)
{
  return v3_dot(a.along, b.along) + a.spin * b.spin;
}


double rigid_size(rigidVector a)
{
  return sqrt(rigid_dot(a, a));
}


rigidVector rigid_scaled(double s, rigidVector a)
{
  return (rigidVector){v3_scale(s, a.along), s * a.spin};
}


// arm/size
double rigid_scale(const artModel *m, int i, rigidPart part)
{
  const rigidArms arms = m->rigid[i].arms;
  return (part == RIGID_ROLL ? arms.rolling : arms.spinning) / surface_size(m, i);
}


static double speed_of(const artModel *m, int i, const rigidPlace *p, rigidPart part)
{
  return (p->speed + surface_size(m, i)) * (part == RIGID_ROLL ? rigid_scale(m, i, part) : 1);
}


double rigid_slow(const artModel *m, int i, const rigidPlace *p, rigidPart part)
{
  return SLOW * speed_of(m, i, p, part);
}


double rigid_still(const artModel *m, int i, const rigidPlace *p, rigidPart part)
{
  return STILL * speed_of(m, i, p, part);
}


int rigid_has_jumped(const artModel *m, int i, double gap)
{
  return gap > JUMPED * m->rigid[i].reach;
}


//---- modes ---------------------------------------------------------------------------------------

int *rigid_mode(const artModel *m, const artData *d, int i, rigidPart part)
{
  ART_ASSERT(i >= 0 && i < m->nrigid);
  return d->work->mode + m->rigid[i].mode0 + part;
}


void rigid_put_modes(const artModel *m, artData *d, int i, int slip, int rolling)
{
  *rigid_mode(m, d, i, RIGID_SLIP) = slip;
  *rigid_mode(m, d, i, RIGID_ROLL) = rolling;
}
