// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Couplings of a model file: gears, racks and screws are linear relations between coordinates.
#include "model/reader.h"

typedef enum couplingType {
  COUPLING_LINEAR,
  COUPLING_GEAR,
  COUPLING_RACK,
  COUPLING_SCREW,
  COUPLING_FUNCTION
} couplingType;

typedef struct couplingText {
  const yamlNode *terms; // linear
  const char *joints[2]; // the first moves the second
  double factor, offset; // second = factor * first + offset
  const yamlNode *names; // function: coordinates
  artCallDef call;
} couplingText;

// clang-format off
#define AT(field) offsetof(couplingText, field)

static const fieldKey linear_keys[] = {
    {"terms", KEY_TERMS, .need = REQUIRED, .offset = AT(terms),
     .help = "coordinates (`pin.angle`, or `pin`) and the factors they are multiplied by, in SI units"},
    {"value", KEY_NUMBER, Q_X, .offset = AT(offset), .fallback = "0",
     .help = "what the terms add up to"},
    {0}};
static const fieldKey gear_keys[] = {
    {"joints", KEY_COORDINATES, .need = REQUIRED, .offset = AT(joints),
     .help = "two joints or coordinates, [a, b]"},
    {"ratio", KEY_NUMBER, .need = REQUIRED, .offset = AT(factor),
     .help = "turns of b in a turn of a; negative where they turn against each other"},
    {"offset", KEY_NUMBER, Q_ANGLE, .offset = AT(offset), .fallback = "0",
     .help = "b where a is zero"},
    {0}};
static const fieldKey rack_keys[] = {
    {"pinion", KEY_COORDINATE, .need = REQUIRED, .offset = AT(joints[0]),
     .help = "the joint or coordinate that turns"},
    {"rack", KEY_COORDINATE, .need = REQUIRED, .offset = AT(joints[1]),
     .help = "the joint or coordinate that slides"},
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(factor),
     .help = "slide per radian; negative where the slide goes the other way"},
    {"offset", KEY_NUMBER, Q_LENGTH, .offset = AT(offset), .fallback = "0",
     .help = "slide where the angle is zero"},
    {0}};
static const fieldKey screw_keys[] = {
    {"turn", KEY_COORDINATE, .need = REQUIRED, .offset = AT(joints[0]),
     .help = "the joint or coordinate that turns"},
    {"slide", KEY_COORDINATE, .need = REQUIRED, .offset = AT(joints[1]),
     .help = "the joint or coordinate that slides"},
    {"pitch", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(factor),
     .help = "slide per radian of turn; `5 mm / rev` is an advance of 5 mm a turn"},
    {"offset", KEY_NUMBER, Q_LENGTH, .offset = AT(offset), .fallback = "0",
     .help = "slide where the angle is zero"},
    {0}};

static const fieldKey function_keys[] = {
    {"coordinates", KEY_NAMES, .need = REQUIRED, .offset = AT(names),
     .help = "the coordinates (`pin.angle`, or `pin`) that it ties, in the order of the function's inputs"},
    {"function", KEY_FUNCTION, .need = REQUIRED, .offset = AT(call),
     .help = "the name of a [function of the user](user-functions.md), h(q), with its bias under the name with `_bias` behind"},
    {"parameters", KEY_ARGUMENTS, Q_ANY, .offset = AT(call),
     .help = "numbers that follow the inputs of the function, of any unit, at most 32"},
    {0}};

static const fieldForm linear = {.name = "coupling", .type = "linear", .keys = linear_keys,
    .help = "The sum of factors times coordinates keeps its value."};
static const fieldForm gear = {.name = "coupling", .type = "gear", .keys = gear_keys,
    .help = "b = ratio a + offset."};
static const fieldForm rack = {.name = "coupling", .type = "rack", .keys = rack_keys,
    .help = "slide = radius angle + offset."};
static const fieldForm screw = {.name = "coupling", .type = "screw", .keys = screw_keys,
    .help = "slide = pitch angle + offset."};
static const fieldForm function = {.name = "coupling", .type = "function", .keys = function_keys,
    .help = "A function of the user stays zero, h(q) = 0."};
