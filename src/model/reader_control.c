// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Brakes, drivers and cruise controls of a model file, and the paths that drivers follow.
#include "model/reader.h"

typedef struct controlText {
  readerTerms terms; // what it acts along, where that is not one coordinate
  const char *coordinate;
  const yamlNode *path;
  union {
    artBrakeDef brake;
    artDriverDef driver;
    artCruiseDef cruise;
  };
} controlText;

// clang-format off
#define AT(field) offsetof(controlText, field)

#define ALONG_KEYS                                                                                 \
  {"coordinate", KEY_COORDINATE, .need = ONE_OF, .offset = AT(coordinate), .rival = "coordinates", \
   .help = "the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one"},       \
  {"coordinates", KEY_COMBINATION, .need = ONE_OF, .offset = AT(terms), .mark = "coordinate",      \
   .rival = "coordinate", .help = "or several of them with factors, of which it acts on the sum"}

static const readerKey brake_keys[] = {
    ALONG_KEYS,
    {"demand", KEY_FORMULA, Q_X_FORCE, .need = REQUIRED, .offset = AT(brake.demand),
     .mark = "formula", .help = "the force or torque of a full slide"},
    {"transition", KEY_NUMBER, Q_X_RATE, .need = REQUIRED, .offset = AT(brake.transition),
     .help = "rate over which the brake changes its sign: small against working rates"},
    {0}};

static const readerKey driver_keys[] = {
    ALONG_KEYS,
    {"frame", KEY_REFERENCE, .need = REQUIRED, .offset = AT(driver.frame),
     .help = "of the vehicle, x forward: where the driver sits"},
    {"path", KEY_PATH, .need = REQUIRED, .offset = AT(path),
     .help = "what to follow: the name of a curve y(x), or a path by type"},
    {"distance", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(driver.distance),
     .help = "to the point that the driver looks at, at standstill"},
    {"time", KEY_NUMBER, Q_TIME, .offset = AT(driver.time), .fallback = "0",
     .help = "the point lies that long ahead where that is farther"},
    {"gain", KEY_NUMBER, .need = REQUIRED, .offset = AT(driver.gain),
     .help = "steering angle per angle under which the path is seen beside the point"},
    {"limit", KEY_NUMBER, Q_X, .need = REQUIRED, .offset = AT(driver.limit),
     .help = "largest wanted angle, approached smoothly"},
    {"stiffness", KEY_NUMBER, Q_X_STIFFNESS, .need = REQUIRED, .offset = AT(driver.stiffness),
     .help = "of the arms: torque per angle that is missing"},
    {"damping", KEY_NUMBER, Q_X_DAMPING, .offset = AT(driver.damping), .fallback = "0",
     .help = "of the arms"},
    {0}};

static const readerKey cruise_keys[] = {
    ALONG_KEYS,
    {"frame", KEY_REFERENCE, .need = REQUIRED, .offset = AT(cruise.frame),
     .help = "whose speed along its x axis counts"},
    {"speed", KEY_FORMULA, Q_VELOCITY, .need = REQUIRED, .offset = AT(cruise.speed),
     .mark = "formula", .help = "wanted"},
    {"gain", KEY_NUMBER, .need = REQUIRED, .offset = AT(cruise.gain),
     .help = "force or torque per speed that is missing, in SI"},
    {"drive", KEY_NUMBER, Q_X_FORCE, .need = REQUIRED, .offset = AT(cruise.drive),
     .help = "largest force or torque forwards, approached smoothly"},
    {"brake", KEY_NUMBER, Q_X_FORCE, .need = REQUIRED, .offset = AT(cruise.brake),
     .help = "the same backwards"},
    {0}};

const readerForm reader_form_brake = {.name = "force", .type = "brake", .keys = brake_keys,
    .help = "A brake on a joint coordinate."};
const readerForm reader_form_driver = {.name = "force", .type = "driver", .keys = driver_keys,
    .help = "A driver who steers along a path."};
const readerForm reader_form_cruise = {.name = "force", .type = "cruise", .keys = cruise_keys,
    .help = "A control that keeps a speed."};

#define IN(field) offsetof(artPathDef, field)

#define START_KEY                                                                                  \
  {"start", KEY_NUMBER, Q_LENGTH, .offset = IN(start), .fallback = "0", .help = "x where it begins"}

static const readerKey lane_change_keys[] = {
    START_KEY,
    {"width", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(width),
     .help = "of the vehicle, mirrors not counted"},
    {0}};
static const readerKey circle_keys[] = {
    START_KEY,
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(radius),
     .help = "to the left; negative to the right"},
    {0}};
static const readerKey slalom_keys[] = {
    START_KEY,
    {"spacing", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(spacing),
     .help = "between pylons: half a period"},
    {"amplitude", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(amplitude),
     .help = "of the sine"},
    {"ramp", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = IN(ramp),
     .help = "over which the sine grows from nothing"},
    {0}};

static const readerForm lane_change = {.name = "path", .type = "iso-3888-2", .keys = lane_change_keys,
    .help = "Centre line of the obstacle avoidance track."};
static const readerForm circle = {.name = "path", .type = "circle", .keys = circle_keys,
    .help = "A straight way in, then a circle."};
static const readerForm slalom = {.name = "path", .type = "slalom", .keys = slalom_keys,
    .help = "A sine past pylons."};
// clang-format on

// in the order of artPathType, after curves
const readerForm *const reader_forms_path[] = {&lane_change, &circle, &slalom, NULL};


static artStatus read_path(modelReader *reader, const yamlNode *node, artPathDef *path)
{
  if (node->kind == NODE_SCALAR) return reader_read_text(reader, node, &path->curve);
  int type = 0;
  const artStatus status = reader_choose_form(reader, reader_forms_path, node, &type);
  path->type = (artPathType) (ART_PATH_LANE_CHANGE + type);
  return status ? status : reader_read_form(reader, reader_forms_path[type], node, path);
}


static artStatus add_control(modelReader *reader, const yamlNode *item, controlText *text, int type)
{
  const char *coordinate = text->terms.n ? text->terms.coordinate[0] : text->coordinate;
  switch (type) {
  case 0:
    text->brake.name = item->key;
    text->brake.coordinate = coordinate;
    return art_add_brake(reader->builder, &text->brake);
  case 1: {
    const artStatus status = read_path(reader, text->path, &text->driver.path);
    text->driver.name = item->key;
    text->driver.coordinate = coordinate;
    return status ? status : art_add_driver(reader->builder, &text->driver);
  }
  default:
    text->cruise.name = item->key;
    text->cruise.coordinate = coordinate;
    return art_add_cruise(reader->builder, &text->cruise);
  }
}


artStatus reader_read_control(modelReader *reader, const yamlNode *item, int type)
{
  static const readerForm *const forms[] = {&reader_form_brake, &reader_form_driver,
                                            &reader_form_cruise};
  controlText text = {0};
  artStatus status = reader_read_form(reader, forms[type], item, &text);
  if (!status) status = add_control(reader, item, &text, type);
  if (status || text.terms.n == 0) return status;
  return art_set_combination(reader->builder, item->key, text.terms.n, text.terms.coordinate,
                             text.terms.factor);
}
