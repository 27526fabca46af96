// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts of what rolls that are found by iteration: on roads, and of the rims of discs on cylinders and cones.
#include <float.h>
#include <math.h>

#include "model/roll_surface.h"
#include "road/road_nearest.h"

enum { MAX_TURNS = 60 };

static const double FLAT = 1e-6; // sine between the axis of a disc and the normal


//---- roads ---------------------------------------------------------------------------------------

// Curvatures of the road are  K_ij = -(e_i.z'' e_j) n_z  along unit tangents e; those at the distance d are  H = K (1 + d K)^-1.
static void bend_road(const roadJet *z, rollField *f)
{
  const v3 e[2] = {f->along, f->across};
  double K[3];
  for (int k = 0; k < 3; k++) {
    const v3 a = e[k / 2], b = e[(k + 1) / 2];
    const double mixed = a.x * b.y + a.y * b.x;
    K[k] = -f->normal.z * (z->xx * a.x * b.x + z->xy * mixed + z->yy * a.y * b.y);
  }
  const double d = f->distance, product = K[0] * K[2] - K[1] * K[1];
  const double inverse = 1 / (1 + d * (K[0] + K[2]) + d * d * product);
  f->xx = inverse * (K[0] + d * product);
  f->xy = inverse * K[1];
  f->yy = inverse * (K[2] + d * product);
}


// the tangents are x and y turned with z into the normal
static rollField field_above(const roadFoot *foot, v3 x)
{
  const roadJet *z = &foot->jet;
  const double size = 1 / sqrt(1 + z->x * z->x + z->y * z->y);
  const v3 n = {-size * z->x, -size * z->y, size};
  const double part = 1 / (1 + n.z);
  rollField f = {.normal = n, .along = {1 - n.x * n.x * part, -n.x * n.y * part, -n.x}};
  f.across = v3_cross(n, f.along);
  f.distance = v3_dot(n, v3_sub(x, (v3){foot->x, foot->y, z->z}));
  bend_road(z, &f);
  return f;
}


rollField roll_road_field(const rollSurface *on, v3 x)
{
  const roadFoot foot = road_nearest(on->road, x);
  return field_above(&foot, x);
}


//---- rims ----------------------------------------------------------------------------------------

// At the end of the unit vector e from the centre, with t = a x e: the slope t.n of the distance along the rim, and its rate
// r t.H t - e.n as the angle of e grows.
typedef struct rimSlope {
  v3 t;
  double slope, rate;
} rimSlope;


static rimSlope slope_of_rim(const rollSurface *on, const rollBodyPlace *body, v3 e)
{
  const v3 x = v3_add(v3_sub(body->centre, body->origin), v3_scale(body->radius, e));
  const rollField f = roll_field(on, m3_mul(body->surface, x));
  const v3 t = v3_cross(body->axis, e), own = m3_mul(body->surface, t);
  const double along = v3_dot(own, f.along), across = v3_dot(own, f.across);
  const double bend = f.xx * along * along + 2 * f.xy * along * across + f.yy * across * across;
  const double out = v3_dot(m3_mul(body->surface, e), f.normal);
  return (rimSlope){t, v3_dot(own, f.normal), body->radius * bend - out};
}


// Newton's method in the angle; downhill where the distance is not convex
v3 roll_search_rim(const rollSurface *on, const rollBodyPlace *body, v3 guess)
{
  static const double longest = 0.3;
  double last = HUGE_VAL;
  v3 e = guess;
  for (int k = 0; k < MAX_TURNS; k++) {
    const rimSlope s = slope_of_rim(on, body, e);
    double turn = s.rate > 0 ? -s.slope / s.rate : -copysign(longest, s.slope);
    turn = fmin(fmax(turn, -longest), longest);
    const double size = fabs(turn);
    if (!(size > DBL_EPSILON) || (size < 1e-9 && size >= 0.5 * last)) break;
    last = size;
    const v3 turned = v3_add(v3_scale(cos(turn), e), v3_scale(sin(turn), s.t));
    e = v3_scale(1 / sqrt(v3_dot(turned, turned)), turned);
  }
  return e;
}


//---- contacts that are none ----------------------------------------------------------------------

// A point of which the nearest on the line of the cone, at  s rho + c z  along it, is beyond the apex.
static bool is_beyond_apex(const rollSurface *on, const rollBodyPlace *body, v3 point)
{
  const v3 x = m3_mul(body->surface, v3_sub(point, body->origin));
  return on->shape == ROLL_ON_CONE && !(on->cosine * x.z + on->sine * hypot(x.x, x.y) > 0);
}


// Where a ball touches the surface bends by  K = H (1 - r H)^-1,  less than the ball:  1 + r K > 0; where a rim does the
// distance along it is convex.
static bool is_too_hollow(const rollSurface *on, double radius, const rollTouch *t)
{
  const double along = radius * v3_dot(t->place.along, t->bend[0]);
  const double across = radius * v3_dot(t->place.across, t->bend[1]);
  const double mixed = radius * v3_dot(t->place.along, t->bend[1]);
  if (on->kind == ROLL_EDGE) return false;
  if (on->kind == ROLL_DISC) return !(t->place.sine + along > 0);
  return !(1 - along > 0 && (1 - along) * (1 - across) > mixed * mixed);
}


const char *roll_trouble(const rollSurface *on, const rollBodyPlace *body, bool touches)
{
  const rollTouch t = roll_touch(on, body);
  const rollPlace *p = &t.place;
  if (!isfinite(t.gap) || !isfinite(v3_dot(p->normal, p->point))) {
    return "the contact has no place: it lies flat, or its centre is that of the surface or on its "
           "axis";
  }
  if (on->kind != ROLL_BALL && !(p->sine > FLAT)) {
    return "it heads nowhere: its axis stands upright on the surface; tilt the body, or correct "
           "'axis'";
  }
  if (!touches) return NULL;
  const v3 x = on->kind == ROLL_BALL ? p->centre : p->point;
  if (is_beyond_apex(on, body, x)) return "it has come to the apex of the cone";
  if (!is_too_hollow(on, body->radius, &t)) return NULL;
  return "the surface is more sharply hollow there than what rolls is round";
}
