// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints of a model file.
#include "model/reader.h"

#include <string.h>

typedef struct jointText {
  readerEnd from, to;
  double at[3];
  double axes[2][3]; // the axis, or both
  double pitch, rotor;
  double length, mass; // of a rod
  int loop;
} jointText;


static const char *loop_word(int i)
{
  static const char *const words[] = {"auto", "keep", "cut", NULL};
  return words[i];
}


// clang-format off
#define END_KEYS                                                                                   \
  {"from", KEY_END, .need = REQUIRED, .offset = offsetof(jointText, from),                         \
   .help = "the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}"}, \
  {"to", KEY_END, .need = REQUIRED, .offset = offsetof(jointText, to),                             \
   .help = "the body it leads to, in the same ways"},                                              \
  {"at", KEY_VECTOR, Q_LENGTH, .offset = offsetof(jointText, at),                                  \
   .help = "where it sits in ground, at the reference configuration; without it the frames of `from` and `to` coincide at zero"}
#define LOOP_KEY                                                                                   \
  {"loop", KEY_CHOICE, .offset = offsetof(jointText, loop), .mark = "keep", .choice = loop_word,   \
   .fallback = "auto", .help = "where loops are cut: `keep` never here, `cut` here"},              \
  {0}
#define AXIS_KEY(words)                                                                            \
  {"axis", KEY_AXIS, .offset = offsetof(jointText, axes), .fallback = "z", .help = words}

#define ROTOR_KEY(quantity)                                                                        \
  {"rotor", KEY_NUMBER, quantity, .offset = offsetof(jointText, rotor), .fallback = "0",           \
   .help = "inertia of a rotor geared to the joint, seen at the joint (Jm G^2)"}

static const fieldKey plain_keys[] = {END_KEYS, LOOP_KEY};
static const fieldKey axis_keys[] = {
    END_KEYS,
    AXIS_KEY("its axis: in ground with `at`, else in the frames"),
    LOOP_KEY};
static const fieldKey revolute_keys[] = {
    END_KEYS,
    AXIS_KEY("its axis: in ground with `at`, else in the frames"),
    ROTOR_KEY(Q_INERTIA),
    LOOP_KEY};
static const fieldKey prismatic_keys[] = {
    END_KEYS,
    AXIS_KEY("its axis: in ground with `at`, else in the frames"),
    ROTOR_KEY(Q_MASS),
    LOOP_KEY};
static const fieldKey screw_keys[] = {
    END_KEYS,
    AXIS_KEY("its axis: in ground with `at`, else in the frames"),
    {"pitch", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(jointText, pitch),
     .help = "slide per radian of turn; `5 mm / rev` is an advance of 5 mm a turn"},
    ROTOR_KEY(Q_INERTIA),
    LOOP_KEY};
static const fieldKey universal_keys[] = {
    END_KEYS,
    {"axes", KEY_AXES, .offset = offsetof(jointText, axes), .mark = "axis", .fallback = "[x, y]",
     .help = "first axis, fixed in `from`, and second, fixed in `to`, square to each other"},
    LOOP_KEY};
static const fieldKey planar_keys[] = {
    END_KEYS,
    AXIS_KEY("normal of the plane"),
    {"x", KEY_AXIS, .offset = offsetof(jointText, axes[1]), .mark = "axis2",
     .fallback = "chosen", .help = "direction of the coordinate x in the plane"},
    LOOP_KEY};

static const fieldKey rod_keys[] = {
    {"from", KEY_END, .need = REQUIRED, .offset = offsetof(jointText, from),
     .help = "the point it starts from: `ground.p`, `crank.tip`, `crank` (its origin) or {frame, position}"},
    {"to", KEY_END, .need = REQUIRED, .offset = offsetof(jointText, to),
     .help = "the point it leads to, in the same ways"},
    {"length", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(jointText, length),
     .fallback = "the distance of the points at the reference configuration",
     .help = "distance of the points"},
    {"mass", KEY_NUMBER, Q_MASS, .offset = offsetof(jointText, mass), .fallback = "0",
     .help = "mass of the bar, which is uniform and thin"},
    {0}};

static const fieldForm fixed = {.name = "joint", .type = "fixed", .keys = plain_keys,
    .help = "No motion."};
static const fieldForm revolute = {.name = "joint", .type = "revolute", .keys = revolute_keys,
    .help = "Turns about an axis."};
static const fieldForm prismatic = {.name = "joint", .type = "prismatic", .keys = prismatic_keys,
    .help = "Slides along an axis."};
