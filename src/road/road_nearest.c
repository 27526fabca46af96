// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The point of a road that is nearest to a given one, and how round its hollows are.
//
// At the foot s = (x, y, z(x, y)) the vector p - s is square to the road. With h = p_z - z and c = p - s,
//   g = (c_x + h z_x, c_y + h z_y) = 0,   -dg = 1 + grad z grad z^T - h z''
#include "road/road_nearest.h"

#include <float.h>
#include <math.h>

#include "road/road_kinds.h"

//---- the foot ------------------------------------------------------------------------------------

enum { MAX_ITERATIONS = 60, MAX_HALVINGS = 30 };


static roadFoot foot_at(const artRoad *road, double x, double y)
{
  return (roadFoot){x, y, road->evaluate(road, x, y)};
}


static double square_distance(const roadFoot *foot, v3 p)
{
  const v3 c = {p.x - foot->x, p.y - foot->y, p.z - foot->jet.z};
  return v3_dot(c, c);
}


// Newton's step, or that of Gauss and Newton where the distance is not convex
static void find_step(const roadFoot *foot, v3 p, double step[2])
{
  const roadJet *z = &foot->jet;
  const double h = p.z - z->z;
  const double gx = p.x - foot->x + h * z->x, gy = p.y - foot->y + h * z->y;
  double xx = 1 + z->x * z->x, xy = z->x * z->y, yy = 1 + z->y * z->y;
  const double bent_xx = xx - h * z->xx, bent_xy = xy - h * z->xy, bent_yy = yy - h * z->yy;
  if (bent_xx > 0 && bent_xx * bent_yy - bent_xy * bent_xy > 0)
    xx = bent_xx, xy = bent_xy, yy = bent_yy;
  const double det = xx * yy - xy * xy;
  step[0] = (yy * gx - xy * gy) / det;
  step[1] = (xx * gy - xy * gx) / det;
}


roadFoot road_nearest(const artRoad *road, v3 p)
{
  roadFoot foot = foot_at(road, p.x, p.y);
  double last = HUGE_VAL;
  for (int k = 0; k < MAX_ITERATIONS; k++) {
    double step[2];
    find_step(&foot, p, step);
    const double now = square_distance(&foot, p), size = hypot(step[0], step[1]);
    const double scale = sqrt(now), place = fmax(fabs(foot.x), fabs(foot.y));
    if (!(size > 0.5 * DBL_EPSILON * fmax(scale, place))) break;
    if (size < 1e-8 * scale && size >= 0.5 * last) break;
    last = size;
    roadFoot next = foot_at(road, foot.x + step[0], foot.y + step[1]);
    for (int i = 0; i < MAX_HALVINGS && square_distance(&next, p) > now * (1 + 1e-9); i++) {
      step[0] *= 0.5, step[1] *= 0.5;
      next = foot_at(road, foot.x + step[0], foot.y + step[1]);
    }
    foot = next;
  }
  return foot;
}


//---- hollows -------------------------------------------------------------------------------------

static double hollow_of_polyline(const polylineRoad *line)
{
  double least = INFINITY;
  for (int i = 0; i <= line->nknot; i++) {
    if (line->piece[i].bend > 0) least = fmin(least, line->piece[i].radius);
  }
  return least;
}


// at its points, where second derivatives are largest
static double hollow_of_spline(const splineRoad *spline)
{
  double most = 0;
  for (int i = 0; i < spline->n; i++) {
    const roadJet z = spline->road.evaluate(&spline->road, spline->x[i], 0);
    most = fmax(most, z.xx / pow(1 + z.x * z.x, 1.5));
  }
  return 1 / most;
}


double road_least_hollow(const artRoad *road)
{
  static const double turn = 6.283185307179586;
  const bumpRoad *bump = (const bumpRoad *) road;
  const sineRoad *sine = (const sineRoad *) road;
  double k;
  switch (road->kind) {
  case ROAD_BUMP: // z'' = h/2 w^2, at the ends of a bump and in the middle of a hole
    k = turn / bump->length;
    return 2 / (fabs(bump->height) * k * k);
  case ROAD_SINE: // z'' = a k^2
    k = fabs(sine->k);
    return sine->length > 0 ? INFINITY : 1 / (fabs(sine->amplitude) * k * k);
  case ROAD_POLYLINE: return hollow_of_polyline((const polylineRoad *) road);
  case ROAD_SPLINE: return hollow_of_spline((const splineRoad *) road);
  case ROAD_PLACED: return road_least_hollow(((const placedRoad *) road)->part);
  case ROAD_PLANE:
  case ROAD_SUM:
  case ROAD_RANDOM:
  case ROAD_TRACKS:
  case ROAD_FUNCTION: break; // none, or not known
  }
  return INFINITY;
}
