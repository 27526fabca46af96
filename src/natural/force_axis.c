// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Springs, stops and friction in joints, along the joint's angle or distance or a
// combination of several.
#include "force/force.h"
#include "natural/force_parts.h"


// what derives from a potential
static double spring_force(const modelElement *e, double x)
{
  switch (e->kind) {
  case ELEMENT_JOINT_SPRING:
    return -law_at(e->spring, x - e->rest);
  case ELEMENT_JOINT_STOP:
    return stop_spring_force(&e->stop, stop_segment(&e->stop, x, 0), x);
  default:
    return 0;
  }
}


// its mean between two places: (V0 - V1) / (x1 - x0)
static double mean_spring_force(const modelElement *e, double x0, double x1)
{
  switch (e->kind) {
  case ELEMENT_JOINT_SPRING:
    return e->spring ? -law_mean(e->spring, x0 - e->rest, x1 - e->rest) : 0;
  case ELEMENT_JOINT_STOP:
    return stop_mean_spring_force(&e->stop, x0, x1);
  default:
    return 0;
  }
}


static double spring_potential(const modelElement *e, double x)
{
  switch (e->kind) {
  case ELEMENT_JOINT_SPRING: {
    const double u = x - e->rest;
    return e->spring ? law_integral(e->spring, law_segment(e->spring, u), u) : 0;
  }
  case ELEMENT_JOINT_STOP:
    return stop_potential(&e->stop, stop_segment(&e->stop, x, 0), x);
  default:
    return 0;
  }
}


// what does not
static double other_force(const modelElement *e, double x, double v)
{
  switch (e->kind) {
  case ELEMENT_JOINT_SPRING:
    return -law_at(e->damper, v);
  case ELEMENT_JOINT_STOP: {
    const stopSegment segment = stop_segment(&e->stop, x, v);
    return stop_force(&e->stop, segment, x, v) - stop_spring_force(&e->stop, segment, x);
  }
  case ELEMENT_JOINT_FRICTION:
    return -friction_force(&e->friction, v);
  default:
    return 0;
  }
}


static void keep_slopes(naturalAxis *axis, double x, double v)
{
  const modelElement *e = axis->e;
  if (e->kind == ELEMENT_JOINT_SPRING) {
    axis->stiffness = law_stiffness(e->spring, x - e->rest);
    axis->damping = law_stiffness(e->damper, v);
  } else if (e->kind == ELEMENT_JOINT_STOP) {
    const stopSegment segment = stop_segment(&e->stop, x, v);
    axis->stiffness = fmax(-stop_force_x(&e->stop, segment, x, v), 0);
    axis->damping = fmax(-stop_force_v(&e->stop, segment, x, v), 0);
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
  const double other = other_force(axis->e, x, rate);
  pull(axis, spring_force(axis->e, x) + other, out->Q);
  out->power += other * rate;
  out->potential += spring_potential(axis->e, x);
  keep_slopes(axis, x, rate);
  return ART_OK;
}


artStatus natural_apply_axis_between(naturalAxis *axis, double t, const double *q0,
                                     const double *q1, const double *v, naturalEffect *out,
                                     artError *error)
{
  const double x0 = combine(axis, q0), x1 = combine(axis, q1), x = 0.5 * (x0 + x1);
  const double rate = combine(axis, v), other = other_force(axis->e, x, rate);
  artStatus status = force_check_spring(axis->e, x0 - axis->e->rest, t, error);
  if (status == ART_OK) status = force_check_spring(axis->e, x1 - axis->e->rest, t, error);
  if (status != ART_OK) return status;
  pull(axis, mean_spring_force(axis->e, x0, x1) + other, out->Q);
  out->power += other * rate;
  keep_slopes(axis, x, rate);
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
