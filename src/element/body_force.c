// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A force or torque on a body, by formulas of its components in ground or body axes; or both by a
// user function. A constant force in ground axes has the potential -F.r.
#include "base/error.h"
#include "element/kind.h"
#include "element/port.h"


static int body_force_needs(const modelElement *e)
{
  if (e->call.function) return PORT_POSITION | PORT_VELOCITY | PORT_AXES | PORT_OMEGA;
  return (e->in_body ? PORT_AXES : 0) | (e->is_torque ? PORT_OMEGA : PORT_VELOCITY) |
         (e->has_potential ? PORT_POSITION : 0);
}


static void body_force_act(const modelElement *e, const portMotion *in, portForce *out)
{
  const v3 given = v3_make(in->given[0], in->given[1], in->given[2]);
  v3 *acting = e->is_torque ? &out->torque : &out->force;
  *acting = e->in_body ? m3_back(in->axes, given) : given;
  if (e->call.function) out->torque = v3_make(in->given[3], in->given[4], in->given[5]);
  for (int c = 0; c < e->nvalue; c++) out->value[c] = in->given[c];
}


static real body_force_potential(const modelElement *e, const portMotion *in)
{
  if (!e->has_potential) return r_const(0);
  return r_neg(v3_dot(v3_make(in->given[0], in->given[1], in->given[2]), in->position));
}


const elementPhysics R_NAME(body_force_physics) = {.port = PORT_POINT,
                                                   .needs = body_force_needs,
                                                   .act = body_force_act,
                                                   .potential = body_force_potential};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

extern const elementKind element_body_force;

FIELD_WORDS(axes_word, "ground", "body")


// clang-format off
#define AT(field) offsetof(artBodyForceDef, field)
#define TO(field) offsetof(modelElement, field)
static const fieldKey force_keys[] = {
    {"point", KEY_REFERENCE, .need = REQUIRED, .offset = AT(on), .mark = "on", .to = TO(frame),
     .help = "where it acts: `body.point`, or `body` for its origin"},
    {"value", KEY_FORMULAS, Q_FORCE, .need = ONE_OF, .offset = AT(components),
     .mark = "components", .rival = "function", .to = TO(formula),
     .help = "components along the axes"},
    {"axes", KEY_CHOICE, .offset = AT(in_body), .choice = axes_word, .mark = "in_body",
     .fallback = "ground", .to = TO(in_body), .help = "whose axes the components refer to"},
    FUNCTION_FIELDS(artBodyForceDef),
    {0}};

static const fieldKey torque_keys[] = {
    {"body", KEY_REFERENCE, .need = REQUIRED, .offset = AT(on), .mark = "on", .to = TO(frame),
     .help = "the body it acts on"},
    {"value", KEY_FORMULAS, Q_TORQUE, .need = REQUIRED, .offset = AT(components),
     .mark = "components", .to = TO(formula), .help = "components along the axes"},
    {"axes", KEY_CHOICE, .offset = AT(in_body), .choice = axes_word, .mark = "in_body",
     .fallback = "ground", .to = TO(in_body), .help = "whose axes the components refer to"},
    {0}};

static const elementOutput force_outputs[] = {
    OUTPUTS_XYZ("", 0, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL),
    OUTPUTS_XYZ("m", 3, LEVEL_ACCELERATION, Q_TORQUE, OUTPUT_USUAL | OUTPUT_CALLED | OUTPUT_GROUP),
    {0}};

static const elementOutput torque_outputs[] = {
    OUTPUTS_XYZ("", 0, LEVEL_ACCELERATION, Q_TORQUE, OUTPUT_USUAL),
    {0}};

static const char torque_foreign[] =
    "moment couple vtorque pointtorque worldtorque externaltorque bodytorque";

static const char force_foreign[] =
    "vforce load pointforce pointload worldforce externalforce thrust vectorforce "
    "bodyforce appliedforce wrench gforce forceandtorque";
// clang-format on


static void body_force_check(const fieldCheck *c, void *def)
{
  const artBodyForceDef *force = def;
  if (!force->call.name || !(force->in_body || force->is_torque)) return;
  field_refuse(c, "in_body",
               "force '%s' calls a function, which gives force and moment in ground axes", c->name);
}


static void check_torque(const fieldCheck *c, void *def)
{
  ((artBodyForceDef *) def)->is_torque = 1;
  body_force_check(c, def);
}


// a constant force in ground axes has a potential
static void body_force_compile(modelElement *e, const void *def, const elementContext *c)
{
  e->is_torque = ((const artBodyForceDef *) def)->is_torque;
  e->has_potential = !e->call.function && !e->is_torque && !e->in_body && c->is_constant;
}


const elementKind element_torque = {ELEMENT_KIND(torque, artBodyForceDef, "torque", torque_keys,
                                                 torque_foreign, "A torque on a body."),
                                    .check = check_torque, .compile = body_force_compile,
                                    .arrow = ARROW_GROUND, .outputs = torque_outputs};


static const elementKind *body_force_variant(const void *def)
{
  return ((const artBodyForceDef *) def)->is_torque ? &element_torque : &element_body_force;
}


const elementKind element_body_force = {ELEMENT_KIND(body_force, artBodyForceDef, "force",
                                                     force_keys, force_foreign,
                                                     "A force on a point of a body."),
                                        .variant = body_force_variant,
                                        .check = body_force_check,
                                        .compile = body_force_compile,
                                        .arrow = ARROW_GROUND,
                                        .outputs = force_outputs,
                                        .call = {FUNCTION_POINT, ART_POINT_PARAMETER, 6}};

#endif
