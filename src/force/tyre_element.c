// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres as force elements: the wheel's motion in, force and moment on the wheel out.
#include "force/tyre_element.h"

#include <math.h>
#include <string.h>

#include "force/force.h"
#include "force/ground.h"
#include "force/port_forces.h"
#include "tyre/tyre.h"


static void put_tyre_vector(double to[3], v3 a)
{
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}


static v3 tyre_vector(const double a[3])
{
  return (v3){a[0], a[1], a[2]};
}


v3 force_axle(const artModel *m, const artData *d, const modelElement *e)
{
  const modelFrame *frame = &m->frame[e->frame[0]];
  return m3_back(tree_in_ground(&d->work->tree, frame->link)->R, frame->R.y);
}


// How far the road under a wheel is raised, by its formulas and by a response to roads, and at which rate.
static artStatus find_lift(const artData *d, const modelElement *e, double lift[2], artError *error)
{
  double given[ELEMENT_FORMULAS] = {0};
  const artStatus status = force_evaluate_formulas(d, e, given, error);
  lift[0] = d->work->force->lift[e->value0] + given[0];
  lift[1] = d->work->force->lift_rate[e->value0] + given[1];
  return status;
}


// a road that is raised is a wheel that is lowered
static artWheel wheel_of_tyre(const artModel *m, const artData *d, const modelElement *e,
                              const double lift[2])
{
  const treeData *t = &d->work->tree;
  const modelFrame *frame = &m->frame[e->frame[0]];
  const m3 R = tree_in_ground(t, frame->link)->R;
  artWheel wheel;
  put_tyre_vector(wheel.centre, tree_point(t, frame->link, frame->r));
  put_tyre_vector(wheel.axis, force_axle(m, d, e));
  put_tyre_vector(wheel.velocity, tree_point_velocity(t, frame->link, frame->r));
  put_tyre_vector(wheel.omega, m3_back(R, tree_motion(t, frame->link)->ang));
  wheel.centre[2] -= lift[0];
  wheel.velocity[2] -= lift[1];
  return wheel;
}


v3 force_foot(const artModel *m, const artData *d, const modelElement *e)
{
  const modelFrame *frame = &m->frame[e->frame[0]];
  const v3 axis = force_axle(m, d, e);
  v3 foot = tree_point(&d->work->tree, frame->link, frame->r);
  const artContact centre = {.radius = 0};
  const double upright = sqrt(fmax(0, 1 - axis.z * axis.z));
  double lift[2];
  (void) find_lift(d, e, lift, NULL);
  foot.z -= upright * tyre_deflection(e->tyre, &centre).depth + lift[0];
  return foot;
}


// the states where the element has some: given, or found in an implicit step
static tyreSlips slips_of(const artData *d, const modelElement *e)
{
  const artWorkspace *w = d->work;
  if (e->nstate == 0) return (tyreSlips){.state = NULL};
  return (tyreSlips){d->s + e->state0, w->force->state_weight, w->force->state_base + e->state0};
}


// a function of the user makes the forces of what the tyre has found
static artStatus call_tyre_function(const artData *d, const modelElement *e, const artWheel *wheel,
                                    artTyreAnswer *a, artError *error)
{
  const functionCaller caller = {"tyre", e->name, e->place, d->time};
  double y[FUNCTION_RESULTS],
      x[FUNCTION_INPUTS] = {
          [ART_TYRE_SLIP] = a->input.kappa,   [ART_TYRE_SLIP_ANGLE] = a->input.alpha,
          [ART_TYRE_CAMBER] = a->input.gamma, [ART_TYRE_LOAD] = a->input.load,
          [ART_TYRE_DEPTH] = a->depth,        [ART_TYRE_APPROACH] = a->contact.approach,
          [ART_TYRE_SPIN] = a->contact.spin,  [ART_TYRE_SPEED] = a->contact.Vx,
          [ART_TYRE_TIME] = d->time};
  const artStatus status = model_call(&e->call, &caller, x, y, error);
  if (status != ART_OK) return status;
  a->force = (artTyreForce){y[0], y[1], y[2], y[3], y[4], y[5]};
  tyre_carry(wheel, a);
  return ART_OK;
}


