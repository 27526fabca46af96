// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A picture with a depth buffer: triangles hide those behind them.
#ifndef SHOW_CANVAS_H
#define SHOW_CANVAS_H

#include <stddef.h>

#include "base/arena.h"

// Each unit of the picture has CANVAS_FINE pixels along an edge in a file; each pixel is the mean
// of CANVAS_SMOOTH points along an edge.
enum { CANVAS_FINE = 2, CANVAS_SMOOTH = 2 };

typedef struct ioCanvas {
  int width, height; // points
  float *depth;      // [height][width] increasing towards the viewer
  unsigned *colour;  // [height][width] 0xrrggbb
} ioCanvas;

// A corner in units of the picture from its upper left, with its depth towards the viewer.
typedef struct canvasPoint {
  double x, y, depth;
} canvasPoint;

// A white picture of the given size in units, in an arena that throws on failure.
ioCanvas canvas_start(int width, int height, baseArena *arena);

// Paint a triangle of any orientation where nothing is nearer.
void canvas_triangle(ioCanvas *canvas, const canvasPoint corner[3], unsigned colour);

// Paint a line; the width is in units.
void canvas_line(ioCanvas *canvas, canvasPoint a, canvasPoint b, double width, unsigned colour);

// The pixels of the picture as RGB rows, each the mean of its points; in the arena.
unsigned char *canvas_pixels(const ioCanvas *canvas, baseArena *arena);

#endif
