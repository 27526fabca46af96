// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of scene files: header, frames and columns at computed offsets.
#include "show/scene_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/bytes.h"
#include "spatial/pose.h"

//---- the header as a scene: bodies, shapes, joints, forces, road, vectors, channels; all checked -

// errors, including lack of memory, are thrown
typedef struct sceneParser {
  ioScene *scene;
  const jsonNode *root;
  const char *name;
} sceneParser;


_Noreturn static void refuse_part(const sceneParser *p, const char *what, const char *of)
{
  error_refuse((artPlace){.file = p->name},
               "is a damaged scene file: %s of '%.100s' makes no sense", what, of);
}


// allocate the items of a list
static void *take_scene_items(const sceneParser *p, const jsonNode *node, const char *key,
                              size_t size)
{
  return arena_alloc(&p->scene->arena, (size_t) json_find_count(node, key), size);
}


static const jsonNode *first_item_of(const jsonNode *node, const char *key)
{
  return json_find_count(node, key) > 0 ? json_find(node, key)->first : NULL;
}


static bool is_body(const sceneParser *p, int body)
{
  return body >= -1 && body < p->scene->nbody;
}


// seven numbers, of which the last four are a quaternion
static bool read_scene_pose(const jsonNode *node, const char *key, artPose *pose)
{
  double numbers[7];
  if (!json_find_numbers(node, key, 7, numbers)) return false;
  memcpy(pose->position, numbers, sizeof pose->position);
  memcpy(pose->rotation, numbers + 3, sizeof pose->rotation);
  double square = 0;
  for (int k = 3; k < 7; k++) square += numbers[k] * numbers[k];
  return fabs(square - 1) < 1e-3;
}


//---- the header: shapes --------------------------------------------------------------------------

static void read_scene_mesh(const sceneParser *p, const jsonNode *node, sceneShape *shape)
{
  const int vertices = json_find_count(node, "vertices"),
            triangles = json_find_count(node, "triangles");
  float *vertex = take_scene_items(p, node, "vertices", sizeof *vertex);
  int *triangle = take_scene_items(p, node, "triangles", sizeof *triangle);
  if (vertices % 3 || triangles % 3) refuse_part(p, "the mesh", "a shape");
  shape->nvertex = vertices / 3;
  shape->ntriangle = triangles / 3;
  shape->vertex = vertex;
  shape->triangle = triangle;
  for (const jsonNode *item = first_item_of(node, "vertices"); item; item = item->next) {
    if (item->kind != JSON_NUMBER || fabs(item->number) > 1e30)
      refuse_part(p, "a vertex", "a mesh");
    *vertex++ = (float) item->number;
  }
  for (const jsonNode *item = first_item_of(node, "triangles"); item; item = item->next) {
    const double i = item->kind == JSON_NUMBER ? item->number : -1;
    if (!(i >= 0 && i < shape->nvertex)) refuse_part(p, "a triangle", "a mesh");
    *triangle++ = (int) i;
  }
}


static bool is_scene_length(double x)
{
  return x >= 0 && x < 1e30;
}


// a shape; only meshes have more than numbers
static void read_scene_shape(const sceneParser *p, const jsonNode *node, sceneShape *shape)
{
  const char *type = json_find_text(node, "type", "");
  const char *colour = json_find_text(node, "colour", "#808080");
  for (int k = 0; k < SHAPE_TYPES; k++) {
    if (strcmp(scene_shape_name((sceneShapeType) k), type) == 0) shape->type = (sceneShapeType) k;
  }
  if (strcmp(scene_shape_name(shape->type), type) != 0) refuse_part(p, "the type of a shape", type);
  if (!read_scene_pose(node, "pose", &shape->pose)) refuse_part(p, "the pose", type);
  shape->colour = (unsigned) strtoul(colour[0] == '#' ? colour + 1 : "808080", NULL, 16) & 0xffffff;
  shape->is_default = json_find_bool(node, "default");
  shape->radius = json_find_number(node, "radius", 0);
  shape->length = json_find_number(node, "length", 0);
  const bool is_sized =
      shape->type != SHAPE_BOX ||
      (json_find_numbers(node, "size", 3, shape->size) && is_scene_length(shape->size[0]) &&
       is_scene_length(shape->size[1]) && is_scene_length(shape->size[2]));
  if (!is_scene_length(shape->radius) || !is_scene_length(shape->length) || !is_sized)
    refuse_part(p, "the size", type);
  if (shape->type == SHAPE_MESH) read_scene_mesh(p, node, shape);
}


