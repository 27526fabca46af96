// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A picture of points that know their depth: triangles hide points behind them.
#ifndef SHOW_CANVAS_H
#define SHOW_CANVAS_H

#include <stddef.h>

#include "base/arena.h"

// Each unit of the picture has CANVAS_FINE pixels along an edge in a file, and each of these CANVAS_SMOOTH points, of
// which it shows the mean.
enum { CANVAS_FINE = 2, CANVAS_SMOOTH = 2 };

typedef struct ioCanvas {
  int width, height; // points
  float *depth;      // [height][width] towards the eye
  unsigned *colour;  // [height][width] 0xrrggbb
} ioCanvas;

// A corner in units of the picture from its upper left, and how near it is to the eye.
typedef struct canvasPoint {
  double x, y, depth;
} canvasPoint;

// A white picture of so many units, in an arena that leaves.
ioCanvas canvas_start(int width, int height, baseArena *arena);

// Paint a triangle of any winding where nothing nearer is.
void canvas_triangle(ioCanvas *canvas, const canvasPoint corner[3], unsigned colour);

// Paint a line, so many units wide.
void canvas_line(ioCanvas *canvas, canvasPoint a, canvasPoint b, double width, unsigned colour);

// The pixels of the picture by rows, red, green and blue of each the mean of its points; in the arena.
unsigned char *canvas_pixels(const ioCanvas *canvas, baseArena *arena);

#endif
