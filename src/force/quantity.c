// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values of the quantities that formulas and outputs name.
#include "force/force.h"

#include <math.h>

#include "data/rod.h"
#include "force/port.h"
#include "model/heading.h"
#include "model/pose.h"


static double component3(v3 a, int c)
{
  return c == 0 ? a.x : c == 1 ? a.y : a.z;
}


wrench force_reaction(const artModel *m, const artData *d, int j)
{
  const modelJoint *joint = &m->joint[j];
  const treeData *t = data_motion(m, d);
  if (joint->is_cut) return d->work->cut_force[joint->cut];

  // the child's own link is the last of the joint's; its origin lies in the joint, on its side
  const int i = joint->link + joint->nlink - 1;
  const v3 force = m3_back(tree_in_ground(t, i)->R, tree_body(t, i)->f.lin);
  const v3 torque = m3_back(tree_in_ground(t, i)->R, tree_body(t, i)->f.ang);
  if (!joint->is_reversed) return (wrench){torque, force};

  // the child is `from`: turn the wrench round and move it to the other side
  const treeLink *first = &m->tree.link[joint->link];
  const v3 arm = v3_sub(tree_in_ground(t, i)->o, tree_point(t, first->parent, first->p));
  return (wrench){v3_neg(v3_add(torque, v3_cross(arm, force))), v3_neg(force)};
}


static double reaction(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const wrench f = force_reaction(m, d, quantity->index);
  const int c = quantity->component;
  return c < 3 ? component3(f.lin, c) : component3(f.ang, c - 3);
}


// what a control tells besides its force: a formula, of which the quantities stand in the slots by now
static double told_value(const artData *d, const modelElement *e, int component)
{
  const artWork *w = d->work;
  const int *mode = w->mode + e->mode0;
  for (int c = 0; c < component; c++) mode += e->formula[c]->nswitch;
  return formula_value(e->formula[component], w->slots, mode, w->stack);
}


// what a force element does; length and rate of a spring are those of now, also before it is applied
static double element_value(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const modelElement *e = &m->element[quantity->index];
  int is_rate;
  const int shown = port_shown(e, quantity->component, &is_rate);
  if (shown >= 0) {
    portState port;
    force_move_port(m, d, e, &port);
    return is_rate ? port.in.v[shown] : port.in.x[shown];
  }
  if (e->nterm > 0 && quantity->component > 0) {
    return told_value(d, e, quantity->component);
  }
  return d->work->value[e->value0 + quantity->component];
}


// tension, length, and the force on `from`
static double rod_value(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const modelCut *cut = &m->cut[quantity->index];
  if (quantity->component == 0) return rod_tension(d, cut);
  const int group = (quantity->component - 2) / 3, axis = (quantity->component - 2) % 3;
  if (quantity->component > 10) return 0;
  if (quantity->component > 1 && group < 2) {
    return (group ? -1 : 1) * component3(d->work->from_force[quantity->index], axis);
  }
  if (group == 2) return -component3(d->work->cut_force[quantity->index].lin, axis);
  const treeData *t = &d->work->tree;
  const v3 span = v3_sub(tree_point(t, cut->side[1].link, cut->side[1].r),
                         tree_point(t, cut->side[0].link, cut->side[0].r));
  return sqrt(v3_dot(span, span));
}


// rows of the rotation from ground to the frame are its axes
static m3 frame_axes(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const modelFrame *frame = &m->frame[quantity->index];
  return m3_mul_m3(frame->R, tree_in_ground(&d->work->tree, frame->link)->R);
}


static double axis_component(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const m3 R = frame_axes(m, d, quantity);
  const int axis = quantity->component / 3;
  return component3(axis == 0 ? R.x : axis == 1 ? R.y : R.z, quantity->component % 3);
}


static double rotation(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  double q[4];
  pose_quaternion(frame_axes(m, d, quantity), q);
  return q[quantity->component];
}


