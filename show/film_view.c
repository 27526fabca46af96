// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The view for drawing the motion of a result.
#include "show/film_view.h"

#include <math.h>

#include "base/error.h"


// centre of mass at the poses read last; 0 if the scene has no masses
static int mass_centre(const filmView *look, double centre[3])
{
  const ioScene *scene = &look->film->scene;
  double mass = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < scene->nbody; i++) {
    mass += scene->body[i].mass;
    for (int k = 0; k < 3; k++) sum[k] += scene->body[i].mass * look->pose[i].position[k];
  }
  for (int k = 0; k < 3 && mass > 0; k++) centre[k] = sum[k] / mass;
  return mass > 0;
}


static void shift_box(drawingBox *box, const double by[2], double sign)
{
  for (int k = 0; k < 2; k++) {
    box->low[k] += sign * by[k];
    box->high[k] += sign * by[k];
  }
}


// displacement of the machine since the start, in the plane of a view
static void find_travel(const filmView *look, drawingView view, double by[2])
{
  double now[3], gone[3] = {0, 0, 0};
  if (look->is_followed && mass_centre(look, now)) {
    for (int k = 0; k < 3; k++) gone[k] = now[k] - look->start[k];
  }
  drawing_project(&look->film->scene, view, gone, by);
}


filmView film_view_start(ioMotion *film, baseArena *arena)
{
  filmView look = {.film = film, .arena = arena};
  double time;
  ARENA_TAKE(arena, look.pose, film->scene.nbody);
  look.is_followed = film->scene.nground == 0 && motion_read(film, 0, &time, look.pose) &&
                     mass_centre(&look, look.start);
  return look;
}


drawingBox film_view_measure(filmView *look, drawingView view, int count)
{
  double time, by[2];
  drawingBox box = drawing_nothing();
  for (int f = 0; f < count; f++) {
    const long frame = count > 1 ? (look->film->frames - 1) * f / (count - 1) : 0;
    drawingBox now = drawing_nothing();
    if (!motion_read(look->film, frame, &time, look->pose)) continue;
    drawing_measure(&now, &look->film->scene, look->pose, view, look->arena);
    find_travel(look, view, by);
    shift_box(&now, by, -1);
    for (int k = 0; k < 2; k++) {
      box.low[k] = fmin(box.low[k], now.low[k]);
      box.high[k] = fmax(box.high[k], now.high[k]);
    }
    box.floor = fmin(box.floor, now.floor);
  }
  return box;
}


double film_view_read(filmView *look, long frame, drawingView view, drawingBox *box)
{
  double time, by[2];
  if (!motion_read(look->film, frame, &time, look->pose)) {
    error_throw_at(ART_IO, (artPlace){.file = look->film->reader.path}, "cannot read frame %ld",
                   frame);
  }
  find_travel(look, view, by);
  shift_box(box, by, 1);
  return time;
}
