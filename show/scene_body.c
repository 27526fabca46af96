// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Default shapes of a body: a bar between two joints, a plate or block around more, a solid with
// the given inertia if there is only a mass.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "show/scene_shape.h"
#include "spatial/hull.h"

//---- convex hulls of spheres around points -------------------------------------------------------

enum { DIRECTIONS = 14 };


// six along the axes, eight to the corners, slightly perturbed so that no four points are coplanar
static v3 hull_direction(int k, int of)
{
  ART_ASSERT(k >= 0 && k < DIRECTIONS);
  static const signed char sign[DIRECTIONS][3] = {
      {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},   {0, 0, -1},  {1, 1, 1},
      {1, 1, -1}, {1, -1, 1}, {1, -1, -1}, {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}};
  const signed char *s = sign[k];
  const double length = sqrt((double) (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]));
  const double uneven = 1 + 2e-3 * sin(12.9898 * k + 78.233 * of);
  return v3_scale(uneven / length, (v3){s[0], s[1], s[2]});
}


static void place_balls(v3 *out, int n, const double *point, double radius)
{
  for (int i = 0; i < n; i++) {
    const v3 centre = {point[3 * i], point[3 * i + 1], point[3 * i + 2]};
    for (int k = 0; k < DIRECTIONS; k++) {
      out[DIRECTIONS * i + k] = v3_add(centre, v3_scale(radius, hull_direction(k, i)));
    }
  }
}


// remove points that no triangle uses; number[point] must be zero
static void keep_hull_points(ioHull *hull, const v3 *point, const hullFace *face, int *number)
{
  for (int f = 0; f < hull->ntriangle; f++) {
    for (int k = 0; k < 3; k++) {
      const int i = face[f].corner[k];
      if (!number[i]) {
        const v3 p = point[i];
        const float numbers[3] = {(float) p.x, (float) p.y, (float) p.z};
        memcpy(hull->vertex + 3 * (size_t) hull->nvertex, numbers, sizeof numbers);
        number[i] = ++hull->nvertex;
      }
      hull->triangle[3 * (size_t) f + (size_t) k] = number[i] - 1;
    }
  }
}


void hull_around(ioHull *hull, int n, const double *point, double radius, baseArena *arena)
{
  const int nball = DIRECTIONS * n;
  v3 *ball = arena_alloc(arena, (size_t) nball, sizeof *ball);
  int *number = arena_alloc(arena, (size_t) nball, sizeof *number);
  hullFace *face = arena_alloc(arena, (size_t) HULL_ROOM(nball), sizeof *face);
  *hull = (ioHull){.vertex = arena_alloc(arena, 3 * (size_t) nball, sizeof *hull->vertex)};
  place_balls(ball, n, point, radius);
  hull->ntriangle = hull_find(nball, ball, 1e-6 * radius, face);
  ARENA_TAKE(arena, hull->triangle, 3 * hull->ntriangle);
  keep_hull_points(hull, ball, face, number);
}


static const double STEEL = 7800; // kg/m^3, for masses without inertia


void shape_add(shapeList *list, sceneShape shape)
{
  list->shape =
      arena_grow(&list->scene->arena, list->shape, list->n, &list->capacity, sizeof *list->shape);
  if (!shape.colour) shape.colour = list->colour;
  shape.is_default = true;
  list->shape[list->n++] = shape;
}


artPose shape_along(v3 at, v3 axis)
{
  artPose pose = {.position = {at.x, at.y, at.z}};
  const double z[3] = {axis.x, axis.y, axis.z};
  pose_quaternion(pose_align(z, (double[3]){0}), pose.rotation);
  return pose;
}


static double point_distance(v3 a, v3 b)
{
  const v3 d = v3_sub(a, b);
  return sqrt(v3_dot(d, d));
}


void shape_add_bar(shapeList *list, v3 a, v3 b, double radius)
{
  const double length = point_distance(a, b);
  if (!(length > 0)) return;
  shape_add(list, (sceneShape){.type = SHAPE_CAPSULE,
                               .radius = radius,
                               .length = length,
                               .pose = shape_along(v3_scale(0.5, v3_add(a, b)), v3_sub(b, a))});
}


