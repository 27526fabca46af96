// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes of bodies for which the model file asks none: what joints, forces and masses let one guess.
#ifndef SHOW_SCENE_SHAPE_H
#define SHOW_SCENE_SHAPE_H

#include "show/scene.h"
#include "spatial/pose.h"
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
  sceneShape *shape;
  unsigned colour;
} shapeList;

void shape_add(shapeList *list, sceneShape shape);

// A capsule between two points; nothing where they coincide.
void shape_add_bar(shapeList *list, v3 a, v3 b, double radius);

// Where things hold on to a body; places nearer to each other than `near` count once.
void shape_collect(const ioScene *scene, int body, double near, shapePoints *points);

// Bars, plates and lumps of a body, `thickness` is the radius of its bars (scene_body.c).
void shape_add_body(shapeList *list, const sceneBody *body, const shapePoints *points,
                    double thickness);

// A plate around three points or more.
void shape_add_plate(shapeList *list, const shapePoints *points, double thickness);

// Does the joint leave so many slides and turns?
static inline bool shape_leaves(const sceneJoint *joint, int slides, int turns)
{
  return joint->slides == slides && joint->turns == turns;
}


// The slide in ground of a body that is pushed along it by a rod, as pistons are, and where that is pinned to it; NULL:
// it is none. The piston, its rails where the pin is in ground, and the base of machines that stand on ground by three points
// or more (scene_guide.c).
const sceneJoint *shape_find_piston(const ioScene *scene, int body, double pin[3]);
void shape_add_piston(shapeList *list, const sceneJoint *guide, int body, const double pin[3]);
void shape_add_rails(shapeList *list, const sceneJoint *guide, const double pin[3]);
void shape_add_base(shapeList *list);

// The pose of which the z axis points along a direction.
artPose shape_along(v3 at, v3 axis);

static inline v3 shape_v3(const double a[3])
{
  return (v3){a[0], a[1], a[2]};
}


// The z axis of a pose.
static inline v3 shape_axis(const artPose *pose)
{
  return pose_from_art(pose).R.z;
}

//---- hulls of balls about points, as triangles (hull.c) ------------------------------------------

typedef struct ioHull {
  int nvertex, ntriangle;
  float *vertex; // [nvertex][3]
  int *triangle; // [ntriangle][3] counter-clockwise from outside
} ioHull;

// The hull of balls of a radius about n points: of 14 directions each, so that lines and planes of
// points become solids as well. Memory comes from an arena that leaves.
void hull_around(ioHull *hull, int n, const double *point, double radius, baseArena *arena);

#endif
