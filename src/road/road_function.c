// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads given by user functions. The function belongs to a model, which calls it
// (model/ground_call.c); without a model the road has no heights, nor has a sum of which it is a part.
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "road/heights.h"


static roadJet unknown_height(const artRoad *road, real x, real y)
{
  (void) road, (void) x, (void) y;
  return (roadJet){NAN, NAN, NAN, NAN, NAN, NAN};
}


static int is_function_name(const char *name)
{
  if (!name || !ascii_is_letter((unsigned char) name[0])) return 0;
  const size_t n = strlen(name);
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char) name[i];
    if (c > 127 || !(ascii_is_word(c) || c == '_')) return 0;
  }
  return n < FUNCTION_ROAD_NAME;
}


static artStatus check_function_road(const artFunctionRoad *def, artError *error)
{
  const artCallDef *call = &def->call;
  if (!is_function_name(call->name)) {
    return road_fail(def->label, error,
                     "the function is called '%.60s', expected at most 40 letters, digits and "
                     "underscores that begin with a letter",
                     call->name ? call->name : "");
  }
  if (call->n < 0 || call->n > FUNCTION_ROAD_PARAMETERS || (call->n > 0 && !call->parameter)) {
    return road_fail(def->label, error,
                     "the function '%s' is given %d parameters, expected at most %d", call->name,
                     call->n, FUNCTION_ROAD_PARAMETERS);
  }
  if (call->arguments.count != 0) {
    return road_fail(def->label, error, "the function '%s' of a road has no arguments", call->name);
  }
  for (int i = 0; i < call->n; i++) {
    const roadNumber number = {"a parameter", call->parameter[i], ROAD_ANY};
    const artStatus status = road_check(def->label, 1, &number, error);
    if (status) return status;
  }
  const roadNumber number = {"resolution", def->resolution, ROAD_POSITIVE};
  return road_check(def->label, 1, &number, error);
}


artStatus art_create_function_road(artRoad **road, const artFunctionRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  const artStatus status = check_function_road(def, error);
  if (status) return status;

  functionRoad *made = road_create(sizeof *made, ROAD_FUNCTION, unknown_height);
  if (!made) return base_no_memory(error);
  memcpy(made->name, def->call.name, strlen(def->call.name) + 1);
  made->n = def->call.n;
  if (made->n > 0) memcpy(made->parameter, def->call.parameter, (size_t) made->n * sizeof(double));
  made->resolution = def->resolution;
  road_sign(&made->road, "function", made->n, made->parameter);
  road_sign(&made->road, made->name, 1, &made->resolution);
  *road = &made->road;
  return ART_OK;
}


const functionRoad *road_find_function(const artRoad *road)
{
  if (!road) return NULL;
  if (road->kind == ROAD_FUNCTION) return (const functionRoad *) road;
  const sumRoad *sum = (const sumRoad *) road;
  const functionRoad *found = NULL;
  for (int i = 0; road->kind == ROAD_SUM && i < sum->count && !found; i++) {
    found = road_find_function(sum->parts[i]);
  }
  return found;
}


roadJet road_without_function(const artRoad *road, double x, double y)
{
  roadJet f = {0};
  if (!road_find_function(road)) return road->evaluate(road, x, y);
  const sumRoad *sum = (const sumRoad *) road;
  for (int i = 0; road->kind == ROAD_SUM && i < sum->count; i++) {
    f = jet_add(f, road_without_function(sum->parts[i], x, y));
  }
  return f;
}


artStatus road_check_part(artRoadLabel label, const artRoad *part, artError *error)
{
  const functionRoad *found = road_find_function(part);
  if (!found) return ART_OK;
  return road_fail(label, error,
                   "a part of it is the road by the function '%s', which can only be a road by "
                   "itself or part of a sum; let the function do it",
                   found->name);
}
