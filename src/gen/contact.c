// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where a wheel meets the road, as expressions: the equations of src/tyre/contact.c.
//
// On a curved road the ray T3 = c e3 + s e1 of the wheel plane, c and s of an angle, and its length r solve
//   F = (P - r T3 - road)_z = 0,   g = T1 . N = 0,   T1 = c e1 - s e3,   N = (-z_x, -z_y, 1)
// With A = T3 . N, and H the second derivatives of the road,
//   dF/dr = -A,   dF/dangle = -r g,   dg/dr = T1^T H T3,   dg/dangle = -(A - r T1^T H T1)
// Since g vanishes, the length can be corrected first and the angle with it:
//   dr = F / A,   dangle = (g + T1^T H T3 dr) / (A - r T1^T H T1)
// What follows takes the ray after one more correction, which is exact to rounding then, and which brings
// in the derivatives of the solution when expressions are differentiated with the unknowns held.
#include "gen/road.h"
#include "road/kinds.h"


static int number(genBuild *b, double x)
{
  return expr_constant(b->pool, x);
}


void gen_complete_contact(exprPool *p, node3 axis, roadContact *c)
{
  c->left = node3_cross(p, c->normal, c->forward);
  c->sine = node3_dot(p, axis, c->normal);
  c->cosine = expr_sqrt(p, expr_sub(p, expr_constant(p, 1), expr_mul(p, c->sine, c->sine)));
}

//---- planes --------------------------------------------------------------------------------------

// T1 = a x n / |a x n|, T3 = T1 x a, and r = (P - road) . n / (T3 . n) with T3 . n = |a x n|, the cosine
// of camber
static roadContact on_plane(genBuild *b, node3 axis, node3 normal, int distance)
{
  exprPool *p = b->pool;
  roadContact c;
  const node3 across = node3_cross(p, axis, normal);
  c.normal = normal;
  c.sine = node3_dot(p, axis, normal);
  c.cosine = expr_sqrt(p, node3_dot(p, across, across));
  c.forward = node3_scale(p, expr_div(p, number(b, 1), c.cosine), across);
  c.left = node3_cross(p, normal, c.forward);
  c.radius = expr_div(p, distance, c.cosine);
  c.arm = node3_scale(p, c.radius, node3_cross(p, axis, c.forward));
  return c;
}


static roadContact on_inclined(genBuild *b, const planeRoad *plane, node3 centre, node3 axis)
{
  exprPool *p = b->pool;
  const int grade = number(b, plane->grade), bank = number(b, plane->bank);
  const node3 N = {expr_neg(p, grade), expr_neg(p, bank), number(b, 1)};
  const int up = expr_div(p, number(b, 1), expr_sqrt(p, node3_dot(p, N, N)));
  const int above = expr_sub(p, node3_dot(p, N, centre), number(b, plane->height));
  return on_plane(b, axis, node3_scale(p, up, N), expr_mul(p, above, up));
}

//---- curved roads --------------------------------------------------------------------------------

// the wheel, and unit vectors of its plane: e1 level, e3 upward
typedef struct wheelPlane {
  const artRoad *road;
  node3 centre, axis, e1, e3;
} wheelPlane;

typedef struct wheelRay {
  node3 T1, T3;
  node3 point;
  roadNodes road; // there
  node3 N;        // its normal, of the height 1
} wheelRay;


static wheelRay shoot(genBuild *b, const wheelPlane *w, int angle, int r)
{
  exprPool *p = b->pool;
  wheelRay ray;
  const int s = expr_sin(p, angle), c = expr_cos(p, angle);
  ray.T3 = node3_add(p, node3_scale(p, c, w->e3), node3_scale(p, s, w->e1));
  ray.T1 = node3_sub(p, node3_scale(p, c, w->e1), node3_scale(p, s, w->e3));
  ray.point = node3_sub(p, w->centre, node3_scale(p, r, ray.T3));
  ray.road = gen_road(b, w->road, ray.point.x, ray.point.y);
  ray.N = (node3){expr_neg(p, ray.road.x), expr_neg(p, ray.road.y), number(b, 1)};
  return ray;
}


