// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scenes as glTF 2.0 in a binary file: a JSON chunk, then one buffer of vertices, triangles, times and poses
// (Khronos, glTF 2.0 specification, sections 3 and 4).
#include "show/glb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/bytes.h"
#include "show/json.h"
#include "show/solid.h"
#include "spatial/pose.h"

enum { AROUND = 24, FLOAT = 5126, UINT = 5125, VERTICES = 34962, INDICES = 34963 };
static const double FASTEST = 1.0 / 60; // s between frames

// a piece of the buffer
typedef struct glbAccessor {
  size_t offset, length;
  int count, component, target;
  const char *type;
  int width; // numbers of an element, for low and high
  double low[3], high[3];
} glbAccessor;

typedef struct glbPart {
  int position, index, material; // accessors, material
} glbPart;

// what is drawn together: a body, ground, or a spring
typedef struct glbNode {
  const char *name;
  int npart, part0;
  int times, moves, turns, scales; // accessors; -1: none
} glbNode;

typedef struct glbWork {
  ioMotion *film;
  FILE *buffer;
  size_t length;
  int naccessor, accessor_room;
  glbAccessor *accessor;
  int npart, part_room;
  glbPart *part;
  int nnode, node_room;
  glbNode *node;
  int ncolour, colour_room;
  unsigned *colour;
  int nframe;
  double *time;  // [nframe]
  artPose *pose; // [nframe][nbody]
  baseArena arena;
  artError *error;
} glbWork;


//---- buffer --------------------------------------------------------------------------------------

static void put_float(glbWork *w, double x)
{
  unsigned char bytes[4];
  put_f32(bytes, (float) x);
  fwrite(bytes, 1, 4, w->buffer);
  w->length += 4;
}


static void put_index(glbWork *w, int i)
{
  unsigned char bytes[4];
  put_u32(bytes, (uint32_t) i);
  fwrite(bytes, 1, 4, w->buffer);
  w->length += 4;
}


// the numbers since `offset` as one accessor; -1 when memory ran out
static int add_accessor(glbWork *w, glbAccessor accessor)
{
  void *items = w->accessor;
  if (!mem_grow(&items, w->naccessor, &w->accessor_room, sizeof *w->accessor)) return -1;
  w->accessor = items;
  accessor.length = w->length - accessor.offset;
  w->accessor[w->naccessor] = accessor;
  return w->naccessor++;
}


//---- shapes --------------------------------------------------------------------------------------

static int material_of(glbWork *w, unsigned colour)
{
  for (int i = 0; i < w->ncolour; i++) {
    if (w->colour[i] == colour) return i;
  }
  void *items = w->colour;
  if (!mem_grow(&items, w->ncolour, &w->colour_room, sizeof *w->colour)) return -1;
  w->colour = items;
  w->colour[w->ncolour] = colour;
  return w->ncolour++;
}


static int add_positions(glbWork *w, const ioSolid *solid)
{
  glbAccessor a = {.offset = w->length,
                   .count = solid->nvertex,
                   .component = FLOAT,
                   .target = VERTICES,
                   .type = "VEC3",
                   .width = 3};
  for (int k = 0; k < 3; k++) a.low[k] = HUGE_VAL, a.high[k] = -HUGE_VAL;
  for (int i = 0; i < 3 * solid->nvertex; i++) {
    const double x = (double) solid->vertex[i];
    a.low[i % 3] = fmin(a.low[i % 3], x);
    a.high[i % 3] = fmax(a.high[i % 3], x);
    put_float(w, x);
  }
  return add_accessor(w, a);
}


static int add_indices(glbWork *w, const ioSolid *solid)
{
  const glbAccessor a = {.offset = w->length,
                         .count = 3 * solid->ntriangle,
                         .component = UINT,
                         .target = INDICES,
                         .type = "SCALAR"};
  for (int i = 0; i < 3 * solid->ntriangle; i++) put_index(w, solid->triangle[i]);
  return add_accessor(w, a);
}


static int add_part(glbWork *w, const ioSolid *solid, unsigned colour)
{
  if (solid->ntriangle == 0) return 1;
  void *items = w->part;
  if (!mem_grow(&items, w->npart, &w->part_room, sizeof *w->part)) return 0;
  w->part = items;
  const glbPart part = {add_positions(w, solid), add_indices(w, solid), material_of(w, colour)};
  w->part[w->npart++] = part;
  return part.position >= 0 && part.index >= 0 && part.material >= 0;
}


static glbNode *add_node(glbWork *w, const char *name)
{
  void *items = w->node;
  if (!mem_grow(&items, w->nnode, &w->node_room, sizeof *w->node)) return NULL;
  w->node = items;
  glbNode *node = &w->node[w->nnode++];
  *node = (glbNode){
      .name = name, .part0 = w->npart, .times = -1, .moves = -1, .turns = -1, .scales = -1};
  return node;
}


