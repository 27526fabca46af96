// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drawings of a machine: shaded faces over its shadow on the floor, seen from a side without perspective.
#ifndef SHOW_DRAWING_H
#define SHOW_DRAWING_H

#include <stdio.h>

#include "show/png.h"
#include "show/scene_read.h"

typedef enum drawingView { DRAWING_ISO, DRAWING_SIDE, DRAWING_FRONT, DRAWING_TOP } drawingView;

// A rectangle of the picture's plane, m to the right and upwards, and the height of the floor below all of it. Start from
// drawing_nothing().
typedef struct drawingBox {
  double low[2], high[2], floor;
} drawingBox;
drawingBox drawing_nothing(void);

// Widen a box by all that is seen at given poses. Scratch memory, here and below, comes from an arena that leaves.
void drawing_measure(drawingBox *box, const ioScene *scene, const artPose *pose, drawingView view,
                     baseArena *arena);

// Where a point of ground lies in the plane.
void drawing_project(const ioScene *scene, drawingView view, const double at[3], double place[2]);

// One picture of the scene at given poses of this many units, into which the box is fitted: as an <img> element; its pixels, or the
// bytes of a PNG, in the arena.
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