// u^T H v
static int curvature(exprPool *p, const roadNodes *z, node3 u, node3 v)
{
  const int mixed = expr_add(p, expr_mul(p, u.x, v.y), expr_mul(p, u.y, v.x));
  const int x = expr_mul(p, z->xx, expr_mul(p, u.x, v.x));
  const int y = expr_mul(p, z->yy, expr_mul(p, u.y, v.y));
  return expr_add(p, expr_add(p, x, y), expr_mul(p, z->xy, mixed));
}


// the corrections at a ray, and how far it is off
static void find_corrections(genBuild *b, const wheelRay *ray, genWheel *wheel)
{
  exprPool *p = b->pool;
  const int r = wheel->unknown[1];
  const int above = expr_sub(p, ray->point.z, ray->road.z), g = node3_dot(p, ray->T1, ray->N);
  const int A = node3_dot(p, ray->T3, ray->N), dr = expr_div(p, above, A);

  // a slope that is too flat comes from a road more curved than the wheel
  const int bend = curvature(p, &ray->road, ray->T1, ray->T1);
  const int slope =
      expr_operate(p, EXPR_MAX, expr_sub(p, A, expr_mul(p, r, bend)), number(b, 0.05));
  const int turned = expr_mul(p, curvature(p, &ray->road, ray->T1, ray->T3), dr);
  const int full = expr_div(p, expr_add(p, g, turned), slope);
  const int most = number(b, 0.3), least = number(b, -0.3);
  wheel->correction[0] = expr_operate(p, EXPR_MAX, expr_operate(p, EXPR_MIN, full, most), least);
  wheel->correction[1] = dr;
  wheel->residual = expr_add(p, expr_mul(p, above, above), expr_mul(p, g, g));
}


// that of the tangent plane below the centre
static void guess(genBuild *b, const wheelPlane *w, genWheel *wheel)
{
  exprPool *p = b->pool;
  const roadNodes road = gen_road(b, w->road, w->centre.x, w->centre.y);
  const node3 N = {expr_neg(p, road.x), expr_neg(p, road.y), number(b, 1)};
  const int up = node3_dot(p, w->e3, N);
  wheel->guess[0] = expr_div(p, node3_dot(p, w->e1, N), up);
  wheel->guess[1] = expr_div(p, expr_sub(p, w->centre.z, road.z), up);
}


static roadContact on_curve(genBuild *b, const wheelPlane *w, genWheel *wheel)
{
  exprPool *p = b->pool;
  roadContact c;
  wheel->nunknown = 2;
  for (int k = 0; k < 2; k++) {
    wheel->unknown[k] = expr_symbol(p, k ? "contact_radius" : "contact_angle", wheel->element);
  }
  guess(b, w, wheel);
  const wheelRay ray = shoot(b, w, wheel->unknown[0], wheel->unknown[1]);
  find_corrections(b, &ray, wheel);

  const int angle = expr_add(p, wheel->unknown[0], wheel->correction[0]);
  c.radius = expr_add(p, wheel->unknown[1], wheel->correction[1]);
  const wheelRay last = shoot(b, w, angle, c.radius);
  const int up = expr_div(p, number(b, 1), expr_sqrt(p, node3_dot(p, last.N, last.N)));
  c.normal = node3_scale(p, up, last.N);
  c.forward = last.T1;
  c.arm = node3_scale(p, expr_neg(p, c.radius), last.T3);
  gen_complete_contact(p, w->axis, &c);
  return c;
}


roadContact gen_contact(genBuild *b, const artRoad *road, node3 centre, node3 axis, genWheel *wheel)
{
  exprPool *p = b->pool;
  if (!road) return on_plane(b, axis, (node3){0, 0, number(b, 1)}, centre.z);
  if (road->kind == ROAD_PLANE) return on_inclined(b, (const planeRoad *) road, centre, axis);

  // e1 = a x z / |a x z|
  const int square = expr_add(p, expr_mul(p, axis.x, axis.x), expr_mul(p, axis.y, axis.y));
  const int over = expr_div(p, number(b, 1), expr_sqrt(p, square));
  const node3 e1 = {expr_mul(p, over, axis.y), expr_neg(p, expr_mul(p, over, axis.x)), 0};
  const wheelPlane w = {road, centre, axis, e1, node3_cross(p, e1, axis)};
  return on_curve(b, &w, wheel);
}
