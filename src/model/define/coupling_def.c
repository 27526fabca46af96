// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Couplings: gears, racks and screws are linear relations between coordinates; other relations are polynomials, functions of
// the user or of the host program.
#include "base/arithmetic.h"
#include "model/define/records.h"
#include "model/model.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"

typedef enum couplingType {
  COUPLING_LINEAR,
  COUPLING_GEAR,
  COUPLING_RACK,
  COUPLING_SCREW,
  COUPLING_POLYNOMIAL,
  COUPLING_FUNCTION
} couplingType;

// gear, rack and screw as files have them: second = factor * first + offset
typedef struct gearText {
  const char *joints[2];
  double factor, offset;
} gearText;

FIELD_HAS_TERMS(artCouplingDef);

// clang-format off
static const fieldKey linear_keys[] = {
    {"terms", KEY_TERMS, .need = REQUIRED, .offset = offsetof(artCouplingDef, n),
     .help = "coordinates and their factors, in SI units"},
    {"value", KEY_NUMBER, Q_X, .offset = offsetof(artCouplingDef, constant), .mark = "constant",
     FALLBACK(0), .help = "what the terms add up to"},
    {0}};

#define GEAR(field) offsetof(gearText, field)
static const fieldKey gear_keys[] = {
    {"joints", KEY_COORDINATES, .need = REQUIRED, .offset = GEAR(joints),
     .help = "two joints or coordinates, [a, b]"},
    {"ratio", KEY_NUMBER, .need = REQUIRED, .offset = GEAR(factor),
     .help = "turns of b in a turn of a; negative where they turn against each other"},
    {"offset", KEY_NUMBER, Q_ANGLE, .offset = GEAR(offset), .fallback = "0",
     .help = "b where a is zero"},
    {0}};
static const fieldKey rack_keys[] = {
    {"pinion", KEY_COORDINATE, .need = REQUIRED, .offset = GEAR(joints[0]),
     .help = "the joint or coordinate that turns"},
    {"rack", KEY_COORDINATE, .need = REQUIRED, .offset = GEAR(joints[1]),
     .help = "the joint or coordinate that slides"},
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = GEAR(factor),
     .help = "slide per radian; negative where the slide goes the other way"},
    {"offset", KEY_NUMBER, Q_LENGTH, .offset = GEAR(offset), .fallback = "0",
     .help = "slide where the angle is zero"},
    {0}};
static const fieldKey screw_keys[] = {
    {"turn", KEY_COORDINATE, .need = REQUIRED, .offset = GEAR(joints[0]),
     .help = "the joint or coordinate that turns"},
    {"slide", KEY_COORDINATE, .need = REQUIRED, .offset = GEAR(joints[1]),
     .help = "the joint or coordinate that slides"},
    {"pitch", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = GEAR(factor),
     .help = "slide per radian of turn; `5 mm / rev` is an advance of 5 mm a turn"},
    {"offset", KEY_NUMBER, Q_LENGTH, .offset = GEAR(offset), .fallback = "0",
     .help = "slide where the angle is zero"},
    {0}};

#define FUNCTION(field) offsetof(artConstraintDef, field)
static const fieldKey polynomial_keys[] = {
    {"coordinates", KEY_LIST, .need = REQUIRED, .offset = FUNCTION(n),
     .help = "two joints or coordinates, [b, a]"},
    {"coefficients", KEY_ARGUMENTS, Q_ANY, .need = REQUIRED, .offset = FUNCTION(call),
     .help = "c0, c1, c2 and so on, in SI units, at most 32"},
    {0}};
static const fieldKey function_keys[] = {
    {"coordinates", KEY_LIST, .need = REQUIRED, .offset = FUNCTION(n),
     .help = "the coordinates that it ties, in the order of the function's inputs"},
    {"function", KEY_FUNCTION, .need = REQUIRED, .offset = FUNCTION(call),
     .help = "the name of a user function, h(q); its bias has the same name with `_bias` appended"},
    PARAMETERS_FIELD(artConstraintDef),
    {0}};

static const fieldForm linear = {.name = "coupling", .type = "linear", .keys = linear_keys,
    .help = "The sum of factors times coordinates keeps its value."};
static const fieldForm gear = {.name = "coupling", .type = "gear", .keys = gear_keys,
    .help = "b = ratio a + offset."};
static const fieldForm rack = {.name = "coupling", .type = "rack", .keys = rack_keys,
    .help = "slide = radius angle + offset."};
static const fieldForm screw = {.name = "coupling", .type = "screw", .keys = screw_keys,
    .help = "slide = pitch angle + offset."};
static const fieldForm polynomial = {.name = "coupling", .type = "polynomial", .keys = polynomial_keys,
    .help = "b = c0 + c1 a + c2 a^2 + ..."};
static const fieldForm function = {.name = "coupling", .type = "function", .keys = function_keys,
    .help = "A function of the user stays zero, h(q) = 0."};
// clang-format on

