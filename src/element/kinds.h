// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The kinds of force elements, one per line, in the order of the documentation.
//
// K gets the name of a kind, which is also the name of its file in this folder and of its public
// functions, its definition, and its physics: AT_PORT(NAME) if src/element/NAME.c defines
// NAME_physics, or NULL if the kind does not act at ports. TWIN is a kind that shares definition,
// file and functions with the previous one. Tags (element.h), physics on every scalar (port.h,
// cmake/lower.cmake), the C interface and the forms of the reader (model/define/kinds.c) are
// derived from this list.
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
  K(contact, artContactDef, AT_PORT(contact))                                                      \
  K(rigid_contact, artRigidContactDef, AT_PORT(rigid_contact))                                     \
  K(rigid_pile, artRigidPileDef, NULL)                                                             \
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
