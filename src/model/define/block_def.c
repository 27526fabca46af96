// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of the C interface and the forms of the reader for every kind of block and sensor (element/block_kind.h).
#include "model/read/reader.h"

// art_default_KIND and art_add_KIND
#define INTERFACE(kind, T)                                                                         \
  extern const blockKind block_##kind;                                                             \
  T art_default_##kind(void)                                                                       \
  {                                                                                                \
    T def = {0};                                                                                   \
    field_set_defaults(&block_##kind.form, &def);                                                  \
    return def;                                                                                    \
  }                                                                                                \
  artStatus art_add_##kind(artBuilder *builder, const T *def)                                      \
  {                                                                                                \
    return builder_add_block(builder, &block_##kind, def);                                         \
  }

BLOCK_KINDS(INTERFACE)
SENSOR_KINDS(INTERFACE)

#define FORM(kind, T) &block_##kind.form,
const fieldForm *const reader_forms_block[] = {BLOCK_KINDS(FORM) NULL};
const fieldForm *const reader_forms_sensor[] = {SENSOR_KINDS(FORM) NULL};


//---- in files ------------------------------------------------------------------------------------

static void read_block(modelReader *reader, const yamlNode *item, int type, void *def)
{
  *(const char **) def = item->key;
  reader_built(reader,
               builder_add_block(reader->builder, block_of_form(reader_forms_block[type]), def));
}


typedef union blockText {
#define MEMBER(kind, T) T kind;
  BLOCK_KINDS(MEMBER)
} blockText;

const itemFamily item_block = {
    .what = "block", .forms = reader_forms_block, .size = sizeof(blockText), .read = read_block};


static void read_sensor_block(modelReader *reader, const yamlNode *item, int type, void *def)
{
  *(const char **) def = item->key;
  reader_built(reader,
               builder_add_block(reader->builder, block_of_form(reader_forms_sensor[type]), def));
}


const itemFamily item_sensor = {.what = "sensor",
                                .forms = reader_forms_sensor,
                                .size = sizeof(artSensorDef),
                                .read = read_sensor_block};
