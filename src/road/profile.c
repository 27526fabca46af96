// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads that are one profile of lines and arcs.
#include "road/profile.h"

#include <math.h>


// in the axes of the part; then its place and direction in ours
static int find_placed(const placedRoad *placed, roadProfile *f)
{
  if (!road_find_profile(placed->part, f)) return 0;
  const double c = placed->c, s = placed->s;
  *f = (roadProfile){.line = f->line,
                     .x = placed->x + c * f->x - s * f->y,
                     .y = placed->y + s * f->x + c * f->y,
                     .z = placed->z + f->z,
                     .c = c * f->c - s * f->s,
                     .s = s * f->c + c * f->s};
  return 1;
}


int road_find_profile(const artRoad *road, roadProfile *f)
{
  switch (road->kind) {
  case ROAD_POLYLINE:
    *f = (roadProfile){.line = (const polylineRoad *) road, .c = 1};
    return 1;
  case ROAD_PLACED:
    return find_placed((const placedRoad *) road, f);
  case ROAD_SUM:
    *f = (roadProfile){.line = ((const sumRoad *) road)->whole, .c = 1};
    return f->line != NULL;
  default:
    return 0;
  }
}


static double sharpest_part(const sumRoad *sum)
{
  double least = INFINITY;
  for (int i = 0; i < sum->count; i++) least = fmin(least, road_sharpest(sum->parts[i]));
  return least;
}


double road_sharpest(const artRoad *road)
{
  switch (road->kind) {
  case ROAD_POLYLINE:
    return ((const polylineRoad *) road)->sharpest;
  case ROAD_PLACED:
    return road_sharpest(((const placedRoad *) road)->part);
  case ROAD_SUM:
    return sharpest_part((const sumRoad *) road);
  default:
    return INFINITY;
  }
}


double profile_angle(const polylineRoad *line, int i, int at_end)
{
  const int next = at_end && i < line->nknot ? i + 1 : i;
  return atan2(line->piece[next].s, line->piece[next].c);
}
