// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The length over which a road rises and falls again, to bound the steps of a wheel.
#include <math.h>

#include "road/road_kinds.h"

enum { POINTS_PER_WAVE = 6 }; // lower bound, of random roads


// from the start of a corner to the end of the second corner after it
static double length_of_polyline(const polylineRoad *x)
{
  double least = INFINITY;
  for (int i = 0; 2 * i + 5 < x->nknot; i++) {
    least = fmin(least, x->knot[2 * i + 5] - x->knot[2 * i]);
  }
  return least;
}


static double length_of_spline(const splineRoad *x)
{
  double least = INFINITY;
  for (int i = 0; i + 2 < x->n; i++) least = fmin(least, x->x[i + 2] - x->x[i]);
  return least;
}


static double length_of_sine(const sineRoad *x)
{
  static const double turn = 6.283185307179586;
  const double last = isfinite(x->length) ? x->k + x->dk * x->length : x->k;
  return turn / fmax(fabs(x->k), fabs(last));
}


static double length_of_tracks(const tracksRoad *x)
{
  double least = x->ground ? road_shortest_length(x->ground) : INFINITY;
  for (int i = 0; i < x->count; i++) {
    least = fmin(least, road_shortest_length(x->tracks[i].road));
    least = fmin(least, x->tracks[i].to - x->tracks[i].from);
  }
  return least;
}


static double length_of_sum(const sumRoad *x)
{
  double least = x->whole ? length_of_polyline(x->whole) : INFINITY;
  for (int i = 0; i < x->count; i++) least = fmin(least, road_shortest_length(x->parts[i]));
  return least;
}


double road_shortest_length(const artRoad *road)
{
  switch (road->kind) {
  case ROAD_BUMP: return ((const bumpRoad *) road)->length;
  case ROAD_SINE: return length_of_sine((const sineRoad *) road);
  case ROAD_POLYLINE: return length_of_polyline((const polylineRoad *) road);
  case ROAD_SPLINE: return length_of_spline((const splineRoad *) road);
  case ROAD_PLACED: return road_shortest_length(((const placedRoad *) road)->part);
  case ROAD_SUM: return length_of_sum((const sumRoad *) road);
  case ROAD_TRACKS: return length_of_tracks((const tracksRoad *) road);
  case ROAD_RANDOM:
    return POINTS_PER_WAVE * ((const randomRoad *) road)->period / ((const randomRoad *) road)->n;
  case ROAD_PLANE:
  case ROAD_FUNCTION: break; // unknown
  }
  return INFINITY;
}