static void read_scene_shapes(const sceneParser *p, const jsonNode *node, int *n,
                              sceneShape **shapes)
{
  *shapes = take_scene_items(p, node, "shapes", sizeof **shapes);
  for (const jsonNode *item = first_item_of(node, "shapes"); item; item = item->next) {
    read_scene_shape(p, item, &(*shapes)[(*n)++]);
  }
}


//---- the header: parts ---------------------------------------------------------------------------

static void read_bodies(const sceneParser *p)
{
  ioScene *scene = p->scene;
  scene->body = take_scene_items(p, p->root, "bodies", sizeof *scene->body);
  for (const jsonNode *item = first_item_of(p->root, "bodies"); item; item = item->next) {
    sceneBody *body = &scene->body[scene->nbody++];
    body->name = json_find_text(item, "name", "");
    body->mass = json_find_number(item, "mass", 0);
    body->parent = json_find_index(item, "parent", -1);
    body->is_rod = json_find_bool(item, "rod");
    json_find_numbers(item, "com", 3, body->com);
    json_find_numbers(item, "inertia", 6, body->inertia);
    read_scene_shapes(p, item, &body->nshape, &body->shape);
  }
  for (int i = 0; i < scene->nbody; i++) {
    if (!is_body(p, scene->body[i].parent)) refuse_part(p, "the parent", scene->body[i].name);
  }
  read_scene_shapes(p, json_find(p->root, "ground"), &scene->nground, &scene->ground);
}


static void read_scene_joints(const sceneParser *p)
{
  ioScene *scene = p->scene;
  scene->joint = take_scene_items(p, p->root, "joints", sizeof *scene->joint);
  for (const jsonNode *item = first_item_of(p->root, "joints"); item; item = item->next) {
    const jsonNode *at = json_find(item, "at");
    sceneJoint *joint = &scene->joint[scene->njoint++];
    *joint =
        (sceneJoint){.name = json_find_text(item, "name", ""),
                     .type = json_find_text(item, "type", ""),
                     .body = {json_find_index(item, "from", -1), json_find_index(item, "to", -1)},
                     .is_cut = json_find_bool(item, "cut")};
    if (!is_body(p, joint->body[0]) || !is_body(p, joint->body[1]) ||
        !read_scene_pose(at, "from", &joint->end[0]) ||
        !read_scene_pose(at, "to", &joint->end[1])) {
      refuse_part(p, "the place", joint->name);
    }
  }
}


// the glyph of an element; unknown names draw nothing
static artGlyph find_glyph(const jsonNode *node)
{
  const char *word = json_find_text(node, "glyph", NULL);
  if (!word)
    return (strstr((json_find_text(node, "type", "")), "spring") ? ART_GLYPH_COIL : ART_GLYPH_NONE);
  int i = 0;
  while (scene_glyph_names[i] && strcmp(scene_glyph_names[i], word) != 0) i++;
  return scene_glyph_names[i] ? (artGlyph) i : ART_GLYPH_NONE;
}


static void read_forces(const sceneParser *p)
{
  ioScene *scene = p->scene;
  scene->force = take_scene_items(p, p->root, "forces", sizeof *scene->force);
  for (const jsonNode *item = first_item_of(p->root, "forces"); item; item = item->next) {
    sceneForce *force = &scene->force[scene->nforce++];
    *force = (sceneForce){.name = json_find_text(item, "name", ""),
                          .type = json_find_text(item, "type", ""),
                          .glyph = find_glyph(item),
                          .radius = json_find_number(item, "radius", 0),
                          .width = json_find_number(item, "width", 0),
                          .rest = json_find_number(item, "rest", 0)};
    for (const jsonNode *end = first_item_of(item, "ends"); end && force->nend < 2;
         end = end->next) {
      force->body[force->nend] = json_find_index(end, "body", -2);
      if (!is_body(p, force->body[force->nend]) ||
          !json_find_numbers(end, "point", 3, force->point[force->nend])) {
        refuse_part(p, "an end", force->name);
      }
      force->nend++;
    }
  }
}


