// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where a wheel, taken as a thin disc, meets the road.
//
// The point Q = P - r T3 lies in the wheel plane and on the road, and the disc's tangent T1 there is
// tangent to the road: T1 . n = 0. On a plane this is solved by T1 = a x n / |a x n|, T3 = T1 x a,
// r = (P - road) . n / (T3 . n). On a curved road T3 is turned in the wheel plane until T1 . n vanishes.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/three.h"
#include "tyre/tyre.h"

enum { TURNS_MOST = 60, RAY_MOST = 40, SEARCH_RAYS = 48 };
static const double SEARCH_REACH = 1.2; // rad to either side

// the wheel plane: unit vectors e1, e3 of it, e3 upward
typedef struct contactPlane {
  double e1[3], e3[3];
} contactPlane;

// a ray from the centre downward in the wheel plane, and where it meets the road
typedef struct contactRay {
  double T1[3], T3[3];
  double r;
  double point[3], normal[3];
} contactRay;


// returns the length before; a vector without length stays
static double normalise(double a[3])
{
  const double length = sqrt(three_dot(a, a));
  for (int i = 0; i < 3 && length > 0; i++) a[i] /= length;
  return length;
}


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


static double height_at(const artGround *ground, double x, double y, double normal[3])
{
  double slope[2] = {0, 0};
  const double z = ground ? ground->height(ground->context, x, y, slope) : 0;
  normal[0] = -slope[0];
  normal[1] = -slope[1];
  normal[2] = 1;
  (void) normalise(normal);
  return z;
}


// the tangent of a disc with axis a on a plane with normal n; 0 when the disc lies flat on it
static int disc_tangent(const double a[3], const double n[3], double T1[3])
{
  three_cross(a, n, T1);
  return normalise(T1) > 1e-6;
}


// Follow the ray of T3 = cos(angle) e3 + sin(angle) e1 from the length r on; 0 when it misses the road.
static int shoot(const artGround *ground, const artWheel *w, const contactPlane *e, double angle,
                 contactRay *ray)
{
  const double s = sin(angle), c = cos(angle);
  for (int i = 0; i < 3; i++) {
    ray->T3[i] = c * e->e3[i] + s * e->e1[i];
    ray->T1[i] = c * e->e1[i] - s * e->e3[i];
  }
  for (int k = 0; k < RAY_MOST; k++) {
    for (int i = 0; i < 3; i++) ray->point[i] = w->centre[i] - ray->r * ray->T3[i];
    const double z = height_at(ground, ray->point[0], ray->point[1], ray->normal);

    // the distance to the tangent plane along the ray
    const double along = three_dot(ray->T3, ray->normal);
    if (!(along > 1e-3)) return 0;
    const double step = (ray->point[2] - z) * ray->normal[2] / along;
    ray->r += step;
    if (!isfinite(ray->r)) return 0;
    if (fabs(step) < 1e-15 + 1e-14 * fabs(ray->r)) return 1;
  }
  return 0;
}


// T1 . n, the slope of the road along the disc's tangent
static double misfit(const contactRay *ray)
{
  return three_dot(ray->T1, ray->normal);
}


// Turn the ray until the misfit vanishes: by secants, the first of them that of a plane.
static int turn_until_tangent(const artGround *ground, const artWheel *w, const contactPlane *e,
                              contactRay *ray)
{
  double angle = 0, g = misfit(ray);
  double slope = 1; // of a plane: d(T1 . n)/d angle = -T3 . n, turned so that it is positive
  for (int k = 0; k < TURNS_MOST; k++) {
    if (fabs(g) < 1e-14) return 1;
    const double step = fmin(fmax(g / slope, -0.3), 0.3);
    if (fabs(step) < 1e-15) return 1;
    if (!shoot(ground, w, e, angle + step, ray)) return 0;
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
static int search_shortest(const artGround *ground, const artWheel *w, const contactPlane *e,
                           double r, contactRay *ray)
{
  contactRay trial = {0};
  double best = INFINITY, low = 0, high = 0;
  for (int k = -SEARCH_RAYS; k <= SEARCH_RAYS; k++) {
    const double angle = SEARCH_REACH * k / SEARCH_RAYS;
    trial.r = r;
    if (!shoot(ground, w, e, angle, &trial) || !(trial.r < best)) continue;
    best = trial.r;
    low = angle - SEARCH_REACH / SEARCH_RAYS;
    high = angle + SEARCH_REACH / SEARCH_RAYS;
  }
  ray->r = best;
  for (int k = 0; k < TURNS_MOST && isfinite(best); k++) {
    const double middle = (low + high) / 2;
    if (!shoot(ground, w, e, middle, ray)) return 0;
    if (misfit(ray) > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return isfinite(best) && fabs(misfit(ray)) < 1e-10;
}


void tyre_complete_contact(const artWheel *w, artContact *c)
{
  three_cross(c->normal, c->forward, c->left);
  c->gamma = asin(fmin(fmax(three_dot(w->axis, c->normal), -1), 1));

  // v = v_P + (omega - spin a) x (Q - P)
  double turning[3], arm[3], v[3];
  c->spin = three_dot(w->omega, w->axis);
  for (int i = 0; i < 3; i++) {
    turning[i] = w->omega[i] - c->spin * w->axis[i];
    arm[i] = c->point[i] - w->centre[i];
  }
  three_cross(turning, arm, v);
  for (int i = 0; i < 3; i++) v[i] += w->velocity[i];
  c->Vx = three_dot(v, c->forward);
  c->Vy = three_dot(v, c->left);
  c->approach = -three_dot(v, c->normal);
}


artStatus art_find_contact(const artGround *ground, const artWheel *w, artContact *c)
{
  ART_REQUIRE(w && (!ground || ground->height) && c, NULL);
  // the tangent plane below the centre, and the exact answer on it
  double normal[3];
  contactPlane e;
  contactRay ray = {0};
  const double z = height_at(ground, w->centre[0], w->centre[1], normal);
  if (!disc_tangent(w->axis, normal, e.e1)) return ART_NO_CONVERGENCE;
  three_cross(e.e1, w->axis, e.e3);
  ray.r = (w->centre[2] - z) * normal[2] / three_dot(e.e3, normal);
  if (!shoot(ground, w, &e, 0, &ray)) return ART_NO_CONVERGENCE;
  const double r = ray.r;
  if (ground && !turn_until_tangent(ground, w, &e, &ray) &&
      !search_shortest(ground, w, &e, r, &ray)) {
    return ART_NO_CONVERGENCE;
  }

  if (!isfinite(ray.point[0] + ray.point[1] + ray.point[2])) return ART_NO_CONVERGENCE;

  memcpy(c->point, ray.point, sizeof c->point);
  memcpy(c->normal, ray.normal, sizeof c->normal);
  memcpy(c->forward, ray.T1, sizeof c->forward);
  c->radius = ray.r;
  tyre_complete_contact(w, c);
  return ART_OK;
}
