// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Attachment of elements to a machine: motion of their ports from frames and coordinates, and their
// forces on these. The same source serves numbers and symbols; an including file declares a type
// portHost and first defines
//
//   v3 host_point(portHost *h, int frame), host_velocity, host_omega; m3 host_axes      of a frame,
//   in ground
//   pairFrame host_frame(portHost *h, int frame)                                        all four at
//   once
//   void host_axis(portHost *h, const modelElement *e, real *x, real *v)                the
//   coordinate it acts on
//   void host_push(portHost *h, int frame, v3 force), host_twist(.., v3 torque)         at the
//   point, ground axes
//   void host_load(portHost *h, int frame, v3 force, v3 torque)                         both at
//   once
//   void host_push_axis(portHost *h, const modelElement *e, real force)
//   void host_add_power(portHost *h, real power)
#ifndef ELEMENT_ATTACH_H
#define ELEMENT_ATTACH_H

#include "element/port.h"

//---- motion --------------------------------------------------------------------------------------

// span i of a line
static inline portLine attach_span(portHost *h, const modelElement *e, int i)
{
  ART_ASSERT(i >= 0 && i + 1 < e->nframe);
  const int a = e->frame[i], b = e->frame[i + 1];
  return port_line(v3_sub(host_point(h, b), host_point(h, a)),
                   v3_sub(host_velocity(h, b), host_velocity(h, a)));
}


static inline void attach_move(portHost *h, const modelElement *e, portState *port)
{
  const elementPhysics *physics = port_physics(e);
  const int frame = e->frame[0];
  portMotion *in = &port->in;
  if (physics->port == PORT_LINE) {
    port->line = attach_span(h, e, 0);
    for (int i = 0; i + 2 < e->nframe; i++) {
      const portLine span = attach_span(h, e, i + 1);
      port->next[i] = span.direction;
      port->line.length = r_add(port->line.length, span.length);
      port->line.rate = r_add(port->line.rate, span.rate);
    }
    in->x[0] = port->line.length;
    in->v[0] = port->line.rate;
  } else if (physics->port == PORT_AXIS) {
    host_axis(h, e, &in->x[0], &in->v[0]);
  } else if (physics->port == PORT_PAIR) {
    const pairFrame from = host_frame(h, frame), to = host_frame(h, e->frame[1]);
    port->pair = port_pair(&from, &to, in->x, in->v);
  }
  if (physics->port != PORT_POINT) return;
  const int needs = port->needs = physics->needs(e);
  if (needs & PORT_POSITION) in->position = host_point(h, frame);
  if (needs & PORT_VELOCITY) in->velocity = host_velocity(h, frame);
  if (needs & PORT_OMEGA) in->omega = host_omega(h, frame);
  if (needs & PORT_AXES) in->axes = host_axes(h, frame);
}


//---- forces --------------------------------------------------------------------------------------

static inline void attach_give_point(portHost *h, const modelElement *e, const portState *port,
                                     const portForce *out, real *value)
{
  const int needs = port->needs;
  const portMotion *in = &port->in;
  real power = r_const(0);
  if (needs & PORT_VELOCITY) {
    host_push(h, e->frame[0], out->force);
    power = r_add(power, v3_dot(out->force, in->velocity));
  }
  if (needs & PORT_OMEGA) {
    host_twist(h, e->frame[0], out->torque);
    power = r_add(power, v3_dot(out->torque, in->omega));
  }
  if (!e->has_potential) host_add_power(h, power);
  for (int c = 0; c < e->nvalue; c++) value[c] = out->value[c];
}


// tension pulls the end points of each span together
static inline void attach_give_line(portHost *h, const modelElement *e, const portState *port,
                                    real tension)
{
  for (int i = 0; i + 1 < e->nframe; i++) {
    const v3 pull = v3_scale(tension, i == 0 ? port->line.direction : port->next[i - 1]);
    host_push(h, e->frame[i], pull);
    host_push(h, e->frame[i + 1], v3_neg(pull));
  }
}


static inline void attach_give_pair(portHost *h, const modelElement *e, const portPair *pair,
                                    const real s[6], real *value)
{
  const pairForce f = port_pair_force(pair, s);
  host_load(h, e->frame[1], f.force, f.torque);
  host_load(h, e->frame[0], v3_neg(f.force), v3_neg(f.lever));
  pair_store(value, v3_make(s[0], s[1], s[2]), f.own);
}


// Apply force and torque of an element, or the selected parts of them, at its port. Writes its
// values: the tension of a line; the force along an axis and results of further formulas; force and
// torque of a pair in the axes of `from`.
static inline void attach_give(portHost *h, const modelElement *e, const portState *port,
                               const portForce *out, int parts, real *value)
{
  const portType type = port_physics(e)->port;
  const int n = type == PORT_POINT ? 0 : type == PORT_PAIR ? 6 : 1;
  real s[6];
  for (int i = 0; i < n; i++) {
    const real resisting = parts & PORT_RESISTING ? out->resisting[i] : r_const(0);
    s[i] = parts & PORT_ELASTIC ? r_add(out->elastic[i], resisting) : resisting;
    host_add_power(h, r_mul(resisting, port->in.v[i]));
  }
  if (type == PORT_POINT) {
    attach_give_point(h, e, port, out, value);
  } else if (type == PORT_PAIR) {
    attach_give_pair(h, e, &port->pair, s, value);
  } else if (type == PORT_LINE) {
    value[0] = r_neg(s[0]);
    attach_give_line(h, e, port, value[0]);
  } else {
    value[0] = s[0];
    host_push_axis(h, e, s[0]);
  }
}

#endif
