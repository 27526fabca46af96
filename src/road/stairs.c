// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stairs: steep straight risers and level treads, with rounded edges.
#include "base/arithmetic.h"
#include "base/memory.h"
#include "road/road_kinds.h"

enum { MAX_STAIRS = 1000000 };


static artStatus check_stairs_road(const artStairsRoad *def, artError *error)
{
  const roadNumber numbers[] = {
      {"start", def->start, ROAD_ANY},        {"rise", def->rise, ROAD_ANY},
      {"tread", def->tread, ROAD_POSITIVE},   {"riser", def->riser, ROAD_POSITIVE},
      {"radius", def->radius, ROAD_POSITIVE},
  };
  const artStatus status = road_check(def->label, 5, numbers, error);
  if (status) return status;
  if (def->count < 1 || def->count > MAX_STAIRS) {
    return road_fail(def->label, error, "count is %d, expected 1 to %d", def->count, MAX_STAIRS);
  }
  if (def->riser >= def->tread) {
    return road_fail(def->label, error, "riser is %g, expected less than the tread %g", def->riser,
                     def->tread);
  }
  return ART_OK;
}


artStatus art_create_stairs_road(artRoad **road, const artStairsRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  artStatus status = check_stairs_road(def, error);
  if (status) return status;

  // foot and head of every riser
  const int n = 2 * def->count;
  double *x = MEM_ARRAY(double, 2 * n);
  if (!x) return base_no_memory(error);
  double *z = x + n;
  for (int i = 0; i < def->count; i++) {
    x[2 * i] = def->start + i * def->tread;
    x[2 * i + 1] = x[2 * i] + def->riser;
    z[2 * i] = i * def->rise;
    z[2 * i + 1] = (i + 1) * def->rise;
  }
  status = polyline_create(road, def->label, n, x, z, def->radius, error);
  mem_free(x);
  return status;
}
