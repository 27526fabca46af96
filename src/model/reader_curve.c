// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves of a model file, for formulas to call.
#include "model/live.h"
#include "model/reader.h"

#include <stdio.h>
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


//---- tables of two dimensions --------------------------------------------------------------------

// the same of a list of numbers
static artStatus find_list_dimension(modelReader *reader, const yamlNode *list,
                                     baseDimension *dimension)
{
  artStatus status = ART_OK;
  for (const yamlNode *cell = list->first; cell && dimension->any && !status; cell = cell->next) {
    double value;
    if (cell->kind != NODE_SCALAR) break;
    status = reader_read_number(reader, cell, UNIT_ANY, &value, dimension);
    live_forget(reader->builder, &value);
  }
  return status;
}


static artStatus read_axis_of_map(modelReader *reader, const yamlNode *list, int *n,
                                  const double **values, baseDimension *dimension)
{
  *dimension = UNIT_ANY;
  if (list->kind != NODE_SEQUENCE || list->count < 2) {
    return reader_wrong_shape(reader, list, "a list of two or more numbers");
  }
  double *room = arena_alloc(&reader->scratch, (size_t) list->count, sizeof *room);
  if (!room) return base_no_memory(reader->error);
  *n = list->count;
  *values = room;
  artStatus status = find_list_dimension(reader, list, dimension);
  if (!status) status = reader_read_vector(reader, list, *dimension, list->count, room);
  const yamlNode *cell = list->first;
  for (int i = 1; i < *n && !status; i++) {
    cell = cell->next;
    if (room[i] > room[i - 1]) continue;
    status = READER_FAIL(reader, cell->place, "%g comes after %g, expected increasing numbers",
                         room[i], room[i - 1]);
  }
  return status;
}


// a row for every x, a column for every y
static artStatus read_values(modelReader *reader, const yamlNode *rows, artMapDef *def,
                             baseDimension *dimension)
{
  char shape[80];
  *dimension = UNIT_ANY;
  snprintf(shape, sizeof shape, "a list of %d rows, one for each x", def->nx);
  if (rows->kind != NODE_SEQUENCE || rows->count != def->nx) {
    return reader_wrong_shape(reader, rows, shape);
  }
  double *f = arena_alloc(&reader->scratch, (size_t) def->nx * (size_t) def->ny, sizeof *f);
  if (!f) return base_no_memory(reader->error);
  def->f = f;
  artStatus status = ART_OK;
  for (const yamlNode *row = rows->first; row && !status; row = row->next) {
    snprintf(shape, sizeof shape, "a list of %d values, one for each y", def->ny);
    if (row->kind != NODE_SEQUENCE || row->count != def->ny) {
      return reader_wrong_shape(reader, row, shape);
    }
    status = find_list_dimension(reader, row, dimension);
  }
  for (const yamlNode *row = rows->first; row && !status; row = row->next, f += def->ny) {
    status = reader_read_vector(reader, row, *dimension, def->ny, f);
  }
  return status;
}


static artStatus read_map(modelReader *reader, const char *name, const yamlNode *node,
                          int is_piecewise)
{
  const yamlNode *x = yaml_find(node, "x"), *y = yaml_find(node, "y");
  const yamlNode *values = yaml_find(node, "values");
  if (!x || !y || !values || node->count != 3) {
    return READER_FAIL(reader, node->place,
                       "a table of two dimensions has the keys 'x', 'y' and 'values'");
  }
  artMapDef def = {.name = name, .is_piecewise = is_piecewise};
  baseDimension dx, dy, df;
  artStatus status = read_axis_of_map(reader, x, &def.nx, &def.x, &dx);
  if (!status) status = read_axis_of_map(reader, y, &def.ny, &def.y, &dy);
  if (!status) status = read_values(reader, values, &def, &df);
  if (!status) status = builder_mark(reader->builder, "value", values->place);
  if (status) return status;
  char x_unit[UNIT_NAME_LENGTH], y_unit[UNIT_NAME_LENGTH], f_unit[UNIT_NAME_LENGTH];
  def.x_unit = dx.any ? NULL : unit_name(dx, x_unit);
  def.y_unit = dy.any ? NULL : unit_name(dy, y_unit);
  def.f_unit = df.any ? NULL : unit_name(df, f_unit);
  return art_add_map(reader->builder, &def);
}

//---- all -----------------------------------------------------------------------------------------

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
  return rows->kind == NODE_MAPPING ? read_map(reader, item->key, rows, is_piecewise)
                                    : read_points(reader, item->key, rows, is_piecewise);
}


artStatus reader_read_curves(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and points of curves");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_curve(reader, item);
  }
  return status;
}
