// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Heights over distances: a cubic spline, or a polyline with rounded corners.
#include <limits.h>
#include <math.h>

#include "base/arithmetic.h"
#include "road/road_kinds.h"


static artStatus check_table_road(const artTableRoad *def, artError *error)
{
  const int n = def->count;
  if (n < 2 || n > INT_MAX / 4) {
    return road_fail(def->label, error, "found %d point%s, expected at least two and at most %d", n,
                     n == 1 ? "" : "s", INT_MAX / 4);
  }
  if (!def->distance || !def->height) {
    return road_fail(def->label, error, "found no distances or no heights of %d points", n);
  }
  for (int i = 0; i < n; i++) {
    if (isfinite(def->distance[i]) && isfinite(def->height[i])) continue;
    return road_fail(def->label, error, "point %d is (%g, %g), expected two finite numbers", i + 1,
                     def->distance[i], def->height[i]);
  }
  for (int i = 1; i < n; i++) {
    if (def->distance[i] > def->distance[i - 1]) continue;
    return road_fail(def->label, error,
                     "point %d has distance %g after %g, expected distances to increase", i + 1,
                     def->distance[i], def->distance[i - 1]);
  }
  const roadNumber radius = {"radius", def->radius, ROAD_NOT_LESS};
  return road_check(def->label, 1, &radius, error);
}


artStatus art_create_table_road(artRoad **road, const artTableRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  const artStatus status = check_table_road(def, error);
  if (status) return status;

  switch (def->curve) {
  case ART_ROAD_CUBIC: return spline_create(road, def->count, def->distance, def->height, error);
  case ART_ROAD_LINEAR:
    return polyline_create(road, def->label, def->count, def->distance, def->height, def->radius,
                           error);
  }
  return road_fail(def->label, error, "curve is %d, expected cubic or linear", (int) def->curve);
}
