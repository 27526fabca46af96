// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Meshes from STL and OBJ files, and from other formats by a library.
#include "mesh/mesh.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/file.h"
#include "base/format.h"
#include "base/memory.h"

enum { MAX_TRIANGLES = 1000000, BINARY_HEAD = 84, BINARY_TRIANGLE = 50 };
static const long MAX_FILE_SIZE = 128L << 20; // bytes

typedef struct meshReader {
  const char *name;
  artPlace place;
  artError *error;
  int line;
  int nvertex, vertex_room;
  double (*vertex)[3];
  int nlisted, listed_room;
  int *listed; // OBJ: vertices in file order
  int ncorner, corner_room;
  int *corner; // three per triangle
  int *slot;   // hash table of vertices: index + 1; 0: empty
  unsigned slots;
} meshReader;


static artStatus refuse_mesh(const meshReader *r, const char *what)
{
  if (r->line == 0) {
    return base_fail(r->error, ART_BAD_INPUT, r->place, "mesh '%.200s' cannot be used: %s", r->name,
                     what);
  }
  return base_fail(r->error, ART_BAD_INPUT, r->place, "mesh '%.200s' cannot be used: line %d: %s",
                   r->name, r->line, what);
}


//---- vertices and triangles ----------------------------------------------------------------------

static int add_vertex(meshReader *r, const double at[3])
{
  void *items = r->vertex;
  if (!mem_grow(&items, r->nvertex, &r->vertex_room, sizeof *r->vertex)) return -1;
  r->vertex = items;
  memcpy(r->vertex[r->nvertex], at, sizeof r->vertex[0]);
  return r->nvertex++;
}


static unsigned vertex_hash(const double at[3])
{
  const float single[3] = {(float) at[0], (float) at[1], (float) at[2]};
  uint32_t bits[3], hash = 2166136261u;
  memcpy(bits, single, sizeof bits);
  for (int k = 0; k < 3; k++) hash = (hash ^ bits[k] ^ bits[k] >> 15) * 16777619u;
  return hash ^ hash >> 13;
}


static int grow_slots(meshReader *r)
{
  const unsigned slots = r->slots ? 2 * r->slots : 1024;
  int *slot = MEM_ARRAY(int, slots);
  if (!slot) return 0;
  for (int i = 0; i < r->nvertex; i++) {
    unsigned k = vertex_hash(r->vertex[i]) & (slots - 1);
    while (slot[k]) k = (k + 1) & (slots - 1);
    slot[k] = i + 1;
  }
  mem_free(r->slot);
  r->slot = slot;
  r->slots = slots;
  return 1;
}


// STL files are in single precision, even in text form
static int is_same_vertex(const meshReader *r, const double a[3], const double b[3])
{
  int same = 1;
  for (int k = 0; k < 3; k++) {
    same &= r->listed ? a[k] == b[k] : (float) a[k] == (float) b[k];
  }
  return same;
}


// the vertex at a position, shared by all triangles there; -1 if memory runs out
static int find_vertex(meshReader *r, const double at[3])
{
  if (2 * (unsigned) r->nvertex >= r->slots && !grow_slots(r)) return -1;
  unsigned k = vertex_hash(at) & (r->slots - 1);
  for (; r->slot[k]; k = (k + 1) & (r->slots - 1)) {
    if (is_same_vertex(r, r->vertex[r->slot[k] - 1], at)) return r->slot[k] - 1;
  }
  const int i = add_vertex(r, at);
  r->slot[k] = i + 1;
  return i;
}


static artStatus add_triangle_corner(meshReader *r, int vertex)
{
  void *items = r->corner;
  if (vertex < 0 || !mem_grow(&items, r->ncorner, &r->corner_room, sizeof *r->corner)) {
    return base_no_memory(r->error);
  }
  r->corner = items;
  r->corner[r->ncorner++] = vertex;
  if (r->ncorner / 3 <= MAX_TRIANGLES) return ART_OK;
  return refuse_mesh(r, "it has more than a million triangles; make it coarser");
}


static int is_vertex_place(const double at[3])
{
  for (int k = 0; k < 3; k++) {
    if (!isfinite(at[k]) || fabs(at[k]) > 1e15) return 0;
  }
  return 1;
}


//---- STL -----------------------------------------------------------------------------------------

