// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Axes, motion and forces of a wheel contact, for numbers and symbols.
#include "tyre/contact_axes.h"


discContact R_NAME(contact_on_plane)(v3 axis, v3 normal)
{
  // |a x n| is the cosine of camber
  discContact c = {.normal = normal};
  const v3 across = v3_cross(axis, normal);
  c.sine = v3_dot(axis, normal);
  c.cosine = r_sqrt(v3_dot(across, across));
  c.forward = v3_scale(1 / c.cosine, across);
  c.left = v3_cross(normal, c.forward);
  return c;
}


void R_NAME(reach_plane)(discContact *c, v3 axis, real radius)
{
  // T3 = T1 x a
  c->radius = radius;
  c->arm = v3_scale(radius, v3_cross(axis, c->forward));
}


discRay R_NAME(turn_ray)(v3 e1, v3 e3, real angle)
{
  const real s = r_sin(angle), c = r_cos(angle);
  discRay ray;
  ray.T3 = v3_add(v3_scale(c, e3), v3_scale(s, e1));
  ray.T1 = v3_sub(v3_scale(c, e1), v3_scale(s, e3));
  return ray;
}


discContact R_NAME(contact_of_ray)(v3 axis, const discRay *ray, v3 N, real r)
{
  discContact c = {.forward = ray->T1, .normal = unit_normal(N), .radius = r};
  c.arm = v3_scale(-r, ray->T3);
  R_NAME(complete_contact)(&c, axis);
  return c;
}


void R_NAME(complete_contact)(discContact *c, v3 axis)
{
  c->left = v3_cross(c->normal, c->forward);
  c->sine = v3_dot(axis, c->normal);
  c->cosine = r_sqrt(1 - c->sine * c->sine);
}


real R_NAME(contact_camber)(const discContact *c)
{
  return r_asin(r_max(r_min(c->sine, 1), -1));
}


contactMotion R_NAME(contact_motion)(const discContact *c, v3 velocity, v3 turning)
{
  // v = v_P + (omega - spin a) x (Q - P)
  const v3 v = v3_add(velocity, v3_cross(turning, c->arm));
  contactMotion m;
  m.Vx = v3_dot(v, c->forward);
  m.Vy = v3_dot(v, c->left);
  m.approach = -v3_dot(v, c->normal);
  return m;
}


wrench R_NAME(contact_wrench)(const discContact *c, v3 force, v3 moment)
{
  // F = E^T f,  M = E^T m + (Q - P) x F
  const m3 E = {c->forward, c->left, c->normal};
  wrench w;
  w.lin = m3_back(E, force);
  w.ang = v3_add(m3_back(E, moment), v3_cross(c->arm, w.lin));
  return w;
}
