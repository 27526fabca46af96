// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What bodies look like: boxes, cylinders, spheres, capsules and mesh files.
#include <string.h>

#include "model/mesh.h"
#include "model/reader.h"

typedef struct visualText {
  artVisualDef def;
  const char *colour, *file;
  double scale;
} visualText;

#define AT(field) offsetof(visualText, field)

// clang-format off
#define PLACE                                                                                      \
  {"position", KEY_VECTOR, Q_LENGTH, .offset = AT(def.pose.position), .mark = "pose",              \
   .fallback = "[0, 0, 0]", .help = "of its centre, in the body frame"},                          \
  {"orientation", KEY_ORIENTATION, .offset = AT(def.pose.rotation), .mark = "pose",                \
   .fallback = "none", .help = "in the body frame"},                                              \
  {"colour", KEY_TEXT, .offset = AT(colour), .fallback = "chosen",                                 \
   .help = "\"#rrggbb\", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown"}

static const fieldKey box_keys[] = {
    {"size", KEY_VECTOR, Q_LENGTH, .need = REQUIRED, .offset = AT(def.size), .help = "its edges"},
    PLACE, {0}};
static const fieldKey cylinder_keys[] = {
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.radius), .help = "its radius"},
    {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.length), .help = "along its own z axis"},
    PLACE, {0}};
static const fieldKey sphere_keys[] = {
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.radius), .help = "its radius"},
    PLACE, {0}};
static const fieldKey capsule_keys[] = {
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.radius), .help = "its radius"},
    {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.length),
     .help = "between the centres of its caps, along its own z axis"},
    PLACE, {0}};
static const fieldKey mesh_keys[] = {
    {"file", KEY_TEXT, .need = REQUIRED, .offset = AT(file),
     .help = "STL (binary or text) or OBJ, by its ending; relative to the model file"},
    {"scale", KEY_NUMBER, Q_NUMBER, .offset = AT(scale), .fallback = "1",
     .help = "what a unit of the file is in m; 0.001 for millimetres"},
    PLACE, {0}};
// clang-format on

static const fieldForm box = {
    .name = "visual", .type = "box", .keys = box_keys, .is_part = true, .help = "a box"};
static const fieldForm cylinder = {.name = "visual",
                                   .type = "cylinder",
                                   .keys = cylinder_keys,
                                   .is_part = true,
                                   .help = "a cylinder"};
static const fieldForm sphere = {
    .name = "visual", .type = "sphere", .keys = sphere_keys, .is_part = true, .help = "a ball"};
static const fieldForm capsule = {.name = "visual",
                                  .type = "capsule",
                                  .keys = capsule_keys,
                                  .is_part = true,
                                  .help = "a cylinder with round ends"};
static const fieldForm mesh = {.name = "visual",
                               .type = "mesh",
                               .keys = mesh_keys,
                               .is_part = true,
                               .help = "triangles from a file"};

const fieldForm *const reader_forms_visual[] = {&box, &cylinder, &sphere, &capsule, &mesh, NULL};


//---- colours -------------------------------------------------------------------------------------

static int hex_digit(char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}


static int hex_colour(const char *text)
{
  int colour = 0;
  if (text[0] != '#' || strlen(text) != 7) return -1;
  for (int k = 1; k < 7; k++) {
    const int digit = hex_digit(text[k] >= 'A' && text[k] <= 'F' ? (char) (text[k] + 32) : text[k]);
    if (digit < 0) return -1;
    colour = colour * 16 + digit;
  }
  return colour;
}


static artStatus read_colour(modelReader *reader, const yamlNode *item, visualText *text)
{
  static const struct {
    const char *word;
    int colour;
  } words[] = {{"white", 0xf2f2f0}, {"silver", 0xc3c7cc}, {"grey", 0x8a8f98},   {"black", 0x26272b},
               {"red", 0xc23b34},   {"orange", 0xe0822c}, {"yellow", 0xe3b92f}, {"green", 0x3d9157},
               {"blue", 0x2f6fbf},  {"navy", 0x2a3f66},   {"brown", 0x7a5a3f}};
  if (!text->colour) return ART_OK;
  baseNearest nearest = {.word = text->colour};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    if (strcmp(words[k].word, text->colour) == 0) {
      text->def.colour = words[k].colour;
      return ART_OK;
    }
    base_consider(&nearest, words[k].word);
  }
  text->def.colour = hex_colour(text->colour);
  if (text->def.colour >= 0) return ART_OK;
  char hint[BASE_HINT_LENGTH];
  return READER_FAIL(
      reader, yaml_find(item, "colour")->place,
      "'%.60s' is no colour%s; expected \"#rrggbb\" with six hexadecimal digits, or a "
      "word such as red",
      text->colour, base_hint(&nearest, hint));
}


//---- shapes --------------------------------------------------------------------------------------

static artStatus read_mesh(modelReader *reader, const yamlNode *item, visualText *text)
{
  const yamlNode *file = yaml_find(item, "file");
  const char *path = reader_path(reader, text->file);
  if (!path) return base_no_memory(reader->error);
  if (!(text->scale > 0 && text->scale < 1e30)) {
    return READER_FAIL(reader, yaml_find(item, "scale")->place,
                       "the scale is %g, expected a positive number", text->scale);
  }
  modelMesh own;
  const artStatus status = mesh_load(&own, path, file->place, &reader->arena, reader->error);
  if (status) return status;
  for (int i = 0; i < 3 * own.nvertex; i++) own.vertex[i] *= (float) text->scale;
  text->def.nvertex = own.nvertex;
  text->def.vertex = own.vertex;
  text->def.ntriangle = own.ntriangle;
  text->def.triangle = own.triangle;
  return ART_OK;
}


static artStatus read_shape(modelReader *reader, const char *body, const yamlNode *item)
{
  static const artVisualType TYPE[] = {ART_VISUAL_BOX, ART_VISUAL_CYLINDER, ART_VISUAL_SPHERE,
                                       ART_VISUAL_CAPSULE, ART_VISUAL_MESH};
  visualText text = {.def = art_default_visual(), .scale = 1};
  int type;
  artStatus status = reader_choose_form(reader, reader_forms_visual, item, &type);
  if (!status) status = reader_read_form(reader, reader_forms_visual[type], item, &text);
  if (status) return status;
  text.def.type = TYPE[type];
  status = read_colour(reader, item, &text);
  if (!status && text.def.type == ART_VISUAL_MESH) status = read_mesh(reader, item, &text);
  if (!status) status = builder_at(reader->builder, item->place);
  return status ? status : art_add_visual(reader->builder, body, &text.def);
}


artStatus reader_read_visual(modelReader *reader, const char *body, const yamlNode *node)
{
  if (node->kind == NODE_MAPPING) return read_shape(reader, body, node);
  if (node->kind != NODE_SEQUENCE) {
    return READER_FAIL(reader, node->place,
                       "expected a shape, such as {type: box, size: [1, 1, 1]}, or a list of them");
  }
  const artVisualDef none = {.type = ART_VISUAL_NONE, .pose = art_default_pose()};
  if (!node->first) return art_add_visual(reader->builder, body, &none);
  artStatus status = ART_OK;
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    status = read_shape(reader, body, item);
  }
  return status;
}
