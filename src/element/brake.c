// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A brake on a joint coordinate: a joint force whose formula is generated here.
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artBrakeDef, field)
static const fieldKey keys[] = {
    COORDINATE_FIELDS(artBrakeDef),
    {"demand", KEY_FORMULA, Q_X_FORCE, .need = REQUIRED, .offset = AT(demand), .mark = "formula",
     .help = "the force or torque of a full slide"},
    {"transition", KEY_NUMBER, Q_X_RATE, .need = REQUIRED, .offset = AT(transition),
     .range = RANGE_POSITIVE,
     .help = "rate over which the brake changes its sign: small against working rates"},
    {0}};
// clang-format on


static void brake_compile(modelElement *e, const void *from, const elementContext *c)
{
  const artBrakeDef *def = from;
  const char *transition = part_number(&c->numbers, c->arena, &def->transition);
  e->text[0] = arena_compose(c->arena, "-(%s)*tanh(%s/%s)", def->demand, c->rate, transition);
}


const elementKind element_brake = {
    ELEMENT_KIND(brake, artBrakeDef, "brake", keys, NULL, "A brake on a joint coordinate."),
    .compile = brake_compile, .outputs = element_joint_outputs};
