// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements on symbols: their files are included below as they are, with `real` a node, and meet the recorded
// motion of the machine at their ports.
#include "gen/element/road_equations.h"
#include "gen/vectors.h"

#include "lowered/element/texts.h"


//---- frames and coordinates ----------------------------------------------------------------------

typedef genBuild portHost;

#define host_point    gen_point
#define host_velocity gen_point_velocity
#define host_omega    gen_angular_velocity
#define host_axes     gen_frame_axes
#define host_push     gen_force_at
#define host_twist    gen_torque_on


static pairFrame host_frame(portHost *h, int frame)
{
  return (pairFrame){host_axes(h, frame), host_point(h, frame), host_velocity(h, frame),
                     host_omega(h, frame)};
}


static void host_axis(portHost *h, const modelElement *e, real *x, real *v)
{
  gen_axis(h, e, &x->node, &v->node);
}


static void host_load(portHost *h, int frame, v3 force, v3 torque)
{
  host_push(h, frame, force);
  host_twist(h, frame, torque);
}


static void host_push_axis(portHost *h, const modelElement *e, real force)
{
  gen_force_along(h, e, force.node);
}


static void host_add_power(portHost *h, real power)
{
  gen_add_power(h, power.node, r_const(1).node);
}

#include "element/attach.h"


groundJet ground_jet(const contactBody *a, real x, real y)
{
  const roadJet f = gen_road(a->builder, a->road, x, y);
  return (groundJet){f.z, f.x, f.y, f.xx, f.xy, f.yy};
}


// the port of an element outside of its force
static portState own_port(genBuild *b, const modelElement *e)
{
  return (portState){.in = {.from = {b, (int) (e - b->m->element), e->mode0}}};
}


real gen_displacement(genBuild *b, const modelElement *e, int c, int is_rate)
{
  portState port = own_port(b, e);
  attach_move(b, e, &port);
  return is_rate ? port.in.v[c] : port.in.x[c];
}


v3 gen_last_direction(genBuild *b, const modelElement *e)
{
  portState port = own_port(b, e);
  attach_move(b, e, &port);
  return e->nframe > 2 ? port.next[e->nframe - 3] : port.line.direction;
}


v3 gen_contact_point(genBuild *b, const modelElement *e)
{
  portState port = own_port(b, e);
  attach_move(b, e, &port);
  return port.contact.point;
}


//---- elements ------------------------------------------------------------------------------------

// results of formulas, or of the user's function
static void find_given(genBuild *b, const modelElement *e, portType type, portMotion *in)
{
  int x[ART_POINT_PARAMETER], given[6] = {0};
  if (port_has_call(e)) {
    real input[ART_POINT_PARAMETER];
    in->time.node = gen_time_symbol(b);
    port_inputs(in, type, input);
    for (int k = 0; k < e->call.function->ninput; k++) x[k] = input[k].node;
    int handed[ELEMENT_FORMULAS];
    gen_formulas(b, e, handed);
    const int call = gen_call(b, &e->call, x, handed, "call", in->from.index);
    for (int k = 0; k < e->call.function->n; k++) given[k] = expr_element(gen_pool(b), call, k);
  } else {
    gen_formulas(b, e, given);
  }
  for (int k = 0; k < 6; k++) in->given[k].node = given[k];
}


void gen_act(genBuild *b, const modelElement *e, int i, int *value)
{
  const elementPhysics *physics = port_physics(e);
  portState port = {.in = {.from = {b, i, e->mode0}}};
  portForce out = {0};
  attach_move(b, e, &port);
  find_given(b, e, physics->port, &port.in);
  physics->act(e, &port.in, &out);

  // a control tells more than its force
  real own[6] = {port.in.given[0], port.in.given[1], port.in.given[2]};
  attach_give(b, e, &port, &out, PORT_ELASTIC | PORT_RESISTING, own);
  for (int c = 0; c < e->nvalue; c++) value[c] = own[c].node;
  const int *x = (const int *) port.in.x, *v = (const int *) port.in.v;
  if (physics->port == PORT_LINE || physics->port == PORT_AXIS) {
    gen_name_value(b, i, x[0], physics->port == PORT_LINE ? "length" : "displacement");
    gen_name_value(b, i, v[0], "rate");
    gen_name_value(b, i, value[0], physics->port == PORT_LINE ? "tension" : "force");
  }
  if (physics->port == PORT_LINE) {
    gen_name_values(b, i, 3, (const int *) &port.line.direction, "direction");
  } else if (physics->port == PORT_PAIR) {
    gen_name_values(b, i, 6, x, "displacement");
    gen_name_values(b, i, 6, v, "rate");
    gen_name_values(b, i, 6, value, "force");
  }
  if (physics->potential) gen_add_potential(b, physics->potential(e, &port.in).node);
}


int gen_has_port(const modelElement *e)
{
  return port_physics(e) != NULL;
}
