// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Meshes read by assimp, which is opened on demand, because it is optional. Files are read from
// memory, so that they cannot refer to other files.
#include "mesh/mesh.h"

#include <string.h>

#include "base/ascii.h"
#include "base/memory.h"
#include "base/sandbox.h"

#ifndef ART_ASSIMP_LIBRARY
#define ASSIMP "assimp"
#else
#define ASSIMP ART_ASSIMP_LIBRARY
#endif

enum { NO_REASON, NOT_INSTALLED, NOT_READABLE, NREASON };
static const char *const reasons[NREASON] = {NULL, "the library " ASSIMP " is not installed here",
                                             "assimp cannot read it"};
static int was_missing;


static const char *ending_of(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : "";
}


int scene_is_mesh(const char *name)
{
  static const char *const endings[] = {"dae", "gltf", "glb", "ply"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    if (ascii_compare(ending_of(name), endings[i]) == 0) return 1;
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

// functions of the library used here
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


static sceneLibrary prepared;
static int is_prepared;


static int open_assimp_library(sceneLibrary *library)
{
  if (is_prepared) {
    *library = prepared;
    return 1;
  }
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


void scene_prepare(void)
{
  is_prepared = open_assimp_library(&prepared);
}


// ART_UNSUPPORTED: the library is missing
static artStatus read_by_assimp(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                                void *reader, const char **why)
{
  static const struct aiMatrix4x4 identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  sceneLibrary library;
  *why = NULL;
  if (!open_assimp_library(&library)) {
    was_missing = 1;
    *why = reasons[NOT_INSTALLED];
    return ART_UNSUPPORTED;
  }
  struct aiPropertyStore *settings = library.create();
  // keep the axes of the file, whatever up direction it declares
  library.set(settings, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  const struct aiScene *scene =
      library.import(bytes, (unsigned) n, aiProcess_Triangulate, ending_of(name), settings);
  artStatus status = ART_BAD_INPUT;
  if (scene && scene->mRootNode)
    status = walk_node(&(sceneWalk){scene, corner, reader}, scene->mRootNode, &identity, 0);
  else
    *why = reasons[NOT_READABLE];
  if (scene) library.release(scene);
  library.free(settings);
  return status;
}

#else

void scene_prepare(void) {}


static artStatus read_by_assimp(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                                void *reader, const char **why)
{
  (void) bytes, (void) n, (void) name, (void) corner, (void) reader;
  *why = "this build reads STL and OBJ alone: build again with assimp (Debian: libassimp-dev)";
  return ART_UNSUPPORTED;
}

#endif


int scene_was_missing(void)
{
  return was_missing;
}


//---- through the helper (base/sandbox.h) ---------------------------------------------------------

// Corners are untrusted numbers until the reader has checked them, as those of assimp are.
static artStatus ask_for_scene(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                               void *reader, const char **why)
{
  const char *const words[] = {"scene", name, NULL};
  static _Thread_local artError error;
  sandboxAnswer answer;
  size_t length = 0;
  artStatus status = sandbox_ask(&answer, words, bytes, n, name, &error);
  *why = error.text;
  if (status) return status == ART_IO ? ART_BAD_INPUT : status;
  const int reason = sandbox_number(&answer, 0, NREASON - 1);
  status = sandbox_status(&answer, &error);
  const char *corners = sandbox_bytes(&answer, &length);
  if (!status) *why = NULL;
  if (reason > 0) *why = reasons[reason];
  if (!status) status = sandbox_check(&answer, name, &error);
  if (!status && length % (3 * sizeof(double)) != 0) status = ART_BAD_INPUT;
  for (size_t i = 0; i < length && !status; i += 3 * sizeof(double)) {
    double at[3];
    memcpy(at, corners + i, sizeof at);
    status = corner(reader, at);
  }
  sandbox_forget(&answer);
  return status;
}


artStatus scene_read_mesh(const char *bytes, size_t n, const char *name, sceneCorner *corner,
                          void *reader, const char **why)
{
  static _Thread_local artError error;
  int is_on = 0;
  *why = NULL;
  const artStatus status = sandbox_choose(&is_on, &error);
  *why = status ? error.text : NULL;
  if (status) return status;
  return (is_on ? ask_for_scene : read_by_assimp)(bytes, n, name, corner, reader, why);
}


typedef struct cornerList {
  int n, capacity;
  double (*at)[3];
} cornerList;


static artStatus keep_corner(void *context, const double at[3])
{
  cornerList *list = context;
  void *items = list->at;
  if (!mem_grow(&items, list->n, &list->capacity, sizeof *list->at)) return ART_NO_MEMORY;
  list->at = items;
  memcpy(list->at[list->n++], at, sizeof *list->at);
  return ART_OK;
}


void scene_do_task(const char *bytes, size_t n, const char *name, FILE *out)
{
  cornerList list = {0};
  const char *why = NULL;
  artError error = {.text = "the mesh cannot be read"};
  const artStatus status = read_by_assimp(bytes, n, name, keep_corner, &list, &why);
  sandbox_put_number(out, !why ? 0 : why == reasons[NOT_INSTALLED] ? NOT_INSTALLED : NOT_READABLE);
  sandbox_put_status(out, status, &error);
  sandbox_put(out, list.at, status ? 0 : (size_t) list.n * sizeof *list.at);
  mem_free(list.at);
}
