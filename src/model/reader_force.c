// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces and drives of a model file.
#include "model/reader.h"

#include <math.h>

// the records of all types of force; each form fills its own
typedef struct forceText {
  readerTerms terms; // what a joint element acts along, where that is not one coordinate
  readerCall call;   // of a function of the user
  union {
    struct {
      const char *between[2];
      artSpringDamperDef def;
    } spring_damper;
    artJointSpringDef joint_spring;
    artJointStopDef joint_stop;
    artJointFrictionDef joint_friction;
    artJointForceDef joint_force;
    artBodyForceDef body_force;
    artTyreForceDef tyre;
    artBushingDef bushing;
    artDragDef drag;
  };
} forceText;


static const char *axes_word(int i)
{
  static const char *const words[] = {"ground", "body", NULL};
  return words[i];
}


// clang-format off
#define AT(field) offsetof(forceText, field)

#define COORDINATE_KEYS(record)                                                                    \
  {"coordinate", KEY_COORDINATE, .need = ONE_OF, .offset = AT(record.coordinate),                  \
   .rival = "coordinates",                                                                         \
   .help = "the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one"},       \
  {"coordinates", KEY_COMBINATION, .need = ONE_OF, .offset = AT(terms), .mark = "coordinate",      \
   .rival = "coordinate",                                                                          \
   .help = "or several of them with factors, of which it acts on the sum"}

#define PARAMETERS_KEY                                                                             \
  {"parameters", KEY_NUMBERS, Q_ANY, .offset = AT(call.parameters),                                \
   .help = "numbers that follow the inputs of the function, of any unit, at most 32"}

#define FUNCTION_KEYS                                                                              \
  {"function", KEY_TEXT, .need = ONE_OF, .offset = AT(call.name), .rival = "value",                \
   .help = "or the name of a [function of the user](user-functions.md) that makes it"},            \
  PARAMETERS_KEY

static const readerKey link_force_keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(spring_damper.between), .mark = "from",
     .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"function", KEY_TEXT, .need = REQUIRED, .offset = AT(call.name),
     .help = "the name of a [function of the user](user-functions.md), F(Z, Zd, t)"},
    PARAMETERS_KEY,
    {0}};

static const readerKey spring_damper_keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(spring_damper.between), .mark = "from",
     .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"free_length", KEY_NUMBER, Q_LENGTH, .offset = AT(spring_damper.def.free_length),
     .fallback = "0", .help = "length at which the spring is slack"},
    {"stiffness", KEY_COEFFICIENT, Q_STIFFNESS, .offset = AT(spring_damper.def.spring),
     .mark = "spring", .rival = "spring", .fallback = "0", .help = "of a linear spring"},
    {"spring", KEY_LAW, Q_LENGTH, .offset = AT(spring_damper.def.spring), .rival = "stiffness",
     .help = "law of the spring, over `length - free_length`"},
    {"damping", KEY_COEFFICIENT, Q_DAMPING, .offset = AT(spring_damper.def.damper),
     .mark = "damper", .rival = "damper", .fallback = "0", .help = "of a linear damper"},
    {"damper", KEY_LAW, Q_VELOCITY, .offset = AT(spring_damper.def.damper), .rival = "damping",
     .help = "law of the damper, over the rate of the length"},
    {"stops", KEY_STOPS, .offset = AT(spring_damper.def.stops),
     .help = "limits of the length, and what pushes back beyond them"},
    {0}};

#define STOPS(field) offsetof(artStopsDef, field)
static const readerKey stops_keys[] = {
    {"lower", KEY_NUMBER, Q_LENGTH, .offset = STOPS(lower), .fallback = "no lower stop",
     .help = "shortest length without bump stop"},
    {"upper", KEY_NUMBER, Q_LENGTH, .offset = STOPS(upper), .fallback = "no upper stop",
     .help = "longest length without rebound stop"},
    {"stiffness", KEY_NUMBER, Q_STIFFNESS, .need = REQUIRED, .offset = STOPS(stiffness),
     .help = "k, of the stops"},
    {"damping", KEY_NUMBER, Q_DISSIPATION, .offset = STOPS(damping), .fallback = "0",
     .help = "c, the dissipation of the stops"},
    {0}};
