// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The road of a scene: level, or heights on a grid as far as the machine may come.
#include <math.h>

#include "base/error.h"
#include "show/scene.h"

static const double BESIDE = 4;     // m beside and behind the wheels
static const double FARTHEST = 400; // m
enum { MOST_ALONG = 1500, ACROSS = 25 };


// the road under the tyre that rolls nearest to this y; NULL: level
static const artRoad *road_at(const artModel *m, const artData *data, double y)
{
  artForcePart tyre;
  artPointPart wheel;
  const artRoad *road = NULL;
  double nearest = HUGE_VAL, at[3];
  for (int i = 0; art_get_force(m, i, &tyre); i++) {
    if (!(tyre.radius > 0)) continue;
    art_get_force_point(m, i, 0, &wheel);
    art_frame_position(m, data, wheel.frame, at);
    if (fabs(at[1] - y) >= nearest) continue;
    nearest = fabs(at[1] - y);
    road = tyre.road;
  }
  return road;
}


artStatus scene_add_road(ioScene *scene, artData *data, artError *error)
{
  const artModel *m = scene->model;
  const double time = scene->study.def.run.until - scene->study.def.run.from;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  int ntyre = 0, is_flat = 1;
  artForcePart tyre;
  for (int i = 0; art_get_force(m, i, &tyre); i++) {
    if (!(tyre.radius > 0)) continue;
    artPointPart wheel;
    double at[3], velocity[3];
    art_get_force_point(m, i, 0, &wheel);
    art_frame_position(m, data, wheel.frame, at);
    art_frame_velocity(m, data, wheel.frame, velocity, NULL);
    // from where it is as far as its speed at the start leads
    for (int k = 0; k < 2; k++) {
      const double end = at[k] + fmax(fmin(velocity[k] * time, FARTHEST), -FARTHEST);
      low[k] = fmin(low[k], fmin(at[k], end));
      high[k] = fmax(high[k], fmax(at[k], end));
    }
    ntyre++;
    is_flat = is_flat && art_road_is_level(tyre.road);
  }
  if (ntyre == 0) return ART_OK;
  sceneRoad *road = scene->road = arena_alloc(&scene->arena, 1, sizeof *scene->road);
  if (!road) return base_no_memory(error);
  if (is_flat) return ART_OK;

  const double length = high[0] - low[0] + 2 * BESIDE, width = high[1] - low[1] + 2 * BESIDE;
  road->dx = fmax(0.05, length / (MOST_ALONG - 1));
  road->nx = (int) ceil(length / road->dx) + 1;
  road->ny = ACROSS;
  road->dy = width / (ACROSS - 1);
  road->x0 = low[0] - BESIDE;
  road->y0 = low[1] - BESIDE;
  road->z = arena_alloc(&scene->arena, (size_t) road->nx * (size_t) road->ny, sizeof *road->z);
  if (!road->z) return base_no_memory(error);
  for (int j = 0; j < road->ny; j++) {
    const double y = road->y0 + j * road->dy;
    const artRoad *own = road_at(m, data, y);
    for (int i = 0; i < road->nx && own; i++) {
      artRoadPoint point;
      art_evaluate_road(own, road->x0 + i * road->dx, y, &point);
      road->z[j * road->nx + i] = (float) point.z;
    }
  }
  return ART_OK;
}
