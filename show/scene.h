// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine as a scene: its visible parts (doc/theory/scene-format.md), and their motion.
//
// The bodies of a scene are the bodies of the model, without ground, then its rods; ground is body
// -1.
#ifndef SHOW_SCENE_H
#define SHOW_SCENE_H

#include <stdbool.h>

#include "articula/parts.h"
#include "articula/study.h"
#include "base/arena.h"

//---- shapes --------------------------------------------------------------------------------------

typedef enum sceneShapeType {
  SHAPE_BOX,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  SHAPE_CAPSULE,
  SHAPE_MESH,
  SHAPE_COIL,
  SHAPE_TYRE,
  SHAPE_TYPES
} sceneShapeType;

// Cylinders, capsules, coils and tyres have their axis along z of their pose, which is that of
// their centre.
typedef struct sceneShape {
  sceneShapeType type;
  double size[3]; // box: edges
  double radius;
  double length; // cylinder, coil; capsule: between the centres of its caps; tyre: width
  int nvertex, ntriangle;
  const float *vertex; // [nvertex][3] mesh
  const int *triangle; // [ntriangle][3] counter-clockwise from outside
  artPose pose;        // in its body
  unsigned colour;     // 0xrrggbb
  bool is_default;     // not from the model file
} sceneShape;

// The name of a shape type in files ("box").
const char *scene_shape_name(sceneShapeType type);

//---- the scene -----------------------------------------------------------------------------------

typedef struct sceneBody {
  const char *name;
  double mass, com[3], inertia[6];
  int parent; // in the tree; -1: ground, or a rod
  bool is_rod;
  double length; // of a rod
  int nshape;
  sceneShape *shape;
} sceneBody;

typedef struct sceneJoint {
  const char *name, *type;
  int slides, turns; // as in artJointPart
  int body[2];       // from, to
  artPose end[2];
  bool is_cut;
} sceneJoint;

typedef struct sceneForce {
  const char *name, *type;
  artGlyph glyph;
  int nend;
  int body[2];
  int frame[2];       // of the ends, in the model
  double point[2][3]; // positions in the bodies
  double radius;      // of a coil or tyre; 0: neither
  double width;       // of a tyre
  double axle[3];     // of a tyre, in its body
  double rest;        // free length of a spring; 0: none
} sceneForce;

// Names of glyphs in scene files, in the order of artGlyph, NULL-terminated.
extern const char *const scene_glyph_names[];

// a loop closed by a joint or a relation
typedef struct sceneLoop {
  const char *name, *type;
  int joint; // -1: a relation
} sceneLoop;

// heights on a grid, x fastest; a single one is level everywhere
typedef struct sceneRoad {
  double x0, dx, y0, dy;
  int nx, ny;
  float *z;
} sceneRoad;

typedef enum sceneVectorKind {
  VECTOR_FORCE,
  VECTOR_TORQUE,
  VECTOR_REACTION,
  VECTOR_CONTACT
} sceneVectorKind;

typedef struct sceneVector {
  const char *name;
  sceneVectorKind kind;
  const char *unit;
  int body;           // on which it acts
  int element, joint; // source; one of them is -1
  int contact;        // of a pile, from 1 on; 0: the vector of the element
  bool is_torque;     // of a joint
  int torque;         // for the force of a joint: index of the vector of its torque; 0: none
} sceneVector;

typedef struct sceneChannel {
  const char *name, *unit;
} sceneChannel;

// The study that computed it.
typedef struct sceneStudy {
  const char *file; // of the model
  artStudyDef def;
  long rows; // expected; 0: unknown
} sceneStudy;

// Start from {0}.
typedef struct ioScene {
  const artModel *model;
  sceneStudy study;
  double gravity[3];
  double size;      // of the machine, m
  double centre[3]; // its centre, in ground
  double thickness; // default thickness of bars, m
  int lost_meshes;  // meshes of imported files that are not shown
  int nbody, njoint, nforce, nloop, nvector, nchannel;
  int nelement; // number of forces that are elements of the model; they come first
  sceneBody *body;
  sceneJoint *joint;
  sceneForce *force;
  sceneLoop *loop;
  sceneVector *vector;
  sceneChannel *channel;
  int nground;
  sceneShape *ground; // shapes
  sceneRoad *road;    // NULL: none

  // Joints and forces attached to body i are hold[hold0[i + 1]] up to, excluding, hold[hold0[i +
  // 2]]: joints first, as 2 j + side, then forces as 2 njoint + 2 f + end.
  int *hold0, *hold;
  baseArena arena;
} ioScene;

// The visible parts of a model whose data is at its initial state. Free with scene_free, also after
// a failure.
artStatus scene_describe(ioScene *scene, const artModel *model, artData *data,
                         const sceneStudy *study, artError *error);
void scene_free(ioScene *scene);

//---- parts of it (scene_shape.c) -----------------------------------------------------------------

// Compute size and centre of the machine, and shapes of all bodies and of ground; throws an error
// if memory runs out.
void scene_add_shapes(ioScene *scene, artData *data);

//---- an instant ----------------------------------------------------------------------------------

enum { SCENE_POSE = 7, SCENE_VELOCITY = 6, SCENE_VECTOR = 6 };

// Poses [nbody][7], velocities [nbody][6] and vectors [nvector][6] of the data, in ground, in the
// form of the scene file; call after art_outputs.
void scene_evaluate(const ioScene *scene, artData *data, float *poses, float *velocities,
                    float *vectors);

#endif
