// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements at work in relative coordinates.
#include "force/port_forces.h"

#include <math.h>

#include "element/kind.h"
#include "force/force.h"
#include "force/rigid_place.h"

//---- frames and coordinates ----------------------------------------------------------------------

// the machine at a state; forces go `to` its data, where it is not NULL
typedef struct portHost {
  const artModel *m;
  const artData *d;
  artData *to;
} portHost;


static v3 host_point(portHost *h, int i)
{
  const modelFrame *frame = &h->m->frame[i];
  return tree_point(&h->d->work->tree, frame->link, frame->r);
}


static v3 host_velocity(portHost *h, int i)
{
  const modelFrame *frame = &h->m->frame[i];
  return tree_point_velocity(&h->d->work->tree, frame->link, frame->r);
}


static v3 host_omega(portHost *h, int i)
{
  const treeData *t = &h->d->work->tree;
  const int link = h->m->frame[i].link;
  return m3_back(tree_in_ground(t, link)->R, tree_motion(t, link)->ang);
}


static m3 host_axes(portHost *h, int i)
{
  const modelFrame *frame = &h->m->frame[i];
  return data_axes(&frame->R, tree_in_ground(&h->d->work->tree, frame->link));
}


// with one look at the link
static pairFrame host_frame(portHost *h, int i)
{
  const modelFrame *frame = &h->m->frame[i];
  const treeData *t = &h->d->work->tree;
  const treeWorld *link = tree_in_ground(t, frame->link);
  const motion *vel = tree_motion(t, frame->link);
  const v3 own = v3_add(vel->lin, v3_cross(vel->ang, frame->r));
  return (pairFrame){data_axes(&frame->R, link), v3_add(link->o, m3_back(link->R, frame->r)),
                     m3_back(link->R, own), m3_back(link->R, vel->ang)};
}


// x = sum of c q
static void host_axis(portHost *h, const modelElement *e, double *x, double *v)
{
  *x = *v = 0;
  for (int i = 0; i < e->nterm; i++) {
    *x += e->term[i].c * h->d->q[e->term[i].position];
    *v += e->term[i].c * h->d->v[e->term[i].velocity];
  }
}


static void host_push(portHost *h, int i, v3 force)
{
  force_at_point(h->to, h->m->frame[i].link, h->m->frame[i].r, force);
}


static void host_twist(portHost *h, int i, v3 torque)
{
  force_torque(h->to, h->m->frame[i].link, torque);
}


static void host_load(portHost *h, int i, v3 force, v3 torque)
{
  force_wrench(h->to, h->m->frame[i].link, h->m->frame[i].r, force, torque);
}


// Q = c F
static void host_push_axis(portHost *h, const modelElement *e, double force)
{
  for (int i = 0; i < e->nterm; i++) h->to->force[e->term[i].velocity] += e->term[i].c * force;
}


static void host_add_power(portHost *h, double power)
{
  h->to->work->power += power;
}

#include "element/attach.h"


void force_move_port(const artModel *m, const artData *d, const modelElement *e, portState *port)
{
  portHost host = {m, d, NULL};
  port->in.from = (portSource){.mode = d->work->mode + e->mode0};
  attach_move(&host, e, port);
}


//---- checks --------------------------------------------------------------------------------------

artStatus force_check_spring(const modelElement *e, double x, double t, artError *error)
{
  if (!e->spring || law_is_defined(e->spring, x)) return ART_OK;
  return base_fail(error, ART_SINGULAR, e->place,
                   "air spring '%s' has no volume left at t = %.9g s, where x = %.6g; give it more "
                   "volume, or stops",
                   e->name, t, x);
}


static artStatus check_pair(const modelElement *e, const portState *port, double t, artError *error)
{
  if (port->pair.cosine < 0 && port->pair.sine < 1e-12) {
    return base_fail(error, ART_SINGULAR, e->place,
                     "%s '%s' is turned by half a turn at t = %.9g s, where its rotation "
                     "vector is not defined",
                     e->type->form.type, e->name, t);
  }
  for (int i = 0; i < 6; i++) {
    const forceLaw *law = e->pair->spring[i];
    if (!law || law_is_defined(law, port->in.x[i])) continue;
    return base_fail(error, ART_SINGULAR, e->place,
                     "the air spring in %s '%s' has no volume left at t = %.9g s",
                     e->type->form.type, e->name, t);
  }
  return ART_OK;
}


//---- formulas and functions of the user ----------------------------------------------------------

// A formula without a value is the culprit, not the inertia that it would have moved. Values that a control tells besides its
// force is left to outputs.
artStatus force_evaluate_formulas(const artData *d, const modelElement *e, double *given,
                                  artError *error)
{
  const artWorkspace *w = d->work;
  const int *mode = w->mode + e->mode0;
  const int n = e->nterm > 0 && !port_has_call(e) ? 1 : ELEMENT_FORMULAS;
  for (int c = 0; c < n && e->formula[c]; c++) {
    given[c] = formula_value(e->formula[c], w->force->slots, mode, w->force->stack);
    mode += e->formula[c]->nswitch;
    if (isfinite(given[c])) continue;
    return base_fail(error, ART_SINGULAR, e->place,
                     "force '%s' has no value at t = %.9g s: its formula gives %g there", e->name,
                     d->time, given[c]);
  }
  return ART_OK;
}