static int add_shapes(glbWork *w, const char *name, int n, const sceneShape *shape)
{
  glbNode *node = add_node(w, name);
  for (int i = 0; i < n && node; i++) {
    ioSolid solid;
    if (!solid_make(&solid, &shape[i], AROUND, &w->arena)) return 0;
    if (!add_part(w, &solid, shape[i].colour)) return 0;
  }
  if (node) node->npart = w->npart - node->part0;
  return node != NULL;
}


//---- motion --------------------------------------------------------------------------------------

static int add_times(glbWork *w)
{
  glbAccessor a = {.offset = w->length,
                   .count = w->nframe,
                   .component = FLOAT,
                   .type = "SCALAR",
                   .width = 1,
                   .low = {w->time[0]},
                   .high = {w->time[w->nframe - 1]}};
  for (int f = 0; f < w->nframe; f++) put_float(w, w->time[f]);
  a.low[0] = (double) (float) a.low[0];
  a.high[0] = (double) (float) a.high[0];
  return add_accessor(w, a);
}


static void add_body_motion(glbWork *w, glbNode *node, int body, int times)
{
  const int nbody = w->film->scene.nbody;
  node->times = times;
  glbAccessor moves = {.offset = w->length, .count = w->nframe, .component = FLOAT, .type = "VEC3"};
  for (int f = 0; f < w->nframe; f++) {
    for (int k = 0; k < 3; k++) put_float(w, w->pose[f * nbody + body].position[k]);
  }
  node->moves = add_accessor(w, moves);

  // x y z w of unit length
  glbAccessor turns = {.offset = w->length, .count = w->nframe, .component = FLOAT, .type = "VEC4"};
  for (int f = 0; f < w->nframe; f++) {
    const double *q = w->pose[f * nbody + body].rotation;
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) put_float(w, q[(k + 1) % 4] / (norm > 0 ? norm : 1));
  }
  node->turns = add_accessor(w, turns);
}


