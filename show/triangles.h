// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes of a scene as triangles.
#ifndef SHOW_TRIANGLES_H
#define SHOW_TRIANGLES_H

#include "show/scene.h"

typedef struct ioSolid {
  int nvertex, ntriangle;
  float *vertex; // [nvertex][3] in the body
  int *triangle; // [ntriangle][3] counter-clockwise from outside
} ioSolid;

// A shape in body axes; round ones have `around` sides. Memory comes from an arena that throws on
// failure.
void solid_make(ioSolid *solid, const sceneShape *shape, int around, baseArena *arena);

// A coil of radius 1 about z, from 0 to 1, as a tube with three sides; `wire` is its radius.
void solid_make_coil(ioSolid *solid, int turns, double wire, baseArena *arena);

#endif