static artStatus call_port_force(const artData *d, const modelElement *e, double *x, double *y,
                                 artError *error)
{
  const functionCaller caller = {"force", e->name, e->place, d->time};
  return model_call(&e->call, &caller, x, y, error);
}


// what the function is given, but for its parameters: arguments follow these
static artStatus fill_inputs(const artData *d, const modelElement *e, portState *port,
                             double x[FUNCTION_INPUTS], artError *error)
{
  const modelFunction *f = e->call.function;
  port->in.time = d->time;
  port_inputs(&port->in, port_physics(e)->port, x);
  return force_evaluate_formulas(d, e, x + f->ninput + f->nparameter, error);
}


static artStatus evaluate_given(const artData *d, const modelElement *e, portState *port,
                                artError *error)
{
  if (e->rigid) {
    const v3 f = d->work->force->rigid[e->rigid - 1].force;
    port->in.given[0] = f.x, port->in.given[1] = f.y, port->in.given[2] = f.z;
    return ART_OK;
  }
  if (!port_has_call(e)) return force_evaluate_formulas(d, e, port->in.given, error);
  double x[FUNCTION_INPUTS];
  const artStatus status = fill_inputs(d, e, port, x, error);
  return status ? status : call_port_force(d, e, x, port->in.given, error);
}


void force_call_inputs(const artModel *m, const artData *d, const modelElement *e, portState *port,
                       double x[FUNCTION_INPUTS])
{
  force_move_port(m, d, e, port);
  (void) fill_inputs(d, e, port, x, NULL);
}


// (f(x + h) - f(x - h)) / 2h
void force_call_slope(const artData *d, const modelElement *e, double x[FUNCTION_INPUTS], int k,
                      double *slope)
{
  ART_ASSERT(k >= 0 && k < FUNCTION_INPUTS);
  double y[2][FUNCTION_RESULTS];
  const double at = x[k], h = 1e-6 * fmax(1, fabs(at));
  x[k] = at + h;
  artStatus status = call_port_force(d, e, x, y[0], NULL);
  x[k] = at - h;
  if (status == ART_OK) status = call_port_force(d, e, x, y[1], NULL);
  x[k] = at;
  for (int i = 0; i < e->call.function->n; i++) {
    slope[i] = status == ART_OK ? (y[0][i] - y[1][i]) / (2 * h) : 0;
  }
}


//---- forces --------------------------------------------------------------------------------------

// Surfaces that are apart need no place for a force of zero.
static int is_apart(const artData *d, const modelElement *e, double *value)
{
  double given[ELEMENT_FORMULAS];
  if (!e->formula[0]) return 0;
  if (force_evaluate_formulas(d, e, given, NULL) != ART_OK) return 0;
  if (given[0] != 0 || given[1] != 0 || given[2] != 0) return 0;
  value[0] = value[1] = value[2] = 0;
  return 1;
}


// torque of a rigid contact, on both bodies
static void give_torque(const artModel *m, artData *d, const modelElement *e)
{
  const v3 torque = d->work->force->rigid[e->rigid - 1].torque;
  const treeData *t = &d->work->tree;
  double power = 0;
  for (int k = 0; k < 2; k++) {
    const int link = m->frame[e->frame[k]].link;
    const v3 own = k ? torque : v3_neg(torque);
    force_torque(d, link, own);
    power += v3_dot(own, m3_back(tree_in_ground(t, link)->R, tree_motion(t, link)->ang));
  }
  d->work->power += power;
}


artStatus force_act(const artModel *m, artData *d, const modelElement *e, int parts, double *value,
                    artError *error)
{
  const elementPhysics *physics = port_physics(e);
  ART_ASSERT(physics);
  if (physics->port == PORT_CONTACT && is_apart(d, e, value)) return ART_OK;
  portState port;
  portForce out;
  force_move_port(m, d, e, &port);
  artStatus status = evaluate_given(d, e, &port, error);
  if (status == ART_OK && physics->port == PORT_PAIR) status = check_pair(e, &port, d->time, error);
  if (status == ART_OK && e->spring) {
    status = force_check_spring(e, port.in.x[0] - e->rest, d->time, error);
  }
  if (status != ART_OK) return status;
  physics->act(e, &port.in, &out);
  portHost host = {m, d, d};
  attach_give(&host, e, &port, &out, parts, value);
  if (e->rigid && rigid_rows(m->rigid[e->rigid - 1].arms) > 3) give_torque(m, d, e);
  return ART_OK;
}


// a formula has a potential where it is constant
double force_stored(const artModel *m, const artData *d, const modelElement *e)
{
  const elementPhysics *physics = port_physics(e);
  const int is_given = e->formula[0] != NULL;
  if (!physics->potential || port_has_call(e) || (is_given && !e->has_potential)) return 0;
  portState port;
  force_move_port(m, d, e, &port);
  for (int c = 0; is_given && c < 3; c++) port.in.given[c] = formula_constant(e->formula[c]);
  return physics->potential(e, &port.in);
}
