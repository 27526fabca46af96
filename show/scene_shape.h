// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes of bodies for which the model file asks none: what joints, forces and masses let one guess.
#ifndef SHOW_SCENE_SHAPE_H
#define SHOW_SCENE_SHAPE_H

#include "show/scene.h"
#include "spatial/spatial.h"

// Where joints and forces hold on to a body, each place once, in its axes.
enum { SHAPE_POINTS = 64 };
typedef struct shapePoints {
  int n;
  double at[SHAPE_POINTS][3];
} shapePoints;

// Shapes of one body as they are found.
typedef struct shapeList {
  ioScene *scene;
  int n, capacity;
  sceneShape *shape; // mem_free
  unsigned colour;
  int is_full; // memory ran out
} shapeList;

void shape_add(shapeList *list, sceneShape shape);

// A capsule between two points; nothing where they coincide.
void shape_add_bar(shapeList *list, v3 a, v3 b, double radius);

// Where things hold on to a body; places nearer to each other than `near` count once.
void shape_collect(const ioScene *scene, int body, double near, shapePoints *points);

// Bars, plates and lumps of a body, `thickness` is the radius of its bars (scene_body.c).
void shape_add_body(shapeList *list, const sceneBody *body, const shapePoints *points,
                    double thickness);

// A solid of the mass and inertia of a body: ball, cylinder or box.
void shape_add_solid(shapeList *list, const sceneBody *body, double thickness);

// The pose of which the z axis points along a direction.
artPose shape_along(v3 at, v3 axis);

static inline v3 shape_v3(const double a[3])
{
  return (v3){a[0], a[1], a[2]};
}

#endif
