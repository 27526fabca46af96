// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Triangles of COLLADA, glTF and PLY files, which the library assimp reads.
#ifndef MODEL_MESH_SCENE_H
#define MODEL_MESH_SCENE_H

#include <stddef.h>

#include "articula/base.h"

// Does the name end as such files do?
int scene_is_mesh(const char *name);

// Give all corners of all triangles to a function, in m and in the axes of the file, until it fails; its status is
// returned. *why is a reason where the file cannot be read; the status is ART_BAD_INPUT then, or ART_UNSUPPORTED where there
// is no library.
typedef artStatus sceneCorner(void *reader, const double at[3]);
artStatus scene_read_mesh(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                          void *reader, const char **why);

#endif
