// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces and drives of a model file.
#include "model/reader.h"

#include <string.h>

//---- forces --------------------------------------------------------------------------------------

static artStatus read_force(modelReader *reader, const yamlNode *item)
{
  int type = 0;
  artStatus status = reader_check_name(reader, item, "a force", false);
  if (!status) status = reader_choose_form(reader, reader_forms_force, item, &type);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (status) return status;

  const elementKind *kind = element_of_form(reader_forms_force[type]);
  char *def = arena_alloc(&reader->arena, 1, kind->size);
  if (!def) return base_no_memory(reader->error);
  field_set_defaults(&kind->form, def);
  memcpy(def, &item->key, sizeof item->key);
  reader->along.n = 0;
  status = reader_read_form(reader, &kind->form, item, def);
  if (!status) status = builder_add_element(reader->builder, kind, def);

  // the element is added with the first of several coordinates, then told of all
  const readerTerms *along = &reader->along;
  if (status || along->n == 0) return status;
  return art_set_combination(reader->builder, item->key, along->n, along->coordinate,
                             along->factor);
}


artStatus reader_read_forces(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of forces");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_force(reader, item);
  }
  return status;
}


//---- drives --------------------------------------------------------------------------------------

typedef struct driveText {
  const char *coordinate, *formula;
  readerRows table;
} driveText;

// clang-format off
static const fieldKey drive_keys[] = {
    {"coordinate", KEY_COORDINATE, .need = REQUIRED, .offset = offsetof(driveText, coordinate),
     .help = "the joint coordinate that is driven: `pin.angle`, or `pin` when the joint has one"},
    {"value", KEY_FORMULA, Q_X, .need = ONE_OF, .offset = offsetof(driveText, formula),
     .mark = "formula", .rival = "table",
     .help = "its value as a formula of time; velocity and acceleration are derived exactly"},
    {"table", KEY_TABLE, Q_X, .need = ONE_OF, .offset = offsetof(driveText, table),
     .mark = "value", .rival = "value", .help = "rows [time, value], joined by a smooth curve"},
    {0}};
// clang-format on
const fieldForm reader_form_drive = {.name = "drive", .keys = drive_keys};


static artStatus read_drive(modelReader *reader, const yamlNode *item)
{
  driveText text = {0};
  artStatus status = reader_check_name(reader, item, "a drive", false);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (!status) status = reader_read_form(reader, &reader_form_drive, item, &text);
  if (status) return status;
  const artDriveDef def = {item->key,    text.coordinate, text.formula,
                           text.table.n, text.table.x,    text.table.f};
  return art_add_drive(reader->builder, &def);
}


artStatus reader_read_drives(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of drives");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_drive(reader, item);
  }
  return status;
}
