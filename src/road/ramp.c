// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A ramp: rise, plateau, fall, with rounded corners.
#include "base/arithmetic.h"
#include "road/road_kinds.h"


artStatus art_create_ramp_road(artRoad **road, const artRampRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  const int comes_down = def->down != 0;
  const roadNumber numbers[] = {
      {"start", def->start, ROAD_ANY},          {"up", def->up, ROAD_POSITIVE},
      {"plateau", def->plateau, ROAD_NOT_LESS}, {"down", def->down, ROAD_NOT_LESS},
      {"height", def->height, ROAD_ANY},        {"radius", def->radius, ROAD_POSITIVE},
  };
  const artStatus status = road_check(def->label, 6, numbers, error);
  if (status) return status;

  const double top = def->start + def->up, edge = top + def->plateau;
  if (comes_down && edge == top) {
    const double x[3] = {def->start, top, top + def->down}, z[3] = {0, def->height, 0};
    return polyline_create(road, def->label, 3, x, z, def->radius, error);
  }
  const double x[4] = {def->start, top, edge, edge + def->down};
  const double z[4] = {0, def->height, def->height, 0};
  return polyline_create(road, def->label, comes_down ? 4 : 2, x, z, def->radius, error);
}
