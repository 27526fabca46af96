// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads that consist of one profile of lines and arcs.
#include "road/road_profile.h"

#include <math.h>


int road_find_profile(const artRoad *road, roadProfile *f)
{
  switch (road->kind) {
  case ROAD_POLYLINE: *f = (roadProfile){.line = (const polylineRoad *) road, .c = 1}; return 1;
  case ROAD_PLACED: {
    // from part axes to the axes of this road
    const placedRoad *placed = (const placedRoad *) road;
    const double c = placed->c, s = placed->s;
    if (!road_find_profile(placed->part, f)) return 0;
    *f = (roadProfile){.line = f->line,
                       .x = placed->x + c * f->x - s * f->y,
                       .y = placed->y + s * f->x + c * f->y,
                       .z = placed->z + f->z,
                       .c = c * f->c - s * f->s,
                       .s = s * f->c + c * f->s};
    return 1;
  }
  case ROAD_SUM:
    *f = (roadProfile){.line = ((const sumRoad *) road)->whole, .c = 1};
    return f->line != NULL;
  default: return 0;
  }
}


double road_sharpest(const artRoad *road)
{
  double least = INFINITY;
  switch (road->kind) {
  case ROAD_POLYLINE: return ((const polylineRoad *) road)->sharpest;
  case ROAD_PLACED: return road_sharpest(((const placedRoad *) road)->part);
  case ROAD_SUM:
    for (int i = 0; i < ((const sumRoad *) road)->count; i++) {
      least = fmin(least, road_sharpest(((const sumRoad *) road)->parts[i]));
    }
    return least;
  default: return INFINITY;
  }
}


double profile_angle(const polylineRoad *line, int i, int at_end)
{
  ART_ASSERT(i >= 0 && i <= line->nknot);
  const int next = at_end && i < line->nknot ? i + 1 : i;
  return atan2(line->piece[next].s, line->piece[next].c);
}