// clang-format on

// in the order of couplingType
const fieldForm *const reader_forms_coupling[] = {&linear, &gear, &rack, &screw, &function, NULL};


// a pinion turns and a rack slides: joints of the other kind are a mistake
static artStatus check_axis(modelReader *reader, const yamlNode *item, const char *key,
                            const char *coordinate, fieldAxis expected)
{
  const fieldAxis found = reader_axis_of(reader, coordinate);
  if (found == AXIS_UNKNOWN || found == expected) return ART_OK;
  return READER_FAIL(reader, yaml_find(item, key)->place,
                     "'%s' names '%s', which %s; expected one that %s", key, coordinate,
                     found == AXIS_LINEAR ? "slides" : "turns",
                     expected == AXIS_LINEAR ? "slides" : "turns");
}


static artStatus check_axes(modelReader *reader, const yamlNode *item, couplingType type,
                            const couplingText *text)
{
  if (type != COUPLING_RACK && type != COUPLING_SCREW) return ART_OK;
  const int is_rack = type == COUPLING_RACK;
  const artStatus status =
      check_axis(reader, item, is_rack ? "pinion" : "turn", text->joints[0], AXIS_ANGULAR);
  if (status) return status;
  return check_axis(reader, item, is_rack ? "rack" : "slide", text->joints[1], AXIS_LINEAR);
}


// where the builder finds a coordinate that does not fit
static artStatus mark_joints(modelReader *reader, const yamlNode *item, couplingType type,
                             const couplingText *text)
{
  static const char *const keys[][2] = {
      [COUPLING_RACK] = {"pinion", "rack"}, [COUPLING_SCREW] = {"turn", "slide"}};
  artStatus status = ART_OK;
  const bool has_pair = type != COUPLING_LINEAR && type != COUPLING_FUNCTION;
  for (int i = 0; i < 2 && has_pair && !status; i++) {
    const yamlNode *pair = yaml_find(item, "joints");
    const yamlNode *node =
        pair ? (i ? pair->first->next : pair->first) : yaml_find(item, keys[type][i]);
    status = builder_mark(reader->builder, text->joints[i], node->place);
  }
  return status;
}


static artStatus add_function(modelReader *reader, const yamlNode *item, const couplingText *text)
{
  const size_t n = (size_t) text->names->count;
  const char **coordinate = arena_alloc(&reader->arena, n, sizeof *coordinate);
  if (!coordinate) return base_no_memory(reader->error);
  const artConstraintDef def = {
      .name = item->key, .n = text->names->count, .coordinate = coordinate, .call = text->call};
  for (const yamlNode *name = text->names->first; name; name = name->next) {
    *coordinate++ = name->text;
    const artStatus status = builder_mark(reader->builder, name->text, name->place);
    if (status) return status;
  }
  return art_add_constraint(reader->builder, &def);
}


static artStatus add_coupling(modelReader *reader, const yamlNode *item)
{
  int type = 0;
  couplingText text = {.factor = 0};
  artStatus status = reader_check_name(reader, item, "a coupling", false);
  if (!status) status = reader_choose_form(reader, reader_forms_coupling, item, &type);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (!status) status = reader_read_form(reader, reader_forms_coupling[type], item, &text);
  if (!status) status = check_axes(reader, item, (couplingType) type, &text);
  if (status) return status;

  status = mark_joints(reader, item, (couplingType) type, &text);
  if (status) return status;
  if (type == COUPLING_FUNCTION) return add_function(reader, item, &text);
  artCouplingDef def = {.name = item->key, .constant = text.offset};
  const double pair[2] = {-text.factor, 1};
  if (type == COUPLING_LINEAR) {
    readerTerms terms = {0};
    status = reader_read_terms(reader, text.terms, &terms);
    def.n = terms.n;
    def.coordinate = terms.coordinate;
    def.coefficient = terms.factor;
  } else {
    def.n = 2;
    def.coordinate = text.joints;
    def.coefficient = pair;
  }
  return status ? status : art_add_coupling(reader->builder, &def);
}


artStatus reader_read_couplings(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of couplings");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = add_coupling(reader, item);
  }
  return status;
}
