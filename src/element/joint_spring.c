// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A spring and damper in a joint, along its coordinate or a combination of several.
//
//   Q = -f(x - x0) - g(x'),   V = integral of f
#include "element/kind.h"
#include "element/port.h"


static void joint_spring_act(const modelElement *e, const portMotion *in, portForce *out)
{
  const portLaw spring = {.law = e->spring, .name = "spring"};
  const portLaw damper = {.law = e->damper, .mode = e->spring != NULL, .name = "damper"};
  const real rest = port_number(in, &e->rest, "rest");
  out->elastic[0] = r_neg(port_spring(in, spring, 0, rest));
  out->resisting[0] = r_neg(port_law(in, damper, in->v[0]));
}


static real joint_spring_potential(const modelElement *e, const portMotion *in)
{
  const portLaw spring = {.law = e->spring, .name = "spring"};
  return port_integral(in, spring, r_sub(in->x[0], port_number(in, &e->rest, "rest")));
}


const elementPhysics R_NAME(joint_spring_physics) = {
    .port = PORT_AXIS, .act = joint_spring_act, .potential = joint_spring_potential};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
#define AT(field) offsetof(artJointSpringDef, field)
#define TO(field) offsetof(modelElement, field)
static const fieldKey keys[] = {
    COORDINATE_FIELDS(artJointSpringDef),
    {"rest", KEY_NUMBER, Q_X, .offset = AT(rest), FALLBACK(0), .to = TO(rest),
     .help = "value of the coordinate at which the spring is slack"},
    {"stiffness", KEY_COEFFICIENT, Q_X_STIFFNESS, .offset = AT(spring), .mark = "spring",
     .rival = "spring", FALLBACK(0), .help = "of a linear spring"},
    {"spring", KEY_LAW, Q_X, .offset = AT(spring), .rival = "stiffness", .to = TO(spring),
     .help = "law of the spring, over `x - rest`"},
    {"damping", KEY_COEFFICIENT, Q_X_DAMPING, .offset = AT(damper), .mark = "damper",
     .rival = "damper", FALLBACK(0), .help = "of a linear damper"},
    {"damper", KEY_LAW, Q_X_RATE, .offset = AT(damper), .rival = "damping", .to = TO(damper),
     .help = "law of the damper, over the rate of the coordinate"},
    {0}};

static const char foreign[] =
    "torsionspring torsionalspring rotationalspring rsda rotationalspringdamper "
    "torsionspringdamper jointspringdamper jointdamper rotationaldamper torsionaldamper "
    "rotaryspring jointdamping jointstiffness torsiondamper";

static const vocabularyWords advice[] = {
    {"joint",
     "springs and dampers in a joint are a force of type joint-spring, with 'coordinate', "
     "'stiffness' and 'damping'",
     "damping damper dampingcoefficient dampingconstant stiffness spring springconstant "
     "springstiffness springref k c d"},
    {0}};
// clang-format on


static void joint_spring_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) def;
  (void) c;
  e->has_potential = !e->damper;
}


const elementKind element_joint_spring = {
    ELEMENT_KIND(joint_spring, artJointSpringDef, "joint-spring", keys, foreign,
                 "A spring and a damper in a joint."),
    .compile = joint_spring_compile, .advice = advice, .outputs = element_joint_outputs};

#endif
