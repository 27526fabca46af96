// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values of the quantities that formulas and outputs name.
#include "force/force.h"
#include "model/pose.h"


static double component3(v3 a, int c)
{
  return c == 0 ? a.x : c == 1 ? a.y : a.z;
}


// what the `from` side does to `to` through a joint, at the joint, in ground axes
static double reaction(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const modelJoint *joint = &m->joint[quantity->index];
  const treeData *t = &d->work->tree;

  // the body's own link is the last of the joint's; its origin lies in the joint
  const int i = joint->link + joint->nlink - 1;
  const wrench f = t->f[i];
  const int c = quantity->component;
  const double value = c < 3 ? component3(m3_back(t->world[i].R, f.lin), c)
                             : component3(m3_back(t->world[i].R, f.ang), c - 3);
  return joint->is_reversed ? -value : value;
}


static double rotation(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const modelFrame *frame = &m->frame[quantity->index];
  double q[4];
  pose_quaternion(m3_mul_m3(frame->R, d->work->tree.world[frame->link].R), q);
  return q[quantity->component];
}


static double energy(const artData *d, int component)
{
  const artWork *w = d->work;
  const double total = w->energies[0] + w->energies[1];
  switch (component) {
  case 0:
    return w->energies[0];
  case 1:
    return w->energies[1];
  case 2:
    return total;
  case 3:
    return w->work;
  default:
    return total - w->initial_energy - w->work;
  }
}


static double frame_quantity(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const treeData *t = &d->work->tree;
  const modelFrame *frame = &m->frame[quantity->index];
  const int i = frame->link, c = quantity->component;
  switch (quantity->kind) {
  case QUANTITY_POINT:
    return component3(tree_point(t, i, frame->r), c);
  case QUANTITY_POINT_VELOCITY:
    return component3(tree_point_velocity(t, i, frame->r), c);
  case QUANTITY_POINT_ACCELERATION:
    return component3(tree_point_acceleration(&m->tree, t, i, frame->r), c);
  case QUANTITY_OMEGA:
    return component3(m3_back(t->world[i].R, t->vel[i].ang), c);
  default:
    return component3(m3_back(t->world[i].R, t->acc[i].ang), c);
  }
}


static double momentum(const artModel *m, const artData *d, int component)
{
  const wrench p = tree_momentum(&m->tree, &d->work->tree);
  return component < 3 ? component3(p.lin, component) : component3(p.ang, component - 3);
}


static double value_of(const artModel *m, artData *d, const modelQuantity *quantity)
{
  const int i = quantity->index;
  switch (quantity->kind) {
  case QUANTITY_TIME:
    return d->time;
  case QUANTITY_POSITION:
    return d->q[i];
  case QUANTITY_VELOCITY:
    return d->v[i];
  case QUANTITY_ACCELERATION:
    return d->a[i];
  case QUANTITY_JOINT_FORCE:
    return d->force[i];
  case QUANTITY_REACTION:
    return reaction(m, d, quantity);
  case QUANTITY_ROTATION:
    return rotation(m, d, quantity);
  case QUANTITY_ELEMENT:
    return d->work->value[ELEMENT_VALUES * i + quantity->component];
  case QUANTITY_ENERGY:
    return energy(d, quantity->component);
  case QUANTITY_MOMENTUM:
    return momentum(m, d, quantity->component);
  default:
    return frame_quantity(m, d, quantity);
  }
}


static int needs_energy(const artModel *m, int only_forces)
{
  for (int i = 0; i < m->nquantity; i++) {
    const modelQuantity *quantity = &m->quantity[i];
    if (quantity->kind == QUANTITY_ENERGY && (quantity->in_forces || !only_forces)) return 1;
  }
  return 0;
}


void force_quantities(const artModel *m, artData *d, int only_forces)
{
  artWork *w = d->work;
  force_need_velocity(m, d);
  if (needs_energy(m, only_forces)) {
    w->energies[0] = tree_kinetic(&m->tree, &w->tree, d->v);
    w->energies[1] = tree_potential(&m->tree, &w->tree) + force_potential(m, d);
  }
  for (int i = 0; i < m->nquantity; i++) {
    const modelQuantity *quantity = &m->quantity[i];
    if (only_forces && !quantity->in_forces) continue;
    w->slots[i] = value_of(m, d, quantity);
  }
}
