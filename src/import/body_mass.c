// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass, centre of mass and inertia of bodies, for readers that need their values.
#include <math.h>
#include <string.h>

#include "import/import_work.h"


// volume and inertia of a shape of unit density about its centre, in its own axes
static void unit_density(const importShape *s, double *volume, double I[6])
{
  const double r = s->radius, h = s->length, *e = s->size;
  const double ball = 4 * PI / 3 * r * r * r, tube = PI * r * r * h;
  const double square[3] = {e[0] * e[0], e[1] * e[1], e[2] * e[2]};
  memset(I, 0, 6 * sizeof *I);
  switch (s->type) {
  case SHAPE_BOX:
  case SHAPE_ELLIPSOID: // size: diameters
    *volume = (s->type == SHAPE_BOX ? 1 : PI / 6) * e[0] * e[1] * e[2];
    for (int i = 0; i < 3; i++)
      I[i] =
          *volume / (s->type == SHAPE_BOX ? 12 : 20) * (square[(i + 1) % 3] + square[(i + 2) % 3]);
    return;
  case SHAPE_SPHERE:
    *volume = ball;
    I[0] = I[1] = I[2] = 0.4 * ball * r * r;
    return;
  case SHAPE_CYLINDER:
    *volume = tube;
    I[0] = I[1] = tube * (3 * r * r + h * h) / 12;
    I[2] = tube * r * r / 2;
    return;
  case SHAPE_CAPSULE: // a cylinder with two hemispheres
    *volume = tube + ball;
    I[0] = I[1] =
        tube * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + h * h / 4 + 0.375 * h * r);
    I[2] = tube * r * r / 2 + 0.4 * ball * r * r;
    return;
  default:
    ART_ASSERT(s->volume);
    *volume = s->volume->volume;
    memcpy(I, s->volume->inertia, sizeof s->volume->inertia);
  }
}


// The surface of an ellipsoid with given diameters, as in MuJoCo: the area by Thomsen's formula,
// the inertia of the layer between it and an ellipsoid with half axes longer by the same small
// length.
static double ellipsoid_shell(const double e[3], double I[6])
{
  const double p = 1.6075, a = e[0] / 2, b = e[1] / 2, c = e[2] / 2;
  const double area = 4 * PI * pow((pow(a * b, p) + pow(b * c, p) + pow(c * a, p)) / 3, 1 / p);
  const double half[3] = {a, b, c}, mean = a * b * c / (a * b + b * c + c * a);
  for (int i = 0; i < 3; i++) {
    const double y = half[(i + 1) % 3], z = half[(i + 2) % 3];
    I[i] = area / 5 * (y * y + z * z + 2 * mean * (y + z));
  }
  return area;
}


// six plates: a pair normal to an axis has the area A of the other two edges, at the distance h
// from the centre
static double box_shell(const double e[3], double I[6])
{
  double area = 0;
  for (int k = 0; k < 3; k++) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    const double A = 2 * e[l] * e[m], h = e[k] / 2;
    area += A;
    I[k] += A * (e[l] * e[l] + e[m] * e[m]) / 12;
    I[l] += A * (e[m] * e[m] / 12 + h * h);
    I[m] += A * (e[l] * e[l] / 12 + h * h);
  }
  return area;
}


// the same for the surface of a shape
static void unit_surface(const importShape *s, double *area, double I[6])
{
  const double r = s->radius, h = s->length;
  const double ball = 4 * PI * r * r, tube = 2 * PI * r * h, disk = PI * r * r;
  memset(I, 0, 6 * sizeof *I);
  switch (s->type) {
  case SHAPE_BOX: *area = box_shell(s->size, I); return;
  case SHAPE_ELLIPSOID: *area = ellipsoid_shell(s->size, I); return;
  case SHAPE_SPHERE:
    *area = ball;
    I[0] = I[1] = I[2] = ball * r * r * 2 / 3;
    return;
  case SHAPE_CYLINDER: // a tube with two disks
    *area = tube + 2 * disk;
    I[0] = I[1] = tube * (6 * r * r + h * h) / 12 + disk * (r * r + h * h) / 2;
    I[2] = tube * r * r + disk * r * r;
    return;
  case SHAPE_CAPSULE: // a tube with two hemispherical shells
    *area = tube + ball;
    I[0] = I[1] = tube * (6 * r * r + h * h) / 12 + ball * (r * r * 2 / 3 + h * h / 4 + h * r / 2);
    I[2] = tube * r * r + ball * r * r * 2 / 3;
    return;
  default: unit_density(s, area, I); // polyhedron whose moments are already those of a shell
  }
}


