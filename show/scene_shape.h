// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes of bodies that have none in the model file, derived from joints, forces and masses.
#ifndef SHOW_SCENE_SHAPE_H
#define SHOW_SCENE_SHAPE_H

#include "show/scene.h"
#include "spatial/pose.h"
#include "spatial/spatial.h"

// Attachment points of joints and forces on a body, without duplicates, in body axes.
enum { SHAPE_POINTS = 64 };
typedef struct shapePoints {
  int n;
  double at[SHAPE_POINTS][3];
} shapePoints;

// The list of shapes of one body.
typedef struct shapeList {
  ioScene *scene;
  int n, capacity;
  sceneShape *shape;
  unsigned colour;
} shapeList;

void shape_add(shapeList *list, sceneShape shape);

// Add a capsule between two points; nothing if they coincide.
void shape_add_bar(shapeList *list, v3 a, v3 b, double radius);

// Collect the attachment points of a body; points closer than `near` count once.
void shape_collect(const ioScene *scene, int body, double near, shapePoints *points);

// Add bars, plates and solids of a body; `thickness` is the radius of its bars (scene_body.c).
void shape_add_body(shapeList *list, const sceneBody *body, const shapePoints *points,
                    double thickness);

// Add a plate around three or more points.
void shape_add_plate(shapeList *list, const shapePoints *points, double thickness);

// True if the joint has these numbers of translational and rotational freedoms.
static inline bool shape_leaves(const sceneJoint *joint, int slides, int turns)
{
  return joint->slides == slides && joint->turns == turns;
}


// shape_find_piston: the sliding joint on ground of a body that is pushed by a rod, as pistons are,
// and the position of its pin; NULL if it is not a piston. Others: the piston, its rails (if the
// pin is on ground), and the base of machines on three or more points of ground (scene_guide.c).
const sceneJoint *shape_find_piston(const ioScene *scene, int body, double pin[3]);
void shape_add_piston(shapeList *list, const sceneJoint *guide, int body, const double pin[3]);
void shape_add_rails(shapeList *list, const sceneJoint *guide, const double pin[3]);
void shape_add_base(shapeList *list);

// A cylinder and its piston: two bodies on one line, along which a joint between them slides
// (scene_guide.c). Places of their far ends along z of the joint at its first body.
typedef struct shapeTelescope {
  const sceneJoint *slide; // NULL: none
  double end[2];           // of the bodies of the joint
} shapeTelescope;

// The telescope that a body is part of, with the present displacement of its joint.
shapeTelescope shape_find_telescope(const ioScene *scene, const artData *data, int body);

// Add the sleeve, for the first body of the joint, or the rod in it.
void shape_add_telescope(shapeList *list, const artData *data, const shapeTelescope *telescope,
                         int side);

// The present displacement of a sliding joint.
double shape_way_apart(const ioScene *scene, const artData *data, const sceneJoint *joint);

// Add bars from the first point of a link to the others, or to its centre of mass: links of robots
// whose meshes are missing.
void shape_add_link(shapeList *list, const sceneBody *body, const shapePoints *points,
                    double thickness);

// A pose with the z axis along a direction.
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

//---- hulls of spheres around points, as triangles (scene_body.c) ---------------------------------

typedef struct ioHull {
  int nvertex, ntriangle;
  float *vertex; // [nvertex][3]
  int *triangle; // [ntriangle][3] counter-clockwise from outside
} ioHull;

// The hull of spheres with a radius around n points, with 14 directions each, so that lines and
// planes of points also give solids. Memory comes from an arena that throws on failure.
void hull_around(ioHull *hull, int n, const double *point, double radius, baseArena *arena);

#endif
