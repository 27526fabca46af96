// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pictures of the machine in a report: at several instants in one view, then in three views.
#include <math.h>

#include "base/error.h"
#include "base/format.h"
#include "show/film_view.h"
#include "show/report.h"

enum {
  SMALL = 320, // width of the picture of an instant
  MOMENTS = 4,
  LOOKS = 24,       // number of instants that determine the extent of the motion
  MIN_SIDE = 40,    // of a picture
  MAX_HEIGHT = 160, // of a view
  CAPTIONS = 150,   // space for captions side by side
};

typedef struct pictureWork {
  reportJob *job;
  filmView look;
} pictureWork;


static bool is_empty_box(const drawingBox *box)
{
  return !(box->high[0] >= box->low[0] && box->high[1] >= box->low[1]);
}


//---- pictures ------------------------------------------------------------------------------------

// with a caption, or the time
static void write_picture(pictureWork *w, long frame, ioDrawing drawing, const char *words)
{
  FILE *out = w->job->out;
  const double time = film_view_read(&w->look, frame, drawing.view, &drawing.box);
  fputs("<figure>", out);
  drawing_write(out, &w->look.film->scene, w->look.pose, &drawing, &w->job->arena);
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
  drawing.box = film_view_measure(&w->look, DRAWING_ISO, LOOKS);
  if (is_empty_box(&drawing.box)) return;
  const drawingBox *box = &drawing.box;
  const double aspect = (box->high[1] - box->low[1]) / fmax(box->high[0] - box->low[0], 1e-9);
  drawing.height = (int) (SMALL * fmin(fmax(aspect, 0.3), 0.65));
  fputs("<div class=\"grid\">\n", w->job->out);
  const long last = w->look.film->frames - 1;
  for (int k = 0; k < MOMENTS; k++) {
    const long frame = last * k / (MOMENTS - 1);
    if (k > 0 && frame == last * (k - 1) / (MOMENTS - 1)) continue;
    write_picture(w, frame, drawing, NULL);
  }
  fputs("</div>\n", w->job->out);
}


// side, front and top at the start, at the same scale
static void write_views(pictureWork *w)
{
  static const drawingView VIEW[] = {DRAWING_SIDE, DRAWING_FRONT, DRAWING_TOP};
  static const char *const WORDS[] = {"side", "front", "top"};
  drawingBox box[3];
  double size[3][2], scale;
  for (int v = 0; v < 3; v++) {
    box[v] = film_view_measure(&w->look, VIEW[v], 1);
    if (is_empty_box(&box[v])) return;
    for (int k = 0; k < 2; k++) size[v][k] = fmax(box[v].high[k] - box[v].low[k], 1e-9);
  }
  // side and front next to each other
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
  pictureWork w = {job, film_view_start(&job->result[0].film, &job->arena)};
  fputs("<h2>Pictures</h2>\n", job->out);
  write_moments(&w);
  write_views(&w);
}
