// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The header of a scene file as JSON: everything except the motion.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/json.h"
#include "show/scene_file.h"
#include "spatial/pose.h"


static void write_rough(ioJson *json, const char *key, int n, const double *values)
{
  json_list(json, key);
  for (int i = 0; i < n; i++) json_rough(json, NULL, values[i]);
  json_end(json);
}


static void write_pose(ioJson *json, const char *key, const artPose *pose)
{
  json_list(json, key);
  for (int k = 0; k < 3; k++) json_rough(json, NULL, pose->position[k]);
  for (int k = 0; k < 4; k++) json_rough(json, NULL, pose->rotation[k]);
  json_end(json);
}


//---- shapes --------------------------------------------------------------------------------------

static void write_shape(ioJson *json, const sceneShape *shape)
{
  char colour[16];
  snprintf(colour, sizeof colour, "#%06x", shape->colour & 0xffffffu);
  json_object(json, NULL);
  json_text(json, "type", scene_shape_name(shape->type));
  if (shape->type == SHAPE_BOX) write_rough(json, "size", 3, shape->size);
  if (shape->type != SHAPE_BOX && shape->type != SHAPE_MESH) {
    json_rough(json, "radius", shape->radius);
    if (shape->type != SHAPE_SPHERE) json_rough(json, "length", shape->length);
  }
  if (shape->type == SHAPE_MESH) {
    json_list(json, "vertices");
    for (int i = 0; i < 3 * shape->nvertex; i++) json_rough(json, NULL, (double) shape->vertex[i]);
    json_end(json);
    json_list(json, "triangles");
    for (int i = 0; i < 3 * shape->ntriangle; i++) json_integer(json, NULL, shape->triangle[i]);
    json_end(json);
  }
  write_pose(json, "pose", &shape->pose);
  json_fields(json, "colour: %s, default: %i", colour, shape->is_default);
  json_end(json);
}


static void write_scene_shapes(ioJson *json, int n, const sceneShape *shape)
{
  json_array(json, "shapes");
  for (int i = 0; i < n; i++) write_shape(json, &shape[i]);
  json_end(json);
}


//---- parts of the machine ------------------------------------------------------------------------

static void write_scene_body(ioJson *json, const sceneBody *body)
{
  json_object(json, NULL);
  json_fields(json, "name: %s, mass: %g", body->name, body->mass);
  json_numbers(json, "com", 3, body->com);
  json_numbers(json, "inertia", 6, body->inertia);
  json_integer(json, "parent", body->parent);
  if (body->is_rod) json_bool(json, "rod", true);
  write_scene_shapes(json, body->nshape, body->shape);
  json_end(json);
}


static void write_scene_joint(ioJson *json, const sceneJoint *joint)
{
  const v3 z = pose_from_art(&joint->end[1]).R.z;
  json_object(json, NULL);
  json_fields(json, "name: %s, type: %s, from: %d, to: %d", joint->name, joint->type,
              joint->body[0], joint->body[1]);
  json_object(json, "at");
  write_pose(json, "from", &joint->end[0]);
  write_pose(json, "to", &joint->end[1]);
  json_end(json);
  write_rough(json, "axis", 3, (double[]){z.x, z.y, z.z});
  json_bool(json, "cut", joint->is_cut);
  json_end(json);
}


const char *const scene_glyph_names[] = {[ART_GLYPH_NONE] = "none",
                                         [ART_GLYPH_COIL] = "coil",
                                         [ART_GLYPH_LINK] = "link",
                                         [ART_GLYPH_WHEEL] = "wheel",
                                         NULL};


static void write_force(ioJson *json, const sceneForce *force)
{
  json_object(json, NULL);
  json_fields(json, "name: %s, type: %s", force->name, force->type);
  if (force->glyph != ART_GLYPH_NONE) json_text(json, "glyph", scene_glyph_names[force->glyph]);
  json_array(json, "ends");
  for (int k = 0; k < force->nend; k++) {
    json_object(json, NULL);
    json_integer(json, "body", force->body[k]);
    write_rough(json, "point", 3, force->point[k]);
    json_end(json);
  }
  json_end(json);
  if (force->radius > 0) json_rough(json, "radius", force->radius);
  if (force->width > 0) json_rough(json, "width", force->width);
  if (force->rest > 0) json_rough(json, "rest", force->rest);
  json_end(json);
}


static void write_loop(ioJson *json, const sceneLoop *loop)
{
  json_item(json, NULL, "name: %s, type: %s, joint: %d", loop->name, loop->type, loop->joint);
}


