// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of the C interface and the forms of the reader for every kind of force element (element/kinds.h).
#include "model/reader.h"
#include "model/records.h"

// art_default_KIND and art_add_KIND
#define INTERFACE(kind, T, physics)                                                                \
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

#define TWIN(kind, physics) extern const elementKind element_##kind;

ELEMENT_KINDS(INTERFACE, TWIN)

extern const elementKind element_callback;


// a law of the host program has no words in a model file
artStatus art_add_callback(artBuilder *builder, const artCallbackDef *def)
{
  if (builder && !builder->error.status) ART_REQUIRE(def, &builder->error);
  return builder_add_element(builder, &element_callback, def);
}


#define FORM(kind, ...) &element_##kind.form,
const fieldForm *const reader_forms_force[] = {ELEMENT_KINDS(FORM, FORM) NULL};
