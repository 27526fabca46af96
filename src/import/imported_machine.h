// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine as files of other programs describe it, in the terms of none of them: what readers of formats fill and
// yaml_write.c prints. All of it lives in the arena of the work.
#ifndef IMPORT_IMPORTED_MACHINE_H
#define IMPORT_IMPORTED_MACHINE_H

#include <stdbool.h>

#include "articula/model.h"
#include "mesh/mesh.h"
#include "spatial/pose_algebra.h"

#define PI 3.14159265358979323846

// A frame in another, and how its axes were given, for those who read the result.
typedef struct importPose {
  modelPose in;
  bool has_angles;
  double rpy[3];
  const char *axes; // or as the file that is written shall say it
} importPose;

typedef enum importShapeType {
  SHAPE_BOX,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  SHAPE_CAPSULE,
  SHAPE_ELLIPSOID,
  SHAPE_MESH,
  SHAPE_POLYHEDRON // the weight of a mesh, not seen
} importShapeType;

// What of a mesh has mass: the space that its triangles enclose, its convex hull, the triangles themselves, or pyramids
// over them (mesh/mesh.h).
typedef enum importFill { FILL_CLOSED, FILL_HULL, FILL_SHELL, FILL_PYRAMIDS } importFill;

typedef struct importShape {
  importShapeType type;
  double size[3]; // edges or diameters
  double radius, length;
  const char *file; // relative to where the text will stand
  double scale;
  const meshMoments *volume; // of a polyhedron of unit density, in its own axes
  importPose pose;
  int colour;                      // 0xrrggbb, or -1
  double density, mass;            // of solids; NAN where not given
  bool is_shell;                   // its mass is in its surface, and 'density' is of that
  struct importShape *next, *last; // the last one as the first of a row knows it, or NULL
} importShape;

typedef struct importFrame {
  const char *name;
  importPose pose;
  struct importFrame *next, *last; // as above
} importFrame;

typedef struct importBody {
  const char *name;
  artPlace place;
  double mass, com[3];
  double inertia[6]; // about the centre of mass in the axes of the body: xx, yy, zz, xy, xz, yz
  importShape *solid, *visual;
  importFrame *frame;
} importBody;

typedef struct importJoint {
  const char *name;
  artPlace place;
  artJointType type;
  int from, to; // bodies; -1 is ground
  importPose from_pose, to_pose;
  const char *from_frame, *to_frame; // BODY.FRAME in the place of a pose, or NULL
  double axis[3], axis2[3];
  double pitch, rotor;
  double length; // of a rod
  bool is_cut;
  bool is_anchor; // <connect> of MJCF by a point of a body
  // along its one coordinate; limits are NAN where there is none
  double lower, upper, effort, stiffness, rest, damping, friction;
  double start;        // where it starts
  const char *initial; // keys and values of its start, or NULL
  bool is_guess;       // the start may move when loops are closed
  bool is_follower;    // a coupling moves it
  int leader;          // the joint that moves it then, or -1
  bool is_held;        // its range is the one place where it starts
} importJoint;

// An item of another section, its value as it will stand in the file.
typedef struct importItem {
  const char *section, *name, *value;
  artPlace place;
} importItem;

typedef struct importMachine {
  const char *title, *format;
  double gravity[3];
  bool has_gravity;
  bool is_graph; // joints lead from any body to any other, not from parents to children
  int nbody, body_capacity, njoint, joint_capacity, nitem, item_capacity;
  importBody *body;
  importJoint *joint;
  importItem *item;
  importShape *ground_visual;
  bool has_lost_meshes; // some could not be read
  importFrame *ground_frame;
} importMachine;

#endif