#undef STOPS
const readerForm reader_form_stops = {.name = "stops", .keys = stops_keys, .is_part = true};

static const readerKey joint_spring_keys[] = {
    COORDINATE_KEYS(joint_spring),
    {"rest", KEY_NUMBER, Q_X, .offset = AT(joint_spring.rest), .fallback = "0",
     .help = "value of the coordinate at which the spring is slack"},
    {"stiffness", KEY_COEFFICIENT, Q_X_STIFFNESS, .offset = AT(joint_spring.spring),
     .mark = "spring", .rival = "spring", .fallback = "0", .help = "of a linear spring"},
    {"spring", KEY_LAW, Q_X, .offset = AT(joint_spring.spring), .rival = "stiffness",
     .help = "law of the spring, over `x - rest`"},
    {"damping", KEY_COEFFICIENT, Q_X_DAMPING, .offset = AT(joint_spring.damper),
     .mark = "damper", .rival = "damper", .fallback = "0", .help = "of a linear damper"},
    {"damper", KEY_LAW, Q_X_RATE, .offset = AT(joint_spring.damper), .rival = "damping",
     .help = "law of the damper, over the rate of the coordinate"},
    {0}};

static const readerKey joint_stop_keys[] = {
    COORDINATE_KEYS(joint_stop),
    {"lower", KEY_NUMBER, Q_X, .offset = AT(joint_stop.lower), .fallback = "no lower stop",
     .help = "limit from below"},
    {"upper", KEY_NUMBER, Q_X, .offset = AT(joint_stop.upper), .fallback = "no upper stop",
     .help = "limit from above"},
    {"stiffness", KEY_NUMBER, Q_X_STIFFNESS, .need = REQUIRED, .offset = AT(joint_stop.stiffness),
     .help = "k, of the stop"},
    {"damping", KEY_NUMBER, Q_X_DISSIPATION, .offset = AT(joint_stop.damping), .fallback = "0",
     .help = "c, the dissipation of the stop"},
    {0}};

static const readerKey joint_friction_keys[] = {
    COORDINATE_KEYS(joint_friction),
    {"coulomb", KEY_NUMBER, Q_X_FORCE, .need = REQUIRED, .offset = AT(joint_friction.coulomb),
     .help = "sliding friction"},
    {"breakaway", KEY_NUMBER, Q_X_FORCE, .offset = AT(joint_friction.breakaway),
     .fallback = "coulomb", .help = "static friction, at least `coulomb`"},
    {"stribeck", KEY_NUMBER, Q_X_RATE, .offset = AT(joint_friction.stribeck),
     .fallback = "10 times `transition`",
     .help = "speed over which static friction falls to sliding friction"},
    {"transition", KEY_NUMBER, Q_X_RATE, .need = REQUIRED, .offset = AT(joint_friction.transition),
     .help = "speed over which friction changes its sign: small against working speeds"},
    {"viscous", KEY_NUMBER, Q_X_DAMPING, .offset = AT(joint_friction.viscous), .fallback = "0",
     .help = "friction in proportion to speed"},
    {0}};

static const readerKey joint_force_keys[] = {
    COORDINATE_KEYS(joint_force),
    {"value", KEY_FORMULA, Q_X_FORCE, .need = ONE_OF, .offset = AT(joint_force.formula),
     .mark = "formula", .rival = "function",
     .help = "force or torque, positive along the coordinate"},
    FUNCTION_KEYS,
    {0}};

static const readerKey force_keys[] = {
    {"point", KEY_REFERENCE, .need = REQUIRED, .offset = AT(body_force.on), .mark = "on",
     .help = "where it acts: `body.point`, or `body` for its origin"},
    {"value", KEY_FORMULAS, Q_FORCE, .need = ONE_OF, .offset = AT(body_force.components),
     .mark = "components", .rival = "function", .help = "components along the axes"},
    {"axes", KEY_CHOICE, .offset = AT(body_force.in_body), .choice = axes_word,
     .mark = "in_body", .fallback = "ground", .help = "whose axes the components refer to"},
    FUNCTION_KEYS,
    {0}};

