// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Flat and inclined ground.
#include "base/arithmetic.h"
#include "road/heights.h"

artStatus art_create_plane_road(artRoad **road, const artPlaneRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  const roadNumber numbers[] = {
      {"height", def->height, ROAD_ANY},
      {"grade", def->grade, ROAD_ANY},
      {"bank", def->bank, ROAD_ANY},
  };
  const artStatus status = road_check(def->label, 3, numbers, error);
  if (status) return status;

  planeRoad *plane = road_create(sizeof *plane, ROAD_PLANE, plane_height);
  if (!plane) return base_no_memory(error);
  plane->height = def->height;
  plane->grade = def->grade;
  plane->bank = def->bank;
  road_sign(&plane->road, "plane", 3, (double[]){def->height, def->grade, def->bank});
  *road = &plane->road;
  return ART_OK;
}