static uint32_t little_endian(const char *bytes)
{
  uint32_t bits = 0;
  for (int k = 0; k < 4; k++) bits |= (uint32_t) (unsigned char) bytes[k] << 8 * k;
  return bits;
}


// 80 bytes, the number of triangles, and for each its normal, three corners and two bytes
static artStatus read_binary(meshReader *r, const char *bytes, uint32_t count)
{
  if (count > MAX_TRIANGLES) {
    return refuse_mesh(r, "it has more than a million triangles; make it coarser");
  }
  for (uint32_t i = 0; i < 3 * count; i++) {
    const char *corner =
        bytes + BINARY_HEAD + (size_t) BINARY_TRIANGLE * (i / 3) + 12 * (i % 3 + 1);
    double at[3];
    for (int k = 0; k < 3; k++) {
      const uint32_t bits = little_endian(corner + 4 * k);
      float x;
      memcpy(&x, &bits, sizeof bits);
      at[k] = (double) x + 0; // convert -0 to 0
    }
    if (!is_vertex_place(at)) return refuse_mesh(r, "a vertex is not finite");
    const artStatus status = add_triangle_corner(r, find_vertex(r, at));
    if (status) return status;
  }
  return ART_OK;
}


// read three numbers at the start of a string; 0 if there are none
static int read_place(const char *text, double at[3])
{
  for (int k = 0; k < 3; k++) {
    char *end;
    at[k] = format_read(text, &end) + 0;
    if ((float) at[k] == 0) at[k] = 0; // underflows in single precision: must have the hash of 0
    if (end == text) return 0;
    text = end;
  }
  return is_vertex_place(at);
}


