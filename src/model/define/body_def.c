// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bodies, with their inertia, points and frames: fields, defaults, checks, and their section in model files.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error_recovery.h"
#include "model/define/records.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"
#include "model/solid/solid.h"

typedef struct inertiaText {
  int about, unchecked;
  double tensor[6];
} inertiaText;

enum { ABOUT_COM, ABOUT_ORIGIN };


FIELD_WORDS(about_word, "com", "origin")


// clang-format off
#define AT(field) offsetof(artBodyDef, field)
static const fieldKey body_keys[] = {
    {"mass", KEY_NUMBER, Q_MASS, .offset = AT(mass), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "mass; 0 makes an auxiliary body, allowed where it carries others"},
    {"com", KEY_VECTOR, Q_LENGTH, .offset = AT(com), .rival = "solid", .fallback = "[0, 0, 0]",
     .help = "centre of mass, in the body frame"},
    {"inertia", KEY_INERTIA, Q_INERTIA, .offset = AT(inertia), .rival = "solid", .fallback = "zero", .help = "inertia tensor, in body axes: see below"},
    {"solid", KEY_SOLID, .offset = AT(nsolid), .fallback = "none",
     .help = "a shape filled with matter, or a list of them, instead of `com` and `inertia`: see below"},
    {"position", KEY_VECTOR, Q_LENGTH, .offset = AT(pose.position), .mark = "pose",
     .given = AT(has_pose), .fallback = "from the joints",
     .help = "origin of the body frame in ground, at the reference configuration"},
    {"orientation", KEY_ORIENTATION, .offset = AT(pose.rotation), .mark = "pose",
     .given = AT(has_pose), .fallback = "none",
     .help = "of the body frame in ground, at the reference configuration"},
    {"points", KEY_POINTS, Q_LENGTH,
     .help = "named points, in the body frame"},
    {"frames", KEY_FRAMES,
     .help = "named frames: position and orientation in the body frame"},
    {"visual", KEY_VISUAL, .fallback = "guessed",
     .help = "what viewers draw: a shape or a list of them, see below; an empty list draws nothing"},
    {0}};

