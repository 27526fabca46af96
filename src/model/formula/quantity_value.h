// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values of the quantities that formulas and outputs name. One text for numbers (force/quantity_numbers.c) and symbols
// (gen/element/quantity_symbolic.c); whoever includes it declares a type quantityHost, which has
// the model m, and defines first
//
//   real host_time(h), host_coordinate(h, i, order)       time; position, velocity or acceleration (order 0, 1, 2)
//   v3 host_point(h, frame, order), m3 host_axes(h, frame) origin of a frame and derivatives, its axes by rows; in ground
//   v3 host_turn(h, frame, order)                          angular velocity or acceleration (order 1, 2), in ground
//   v3 host_own_turn(h, frame)                             angular velocity along the axes of the frame itself
//   real host_joint_force(h, i), wrench host_reaction(h, joint), real host_multiplier(h, relation)
//   real host_displacement(h, e, c, is_rate), host_element_value(h, e, c)
//   real host_energy(h, k), wrench host_momentum(h)        kinetic and potential energy (k = 0, 1), rods included
//   real host_run(h, quantityRun k)
//   int host_rod_has_mass(h, cut), real host_rod_mass(h, cut), host_rod_length(h, cut), host_thrust(h, cut)
//   v3 host_rod_end(h, cut, side, order), wrench host_cut_force(h, cut, side)              on the body at a side
//   real host_held(h, i), host_state(h, i), host_signal(h, i)     numbers of artData's u and s, and named formulas
//   v3 host_latch_end(h, i, side, order)
#ifndef MODEL_QUANTITY_VALUE_H
#define MODEL_QUANTITY_VALUE_H

#include <float.h>

#include "element/port.h"
#include "model/formula/quantity_kind.h"
#include "model/heading.h"
#include "model/rod_physics.h"
#include "spatial/quaternion.h"

static inline real quantity_part(v3 a, int c)
{
  return c == 0 ? a.x : c == 1 ? a.y : a.z;
}


// force, then torque
static inline real quantity_of_wrench(wrench f, int c)
{
  return c < 3 ? quantity_part(f.lin, c) : quantity_part(f.ang, c - 3);
}


static inline real quantity_norm(v3 a)
{
  return r_sqrt(v3_dot(a, a));
}


static real quantity_tension(quantityHost *h, int cut)
{
  if (!host_rod_has_mass(h, cut)) return r_neg(host_thrust(h, cut));
  return rod_tension_of(host_rod_mass(h, cut), host_rod_length(h, cut), host_rod_end(h, cut, 0, 1),
                        host_rod_end(h, cut, 1, 1), host_thrust(h, cut));
}


// tension, length, forces at the ends
static real quantity_rod(quantityHost *h, int cut, int c)
{
  if (c == 0) return quantity_tension(h, cut);
  if (c == 1) return rod_span(host_rod_end(h, cut, 0, 0), host_rod_end(h, cut, 1, 0));
  if (c > 10) return r_const(0);
  const int group = (c - 2) / 3;
  const real part = quantity_part(host_cut_force(h, cut, group == 2).lin, (c - 2) % 3);
  return group == 0 ? part : r_neg(part);
}


static real quantity_bar(quantityHost *h, int i, int c)
{
  const modelBarPoint *point = &h->m->bar_point[i];
  const int cut = h->m->bar[point->bar].cut; // of the rod that the bar has become
  const int group = c / 3, order = group < 3 ? group : group - 2;
  const v3 j = host_rod_end(h, cut, 0, order), k = host_rod_end(h, cut, 1, order);
  if (group < 3) return quantity_part(rod_bar_point(r_const(point->s), j, k), c % 3);
  const v3 r[2] = {host_rod_end(h, cut, 0, 0), host_rod_end(h, cut, 1, 0)};
  return quantity_part(rod_bar_turn(r, j, k), c % 3);
}


// rate of the length of a span; it grows at once where there is none yet
static inline real quantity_span_rate(v3 span, v3 rate)
{
  const real length = quantity_norm(span);
  const real along = r_div(v3_dot(span, rate), length);
  return r_select(r_less(length, r_const(DBL_MIN)), quantity_norm(rate), along);
}


static v3 quantity_latch_span(quantityHost *h, int i, int order)
{
  return v3_sub(host_latch_end(h, i, 1, order), host_latch_end(h, i, 0, order));
}


