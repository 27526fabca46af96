// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The curvature of z(x) is z_xx/(1 + z_x^2)^1.5, at most z_xx; that of an arc is 1/R. In sums second derivatives add up, where those
// of arcs grow with their slope.
#include "road/road_bend.h"

#include <math.h>

#include "road/fade.h"
#include "road/road_kinds.h"


void road_derivatives(const artRoad *road, double x, double y, double z[6])
{
  const roadJet f = road->evaluate(road, x, y);
  z[0] = f.z, z[1] = f.x, z[2] = f.y, z[3] = f.xx, z[4] = f.xy, z[5] = f.yy;
}


static roadBend both_ways(double bend)
{
  return (roadBend){bend, bend};
}


static void add_bend(roadBend *most, double bend)
{
  most->valley = fmax(most->valley, bend);
  most->crest = fmax(most->crest, -bend);
}


// of a weight that passes from 0 to 1 over a width, and of its product with height, slope and second derivative
static double faded(double width, double z, double slope, double second)
{
  static const double SLOPE = 1.875, SECOND = 5.7735027; // of u^3 (10 - 15 u + 6 u^2)
  return second + 2 * SLOPE / width * slope + SECOND / (width * width) * z;
}


// a sin p with p' = k + dk s
static roadBend bend_of_sine(const sineRoad *x)
{
  const double last = x->length > 0 ? x->k + x->dk * x->length : x->k;
  const double k = fmax(fabs(x->k), fabs(last)), a = fabs(x->amplitude);
  const double second = a * (k * k + fabs(x->dk));
  return both_ways(x->length > 0 ? faded(x->blend, a, a * k, second) : second);
}


// `adds`: of second derivatives, which at the steeper end of an arc are (1 + z_x^2)^1.5/R
static roadBend bend_of_polyline(const polylineRoad *line, int adds)
{
  roadBend most = {0, 0};
  for (int i = 1; i < line->nknot; i += 2) {
    const polyPiece *arc = &line->piece[i];
    if (!(arc->radius > 0)) continue;
    const polyPiece *before = &line->piece[i - 1], *after = &line->piece[i + 1];
    const double c = fmin(before->c, after->c);
    add_bend(&most, arc->bend / arc->radius / (adds ? c * c * c : 1));
  }
  return most;
}


// second derivatives are linear between points
static roadBend bend_of_spline(const splineRoad *x)
{
  roadBend most = {0, 0};
  for (int i = 0; i <= x->n; i++) {
    const double *c = x->number + (long) i * SPLINE_NUMBERS;
    add_bend(&most, 2 * c[3]);
    if (i > 0 && i < x->n) add_bend(&most, 2 * c[3] + 6 * (x->x[i] - x->x[i - 1]) * c[4]);
  }
  return most;
}


// the largest height, slope and second derivative of the spline of coefficients, at its points and by its polygon
static void measure_random(const randomRoad *x, const double *c, double most[3])
{
  const double a = x->n / x->period;
  for (int i = 0; i < x->n; i++) {
    most[0] = fmax(most[0], fabs(c[i]));
    most[1] = fmax(most[1], a * fabs(c[i + 1] - c[i]));
    most[2] = fmax(most[2], a * a * fabs(c[i] - 2 * c[i + 1] + c[i + 2]));
  }
}


// z = z_r + w (z_l - z_r) across both tracks, where the largest eigenvalue is at most |z_xx| + |z_xy| + |z_yy|
static roadBend bend_of_random(const randomRoad *x)
{
  double most[3] = {0, 0, 0};
  measure_random(x, x->right, most);
  measure_random(x, x->left, most);
  double second = most[2];
  if (x->left != x->right) second += faded(0.5 * x->track, 2 * most[0], 2 * most[1], 0);
  return both_ways(x->blend > 0 ? faded(x->blend, most[0], most[1], second) : second);
}


static roadBend bend_of(const artRoad *road, int adds)
{
  roadBend sum = {0, 0};
  switch (road->kind) {
  case ROAD_PLANE: return sum;
  case ROAD_BUMP: {
    // at the ends and in the middle of a cosine
    const bumpRoad *x = (const bumpRoad *) road;
    const double w = 6.283185307179586 / x->length;
    return both_ways(0.5 * w * w * fabs(x->height));
  }
  case ROAD_SINE: return bend_of_sine((const sineRoad *) road);
  case ROAD_POLYLINE: return bend_of_polyline((const polylineRoad *) road, adds);
  case ROAD_SPLINE: return bend_of_spline((const splineRoad *) road);
  case ROAD_PLACED: return bend_of(((const placedRoad *) road)->part, adds);
  case ROAD_RANDOM: return bend_of_random((const randomRoad *) road);
  case ROAD_SUM:
    for (int i = 0; i < ((const sumRoad *) road)->count; i++) {
      const roadBend part = bend_of(((const sumRoad *) road)->parts[i], 1);
      sum.valley += part.valley, sum.crest += part.crest;
    }
    return sum;
  case ROAD_TRACKS:
  case ROAD_FUNCTION: break;
  }
  return both_ways(INFINITY);
}


roadBend road_bend(const artRoad *road)
{
  return bend_of(road, 0);
}
