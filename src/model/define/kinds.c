// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of the C interface and the forms of the reader for every kind of force element (element/kinds.h).
#include "base/arithmetic.h"
#include "model/read/reader.h"

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
    return builder_add_element(builder, &element_##kind, def);                                     \
  }

#define TWIN(kind, physics) extern const elementKind element_##kind;

ELEMENT_KINDS(INTERFACE, TWIN)

extern const elementKind element_callback;


// a law of the host program; in a model file it is a name that art_attach_force gives a law
artStatus art_add_callback(artBuilder *builder, const artCallbackDef *def)
{
  ARITHMETIC_GUARD;
  return builder_add_element(builder, &element_callback, def);
}


#define FORM(kind, ...) &element_##kind.form,
const fieldForm *const reader_forms_force[] = {ELEMENT_KINDS(FORM, FORM) & element_callback.form,
                                               NULL};


//---- in files ------------------------------------------------------------------------------------

static void read_force(modelReader *reader, const yamlNode *item, int type, void *def)
{
  *(const char **) def = item->key;
  reader_built(
      reader, builder_add_element(reader->builder, element_of_form(reader_forms_force[type]), def));

  // the element is added with the first of several coordinates, then told of all
  const fieldTerms along = reader->along;
  reader->along.n = 0;
  if (along.n == 0) return;
  reader_built(reader, art_set_combination(reader->builder, item->key, along.n, along.coordinate,
                                           along.coefficient));
}


typedef union forceText {
#define MEMBER(kind, T, physics) T kind;
#define NO_MEMBER(kind, physics)
  ELEMENT_KINDS(MEMBER, NO_MEMBER)
  artCallbackDef callback;
} forceText;

const itemFamily item_force = {
    .what = "force", .forms = reader_forms_force, .size = sizeof(forceText), .read = read_force};
