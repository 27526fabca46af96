// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A force along a joint's coordinate, by a formula or by a function of the user.
#include "element/kind.h"
#include "element/port.h"


static void joint_force_act(const modelElement *e, const portMotion *in, portForce *out)
{
  (void) e;
  out->elastic[0] = r_const(0);
  out->resisting[0] = in->given[0];
}


const elementPhysics R_NAME(joint_force_physics) = {.port = PORT_AXIS, .act = joint_force_act};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
static const fieldKey keys[] = {
    COORDINATE_FIELDS(artJointForceDef),
    {"value", KEY_FORMULA, Q_X_FORCE, .need = ONE_OF, .offset = offsetof(artJointForceDef, formula),
     .mark = "formula", .rival = "function", .to = offsetof(modelElement, formula),
     .help = "force or torque, positive along the coordinate"},
    FUNCTION_FIELDS(artJointForceDef),
    {0}};

// for all elements on joint coordinates without further outputs
const elementOutput element_joint_outputs[] = {
    {"force", 0, LEVEL_ACCELERATION, Q_X_FORCE, OUTPUT_USUAL},
    {0}};

static const char foreign[] =
    "motor actuator jointtorque jointmotor jointactuator torquemotor general "
    "generalizedforce generalisedforce";

static const vocabularyWords advice[] = {
    {"section",
     "a motor that prescribes a motion belongs in 'drives', one that exerts a force in 'forces' as "
     "a joint-force",
     "actuator actuators"},
    {"joint",
     "prescribed motions belong in the section 'drives', torques of motors in 'forces' as "
     "joint-force",
     "motor drive motion actuator driver prescribed function"},
    {"joint type",
     "prescribed motions belong in the section 'drives', torques of motors in 'forces' as "
     "joint-force",
     "motor drive actuator motion"},
    {0}};
// clang-format on

const elementKind element_joint_force = {ELEMENT_KIND(joint_force, artJointForceDef, "joint-force",
                                                      keys, foreign,
                                                      "A force or torque on a joint coordinate."),
                                         .advice = advice, .outputs = element_joint_outputs,
                                         .call = {FUNCTION_JOINT, ART_JOINT_PARAMETER, 1}};

#endif
