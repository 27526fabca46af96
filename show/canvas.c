// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A picture of points that know their depth.
#include "show/canvas.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/deflate.h"

enum { POINTS = CANVAS_FINE * CANVAS_SMOOTH, STORED = 65535 };


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
    for (int k = first; k < last; k++) {
      // shares of the corners in the middle of a point
      const double x = (k + 0.5) / POINTS, y = (row + 0.5) / POINTS;
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


//---- PNG -----------------------------------------------------------------------------------------

// rows of pixels, each the mean of its points, behind a byte that says that they stand as they are
static void fill_rows(const ioCanvas *canvas, unsigned char *to)
{
  enum { SHARE = CANVAS_SMOOTH * CANVAS_SMOOTH };
  for (int row = 0; row < canvas->height; row += CANVAS_SMOOTH) {
    *to++ = 0;
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
}


static unsigned char *put_number(unsigned char *to, uint32_t value)
{
  for (int k = 24; k >= 0; k -= 8) *to++ = (unsigned char) (value >> k);
  return to;
}


// a piece of the file: its length, its name, n bytes, their sum with the name; `body` has room for 12 bytes more
static size_t frame_chunk(unsigned char *to, const char *name, const unsigned char *body, size_t n)
{
  put_number(to, (uint32_t) n);
  memcpy(to + 4, name, 4);
  if (n > 0) memmove(to + 8, body, n);
  put_number(to + 8 + n, deflate_sum(to + 4, n + 4));
  return n + 12;
}


// Adler's sum of bytes, which ends a stream of zlib
static uint32_t adler_sum(const unsigned char *bytes, size_t n)
{
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}


// without zlib: blocks of bytes as they are; returns the number of bytes
static size_t store_plain_blocks(const unsigned char *bytes, size_t n, unsigned char *out)
{
  unsigned char *to = out;
  for (size_t i = 0; i < n; i += STORED) {
    const size_t part = n - i < STORED ? n - i : STORED;
    *to++ = i + part == n;
    *to++ = (unsigned char) part;
    *to++ = (unsigned char) (part >> 8);
    *to++ = (unsigned char) ~part;
    *to++ = (unsigned char) (~part >> 8);
    memcpy(to, bytes + i, part);
    to += part;
  }
  return (size_t) (to - out);
}


unsigned char *canvas_png(const ioCanvas *canvas, baseArena *arena, size_t *length)
{
  static const unsigned char HEAD[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  const size_t row = 1 + 3 * (size_t) (canvas->width / CANVAS_SMOOTH);
  const size_t n = row * (size_t) (canvas->height / CANVAS_SMOOTH), room = n + n / 1000 + 100;
  unsigned char *bytes = arena_alloc(arena, n, 1), *file = arena_alloc(arena, room + 100, 1);
  unsigned char about[13] = {0}, *at = file + sizeof HEAD;
  memcpy(file, HEAD, sizeof HEAD);
  put_number(about, (uint32_t) (canvas->width / CANVAS_SMOOTH));
  put_number(about + 4, (uint32_t) (canvas->height / CANVAS_SMOOTH));
  about[8] = 8; // bits,
  about[9] = 2; // of red, green and blue
  at += frame_chunk(at, "IHDR", about, sizeof about);
  // a stream of zlib, in its place already
  unsigned char *body = at + 8, *packed = NULL;
  size_t size = 0;
  fill_rows(canvas, bytes);
  body[0] = 0x78;
  body[1] = 0x01;
  if (deflate_bytes(bytes, n, &packed, &size, NULL) == ART_OK && size <= room) {
    memcpy(body + 2, packed, size);
  } else {
    size = store_plain_blocks(bytes, n, body + 2);
  }
  mem_free(packed);
  put_number(body + 2 + size, adler_sum(bytes, n));
  at += frame_chunk(at, "IDAT", body, size + 6);
  at += frame_chunk(at, "IEND", NULL, 0);
  *length = (size_t) (at - file);
  return file;
}
