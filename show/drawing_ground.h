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
  v3 ahead, beside, up; // unit vectors in ground
  double floor;         // height along `up`
  int n, capacity;
  double (*corner)[2];
  int noutline, outline_capacity;
  int *end; // [noutline] end index of each outline in `corner`
  double low[2], high[2];
  int room;
  double (*scratch)[2]; // [room]
  baseArena *arena;     // throws on failure
} drawingGround;

drawingGround ground_start(v3 ahead, v3 beside, v3 up, double floor, baseArena *arena);

// Direction from the floor to the sun, as in the viewer.
v3 ground_sun(const drawingGround *ground);

// Add the shadow of the convex hull of n points.
void ground_add(drawingGround *ground, int n, const v3 *point);

// A point on the floor, in ground.
v3 ground_place(const drawingGround *ground, double along, double across);

// The extent of a grid under all shadows with a margin; returns the distance of its lines.
double ground_grid(const drawingGround *ground, double low[2], double high[2]);

#endif
