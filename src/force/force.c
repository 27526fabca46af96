// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements: what they do to the bodies, their power and potential, and their modes.
#include "force/force.h"

#include <math.h>

#include "force/bushing_work.h"
#include "force/tyre.h"
#include "force/user.h"

//---- applying ------------------------------------------------------------------------------------


void force_at_point(artData *d, int link, v3 r, v3 force)
{
  if (link == 0) return;
  const treeData *t = &d->work->tree;
  const v3 own = m3_mul(tree_in_ground(t, link)->R, force);
  wrench *applied = &d->work->applied[link];
  *applied = wr_add(*applied, (wrench){v3_cross(r, own), own});
}


void force_torque(artData *d, int link, v3 torque)
{
  if (link == 0) return;
  wrench *applied = &d->work->applied[link];
  applied->ang = v3_add(applied->ang, m3_mul(tree_in_ground(&d->work->tree, link)->R, torque));
}


//---- point to point ------------------------------------------------------------------------------

forceLine force_line(const artModel *m, const artData *d, const modelElement *e)
{
  const treeData *t = &d->work->tree;
  const modelFrame *a = &m->frame[e->frame[0]], *b = &m->frame[e->frame[1]];
  const v3 span = v3_sub(tree_point(t, b->link, b->r), tree_point(t, a->link, a->r));
  const v3 velocity =
      v3_sub(tree_point_velocity(t, b->link, b->r), tree_point_velocity(t, a->link, a->r));

  // a line of no length has no direction, and then no force
  forceLine line = {.length = sqrt(v3_dot(span, span))};
  if (line.length > 0) line.direction = v3_scale(1 / line.length, span);
  line.rate = v3_dot(line.direction, velocity);
  return line;
}


// the value of a law, of which *mode is the frozen segment; moves on to the next mode
static double take_law(const forceLaw *law, const int **mode, double x)
{
  if (!law) return 0;
  const int segment = force_segment(law, *(*mode)++, x);
  return law_value(law, segment, x);
}


artStatus force_check_spring(const modelElement *e, double x, double t, artError *error)
{
  if (!e->spring || law_is_defined(e->spring, x)) return ART_OK;
  return base_fail(error, ART_SINGULAR, e->place,
                   "air spring '%s' has no volume left at t = %.9g s, where x = %.6g; give it more "
                   "volume, or stops",
                   e->name, t, x);
}


static artStatus apply_spring_damper(const artModel *m, artData *d, const modelElement *e,
                                     const int *mode, double *value, artError *error)
{
  const forceLine line = force_line(m, d, e);
  const artStatus status = force_check_spring(e, line.length - e->rest, d->time, error);
  if (status != ART_OK) return status;
  const double spring = take_law(e->spring, &mode, line.length - e->rest);
  double resistance = take_law(e->damper, &mode, line.rate), tension = spring + resistance;
  if (model_has_stop(e)) {
    const stopSegment segment = (stopSegment) *mode;
    const double push = stop_force(&e->stop, segment, line.length, line.rate);
    resistance += stop_spring_force(&e->stop, segment, line.length) - push;
    tension -= push;
  }

  // tension pulls the points together
  const modelFrame *a = &m->frame[e->frame[0]], *b = &m->frame[e->frame[1]];
  const v3 pull = v3_scale(tension, line.direction);
  force_at_point(d, a->link, a->r, pull);
  force_at_point(d, b->link, b->r, v3_neg(pull));
  d->work->power -= resistance * line.rate;
  value[0] = tension;
  return ART_OK;
}


//---- in joints -----------------------------------------------------------------------------------


// x = sum of c q
double force_axis_x(const artData *d, const modelElement *e)
{
  double x = 0;
  for (int i = 0; i < e->nterm; i++) x += e->term[i].c * d->q[e->term[i].position];
  return x;
}


double force_axis_rate(const artData *d, const modelElement *e)
{
  double v = 0;
  for (int i = 0; i < e->nterm; i++) v += e->term[i].c * d->v[e->term[i].velocity];
  return v;
}


// Q = c F
void force_along_axis(artData *d, const modelElement *e, double force)
{
  for (int i = 0; i < e->nterm; i++) d->force[e->term[i].velocity] += e->term[i].c * force;
}


static artStatus apply_joint_spring(artData *d, const modelElement *e, const int *mode,
                                    double *value, artError *error)
{
  const double x = force_axis_x(d, e), v = force_axis_rate(d, e);
  const artStatus status = force_check_spring(e, x - e->rest, d->time, error);
  if (status != ART_OK) return status;
  const double spring = take_law(e->spring, &mode, x - e->rest);
  const double damping = take_law(e->damper, &mode, v);
  d->work->power -= damping * v;
  value[0] = -spring - damping;
  force_along_axis(d, e, value[0]);
  return ART_OK;
}


