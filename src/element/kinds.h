// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The kinds of force elements, a line each, in the order of the documents.
//
// K has the name of a kind, which is the name of its file beside this header and of its public functions, its definition,
// and its physics: AT_PORT(NAME), where src/element/NAME.c defines NAME_physics, or NULL for a kind that does not act
// at ports. TWIN is a kind that shares definition, file and functions with the one before it. Tags (element.h), physics
// on every scalar (port.h, cmake/lower.cmake), functions of the C interface and forms of the reader (model/define/kinds.c)
// follow from this list.
#ifndef ELEMENT_KINDS_H
#define ELEMENT_KINDS_H

#define ELEMENT_KINDS(K, TWIN)                                                                     \
  K(spring_damper, artSpringDamperDef, AT_PORT(spring_damper))                                     \
  K(joint_spring, artJointSpringDef, AT_PORT(joint_spring))                                        \
  K(joint_stop, artJointStopDef, AT_PORT(joint_stop))                                              \
  K(joint_friction, artJointFrictionDef, AT_PORT(joint_friction))                                  \
  K(joint_force, artJointForceDef, AT_PORT(joint_force))                                           \
  K(body_force, artBodyForceDef, AT_PORT(body_force))                                              \
  TWIN(torque, AT_PORT(body_force))                                                                \
  K(tyre_force, artTyreForceDef, NULL)                                                             \
  K(bushing, artBushingDef, AT_PORT(bushing))                                                      \
  K(drag, artDragDef, AT_PORT(drag))                                                               \
  K(link_force, artLinkForceDef, AT_PORT(link_force))                                              \
  K(rope, artRopeDef, AT_PORT(rope))                                                               \
  K(brake, artBrakeDef, AT_PORT(joint_force))                                                      \
  K(driver, artDriverDef, AT_PORT(joint_force))                                                    \
  K(cruise, artCruiseDef, AT_PORT(joint_force))                                                    \
  K(motor, artMotorDef, AT_PORT(joint_force))                                                      \
  K(hydraulic_cylinder, artHydraulicCylinderDef, AT_PORT(link_force))                              \
  K(pneumatic_cylinder, artPneumaticCylinderDef, AT_PORT(link_force))

#endif
