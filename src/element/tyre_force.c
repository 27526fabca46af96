// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A tyre between a wheel and the road as a force element. The tyre models are in src/tyre.
#include "base/error.h"
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artTyreForceDef, field)
#define TO(field) offsetof(modelElement, field)
static const fieldKey keys[] = {
    {"wheel", KEY_REFERENCE, .need = REQUIRED, .offset = AT(wheel), .to = TO(frame),
     .help = "a frame of the wheel: its origin is the centre, its y axis the axle, to the left"},
    {"tyre", KEY_TYRE, .need = REQUIRED, .offset = AT(tyre), .to = TO(tyre),
     .help = "one of `tyres`", .foreign = "tire file law model"},
    {"road", KEY_ROAD, .offset = AT(road), .fallback = "flat, z = 0", .to = TO(road),
     .help = "one of `roads`"},
    {"relaxation", KEY_FLAG, .offset = AT(relaxation), .fallback = "false",
     .help = "slips that follow the motion over relaxation lengths, as states of their own"},
    {"road_height", KEY_FORMULA, Q_LENGTH, .offset = AT(road_height), .fallback = "0",
     .to = TO(formula),
     .help = "added to the height of the road under this wheel: an input, say"},
    {"road_rate", KEY_FORMULA, Q_VELOCITY, .offset = AT(road_rate), .fallback = "0",
     .to = TO(formula) + sizeof(formula *),
     .help = "the rate of `road_height`, which the damping of the tyre feels; both or neither"},
    {"function", KEY_FUNCTION, .offset = AT(call), .fallback = "the forces of the tyre",
     .help = "the name of a user function that makes the forces of the slips"},
    PARAMETERS_FIELD(artTyreForceDef),
    {0}};

static const elementOutput outputs[] = {
    {"fx", TYRE_FX, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {"fy", TYRE_FY, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {"fz", TYRE_FZ, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {"mx", TYRE_MX, LEVEL_ACCELERATION, Q_TORQUE, OUTPUT_GROUP},
    {"my", TYRE_MY, LEVEL_ACCELERATION, Q_TORQUE, 0},
    {"mz", TYRE_MZ, LEVEL_ACCELERATION, Q_TORQUE, 0},
    {"slip", TYRE_SLIP, LEVEL_ACCELERATION, Q_NUMBER, OUTPUT_USUAL | OUTPUT_GROUP},
    {"slip_angle", TYRE_SLIP_ANGLE, LEVEL_ACCELERATION, Q_ANGLE, OUTPUT_USUAL},
    {"camber", TYRE_CAMBER, LEVEL_ACCELERATION, Q_ANGLE, 0},
    {"depth", TYRE_DEPTH, LEVEL_ACCELERATION, Q_LENGTH, 0},
    {"spin", TYRE_SPIN, LEVEL_ACCELERATION, Q_RATE, 0},
    {"x", TYRE_X, LEVEL_ACCELERATION, Q_LENGTH, OUTPUT_GROUP},
    {"y", TYRE_Y, LEVEL_ACCELERATION, Q_LENGTH, 0},
    {"z", TYRE_Z, LEVEL_ACCELERATION, Q_LENGTH, 0},
    {0}};

static const char foreign[] =
    "tire wheel tirecontact";
// clang-format on

static const char *const states[] = {"kappa", "tan_alpha", NULL};


static void tyre_force_check(const fieldCheck *c, void *def)
{
  const artTyreForceDef *tyre = def;
  const int has_height = tyre->road_height && tyre->road_height[0];
  const int has_rate = tyre->road_rate && tyre->road_rate[0];
  if (has_height != has_rate) {
    field_refuse(c, has_height ? "road_height" : "road_rate",
                 "tyre '%s' has '%s' without '%s': the contact moves with both; give 0 for a rate "
                 "that the damping of the tyre should not feel",
                 c->name, has_height ? "road_height" : "road_rate",
                 has_height ? "road_rate" : "road_height");
  }
  if (!tyre->call.name || !tyre->relaxation) return;
  field_refuse(
      c, "relaxation",
      "tyre '%s' has relaxation, which follows from stiffnesses that its function does not "
      "give; leave one of them out",
      c->name);
}


static void tyre_force_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) c;
  e->nstate = ((const artTyreForceDef *) def)->relaxation ? 2 : 0;
}


const elementKind element_tyre_force = {ELEMENT_KIND(tyre_force, artTyreForceDef, "tyre", keys,
                                                     foreign,
                                                     "A tyre between a wheel and the road."),
                                        .check = tyre_force_check,
                                        .compile = tyre_force_compile,
                                        .glyph = ART_GLYPH_WHEEL,
                                        .arrow = ARROW_CONTACT,
                                        .outputs = outputs,
                                        .states = states,
                                        .call = {FUNCTION_TYRE, ART_TYRE_PARAMETER, 6}};
