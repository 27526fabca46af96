// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scenes by assimp, which is opened when the first such file comes: the library is complete without it. Files are read from
// memory, so that none can name another one.
#include "mesh/mesh.h"

#include <string.h>
#include <strings.h>

static const char *ending_of(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : "";
}


int scene_is_mesh(const char *name)
{
  static const char *const endings[] = {"dae", "gltf", "glb", "ply"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    if (strcasecmp(ending_of(name), endings[i]) == 0) return 1;
  }
  return 0;
}

#ifdef ART_ASSIMP_LIBRARY
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <dlfcn.h>

enum { DEEPEST = 64 };

// the functions of the library that are used here
typedef struct sceneLibrary {
  const struct aiScene *(*import)(const char *, unsigned, unsigned, const char *,
                                  const struct aiPropertyStore *);
  void (*release)(const struct aiScene *);
  struct aiPropertyStore *(*create)(void);
  void (*set)(struct aiPropertyStore *, const char *, int);
  void (*free)(struct aiPropertyStore *);
} sceneLibrary;

typedef struct sceneWalk {
  const struct aiScene *scene;
  sceneCorner *corner;
  void *reader;
} sceneWalk;


static int open_assimp_library(sceneLibrary *library)
{
  void *handle = dlopen(ART_ASSIMP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  *(void **) &library->import = dlsym(handle, "aiImportFileFromMemoryWithProperties");
  *(void **) &library->release = dlsym(handle, "aiReleaseImport");
  *(void **) &library->create = dlsym(handle, "aiCreatePropertyStore");
  *(void **) &library->set = dlsym(handle, "aiSetImportPropertyInteger");
  *(void **) &library->free = dlsym(handle, "aiReleasePropertyStore");
  return library->import && library->release && library->create && library->set && library->free;
}


// y = T x
static void transform_scene_vertex(const struct aiMatrix4x4 *T, const struct aiVector3D *x,
                                   double y[3])
{
  const double a[3] = {(double) x->x, (double) x->y, (double) x->z};
  const float *const row[3] = {&T->a1, &T->b1, &T->c1};
  for (int i = 0; i < 3; i++)
    y[i] = (double) row[i][0] * a[0] + (double) row[i][1] * a[1] + (double) row[i][2] * a[2] +
           (double) row[i][3];
}


static struct aiMatrix4x4 scene_matrix_product(const struct aiMatrix4x4 *A,
                                               const struct aiMatrix4x4 *B)
{
  struct aiMatrix4x4 C;
  const float *a = &A->a1, *b = &B->a1;
  float *c = &C.a1;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      c[4 * i + k] = a[4 * i] * b[k] + a[4 * i + 1] * b[4 + k] + a[4 * i + 2] * b[8 + k] +
                     a[4 * i + 3] * b[12 + k];
    }
  }
  return C;
}


static artStatus walk_mesh(const sceneWalk *w, const struct aiMesh *mesh,
                           const struct aiMatrix4x4 *T)
{
  artStatus status = ART_OK;
  for (unsigned f = 0; f < mesh->mNumFaces && !status; f++) {
    const struct aiFace *face = &mesh->mFaces[f];
    for (unsigned k = 0; k < 3 && face->mNumIndices == 3 && !status; k++) {
      double at[3];
      if (face->mIndices[k] >= mesh->mNumVertices) return ART_BAD_INPUT;
      transform_scene_vertex(T, &mesh->mVertices[face->mIndices[k]], at);
      status = w->corner(w->reader, at);
    }
  }
  return status;
}


static artStatus walk_node(const sceneWalk *w, const struct aiNode *node,
                           const struct aiMatrix4x4 *above, int depth)
{
  const struct aiMatrix4x4 T = scene_matrix_product(above, &node->mTransformation);
  artStatus status = depth > DEEPEST ? ART_BAD_INPUT : ART_OK;
  for (unsigned i = 0; i < node->mNumMeshes && !status; i++)
    status = walk_mesh(w, w->scene->mMeshes[node->mMeshes[i]], &T);
  for (unsigned i = 0; i < node->mNumChildren && !status; i++)
    status = walk_node(w, node->mChildren[i], &T, depth + 1);
  return status;
}


artStatus scene_read_mesh(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                          void *reader, const char **why)
{
  static const struct aiMatrix4x4 identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  sceneLibrary library;
  *why = NULL;
  if (!open_assimp_library(&library)) {
    *why = "the library " ART_ASSIMP_LIBRARY " is not installed here";
    return ART_UNSUPPORTED;
  }
  struct aiPropertyStore *settings = library.create();
  // axes stay as in the file, whatever it says about which one is up
  library.set(settings, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  const struct aiScene *scene =
      library.import(bytes, (unsigned) n, aiProcess_Triangulate, ending_of(name), settings);
  artStatus status = ART_BAD_INPUT;
  if (scene && scene->mRootNode)
    status = walk_node(&(sceneWalk){scene, corner, reader}, scene->mRootNode, &identity, 0);
  else
    *why = "assimp cannot read it";
  if (scene) library.release(scene);
  library.free(settings);
  return status;
}

#else

artStatus scene_read_mesh(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                          void *reader, const char **why)
{
  (void) bytes, (void) n, (void) name, (void) corner, (void) reader;
  *why = "this build reads STL and OBJ alone: build again with assimp (Debian: libassimp-dev)";
  return ART_UNSUPPORTED;
}

#endif
