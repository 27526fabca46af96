// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names and frames of an SDF file. Worlds, models, links, frames and joints are frames, each in a
// scope; `::` in a name refers to inner scopes.
#ifndef IMPORT_SDF_FRAMES_H
#define IMPORT_SDF_FRAMES_H

#include "import/import_work.h"

typedef enum sdfKind { SDF_WORLD, SDF_MODEL, SDF_LINK, SDF_FRAME, SDF_JOINT } sdfKind;

typedef struct sdfEntity {
  sdfKind kind;
  xmlNode *node;
  int scope;       // the enclosing world or model
  const char *key; // its full name from the world on
  bool is_static;
  bool has_local, has_base;
  int base;         // the entity to which its pose is relative
  importPose local; // relative to `base`
  int body;         // of a link; -1: ground
  int joint;        // index of the first joint in the machine that it became, or -1
} sdfEntity;

typedef struct sdfReader {
  importWork *w;
  double version;
  int count, capacity;
  sdfEntity *entity; // the first one is the world
  baseTable names;
  baseTable frames;  // "BODY.FRAME"
  int *link;         // [body] link of a body
  const char *model; // the only moving model, whose name is omitted; or NULL
} sdfReader;

// Expand <include> within a world or model (sdf_include.c). `depth`: nesting of files; `files`:
// number of files read so far.
void sdf_include(importWork *w, xmlNode *node, int depth, int *files);

// Convert a URDF robot to a model (sdf_urdf.c).
xmlNode *sdf_from_urdf(importWork *w, xmlNode *robot);

// Enter a world and all entities in it.
void sdf_collect(sdfReader *r, xmlNode *world);

// The entity with this name in a scope.
int sdf_find(sdfReader *r, int scope, const char *name, artPlace place);

// The <pose> of a node, the identity if it has none.
importPose sdf_local(sdfReader *r, xmlNode *node);

// The frame to which the pose of a node is relative, or `otherwise`.
int sdf_base(sdfReader *r, xmlNode *node, int scope, int otherwise);

// The pose of an entity in the world.
modelPose sdf_pose(sdfReader *r, int entity);

// The pose of an entity relative to the body of a link, or to ground, which is the world.
modelPose sdf_pose_on(sdfReader *r, int entity, int body);

// The parent or child of a joint, as the file defines it.
int sdf_end(sdfReader *r, int joint, const char *which);

// The name of an entity without the name of the only moving model.
const char *sdf_bare_name(const sdfReader *r, int entity);

// The body to which a link, frame, model or joint is attached.
int sdf_body(sdfReader *r, int entity);

// The Boolean value of a child element, or of a string.
bool sdf_flag(xmlNode *node, const char *name);
bool sdf_is_true(const char *text); // may be NULL

//---- joints (sdf_joints.c) -----------------------------------------------------------------------

// Read all joints and their couplings, and choose which of them close loops; links without
// connection to ground are free, or fixed if the caller asks for it.
void sdf_read_joints(sdfReader *r);

#endif
