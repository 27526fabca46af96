// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names and frames of an SDF file. Worlds, models, links, frames and joints are frames, each in a scope; a name reaches into
// inner scopes by `::`.
#ifndef IMPORT_SDF_FRAMES_H
#define IMPORT_SDF_FRAMES_H

#include "import/import_work.h"

typedef enum sdfKind { SDF_WORLD, SDF_MODEL, SDF_LINK, SDF_FRAME, SDF_JOINT } sdfKind;

typedef struct sdfEntity {
  sdfKind kind;
  xmlNode *node;
  int scope;       // the world or model that it stands in
  const char *key; // its name from the world on
  bool is_static;
  bool has_local, has_base;
  int base;         // the entity that its pose is relative to
  importPose local; // in the frame that its pose is relative to
  int body;         // of a link; -1 is ground
  int joint;        // the first one of the machine that a joint became, or -1
} sdfEntity;

typedef struct sdfReader {
  importWork *w;
  double version;
  int count, capacity;
  sdfEntity *entity; // the first one is the world
  baseTable names;
  baseTable frames;  // of bodies, "BODY.FRAME"
  int *link;         // [body] its link
  const char *model; // the only model that moves, whose name others go without; or NULL
} sdfReader;

// Write out <include> within a world or model (sdf_include.c), at a depth of files, of which so many are read so far.
void sdf_include(importWork *w, xmlNode *node, int depth, int *files);

// A robot of URDF as a model (sdf_urdf.c).
xmlNode *sdf_from_urdf(importWork *w, xmlNode *robot);

// Enter a world, and all that is inside.
void sdf_collect(sdfReader *r, xmlNode *world);

// The entity that has the name in a scope.
int sdf_find(sdfReader *r, int scope, const char *name, artPlace place);

// The numbers of a <pose> inside the node, the unit pose without one.
importPose sdf_local(sdfReader *r, xmlNode *node);

// The frame that the pose of a node is relative to, or `otherwise`.
int sdf_base(sdfReader *r, xmlNode *node, int scope, int otherwise);

// Where an entity is, in the world.
modelPose sdf_pose(sdfReader *r, int entity);

// Where it is on the body of a link, or on ground, which is the world.
modelPose sdf_pose_on(sdfReader *r, int entity, int body);

// The parent or child of a joint, as it is seen by the file.
int sdf_end(sdfReader *r, int joint, const char *which);

// The name of an entity without that of the only model that moves.
const char *sdf_bare_name(const sdfReader *r, int entity);

// The body that a link, frame, model or joint moves with.
int sdf_body(sdfReader *r, int entity);

// Is the text of a child, or a text, true?
bool sdf_flag(xmlNode *node, const char *name);
bool sdf_is_true(const char *text); // which may be NULL

//---- joints (sdf_joints.c) -----------------------------------------------------------------------

// All joints, what couples them, and which of them close loops; links that nothing joins to ground are free, or fixed by the call.
void sdf_read_joints(sdfReader *r);

#endif
