// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dry friction in a joint, regularised, with the Stribeck effect (law/friction.h).
#include "base/error.h"
#include "element/kind.h"
#include "element/port.h"


static void joint_friction_act(const modelElement *e, const portMotion *in, portForce *out)
{
  const forceFriction *f = &e->friction;
  const real v = in->v[0];
  const real coulomb = port_number(in, &f->coulomb, "friction_coulomb");
  const real breakaway = port_number(in, &f->breakaway, "friction_breakaway");
  const real w = r_div(v, port_number(in, &f->stribeck_speed, "friction_stribeck"));
  const real u = r_div(v, port_number(in, &f->creep_speed, "friction_creep"));

  // F = (Fc + (Fs - Fc) exp(-(v/vs)^2)) tanh(v/v0) + b v
  const real stribeck = r_mul(r_sub(breakaway, coulomb), r_exp(r_neg(r_mul(w, w))));
  const real dry = r_mul(r_add(coulomb, stribeck), r_tanh(u));
  const real viscous = r_mul(port_number(in, &f->viscous, "friction_viscous"), v);
  out->elastic[0] = r_const(0);
  out->resisting[0] = r_neg(r_add(dry, viscous));
}


const elementPhysics R_NAME(joint_friction_physics) = {.port = PORT_AXIS,
                                                       .act = joint_friction_act};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
#define AT(field) offsetof(artJointFrictionDef, field)
#define TO(field) offsetof(modelElement, friction.field)
static const fieldKey keys[] = {
    COORDINATE_FIELDS(artJointFrictionDef),
    {"coulomb", KEY_NUMBER, Q_X_FORCE, .need = REQUIRED, .offset = AT(coulomb),
     .range = RANGE_NOT_NEGATIVE, .to = TO(coulomb), .help = "sliding friction"},
    {"breakaway", KEY_NUMBER, Q_X_FORCE, .offset = AT(breakaway), .value = ART_UNSET,
     .fallback = "coulomb", .range = RANGE_CHECKED,
     .help = "static friction, at least `coulomb`"},
    {"stribeck", KEY_NUMBER, Q_X_RATE, .offset = AT(stribeck), .value = ART_UNSET,
     .fallback = "10 times `transition`", .range = RANGE_CHECKED,
     .help = "speed over which static friction falls to sliding friction"},
    {"transition", KEY_NUMBER, Q_X_RATE, .need = REQUIRED, .offset = AT(transition),
     .range = RANGE_POSITIVE, .to = TO(creep_speed),
     .help = "speed over which friction changes its sign: small against working speeds"},
    {"viscous", KEY_NUMBER, Q_X_DAMPING, .offset = AT(viscous), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .to = TO(viscous), .help = "friction in proportion to speed"},
    {0}};

static const char foreign[] =
    "friction coulomb dryfriction frictionloss coulombfriction viscousfriction stribeck";

static const vocabularyWords advice[] = {
    {"joint",
     "friction in a joint is a force of type joint-friction, with 'coordinate' and 'coulomb'",
     "friction frictionloss mu coulomb dynamics"},
    {0}};
// clang-format on


// default value of a number that is not given: a factor times another number
typedef struct chosen {
  double factor;
  const double *number;
} chosen;


static chosen breakaway_of(const artJointFrictionDef *def)
{
  return (chosen){1, def->breakaway == ART_UNSET ? &def->coulomb : &def->breakaway};
}


static chosen stribeck_of(const artJointFrictionDef *def)
{
  if (def->stribeck == ART_UNSET) return (chosen){10, &def->transition};
  return (chosen){1, &def->stribeck};
}


static double chosen_value_of(chosen x)
{
  return x.factor * *x.number;
}


static void joint_friction_check(const fieldCheck *c, void *def)
{
  const artJointFrictionDef *friction = def;
  const double breakaway = chosen_value_of(breakaway_of(def)), coulomb = friction->coulomb;
  field_check_positive(c, "breakaway", breakaway, 1);
  if (breakaway < coulomb) {
    field_refuse(c, "breakaway",
                 "friction '%s' has the breakaway force %g below the sliding force %g", c->name,
                 breakaway, coulomb);
  }
  if (breakaway > coulomb)
    field_check_positive(c, "stribeck", chosen_value_of(stribeck_of(def)), 0);
}


static void joint_friction_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) c;
  const double stribeck = chosen_value_of(stribeck_of(def));
  e->friction.breakaway = chosen_value_of(breakaway_of(def));
  // 0: breakaway = coulomb, so the value is unused
  e->friction.stribeck_speed = stribeck == 0 ? 1 : stribeck;
}


static void joint_friction_follow(const modelElement *e, const void *def,
                                  const elementParameterMap *f)
{
  const chosen breakaway = breakaway_of(def), stribeck = stribeck_of(def);
  f->term(f->context, &e->friction.breakaway, breakaway.factor, breakaway.number, NULL);
  if (*stribeck.number == 0) return;
  f->term(f->context, &e->friction.stribeck_speed, stribeck.factor, stribeck.number, NULL);
}


const elementKind element_joint_friction = {ELEMENT_KIND(joint_friction, artJointFrictionDef,
                                                         "joint-friction", keys, foreign,
                                                         "Dry and viscous friction in a joint."),
                                            .check = joint_friction_check,
                                            .compile = joint_friction_compile,
                                            .follow = joint_friction_follow,
                                            .advice = advice,
                                            .outputs = element_joint_outputs};

#endif
