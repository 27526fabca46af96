// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The ground under tyres: a road, or a function of the user, z = mu(x, y) with its slopes.
#include <math.h>
#include <string.h>

#include "articula/road.h"
#include "base/arithmetic.h"
#include "model/model.h"
#include "road/road_kinds.h"


void model_take_ground(artModel *m, modelElement *e)
{
  functionRoad *road = (functionRoad *) (uintptr_t) road_find_function(e->road);
  if (!road) return;
  const artCallDef def = {.name = road->name, .n = road->n, .parameter = road->parameter};
  const functionUse use = {.kind = FUNCTION_GROUND,
                           .ninput = ART_GROUND_PARAMETER,
                           .n = ART_GROUND_RESULTS,
                           .what = "the road of tyre",
                           .user = e->name,
                           .place = e->place};
  model_take_call(m, &e->ground, &def, &use);
  e->ground.parameter = road->parameter; // which changes with the road
}


artStatus model_call_ground(const modelElement *e, double t, double x, double y, double *z,
                            double slope[2], artError *error)
{
  ART_ASSERT(e->ground.function);
  const functionCaller caller = {"the road of tyre", e->name, e->place, t};
  double result[ART_GROUND_RESULTS],
      input[ART_GROUND_PARAMETER + FUNCTION_PARAMETERS] = {[ART_GROUND_X] = x, [ART_GROUND_Y] = y};
  const artStatus status = model_call(&e->ground, &caller, input, result, error);
  if (status) return status;
  *z = result[ART_GROUND_HEIGHT];
  slope[0] = result[ART_GROUND_SLOPE_X];
  slope[1] = result[ART_GROUND_SLOPE_Y];
  return ART_OK;
}


double art_ground_height(const artModel *m, int i, double x, double y)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && i >= 0 && i < m->nelement, NAN);
  const modelElement *e = &m->element[i];
  double z = 0, slope[2];
  artRoadPoint point = {0};
  if (!e->tyre) return NAN;
  if (e->ground.function) {
    if (model_call_ground(e, NAN, x, y, &z, slope, NULL) != ART_OK) return NAN;
    return z + road_without_function(e->road, x, y).z;
  }
  if (e->road) art_evaluate_road(e->road, x, y, &point);
  return point.z;
}