//---- solids of a given inertia -------------------------------------------------------------------

// principal moments I[3], and the rotation from body axes to principal axes
typedef struct bodyInertia {
  double I[3];
  m3 R;
} bodyInertia;


// a Jacobi rotation of rows p and q: A = V diag V^T
static void turn_plane(double A[3][3], double V[3][3], int p, int q)
{
  ART_ASSERT(p != q && p >= 0 && p < 3 && q >= 0 && q < 3);
  if (A[p][q] == 0) return;
  const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]);
  const double c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    const double a = A[k][p], b = A[k][q];
    A[k][p] = c * a - s * b;
    A[k][q] = s * a + c * b;
  }
  for (int k = 0; k < 3; k++) {
    const double a = A[p][k], b = A[q][k], u = V[k][p], v = V[k][q];
    A[p][k] = c * a - s * b;
    A[q][k] = s * a + c * b;
    V[k][p] = c * u - s * v;
    V[k][q] = s * u + c * v;
  }
}


static bodyInertia principal_inertia(const sceneBody *body)
{
  const double *I = body->inertia;
  double A[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 8; sweep++) {
    turn_plane(A, V, 0, 1);
    turn_plane(A, V, 0, 2);
    turn_plane(A, V, 1, 2);
  }
  // columns of V are the axes; the product of rotations is right-handed
  return (bodyInertia){
      {A[0][0], A[1][1], A[2][2]},
      {{V[0][0], V[1][0], V[2][0]}, {V[0][1], V[1][1], V[2][1]}, {V[0][2], V[1][2], V[2][2]}}};
}


static int is_near_inertia(double a, double b)
{
  return fabs(a - b) <= 0.02 * fmax(fabs(a), fabs(b));
}


static void add_ball_shape(shapeList *list, v3 at, double radius)
{
  sceneShape ball = {.type = SHAPE_SPHERE, .radius = radius, .pose = art_default_pose()};
  memcpy(ball.pose.position, (double[]){at.x, at.y, at.z}, sizeof ball.pose.position);
  shape_add(list, ball);
}


// I = m R^2 / 2 about the axis, J = m (3 R^2 + h^2) / 12 about a diameter
static void add_disc(shapeList *list, const sceneBody *body, const bodyInertia *b, int axis,
                     double thinnest)
{
  ART_ASSERT(axis >= 0 && axis < 3);
  const double along = b->I[axis] / body->mass, across = b->I[(axis + 1) % 3] / body->mass;
  const double radius = sqrt(fmax(2 * along, 0));
  const double height = sqrt(fmax(12 * across - 3 * radius * radius, 0));
  const v3 z = axis == 0 ? b->R.x : axis == 1 ? b->R.y : b->R.z;
  shape_add(list, (sceneShape){.type = SHAPE_CYLINDER,
                               .radius = fmax(radius, thinnest),
                               .length = fmax(height, thinnest),
                               .pose = shape_along(shape_v3(body->com), z)});
}


// a solid with the mass and inertia of a body: sphere, cylinder or box
static void shape_add_solid(shapeList *list, const sceneBody *body, double thickness)
{
  if (!(body->mass > 0)) return;
  const bodyInertia b = principal_inertia(body);
  const double *I = b.I;
  if (!(I[0] + I[1] + I[2] > 0)) {
    const double radius = cbrt(3 * body->mass / (4 * 3.14159265358979 * STEEL));
    add_ball_shape(list, shape_v3(body->com), fmin(fmax(radius, 3.5 * thickness), 7 * thickness));
    return;
  }
  if (is_near_inertia(I[0], I[1]) && is_near_inertia(I[1], I[2])) {
    add_ball_shape(list, shape_v3(body->com), fmax(sqrt(2.5 * I[0] / body->mass), thickness));
    return;
  }
  for (int axis = 2; axis >= 0; axis--) {
    if (!is_near_inertia(I[(axis + 1) % 3], I[(axis + 2) % 3])) continue;
    add_disc(list, body, &b, axis, thickness);
    return;
  }
  // Ixx = m (b^2 + c^2) / 12 and so on
  sceneShape box = {.type = SHAPE_BOX};
  memcpy(box.pose.position, body->com, sizeof box.pose.position);
  pose_quaternion(b.R, box.pose.rotation);
  const double sum = b.I[0] + b.I[1] + b.I[2];
  for (int k = 0; k < 3; k++) {
    const double square = 6 * (sum - 2 * b.I[k]) / body->mass;
    box.size[k] = fmax(sqrt(fmax(square, 0)), thickness);
  }
  shape_add(list, box);
}


