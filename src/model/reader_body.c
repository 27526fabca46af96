// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bodies of a model file, with their inertia, points and frames.
#include "model/reader.h"

#include <string.h>

typedef struct bodyText {
  artBodyDef def;
  const yamlNode *inertia, *points, *frames, *visual;
} bodyText;

typedef struct inertiaText {
  int about, unchecked;
  double tensor[6];
} inertiaText;

enum { ABOUT_COM, ABOUT_ORIGIN };


static const char *about_word(int i)
{
  static const char *const words[] = {"com", "origin", NULL};
  return words[i];
}


// clang-format off
static const fieldKey body_keys[] = {
    {"mass", KEY_NUMBER, Q_MASS, .offset = offsetof(bodyText, def.mass), .fallback = "0",
     .help = "mass; 0 makes an auxiliary body, allowed where it carries others"},
    {"com", KEY_VECTOR, Q_LENGTH, .offset = offsetof(bodyText, def.com), .fallback = "[0, 0, 0]",
     .help = "centre of mass, in the body frame"},
    {"inertia", KEY_INERTIA, Q_INERTIA, .offset = offsetof(bodyText, inertia),
     .fallback = "zero", .help = "inertia tensor, in body axes: see below"},
    {"position", KEY_VECTOR, Q_LENGTH, .offset = offsetof(bodyText, def.pose.position),
     .mark = "pose", .fallback = "from the joints",
     .help = "origin of the body frame in ground, at the reference configuration"},
    {"orientation", KEY_ORIENTATION, .offset = offsetof(bodyText, def.pose.rotation),
     .mark = "pose", .fallback = "none",
     .help = "of the body frame in ground, at the reference configuration"},
    {"points", KEY_POINTS, Q_LENGTH, .offset = offsetof(bodyText, points),
     .help = "named points, in the body frame"},
    {"frames", KEY_FRAMES, .offset = offsetof(bodyText, frames),
     .help = "named frames: position and orientation in the body frame"},
    {"visual", KEY_VISUAL, .offset = offsetof(bodyText, visual), .fallback = "guessed",
     .help = "what viewers draw: a shape or a list of them, see below; an empty list draws nothing"},
    {0}};

static const fieldKey ground_keys[] = {
    {"points", KEY_POINTS, Q_LENGTH, .offset = offsetof(bodyText, points), .help = "named points"},
    {"frames", KEY_FRAMES, .offset = offsetof(bodyText, frames),
     .help = "named frames: position and orientation"},
    {"visual", KEY_VISUAL, .offset = offsetof(bodyText, visual), .fallback = "guessed",
     .help = "shapes that stand still"},
    {0}};

static const fieldKey inertia_keys[] = {
    {"about", KEY_CHOICE, .offset = offsetof(inertiaText, about), .choice = about_word,
     .fallback = "com", .help = "the point the tensor refers to: centre of mass or body origin"},
    {"tensor", KEY_TENSOR, Q_INERTIA, .need = REQUIRED, .offset = offsetof(inertiaText, tensor),
     .help = "entries xx, yy, zz, and where not zero xy, xz, yz, of the tensor (Ixy = -∫xy dm)"},
    {"unchecked", KEY_FLAG, .offset = offsetof(inertiaText, unchecked), .fallback = "false",
     .help = "`true` takes a tensor that no solid can have, as identification may give"},
    {0}};

static const fieldKey frame_keys[] = {
    {"position", KEY_VECTOR, Q_LENGTH, .offset = offsetof(artPose, position),
     .fallback = "[0, 0, 0]", .help = "origin, in the body frame"},
    {"orientation", KEY_ORIENTATION, .offset = offsetof(artPose, rotation),
     .fallback = "[1, 0, 0, 0]", .help = "of the frame, in the body frame"},
    {0}};
// clang-format on

const fieldForm reader_form_body = {.name = "body", .keys = body_keys};
const fieldForm reader_form_ground = {.name = "ground", .keys = ground_keys, .is_part = true};
const fieldForm reader_form_inertia = {.name = "inertia", .keys = inertia_keys, .is_part = true};
const fieldForm reader_form_frame = {.name = "frame", .keys = frame_keys, .is_part = true};