static const fieldKey ground_keys[] = {
    {"points", KEY_POINTS, Q_LENGTH, .help = "named points"},
    {"frames", KEY_FRAMES,
     .help = "named frames: position and orientation"},
    {"visual", KEY_VISUAL, .fallback = "guessed",
     .help = "shapes that do not move"},
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
    {"position", KEY_VECTOR, Q_LENGTH, .offset = offsetof(artPose, position), .mark = "pose",
     .fallback = "[0, 0, 0]", .help = "origin, in the body frame"},
    {"orientation", KEY_ORIENTATION, .offset = offsetof(artPose, rotation), .mark = "pose",
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


// the same as formulas
static void compose_tensor(modelReader *reader, const yamlNode *node, const artBodyDef *body,
                           double tensor[6])
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const int is_live = reader_is_live(reader, 1, &body->mass) ||
                      reader_is_live(reader, 3, body->com) || reader_is_live(reader, 6, tensor);
  if (!is_live) return;
  const char *c[3], *mass = reader_live_text(reader, &body->mass, "kg");
  for (int i = 0; i < 3; i++) c[i] = reader_live_text(reader, &body->com[i], "m");
  for (int k = 0; k < 6; k++) {
    const char *own = reader_live_text(reader, &tensor[k], "kg m^2");
    const char *x = c[row[k]], *y = c[column[k]];
    live_forget(reader->builder, &tensor[k]);
    if (k < 3) {
      reader_compose(reader, &tensor[k], node->place, "%s - %s*(%s*%s + %s*%s + %s*%s - %s*%s)",
                     own, mass, c[0], c[0], c[1], c[1], c[2], c[2], x, y);
    } else {
      reader_compose(reader, &tensor[k], node->place, "%s + %s*%s*%s", own, mass, x, y);
    }
  }
}


static void read_inertia(modelReader *reader, const yamlNode *node, void *out)
{
  artBodyDef *body = out;
  static const fieldKey *const tensor_key = &inertia_keys[1];
  inertiaText given = {.about = ABOUT_COM};
  if (node->kind == NODE_SEQUENCE) {
    reader_read_value(reader, tensor_key, node, &given);
  } else {
    reader_read_form(reader, &reader_form_inertia, node, &given);
  }
  if (given.about == ABOUT_ORIGIN) {
    compose_tensor(reader, node, body, given.tensor);
    move_to_com(body->mass, body->com, given.tensor);
  }
  body->unchecked = given.unchecked || reader->is_trial;
  memcpy(body->inertia, given.tensor, sizeof body->inertia);
  live_move(reader->builder, given.tensor, body->inertia, sizeof body->inertia);
}


// principal moments of inertia, ascending, by the closed form for symmetric 3 x 3 matrices
static void principal_moments(const double I[6], double moment[3])
{
  const double mean = (I[0] + I[1] + I[2]) / 3;
  const double a = I[0] - mean, b = I[1] - mean, c = I[2] - mean;
  const double off = I[3] * I[3] + I[4] * I[4] + I[5] * I[5];
  const double p = sqrt((a * a + b * b + c * c + 2 * off) / 6);
  double cosine = 1;
  if (p > 0) {
    const double det = a * (b * c - I[5] * I[5]) - I[3] * (I[3] * c - I[5] * I[4]) +
                       I[4] * (I[3] * I[5] - b * I[4]);
    cosine = fmax(-1, fmin(1, det / (2 * p * p * p)));
  }
  const double third = acos(cosine) / 3, turn = 2 * acos(-1.0) / 3;
  moment[2] = mean + 2 * p * cos(third);
  moment[0] = mean + 2 * p * cos(third + turn);
  moment[1] = 3 * mean - moment[0] - moment[2];
}


// a solid has no negative moment, and none above the sum of the two others
static void check_moments(const fieldCheck *check, const artBodyDef *def, const char *key)
{
  const artPlace place = field_place(check->where, key);
  double moment[3];
  principal_moments(def->inertia, moment);

  // where two moments coincide, as in a thin rod, the closed form has half of the digits
  const double slack = 1e-6 * (fabs(moment[0]) + fabs(moment[2]));

  if (moment[0] < -slack) {
    error_refuse(place,
                 "the inertia of body '%s' has the principal moments %.6g, %.6g, %.6g kg m^2; "
                 "none may be negative (is it taken about the centre of mass?)",
                 def->name, moment[0], moment[1], moment[2]);
  } else if (moment[2] > moment[0] + moment[1] + slack) {
    error_refuse(place,
                 "the inertia of body '%s' has the principal moments %.6g, %.6g, %.6g kg m^2; "
                 "the largest may not exceed the sum of the others (mark identified values "
                 "as unchecked)",
                 def->name, moment[0], moment[1], moment[2]);
  } else if (def->mass == 0 && moment[2] > 0) {
    error_refuse(place,
                 "body '%s' has inertia but no mass; give it a mass (or mark identified "
                 "values as unchecked)",
                 def->name);
  }
}


static void check_solids(const fieldCheck *check, const artBodyDef *def)
{
  const solidList list = {def->nsolid, def->solid};
  artBodyDef whole = {.name = def->name};
  for (int k = 0; k < 6; k++) {
    if (def->inertia[k] == 0 && (k > 2 || def->com[k] == 0) && !def->unchecked) continue;
    field_refuse(check, "solid",
                 "body '%s' has solids, which give its centre of mass and inertia; leave these out",
                 def->name);
  }
  artSolidInertia found;
  error_check(solid_mass_properties(list, def->mass, &found, error_current()));
  solid_check_result(check, &found);
  whole.mass = found.mass;
  memcpy(whole.inertia, found.inertia, sizeof whole.inertia);
  check_moments(check, &whole, "solid");
}


static void check_body(const fieldCheck *check, void *from)
{
  const artBodyDef *def = from;
  if (def->nsolid > 0) {
    check_solids(check, def);
  } else if (!def->unchecked) {
    check_moments(check, def, "inertia");
  }
}


//---- points, frames and shapes -------------------------------------------------------------------

artPose art_default_pose(void)
{
  artPose pose = {{0}, {0}};
  field_set_defaults(&reader_form_frame, &pose);
  return pose;
}


// the points or the frames of a body
typedef struct frameList {
  const char *body;
  bool are_points;
} frameList;


static void add_frame(modelReader *reader, const yamlNode *item, void *of)
{
  const frameList *list = of;
  artPose pose = art_default_pose();
  live_begin(reader->builder);
  reader_check_name(item, list->are_points ? "a point" : "a frame", false);
  if (list->are_points) {
    reader_read_vector(reader, item, UNIT_LENGTH, 3, pose.position);
  } else {
    reader_read_form(reader, &reader_form_frame, item, &pose);
  }
  reader_built(reader, builder_at(reader->builder, item->key_place));
  reader_built(reader, art_add_frame(reader->builder, list->body, item->key, &pose));
}


static void add_frames(modelReader *reader, const yamlNode *node, void *of)
{
  const frameList *list = of;
  reader_check_mapping(node, list->are_points ? "names and positions of points"
                                              : "names and poses of frames");
  for (const yamlNode *item = node->first; item; item = item->next) {
    if (reader_try(reader, item, add_frame, of)) continue;
    reader_lose(reader, arena_format(&reader->arena, "%s.%s", list->body, item->key));
  }
}


static void read_visual(modelReader *reader, const yamlNode *node, void *body)
{
  reader_read_visual(reader, body, node);
}


static void add_parts(modelReader *reader, const char *body, const yamlNode *item)
{
  const yamlNode *points = yaml_find(item, "points"), *frames = yaml_find(item, "frames");
  const yamlNode *visual = yaml_find(item, "visual");
  bool has_all = true;
  if (points) has_all &= reader_try(reader, points, add_frames, &(frameList){body, true});
  if (frames) has_all &= reader_try(reader, frames, add_frames, &(frameList){body, false});
  if (!has_all) reader_lose(reader, body);
  if (visual) reader_try(reader, visual, read_visual, (void *) (uintptr_t) body);
}


//---- sections ------------------------------------------------------------------------------------

void reader_read_ground(modelReader *reader, const yamlNode *section)
{
  reader_read_form(reader, &reader_form_ground, section, NULL);
  add_parts(reader, "ground", section);
}


static void read_solids(modelReader *reader, const yamlNode *node, void *body)
{
  reader_read_solids(reader, node, body);
}


static void add_body(modelReader *reader, const yamlNode *item, void *from)
{
  artBodyDef *def = from;
  const yamlNode *inertia = yaml_find(item, "inertia"), *solid = yaml_find(item, "solid");
  const yamlNode *mass = yaml_find(item, "mass");
  if (inertia) reader_try(reader, inertia, read_inertia, def);
  if (solid && !reader_try(reader, solid, read_solids, def)) def->nsolid = 0, def->mass = 1;
  if (solid && mass && def->mass == 0) {
    error_refuse(mass->place, "the mass is 0, but the body has solids; leave it out, or give more");
  }
  reader_built(reader, art_add_body(reader->builder, def));
}


static void read_body_item(modelReader *reader, const yamlNode *item, int type, void *from)
{
  (void) type;
  const int n = reader->builder->bodies.count;
  ((artBodyDef *) from)->name = item->key;
  // without a mistake of its own, or in spite of it (builder_add_item)
  const bool is_added = reader_try(reader, item, add_body, from);
  if (!is_added && reader->builder->bodies.count == n) recovery_drop();
  add_parts(reader, item->key, item);
}


static const fieldForm *const forms[] = {&reader_form_body, NULL};
const itemFamily item_body = {.what = "body",
                              .forms = forms,
                              .whole = &reader_form_body,
                              .size = sizeof(artBodyDef),
                              ITEM_RECORDS(bodies, bodyRecord),
                              .read = read_body_item,
                              .check = check_body};
