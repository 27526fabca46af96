// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scenes as binary glTF 2.0: a JSON chunk, then one buffer of vertices, triangles, times and poses
// (Khronos, glTF 2.0 specification, sections 3 and 4).
#include "show/glb.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/throw.h"
#include "show/bytes.h"
#include "show/json.h"
#include "show/triangles.h"
#include "spatial/pose.h"

enum { AROUND = 24, FLOAT = 5126, UINT = 5125, VERTICES = 34962, INDICES = 34963 };
static const double MIN_FRAME_INTERVAL = 1.0 / 60; // s, shortest time between frames

// a section of the buffer
typedef struct glbAccessor {
  size_t offset, length;
  int count, component, target;
  const char *type;
  int width; // components per element, for low and high; 0: no limits
  double low[3], high[3];
} glbAccessor;

typedef struct glbPart {
  int position, index, material; // indices of accessors and of the material
} glbPart;

// animated properties of a node, in the order of paths
enum { MOVES, TURNS, SCALES, MOTIONS };
static const char *const paths[MOTIONS] = {"translation", "rotation", "scale"};

// shapes with a common node: a body, ground, or a spring
typedef struct glbNode {
  const char *name;
  int npart, part0;
  int motion[MOTIONS]; // indices of accessors; -1: none
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
  int times; // index of the accessor
  int nframe;
  double *time;  // [nframe]
  artPose *pose; // [nframe][nbody]
  const char *path;
  char *bytes, *text; // buffer and JSON, from malloc
  baseArena arena;    // throws on failure
} glbWork;


//---- buffer --------------------------------------------------------------------------------------

// grow a list by one item
#define GROW_GLB_LIST(w, list, n, room)                                                            \
  ((w)->list = arena_grow(&(w)->arena, (w)->list, (w)->n, &(w)->room, sizeof *(w)->list))


static void put_glb_floats(glbWork *w, int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    unsigned char bytes[4];
    put_f32(bytes, (float) x[i]);
    fwrite(bytes, 1, 4, w->buffer);
    w->length += 4;
  }
}


// make an accessor of the data since its offset
static int add_accessor(glbWork *w, glbAccessor accessor)
{
  GROW_GLB_LIST(w, accessor, naccessor, accessor_room);
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
  GROW_GLB_LIST(w, colour, ncolour, colour_room);
  w->colour[w->ncolour] = colour;
  return w->ncolour++;
}


