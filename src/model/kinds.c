// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The kinds of force elements, a line each: the name of the public functions, which is that of the file in src/element,
// and the definition.
#include "model/reader.h"
#include "model/records.h"

// in the order of the documents
#define KINDS(K, SHARED)                                                                           \
  K(spring_damper, artSpringDamperDef)                                                             \
  K(joint_spring, artJointSpringDef)                                                               \
  K(joint_stop, artJointStopDef)                                                                   \
  K(joint_friction, artJointFrictionDef)                                                           \
  K(joint_force, artJointForceDef)                                                                 \
  K(body_force, artBodyForceDef)                                                                   \
  SHARED(torque)                                                                                   \
  K(tyre_force, artTyreForceDef)                                                                   \
  K(bushing, artBushingDef)                                                                        \
  K(drag, artDragDef)                                                                              \
  K(link_force, artLinkForceDef)                                                                   \
  K(brake, artBrakeDef)                                                                            \
  K(driver, artDriverDef)                                                                          \
  K(cruise, artCruiseDef)

// art_default_KIND and art_add_KIND
#define INTERFACE(kind, T)                                                                         \
  extern const elementKind element_##kind;                                                         \
  T art_default_##kind(void)                                                                       \
  {                                                                                                \
    T def = {0};                                                                                   \
    field_set_defaults(&element_##kind.form, &def);                                                \
    return def;                                                                                    \
  }                                                                                                \
  artStatus art_add_##kind(artBuilder *builder, const T *def)                                      \
  {                                                                                                \
    if (builder && !builder->error.status) ART_REQUIRE(def, &builder->error);                      \
    return builder_add_element(builder, &element_##kind, def);                                     \
  }

// a kind that shares definition and functions with the one before it
#define SHARED(kind) extern const elementKind element_##kind;

KINDS(INTERFACE, SHARED)

extern const elementKind element_callback;


// a law of the host program has no words in a model file
artStatus art_add_callback(artBuilder *builder, const artCallbackDef *def)
{
  if (builder && !builder->error.status) ART_REQUIRE(def, &builder->error);
  return builder_add_element(builder, &element_callback, def);
}


#define FORM(kind, T)     &element_##kind.form,
#define SHARED_FORM(kind) &element_##kind.form,
const fieldForm *const reader_forms_force[] = {KINDS(FORM, SHARED_FORM) NULL};
