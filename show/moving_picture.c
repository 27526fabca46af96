// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The motion of a result as an animated PNG: the chunks acTL, fcTL and fdAT of "Portable Network
// Graphics", third edition, section 11.3.4. Programs without animation show the first frame. Later
// frames contain only the rectangle of changed pixels.
#include "show/moving_picture.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/throw.h"
#include "show/canvas.h"
#include "show/film_view.h"

enum {
  WIDTH = 240,      // units of the picture, of two pixels each
  RATE = 25,        // maximum frames per second
  MIN_SECONDS = 1,  // of the animation: faster motions are shown slower,
  MAX_SECONDS = 12, // longer ones faster
  LOOKS = 24,       // number of frames that determine the extent of the motion
  CONTROL = 26,     // length of the body of fcTL
};

typedef struct pictureJob {
  ioMotion *film;
  const char *path;
  baseFile file;
  baseArena arena; // throws on failure
  int width, height;
  size_t stride;
  unsigned char *shown; // pixels of the previous frame
  uint32_t order;       // the next sequence number of fcTL and fdAT
} pictureJob;

typedef struct pixelRectangle {
  int left, top, right, bottom; // right and bottom are exclusive
} pixelRectangle;


static void write_bytes(pictureJob *w, const unsigned char *bytes, const unsigned char *end)
{
  fwrite(bytes, 1, (size_t) (end - bytes), w->file.stream);
}


//---- frames --------------------------------------------------------------------------------------

// Write size, position and duration (ms) of the next frame.
static void write_control(pictureJob *w, const pixelRectangle *part, int delay)
{
  unsigned char body[CONTROL] = {0}, bytes[CONTROL + PNG_FRAME];
  unsigned char *to = png_put_number(body, w->order++);
  to = png_put_number(to, (uint32_t) (part->right - part->left));
  to = png_put_number(to, (uint32_t) (part->bottom - part->top));
  to = png_put_number(to, (uint32_t) part->left);
  to = png_put_number(to, (uint32_t) part->top);
  to[0] = (unsigned char) (delay >> 8);
  to[1] = (unsigned char) delay;
  to[2] = 1000 >> 8; // denominator of the delay
  to[3] = 1000 & 255;
  write_bytes(w, bytes, png_put_chunk(bytes, "fcTL", body, sizeof body));
}


// The smallest rectangle of pixels that differ from the previous frame; one pixel if none differ
static pixelRectangle find_change(const pictureJob *w, const unsigned char *pixels)
{
  pixelRectangle part = {w->width, w->height, 0, 0};
  for (int y = 0; y < w->height; y++) {
    const unsigned char *now = pixels + w->stride * (size_t) y,
                        *old = w->shown + w->stride * (size_t) y;
    if (memcmp(now, old, w->stride) == 0) continue;
    int left = 0, right = w->width;
    while (memcmp(now + 3 * left, old + 3 * left, 3) == 0) left++;
    while (memcmp(now + 3 * (right - 1), old + 3 * (right - 1), 3) == 0) right--;
    if (left < part.left) part.left = left;
    if (right > part.right) part.right = right;
    if (y < part.top) part.top = y;
    part.bottom = y + 1;
  }
  return part.bottom > 0 ? part : (pixelRectangle){0, 0, 1, 1};
}


static void write_frame(pictureJob *w, const unsigned char *pixels, int is_first, int delay)
{
  enum { BEFORE = 12 }; // length and name of the chunk, and its sequence number
  const pixelRectangle whole = {0, 0, w->width, w->height};
  const pixelRectangle part = is_first ? whole : find_change(w, pixels);
  const pngPixels shown = {.at = pixels + w->stride * (size_t) part.top + 3 * part.left,
                           .stride = w->stride,
                           .width = part.right - part.left,
                           .height = part.bottom - part.top};
  size_t n;
  unsigned char *data = png_pack(&shown, BEFORE, &w->arena, &n);
  write_control(w, &part, delay);
  if (is_first) {
    write_bytes(w, data + 4, png_put_chunk(data + 4, "IDAT", data + BEFORE, n));
  } else {
    png_put_number(data + 8, w->order++);
    write_bytes(w, data, png_put_chunk(data, "fdAT", data + 8, n + 4));
  }
}


//---- the picture ---------------------------------------------------------------------------------

static void write_head(pictureJob *w, uint32_t count)
{
  const pngPixels size = {.width = w->width, .height = w->height};
  unsigned char body[8] = {0}, bytes[PNG_HEADER + sizeof body + PNG_FRAME];
  png_put_number(body, count);
  write_bytes(w, png_signature, png_signature + PNG_SIGNATURE);
  write_bytes(w, bytes, png_put_chunk(png_put_header(bytes, &size), "acTL", body, sizeof body));
}


static void write_moving_picture(void *context)
{
  pictureJob *w = context;
  filmView look = film_view_start(w->film, &w->arena);
  ioDrawing drawing = {.view = DRAWING_ISO, .width = WIDTH};
  const drawingBox whole = film_view_measure(&look, DRAWING_ISO, LOOKS);
  const double aspect = (whole.high[1] - whole.low[1]) / fmax(whole.high[0] - whole.low[0], 1e-9);
  if (!isfinite(aspect)) {
    error_refuse((artPlace){.file = w->film->reader.path},
                 "the machine has no shapes; give bodies `visual` or `solid` to draw it");
  }
  drawing.height = (int) (WIDTH * fmin(fmax(aspect, 0.4), 1));
  w->width = CANVAS_FINE * WIDTH;
  w->height = CANVAS_FINE * drawing.height;
  w->stride = 3 * (size_t) w->width;
  ARENA_TAKE(&w->arena, w->shown, w->stride * (size_t) w->height);
  const long last = w->film->frames - 1;
  drawingBox box = whole;
  const double begin = film_view_read(&look, 0, DRAWING_ISO, &box),
               end = film_view_read(&look, last, DRAWING_ISO, &box);
  const double seconds = fmin(fmax(end - begin, MIN_SECONDS), MAX_SECONDS);
  const long count = (long) fmin(seconds * RATE, (double) last + 1);
  error_check(file_begin(&w->file, w->path, error_current()));
  write_head(w, (uint32_t) count);
  for (long k = 0; k < count; k++) {
    const arenaPlace place = arena_place(&w->arena);
    drawing.box = whole;
    film_view_read(&look, count > 1 ? last * k / (count - 1) : 0, DRAWING_ISO, &drawing.box);
    const pngPixels pixels = drawing_pixels(&w->film->scene, look.pose, &drawing, &w->arena);
    write_frame(w, pixels.at, k == 0, (int) (1000 * seconds / (double) count));
    memcpy(w->shown, pixels.at, w->stride * (size_t) w->height);
    arena_return(&w->arena, place);
  }
  unsigned char bytes[PNG_FRAME];
  write_bytes(w, bytes, png_put_chunk(bytes, "IEND", NULL, 0));
  error_check(file_commit(&w->file, error_current()));
}


artStatus moving_picture_write(ioMotion *film, const char *path, artError *error)
{
  pictureJob w = {.film = film, .path = path, .arena.leaves = 1};
  const artStatus status = error_try(write_moving_picture, &w, error);
  if (status != ART_OK) file_abandon(&w.file);
  arena_free(&w.arena);
  return status;
}
