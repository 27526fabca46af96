// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One or several cosine bumps.
#include "base/arithmetic.h"
#include "road/heights.h"

artStatus art_create_bump_road(artRoad **road, const artBumpRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  const int count = def->count == 0 ? 1 : def->count;
  const double spacing = count == 1 || def->spacing == 0 ? def->length : def->spacing;
  const roadNumber numbers[] = {
      {"start", def->start, ROAD_ANY},
      {"length", def->length, ROAD_POSITIVE},
      {"height", def->height, ROAD_ANY},
      {"spacing", spacing, ROAD_POSITIVE},
  };
  const artStatus status = road_check(def->label, 4, numbers, error);
  if (status) return status;
  if (count < 0) return road_fail(def->label, error, "count is %d, expected 1 or more", count);
  if (spacing < def->length) {
    return road_fail(def->label, error,
                     "bumps of length %g are %g apart, expected a spacing of at least the length",
                     def->length, spacing);
  }

  bumpRoad *bump = road_create(sizeof *bump, ROAD_BUMP, bump_height);
  if (!bump) return base_no_memory(error);
  bump->start = def->start;
  bump->length = def->length;
  bump->height = def->height;
  bump->spacing = spacing;
  bump->last = count - 1;
  road_sign(&bump->road, "bump", 5,
            (double[]){def->start, def->length, def->height, spacing, count});
  *road = &bump->road;
  return ART_OK;
}
