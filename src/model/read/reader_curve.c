// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves of a model file, for formulas to call.
#include "model/parameter/live.h"
#include "model/read/reader.h"

#include <stdio.h>
#include <string.h>


static void find_cell_dimension(modelReader *reader, const yamlNode *cell, baseDimension *dimension)
{
  double value;
  reader_read_number(reader, cell, UNIT_ANY, &value, dimension);
  live_forget(reader->builder, &value);
}


// the dimension that the first number with a unit in that column gives, `any` when none has one
static void find_column_dimension(modelReader *reader, const yamlNode *rows, int column,
                                  baseDimension *dimension)
{
  for (const yamlNode *row = rows->first; row && dimension->any; row = row->next) {
    if (row->kind != NODE_SEQUENCE || row->count != 2) break;
    find_cell_dimension(reader, column ? row->first->next : row->first, dimension);
  }
}


static void read_curve_points(modelReader *reader, const char *name, const yamlNode *rows,
                              int is_piecewise)
{
  baseDimension x = UNIT_ANY, f = UNIT_ANY;
  fieldRows points = {0};
  if (rows->kind == NODE_SEQUENCE) find_column_dimension(reader, rows, 0, &x);
  if (rows->kind == NODE_SEQUENCE) find_column_dimension(reader, rows, 1, &f);
  reader_read_rows(reader, rows, x, f, &points);
  reader_mark(reader, "value", rows->place);
  char x_unit[UNIT_NAME_LENGTH], f_unit[UNIT_NAME_LENGTH];
  const artCurveDef def = {.name = name,
                           .n = points.n,
                           .x = points.x,
                           .f = points.f,
                           .is_piecewise = is_piecewise,
                           .x_unit = x.any ? NULL : unit_name(x, x_unit),
                           .f_unit = f.any ? NULL : unit_name(f, f_unit)};
  reader_built(reader, art_add_curve(reader->builder, &def));
}


//---- tables of two dimensions --------------------------------------------------------------------

// the same of a list of numbers
static void find_list_dimension(modelReader *reader, const yamlNode *list, baseDimension *dimension)
{
  for (const yamlNode *cell = list->first; cell && dimension->any; cell = cell->next) {
    if (cell->kind != NODE_SCALAR) break;
    find_cell_dimension(reader, cell, dimension);
  }
}


static void read_axis_of_map(modelReader *reader, const yamlNode *list, int *n,
                             const double **values, baseDimension *dimension)
{
  *dimension = UNIT_ANY;
  reader_check_list(list, 2, INT_MAX, "a list of two or more numbers");
  double *room = arena_alloc(&reader->scratch, (size_t) list->count, sizeof *room);
  *n = list->count;
  *values = room;
  find_list_dimension(reader, list, dimension);
  reader_read_vector(reader, list, *dimension, list->count, room);
  const yamlNode *cell = list->first;
  for (int i = 1; i < *n; i++) {
    cell = cell->next;
    if (room[i] > room[i - 1]) continue;
    error_refuse(cell->place, "%g comes after %g, expected increasing numbers", room[i],
                 room[i - 1]);
  }
}


// a row for every x, a column for every y
static void read_map_values(modelReader *reader, const yamlNode *rows, artMapDef *def,
                            baseDimension *dimension)
{
  char shape[80];
  *dimension = UNIT_ANY;
  snprintf(shape, sizeof shape, "a list of %d rows, one for each x", def->nx);
  reader_check_list(rows, def->nx, def->nx, shape);
  double *f = arena_alloc(&reader->scratch, (size_t) def->nx * (size_t) def->ny, sizeof *f);
  def->f = f;
  for (const yamlNode *row = rows->first; row; row = row->next) {
    snprintf(shape, sizeof shape, "a list of %d values, one for each y", def->ny);
    reader_check_list(row, def->ny, def->ny, shape);
    find_list_dimension(reader, row, dimension);
  }
  for (const yamlNode *row = rows->first; row; row = row->next, f += def->ny) {
    reader_read_vector(reader, row, *dimension, def->ny, f);
  }
}


static void read_map(modelReader *reader, const char *name, const yamlNode *node, int is_piecewise)
{
  const yamlNode *x = yaml_find(node, "x"), *y = yaml_find(node, "y");
  const yamlNode *values = yaml_find(node, "values");
  if (!x || !y || !values || node->count != 3) {
    error_refuse(node->place, "a table of two dimensions has the keys 'x', 'y' and 'values'");
  }
  artMapDef def = {.name = name, .is_piecewise = is_piecewise};
  baseDimension dx, dy, df;
  read_axis_of_map(reader, x, &def.nx, &def.x, &dx);
  read_axis_of_map(reader, y, &def.ny, &def.y, &dy);
  read_map_values(reader, values, &def, &df);
  reader_mark(reader, "value", values->place);
  char x_unit[UNIT_NAME_LENGTH], y_unit[UNIT_NAME_LENGTH], f_unit[UNIT_NAME_LENGTH];
  def.x_unit = dx.any ? NULL : unit_name(dx, x_unit);
  def.y_unit = dy.any ? NULL : unit_name(dy, y_unit);
  def.f_unit = df.any ? NULL : unit_name(df, f_unit);
  reader_built(reader, art_add_map(reader->builder, &def));
}

//---- all -----------------------------------------------------------------------------------------

static void read_curve_item(modelReader *reader, const yamlNode *item, void *out)
{
  (void) out;
  char found[YAML_PHRASE_LENGTH];
  live_begin(reader->builder);
  reader_check_name(item, "a curve", true);
  reader_built(reader, builder_at(reader->builder, item->key_place));
  const yamlNode *rows = item->kind == NODE_MAPPING && item->count == 1 ? item->first : NULL;
  const int is_piecewise = rows && strcmp(rows->key, "piecewise") == 0;
  if (!rows || (!is_piecewise && strcmp(rows->key, "table") != 0)) {
    error_refuse(rows ? rows->key_place : item->place,
                 "curve '%s' is %s, expected a mapping with 'table' or 'piecewise'", item->key,
                 yaml_describe(item, found));
  }
  (rows->kind == NODE_MAPPING ? read_map : read_curve_points)(reader, item->key, rows,
                                                              is_piecewise);
}


void reader_read_curves(modelReader *reader, const yamlNode *section)
{
  reader_check_mapping(section, "names and points of curves");
  for (const yamlNode *item = section->first; item; item = item->next) {
    if (!reader_try(reader, item, read_curve_item, NULL)) reader_lose(reader, item->key);
  }
}
