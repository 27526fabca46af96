// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The road of a scene: level, or heights on a grid as far as the machine may come.
#include <math.h>

#include "base/error.h"
#include "model/model.h"
#include "road/road.h"
#include "show/scene.h"

static const double BESIDE = 4;     // m beside and behind the wheels
static const double FARTHEST = 400; // m
enum { MOST_ALONG = 1500, ACROSS = 25 };

// where the tyres are at the start, and what they roll on
typedef struct roadTyres {
  double low[2], high[2]; // of x and y, the way they may go included
  int n;
} roadTyres;


static int is_tyre(const modelElement *e)
{
  return e->tyre != NULL;
}


// a road that is z = 0 everywhere
static int is_level(const artRoad *road)
{
  static const double probe[][2] = {{0, 0}, {37.3, 0}, {0, 23.7}, {-113.1, 61.9}};
  if (!road) return 1;
  if (road->kind != ROAD_PLANE) return 0;
  for (int k = 0; k < 4; k++) {
    artRoadPoint point;
    art_evaluate_road(road, probe[k][0], probe[k][1], &point);
    if (point.z != 0) return 0;
  }
  return 1;
}


static void reach(roadTyres *tyres, double x, double y)
{
  const double at[2] = {x, y};
  for (int k = 0; k < 2; k++) {
    tyres->low[k] = tyres->n ? fmin(tyres->low[k], at[k]) : at[k];
    tyres->high[k] = tyres->n ? fmax(tyres->high[k], at[k]) : at[k];
  }
  tyres->n++;
}


// as far as the speed at the start leads
static void reach_tyre(const ioScene *scene, artData *data, const modelElement *e, roadTyres *tyres)
{
  const double time = scene->study.def.until - scene->study.def.from;
  double at[3], velocity[3], omega[3];
  art_frame_position(scene->model, data, e->frame[0], at);
  art_frame_velocity(scene->model, data, e->frame[0], velocity, omega);
  reach(tyres, at[0], at[1]);
  const double way[2] = {fmax(fmin(velocity[0] * time, FARTHEST), -FARTHEST),
                         fmax(fmin(velocity[1] * time, FARTHEST), -FARTHEST)};
  reach(tyres, at[0] + way[0], at[1] + way[1]);
}


// the road of the tyre that rolls nearest to this y
static double height_at(const artModel *m, artData *data, double x, double y)
{
  const artRoad *road = NULL;
  double nearest = HUGE_VAL;
  for (int i = 0; i < m->nelement; i++) {
    if (!is_tyre(&m->element[i])) continue;
    double at[3];
    art_frame_position(m, data, m->element[i].frame[0], at);
    if (fabs(at[1] - y) >= nearest) continue;
    nearest = fabs(at[1] - y);
    road = m->element[i].road;
  }
  if (!road) return 0;
  artRoadPoint point;
  art_evaluate_road(road, x, y, &point);
  return point.z;
}


static artStatus fill(ioScene *scene, artData *data, const roadTyres *tyres, artError *error)
{
  sceneRoad *road = scene->road;
  const double length = tyres->high[0] - tyres->low[0] + 2 * BESIDE;
  const double width = tyres->high[1] - tyres->low[1] + 2 * BESIDE;
  road->dx = fmax(0.05, length / (MOST_ALONG - 1));
  road->nx = (int) ceil(length / road->dx) + 1;
  road->ny = ACROSS;
  road->dy = width / (ACROSS - 1);
  road->x0 = tyres->low[0] - BESIDE;
  road->y0 = tyres->low[1] - BESIDE;
  road->z = arena_alloc(&scene->arena, (size_t) road->nx * (size_t) road->ny, sizeof *road->z);
  if (!road->z) return base_no_memory(error);
  for (int j = 0; j < road->ny; j++) {
    for (int i = 0; i < road->nx; i++) {
      const double x = road->x0 + i * road->dx, y = road->y0 + j * road->dy;
      road->z[j * road->nx + i] = (float) height_at(scene->model, data, x, y);
    }
  }
  return ART_OK;
}


artStatus scene_add_road(ioScene *scene, artData *data, artError *error)
{
  const artModel *m = scene->model;
  roadTyres tyres = {0};
  int is_flat = 1;
  for (int i = 0; i < m->nelement; i++) {
    if (!is_tyre(&m->element[i])) continue;
    reach_tyre(scene, data, &m->element[i], &tyres);
    is_flat = is_flat && is_level(m->element[i].road);
  }
  if (tyres.n == 0) return ART_OK;
  scene->road = arena_alloc(&scene->arena, 1, sizeof *scene->road);
  if (!scene->road) return base_no_memory(error);
  return is_flat ? ART_OK : fill(scene, data, &tyres, error);
}
