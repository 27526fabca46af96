// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where a wheel, taken as a thin disc, meets the road.
//
// The point Q = P - r T3 lies in the wheel plane and on the road, and the disc's tangent T1 there is
// tangent to the road: T1 . n = 0. On a plane this is solved by T1 = a x n / |a x n|, T3 = T1 x a,
// r = (P - road) . n / (T3 . n). On a curved road T3 is turned in the wheel plane until T1 . n vanishes.
#include "tyre/contact.h"

#include <math.h>

#include "base/error.h"
#include "tyre/tyre.h"

enum { TURNS_MOST = 60, RAY_MOST = 40, SEARCH_RAYS = 48 };
static const double SEARCH_REACH = 1.2; // rad to either side

// the wheel plane: its centre, and unit vectors e1, e3 of it, e3 upward
typedef struct contactPlane {
  v3 centre, e1, e3;
} contactPlane;

// a ray from the centre downward in the wheel plane, and where it meets the road
typedef struct contactRay {
  discRay turned;
  double r;
  v3 normal; // of the road
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
  ART_REQUIRE_OR(road, ((artGround){road_height, NULL}));
  // never written through
  union {
    const void *constant;
    void *any;
  } context = {.constant = road};
  return (artGround){road_height, context.any};
}


static double height_at(const artGround *ground, double x, double y, v3 *normal)
{
  double slope[2] = {0, 0};
  const double z = ground ? ground->height(ground->context, x, y, slope) : 0;
  const v3 N = {-slope[0], -slope[1], 1};
  *normal = v3_scale(1 / sqrt(v3_dot(N, N)), N);
  return z;
}


// Follow the ray that is turned by an angle from the length r on; 0 when it misses the road.
static int shoot(const artGround *ground, const contactPlane *e, double angle, contactRay *ray)
{
  ray->turned = turn_ray(e->e1, e->e3, angle);
  const v3 T3 = ray->turned.T3;
  for (int k = 0; k < RAY_MOST; k++) {
    const v3 point = v3_sub(e->centre, v3_scale(ray->r, T3));
    const double z = height_at(ground, point.x, point.y, &ray->normal);

    // the distance to the tangent plane along the ray
    const double along = v3_dot(T3, ray->normal);
    if (!(along > 1e-3)) return 0;
    const double step = (point.z - z) * ray->normal.z / along;
    ray->r += step;
    if (!isfinite(ray->r)) return 0;
    if (fabs(step) < 1e-15 + 1e-14 * fabs(ray->r)) return 1;
  }
  return 0;
}


// T1 . n, the slope of the road along the disc's tangent
static double misfit(const contactRay *ray)
{
  return v3_dot(ray->turned.T1, ray->normal);
}


// Turn the ray until the misfit vanishes: by secants, the first of them that of a plane.
static int turn_until_tangent(const artGround *ground, const contactPlane *e, contactRay *ray)
{
  double angle = 0, g = misfit(ray);
  double slope = 1; // of a plane: d(T1 . n)/d angle = -T3 . n, turned so that it is positive
  for (int k = 0; k < TURNS_MOST; k++) {
    if (fabs(g) < 1e-14) return 1;
    const double step = fmin(fmax(g / slope, -0.3), 0.3);
    if (fabs(step) < 1e-15) return 1;
    if (!shoot(ground, e, angle + step, ray)) return 0;
    const double next = misfit(ray);
    const double secant = (g - next) / step;

    // a slope that is too flat comes from a road more curved than the wheel
    slope = secant > 0.05 ? secant : 0.05;
    angle += step;
    g = next;
  }
  return fabs(g) < 1e-10;
}


// The shortest of many rays, then halving towards the tangent point beside it: on a road more curved than
// the wheel, or far below it, secants may run to and fro between several such points. T1 . n falls through
// zero where rays are shortest, dr/d angle = -r (T1 . n) / (T3 . n).
static int search_shortest(const artGround *ground, const contactPlane *e, double r,
                           contactRay *ray)
{
  contactRay trial = {0};
  double best = INFINITY, low = 0, high = 0;
  for (int k = -SEARCH_RAYS; k <= SEARCH_RAYS; k++) {
    const double angle = SEARCH_REACH * k / SEARCH_RAYS;
    trial.r = r;
    if (!shoot(ground, e, angle, &trial) || !(trial.r < best)) continue;
    best = trial.r;
    low = angle - SEARCH_REACH / SEARCH_RAYS;
    high = angle + SEARCH_REACH / SEARCH_RAYS;
  }
  ray->r = best;
  for (int k = 0; k < TURNS_MOST && isfinite(best); k++) {
    const double middle = (low + high) / 2;
    if (!shoot(ground, e, middle, ray)) return 0;
    if (misfit(ray) > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return isfinite(best) && fabs(misfit(ray)) < 1e-10;
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
  ART_REQUIRE(w && (!ground || ground->height) && c, NULL);
  // the tangent plane below the centre, and the exact answer on it
  const v3 axis = vector_of(w->axis);
  v3 normal;
  const double z = height_at(ground, w->centre[0], w->centre[1], &normal);
  const discContact plane = contact_on_plane(axis, normal);
  if (!(plane.cosine > 1e-6)) return ART_NO_CONVERGENCE;
  const contactPlane e = {vector_of(w->centre), plane.forward, v3_cross(plane.forward, axis)};
  contactRay ray = {.r = (w->centre[2] - z) * normal.z / v3_dot(e.e3, normal)};
  if (!shoot(ground, &e, 0, &ray)) return ART_NO_CONVERGENCE;
  const double r = ray.r;
  if (ground && !turn_until_tangent(ground, &e, &ray) && !search_shortest(ground, &e, r, &ray)) {
    return ART_NO_CONVERGENCE;
  }

  const discContact d = contact_of_ray(axis, &ray.turned, ray.normal, ray.r);
  const artContact found = tyre_contact_of(w, &d);
  if (!isfinite(found.point[0] + found.point[1] + found.point[2])) return ART_NO_CONVERGENCE;
  *c = found;
  return ART_OK;
}
