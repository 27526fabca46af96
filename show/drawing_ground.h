// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The floor of a drawing and the shadows on it.
#ifndef SHOW_DRAWING_GROUND_H
#define SHOW_DRAWING_GROUND_H

#include "base/arena.h"
#include "spatial/spatial.h"

// Outlines on the floor, counter-clockwise, in metres along `ahead` and `beside`.
typedef struct drawingGround {
  v3 ahead, beside, up; // of ground
  double floor;         // along `up`
  int n, capacity;
  double (*corner)[2];
  int noutline, outline_capacity;
  int *end; // [noutline] corners of all outlines up to this one
  double low[2], high[2];
  int room;
  double (*scratch)[2]; // [room]
  baseArena *arena;     // leaves
} drawingGround;

drawingGround ground_start(v3 ahead, v3 beside, v3 up, double floor, baseArena *arena);

// The sun's direction, from the floor to it: that of the viewer.
v3 ground_sun(const drawingGround *ground);

// The shadow of the convex hull of n points.
void ground_add(drawingGround *ground, int n, const v3 *point);

// A place on the floor, in ground.
v3 ground_place(const drawingGround *ground, double along, double across);

// Lines of a grid across all shadows and some room around them; the distance of two.
double ground_grid(const drawingGround *ground, double low[2], double high[2]);

#endif