//---- bodies by the number of attachment points ---------------------------------------------------

// a thin uniform bar from its only joint: I = m l^2 / 12 with the mass in the middle
static int is_thin_uniform_bar(const sceneBody *body, double half)
{
  const bodyInertia b = principal_inertia(body);
  const double *I = b.I;
  const double most = fmax(I[0], fmax(I[1], I[2])), least = fmin(I[0], fmin(I[1], I[2]));
  const double wanted = body->mass * half * half / 3;
  return body->mass > 0 && fabs(most - wanted) < 0.5 * wanted && least < 0.2 * most;
}


static void add_hanging(shapeList *list, const sceneBody *body, v3 joint, double thickness)
{
  const v3 com = shape_v3(body->com);
  const double arm = point_distance(joint, com);
  if (arm > 2 * thickness && is_thin_uniform_bar(body, arm)) {
    shape_add_bar(list, joint, v3_add(com, v3_sub(com, joint)), thickness);
    return;
  }
  if (arm > 2 * thickness && body->mass > 0) shape_add_bar(list, joint, com, 0.6 * thickness);
  shape_add_solid(list, body, thickness);
}


static void add_between(shapeList *list, const sceneBody *body, v3 a, v3 b, double thickness)
{
  shape_add_bar(list, a, b, thickness);
  if (!(body->mass > 0)) return;

  // a mass off the line gets a connecting bar
  const v3 span = v3_sub(b, a), com = shape_v3(body->com), arm = v3_sub(com, a);
  const double s = fmin(fmax(v3_dot(arm, span) / v3_dot(span, span), 0), 1);
  const v3 foot = v3_add(a, v3_scale(s, span));
  if (point_distance(foot, com) < 0.3 * sqrt(v3_dot(span, span))) return;
  shape_add_bar(list, foot, com, 0.6 * thickness);
  add_ball_shape(list, com, 2 * thickness);
}


void shape_add_plate(shapeList *list, const shapePoints *points, double thickness)
{
  ioHull hull;
  hull_around(&hull, points->n, points->at[0], thickness, &list->scene->arena);
  shape_add(list, (sceneShape){.type = SHAPE_MESH,
                               .nvertex = hull.nvertex,
                               .vertex = hull.vertex,
                               .ntriangle = hull.ntriangle,
                               .triangle = hull.triangle,
                               .pose = art_default_pose()});
}


void shape_add_link(shapeList *list, const sceneBody *body, const shapePoints *points,
                    double thickness)
{
  const v3 com = shape_v3(body->com);
  const v3 first = points->n == 0     ? com
                   : body->parent < 0 ? (v3){0, 0, 0}
                                      : shape_v3(points->at[0]);
  const int n = list->n;
  for (int k = 0; k < points->n; k++) {
    if (point_distance(first, shape_v3(points->at[k])) > 0.5 * thickness)
      shape_add_bar(list, first, shape_v3(points->at[k]), thickness);
  }
  if (list->n == n && point_distance(first, com) > 0.5 * thickness)
    shape_add_bar(list, first, com, thickness);
  if (list->n == n) add_ball_shape(list, first, 1.2 * thickness);
}


void shape_add_body(shapeList *list, const sceneBody *body, const shapePoints *points,
                    double thickness)
{
  if (points->n == 0) {
    shape_add_solid(list, body, thickness);
  } else if (points->n == 1) {
    add_hanging(list, body, shape_v3(points->at[0]), thickness);
  } else if (points->n == 2) {
    add_between(list, body, shape_v3(points->at[0]), shape_v3(points->at[1]), thickness);
  } else {
    shape_add_plate(list, points, thickness);
  }
}
