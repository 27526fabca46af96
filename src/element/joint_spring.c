// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A spring and a damper in a joint.
//---- definition, for the build on numbers alone ---------------------------------------------------
#if !defined(ART_SYMBOLIC) && !defined(ART_DUAL)

#include "element/kind.h"

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

static const foreignWords advice[] = {
    {"joint",
     "springs and dampers in a joint are a force of type joint-spring, with 'coordinate', "
     "'stiffness' and 'damping'",
     "damping damper dampingcoefficient dampingconstant stiffness spring springconstant "
     "springstiffness springref k c d"},
    {0}};
// clang-format on


static artStatus compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) def;
  (void) c;
  e->has_potential = !e->damper;
  return ART_OK;
}


const elementKind element_joint_spring = {
    ELEMENT_KIND(artJointSpringDef, ELEMENT_JOINT_SPRING, "joint-spring", keys, foreign,
                 "A spring and a damper in a joint."),
    .compile = compile, .advice = advice, .outputs = element_joint_outputs};

#endif
