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


// one side of a contact: the reference point of its shape, r = r_frame + axes^T offset
static inline contactBody attach_side(const portMotion *in, const contactSide *side, int which,
                                      const pairFrame *frame)
{
  static const char *const offset_name[2][3] = {{"offset_x", "offset_y", "offset_z"},
                                                {"offset2_x", "offset2_y", "offset2_z"}};
  static const char *const half_name[2][3] = {{"half_x", "half_y", "half_z"},
                                              {"half2_x", "half2_y", "half2_z"}};
  static const char *const radius_name[2] = {"radius", "radius2"};
  static const char *const top_name[2] = {"top", "top2"}, *const tube_name[2] = {"tube", "tube2"};
  const v3 offset = port_vector(in, side->offset, offset_name[which]);
  contactBody body = {.at = v3_add(frame->point, m3_back(frame->axes, offset)),
                      .axes = frame->axes,
                      .radius = port_number(in, &side->radius, radius_name[which])};
  body.profile = side->profile;
  body.chain = side->chain;
  body.hull = side->hull;
  body.road = side->road;
  body.bend = fmax(side->valley, side->crest);
#ifdef ART_SYMBOLIC
  body.builder = in->from.b;
#endif
  if (side->shape == CONTACT_FRUSTUM) body.top = port_number(in, &side->top, top_name[which]);
  if (side->shape == CONTACT_RIM) body.tube = port_number(in, &side->tube, tube_name[which]);
  for (int k = 0; k < 3; k++) body.half[k] = port_number(in, &side->half[k], half_name[which][k]);
  return body;
}


// With w the velocity of the second surface at the contact point, relative to the first, the gap
// grows by n.w, and the slip velocity is the rest of w.
static inline void attach_touch(portHost *h, const modelElement *e, portState *port)
{
  const contactPair *pair = e->contact;
  const int first = pair->first;
  const pairFrame frame[2] = {host_frame(h, e->frame[0]), host_frame(h, e->frame[1])};
  portMotion *in = &port->in;
  portContact *own = &port->contact;
  contactBody body[2];
  for (int i = 0; i < 2; i++) {
    const int k = i ? !first : first;
    body[i] = attach_side(in, &pair->side[k], k, &frame[k]);
  }
  const contactPoint at = contact_place(pair->side[first].shape, pair->side[!first].shape, body);
  own->point = at.point;
  own->normal = first ? v3_neg(at.normal) : at.normal;
  v3 velocity[2];
  for (int k = 0; k < 2; k++) {
    own->arm[k] = v3_sub(at.point, frame[k].point);
    velocity[k] = v3_add(frame[k].velocity, v3_cross(frame[k].omega, own->arm[k]));
  }
  own->closing = v3_sub(velocity[1], velocity[0]);
  const real rate = v3_dot(own->normal, own->closing);
  v3 slip = v3_sub(own->closing, v3_scale(rate, own->normal)), normal = own->normal;
  if (pair->axes >= 0) {
    own->axes = frame[pair->axes].axes;
    slip = m3_mul(own->axes, slip);
    normal = m3_mul(own->axes, normal);
  }

  // the normal of a plane is exact in its own axes
  if (pair->side[first].shape == CONTACT_PLANE) {
    const real zero = r_const(0);
    normal = v3_make(zero, zero, r_const(first ? -1 : 1));
    slip.z = zero;
  }
  in->x[CONTACT_GAP] = at.gap;
  in->v[CONTACT_GAP] = rate;

  // bristles turn with the flat side, otherwise with both bodies
  const v3 turn = pair->axes >= 0 ? frame[pair->axes].omega
                                  : v3_scale(r_const(0.5), v3_add(frame[0].omega, frame[1].omega));
  const v3 spin = v3_sub(frame[1].omega, frame[0].omega);
  in->x[CONTACT_UP] = own->normal.x;
  in->x[CONTACT_UP + 1] = own->normal.y;
  in->x[CONTACT_UP + 2] = own->normal.z;
  in->v[CONTACT_UP] = spin.x;
  in->v[CONTACT_UP + 1] = spin.y;
  in->v[CONTACT_UP + 2] = spin.z;
  pair_store(&in->x[CONTACT_NORMAL], normal, at.point);
  in->v[CONTACT_NORMAL] = slip.x;
  in->v[CONTACT_NORMAL + 1] = slip.y;
  in->v[CONTACT_NORMAL + 2] = slip.z;
  in->v[CONTACT_POINT] = turn.x;
  in->v[CONTACT_POINT + 1] = turn.y;
  in->v[CONTACT_POINT + 2] = turn.z;
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
  } else if (physics->port == PORT_CONTACT) {
    attach_touch(h, e, port);
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


// equal and opposite forces at the contact point
static inline void attach_give_contact(portHost *h, const modelElement *e, const portContact *own,
                                       v3 given, real *value)
{
  const v3 force = e->contact->axes >= 0 ? m3_back(own->axes, given) : given;
  for (int k = 0; k < 2; k++) {
    const v3 push = k ? force : v3_neg(force);
    host_load(h, e->frame[k], push, v3_cross(own->arm[k], push));
  }
  host_add_power(h, v3_dot(force, own->closing));
  value[0] = force.x, value[1] = force.y, value[2] = force.z;
}


// Apply force and torque of an element, or the selected parts of them, at its port. Writes its
// values: the tension of a line; the force along an axis and results of further formulas; force and
// torque of a pair in the axes of `from`.
static inline void attach_give(portHost *h, const modelElement *e, const portState *port,
                               const portForce *out, int parts, real *value)
{
  const portType type = port_physics(e)->port;
  const int n = type == PORT_PAIR ? 6 : type == PORT_POINT || type == PORT_CONTACT ? 0 : 1;
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
  } else if (type == PORT_CONTACT) {
    attach_give_contact(h, e, &port->contact, out->force, value);
  } else if (type == PORT_LINE) {
    value[0] = r_neg(s[0]);
    attach_give_line(h, e, port, value[0]);
  } else {
    value[0] = s[0];
    host_push_axis(h, e, s[0]);
  }
}

#endif