// inertia about a point at d from the centre of mass m: I + m (|d|^2 1 - d d^T)
static void move_tensor(double I[6], double m, v3 d)
{
  const double square = v3_dot(d, d);
  const double more[6] = {square - d.x * d.x, square - d.y * d.y, square - d.z * d.z,
                          -d.x * d.y,         -d.x * d.z,         -d.y * d.z};
  for (int i = 0; i < 6; i++) I[i] += m * more[i];
}


// centre of mass of a shape in its body
static v3 centre_of_shape(const importShape *s)
{
  const v3 own = s->volume ? import_v3(s->volume->centre) : v3_make(0, 0, 0);
  return pose_compose(s->pose.in, (modelPose){m3_identity(), own}).r;
}


static void weigh_shape(const importShape *shape, double *mass, double I[6])
{
  double volume, own[6];
  (shape->is_shell ? unit_surface : unit_density)(shape, &volume, own);
  *mass = isnan(shape->mass) ? volume * shape->density : shape->mass;
  for (int i = 0; i < 6; i++) own[i] *= *mass / volume;
  import_turn_tensor(shape->pose.in, own, I);
}


importWeight import_weigh(const importBody *body)
{
  importWeight w = {.mass = body->mass, .com = import_v3(body->com)};
  memcpy(w.inertia, body->inertia, sizeof w.inertia);
  if (!body->solid) return w;
  v3 moment = v3_make(0, 0, 0);
  double mass, I[6];
  w.mass = 0;
  for (const importShape *s = body->solid; s; s = s->next) {
    weigh_shape(s, &mass, I);
    w.mass += mass;
    moment = v3_add(moment, v3_scale(mass, centre_of_shape(s)));
  }
  w.com = v3_scale(w.mass > 0 ? 1 / w.mass : 0, moment);
  memset(w.inertia, 0, sizeof w.inertia);
  for (const importShape *s = body->solid; s; s = s->next) {
    weigh_shape(s, &mass, I);
    move_tensor(I, mass, v3_sub(centre_of_shape(s), w.com));
    for (int i = 0; i < 6; i++) w.inertia[i] += I[i];
  }
  return w;
}


static void import_show_ball(importShape *shape)
{
  shape->type = SHAPE_SPHERE;
  shape->radius = cbrt(shape->size[0] * shape->size[1] * shape->size[2]) / 2;
}


void import_show(importWork *w, importShape *shape, artPlace place)
{
  if (shape->type != SHAPE_ELLIPSOID) return;
  import_show_ball(shape);
  import_note_look(w, place, "an ellipsoid without mass is shown as a ball of its volume");
}


void import_state_weight(importBody *body)
{
  bool is_stated = false;
  for (const importShape *s = body->solid; s; s = s->next) is_stated |= s->volume || s->is_shell;
  if (is_stated) import_make_stated(body);
}


void import_make_stated(importBody *body)
{
  const importWeight weight = import_weigh(body);
  importShape **end = &body->visual;
  while (*end) end = &(*end)->next;
  for (importShape *s = body->solid, *next; s; s = next) {
    next = s->next;
    s->next = s->last = NULL;
    s->mass = s->density = NAN;
    if (s->type == SHAPE_POLYHEDRON) continue;
    if (s->type == SHAPE_ELLIPSOID) import_show_ball(s);
    *end = s;
    end = &s->next;
  }
  body->solid = NULL;
  body->mass = weight.mass;
  import_store(body->com, weight.com);
  memcpy(body->inertia, weight.inertia, sizeof body->inertia);
}


double import_turning_mass(const importWeight *w, modelPose body, v3 point, v3 axis)
{
  // a^T I a of the body, plus m |a x (c - p)|^2
  const v3 arm =
      v3_cross(axis, v3_sub(pose_compose(body, (modelPose){m3_identity(), w->com}).r, point));
  const v3 a = m3_mul(body.R, axis);
  const double *I = w->inertia;
  const v3 Ia = v3_make(I[0] * a.x + I[3] * a.y + I[4] * a.z, I[3] * a.x + I[1] * a.y + I[5] * a.z,
                        I[4] * a.x + I[5] * a.y + I[2] * a.z);
  return v3_dot(a, Ia) + w->mass * v3_dot(arm, arm);
}


bool import_is_solid(const double I[6])
{
  // the second moments of mass, J = tr(I)/2 1 - I, must be positive semidefinite: check by Gaussian
  // pivots
  const double half = (I[0] + I[1] + I[2]) / 2, slack = 1e-6 * fabs(half);
  const double a = half - I[0] + slack, d = half - I[1] + slack, f = half - I[2] + slack;
  const double b = -I[3], c = -I[4], e = -I[5];
  if (a <= 0) return a == 0 && I[0] == 0 && I[1] == 0 && I[2] == 0 && b == 0 && c == 0 && e == 0;
  const double pivot = d - b * b / a, beside = e - b * c / a;
  return pivot > 0 && f - c * c / a - beside * beside / pivot >= 0;
}