static void apply_stop(artData *d, const modelElement *e, const int *mode, double *value)
{
  const double x = force_axis_x(d, e), v = force_axis_rate(d, e);
  const stopSegment segment = (stopSegment) *mode;
  value[0] = stop_force(&e->stop, segment, x, v);
  d->work->power += (value[0] - stop_spring_force(&e->stop, segment, x)) * v;
  force_along_axis(d, e, value[0]);
}


static void apply_friction(artData *d, const modelElement *e, double *value)
{
  const double v = force_axis_rate(d, e);
  value[0] = -friction_force(&e->friction, v);
  d->work->power += value[0] * v;
  force_along_axis(d, e, value[0]);
}


static void apply_joint_force(artData *d, const modelElement *e, const int *mode, double *value)
{
  const artWork *w = d->work;
  value[0] = formula_value(e->formula[0], w->slots, mode, w->stack);
  d->work->power += value[0] * force_axis_rate(d, e);
  force_along_axis(d, e, value[0]);
}


//---- on bodies -----------------------------------------------------------------------------------


static void apply_body_force(const artModel *m, artData *d, const modelElement *e, const int *mode,
                             double *value)
{
  artWork *w = d->work;
  for (int c = 0; c < 3; c++) {
    value[c] = formula_value(e->formula[c], w->slots, mode, w->stack);
    mode += e->formula[c]->nswitch;
  }
  const treeData *t = &w->tree;
  const modelFrame *frame = &m->frame[e->frame[0]];
  v3 force = {value[0], value[1], value[2]};
  if (e->in_body) force = m3_back(tree_in_ground(t, frame->link)->R, m3_back(frame->R, force));

  double power;
  if (e->is_torque) {
    force_torque(d, frame->link, force);
    power =
        v3_dot(force, m3_back(tree_in_ground(t, frame->link)->R, tree_motion(t, frame->link)->ang));
  } else {
    force_at_point(d, frame->link, frame->r, force);
    power = v3_dot(force, tree_point_velocity(t, frame->link, frame->r));
  }
  if (!e->has_potential) w->power += power;
}


v3 force_air_speed(const artModel *m, const artData *d, const modelElement *e)
{
  const treeData *t = &d->work->tree;
  const modelFrame *frame = &m->frame[e->frame[0]];
  const v3 u = v3_sub(tree_point_velocity(t, frame->link, frame->r), e->drag.wind);
  return m3_mul(frame->R, m3_mul(tree_in_ground(t, frame->link)->R, u));
}


static void apply_drag(const artModel *m, artData *d, const modelElement *e, double *value)
{
  const treeData *t = &d->work->tree;
  const modelFrame *frame = &m->frame[e->frame[0]];
  const v3 own = drag_force(&e->drag, force_air_speed(m, d, e));
  const v3 force = m3_back(tree_in_ground(t, frame->link)->R, m3_back(frame->R, own));
  force_at_point(d, frame->link, frame->r, force);
  d->work->power += v3_dot(force, tree_point_velocity(t, frame->link, frame->r));
  value[0] = own.x;
  value[1] = own.y;
  value[2] = own.z;
}


// power of everything that has been applied so far, potential or not
static double applied_power(const artModel *m, const artData *d)
{
  const treeData *t = &d->work->tree;
  double sum = 0;
  for (int i = 1; i < m->tree.n; i++) sum += mot_dot(*tree_motion(t, i), d->work->applied[i]);
  for (int k = 0; k < m->tree.nv; k++) sum += d->force[k] * d->v[k];
  return sum;
}


static artStatus apply_callback(const artModel *m, artData *d, const modelElement *e,
                                artError *error)
{
  const double before = e->has_potential ? 0 : applied_power(m, d);
  const artStatus status = e->callback.apply(e->callback.context, m, d);
  if (status != ART_OK) {
    return base_fail(error, status, e->place, "force '%s' failed at t = %.9g s: %s", e->name,
                     d->time, art_status_text(status));
  }
  if (!e->has_potential) d->work->power += applied_power(m, d) - before;
  return ART_OK;
}


//---- all -----------------------------------------------------------------------------------------


// a formula without a value is the culprit, not the inertia that it would have moved
static artStatus check_formula(const artData *d, const modelElement *e, int n, const double *value,
                               artError *error)
{
  for (int c = 0; c < n; c++) {
    if (isfinite(value[c])) continue;
    return base_fail(error, ART_SINGULAR, e->place,
                     "force '%s' has no value at t = %.9g s: its formula gives %g there", e->name,
                     d->time, value[c]);
  }
  return ART_OK;
}