static const fieldForm screw = {.name = "joint", .type = "screw", .keys = screw_keys,
    .help = "Turns about an axis and slides along it by `pitch` times the angle."};
static const fieldForm cylindrical = {.name = "joint", .type = "cylindrical", .keys = axis_keys,
    .help = "Slides along an axis and turns about it."};
static const fieldForm universal = {.name = "joint", .type = "universal", .keys = universal_keys,
    .help = "Turns about two axes that cross at right angles."};
static const fieldForm planar = {.name = "joint", .type = "planar", .keys = planar_keys,
    .help = "Slides in a plane and turns about its normal."};
static const fieldForm spherical = {.name = "joint", .type = "spherical", .keys = plain_keys,
    .help = "Turns about a point, without singular attitudes."};
static const fieldForm free_joint = {.name = "joint", .type = "free", .keys = plain_keys,
    .help = "Leaves all six motions free."};
static const fieldForm rod = {.name = "joint", .type = "rod", .keys = rod_keys,
    .help = "Keeps two points at a distance: a bar with a ball joint at each end."};
// clang-format on

// in the order of artJointType
const fieldForm *const reader_forms_joint[] = {
    &fixed,  &revolute,  &prismatic,  &screw, &cylindrical, &universal,
    &planar, &spherical, &free_joint, &rod,   NULL,
};

// clang-format off
static const fieldKey end_keys[] = {
    {"frame", KEY_REFERENCE, .need = REQUIRED, .offset = offsetof(readerEnd, text),
     .help = "a body or a frame of it: `crank`, `crank.tip`"},
    {"position", KEY_VECTOR, Q_LENGTH, .offset = offsetof(readerEnd, offset.position),
     .fallback = "[0, 0, 0]", .help = "origin of the joint frame, in that frame"},
    {"orientation", KEY_ORIENTATION, .offset = offsetof(readerEnd, offset.rotation),
     .fallback = "[1, 0, 0, 0]", .help = "of the joint frame, in that frame"},
    {0}};
// clang-format on
const fieldForm reader_form_end = {.name = "joint end", .keys = end_keys, .is_part = true};


// with `at` everything is given in ground, and a frame or an offset would be a second answer
static artStatus check_end(modelReader *reader, const yamlNode *item, const char *key,
                           const readerEnd *end)
{
  if (!end->has_offset && !strchr(end->text, '.')) return ART_OK;
  return READER_FAIL(reader, yaml_find(item, key)->place,
                     "a joint with 'at' sits where 'at' says; name only the body in '%s', or leave "
                     "out 'at'",
                     key);
}


static artStatus fill_joint(modelReader *reader, const yamlNode *item, const jointText *text,
                            artJointDef *def)
{
  def->from = text->from.text;
  def->to = text->to.text;
  def->from_offset = text->from.offset;
  def->to_offset = text->to.offset;
  def->pitch = text->pitch;
  def->rotor = text->rotor;
  def->length = text->length;
  def->mass = text->mass;
  def->keep = text->loop == 0 ? 0 : text->loop == 1 ? 1 : -1;
  memcpy(def->axis, text->axes[0], sizeof def->axis);
  memcpy(def->axis2, text->axes[1], sizeof def->axis2);
  memcpy(def->at, text->at, sizeof def->at);

  def->in_ground = yaml_find(item, "at") != NULL;
  if (!def->in_ground) return ART_OK;
  const artStatus status = check_end(reader, item, "from", &text->from);
  return status ? status : check_end(reader, item, "to", &text->to);
}


static artStatus read_joint(modelReader *reader, const yamlNode *item)
{
  int type = 0;
  artStatus status = reader_check_name(reader, item, "a joint", false);
  if (!status) status = reader_choose_form(reader, reader_forms_joint, item, &type);
  if (status) return status;

  artJointDef def = art_default_joint();
  def.name = item->key;
  def.type = (artJointType) type;
  jointText text = {.axes = {{0, 0, 1}}};
  if (def.type == ART_UNIVERSAL) memcpy(text.axes, (double[2][3]){{1, 0, 0}, {0, 1, 0}}, 48);

  status = builder_at(reader->builder, item->key_place);
  if (!status) status = reader_read_form(reader, reader_forms_joint[type], item, &text);
  if (!status) status = fill_joint(reader, item, &text, &def);
  if (!status) status = art_add_joint(reader->builder, &def);
  return status ? status : reader_add_joint(reader, item->key, def.type);
}


artStatus reader_read_joints(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of joints");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_joint(reader, item);
  }
  return status;
}