// in the order of couplingType
const fieldForm *const reader_forms_coupling[] = {&linear,     &gear,     &rack, &screw,
                                                  &polynomial, &function, NULL};


//---- definitions of programs ---------------------------------------------------------------------

artStatus art_add_constraint(artBuilder *b, const artConstraintDef *def)
{
  ARITHMETIC_GUARD;
  const artStatus status = builder_add_item(b, &item_constraint, def);
  if (status != ART_OK) return status;
  constraintRecord *record = RECORD(b->constraints, constraintRecord, b->constraints.count - 1);
  const artConstraintDef *user = &record->user;
  record->def = (artCouplingDef){.name = user->name, .n = user->n, .coordinate = user->coordinate};
  return ART_OK;
}


static void check_constraint(const fieldCheck *c, void *from)
{
  const artConstraintDef *def = from;
  if (def->call.name || (def->value && def->bias)) return;
  field_refuse_all(c, "constraint '%s' lacks its function 'value' or 'bias'", def->name);
}


//---- in files ------------------------------------------------------------------------------------

// A pinion turns and a rack slides: joints of the other kind are a mistake. The builder finds here the place of a
// coordinate that does not fit.
static void check_gear(modelReader *reader, const yamlNode *item, couplingType type,
                       const gearText *text)
{
  static const char *const keys[][2] = {
      [COUPLING_RACK] = {"pinion", "rack"}, [COUPLING_SCREW] = {"turn", "slide"}};
  const yamlNode *pair = yaml_find(item, "joints");
  for (int i = 0; i < 2; i++) {
    const yamlNode *node =
        pair ? (i ? pair->first->next : pair->first) : yaml_find(item, keys[type][i]);
    const fieldAxis found = reader_axis_of(reader, text->joints[i]);
    const fieldAxis expected = i ? AXIS_LINEAR : AXIS_ANGULAR;
    if (!pair && found != AXIS_UNKNOWN && found != expected) {
      error_refuse(node->place, "'%s' names '%s', which %s; expected one that %s", keys[type][i],
                   text->joints[i], found == AXIS_LINEAR ? "slides" : "turns",
                   expected == AXIS_LINEAR ? "slides" : "turns");
    }
    reader_mark(reader, text->joints[i], node->place);
  }
}


// b - p(a) = 0 by a function of the program's own
static void read_polynomial_coupling(modelReader *reader, const yamlNode *item,
                                     artConstraintDef *def)
{
  char name[POLYNOMIAL_NAME_LENGTH];
  const yamlNode *pair = yaml_find(item, "coordinates");
  if (def->n != 2) {
    error_refuse(pair->place, "a polynomial ties two coordinates, [b, a], not %d", def->n);
  }
  def->name = item->key;
  def->call.name = model_polynomial_name(def->call.n, name);
  reader_built(reader, art_add_constraint(reader->builder, def));
}


static void read_gear(modelReader *reader, const yamlNode *item, couplingType type,
                      const gearText *text)
{
  double coefficient[2] = {-text->factor, 1};
  check_gear(reader, item, type, text);
  if (reader_is_live(reader, 1, &text->factor)) {
    const char *factor = reader_live_text(reader, &text->factor, "1");
    reader_compose(reader, &coefficient[0], item->place, "-%s", factor);
    live_forget(reader->builder, &text->factor);
  }
  artCouplingDef linear_def = {.name = item->key,
                               .n = 2,
                               .coordinate = text->joints,
                               .coefficient = coefficient,
                               .constant = text->offset};
  live_move(reader->builder, &text->offset, &linear_def.constant, sizeof text->offset);
  reader_built(reader, art_add_coupling(reader->builder, &linear_def));
}


static void read_coupling(modelReader *reader, const yamlNode *item, int type, void *def)
{
  if (type == COUPLING_LINEAR) {
    ((artCouplingDef *) def)->name = item->key;
    reader_built(reader, art_add_coupling(reader->builder, def));
  } else if (type == COUPLING_POLYNOMIAL) {
    read_polynomial_coupling(reader, item, def);
  } else if (type == COUPLING_FUNCTION) {
    ((artConstraintDef *) def)->name = item->key;
    reader_built(reader, art_add_constraint(reader->builder, def));
  } else {
    read_gear(reader, item, (couplingType) type, def);
  }
}


const itemFamily item_coupling = {.what = "coupling",
                                  .forms = reader_forms_coupling,
                                  .whole = &linear,
                                  .size = sizeof(artCouplingDef),
                                  .most = sizeof(artConstraintDef),
                                  ITEM_RECORDS(constraints, constraintRecord),
                                  .read = read_coupling};
const itemFamily item_constraint = {.what = "constraint",
                                    .whole = &function,
                                    .size = sizeof(artConstraintDef),
                                    .list = offsetof(artBuilder, constraints),
                                    .record = sizeof(constraintRecord),
                                    .def = offsetof(constraintRecord, user),
                                    .check = check_constraint};