static void add_glb_part(glbWork *w, const ioSolid *solid, unsigned colour)
{
  if (solid->ntriangle == 0) return;
  GROW_GLB_LIST(w, part, npart, part_room);
  glbAccessor positions = {.offset = w->length,
                           .count = solid->nvertex,
                           .component = FLOAT,
                           .target = VERTICES,
                           .type = "VEC3",
                           .width = 3,
                           .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                           .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (int i = 0; i < 3 * solid->nvertex; i++) {
    const double x = (double) solid->vertex[i];
    positions.low[i % 3] = fmin(positions.low[i % 3], x);
    positions.high[i % 3] = fmax(positions.high[i % 3], x);
    put_glb_floats(w, 1, &x);
  }
  glbPart part = {.position = add_accessor(w, positions)};
  const glbAccessor indices = {.offset = w->length,
                               .count = 3 * solid->ntriangle,
                               .component = UINT,
                               .target = INDICES,
                               .type = "SCALAR"};
  for (int i = 0; i < 3 * solid->ntriangle; i++) {
    unsigned char bytes[4];
    put_u32(bytes, (uint32_t) solid->triangle[i]);
    fwrite(bytes, 1, 4, w->buffer);
    w->length += 4;
  }
  part.index = add_accessor(w, indices);
  part.material = material_of(w, colour);
  w->part[w->npart++] = part;
}


static glbNode *add_glb_node(glbWork *w, const char *name)
{
  GROW_GLB_LIST(w, node, nnode, node_room);
  glbNode *node = &w->node[w->nnode++];
  *node = (glbNode){.name = name, .part0 = w->npart, .motion = {-1, -1, -1}};
  return node;
}


static glbNode *add_glb_shapes(glbWork *w, const char *name, int n, const sceneShape *shape)
{
  glbNode *node = add_glb_node(w, name);
  for (int i = 0; i < n; i++) {
    ioSolid solid;
    solid_make(&solid, &shape[i], AROUND, &w->arena);
    add_glb_part(w, &solid, shape[i].colour);
  }
  node->npart = w->npart - node->part0;
  return node;
}


//---- motion --------------------------------------------------------------------------------------

static glbAccessor begin_motion(const glbWork *w, const char *type)
{
  return (glbAccessor){.offset = w->length, .count = w->nframe, .component = FLOAT, .type = type};
}


// convert a quaternion to the order x y z w
static void put_turn(glbWork *w, const double q[4], double scale)
{
  put_glb_floats(w, 4, (double[]){q[1] / scale, q[2] / scale, q[3] / scale, q[0] / scale});
}


static void add_body_motion(glbWork *w, glbNode *node, int body)
{
  const artPose *pose = w->pose + body;
  const int nbody = w->film->scene.nbody;
  const glbAccessor moves = begin_motion(w, "VEC3");
  for (int f = 0; f < w->nframe; f++) put_glb_floats(w, 3, pose[f * nbody].position);
  node->motion[MOVES] = add_accessor(w, moves);
  const glbAccessor turns = begin_motion(w, "VEC4");
  for (int f = 0; f < w->nframe; f++) {
    const double *q = pose[f * nbody].rotation;
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    put_turn(w, q, norm > 0 ? norm : 1);
  }
  node->motion[TURNS] = add_accessor(w, turns);
}


// pose of a coil between the ends of a spring: z along the line; *length is its scale
static artPose spring_pose(const glbWork *w, int f, int force, double *length)
{
  ART_ASSERT(force >= 0 && force < w->film->scene.nforce);
  const artPose *pose = w->pose + (size_t) f * (size_t) w->film->scene.nbody;
  double a[3], b[3];
  scene_force_end(&w->film->scene, pose, force, 0, a);
  scene_force_end(&w->film->scene, pose, force, 1, b);
  const double span[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  *length = sqrt(span[0] * span[0] + span[1] * span[1] + span[2] * span[2]);
  artPose line = {.position = {a[0], a[1], a[2]}, .rotation = {1, 0, 0, 0}};
  if (*length > 0) pose_quaternion(pose_align(span, (double[3]){0}), line.rotation);
  return line;
}


static void add_glb_spring(glbWork *w, int force)
{
  static const char *const types[MOTIONS] = {"VEC3", "VEC4", "VEC3"};
  const double radius = w->film->scene.force[force].radius;
  ioSolid coil;
  glbNode *node = add_glb_node(w, w->film->scene.force[force].name);
  solid_make_coil(&coil, 7, 0.15, &w->arena);
  add_glb_part(w, &coil, 0x9aa0a8);
  node->npart = 1;
  for (int k = 0; k < MOTIONS; k++) {
    const glbAccessor path = begin_motion(w, types[k]);
    for (int f = 0; f < w->nframe; f++) {
      double length;
      const artPose pose = spring_pose(w, f, force, &length);
      if (k == MOVES) put_glb_floats(w, 3, pose.position);
      if (k == TURNS) put_turn(w, pose.rotation, 1);
      if (k == SCALES) put_glb_floats(w, 3, (double[]){radius, radius, length});
    }
    node->motion[k] = add_accessor(w, path);
  }
}


// choose frames at sufficient distances, with increasing times
static void take_frames(glbWork *w)
{
  ioMotion *m = w->film;
  const size_t nbody = (size_t) m->scene.nbody;
  ARENA_TAKE(&w->arena, w->time, m->frames);
  ARENA_TAKE(&w->arena, w->pose, (size_t) m->frames * nbody);
  for (long f = 0; f < m->frames; f++) {
    double time;
    artPose *pose = w->pose + (size_t) w->nframe * nbody;
    if (!motion_read(m, f, &time, pose)) break;
    const double least = f + 1 == m->frames ? 1e-6 : 0.999 * MIN_FRAME_INTERVAL;
    if (!isfinite(time)) continue;
    if (w->nframe > 0 && !(time - w->time[w->nframe - 1] > least)) continue;
    w->time[w->nframe++] = time;
  }
}


// write times, then shapes and motion of ground, bodies and springs
static void fill_glb_buffer(glbWork *w)
{
  const ioScene *scene = &w->film->scene;
  glbAccessor times = begin_motion(w, "SCALAR");
  times.width = 1;
  times.low[0] = (double) (float) w->time[0];
  times.high[0] = (double) (float) w->time[w->nframe - 1];
  put_glb_floats(w, w->nframe, w->time);
  w->times = add_accessor(w, times);
  add_glb_shapes(w, "ground", scene->nground, scene->ground);
  for (int i = 0; i < scene->nbody; i++) {
    const sceneBody *body = &scene->body[i];
    add_body_motion(w, add_glb_shapes(w, body->name, body->nshape, body->shape), i);
  }
  for (int f = 0; f < scene->nforce; f++) {
    const sceneForce *force = &scene->force[f];
    const bool is_spring = force->nend == 2 && force->radius > 0 && force->glyph == ART_GLYPH_COIL;
    if (is_spring) add_glb_spring(w, f);
  }
}


//---- JSON ----------------------------------------------------------------------------------------

static void write_nodes(ioJson *json, const glbWork *w)
{
  // the root node rotates our z to the y of glTF
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


// convert sRGB to linear: c = ((s + 0.055) / 1.055)^2.4
static double linear_light(unsigned byte)
{
  const double s = byte / 255.0;
  return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}


static void write_materials(ioJson *json, const glbWork *w)
{
  json_array(json, "materials");
  for (int i = 0; i < w->ncolour; i++) {
    const unsigned c = w->colour[i];
    const double colour[4] = {linear_light(c >> 16 & 255), linear_light(c >> 8 & 255),
                              linear_light(c & 255), 1};
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


static void write_animation(ioJson *json, const glbWork *w)
{
  json_array(json, "animations");
  json_object(json, NULL);
  json_text(json, "name", "motion");
  json_array(json, "channels");
  for (int i = 0, sampler = 0; i < MOTIONS * w->nnode; i++) {
    if (w->node[i / MOTIONS].motion[i % MOTIONS] < 0) continue;
    json_object(json, NULL);
    json_integer(json, "sampler", sampler++);
    json_item(json, "target", "node: %d, path: %s", i / MOTIONS + 1, paths[i % MOTIONS]);
    json_end(json);
  }
  json_end(json);
  json_array(json, "samplers");
  for (int i = 0; i < MOTIONS * w->nnode; i++) {
    const int output = w->node[i / MOTIONS].motion[i % MOTIONS];
    if (output < 0) continue;
    json_item(json, NULL, "input: %d, output: %d, interpolation: %s", w->times, output, "LINEAR");
  }
  json_end(json);
  json_end(json);
  json_end(json);
}


static void write_glb_json(ioJson *json, const glbWork *w)
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
  write_materials(json, w);
  write_accessors(json, w);
  write_animation(json, w);
  json_array(json, "buffers");
  json_item(json, NULL, "byteLength: %lld", (long long) w->length);
  json_end(json);
  json_end(json);
}


//---- file ----------------------------------------------------------------------------------------

static void write_glb_chunk(FILE *stream, uint32_t type, char fill_with, const char *bytes,
                            size_t n)
{
  unsigned char head[8];
  const size_t padded = (n + 3) / 4 * 4;
  put_u32(head, (uint32_t) padded);
  put_u32(head + 4, type);
  fwrite(head, 1, sizeof head, stream);
  fwrite(bytes, 1, n, stream);
  for (size_t i = n; i < padded; i++) fputc(fill_with, stream);
}


static void save_glb_file(glbWork *w)
{
  size_t length = 0;
  baseFile file;
  ioJson json = {.file = open_memstream(&w->text, &length)};
  if (json.file) write_glb_json(&json, w);
  if (!json.file || !file_close_text(json.file, &w->text)) error_throw();
  error_check(file_begin(&file, w->path, error_current()));
  unsigned char head[12] = "glTF";
  put_u32(head + 4, 2);
  put_u32(head + 8, (uint32_t) (12 + 16 + (length + 3) / 4 * 4 + (w->length + 3) / 4 * 4));
  fwrite(head, 1, sizeof head, file.stream);
  write_glb_chunk(file.stream, 0x4e4f534au, ' ', w->text, length);
  write_glb_chunk(file.stream, 0x004e4942u, 0, w->bytes, w->length);
  error_check(file_commit(&file, error_current()));
}


static void make_glb(void *context)
{
  glbWork *w = context;
  FILE *buffer = w->buffer;
  take_frames(w);
  fill_glb_buffer(w);
  w->buffer = NULL;
  if (!file_close_text(buffer, &w->bytes)) error_throw();
  if (w->length > 0xf0000000u) {
    error_refuse((artPlace){.file = w->film->reader.path},
                 "the animation would be larger than 4 GB; run with a longer --interval");
  }
  save_glb_file(w);
}


artStatus glb_write(ioMotion *film, const char *path, artError *error)
{
  size_t length = 0;
  glbWork w = {.film = film, .path = path, .arena.leaves = 1};
  w.buffer = open_memstream(&w.bytes, &length);
  const artStatus status = w.buffer ? error_try(make_glb, &w, error) : base_no_memory(error);
  if (w.buffer) fclose(w.buffer);
  free(w.bytes);
  free(w.text);
  arena_free(&w.arena);
  return status;
}