// from one end to the other: z of the coil along the line, as long as the line
static artPose spring_pose(const glbWork *w, int f, int force, double *length)
{
  const artPose *pose = w->pose + (size_t) f * (size_t) w->film->scene.nbody;
  double a[3], b[3];
  motion_end(w->film, pose, force, 0, a);
  motion_end(w->film, pose, force, 1, b);
  const double span[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  *length = sqrt(span[0] * span[0] + span[1] * span[1] + span[2] * span[2]);
  artPose line = {.position = {a[0], a[1], a[2]}, .rotation = {1, 0, 0, 0}};
  if (*length > 0) pose_quaternion(pose_align(span, (double[3]){0}), line.rotation);
  return line;
}


static void add_spring_motion(glbWork *w, glbNode *node, int force, int times)
{
  double length;
  const double radius = w->film->scene.force[force].radius;
  node->times = times;
  glbAccessor moves = {.offset = w->length, .count = w->nframe, .component = FLOAT, .type = "VEC3"};
  for (int f = 0; f < w->nframe; f++) {
    const artPose pose = spring_pose(w, f, force, &length);
    for (int k = 0; k < 3; k++) put_float(w, pose.position[k]);
  }
  node->moves = add_accessor(w, moves);
  glbAccessor turns = {.offset = w->length, .count = w->nframe, .component = FLOAT, .type = "VEC4"};
  for (int f = 0; f < w->nframe; f++) {
    const artPose pose = spring_pose(w, f, force, &length);
    for (int k = 0; k < 4; k++) put_float(w, pose.rotation[(k + 1) % 4]);
  }
  node->turns = add_accessor(w, turns);
  glbAccessor scales = {
      .offset = w->length, .count = w->nframe, .component = FLOAT, .type = "VEC3"};
  for (int f = 0; f < w->nframe; f++) {
    spring_pose(w, f, force, &length);
    put_float(w, radius);
    put_float(w, radius);
    put_float(w, length);
  }
  node->scales = add_accessor(w, scales);
}


static int is_spring(const sceneForce *force)
{
  return force->nend == 2 && force->radius > 0 && force->glyph == ART_GLYPH_COIL;
}


static int add_spring(glbWork *w, int force, int times)
{
  ioSolid coil;
  glbNode *node = add_node(w, w->film->scene.force[force].name);
  if (!node || !solid_make_coil(&coil, 7, 0.15, &w->arena) || !add_part(w, &coil, 0x9aa0a8)) {
    return 0;
  }
  node->npart = 1;
  add_spring_motion(w, node, force, times);
  return 1;
}


// frames that are not too near to each other, time going on
static artStatus take_frames(glbWork *w)
{
  ioMotion *m = w->film;
  const size_t nbody = (size_t) m->scene.nbody;
  w->time = MEM_ARRAY(double, m->frames);
  w->pose = mem_alloc((size_t) m->frames * (nbody + 1), sizeof *w->pose);
  if (!w->time || !w->pose) return base_no_memory(w->error);
  for (long f = 0; f < m->frames; f++) {
    double time;
    artPose *pose = w->pose + (size_t) w->nframe * nbody;
    if (!motion_read(m, f, &time, pose)) break;
    const int is_last = f + 1 == m->frames;
    if (!isfinite(time)) continue;
    if (w->nframe > 0 && !(time - w->time[w->nframe - 1] > (is_last ? 1e-6 : 0.999 * FASTEST))) {
      continue;
    }
    w->time[w->nframe++] = time;
  }
  return ART_OK;
}


static int fill(glbWork *w)
{
  const ioScene *scene = &w->film->scene;
  const int times = add_times(w);
  if (times < 0 || !add_shapes(w, "ground", scene->nground, scene->ground)) return 0;
  for (int i = 0; i < scene->nbody; i++) {
    if (!add_shapes(w, scene->body[i].name, scene->body[i].nshape, scene->body[i].shape)) return 0;
    add_body_motion(w, &w->node[w->nnode - 1], i, times);
  }
  for (int f = 0; f < scene->nforce; f++) {
    if (is_spring(&scene->force[f]) && !add_spring(w, f, times)) return 0;
  }
  return !ferror(w->buffer);
}


//---- JSON ----------------------------------------------------------------------------------------

static void write_nodes(ioJson *json, const glbWork *w)
{
  // the first node stands the machine up: z of ours is y of glTF
  const double up[4] = {-sqrt(0.5), 0, 0, sqrt(0.5)};
  json_array(json, "nodes");
  json_object(json, NULL);
  json_text(json, "name", "machine");
  json_numbers(json, "rotation", 4, up);
  json_list(json, "children");
  for (int i = 0; i < w->nnode; i++) json_integer(json, NULL, i + 1);
  json_end(json);
  json_end(json);
  for (int i = 0, mesh = 0; i < w->nnode; i++) {
    json_object(json, NULL);
    json_text(json, "name", w->node[i].name);
    if (w->node[i].npart > 0) json_integer(json, "mesh", mesh++);
    json_end(json);
  }
  json_end(json);
}


static void write_meshes(ioJson *json, const glbWork *w)
{
  json_array(json, "meshes");
  for (int i = 0; i < w->nnode; i++) {
    if (w->node[i].npart == 0) continue;
    json_object(json, NULL);
    json_text(json, "name", w->node[i].name);
    json_array(json, "primitives");
    for (int k = 0; k < w->node[i].npart; k++) {
      const glbPart *part = &w->part[w->node[i].part0 + k];
      json_object(json, NULL);
      json_item(json, "attributes", "POSITION: %d", part->position);
      json_fields(json, "indices: %d, material: %d", part->index, part->material);
      json_end(json);
    }
    json_end(json);
    json_end(json);
  }
  json_end(json);
}


// colours of screens are not linear in light: c = ((s + 0.055) / 1.055)^2.4
static double linear(unsigned byte)
{
  const double s = byte / 255.0;
  return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}


static void write_materials(ioJson *json, const glbWork *w)
{
  json_array(json, "materials");
  for (int i = 0; i < w->ncolour; i++) {
    const unsigned c = w->colour[i];
    const double colour[4] = {linear(c >> 16 & 255), linear(c >> 8 & 255), linear(c & 255), 1};
    json_object(json, NULL);
    json_object(json, "pbrMetallicRoughness");
    json_numbers(json, "baseColorFactor", 4, colour);
    json_fields(json, "metallicFactor: %g, roughnessFactor: %g", 0.1, 0.6);
    json_end(json);
    json_end(json);
  }
  json_end(json);
}


static void write_accessors(ioJson *json, const glbWork *w)
{
  json_array(json, "accessors");
  for (int i = 0; i < w->naccessor; i++) {
    const glbAccessor *a = &w->accessor[i];
    json_object(json, NULL);
    json_fields(json, "bufferView: %d, componentType: %d, count: %d, type: %s", i, a->component,
                a->count, a->type);
    if (a->width > 0) {
      json_numbers(json, "min", a->width, a->low);
      json_numbers(json, "max", a->width, a->high);
    }
    json_end(json);
  }
  json_end(json);
  json_array(json, "bufferViews");
  for (int i = 0; i < w->naccessor; i++) {
    const glbAccessor *a = &w->accessor[i];
    json_object(json, NULL);
    json_fields(json, "buffer: %d, byteOffset: %lld, byteLength: %lld", 0, (long long) a->offset,
                (long long) a->length);
    if (a->target) json_integer(json, "target", a->target);
    json_end(json);
  }
  json_end(json);
}


static void write_channel(ioJson *json, int sampler, int node, const char *path)
{
  json_object(json, NULL);
  json_integer(json, "sampler", sampler);
  json_item(json, "target", "node: %d, path: %s", node, path);
  json_end(json);
}


static void write_sampler(ioJson *json, int input, int output)
{
  json_item(json, NULL, "input: %d, output: %d, interpolation: %s", input, output, "LINEAR");
}


static void write_animation(ioJson *json, const glbWork *w)
{
  static const char *const paths[] = {"translation", "rotation", "scale"};
  json_array(json, "animations");
  json_object(json, NULL);
  json_text(json, "name", "motion");
  json_array(json, "channels");
  for (int i = 0, sampler = 0; i < w->nnode; i++) {
    const int outputs[3] = {w->node[i].moves, w->node[i].turns, w->node[i].scales};
    for (int k = 0; k < 3; k++) {
      if (outputs[k] >= 0) write_channel(json, sampler++, i + 1, paths[k]);
    }
  }
  json_end(json);
  json_array(json, "samplers");
  for (int i = 0; i < w->nnode; i++) {
    const int outputs[3] = {w->node[i].moves, w->node[i].turns, w->node[i].scales};
    for (int k = 0; k < 3; k++) {
      if (outputs[k] >= 0) write_sampler(json, w->node[i].times, outputs[k]);
    }
  }
  json_end(json);
  json_end(json);
  json_end(json);
}


static void write_json(ioJson *json, const glbWork *w)
{
  json_object(json, NULL);
  json_item(json, "asset", "version: %s, generator: %s", "2.0", "articula " ART_VERSION);
  json_integer(json, "scene", 0);
  json_array(json, "scenes");
  json_object(json, NULL);
  json_numbers(json, "nodes", 1, (double[]){0});
  json_end(json);
  json_end(json);
  write_nodes(json, w);
  write_meshes(json, w);
  write_materials(json, w);
  write_accessors(json, w);
  write_animation(json, w);
  json_array(json, "buffers");
  json_item(json, NULL, "byteLength: %lld", (long long) w->length);
  json_end(json);
  json_end(json);
}


//---- file ----------------------------------------------------------------------------------------

static void write_chunk(FILE *stream, uint32_t type, char fill_with, const char *bytes, size_t n)
{
  unsigned char head[8];
  const size_t padded = (n + 3) / 4 * 4;
  put_u32(head, (uint32_t) padded);
  put_u32(head + 4, type);
  fwrite(head, 1, sizeof head, stream);
  fwrite(bytes, 1, n, stream);
  for (size_t i = n; i < padded; i++) fputc(fill_with, stream);
}


static artStatus save(glbWork *w, const char *path, const char *buffer)
{
  char *text = NULL;
  size_t length = 0;
  baseFile file;
  FILE *stream = open_memstream(&text, &length);
  if (!stream) return base_no_memory(w->error);
  ioJson json = {.file = stream};
  write_json(&json, w);
  artStatus status = file_close_text(stream, &text) ? ART_OK : base_no_memory(w->error);
  if (!status) status = file_begin(&file, path, w->error);
  if (!status) {
    unsigned char head[12] = "glTF";
    put_u32(head + 4, 2);
    put_u32(head + 8, (uint32_t) (12 + 16 + (length + 3) / 4 * 4 + (w->length + 3) / 4 * 4));
    fwrite(head, 1, sizeof head, file.stream);
    write_chunk(file.stream, 0x4e4f534au, ' ', text, length);
    write_chunk(file.stream, 0x004e4942u, 0, buffer, w->length);
    status = file_commit(&file, w->error);
  }
  free(text);
  return status;
}


artStatus glb_write(ioMotion *film, const char *path, artError *error)
{
  glbWork w = {.film = film, .error = error};
  char *buffer = NULL;
  size_t length = 0;
  w.buffer = open_memstream(&buffer, &length);
  artStatus status = w.buffer ? take_frames(&w) : base_no_memory(error);
  if (!status && !fill(&w)) status = base_no_memory(error);
  if (w.buffer && !file_close_text(w.buffer, &buffer) && !status) status = base_no_memory(error);
  if (!status && w.length > 0xf0000000u) {
    status = base_fail(error, ART_BAD_INPUT, (artPlace){.file = film->reader.path},
                       "the animation would be larger than 4 GB; run with a longer --interval");
  }
  if (!status) status = save(&w, path, buffer);
  free(buffer);
  mem_free(w.accessor);
  mem_free(w.part);
  mem_free(w.node);
  mem_free(w.colour);
  mem_free(w.time);
  mem_free(w.pose);
  arena_free(&w.arena);
  return status;
}
