// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a mesh file; the first byte chooses the format. Triangles of what is read
// have vertices.
#include <stdint.h>
#include <stdlib.h>

#include "mesh/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0) return 0;
  modelMesh mesh;
  baseArena arena = {0};
  artError error = {0};
  const char *name = data[0] % 2 ? "fuzz.stl" : "fuzz.obj";
  const artStatus status =
      mesh_parse(&mesh, (const char *) data + 1, size - 1, name, (artPlace){0}, &arena, &error);
  if ((status == ART_OK) != (error.text[0] == '\0')) abort();
  for (int i = 0; !status && i < 3 * mesh.ntriangle; i++) {
    if (mesh.triangle[i] < 0 || mesh.triangle[i] >= mesh.nvertex) abort();
  }
  arena_free(&arena);
  return 0;
}
