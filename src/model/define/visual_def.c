// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes of bodies: boxes, cylinders, spheres, capsules and mesh files.
#include "mesh/mesh.h"
#include "model/define/records.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"

// a shape, and what files say of a mesh
typedef struct visualText {
  artVisualDef def;
  const char *file;
  double scale;
} visualText;

#define AT(field) offsetof(visualText, field)

// clang-format off
#define PLACE                                                                                      \
  {"position", KEY_VECTOR, Q_LENGTH, .offset = AT(def.pose.position), .mark = "pose",              \
   .fallback = "[0, 0, 0]", .help = "of its centre, in the body frame"},                          \
  {"orientation", KEY_ORIENTATION, .offset = AT(def.pose.rotation), .mark = "pose",                \
   .fallback = "none", .help = "in the body frame"},                                              \
  {"colour", KEY_COLOUR, .offset = AT(def.colour), .value = -1, .fallback = "chosen",              \
   .help = "\"#rrggbb\", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown"}

static const fieldKey none_keys[] = {PLACE, {0}};
static const fieldKey box_keys[] = {
    {"size", KEY_VECTOR, Q_LENGTH, .need = REQUIRED, .offset = AT(def.size),
     .range = RANGE_POSITIVE, .help = "its edges"},
    PLACE, {0}};
static const fieldKey cylinder_keys[] = {
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.radius),
     .range = RANGE_POSITIVE, .help = "its radius"},
    {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.length),
     .range = RANGE_POSITIVE, .help = "along its own z axis"},
    PLACE, {0}};
static const fieldKey sphere_keys[] = {
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.radius),
     .range = RANGE_POSITIVE, .help = "its radius"},
    PLACE, {0}};
static const fieldKey capsule_keys[] = {
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.radius),
     .range = RANGE_POSITIVE, .help = "its radius"},
    {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.length),
     .range = RANGE_POSITIVE, .help = "between the centres of its caps, along its own z axis"},
    PLACE, {0}};
static const fieldKey mesh_keys[] = {
    {"file", KEY_TEXT, .need = REQUIRED, .offset = AT(file),
     .help = "STL (binary or text) or OBJ, or with assimp COLLADA, glTF or PLY, by its ending; relative to the model file"},
    {"scale", KEY_NUMBER, Q_NUMBER, .offset = AT(scale), FALLBACK(1),
     .help = "what a unit of the file is in m; 0.001 for millimetres"},
    PLACE, {0}};
// clang-format on

static const fieldForm none = {.name = "visual", .keys = none_keys, .is_part = true};
// clang-format off
#define FORM(word, words)                                                                          \
  static const fieldForm word = {                                                                  \
      .name = "visual", .type = #word, .keys = word##_keys, .is_part = true, .help = words};
FORM(box, "a box")
FORM(cylinder, "a cylinder")
FORM(sphere, "a ball")
FORM(capsule, "a cylinder with round ends")
FORM(mesh, "triangles from a file")
// clang-format on

const fieldForm *const reader_forms_visual[] = {&box, &cylinder, &sphere, &capsule, &mesh, NULL};


artVisualDef art_default_visual(void)
{
  visualText text = {.def.type = ART_VISUAL_BOX};
  field_set_defaults(&box, &text);
  return text.def;
}


//---- checks --------------------------------------------------------------------------------------

static void check_visual_mesh(const fieldCheck *c, const artVisualDef *def)
{
  field_check_list(c, "vertex", def->nvertex, def->vertex);
  field_check_list(c, "triangle", def->ntriangle, def->triangle);
  for (long k = 0; k < 3L * def->nvertex; k++) {
    const double x = (double) def->vertex[k];
    field_check_finite(c, "vertex", 1, &x);
  }
  for (long k = 0; k < 3L * def->ntriangle; k++) {
    if (def->triangle[k] >= 0 && def->triangle[k] < def->nvertex) continue;
    field_refuse_all(c, "a triangle of a mesh has the vertex %d, of which there are %d",
                     def->triangle[k], def->nvertex);
  }
}


void visual_check(const fieldCheck *c, void *from)
{
  const artVisualDef *def = from;
  field_check_member(c, "type", (int) def->type, 0, ART_VISUAL_TYPES - 1);
  field_check_member(c, "colour", def->colour, -1, 0xffffff);
  if (def->type == ART_VISUAL_MESH) check_visual_mesh(c, def);

  // the file and the scale of a mesh are none of its definition
  const visualText text = {.def = *def, .scale = 1};
  const bool is_none = def->type == ART_VISUAL_NONE;
  field_check_all(c, is_none ? &none : reader_forms_visual[def->type - ART_VISUAL_BOX], &text);
}


//---- shapes --------------------------------------------------------------------------------------

void reader_load_mesh(modelReader *reader, const char *path, artPlace place, modelMesh *out)
{
  const char *bytes = NULL;
  size_t size = 0;
  artError *error = error_current();
  error_check(mistakes_bytes(reader->kept, mesh_read_bytes, path, place, &bytes, &size, error));
  error_check(mesh_parse(out, bytes, size, path, place, &reader->scratch, error));
}


static void read_visual_mesh(modelReader *reader, const yamlNode *item, visualText *text)
{
  const yamlNode *file = yaml_find(item, "file");
  const char *path = reader_path(reader, text->file);
  if (!(text->scale > 0 && text->scale < 1e30)) {
    error_refuse(yaml_find(item, "scale")->place, "the scale is %g, expected a positive number",
                 text->scale);
  }
  modelMesh own;
  reader_load_mesh(reader, path, file->place, &own);
  float *vertex = arena_alloc(&reader->scratch, 3 * (size_t) own.nvertex, sizeof *vertex);
  for (int i = 0; i < 3 * own.nvertex; i++) {
    vertex[i] = (float) own.vertex[i] * (float) text->scale;
  }
  text->def.nvertex = own.nvertex;
  text->def.vertex = vertex;
  text->def.ntriangle = own.ntriangle;
  text->def.triangle = own.triangle;
}


static void read_visual_shape(modelReader *reader, const yamlNode *item, void *body)
{
  visualText text = {.file = NULL};
  int type;
  live_begin(reader->builder);
  reader_choose_form(reader_forms_visual, item, &type);
  field_set_defaults(reader_forms_visual[type], &text);
  reader_read_form(reader, reader_forms_visual[type], item, &text);
  text.def.type = (artVisualType) (ART_VISUAL_BOX + type);
  if (text.def.type == ART_VISUAL_MESH) read_visual_mesh(reader, item, &text);
  reader_built(reader, builder_at(reader->builder, item->place));
  reader_built(reader, art_add_visual(reader->builder, body, &text.def));
}


void reader_read_visual(modelReader *reader, const char *body, const yamlNode *node)
{
  const artVisualDef nothing = {.type = ART_VISUAL_NONE, .pose = art_default_pose()};
  if (node->kind == NODE_MAPPING) {
    read_visual_shape(reader, node, (void *) (uintptr_t) body);
    return;
  }
  if (node->kind != NODE_SEQUENCE) {
    error_refuse(node->place,
                 "expected a shape, such as {type: box, size: [1, 1, 1]}, or a list of them");
  }
  if (!node->first) reader_built(reader, art_add_visual(reader->builder, body, &nothing));
  for (const yamlNode *item = node->first; item; item = item->next) {
    reader_try(reader, item, read_visual_shape, (void *) (uintptr_t) body);
  }
}
