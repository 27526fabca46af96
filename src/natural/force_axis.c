// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Springs, stops and friction in joints, along the joint's angle or distance or a
// combination of several.
#include "force/force.h"
#include "natural/force_parts.h"


// modes lie in the order spring, damper, stop
naturalSegments natural_segments(const artWork *w, const modelElement *e, double x, double v)
{
  naturalSegments at = {0};
  const int *mode = w->mode + e->mode0;
  const int is_held = w->is_frozen;
  if (e->spring) {
    const double u = x - e->rest;
    at.spring = is_held ? force_segment(e->spring, *mode, u) : law_segment(e->spring, u);
    mode++;
  }
  if (e->damper) {
    at.damper = is_held ? force_segment(e->damper, *mode, v) : law_segment(e->damper, v);
    mode++;
  }
  if (model_has_stop(e)) at.stop = is_held ? (stopSegment) *mode : stop_segment(&e->stop, x, v);
  return at;
}


// what derives from a potential
static double spring_force(const modelElement *e, naturalSegments at, double x)
{
  switch (e->kind) {
  case ELEMENT_JOINT_SPRING:
    return -law_at(e->spring, at.spring, x - e->rest);
  case ELEMENT_JOINT_STOP:
    return stop_spring_force(&e->stop, at.stop, x);
  default:
    return 0;
  }
}


// its mean between two places: (V0 - V1) / (x1 - x0)
static double mean_spring_force(const naturalAxis *axis, naturalSegments at, double x0, double x1)
{
  const modelElement *e = axis->e;
  switch (e->kind) {
  case ELEMENT_JOINT_SPRING:
    return -natural_mean_law(axis->work, e->spring, at.spring, x0 - e->rest, x1 - e->rest);
  case ELEMENT_JOINT_STOP:
    return natural_mean_stop(axis->work, &e->stop, at.stop, x0, x1);
  default:
    return 0;
  }
}


static double spring_potential(const modelElement *e, naturalSegments at, double x)
{
  switch (e->kind) {
  case ELEMENT_JOINT_SPRING:
    return e->spring ? law_integral(e->spring, at.spring, x - e->rest) : 0;
  case ELEMENT_JOINT_STOP:
    return stop_potential(&e->stop, at.stop, x);
  default:
    return 0;
  }
}


// what does not
static double other_force(const modelElement *e, naturalSegments at, double x, double v)
{
  switch (e->kind) {
  case ELEMENT_JOINT_SPRING:
    return -law_at(e->damper, at.damper, v);
  case ELEMENT_JOINT_STOP:
    return stop_force(&e->stop, at.stop, x, v) - stop_spring_force(&e->stop, at.stop, x);
  case ELEMENT_JOINT_FRICTION:
    return -friction_force(&e->friction, v);
  default:
    return 0;
  }
}


static void keep_slopes(naturalAxis *axis, naturalSegments at, double x, double v)
{
  const modelElement *e = axis->e;
  if (e->kind == ELEMENT_JOINT_SPRING) {
    axis->stiffness = law_stiffness(e->spring, at.spring, x - e->rest);
    axis->damping = law_stiffness(e->damper, at.damper, v);
  } else if (e->kind == ELEMENT_JOINT_STOP) {
    axis->stiffness = fmax(-stop_force_x(&e->stop, at.stop, x, v), 0);
    axis->damping = fmax(-stop_force_v(&e->stop, at.stop, x, v), 0);
  } else if (e->kind == ELEMENT_JOINT_FRICTION) {
    axis->damping = fmax(friction_slope(&e->friction, v), 0);
  }
}


static double combine(const naturalAxis *axis, const double *q)
{
  double x = 0;
  for (int i = 0; i < axis->n; i++) x += axis->term[i].c * q[axis->term[i].s];
  return x;
}


static void pull(const naturalAxis *axis, double force, double *Q)
{
  for (int i = 0; i < axis->n; i++) Q[axis->term[i].s] += axis->term[i].c * force;
}


artStatus natural_apply_axis(naturalAxis *axis, double t, const double *q, const double *v,
                             naturalEffect *out, artError *error)
{
  const double x = combine(axis, q), rate = combine(axis, v);
  const artStatus status = force_check_spring(axis->e, x - axis->e->rest, t, error);
  if (status != ART_OK) return status;
  const naturalSegments at = natural_segments(axis->work, axis->e, x, rate);
  const double other = other_force(axis->e, at, x, rate);
  pull(axis, spring_force(axis->e, at, x) + other, out->Q);
  out->power += other * rate;
  out->potential += spring_potential(axis->e, at, x);
  keep_slopes(axis, at, x, rate);
  return ART_OK;
}


artStatus natural_apply_axis_between(naturalAxis *axis, double t, const double *q0,
                                     const double *q1, const double *v, naturalEffect *out,
                                     artError *error)
{
  const double x0 = combine(axis, q0), x1 = combine(axis, q1), x = 0.5 * (x0 + x1);
  const double rate = combine(axis, v);
  const naturalSegments at = natural_segments(axis->work, axis->e, x, rate);
  const double other = other_force(axis->e, at, x, rate);
  artStatus status = force_check_spring(axis->e, x0 - axis->e->rest, t, error);
  if (status == ART_OK) status = force_check_spring(axis->e, x1 - axis->e->rest, t, error);
  if (status != ART_OK) return status;
  pull(axis, mean_spring_force(axis, at, x0, x1) + other, out->Q);
  out->power += other * rate;
  keep_slopes(axis, at, x, rate);
  return ART_OK;
}


void natural_add_axis_tangent(const naturalAxis *axis, const naturalPatch *patch, double A,
                              double *values)
{
  const int *place = patch->place;
  for (int i = 0; i < axis->n; i++) {
    for (int j = 0; j <= i; j++) values[*place++] += A * axis->term[i].c * axis->term[j].c;
  }
}
