// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contact of a wheel, modelled as a thin disc, with the road.
//
// The point Q = P - r T3 is in the wheel plane and on the road, and the disc's tangent T1 there is
// tangent to the road: T1 . n = 0. On a plane the solution is T1 = a x n / |a x n|, T3 = T1 x a, r
// = (P - road) . n / (T3 . n). On a curved road T3 is rotated in the wheel plane until T1 . n = 0.
#include "tyre/wheel_contact.h"

#include <float.h>
#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "tyre/tyre.h"

enum { MAX_TURNS = 60, MAX_RAY_STEPS = 40, SEARCH_RAYS = 48 };
static const double SEARCH_REACH = 1.2; // rad, on each side

// the wheel plane: its centre, and its unit vectors e1, e3, with e3 upward
typedef struct contactPlane {
  v3 centre, e1, e3;
  double rounding; // of road positions, m
} contactPlane;

// a ray from the centre downward in the wheel plane, and its intersection with the road
typedef struct contactRay {
  discRay turned;
  double r;
  v3 N; // road normal at the intersection
  rayMiss miss;
} contactRay;


static double road_height(void *context, double x, double y, double slope[2])
{
  artRoadPoint point;
  art_evaluate_road(context, x, y, &point);
  slope[0] = point.gradient[0];
  slope[1] = point.gradient[1];
  return point.z;
}


const artRoad *tyre_road_of(const artGround *ground)
{
  return ground && ground->height == road_height ? ground->context : NULL;
}


artGround art_ground_of_road(const artRoad *road)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(road, ((artGround){road_height, NULL}));
  // the road is never modified
  union {
    const void *constant;
    void *any;
  } context = {.constant = road};
  return (artGround){road_height, context.any};
}


// height of a point over the ground, and the ground normal below it
static double height_over(const artGround *ground, v3 point, v3 *N)
{
  double slope[2] = {0, 0};
  const double z = ground ? ground->height(ground->context, point.x, point.y, slope) : 0;
  *N = road_normal(slope[0], slope[1]);
  return point.z - z;
}


// Intersect the ray rotated by an angle with the road, starting from the length r; 0 if it misses
// the road.
static int shoot_contact_ray(const artGround *ground, const contactPlane *e, double angle,
                             contactRay *ray)
{
  ray->turned = turn_ray(e->e1, e->e3, angle);
  for (int k = 0; k < MAX_RAY_STEPS; k++) {
    const double above = height_over(ground, ray_end(e->centre, &ray->turned, ray->r), &ray->N);
    ray->miss = miss_of_ray(&ray->turned, above, ray->N);
    if (!(ray->miss.fall > 1e-3)) return 0;
    ray->r += ray->miss.dr;
    if (!isfinite(ray->r)) return 0;
    if (fabs(ray->miss.dr) < 1e-15 + 1e-14 * fabs(ray->r) + e->rounding) return 1;
  }
  return 0;
}


// Rotate the ray until T1 . N = 0 by the secant method, with the slope of a plane first.
static int turn_until_tangent(const artGround *ground, const contactPlane *e, contactRay *ray)
{
  double angle = 0, g = ray->miss.g, slope = ray->miss.fall;
  for (int k = 0; k < MAX_TURNS; k++) {
    if (fabs(g) < 1e-14) return 1;
    const double step = next_turn(g, slope);
    if (fabs(step) < 1e-15 + e->rounding) return 1;
    if (!shoot_contact_ray(ground, e, angle + step, ray)) return 0;
    slope = (g - ray->miss.g) / step;
    angle += step;
    g = ray->miss.g;
  }
  return fabs(g) < 1e-10;
}


// Fallback: take the shortest of many rays, then bisect to the tangent point next to it. If the
// road is more curved than the wheel, or far below it, the secant method may alternate between
// several tangent points. At a minimum of r, T1 . N changes sign from + to -: dr/d angle = -r (T1 .
// N) / (T3 . N).
static int search_shortest(const artGround *ground, const contactPlane *e, double r,
                           contactRay *ray)
{
  contactRay trial = {0};
  double best = INFINITY, low = 0, high = 0;
  for (int k = -SEARCH_RAYS; k <= SEARCH_RAYS; k++) {
    const double angle = SEARCH_REACH * k / SEARCH_RAYS;
    trial.r = r;
    if (!shoot_contact_ray(ground, e, angle, &trial) || !(trial.r < best)) continue;
    best = trial.r;
    low = angle - SEARCH_REACH / SEARCH_RAYS;
    high = angle + SEARCH_REACH / SEARCH_RAYS;
  }
  ray->r = best;
  for (int k = 0; k < MAX_TURNS && isfinite(best); k++) {
    const double middle = (low + high) / 2;
    if (!shoot_contact_ray(ground, e, middle, ray)) return 0;
    if (ray->miss.g > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return isfinite(best) && fabs(ray->miss.g) < 1e-10;
}


artContact tyre_contact_of(const artWheel *w, const discContact *d)
{
  artContact c = {.radius = d->radius, .gamma = contact_camber(d)};
  const v3 axis = vector_of(w->axis), omega = vector_of(w->omega);
  c.spin = v3_dot(omega, axis);
  const v3 turning = v3_sub(omega, v3_scale(c.spin, axis));
  const contactMotion v = contact_motion(d, vector_of(w->velocity), turning);
  c.Vx = v.Vx;
  c.Vy = v.Vy;
  c.approach = v.approach;
  put_vector(c.point, v3_add(vector_of(w->centre), d->arm));
  put_vector(c.forward, d->forward);
  put_vector(c.left, d->left);
  put_vector(c.normal, d->normal);
  return c;
}


artStatus art_find_contact(const artGround *ground, const artWheel *w, artContact *c)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(w && (!ground || ground->height) && c, NULL);
  // start from the tangent plane below the centre and its exact contact
  const v3 axis = vector_of(w->axis), centre = vector_of(w->centre);
  v3 N;
  const double above = height_over(ground, centre, &N);
  const discContact plane = contact_on_plane(axis, unit_normal(N));
  if (!(plane.cosine > 1e-6)) return ART_NO_CONVERGENCE;
  const double rounding = 2 * DBL_EPSILON * (fabs(centre.x) + fabs(centre.y));
  const contactPlane e = {centre, plane.forward, v3_cross(plane.forward, axis), rounding};
  const discRay upright = {e.e1, e.e3};
  contactRay ray = {.r = miss_of_ray(&upright, above, N).dr};
  if (!shoot_contact_ray(ground, &e, 0, &ray)) return ART_NO_CONVERGENCE;
  const double r = ray.r;
  if (ground && !turn_until_tangent(ground, &e, &ray) && !search_shortest(ground, &e, r, &ray)) {
    return ART_NO_CONVERGENCE;
  }

  const discContact d = contact_of_ray(axis, &ray.turned, ray.N, ray.r);
  const artContact found = tyre_contact_of(w, &d);
  if (!isfinite(found.point[0] + found.point[1] + found.point[2])) return ART_NO_CONVERGENCE;
  *c = found;
  return ART_OK;
}
