// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drives: fields, checks, and their section in model files.
#include "model/define/records.h"
#include "model/read/reader.h"

FIELD_HAS_ROWS(artDriveDef, n, time, value);

// clang-format off
#define AT(field) offsetof(artDriveDef, field)
static const fieldKey drive_keys[] = {
    {"coordinate", KEY_COORDINATE, .need = REQUIRED, .offset = AT(coordinate),
     .help = "the driven joint coordinate, `pin.angle` or `pin`"},
    {"value", KEY_FORMULA, Q_X, .need = ONE_OF, .offset = AT(formula), .mark = "formula",
     .rival = "table",
     .help = "its value as a formula of time; velocity and acceleration are derived exactly"},
    {"table", KEY_TABLE, Q_X, .need = ONE_OF, .offset = AT(n), .mark = "value", .rival = "value",
     .help = "rows [time, value], joined by a smooth curve"},
    {0}};
// clang-format on
const fieldForm reader_form_drive = {.name = "drive", .keys = drive_keys};


static void check_drive(const fieldCheck *c, void *from)
{
  const artDriveDef *def = from;
  if (def->formula || (def->n >= 2 && def->time && def->value)) return;
  field_refuse_all(c, "drive '%s' has neither a formula nor a table of two points or more",
                   def->name);
}


static const fieldForm *const forms[] = {&reader_form_drive, NULL};
const itemFamily item_drive = {.what = "drive",
                               .forms = forms,
                               .whole = &reader_form_drive,
                               .size = sizeof(artDriveDef),
                               ITEM_RECORDS(drives, driveRecord),
                               .check = check_drive};