static void read_scene_road(const sceneParser *p)
{
  const jsonNode *node = json_find(p->root, "road");
  if (!node || node->kind != JSON_OBJECT) return;
  sceneRoad *road = ARENA_TAKE(&p->scene->arena, p->scene->road, 1);
  if (strcmp(json_find_text(node, "type", ""), "grid") != 0) return;
  road->x0 = json_find_number(node, "x0", 0);
  road->y0 = json_find_number(node, "y0", 0);
  road->dx = json_find_number(node, "dx", 1);
  road->dy = json_find_number(node, "dy", 1);
  road->nx = json_find_index(node, "nx", 0);
  road->ny = json_find_index(node, "ny", 0);
  float *z = road->z = take_scene_items(p, node, "z", sizeof *z);
  if (road->nx < 2 || road->ny < 2 || json_find_count(node, "z") / road->nx != road->ny ||
      json_find_count(node, "z") % road->nx != 0) {
    refuse_part(p, "the grid", "the road");
  }
  for (const jsonNode *item = first_item_of(node, "z"); item; item = item->next) {
    if (item->kind != JSON_NUMBER || fabs(item->number) > 1e30)
      refuse_part(p, "a height", "the road");
    *z++ = (float) item->number;
  }
}


static sceneVectorKind vector_kind(const char *word)
{
  return strcmp(word, "torque") == 0     ? VECTOR_TORQUE
         : strcmp(word, "reaction") == 0 ? VECTOR_REACTION
         : strcmp(word, "contact") == 0  ? VECTOR_CONTACT
                                         : VECTOR_FORCE;
}


// loops, vectors and channels, which need no checks
static void read_names(const sceneParser *p)
{
  ioScene *scene = p->scene;
  const jsonNode *root = p->root;
  scene->loop = take_scene_items(p, root, "loops", sizeof *scene->loop);
  scene->vector = take_scene_items(p, root, "vectors", sizeof *scene->vector);
  scene->channel = take_scene_items(p, root, "channels", sizeof *scene->channel);
  for (const jsonNode *item = first_item_of(root, "loops"); item; item = item->next) {
    scene->loop[scene->nloop++] =
        (sceneLoop){json_find_text(item, "name", ""), json_find_text(item, "type", ""),
                    json_find_index(item, "joint", -1)};
  }
  for (const jsonNode *item = first_item_of(root, "vectors"); item; item = item->next) {
    scene->vector[scene->nvector++] =
        (sceneVector){.name = json_find_text(item, "name", ""),
                      .kind = vector_kind(json_find_text(item, "kind", "")),
                      .unit = json_find_text(item, "unit", ""),
                      .body = json_find_index(item, "body", -1),
                      .element = -1,
                      .joint = -1};
  }
  for (const jsonNode *item = first_item_of(root, "channels"); item; item = item->next) {
    scene->channel[scene->nchannel++] =
        (sceneChannel){json_find_text(item, "name", ""), json_find_text(item, "unit", "")};
  }
}


static void read_scene_parts(void *parser)
{
  read_bodies(parser);
  read_scene_joints(parser);
  read_forces(parser);
  read_scene_road(parser);
  read_names(parser);
}


artStatus scene_parse(ioScene *scene, const jsonNode *root, const char *name, artError *error)
{
  scene->size = json_find_number(root, "size", 1);
  if (!(scene->size > 0 && scene->size < 1e30)) scene->size = 1;
  json_find_numbers(root, "centre", 3, scene->centre);
  scene->gravity[2] = -1;
  json_find_numbers(root, "gravity", 3, scene->gravity);
  scene->study.file = json_find_text(json_find(root, "model"), "file", "");
  scene->arena.leaves = 1;
  return error_try(read_scene_parts, &(sceneParser){scene, root, name}, error);
}


static const size_t MAX_HEADER_SIZE = 256 << 20;


static artStatus refuse_scene(const ioSceneReader *reader, const char *what, artError *error)
{
  return file_wrong(error, reader->path, "is not a scene file: %s; 'articula run' writes one",
                    what);
}


// messages for files that users give by mistake instead of a result
static artStatus refuse_other(const ioSceneReader *reader, artError *error)
{
  const char *path = reader->path;
  if (file_has_ending(path, ".yaml") || file_has_ending(path, ".yml"))
    return file_wrong(error, path,
                      "is a model, expected a result; 'articula run %.200s' writes one", path);
  if (file_has_ending(path, ".csv") || file_has_ending(path, ".json"))
    return file_wrong(error, path, "is a file of a result, expected its directory");
  return refuse_scene(reader, "it does not begin with ARTSCENE", error);
}