static const readerKey torque_keys[] = {
    {"body", KEY_REFERENCE, .need = REQUIRED, .offset = AT(body_force.on), .mark = "on",
     .help = "the body it acts on"},
    {"value", KEY_FORMULAS, Q_TORQUE, .need = REQUIRED, .offset = AT(body_force.components),
     .mark = "components", .help = "components along the axes"},
    {"axes", KEY_CHOICE, .offset = AT(body_force.in_body), .choice = axes_word,
     .mark = "in_body", .fallback = "ground", .help = "whose axes the components refer to"},
    {0}};

static const readerKey tyre_keys[] = {
    {"wheel", KEY_REFERENCE, .need = REQUIRED, .offset = AT(tyre.wheel),
     .help = "a frame of the wheel: its origin is the centre, its y axis the axle, to the left"},
    {"tyre", KEY_TEXT, .need = REQUIRED, .offset = AT(tyre.tyre), .help = "one of `tyres`"},
    {"road", KEY_TEXT, .offset = AT(tyre.road), .fallback = "flat, z = 0", .help = "one of `roads`"},
    {"relaxation", KEY_FLAG, .offset = AT(tyre.relaxation), .fallback = "false",
     .help = "slips that follow the motion over relaxation lengths, as states of their own"},
    {"function", KEY_TEXT, .offset = AT(call.name), .fallback = "the forces of the tyre",
     .help = "the name of a [function of the user](user-functions.md) that makes the forces of the slips"},
    PARAMETERS_KEY,
    {0}};

static const readerKey bushing_keys[] = {
    {"from", KEY_REFERENCE, .need = REQUIRED, .offset = AT(bushing.from),
     .help = "frame along whose axes it is measured: `body.frame`, `body` or `ground`"},
    {"to", KEY_REFERENCE, .need = REQUIRED, .offset = AT(bushing.to), .help = "the other frame"},
    {"stiffness", KEY_SIX_BY_SIX, Q_STIFFNESS, .offset = AT(bushing.stiffness), .fallback = "0",
     .help = "K: its diagonal, or all of it by rows, symmetric"},
    {"damping", KEY_SIX_BY_SIX, Q_DAMPING, .offset = AT(bushing.damping), .fallback = "0",
     .help = "D: its diagonal, or all of it by rows, symmetric"},
    {"springs", KEY_SIX_LAWS, Q_X, .offset = AT(bushing.spring),
     .help = "laws k of single directions x, y, z, rx, ry, rz, added to K"},
    {"dampers", KEY_SIX_LAWS, Q_X_RATE, .offset = AT(bushing.damper),
     .help = "laws c of single directions, over the rates, added to D"},
    {"preload", KEY_SIX, Q_FORCE, .offset = AT(bushing.preload), .fallback = "0",
     .help = "s0: what acts on `to` where x = 0, three forces and three torques"},
    {0}};

static const readerKey drag_keys[] = {
    {"point", KEY_REFERENCE, .need = REQUIRED, .offset = AT(drag.on), .mark = "on",
     .help = "where it acts: `body.frame`, whose axes count, `body.point` or `body`"},
    {"area", KEY_NUMBER, Q_AREA, .need = REQUIRED, .offset = AT(drag.area), .help = "A, frontal"},
    {"drag", KEY_NUMBER, .need = REQUIRED, .offset = AT(drag.drag), .help = "cx, along x"},
    {"side", KEY_NUMBER, .offset = AT(drag.side), .fallback = "0", .help = "cy, along y"},
    {"vertical", KEY_NUMBER, .offset = AT(drag.vertical), .fallback = "0", .help = "cz, along z"},
    {"lift", KEY_NUMBER, .offset = AT(drag.lift), .fallback = "0",
     .help = "cl, along z for any direction of the air"},
    {"density", KEY_NUMBER, Q_DENSITY, .offset = AT(drag.density), .fallback = "1.225",
     .help = "rho, of the air"},
    {"wind", KEY_VECTOR, Q_VELOCITY, .offset = AT(drag.wind), .fallback = "[0, 0, 0]",
     .help = "velocity of the air, in ground"},
    {0}};

