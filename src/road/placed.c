// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A translated and rotated road.
#include "base/arithmetic.h"
#include "road/heights.h"
#include "spatial/sincos.h"

artStatus art_create_placed_road(artRoad **road, const artPlacedRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  const roadNumber numbers[] = {
      {"position x", def->position[0], ROAD_ANY},
      {"position y", def->position[1], ROAD_ANY},
      {"position z", def->position[2], ROAD_ANY},
      {"heading", def->heading, ROAD_ANY},
  };
  const artStatus status = road_check(def->label, 4, numbers, error);
  if (status) return status;
  if (!def->road) return road_fail(def->label, error, "found no road to place");
  const artStatus part = road_check_part(def->label, def->road, error);
  if (part) return part;

  placedRoad *placed = road_create(sizeof *placed, ROAD_PLACED, placed_height);
  if (!placed) return base_no_memory(error);
  placed->part = def->road;
  placed->x = def->position[0];
  placed->y = def->position[1];
  placed->z = def->position[2];
  sincos_both(def->heading, &placed->s, &placed->c);
  const double *p = def->position;
  road_sign(&placed->road, "placed", 4, (double[]){p[0], p[1], p[2], def->heading});
  road_sign_part(&placed->road, def->road);
  *road = &placed->road;
  return ART_OK;
}