static int read_at(ioSceneReader *reader, long long at, size_t n, void *bytes)
{
  return fseeko(reader->stream, (off_t) at, SEEK_SET) == 0 &&
         fread(bytes, 1, n, reader->stream) == n;
}


// current file size in bytes
static long long scene_file_length(ioSceneReader *reader)
{
  if (fseeko(reader->stream, 0, SEEK_END) != 0) return 0;
  const long long length = (long long) ftello(reader->stream);
  return length < 0 ? 0 : length;
}


//---- opening -------------------------------------------------------------------------------------

static artStatus read_scene_head(ioSceneReader *reader, artError *error)
{
  unsigned char head[SCENE_HEAD];
  if (!read_at(reader, 0, sizeof head, head) || memcmp(head, "ARTSCENE", 8) != 0) {
    return refuse_other(reader, error);
  }
  if (get_u32(head + 8) != SCENE_VERSION)
    return file_wrong(error, reader->path, "has version %u, expected %d; another articula wrote it",
                      (unsigned) get_u32(head + 8), SCENE_VERSION);
  const size_t n = get_u32(head + 12);
  if (n > MAX_HEADER_SIZE || (long long) n + SCENE_HEAD > scene_file_length(reader)) {
    return refuse_scene(reader, "it ends within its header", error);
  }
  reader->header = mem_alloc(n + 1, 1);
  if (!reader->header) return base_no_memory(error);
  reader->header_length = n;
  reader->start = (long long) n + SCENE_HEAD;
  if (!read_at(reader, SCENE_HEAD, n, reader->header)) {
    return refuse_scene(reader, "its header cannot be read", error);
  }
  return json_read(&reader->root, reader->header, n, reader->path, &reader->arena, error);
}


static artStatus lay_out_scene(ioSceneReader *reader, artError *error)
{
  const jsonNode *root = reader->root;
  reader->has_velocities = json_find_bool(root, "velocities");
  reader->layout = scene_layout(json_find_index(root, "chunk", 0), json_find_count(root, "bodies"),
                                reader->has_velocities, json_find_count(root, "vectors"),
                                json_find_count(root, "channels"));
  if (strcmp(json_find_text(root, "format", ""), "articula-scene") != 0) {
    return refuse_scene(reader, "its header has another format", error);
  }
  if (reader->layout.size == 0) return refuse_scene(reader, "its header has no 'chunk'", error);
  return ART_OK;
}


artStatus scene_open_stream(ioSceneReader *reader, FILE *stream, const char *name, artError *error)
{
  reader->stream = stream;
  snprintf(reader->path, sizeof reader->path, "%s", name);
  // the file may grow: buffered data would be outdated
  setvbuf(stream, NULL, _IONBF, 0);
  const artStatus status = read_scene_head(reader, error);
  return status ? status : lay_out_scene(reader, error);
}


artStatus scene_open(ioSceneReader *reader, const char *path, artError *error)
{
  char file[FILE_PATH_LENGTH];
  struct stat about;
  if (stat(path, &about) != 0)
    return file_wrong(error, path,
                      "there is no such result; 'articula run MODEL -o %.200s' writes one", path);
  snprintf(file, sizeof file, "%s", path);
  if (S_ISDIR(about.st_mode)) {
    const artStatus status = file_join(file, path, "scene.arts", error);
    if (status) return status;
    if (stat(file, &about) != 0)
      return file_wrong(
          error, path,
          "there is no scene.arts in this directory; 'articula run MODEL -o %.200s' writes one",
          path);
  }
  FILE *stream;
  const artStatus status = file_open(&stream, file, 0, error);
  return status ? status : scene_open_stream(reader, stream, file, error);
}


void scene_shut(ioSceneReader *reader)
{
  if (reader->stream) fclose(reader->stream);
  mem_free(reader->header);
  arena_free(&reader->arena);
  *reader = (ioSceneReader){0};
}


//---- frames --------------------------------------------------------------------------------------

long scene_count(ioSceneReader *reader)
{
  const long long chunks =
      (scene_file_length(reader) - reader->start) / (long long) reader->layout.size;
  unsigned char used[4];
  if (chunks < 1 || chunks > (1LL << 40)) return 0;
  const long long last = reader->start + (chunks - 1) * (long long) reader->layout.size;
  if (!read_at(reader, last, sizeof used, used)) return 0;
  const uint32_t most = (uint32_t) reader->layout.frames, n = get_u32(used);
  return (long) ((chunks - 1) * reader->layout.frames) + (long) (n < most ? n : most);
}


