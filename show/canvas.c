// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A picture with a depth buffer.
#include "show/canvas.h"

#include <math.h>

#include "base/error.h"

enum { POINTS = CANVAS_FINE * CANVAS_SMOOTH };


ioCanvas canvas_start(int width, int height, baseArena *arena)
{
  ART_ASSERT(width > 0 && height > 0);
  ioCanvas canvas = {.width = POINTS * width, .height = POINTS * height};
  const size_t n = (size_t) canvas.width * (size_t) canvas.height;
  ARENA_TAKE(arena, canvas.depth, n);
  ARENA_TAKE(arena, canvas.colour, n);
  for (size_t i = 0; i < n; i++) {
    canvas.depth[i] = -INFINITY;
    canvas.colour[i] = 0xffffff;
  }
  return canvas;
}


//---- painting ------------------------------------------------------------------------------------

static int clamp_to_canvas(double x, int most)
{
  ART_ASSERT(most >= 0);
  return !(x > 0) ? 0 : x > most ? most : (int) x;
}


// twice the area of a triangle
static double double_triangle_area(const canvasPoint *a, const canvasPoint *b, double x, double y)
{
  return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}


// The points [begin, end) of a row that a triangle may cover, with a margin of one. A row that
// intersects no edge is not narrowed.
static void narrow_to_row(const canvasPoint corner[3], double y, int width, int *begin, int *end)
{
  double left = INFINITY, right = -INFINITY;
  for (int k = 0; k < 3; k++) {
    const canvasPoint *a = &corner[k], *b = &corner[(k + 1) % 3];
    if (!((a->y - y) * (b->y - y) <= 0) || a->y == b->y) continue;
    const double x = a->x + (y - a->y) / (b->y - a->y) * (b->x - a->x);
    left = fmin(left, x);
    right = fmax(right, x);
  }
  if (!(right >= left)) return;
  const int low = clamp_to_canvas(POINTS * left - 1, width),
            high = clamp_to_canvas(POINTS * right + 2, width);
  if (low > *begin) *begin = low;
  if (high < *end) *end = high;
}


void canvas_triangle(ioCanvas *canvas, const canvasPoint corner[3], unsigned colour)
{
  const canvasPoint *a = &corner[0], *b = &corner[1], *c = &corner[2];
  const double whole = double_triangle_area(a, b, c->x, c->y);
  if (!(fabs(whole) > 1e-9)) return;
  const double top = fmin(a->y, fmin(b->y, c->y)), bottom = fmax(a->y, fmax(b->y, c->y));
  const double left = fmin(a->x, fmin(b->x, c->x)), right = fmax(a->x, fmax(b->x, c->x));
  const int last_row = clamp_to_canvas(POINTS * bottom + 1, canvas->height);
  const int first = clamp_to_canvas(POINTS * left, canvas->width);
  const int last = clamp_to_canvas(POINTS * right + 1, canvas->width);
  for (int row = clamp_to_canvas(POINTS * top, canvas->height); row < last_row; row++) {
    const double y = (row + 0.5) / POINTS;
    int begin = first, end = last;
    narrow_to_row(corner, y, canvas->width, &begin, &end);
    for (int k = begin; k < end; k++) {
      // barycentric coordinates of the pixel centre
      const double x = (k + 0.5) / POINTS;
      const double u = double_triangle_area(b, c, x, y) / whole,
                   v = double_triangle_area(c, a, x, y) / whole, w = 1 - u - v;
      if (u < 0 || v < 0 || w < 0) continue;
      const size_t at = (size_t) row * (size_t) canvas->width + (size_t) k;
      const float depth = (float) (u * a->depth + v * b->depth + w * c->depth);
      if (depth < canvas->depth[at]) continue;
      canvas->depth[at] = depth;
      canvas->colour[at] = colour;
    }
  }
}


void canvas_line(ioCanvas *canvas, canvasPoint a, canvasPoint b, double width, unsigned colour)
{
  const double length = hypot(b.x - a.x, b.y - a.y);
  if (!(length > 0)) return;
  const double x = -(b.y - a.y) / length * width / 2, y = (b.x - a.x) / length * width / 2;
  const canvasPoint corner[4] = {{a.x - x, a.y - y, a.depth},
                                 {b.x - x, b.y - y, b.depth},
                                 {b.x + x, b.y + y, b.depth},
                                 {a.x + x, a.y + y, a.depth}};
  canvas_triangle(canvas, corner, colour);
  canvas_triangle(canvas, (canvasPoint[]){corner[0], corner[2], corner[3]}, colour);
}


//---- pixels --------------------------------------------------------------------------------------

unsigned char *canvas_pixels(const ioCanvas *canvas, baseArena *arena)
{
  enum { SHARE = CANVAS_SMOOTH * CANVAS_SMOOTH };
  unsigned char *pixels, *to;
  const size_t n =
      (size_t) (canvas->width / CANVAS_SMOOTH) * (size_t) (canvas->height / CANVAS_SMOOTH);
  ARENA_TAKE(arena, pixels, 3 * n);
  to = pixels;
  for (int row = 0; row < canvas->height; row += CANVAS_SMOOTH) {
    for (int k = 0; k < canvas->width; k += CANVAS_SMOOTH) {
      unsigned sum[3] = {SHARE / 2, SHARE / 2, SHARE / 2};
      for (int i = 0; i < SHARE; i++) {
        const size_t y = (size_t) (row + i / CANVAS_SMOOTH), x = (size_t) (k + i % CANVAS_SMOOTH);
        const unsigned colour = canvas->colour[y * (size_t) canvas->width + x];
        for (int c = 0; c < 3; c++) sum[c] += colour >> (16 - 8 * c) & 255;
      }
      for (int c = 0; c < 3; c++) *to++ = (unsigned char) (sum[c] / SHARE);
    }
  }
  return pixels;
}