// parts: what counts of an element that has several
static artStatus apply_element(const artModel *m, artData *d, int i, int parts, artError *error)
{
  const modelElement *e = &m->element[i];
  const int *mode = d->work->mode + e->mode0;
  double *value = d->work->value + e->value0;
  if (user_makes(e)) return user_apply(m, d, e, value, error);
  switch (e->kind) {
  case ELEMENT_SPRING_DAMPER:
    return apply_spring_damper(m, d, e, mode, value, error);
  case ELEMENT_JOINT_SPRING:
    return apply_joint_spring(d, e, mode, value, error);
  case ELEMENT_JOINT_STOP:
    apply_stop(d, e, mode, value);
    break;
  case ELEMENT_JOINT_FRICTION:
    apply_friction(d, e, value);
    break;
  case ELEMENT_JOINT_FORCE:
    apply_joint_force(d, e, mode, value);
    return check_formula(d, e, 1, value, error);
  case ELEMENT_BODY_FORCE:
    apply_body_force(m, d, e, mode, value);
    return check_formula(d, e, 3, value, error);
  case ELEMENT_TYRE:
    return force_apply_tyre(m, d, e, value, error);
  case ELEMENT_BUSHING:
    return bushing_apply(m, d, e, mode, parts, value, error);
  case ELEMENT_DRAG:
    apply_drag(m, d, e, value);
    break;
  case ELEMENT_CALLBACK:
    return apply_callback(m, d, e, error);
  }
  return ART_OK;
}


artStatus force_apply(const artModel *m, artData *d, artError *error)
{
  return force_apply_some(m, d, NULL, 0, error);
}


artStatus force_apply_some(const artModel *m, artData *d, const unsigned char *group, int groups,
                           artError *error)
{
  artWork *w = d->work;
  for (int k = 0; k < m->tree.nv; k++) d->force[k] = w->impulse ? w->impulse[k] : 0;
  w->power = 0;
  w->tree.f_ext = NULL;
  w->has_multipliers = 0;
  if (m->nelement == 0) return ART_OK;

  const v3 zero = {0, 0, 0};
  for (int i = 0; i < m->tree.n; i++) w->applied[i] = (wrench){zero, zero};
  w->tree.f_ext = w->applied;
  force_quantities(m, d, 1);

  artStatus status = ART_OK;
  for (int i = 0; i < m->nelement && status == ART_OK; i++) {
    const int parts = group ? group[i] & groups : FORCE_ELASTIC | FORCE_RESISTING;
    if (parts) status = apply_element(m, d, i, parts, error);
  }
  return status;
}


// spring and stop at the length or coordinate x
static double spring_potential(const modelElement *e, const int *mode, double x)
{
  double sum = 0;
  if (e->spring) {
    const double u = x - e->rest;
    sum = law_integral(e->spring, force_segment(e->spring, *mode, u), u);
  }
  mode += (e->spring != NULL) + (e->damper != NULL);
  return model_has_stop(e) ? sum + stop_potential(&e->stop, (stopSegment) *mode, x) : sum;
}


static double element_potential(const artModel *m, artData *d, const modelElement *e,
                                const int *mode)
{
  switch (e->kind) {
  case ELEMENT_SPRING_DAMPER:
    return spring_potential(e, mode, force_line(m, d, e).length);
  case ELEMENT_JOINT_SPRING:
  case ELEMENT_JOINT_STOP:
    return spring_potential(e, mode, force_axis_x(d, e));
  case ELEMENT_BODY_FORCE: {
    // a constant force in ground: V = -F.r
    if (!e->has_potential) return 0;
    const modelFrame *frame = &m->frame[e->frame[0]];
    const v3 force = {formula_constant(e->formula[0]), formula_constant(e->formula[1]),
                      formula_constant(e->formula[2])};
    return -v3_dot(force, tree_point(&d->work->tree, frame->link, frame->r));
  }
  case ELEMENT_BUSHING:
    return bushing_potential(m, d, e, mode);
  case ELEMENT_CALLBACK:
    return e->has_potential ? e->callback.potential(e->callback.context, m, d) : 0;
  default:
    return 0;
  }
}


double force_potential(const artModel *m, artData *d)
{
  return force_potential_some(m, d, NULL, 0);
}


double force_potential_some(const artModel *m, artData *d, const unsigned char *group, int groups)
{
  double sum = 0;
  data_need_velocity(m, d);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (group && !(group[i] & groups)) continue;
    sum += element_potential(m, d, e, d->work->mode + e->mode0);
  }
  return sum;
}
