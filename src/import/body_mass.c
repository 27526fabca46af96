// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass, centre and inertia of bodies, where readers need the numbers themselves.
#include <math.h>
#include <string.h>

#include "import/import_work.h"
#include "spatial/hull.h"


// a shape of unit density about its centre, in its own axes; false of a mesh, whose file is read later
static bool unit_density(const importShape *s, double *volume, double I[6])
{
  const double r = s->radius, h = s->length, *e = s->size;
  const double ball = 4 * PI / 3 * r * r * r, tube = PI * r * r * h;
  const double square[3] = {e[0] * e[0], e[1] * e[1], e[2] * e[2]};
  memset(I, 0, 6 * sizeof *I);
  switch (s->type) {
  case SHAPE_BOX:
  case SHAPE_ELLIPSOID: // its diameters
    *volume = (s->type == SHAPE_BOX ? 1 : PI / 6) * e[0] * e[1] * e[2];
    for (int i = 0; i < 3; i++)
      I[i] =
          *volume / (s->type == SHAPE_BOX ? 12 : 20) * (square[(i + 1) % 3] + square[(i + 2) % 3]);
    return true;
  case SHAPE_SPHERE:
    *volume = ball;
    I[0] = I[1] = I[2] = 0.4 * ball * r * r;
    return true;
  case SHAPE_CYLINDER:
    *volume = tube;
    I[0] = I[1] = tube * (3 * r * r + h * h) / 12;
    I[2] = tube * r * r / 2;
    return true;
  case SHAPE_CAPSULE: // a cylinder, and half a ball at each end
    *volume = tube + ball;
    I[0] = I[1] =
        tube * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + h * h / 4 + 0.375 * h * r);
    I[2] = tube * r * r / 2 + 0.4 * ball * r * r;
    return true;
  case SHAPE_POLYHEDRON:
    *volume = s->volume->volume;
    memcpy(I, s->volume->inertia, sizeof s->volume->inertia);
    return true;
  default: return false;
  }
}


// The surface of an ellipsoid by its diameters as MuJoCo has it: the area by Thomsen's formula, the inertia of the layer
// between it and one whose half axes are all longer by the same small length.
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


// six plates: those across an axis have the area A of the other two edges and stand h away from the centre
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


// the surface of a shape, of unit density, likewise
static bool unit_surface(const importShape *s, double *area, double I[6])
{
  const double r = s->radius, h = s->length;
  const double ball = 4 * PI * r * r, tube = 2 * PI * r * h, disk = PI * r * r;
  memset(I, 0, 6 * sizeof *I);
  switch (s->type) {
  case SHAPE_BOX: *area = box_shell(s->size, I); return true;
  case SHAPE_ELLIPSOID: *area = ellipsoid_shell(s->size, I); return true;
  case SHAPE_SPHERE:
    *area = ball;
    I[0] = I[1] = I[2] = ball * r * r * 2 / 3;
    return true;
  case SHAPE_CYLINDER: // a tube, and a disk at each end
    *area = tube + 2 * disk;
    I[0] = I[1] = tube * (6 * r * r + h * h) / 12 + disk * (r * r + h * h) / 2;
    I[2] = tube * r * r + disk * r * r;
    return true;
  case SHAPE_CAPSULE: // a tube, and half a ball at each end
    *area = tube + ball;
    I[0] = I[1] = tube * (6 * r * r + h * h) / 12 + ball * (r * r * 2 / 3 + h * h / 4 + h * r / 2);
    I[2] = tube * r * r + ball * r * r * 2 / 3;
    return true;
  default: return unit_density(s, area, I); // of a polyhedron, which was found as a shell
  }
}


// I about a point at d from the centre of mass m: I + m (|d|^2 1 - d d^T)
static void move_tensor(double I[6], double m, v3 d)
{
  const double square = v3_dot(d, d);
  const double more[6] = {square - d.x * d.x, square - d.y * d.y, square - d.z * d.z,
                          -d.x * d.y,         -d.x * d.z,         -d.y * d.z};
  for (int i = 0; i < 6; i++) I[i] += m * more[i];
}


