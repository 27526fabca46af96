// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pictures of the machine in a report: at instants of the run from one place, then from three sides.
#include <math.h>

#include "base/error.h"
#include "base/format.h"
#include "show/drawing.h"
#include "show/report.h"

enum {
  SMALL = 320, // width of the picture of an instant
  MOMENTS = 4,
  LOOKS = 24,       // instants that tell how far the machine comes
  MIN_SIDE = 40,    // of a picture
  MAX_HEIGHT = 160, // of a view
  CAPTIONS = 150,   // room that captions may need beside each other
};

// a machine that stands on ground is shown from one place; one that travels is followed
typedef struct pictureWork {
  reportJob *job;
  ioMotion *film;
  artPose *pose; // [nbody]
  double start[3];
  bool is_followed;
} pictureWork;


//---- where to look -------------------------------------------------------------------------------

// the middle of all mass at the poses read last
static bool mass_centre(const pictureWork *w, double centre[3])
{
  const ioScene *scene = &w->film->scene;
  double mass = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < scene->nbody; i++) {
    mass += scene->body[i].mass;
    for (int k = 0; k < 3; k++) sum[k] += scene->body[i].mass * w->pose[i].position[k];
  }
  for (int k = 0; k < 3 && mass > 0; k++) centre[k] = sum[k] / mass;
  return mass > 0;
}


static void shift_picture_box(drawingBox *box, const double by[2], double sign)
{
  for (int k = 0; k < 2; k++) {
    box->low[k] += sign * by[k];
    box->high[k] += sign * by[k];
  }
}


// how far the machine has gone since the start, in the plane of a view
static void find_machine_travel(const pictureWork *w, drawingView view, double by[2])
{
  double now[3], gone[3] = {0, 0, 0};
  if (w->is_followed && mass_centre(w, now)) {
    for (int k = 0; k < 3; k++) gone[k] = now[k] - w->start[k];
  }
  drawing_project(&w->film->scene, view, gone, by);
}


// all that is seen at some instants, as if the machine stayed where it starts
static drawingBox measure_picture(const pictureWork *w, drawingView view, int looks)
{
  double time, by[2];
  drawingBox box = drawing_nothing();
  for (int f = 0; f < looks; f++) {
    const long frame = looks > 1 ? (w->film->frames - 1) * f / (looks - 1) : 0;
    drawingBox now = drawing_nothing();
    if (!motion_read(w->film, frame, &time, w->pose)) continue;
    drawing_measure(&now, &w->film->scene, w->pose, view, &w->job->arena);
    find_machine_travel(w, view, by);
    shift_picture_box(&now, by, -1);
    for (int k = 0; k < 2; k++) {
      box.low[k] = fmin(box.low[k], now.low[k]);
      box.high[k] = fmax(box.high[k], now.high[k]);
    }
    box.floor = fmin(box.floor, now.floor);
  }
  return box;
}


static bool is_empty_box(const drawingBox *box)
{
  return !(box->high[0] >= box->low[0] && box->high[1] >= box->low[1]);
}


//---- pictures ------------------------------------------------------------------------------------

// below it stand words, or the time
static void write_picture(pictureWork *w, long frame, ioDrawing drawing, const char *words)
{
  double time, by[2];
  FILE *out = w->job->out;
  if (!motion_read(w->film, frame, &time, w->pose)) {
    error_throw_at(ART_IO, (artPlace){.file = w->film->reader.path}, "cannot read frame %ld",
                   frame);
  }
  find_machine_travel(w, drawing.view, by);
  shift_picture_box(&drawing.box, by, 1);
  fputs("<figure>", out);
  drawing_write(out, &w->film->scene, w->pose, &drawing, &w->job->arena);
  fputs("<figcaption>", out);
  if (words) {
    fputs(words, out);
  } else {
    format_stream(out, "t = %.4g s", time);
  }
  fputs("</figcaption></figure>\n", out);
}


static void write_moments(pictureWork *w)
{
  ioDrawing drawing = {.view = DRAWING_ISO, .width = SMALL};
  drawing.box = measure_picture(w, DRAWING_ISO, LOOKS);
  if (is_empty_box(&drawing.box)) return;
  const drawingBox *box = &drawing.box;
  const double aspect = (box->high[1] - box->low[1]) / fmax(box->high[0] - box->low[0], 1e-9);
  drawing.height = (int) (SMALL * fmin(fmax(aspect, 0.3), 0.65));
  fputs("<div class=\"grid\">\n", w->job->out);
  const long last = w->film->frames - 1;
  for (int k = 0; k < MOMENTS; k++) {
    const long frame = last * k / (MOMENTS - 1);
    if (k > 0 && frame == last * (k - 1) / (MOMENTS - 1)) continue;
    write_picture(w, frame, drawing, NULL);
  }
  fputs("</div>\n", w->job->out);
}


// side, front and top at the start, to one scale
static void write_views(pictureWork *w)
{
  static const drawingView VIEW[] = {DRAWING_SIDE, DRAWING_FRONT, DRAWING_TOP};
  static const char *const WORDS[] = {"side", "front", "top"};
  drawingBox box[3];
  double size[3][2], scale;
  for (int v = 0; v < 3; v++) {
    box[v] = measure_picture(w, VIEW[v], 1);
    if (is_empty_box(&box[v])) return;
    for (int k = 0; k < 2; k++) size[v][k] = fmax(box[v].high[k] - box[v].low[k], 1e-9);
  }
  // side and front beside each other
  scale = (REPORT_WIDTH - CAPTIONS) / (size[0][0] + size[1][0]);
  scale = fmin(scale, MAX_HEIGHT / fmax(size[0][1], fmax(size[1][1], size[2][1])));
  fputs("<div class=\"views\">\n", w->job->out);
  for (int v = 0; v < 3; v++) {
    const ioDrawing drawing = {.view = VIEW[v],
                               .width = (int) fmax(scale * size[v][0] + 6, MIN_SIDE),
                               .height = (int) fmax(scale * size[v][1] + 6, MIN_SIDE),
                               .box = box[v]};
    char words[80];
    format_text(words, sizeof words, "%s<br>%.3g m × %.3g m", WORDS[v], size[v][0], size[v][1]);
    write_picture(w, 0, drawing, words);
  }
  fputs("</div>\n", w->job->out);
}


void report_pictures(reportJob *job)
{
  pictureWork w = {.job = job, .film = &job->result[0].film};
  const ioScene *scene = &w.film->scene;
  double time;
  ARENA_TAKE(&job->arena, w.pose, scene->nbody);
  w.is_followed =
      scene->nground == 0 && motion_read(w.film, 0, &time, w.pose) && mass_centre(&w, w.start);
  fputs("<h2>Pictures</h2>\n", job->out);
  write_moments(&w);
  write_views(&w);
}