// the rest of a line after its keyword, or NULL
static const char *after_word(const char *line, const char *word)
{
  const size_t n = strlen(word);
  line += strspn(line, " \t");
  return ascii_compare_n(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\t') ? line + n
                                                                                    : NULL;
}


static artStatus read_stl_line(meshReader *r, const char *line)
{
  double at[3];
  const char *rest = after_word(line, "vertex");
  if (!rest) return ART_OK;
  if (!read_place(rest, at)) return refuse_mesh(r, "expected three numbers after 'vertex'");
  return add_triangle_corner(r, find_vertex(r, at));
}


//---- OBJ -----------------------------------------------------------------------------------------

static artStatus list_vertex(meshReader *r, int vertex)
{
  void *items = r->listed;
  if (vertex < 0 || !mem_grow(&items, r->nlisted, &r->listed_room, sizeof *r->listed)) {
    return base_no_memory(r->error);
  }
  r->listed = items;
  r->listed[r->nlisted++] = vertex;
  return ART_OK;
}


// "7", "7/1/3" or "-1": the index of a vertex, from 1 or from the end
static artStatus read_corner(meshReader *r, const char **text, int *vertex)
{
  char *end;
  errno = 0;
  const long i = strtol(*text, &end, 10);
  if (end == *text || errno || i == 0 || i > r->nlisted || i < -(long) r->nlisted) {
    return refuse_mesh(r, "a face names a vertex that is not there");
  }
  *vertex = r->listed[i > 0 ? i - 1 : r->nlisted + i];
  *text = end + strcspn(end, " \t\r");
  *text += strspn(*text, " \t\r");
  return ART_OK;
}


// split polygons into triangle fans
static artStatus read_face(meshReader *r, const char *text)
{
  int first, last, next;
  text += strspn(text, " \t");
  artStatus status = read_corner(r, &text, &first);
  if (!status) status = read_corner(r, &text, &last);
  do {
    if (!status) status = read_corner(r, &text, &next);
    if (!status) status = add_triangle_corner(r, first);
    if (!status) status = add_triangle_corner(r, last);
    if (!status) status = add_triangle_corner(r, next);
    if (!status) last = next;
  } while (!status && *text);
  return status;
}


static artStatus read_obj_line(meshReader *r, const char *line)
{
  double at[3];
  const char *rest = after_word(line, "v");
  if (rest) {
    if (!read_place(rest, at)) return refuse_mesh(r, "expected three numbers after 'v'");
    return list_vertex(r, find_vertex(r, at));
  }
  rest = after_word(line, "f");
  return rest ? read_face(r, rest) : ART_OK;
}


//---- files ---------------------------------------------------------------------------------------

static artStatus read_mesh_lines(meshReader *r, const char *bytes, size_t n,
                                 artStatus (*read)(meshReader *, const char *))
{
  char line[1024];
  const char *end = bytes + n;
  artStatus status = ART_OK;
  while (bytes < end && !status) {
    const char *stop = memchr(bytes, '\n', (size_t) (end - bytes));
    const size_t length = (size_t) ((stop ? stop : end) - bytes);
    r->line++;
    if (length >= sizeof line) return refuse_mesh(r, "a line is longer than 1000 characters");
    memcpy(line, bytes, length);
    line[length] = 0;
    if (length > 0 && line[length - 1] == '\r') line[length - 1] = 0;
    status = read(r, line);
    bytes = stop ? stop + 1 : end;
  }
  r->line = 0;
  return status;
}


static int ends_with(const char *name, const char *ending)
{
  const size_t n = strlen(name), m = strlen(ending);
  return n >= m && ascii_compare(name + n - m, ending) == 0;
}


static artStatus take_corner(void *reader, const double at[3])
{
  meshReader *r = reader;
  const double place[3] = {at[0] + 0, at[1] + 0, at[2] + 0}; // convert -0 to 0
  if (!is_vertex_place(place)) return refuse_mesh(r, "a vertex is not finite");
  return add_triangle_corner(r, find_vertex(r, place));
}


static artStatus read_scene(meshReader *r, const char *bytes, size_t n)
{
  const char *why;
  const artStatus status = scene_read_mesh(bytes, n, r->name, take_corner, r, &why);
  return status && why ? refuse_mesh(r, why) : status;
}


static artStatus read_all(meshReader *r, const char *bytes, size_t n)
{
  if (ends_with(r->name, ".obj")) return read_mesh_lines(r, bytes, n, read_obj_line);
  if (scene_is_mesh(r->name)) return read_scene(r, bytes, n);
  if (!ends_with(r->name, ".stl"))
    return refuse_mesh(r, "expected a name that ends with .stl, .obj, .dae, .gltf, .glb or .ply");

  // some binary files begin with "solid" as well: decide by the size
  const uint32_t count = n >= BINARY_HEAD ? little_endian(bytes + 80) : 0;
  const int is_binary =
      n >= BINARY_HEAD && n == BINARY_HEAD + (size_t) BINARY_TRIANGLE * (size_t) count;
  return is_binary ? read_binary(r, bytes, count) : read_mesh_lines(r, bytes, n, read_stl_line);
}


artStatus mesh_parse(modelMesh *mesh, const char *bytes, size_t n, const char *name, artPlace place,
                     baseArena *arena, artError *error)
{
  meshReader r = {.name = name, .place = place, .error = error};
  *mesh = (modelMesh){0};
  artStatus status = read_all(&r, bytes, n);
  if (!status && (r.ncorner == 0 || r.ncorner % 3 != 0)) {
    status =
        refuse_mesh(&r, r.ncorner ? "its last triangle is not complete" : "it has no triangles");
  }
  if (!status) {
    mesh->nvertex = r.nvertex;
    mesh->ntriangle = r.ncorner / 3;
    mesh->vertex = arena_copy(arena, r.vertex, (size_t) r.nvertex, sizeof r.vertex[0]);
    mesh->triangle = arena_copy(arena, r.corner, (size_t) r.ncorner, sizeof *r.corner);
    if (!mesh->vertex || !mesh->triangle) status = base_no_memory(error);
  }
  mem_free(r.vertex);
  mem_free(r.corner);
  mem_free(r.slot);
  mem_free(r.listed);
  return status;
}


artStatus mesh_read_bytes(const char *path, artPlace place, char **bytes, size_t *n,
                          artError *error)
{
  artError why = {0};
  struct stat about;
  *bytes = NULL;
  if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > MAX_FILE_SIZE)
    return base_fail(error, ART_BAD_INPUT, place, "mesh '%.200s' is larger than 128 MB", path);
  const artStatus status = file_read(path, bytes, n, &why);
  if (status == ART_NO_MEMORY) return base_no_memory(error);
  return status ? base_fail(error, ART_BAD_INPUT, place, "cannot read the mesh %s", why.text)
                : ART_OK;
}
