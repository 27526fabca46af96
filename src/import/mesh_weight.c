// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass properties of bodies from meshes.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "import/import_work.h"


bool import_read_triangles(importWork *w, const char *path, artPlace place, modelMesh *mesh,
                           artError *error)
{
  char *bytes = NULL;
  size_t n = 0;
  artStatus status = mesh_read_bytes(path, place, &bytes, &n, error);
  if (!status) status = mesh_parse(mesh, bytes, n, path, place, &w->arena, error);
  mem_free(bytes);
  if (status == ART_NO_MEMORY) import_leave(w, status);
  return !status;
}


// volume 0: no such solid
static meshMoments fill_mesh(importWork *w, const artSolidDef *mesh, importFill fill)
{
  meshMoments moments = {0};
  artError error = {0};
  switch (fill) {
  case FILL_SHELL: return mesh_shell_moments(mesh);
  case FILL_PYRAMIDS: return mesh_pyramid_moments(mesh);
  case FILL_HULL:
    if (!mesh_hull_moments(mesh, &moments)) import_leave(w, ART_NO_MEMORY);
    return moments;
  default: break;
  }
  const artStatus status = mesh_check_edges(mesh, base_nowhere(), &error);
  if (status == ART_NO_MEMORY) import_leave(w, status);
  return status ? moments : mesh_find_moments(mesh);
}


const meshMoments *import_weigh_mesh(importWork *w, const artSolidDef *mesh, importFill fill,
                                     const char *name, artPlace place)
{
  static const importFill next[] = {[FILL_CLOSED] = FILL_HULL,
                                    [FILL_PYRAMIDS] = FILL_HULL,
                                    [FILL_HULL] = FILL_SHELL,
                                    [FILL_SHELL] = FILL_SHELL};
  static const char *const words[] = {
      [FILL_HULL] = "its convex hull", [FILL_SHELL] = "its surface"};
  double size = 0;
  for (int i = 0; i < 3 * mesh->nvertex; i++)
    size = fmax(size, fabs(mesh->vertex[i] - mesh->vertex[i % 3]));
  for (importFill at = fill;; at = next[at]) {
    meshMoments *moments = import_take(w, 1, sizeof *moments);
    *moments = fill_mesh(w, mesh, at);
    const double least = at == FILL_SHELL ? 0 : 1e-12 * size * size * size;
    if (moments->volume > least) {
      if (at != fill)
        import_note_motion(w, place, "the mesh '%.100s' encloses no volume: %s has the mass", name,
                           words[at]);
      return moments;
    }
    if (at == FILL_SHELL) return NULL;
  }
}