artStatus force_roll(const artModel *m, const artData *d, const modelElement *e,
                     artTyreAnswer *answer, artError *error)
{
  double lift[2];
  artStatus status = find_lift(d, e, lift, error);
  if (status != ART_OK) return status;
  const artWheel wheel = wheel_of_tyre(m, d, e, lift);
  const tyreSlips slips = slips_of(d, e);
  groundCall called = {.e = e, .time = d->time};
  const artGround ground = e->ground.function ? force_called_ground(&called)
                           : e->road          ? art_ground_of_road(e->road)
                                              : (artGround){0};
  status = tyre_roll(e->tyre, e->road ? &ground : NULL, &wheel, &slips, answer);
  if (called.status) {
    if (error) *error = called.error;
    return called.status;
  }
  if (status == ART_OK) {
    return e->call.function ? call_tyre_function(d, e, &wheel, answer, error) : ART_OK;
  }
  return base_fail(
      error, ART_NO_CONVERGENCE, e->place,
      "tyre '%s' finds no contact with the road at t = %.9g s: the wheel lies flat, or "
      "the road is more curved than the wheel",
      e->name, d->time);
}


static void keep_tyre_values(const artTyreAnswer *a, double *value)
{
  const artTyreForce *f = &a->force;
  const double force[6] = {f->Fx, f->Fy, f->Fz, f->Mx, f->My, f->Mz};
  for (int i = 0; i < 6; i++) value[TYRE_FX + i] = force[i];
  value[TYRE_SLIP] = a->input.kappa;
  value[TYRE_SLIP_ANGLE] = a->input.alpha;
  value[TYRE_CAMBER] = a->input.gamma;
  value[TYRE_DEPTH] = a->depth;
  value[TYRE_SPIN] = a->contact.spin;
  for (int i = 0; i < 3; i++) value[TYRE_X + i] = a->contact.point[i];
}


artStatus force_apply_tyre(const artModel *m, artData *d, const modelElement *e, double *value,
                           artError *error)
{
  ART_ASSERT(e->tyre);
  artTyreAnswer a;
  if (d->work->force->tyres == TYRES_FLOAT) {
    memset(value, 0, (size_t) e->nvalue * sizeof *value);
    memset(d->s_rate + e->state0, 0, (size_t) e->nstate * sizeof *d->s_rate);
    return ART_OK;
  }
  double lift[2];
  artStatus status = force_roll(m, d, e, &a, error);
  if (status == ART_OK) status = find_lift(d, e, lift, error);
  if (status != ART_OK) return status;
  if (d->work->force->tyres == TYRES_STAND) {
    const artWheel wheel = wheel_of_tyre(m, d, e, lift);
    tyre_stand(&wheel, &a);
  }

  const modelFrame *frame = &m->frame[e->frame[0]];
  const v3 force = tyre_vector(a.world_force), moment = tyre_vector(a.world_moment);
  force_wrench(d, frame->link, frame->r, force, moment);

  const treeData *t = &d->work->tree;
  const v3 velocity = tree_point_velocity(t, frame->link, frame->r);
  const v3 omega = m3_back(tree_in_ground(t, frame->link)->R, tree_motion(t, frame->link)->ang);
  d->work->power += v3_dot(force, velocity) + v3_dot(moment, omega);
  for (int i = 0; i < e->nstate; i++) d->s_rate[e->state0 + i] = a.slip_rate[i];
  keep_tyre_values(&a, value);
  value[TYRE_Z] += lift[0];
  return ART_OK;
}


// Slips that would not change at the present motion; none in a wheel that stands or floats.
artStatus force_settle_states(const artModel *m, artData *d, artError *error)
{
  data_need_velocity(m, d);
  force_quantities(m, d, READ_BY_FORCES);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (e->nstate == 0) continue;
    modelElement steady = *e;
    steady.nstate = 0;
    artTyreAnswer a;
    const artStatus status = force_roll(m, d, &steady, &a, error);
    if (status != ART_OK) return status;
    const int rolls = fabs(a.contact.Vx) > e->tyre->slow && a.input.load > 0;
    d->s[e->state0] = rolls ? a.input.kappa : 0;
    d->s[e->state0 + 1] = rolls ? tan(a.input.alpha) : 0;
  }
  return ART_OK;
}