static const readerForm bushing = {.name = "force", .type = "bushing", .keys = bushing_keys,
    .help = "A bushing between two frames."};
static const readerForm drag = {.name = "force", .type = "drag", .keys = drag_keys,
    .help = "Aerodynamic drag on a point of a body."};
static const readerForm spring_damper = {.name = "force", .type = "spring-damper", .keys = spring_damper_keys,
    .help = "A spring and a damper between two points."};
static const readerForm link_force = {.name = "force", .type = "link-force", .keys = link_force_keys,
    .help = "A force along the line between two points, by a function of the user."};
static const readerForm joint_spring = {.name = "force", .type = "joint-spring", .keys = joint_spring_keys,
    .help = "A spring and a damper in a joint."};
static const readerForm joint_stop = {.name = "force", .type = "joint-stop", .keys = joint_stop_keys,
    .help = "Stops at the ends of a joint's travel."};
static const readerForm joint_friction = {.name = "force", .type = "joint-friction", .keys = joint_friction_keys,
    .help = "Dry and viscous friction in a joint."};
static const readerForm joint_force = {.name = "force", .type = "joint-force", .keys = joint_force_keys,
    .help = "A force or torque on a joint coordinate."};
static const readerForm force = {.name = "force", .type = "force", .keys = force_keys,
    .help = "A force on a point of a body."};
static const readerForm torque = {.name = "force", .type = "torque", .keys = torque_keys,
    .help = "A torque on a body."};
static const readerForm tyre = {.name = "force", .type = "tyre", .keys = tyre_keys,
    .help = "A tyre between a wheel and the road."};
// clang-format on

enum {
  SPRING_DAMPER,
  JOINT_SPRING,
  JOINT_STOP,
  JOINT_FRICTION,
  JOINT_FORCE,
  BODY_FORCE,
  BODY_TORQUE,
  TYRE,
  BUSHING,
  DRAG,
  LINK_FORCE,
  BRAKE // and the other controls after it
};

const readerForm *const reader_forms_force[] = {
    &spring_damper,
    &joint_spring,
    &joint_stop,
    &joint_friction,
    &joint_force,
    &force,
    &torque,
    &tyre,
    &bushing,
    &drag,
    &link_force,
    &reader_form_brake,
    &reader_form_driver,
    &reader_form_cruise,
    NULL,
};


//---- forces --------------------------------------------------------------------------------------

static artStatus add_force(modelReader *reader, const yamlNode *item, int type, forceText *text)
{
  artBuilder *b = reader->builder;
  const artCallDef call = reader_call(&text->call);
  switch (type) {
  case SPRING_DAMPER:
    text->spring_damper.def.name = item->key;
    text->spring_damper.def.from = text->spring_damper.between[0];
    text->spring_damper.def.to = text->spring_damper.between[1];
    return art_add_spring_damper(b, &text->spring_damper.def);
  case LINK_FORCE:
    return art_add_link_force(b, &(artLinkForceDef){.name = item->key,
                                                    .from = text->spring_damper.between[0],
                                                    .to = text->spring_damper.between[1],
                                                    .call = call});
  case JOINT_SPRING:
    text->joint_spring.name = item->key;
    return art_add_joint_spring(b, &text->joint_spring);
  case JOINT_STOP:
    text->joint_stop.name = item->key;
    if (!yaml_find(item, "lower")) text->joint_stop.lower = -INFINITY;
    if (!yaml_find(item, "upper")) text->joint_stop.upper = INFINITY;
    return art_add_joint_stop(b, &text->joint_stop);
  case JOINT_FRICTION:
    text->joint_friction.name = item->key;
    if (!yaml_find(item, "breakaway"))
      text->joint_friction.breakaway = text->joint_friction.coulomb;
    if (!yaml_find(item, "stribeck")) {
      text->joint_friction.stribeck = 10 * text->joint_friction.transition;
    }
    return art_add_joint_friction(b, &text->joint_friction);
  case BUSHING:
    text->bushing.name = item->key;
    return art_add_bushing(b, &text->bushing);
  case DRAG:
    text->drag.name = item->key;
    if (!yaml_find(item, "density")) text->drag.density = 1.225;
    return art_add_drag(b, &text->drag);
  case JOINT_FORCE:
    text->joint_force.name = item->key;
    text->joint_force.call = call;
    return art_add_joint_force(b, &text->joint_force);
  case TYRE:
    text->tyre.name = item->key;
    text->tyre.call = call;
    return art_add_tyre_force(b, &text->tyre);
  default:
    text->body_force.name = item->key;
    text->body_force.is_torque = type == BODY_TORQUE;
    text->body_force.call = call;
    return art_add_body_force(b, &text->body_force);
  }
}