//---- inertia -------------------------------------------------------------------------------------

// I_com = I_origin - m (|c|^2 1 - c c^T)
static void move_to_com(double mass, const double c[3], double tensor[6])
{
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  for (int i = 0; i < 3; i++) tensor[i] -= mass * (square - c[i] * c[i]);
  tensor[3] += mass * c[0] * c[1];
  tensor[4] += mass * c[0] * c[2];
  tensor[5] += mass * c[1] * c[2];
}


static artStatus read_inertia(modelReader *reader, const yamlNode *node, artBodyDef *body)
{
  static const fieldKey *const tensor_key = &inertia_keys[1];
  inertiaText given = {.about = ABOUT_COM};
  const artStatus status = node->kind == NODE_SEQUENCE
                               ? reader_read_value(reader, tensor_key, node, given.tensor)
                               : reader_read_form(reader, &reader_form_inertia, node, &given);
  if (status) return status;
  if (given.about == ABOUT_ORIGIN) move_to_com(body->mass, body->com, given.tensor);
  body->unchecked = given.unchecked;
  memcpy(body->inertia, given.tensor, sizeof body->inertia);
  return ART_OK;
}


//---- points and frames ---------------------------------------------------------------------------

artStatus reader_read_pose(modelReader *reader, const yamlNode *node, artPose *pose)
{
  *pose = art_default_pose();
  return reader_read_form(reader, &reader_form_frame, node, pose);
}


static artStatus add_point(modelReader *reader, const char *body, const yamlNode *item)
{
  artPose pose = art_default_pose();
  artStatus status = reader_check_name(reader, item, "a point", false);
  if (!status) status = reader_read_vector(reader, item, UNIT_LENGTH, 3, pose.position);
  if (!status) status = builder_at(reader->builder, item->key_place);
  return status ? status : art_add_frame(reader->builder, body, item->key, &pose);
}


static artStatus add_frame(modelReader *reader, const char *body, const yamlNode *item)
{
  artPose pose;
  artStatus status = reader_check_name(reader, item, "a frame", false);
  if (!status) status = reader_read_pose(reader, item, &pose);
  if (!status) status = builder_at(reader->builder, item->key_place);
  return status ? status : art_add_frame(reader->builder, body, item->key, &pose);
}


static artStatus add_frames(modelReader *reader, const char *body, const bodyText *text)
{
  artStatus status = ART_OK;
  if (text->points) {
    status = reader_check_mapping(reader, text->points, "names and positions of points");
    for (const yamlNode *item = text->points->first; item && !status; item = item->next) {
      status = add_point(reader, body, item);
    }
  }
  if (text->frames && !status) {
    status = reader_check_mapping(reader, text->frames, "names and poses of frames");
    for (const yamlNode *item = text->frames->first; item && !status; item = item->next) {
      status = add_frame(reader, body, item);
    }
  }
  return status;
}


//---- sections ------------------------------------------------------------------------------------

artStatus reader_read_ground(modelReader *reader, const yamlNode *section)
{
  bodyText text = {0};
  artStatus status = reader_read_form(reader, &reader_form_ground, section, &text);
  if (!status) status = add_frames(reader, "ground", &text);
  return status || !text.visual ? status : reader_read_visual(reader, "ground", text.visual);
}


static artStatus read_body(modelReader *reader, const yamlNode *item)
{
  bodyText text = {.def = art_default_body()};
  text.def.name = item->key;
  text.def.has_pose = yaml_find(item, "position") || yaml_find(item, "orientation");

  artStatus status = reader_check_name(reader, item, "a body", false);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (!status) status = reader_read_form(reader, &reader_form_body, item, &text);
  if (!status && text.inertia) status = read_inertia(reader, text.inertia, &text.def);
  if (!status) status = art_add_body(reader->builder, &text.def);
  if (!status) status = add_frames(reader, item->key, &text);
  return status || !text.visual ? status : reader_read_visual(reader, item->key, text.visual);
}


artStatus reader_read_bodies(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of bodies");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_body(reader, item);
  }
  return status;
}