static bool weigh_shape(const importShape *shape, double *mass, double I[6])
{
  double volume, own[6];
  if (!(shape->is_shell ? unit_surface : unit_density)(shape, &volume, own)) return false;
  *mass = isnan(shape->mass) ? volume * shape->density : shape->mass;
  for (int i = 0; i < 6; i++) own[i] *= *mass / volume;
  import_turn_tensor(shape->pose.in, own, I);
  return true;
}


bool import_weigh(const importBody *body, importWeight *w)
{
  *w = (importWeight){.mass = body->mass, .com = import_v3(body->com)};
  memcpy(w->inertia, body->inertia, sizeof w->inertia);
  if (!body->solid) return true;
  v3 moment = v3_make(0, 0, 0);
  double mass, I[6];
  w->mass = 0;
  for (const importShape *s = body->solid; s; s = s->next) {
    if (!weigh_shape(s, &mass, I)) return false;
    w->mass += mass;
    moment = v3_add(moment, v3_scale(mass, s->pose.in.r));
  }
  w->com = v3_scale(w->mass > 0 ? 1 / w->mass : 0, moment);
  memset(w->inertia, 0, sizeof w->inertia);
  for (const importShape *s = body->solid; s; s = s->next) {
    weigh_shape(s, &mass, I);
    move_tensor(I, mass, v3_sub(s->pose.in.r, w->com));
    for (int i = 0; i < 6; i++) w->inertia[i] += I[i];
  }
  return true;
}


void import_show_ball(importShape *shape)
{
  shape->type = SHAPE_SPHERE;
  shape->radius = cbrt(shape->size[0] * shape->size[1] * shape->size[2]) / 2;
}


void import_show(importWork *w, importShape *shape, artPlace place)
{
  if (shape->type != SHAPE_ELLIPSOID) return;
  import_show_ball(shape);
  import_note(w, place, "an ellipsoid without mass is shown as a ball of its volume");
}


bool import_state_weight(importBody *body)
{
  importWeight weight;
  bool is_stated = false;
  for (const importShape *s = body->solid; s; s = s->next) is_stated |= s->volume || s->is_shell;
  if (!is_stated) return true;
  if (!import_weigh(body, &weight)) return false;
  importShape **end = &body->visual;
  while (*end) end = &(*end)->next;
  for (importShape *s = body->solid, *next; s; s = next) {
    next = s->next;
    s->next = NULL;
    s->mass = s->density = NAN;
    if (s->volume) continue;
    if (s->type == SHAPE_ELLIPSOID) import_show_ball(s);
    *end = s;
    end = &s->next;
  }
  body->solid = NULL;
  body->mass = weight.mass;
  import_store(body->com, weight.com);
  memcpy(body->inertia, weight.inertia, sizeof body->inertia);
  return true;
}


double import_turning_mass(const importWeight *w, modelPose body, v3 point, v3 axis)
{
  // a^T I a of the body in ground, and m |a x (c - p)|^2
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
  // second moments of mass, J = tr(I)/2 1 - I, have no negative value: with pivots of Gauss
  const double half = (I[0] + I[1] + I[2]) / 2, slack = 1e-6 * fabs(half);
  const double a = half - I[0] + slack, d = half - I[1] + slack, f = half - I[2] + slack;
  const double b = -I[3], c = -I[4], e = -I[5];
  if (a <= 0) return a == 0 && I[0] == 0 && I[1] == 0 && I[2] == 0 && b == 0 && c == 0 && e == 0;
  const double pivot = d - b * b / a, beside = e - b * c / a;
  return pivot > 0 && f - c * c / a - beside * beside / pivot >= 0;
}


//---- polyhedra by faces, by the convex hull of points, or by faces as shells ---------------------

// Sums over tetrahedra between the origin and triangles, or over triangles: volume or area, first and second moments.
typedef struct momentSums {
  double volume, second[6]; // xx, yy, zz, xy, xz, yz
  v3 first, area;
} momentSums;


// v, f s, e (s s^T + a a^T + b b^T + c c^T) with s = a + b + c
static void add_moments(momentSums *sums, const v3 abc[3], double v, double f, double e)
{
  const v3 corner[4] = {abc[0], abc[1], abc[2], v3_add(abc[0], v3_add(abc[1], abc[2]))};
  sums->volume += v;
  sums->first = v3_add(sums->first, v3_scale(f, corner[3]));
  for (int i = 0; i < 4; i++) {
    const v3 p = corner[i];
    const double square[6] = {p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z};
    for (int k = 0; k < 6; k++) sums->second[k] += e * square[k];
  }
}


