// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Several roads on top of each other.
#include "road/kinds.h"


static roadJet evaluate(const artRoad *road, double x, double y)
{
  const sumRoad *sum = (const sumRoad *) road;
  roadJet jet = {0};
  for (int i = 0; i < sum->count; i++) {
    jet = jet_add(jet, sum->parts[i]->evaluate(sum->parts[i], x, y));
  }
  return jet;
}


artStatus art_create_sum_road(artRoad **road, const artSumRoad *def, artError *error)
{
  ART_REQUIRE(road, error);
  *road = NULL;
  ART_REQUIRE(def, error);
  if (def->count < 1 || !def->parts) {
    return road_fail(def->label, error, "found %d parts, expected at least one", def->count);
  }
  for (int i = 0; i < def->count; i++) {
    if (!def->parts[i]) return road_fail(def->label, error, "part %d is missing", i + 1);
  }

  sumRoad *sum = road_create(sizeof *sum, ROAD_SUM, evaluate);
  if (!sum) return base_no_memory(error);
  sum->count = def->count;
  sum->parts = arena_copy(&sum->road.arena, def->parts, (size_t) def->count, sizeof *sum->parts);
  if (!sum->parts) {
    art_free_road(&sum->road);
    return base_no_memory(error);
  }
  road_sign(&sum->road, "sum", 0, NULL);
  for (int i = 0; i < def->count; i++) road_sign_part(&sum->road, def->parts[i]);
  *road = &sum->road;
  return ART_OK;
}