size_t scene_frame_size(const ioSceneReader *reader)
{
  const sceneLayout *l = &reader->layout;
  const size_t each = reader->has_velocities ? SCENE_POSE + SCENE_VELOCITY : SCENE_POSE;
  const size_t floats = (size_t) l->nbody * each + (size_t) l->nvector * SCENE_VECTOR;
  return 8 + (4 * floats + 7) / 8 * 8;
}


int scene_read_frame(ioSceneReader *reader, long frame, unsigned char *bytes)
{
  ART_ASSERT(frame >= 0);
  const sceneLayout *l = &reader->layout;
  const long long f = frame % l->frames;
  const long long chunk = reader->start + (long long) l->size * (frame / l->frames);
  const size_t pose = 4 * SCENE_POSE * (size_t) l->nbody;
  const size_t velocity = reader->has_velocities ? 4 * SCENE_VELOCITY * (size_t) l->nbody : 0;
  const size_t vector = 4 * SCENE_VECTOR * (size_t) l->nvector;
  memset(bytes, 0, scene_frame_size(reader));
  return read_at(reader, chunk + (long long) l->time + 8 * f, 8, bytes) &&
         read_at(reader, chunk + (long long) l->pose + (long long) pose * f, pose, bytes + 8) &&
         read_at(reader, chunk + (long long) l->velocity + (long long) velocity * f, velocity,
                 bytes + 8 + pose) &&
         read_at(reader, chunk + (long long) l->vector + (long long) vector * f, vector,
                 bytes + 8 + pose + velocity);
}


int scene_read_column(ioSceneReader *reader, int channel, long from, long n, unsigned char *bytes)
{
  const sceneLayout *l = &reader->layout;
  const size_t place = channel < 0 ? l->time : l->channel + l->column * (size_t) channel;
  while (n > 0) {
    const long f = from % l->frames, left = l->frames - f, some = n < left ? n : left;
    const long long chunk = reader->start + (long long) l->size * (from / l->frames);
    if (!read_at(reader, chunk + (long long) place + 8 * f, 8 * (size_t) some, bytes)) return 0;
    bytes += 8 * some;
    from += some;
    n -= some;
  }
  return 1;
}


//---- a scene file in memory, and its poses frame by frame ----------------------------------------

artStatus motion_open(ioMotion *film, const char *path, artError *error)
{
  artStatus status = scene_open(&film->reader, path, error);
  if (!status) status = file_charge(film->reader.path, error);
  if (!status) status = scene_parse(&film->scene, film->reader.root, film->reader.path, error);
  if (status) return status;
  film->frames = scene_count(&film->reader);
  film->bytes = mem_alloc(scene_frame_size(&film->reader), 1);
  if (!film->bytes) return base_no_memory(error);
  if (film->frames > 0) return ART_OK;
  return file_wrong(error, film->reader.path,
                    "the scene has no frames: the run ended before its first row");
}


void motion_close(ioMotion *film)
{
  scene_free(&film->scene);
  scene_shut(&film->reader);
  mem_free(film->bytes);
  *film = (ioMotion){0};
}


int motion_read(ioMotion *film, long frame, double *time, artPose *pose)
{
  if (!scene_read_frame(&film->reader, frame, film->bytes)) return 0;
  *time = get_f64(film->bytes);
  for (int i = 0; i < film->scene.nbody; i++) {
    const unsigned char *from = film->bytes + 8 + 4 * SCENE_POSE * (size_t) i;
    for (int k = 0; k < 3; k++) pose[i].position[k] = (double) get_f32(from + 4 * k);
    for (int k = 0; k < 4; k++) pose[i].rotation[k] = (double) get_f32(from + 12 + 4 * k);
  }
  return 1;
}


void scene_force_end(const ioScene *scene, const artPose *pose, int force, int end, double at[3])
{
  ART_ASSERT(force >= 0 && force < scene->nforce && (end == 0 || end == 1));
  const sceneForce *f = &scene->force[force];
  const double *point = f->point[end];
  v3 place = {point[0], point[1], point[2]};
  if (f->body[end] >= 0) {
    const modelPose body = pose_from_art(&pose[f->body[end]]);
    place = v3_add(body.r, m3_back(body.R, place));
  }
  memcpy(at, (double[]){place.x, place.y, place.z}, 3 * sizeof *at);
}
