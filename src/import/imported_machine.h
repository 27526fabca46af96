// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine in a neutral form, filled by the readers of all formats and written by yaml_write.c.
// All of it is in the arena of the import.
#ifndef IMPORT_IMPORTED_MACHINE_H
#define IMPORT_IMPORTED_MACHINE_H

#include <stdbool.h>

#include "articula/model.h"
#include "mesh/mesh.h"
#include "spatial/pose_algebra.h"

#define PI 3.14159265358979323846

// The pose of a frame in another, and how its rotation was given, to write it in a readable form.
typedef struct importPose {
  modelPose in;
  bool has_angles;
  double rpy[3];
  const char *axes; // or the text for the written file
} importPose;

typedef enum importShapeType {
  SHAPE_BOX,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  SHAPE_CAPSULE,
  SHAPE_ELLIPSOID,
  SHAPE_MESH,
  SHAPE_POLYHEDRON // mass properties of a mesh, not visible
} importShapeType;

// The part of a mesh that has mass: the volume enclosed by its triangles, its convex hull, the
// triangles themselves, or pyramids over them (mesh/mesh.h).
typedef enum importFill { FILL_CLOSED, FILL_HULL, FILL_SHELL, FILL_PYRAMIDS } importFill;

typedef struct importShape {
  importShapeType type;
  double size[3]; // edges or diameters
  double radius, length;
  const char *file; // relative to the written file
  double scale;
  const meshMoments *volume; // polyhedron of unit density, in its own axes
  importPose pose;
  int colour;                      // 0xrrggbb, or -1
  double density, mass;            // of solids; NAN where not given
  bool is_shell;                   // the mass is on the surface, and 'density' is per area
  struct importShape *next, *last; // last: the end of the list, stored in its first item; else NULL
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
  double inertia[6]; // about the centre of mass, in body axes: xx, yy, zz, xy, xz, yz
  importShape *solid, *visual;
  importFrame *frame;
} importBody;

typedef struct importJoint {
  const char *name;
  artPlace place;
  artJointType type;
  int from, to; // indices of bodies; -1: ground
  importPose from_pose, to_pose;
  const char *from_frame, *to_frame; // BODY.FRAME instead of a pose, or NULL
  double axis[3], axis2[3];
  double pitch, rotor;
  double length; // of a rod
  bool is_cut;
  bool is_anchor; // <connect> of MJCF at a point of a body
  // along its one coordinate; limits are NAN if there are none
  double lower, upper, effort, stiffness, rest, damping, friction;
  double start;        // initial value
  const char *initial; // keys and values of its initial state, or NULL
  bool is_guess;       // the initial value may change when loops are closed
  bool is_follower;    // moved by a coupling
  int leader;          // index of the joint that moves it, or -1
  bool is_held;        // its range is a single value, the initial one
} importJoint;

// A collision shape. It may touch another one if a mask `contype` and the mask `conaffinity` of the
// other have a bit in common. Numbers that the file does not give are NAN.
typedef struct importSurface {
  const char *wanted; // name in the file, or NULL
  const char *name;   // in the written file
  artPlace place;
  int body; // -1: ground
  artSurfaceType type;
  double size[3], radius, length;
  importPose pose;
  double friction, stiffness, damping;
  unsigned contype, conaffinity;
  int priority;     // the surface of the higher one decides about friction
  bool is_slippery; // contact without friction, unless the other surface has one
  bool is_paired;   // the file pairs it explicitly
} importSurface;

// Two bodies (-1: ground) that do not touch, or two surfaces that do, with their friction or NAN.
typedef struct importPair {
  int one, two;
  double friction;
  artPlace place;
} importPair;

// An item of another section, with its value as written.
typedef struct importItem {
  const char *section, *name, *value;
  artPlace place;
} importItem;

typedef struct importMachine {
  const char *title, *format;
  double gravity[3];
  bool has_gravity;
  bool is_graph; // joints connect arbitrary bodies, not parents and children
  int nbody, body_capacity, njoint, joint_capacity, nitem, item_capacity;
  importBody *body;
  importJoint *joint;
  importItem *item;
  importShape *ground_visual;
  bool has_lost_meshes; // some could not be read
  importFrame *ground_frame;
  int nsurface, surface_capacity, nexclusion, exclusion_capacity, npair, pair_capacity;
  importSurface *surface; // only if the import asks for contact
  importPair *exclusion, *pair;
  bool has_larger_friction; // of two surfaces the larger friction counts, else the smaller
  bool is_contact_off;      // the file disables contact
} importMachine;

#endif
