// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drawings of a machine: shaded faces above its shadow on the floor, in parallel projection.
#ifndef SHOW_DRAWING_H
#define SHOW_DRAWING_H

#include <stdio.h>

#include "show/png.h"
#include "show/scene_read.h"

typedef enum drawingView { DRAWING_ISO, DRAWING_SIDE, DRAWING_FRONT, DRAWING_TOP } drawingView;

// A rectangle in the picture plane, m to the right and upwards, and the height of the floor below
// all shapes. Start from drawing_nothing().
typedef struct drawingBox {
  double low[2], high[2], floor;
} drawingBox;
drawingBox drawing_nothing(void);

// Extend a box by all that is visible at given poses. Temporary memory, here and below, comes from
// an arena that throws on failure.
void drawing_measure(drawingBox *box, const ioScene *scene, const artPose *pose, drawingView view,
                     baseArena *arena);

// Project a point of ground to the picture plane.
void drawing_project(const ioScene *scene, drawingView view, const double at[3], double place[2]);

// A picture of the scene at given poses, with its size in units, into which the box is fitted: as
// an <img> element, as pixels, or as PNG bytes, in the arena.
typedef struct ioDrawing {
  drawingView view;
  int width, height;
  drawingBox box;
} ioDrawing;
void drawing_write(FILE *stream, const ioScene *scene, const artPose *pose,
                   const ioDrawing *drawing, baseArena *arena);
pngPixels drawing_pixels(const ioScene *scene, const artPose *pose, const ioDrawing *drawing,
                         baseArena *arena);
unsigned char *drawing_png(const ioScene *scene, const artPose *pose, const ioDrawing *drawing,
                           baseArena *arena, size_t *size);

#endif
