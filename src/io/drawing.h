// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drawings of a machine as SVG: shaded faces, far ones first, seen from a side without perspective.
#ifndef IO_DRAWING_H
#define IO_DRAWING_H

#include <stdio.h>

#include "io/scene_motion.h"

typedef enum drawingView { DRAWING_ISO, DRAWING_SIDE, DRAWING_FRONT, DRAWING_TOP } drawingView;

// One picture of the scene at given poses as an <svg> element of this many units. It shows a square (or
// what fits) of `reach` m about `centre`.
typedef struct ioDrawing {
  drawingView view;
  int width, height;
  double centre[3], reach;
} ioDrawing;
artStatus drawing_write(FILE *stream, const ioMotion *film, const artPose *pose,
                        const ioDrawing *drawing, artError *error);

#endif
