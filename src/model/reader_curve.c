// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves of a model file, for formulas to call.
#include "model/live.h"
#include "model/reader.h"

#include <string.h>


// the dimension that the first number with a unit in that column gives, `any` when none has one
static artStatus find_dimension(modelReader *reader, const yamlNode *rows, int column,
                                baseDimension *dimension)
{
  *dimension = UNIT_ANY;
  artStatus status = ART_OK;
  for (const yamlNode *row = rows->first; row && dimension->any && !status; row = row->next) {
    double value;
    if (row->kind != NODE_SEQUENCE || row->count != 2) break;
    const yamlNode *cell = column ? row->first->next : row->first;
    status = reader_read_number(reader, cell, UNIT_ANY, &value, dimension);
    live_forget(reader->builder, &value);
  }
  return status;
}


static artStatus read_points(modelReader *reader, const char *name, const yamlNode *rows,
                             int is_piecewise)
{
  baseDimension x = UNIT_ANY, f = UNIT_ANY;
  fieldRows points = {0};
  artStatus status = ART_OK;
  if (rows->kind == NODE_SEQUENCE) status = find_dimension(reader, rows, 0, &x);
  if (!status && rows->kind == NODE_SEQUENCE) status = find_dimension(reader, rows, 1, &f);
  if (!status) status = reader_read_rows(reader, rows, x, f, &points);
  if (!status) status = builder_mark(reader->builder, "value", rows->place);
  if (status) return status;
  char x_unit[UNIT_NAME_LENGTH], f_unit[UNIT_NAME_LENGTH];
  const artCurveDef def = {.name = name,
                           .n = points.n,
                           .x = points.x,
                           .f = points.f,
                           .is_piecewise = is_piecewise,
                           .x_unit = x.any ? NULL : unit_name(x, x_unit),
                           .f_unit = f.any ? NULL : unit_name(f, f_unit)};
  return art_add_curve(reader->builder, &def);
}


static artStatus read_curve(modelReader *reader, const yamlNode *item)
{
  char found[YAML_PHRASE_LENGTH];
  live_begin(reader->builder);
  artStatus status = reader_check_name(reader, item, "a curve", true);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (status) return status;
  const yamlNode *rows = item->kind == NODE_MAPPING && item->count == 1 ? item->first : NULL;
  const int is_piecewise = rows && strcmp(rows->key, "piecewise") == 0;
  if (!rows || (!is_piecewise && strcmp(rows->key, "table") != 0)) {
    return READER_FAIL(reader, rows ? rows->key_place : item->place,
                       "curve '%s' is %s, expected a mapping with 'table' or 'piecewise'",
                       item->key, yaml_describe(item, found));
  }
  return read_points(reader, item->key, rows, is_piecewise);
}


artStatus reader_read_curves(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and points of curves");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_curve(reader, item);
  }
  return status;
}
