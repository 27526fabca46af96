// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Common parts of all roads: evaluation, creation, and checks of definitions.
#include "road/road.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/memory.h"


void art_evaluate_road(const artRoad *road, double x, double y, artRoadPoint *point)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(point, );
  if (!road || !isfinite(x) || !isfinite(y)) {
    *point = (artRoadPoint){NAN, {NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
    ART_REQUIRE_OR(road, );
    return;
  }
  const roadJet jet = road->evaluate(road, x, y);

  // n = (-z_x, -z_y, 1) / sqrt(1 + z_x^2 + z_y^2)
  const double up = 1 / sqrt(1 + jet.x * jet.x + jet.y * jet.y);
  *point = (artRoadPoint){.z = jet.z,
                          .gradient = {jet.x, jet.y},
                          .second = {jet.xx, jet.xy, jet.yy},
                          .normal = {-jet.x * up, -jet.y * up, up}};
}


int art_road_is_level(const artRoad *road)
{
  ARITHMETIC_GUARD;
  static const double probe[][2] = {{0, 0}, {37.3, 0}, {0, 23.7}, {-113.1, 61.9}};
  if (!road) return 1;
  if (road->kind != ROAD_PLANE) return 0;
  for (int k = 0; k < 4; k++) {
    if (road->evaluate(road, probe[k][0], probe[k][1]).z != 0) return 0;
  }
  return 1;
}


void *road_create(size_t size, roadKind kind, roadEvaluate evaluate)
{
  ART_ASSERT(size >= sizeof(artRoad) && evaluate);
  artRoad *road = mem_alloc(1, size);
  if (!road) return NULL;
  road->kind = kind;
  road->evaluate = evaluate;
  return road;
}


void road_keep(artRoad *road)
{
  atomic_fetch_add(&road->keepers, 1);
}


void road_sign(artRoad *road, const char *kind, int n, const double *numbers)
{
  road->print = base_hash(road->print, kind, strlen(kind));
  for (int i = 0; i < n; i++) {
    const double plain = numbers[i] + 0.0; // no negative zero
    road->print = base_hash(road->print, &plain, sizeof plain);
  }
}


void road_sign_part(artRoad *road, const artRoad *part)
{
  const unsigned long long print = part ? part->print : 0;
  road->print = base_hash(road->print, &print, sizeof print);
}


void art_free_road(artRoad *road)
{
  if (!road || atomic_fetch_sub(&road->keepers, 1) > 0) return;
  arena_free(&road->arena);
  mem_free(road);
}


artStatus road_fail(artRoadLabel label, artError *error, const char *format, ...)
{
  char text[ART_ERROR_LENGTH];
  va_list args;
  va_start(args, format);
  format_text_list(text, sizeof text, format, args);
  va_end(args);

  if (!label.name) return base_fail(error, ART_BAD_INPUT, label.place, "road: %s", text);
  return base_fail(error, ART_BAD_INPUT, label.place, "road '%s': %s", label.name, text);
}


artStatus road_check(artRoadLabel label, int n, const roadNumber *numbers, artError *error)
{
  static const char *const wanted[] = {
      [ROAD_ANY] = "a finite number",
      [ROAD_NOT_LESS] = "a finite number, 0 or more",
      [ROAD_POSITIVE] = "a finite number above 0",
  };
  for (int i = 0; i < n; i++) {
    const double value = numbers[i].value;
    const roadRange range = numbers[i].range;
    const int is_below = range == ROAD_POSITIVE ? value <= 0 : value < 0;
    if (isfinite(value) && (range == ROAD_ANY || !is_below)) continue;
    return road_fail(label, error, "%s is %g, expected %s", numbers[i].name, value, wanted[range]);
  }
  return ART_OK;
}
