// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Triangles from files: STL, binary or text, and OBJ. Nothing in a file is trusted.
#ifndef MODEL_MESH_H
#define MODEL_MESH_H

#include "articula/base.h"
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

#endif