static void name_coordinate(int type, forceText *text, const char *coordinate)
{
  if (type == JOINT_SPRING) text->joint_spring.coordinate = coordinate;
  if (type == JOINT_STOP) text->joint_stop.coordinate = coordinate;
  if (type == JOINT_FRICTION) text->joint_friction.coordinate = coordinate;
  if (type == JOINT_FORCE) text->joint_force.coordinate = coordinate;
}


static artStatus read_force(modelReader *reader, const yamlNode *item)
{
  int type = 0;
  forceText text = {0};
  artStatus status = reader_check_name(reader, item, "a force", false);
  if (!status) status = reader_choose_form(reader, reader_forms_force, item, &type);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (!status && type >= BRAKE) return reader_read_control(reader, item, type - BRAKE);
  if (!status) status = reader_read_form(reader, reader_forms_force[type], item, &text);
  if (status) return status;

  // the element is added with the first of several coordinates, then told of all
  const readerTerms *terms = &text.terms;
  if (terms->n == 0) return add_force(reader, item, type, &text);
  name_coordinate(type, &text, terms->coordinate[0]);
  status = add_force(reader, item, type, &text);
  if (status) return status;
  return art_set_combination(reader->builder, item->key, terms->n, terms->coordinate,
                             terms->factor);
}


artStatus reader_read_forces(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of forces");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_force(reader, item);
  }
  return status;
}


//---- drives --------------------------------------------------------------------------------------

typedef struct driveText {
  const char *coordinate, *formula;
  readerRows table;
} driveText;

// clang-format off
static const readerKey drive_keys[] = {
    {"coordinate", KEY_COORDINATE, .need = REQUIRED, .offset = offsetof(driveText, coordinate),
     .help = "the joint coordinate that is driven: `pin.angle`, or `pin` when the joint has one"},
    {"value", KEY_FORMULA, Q_X, .need = ONE_OF, .offset = offsetof(driveText, formula),
     .mark = "formula", .rival = "table",
     .help = "its value as a formula of time; velocity and acceleration are derived exactly"},
    {"table", KEY_TABLE, Q_X, .need = ONE_OF, .offset = offsetof(driveText, table),
     .mark = "value", .rival = "value", .help = "rows [time, value], joined by a smooth curve"},
    {0}};
// clang-format on
const readerForm reader_form_drive = {.name = "drive", .keys = drive_keys};


static artStatus read_drive(modelReader *reader, const yamlNode *item)
{
  driveText text = {0};
  artStatus status = reader_check_name(reader, item, "a drive", false);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (!status) status = reader_read_form(reader, &reader_form_drive, item, &text);
  if (status) return status;
  const artDriveDef def = {item->key,    text.coordinate, text.formula,
                           text.table.n, text.table.x,    text.table.f};
  return art_add_drive(reader->builder, &def);
}


artStatus reader_read_drives(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of drives");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_drive(reader, item);
  }
  return status;
}