// of the tetrahedron 0, a, b, c with d = a . (b x c): d/6, d/24 s, d/120 (...)
static void add_triangle(momentSums *sums, v3 a, v3 b, v3 c)
{
  const double d = v3_dot(a, v3_cross(b, c));
  sums->area = v3_add(sums->area, v3_cross(v3_sub(b, a), v3_sub(c, a)));
  add_moments(sums, (const v3[3]){a, b, c}, d / 6, d / 24, d / 120);
}


// of the triangle itself, of the area A: A, A/3 s, A/12 (...)
static void add_plate(momentSums *sums, v3 a, v3 b, v3 c)
{
  const v3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
  const double A = sqrt(v3_dot(n, n)) / 2;
  add_moments(sums, (const v3[3]){a, b, c}, A, A / 3, A / 12);
}


// I = tr(S) 1 - S of the second moments about the centre, S - V c c^T
static importVolume volume_of(const momentSums *sums, v3 origin)
{
  importVolume v = {.volume = sums->volume};
  const v3 c = v3_scale(1 / sums->volume, sums->first);
  const double square[6] = {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
  double S[6];
  for (int k = 0; k < 6; k++) S[k] = sums->second[k] - sums->volume * square[k];
  for (int k = 0; k < 3; k++) {
    v.inertia[k] = S[0] + S[1] + S[2] - S[k];
    v.inertia[3 + k] = -S[3 + k];
  }
  v.com = v3_add(origin, c);
  return v;
}


static double extent_of_points(const v3 *point, int n)
{
  double most = 0;
  for (int i = 1; i < n; i++) {
    const v3 d = v3_sub(point[i], point[0]);
    most = fmax(most, v3_dot(d, d));
  }
  return sqrt(most);
}


// corners of a face, seen from the first point; false where it names points that are not there
static bool find_face_corners(const v3 *point, int n, const double *face, v3 corner[3])
{
  for (int k = 0; k < 3; k++) {
    if (!(face[k] >= 0 && face[k] < n && face[k] == floor(face[k]))) return false;
    corner[k] = v3_sub(point[(int) face[k]], point[0]);
  }
  return true;
}


bool import_faces_volume(const v3 *point, int n, const double *face, int nface, importVolume *v)
{
  momentSums sums = {0};
  const double size = extent_of_points(point, n);
  for (int f = 0; f < nface; f++) {
    v3 corner[3];
    if (!find_face_corners(point, n, face + 3L * f, corner)) return false;
    add_triangle(&sums, corner[0], corner[1], corner[2]);
  }
  // the areas of a closed surface cancel each other
  if (!(sums.volume > 1e-12 * size * size * size)) return false;
  if (sqrt(v3_dot(sums.area, sums.area)) > 1e-6 * size * size) return false;
  *v = volume_of(&sums, point[0]);
  return true;
}


bool import_faces_shell(const v3 *point, int n, const double *face, int nface, importVolume *shell)
{
  momentSums sums = {0};
  for (int f = 0; f < nface; f++) {
    v3 corner[3];
    if (!find_face_corners(point, n, face + 3L * f, corner)) return false;
    add_plate(&sums, corner[0], corner[1], corner[2]);
  }
  if (!(sums.volume > 0)) return false;
  *shell = volume_of(&sums, point[0]);
  return true;
}


bool import_hull_volume(importWork *w, const v3 *point, int n, importVolume *v)
{
  momentSums sums = {0};
  const double size = extent_of_points(point, n);
  hullFace *face = import_take(w, HULL_ROOM(n) + 1, sizeof *face);
  const int nface = hull_find(n, point, 1e-9 * size, face);
  for (int f = 0; f < nface; f++) {
    const int *c = face[f].corner;
    add_triangle(&sums, v3_sub(point[c[0]], point[0]), v3_sub(point[c[1]], point[0]),
                 v3_sub(point[c[2]], point[0]));
  }
  if (!(sums.volume > 1e-9 * size * size * size)) return false;
  *v = volume_of(&sums, point[0]);
  return true;
}