// what vehicles are judged by
static double heading_quantity(const artModel *m, const artData *d, const modelQuantity *quantity)
{
  const treeData *t = &d->work->tree;
  const modelFrame *frame = &m->frame[quantity->index];
  const int i = frame->link, c = quantity->component;
  const m3 R = frame_axes(m, d, quantity);
  switch (quantity->kind) {
  case QUANTITY_ATTITUDE:
    return heading_angle(R, c);
  case QUANTITY_TURN:
    return component3(m3_mul(frame->R, tree_motion(t, i)->ang), c);
  case QUANTITY_COURSE:
    return heading_part(R, tree_point_velocity(t, i, frame->r), c);
  default:
    return heading_part(R, tree_point_acceleration(&m->tree, t, i, frame->r), c);
  }
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
    return component3(tree_point_acceleration(&m->tree, data_motion(m, d), i, frame->r), c);
  case QUANTITY_OMEGA:
    return component3(m3_back(tree_in_ground(t, i)->R, tree_motion(t, i)->ang), c);
  default:
    return component3(m3_back(tree_in_ground(t, i)->R, tree_body(data_motion(m, d), i)->acc.ang),
                      c);
  }
}


static double momentum(const artModel *m, const artData *d, int component)
{
  const wrench p = wr_add(tree_momentum(&m->tree, &d->work->tree), rod_momentum(m, d));
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
    return d->force[i] + d->work->coupling_force[i];
  case QUANTITY_REACTION:
    return reaction(m, d, quantity);
  case QUANTITY_AXIS:
    return axis_component(m, d, quantity);
  case QUANTITY_ROTATION:
    return rotation(m, d, quantity);
  case QUANTITY_ATTITUDE:
  case QUANTITY_TURN:
  case QUANTITY_COURSE:
  case QUANTITY_SURGE:
    return heading_quantity(m, d, quantity);
  case QUANTITY_ELEMENT:
    return element_value(m, d, quantity);
  case QUANTITY_MULTIPLIER:
    return d->work->multiplier[m->relation[i].row];
  case QUANTITY_ROD:
    return rod_value(m, d, quantity);
  case QUANTITY_BAR:
    return rod_bar_value(m, d, &m->bar_point[i], quantity->component);
  case QUANTITY_ENERGY:
    return energy(d, quantity->component);
  case QUANTITY_MOMENTUM:
    return momentum(m, d, quantity->component);
  case QUANTITY_STEP:
    return quantity->component == 0 ? d->work->step_size : d->work->step_index;
  case QUANTITY_CONSTRAINT:
    return d->work->violation[quantity->component];
  case QUANTITY_LATCH:
    return force_latch_value(m, d, i, quantity->component);
  default:
    return frame_quantity(m, d, quantity);
  }
}


static void find_energies(const artModel *m, artData *d)
{
  artWork *w = d->work;
  if (w->has_energies) return;
  w->energies[0] = tree_kinetic(&m->tree, &w->tree, d->v) + rod_kinetic(m, d);
  w->energies[1] = tree_potential(&m->tree, &w->tree) + rod_potential(m, d) + force_potential(m, d);
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
  data_need_velocity(m, d);
  if (needs_energy(m, only_forces)) find_energies(m, d);
  for (int i = 0; i < m->nquantity; i++) {
    const modelQuantity *quantity = &m->quantity[i];
    if (only_forces && !quantity->in_forces) continue;
    w->slots[i] = value_of(m, d, quantity);
  }
}


void force_latch_quantities(const artModel *m, artData *d)
{
  data_need_velocity(m, d);
  for (int i = 0; i < m->nlatch_slot; i++) {
    const modelQuantity *quantity = &m->quantity[m->latch_slot[i]];
    if (quantity->kind == QUANTITY_ENERGY) find_energies(m, d);
    d->work->slots[m->latch_slot[i]] = value_of(m, d, quantity);
  }
}
