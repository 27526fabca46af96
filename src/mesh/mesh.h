// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Triangles from files, of which nothing is trusted: STL, binary or text, and OBJ; others by a library. The solid that they bound.
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include <stddef.h>
#include <stdio.h>

#include "articula/base.h"
#include "articula/model.h"
#include "base/arena.h"

typedef struct modelMesh {
  int nvertex, ntriangle;
  double *vertex; // [nvertex][3]; corners at the same place are one vertex
  int *triangle;  // [ntriangle][3]
} modelMesh;

// The bytes of a file; messages name it at the place where the model asks for it.
artStatus mesh_read_bytes(const char *path, artPlace place, char **bytes, size_t *n,
                          artError *error);

// The mesh in them, by the ending of the name: name.stl or name.obj. Memory comes from the arena.
artStatus mesh_parse(modelMesh *mesh, const char *bytes, size_t n, const char *name, artPlace place,
                     baseArena *arena, artError *error);

//---- files that the library assimp reads: COLLADA, glTF, PLY (mesh_scene.c) ----------------------

// Does the name end as such files do?
int scene_is_mesh(const char *name);

// Give all corners of all triangles to a function, in m and in the axes of the file, until it fails; its status is
// returned. *why is a reason where the file cannot be read; the status is ART_BAD_INPUT then, or ART_UNSUPPORTED where there
// is no library.
typedef artStatus sceneCorner(void *reader, const double at[3]);
artStatus scene_read_mesh(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                          void *reader, const char **why);

// The part of the helper articula-parse, by which they are read where there is one (base/sandbox.h): open the library
// before rights are given up; the work itself. Has a file been met for which there is no library?
void scene_prepare(void);
void scene_do_task(const char *bytes, size_t n, const char *name, FILE *out);
int scene_was_missing(void);

//---- the space that a mesh encloses (mesh_volume.c) ----------------------------------------------

// Moments of a mesh filled with density 1, in its own axes and units.
typedef struct meshMoments {
  double volume;
  double centre[3];
  double inertia[6]; // xx yy zz xy xz yz of the tensor about the centre
  int is_turned;     // triangles are clockwise seen from outside, which has been mended
} meshMoments;

// Do the triangles of a mesh bound a solid? Every edge has a neighbour, neighbours are wound alike, the volume is not zero,
// and of several shells each is either outside all others or a void.
artStatus mesh_check_closed(const artSolidDef *mesh, artPlace place, artError *error);

// The edges alone: every one has a neighbour, and neighbours are wound alike.
artStatus mesh_check_edges(const artSolidDef *mesh, artPlace place, artError *error);

// Volume, centre and inertia by the divergence theorem, exact for closed meshes.
meshMoments mesh_find_moments(const artSolidDef *mesh);

//---- meshes that need not be closed (mesh_open.c) ------------------------------------------------

// The same of the convex hull of the corners of the triangles; a volume of 0 where they lie in a plane. False when memory
// ran out.
int mesh_hull_moments(const artSolidDef *mesh, meshMoments *moments);

// The triangles themselves as a thin layer; the volume is their area.
meshMoments mesh_shell_moments(const artSolidDef *mesh);

// Pyramids between each triangle and a common point, all counted as positive, as MuJoCo does by default (inertia="legacy").
// The same as the enclosed space for meshes that are convex; more for all others.
meshMoments mesh_pyramid_moments(const artSolidDef *mesh);

#endif
