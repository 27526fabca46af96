// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A cruise control: a joint force whose formula is generated here.
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artCruiseDef, field)
static const fieldKey keys[] = {
    COORDINATE_FIELDS(artCruiseDef),
    {"frame", KEY_REFERENCE, .need = REQUIRED, .offset = AT(frame),
     .help = "whose speed along its x axis counts"},
    {"speed", KEY_FORMULA, Q_VELOCITY, .need = REQUIRED, .offset = AT(speed), .mark = "formula",
     .help = "wanted"},
    {"gain", KEY_NUMBER, .need = REQUIRED, .offset = AT(gain), .range = RANGE_POSITIVE,
     .help = "force or torque per speed that is missing, in SI"},
    {"drive", KEY_NUMBER, Q_X_FORCE, .need = REQUIRED, .offset = AT(drive), .range = RANGE_POSITIVE,
     .help = "largest force or torque forwards, approached smoothly"},
    {"brake", KEY_NUMBER, Q_X_FORCE, .need = REQUIRED, .offset = AT(brake), .range = RANGE_POSITIVE,
     .help = "the same backwards"},
    {0}};

static const elementOutput outputs[] = {
    {"force", 0, LEVEL_ACCELERATION, Q_X_FORCE, OUTPUT_USUAL},
    {"speed", 1, LEVEL_ACCELERATION, Q_VELOCITY, OUTPUT_USUAL},
    {0}};
// clang-format on


static void cruise_compile(modelElement *e, const void *from, const elementContext *c)
{
  const artCruiseDef *def = from;
  const char *speed = element_speed_text(c->arena, def->frame);
  // the gain is a number in SI units
  const char *unit = !c->formula.any && c->formula.m == 1 ? "/1[m/s]" : "";
  const char *gain = part_number(&c->numbers, c->arena, &def->gain);
  const char *drive = part_number(&c->numbers, c->arena, &def->drive);
  const char *brake = part_number(&c->numbers, c->arena, &def->brake);
  const char *pull = arena_compose(c->arena, "%s*((%s)%s - %s)", gain, def->speed, unit, speed);

  // limit tanh(pull/limit), with a separate limit for each sign
  e->text[0] = arena_compose(c->arena, "%s*tanh(max(%s, 0)/%s) + %s*tanh(min(%s, 0)/%s)", drive,
                             pull, drive, brake, pull, brake);
  e->text[1] = speed;
}


const elementKind element_cruise = {
    ELEMENT_KIND(cruise, artCruiseDef, "cruise", keys, NULL, "A control that keeps a speed."),
    .compile = cruise_compile, .outputs = outputs};
