// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Triangle meshes from untrusted files: STL (binary or text) and OBJ; other formats by a library.
// Properties of the enclosed solid.
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include <stddef.h>
#include <stdio.h>

#include "articula/base.h"
#include "articula/model.h"
#include "base/arena.h"

typedef struct modelMesh {
  int nvertex, ntriangle;
  double *vertex; // [nvertex][3]; equal positions are merged
  int *triangle;  // [ntriangle][3]
} modelMesh;

// Read a file; messages refer to the place of its name in the model.
artStatus mesh_read_bytes(const char *path, artPlace place, char **bytes, size_t *n,
                          artError *error);

// Parse a mesh by the extension of the name, .stl or .obj. Memory comes from the arena.
artStatus mesh_parse(modelMesh *mesh, const char *bytes, size_t n, const char *name, artPlace place,
                     baseArena *arena, artError *error);

//---- files that the library assimp reads: COLLADA, glTF, PLY (mesh_scene.c) ----------------------

// True if the extension is one of these formats.
int scene_is_mesh(const char *name);

// Pass all corners of all triangles to a callback, in m and in the axes of the file, until it
// fails; returns its status. If the file cannot be read, *why is the reason and the status is
// ART_BAD_INPUT, or ART_UNSUPPORTED if the library is missing.
typedef artStatus sceneCorner(void *reader, const double at[3]);
artStatus scene_read_mesh(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                          void *reader, const char **why);

// For the helper process articula-parse, which reads these files if it is available
// (base/sandbox.h). scene_prepare opens the library before privileges are dropped; scene_do_task
// reads a file; scene_was_missing: 1 if a file could not be read because the library is missing.
void scene_prepare(void);
void scene_do_task(const char *bytes, size_t n, const char *name, FILE *out);
int scene_was_missing(void);

//---- the solid enclosed by a mesh (mesh_volume.c) ------------------------------------------------

// Moments of a mesh with density 1, in its own axes and units.
typedef struct meshMoments {
  double volume;
  double centre[3];
  double inertia[6]; // xx yy zz xy xz yz of the tensor about the centre
  int is_turned;     // 1: triangles were clockwise seen from outside, and the sign was corrected
} meshMoments;

// Check that a mesh bounds a solid: every edge has a neighbour, neighbours have consistent
// orientation, the volume is not zero, and each of several shells is either outside all others or a
// void.
artStatus mesh_check_closed(const artSolidDef *mesh, artPlace place, artError *error);

// Check edges only: every edge has a neighbour, and neighbours have consistent orientation.
artStatus mesh_check_edges(const artSolidDef *mesh, artPlace place, artError *error);

// Volume, centre and inertia by the divergence theorem, exact for closed meshes.
meshMoments mesh_find_moments(const artSolidDef *mesh);

//---- meshes that need not be closed (mesh_open.c) ------------------------------------------------

// Moments of the convex hull of the corners of the triangles; volume 0 if they are coplanar.
// Returns 0 if memory runs out.
int mesh_hull_moments(const artSolidDef *mesh, meshMoments *moments);

// Moments of the triangles as a thin shell; the volume is their area.
meshMoments mesh_shell_moments(const artSolidDef *mesh);

// Moments of the pyramids between each triangle and a common point, all with positive volume, as
// MuJoCo's default inertia="legacy". Equal to those of the solid for convex meshes; too large for
// others.
meshMoments mesh_pyramid_moments(const artSolidDef *mesh);

#endif