static real quantity_latch(quantityHost *h, int i, int c)
{
  const artLatchType type = h->m->latch[i].type;
  const int is_engaged = h->m->engaged[i], row = h->m->latch_row[i]; // or its relation
  if (c == LATCH_IS_ENGAGED) return r_const(is_engaged);
  if (c == LATCH_LENGTH) return quantity_norm(quantity_latch_span(h, i, 0));
  if (c == LATCH_RATE) {
    return quantity_span_rate(quantity_latch_span(h, i, 0), quantity_latch_span(h, i, 1));
  }
  if (!is_engaged) return r_const(0);
  if (type == ART_LOCK) return host_multiplier(h, row);
  if (type == ART_ROPE) return quantity_tension(h, row);
  const wrench f = host_cut_force(h, row, 1);
  return c == LATCH_FORCE ? quantity_norm(f.lin) : quantity_of_wrench(f, c - LATCH_FX);
}


// kinetic, potential, total, work, total - start - work
static real quantity_energy(quantityHost *h, int c)
{
  if (c < 2) return host_energy(h, c);
  if (c == 3) return host_run(h, RUN_WORK);
  const real total = r_add(host_energy(h, 0), host_energy(h, 1));
  return c == 2 ? total : r_sub(r_sub(total, host_run(h, RUN_START)), host_run(h, RUN_WORK));
}


static real quantity_element(quantityHost *h, int i, int c)
{
  const modelElement *e = &h->m->element[i];
  int is_rate;
  const int shown = port_shown(e, c, &is_rate);
  return shown >= 0 ? host_displacement(h, e, shown, is_rate) : host_element_value(h, e, c);
}


static real quantity_value(quantityHost *h, const modelQuantity *quantity)
{
  const int i = quantity->index, c = quantity->component;
  switch (quantity->kind) {
  case QUANTITY_TIME: return host_time(h);
  case QUANTITY_POSITION: return host_coordinate(h, i, 0);
  case QUANTITY_VELOCITY: return host_coordinate(h, i, 1);
  case QUANTITY_ACCELERATION: return host_coordinate(h, i, 2);
  case QUANTITY_JOINT_FORCE: return host_joint_force(h, i);
  case QUANTITY_REACTION: return quantity_of_wrench(host_reaction(h, i), c);
  case QUANTITY_POINT: return quantity_part(host_point(h, i, 0), c);
  case QUANTITY_POINT_VELOCITY: return quantity_part(host_point(h, i, 1), c);
  case QUANTITY_POINT_ACCELERATION: return quantity_part(host_point(h, i, 2), c);
  case QUANTITY_AXIS: {
    const m3 R = host_axes(h, i);
    return quantity_part(c < 3 ? R.x : c < 6 ? R.y : R.z, c % 3);
  }
  case QUANTITY_ROTATION: {
    real q[4];
    quaternion_of(host_axes(h, i), q);
    return q[c];
  }
  case QUANTITY_OMEGA: return quantity_part(host_turn(h, i, 1), c);
  case QUANTITY_ALPHA: return quantity_part(host_turn(h, i, 2), c);
  case QUANTITY_ATTITUDE: return R_NAME(heading_angle)(host_axes(h, i), c);
  case QUANTITY_TURN: return quantity_part(host_own_turn(h, i), c);
  case QUANTITY_COURSE: return R_NAME(heading_part)(host_axes(h, i), host_point(h, i, 1), c);
  case QUANTITY_SURGE: return R_NAME(heading_part)(host_axes(h, i), host_point(h, i, 2), c);
  case QUANTITY_ELEMENT: return quantity_element(h, i, c);
  case QUANTITY_ENERGY: return quantity_energy(h, c);
  case QUANTITY_MULTIPLIER: return host_multiplier(h, i);
  case QUANTITY_ROD: return quantity_rod(h, i, c);
  case QUANTITY_ROLL: return host_roll(h, i, c);
  case QUANTITY_BAR: return quantity_bar(h, i, c);
  case QUANTITY_MOMENTUM: return quantity_of_wrench(host_momentum(h), c);
  case QUANTITY_GRAVITY: return quantity_part(host_gravity(h), c);
  case QUANTITY_STEP: return host_run(h, (quantityRun) (RUN_STEP + c));
  case QUANTITY_CONSTRAINT: return host_run(h, (quantityRun) (RUN_VIOLATION + c));
  case QUANTITY_LATCH: return quantity_latch(h, i, c);
  case QUANTITY_HELD: return host_held(h, i);
  case QUANTITY_STATE: return host_state(h, i);
  case QUANTITY_SIGNAL: return host_signal(h, i);
  }
  return r_const(0);
}

#endif