static void write_road(ioJson *json, const sceneRoad *road)
{
  if (!road) {
    json_text(json, "road", NULL);
    return;
  }
  json_object(json, "road");
  json_text(json, "type", road->z ? "grid" : "flat");
  if (!road->z) {
    json_integer(json, "z", 0);
    json_end(json);
    return;
  }
  json_fields(json, "x0: %.6g, dx: %g, nx: %d", road->x0, road->dx, road->nx);
  json_fields(json, "y0: %.6g, dy: %g, ny: %d", road->y0, road->dy, road->ny);
  json_list(json, "z");
  for (int i = 0; i < road->nx * road->ny; i++) json_rough(json, NULL, (double) road->z[i]);
  json_end(json);
  json_end(json);
}


static void write_vector(ioJson *json, const sceneVector *vector)
{
  static const char *const kinds[] = {"force", "torque", "reaction", "contact"};
  json_item(json, NULL, "name: %s, kind: %s, unit: %s, body: %d", vector->name, kinds[vector->kind],
            vector->unit, vector->body);
}


// channels are grouped by item: "crank.tip.x" belongs to "crank.tip"
static void write_channel(ioJson *json, const sceneChannel *channel)
{
  char group[256] = "";
  const char *dot = strrchr(channel->name, '.');
  if (dot) snprintf(group, sizeof group, "%.*s", (int) (dot - channel->name), channel->name);
  json_item(json, NULL, "name: %s, unit: %s, group: %s, type: %s", channel->name, channel->unit,
            group, "f64");
}


//---- header --------------------------------------------------------------------------------------

static void write_scene_origin(ioJson *json, const ioScene *scene, int chunk)
{
  const artStudyDef *study = &scene->study.def;
  char hash[20];
  snprintf(hash, sizeof hash, "%016llx", art_model_hash(scene->model));
  json_fields(json, "format: %s, version: %d, program: %s", "articula-scene", SCENE_VERSION,
              "articula " ART_VERSION);
  json_item(json, "model", "title: %s, file: %s, hash: %s", art_title(scene->model),
            file_shown_path(scene->study.file), hash);
  json_fields(json, "study: %s, method: %s, integrator: %s, step: %g, from: %g", study->name,
              art_run_method_name(&study->run),
              art_method_is_natural(study->run.method) ? "own"
                                                       : art_integrator_name(study->run.integrator),
              study->run.step, study->run.from);
  json_fields(json, "until: %g, rows: %ld, chunk: %d, velocities: %i", study->run.until,
              scene->study.rows, chunk, true);
  json_numbers(json, "gravity", 3, scene->gravity);
  json_rough(json, "size", scene->size);
  write_rough(json, "centre", 3, scene->centre);
  if (scene->lost_meshes > 0) json_integer(json, "lost_meshes", scene->lost_meshes);
}


#define WRITE_ALL(json, key, n, items, write)                                                      \
  do {                                                                                             \
    json_array(json, key);                                                                         \
    for (int i = 0; i < (n); i++) write(json, &(items)[i]);                                        \
    json_end(json);                                                                                \
  } while (0)


artStatus scene_header(const ioScene *scene, int chunk, char **text, size_t *length,
                       artError *error)
{
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  if (!stream) return base_no_memory(error);
  ioJson json = {.file = stream};
  json_object(&json, NULL);
  write_scene_origin(&json, scene, chunk);
  WRITE_ALL(&json, "bodies", scene->nbody, scene->body, write_scene_body);
  json_object(&json, "ground");
  write_scene_shapes(&json, scene->nground, scene->ground);
  json_end(&json);
  WRITE_ALL(&json, "joints", scene->njoint, scene->joint, write_scene_joint);
  WRITE_ALL(&json, "forces", scene->nforce, scene->force, write_force);
  WRITE_ALL(&json, "loops", scene->nloop, scene->loop, write_loop);
  write_road(&json, scene->road);
  WRITE_ALL(&json, "vectors", scene->nvector, scene->vector, write_vector);
  WRITE_ALL(&json, "channels", scene->nchannel, scene->channel, write_channel);
  json_end(&json);

  // align the first chunk to 8 bytes
  const long end = ftell(stream);
  for (long k = end; (SCENE_HEAD + k) % 8 != 0; k++) fputc(' ', stream);
  *text = file_close_text(stream, &bytes) ? mem_alloc(size, 1) : NULL;
  if (*text) memcpy(*text, bytes, size);
  *length = size;
  free(bytes);
  return *text ? ART_OK : base_no_memory(error);
}
