// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A picture of the machine where it starts, for archives that are shown by other programs.
#include "export_picture.h"

#include <math.h>

#include "show/drawing.h"
#include "show/scene.h"

enum { WIDTH = 96, FINE = 2 }; // units, of which the file has two pixels


static void draw_start(cliWork *w, const ioScene *scene, exportPicture *picture)
{
  artPose *pose = arena_alloc(&w->arena, (size_t) scene->nbody + 1, sizeof *pose);
  ioDrawing drawing = {.view = DRAWING_ISO, .width = WIDTH, .box = drawing_nothing()};
  for (int i = 0; i < scene->nbody; i++) art_body_pose(w->model, w->data, i + 1, &pose[i]);
  drawing_measure(&drawing.box, scene, pose, drawing.view, &w->arena);
  const drawingBox *box = &drawing.box;
  const double aspect = (box->high[1] - box->low[1]) / fmax(box->high[0] - box->low[0], 1e-9);
  if (!isfinite(aspect)) return; // there is nothing to be seen
  drawing.height = (int) (WIDTH * fmin(fmax(aspect, 0.4), 1));
  picture->bytes = drawing_png(scene, pose, &drawing, &w->arena, &picture->size);
  picture->width = FINE * drawing.width;
  picture->height = FINE * drawing.height;
}


exportPicture export_picture(cliWork *w)
{
  exportPicture picture = {0};
  ioScene *scene = arena_alloc(&w->arena, 1, sizeof *scene);
  const sceneStudy study = {"", w->study, 0};
  const artStatus status = scene_describe(scene, w->model, w->data, &study, error_current());
  if (status == ART_OK) draw_start(w, scene, &picture);
  scene_free(scene);
  error_check(status);
  return picture;
}
