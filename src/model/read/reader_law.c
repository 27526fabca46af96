// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws and tables of a model file: rows of numbers that belong together.
#include "model/read/reader.h"

#include <string.h>


void reader_read_rows(modelReader *reader, const yamlNode *node, baseDimension x_unit,
                      baseDimension f_unit, fieldRows *rows)
{
  reader_check_list(node, 2, INT_MAX, "at least two rows [x, y]");
  double *x = arena_alloc(&reader->scratch, (size_t) node->count, sizeof *x);
  double *f = arena_alloc(&reader->scratch, (size_t) node->count, sizeof *f);
  *rows = (fieldRows){0, x, f};
  for (const yamlNode *row = node->first; row; row = row->next) {
    const int i = rows->n++;
    reader_check_list(row, 2, 2, "a row of two numbers");
    reader_read_number(reader, row->first, x_unit, &x[i], NULL);
    reader_read_number(reader, row->first->next, f_unit, &f[i], NULL);
    if (i == 0 || x[i] > x[i - 1]) continue;
    error_refuse(row->first->place,
                 "the first numbers of the rows must increase, but %g follows %g", x[i], x[i - 1]);
  }
}


// f = c[0] x + c[1] x^2 + ..., so c[k] is measured in f / x^(k+1)
static void read_polynomial_law(modelReader *reader, const yamlNode *node, baseDimension x,
                                baseDimension f, artLawDef *law)
{
  reader_check_list(node, 1, 20, "a list of 1 to 20 coefficients");
  double *c = arena_alloc(&reader->scratch, (size_t) node->count, sizeof(double));
  baseDimension expected = f;
  int n = 0;
  for (const yamlNode *item = node->first; item; item = item->next) {
    expected = unit_product(expected, x, -1);
    reader_read_number(reader, item, expected, &c[n++], NULL);
  }
  *law = (artLawDef){.type = ART_LAW_POLYNOMIAL, .n = n, .f = c};
}


//---- segments ------------------------------------------------------------------------------------

enum { MAX_COEFFICIENTS = 20 };


// Rows of coefficients of c[0] + c[1] x + ..., so c[k] is measured in f / x^k, with borders between them.
static void read_segments(modelReader *reader, const yamlNode *node, baseDimension x,
                          baseDimension f, artLawDef *law)
{
  char found[YAML_PHRASE_LENGTH];
  const yamlNode *borders = node->kind == NODE_MAPPING ? yaml_find(node, "borders") : NULL;
  const yamlNode *rows = node->kind == NODE_MAPPING ? yaml_find(node, "coefficients") : NULL;
  if (!borders || !rows || node->count != 2) {
    reader_wrong_shape(node, "a mapping with 'borders' and 'coefficients'");
  }
  if (borders->kind != NODE_SEQUENCE || borders->count < 1) {
    error_refuse(borders->place, "'borders' is %s, expected a list of one or more numbers",
                 yaml_describe(borders, found));
  }
  if (rows->kind != NODE_SEQUENCE || rows->count != borders->count + 1) {
    error_refuse(rows->place,
                 "'coefficients' is %s, expected a list of %d lists, one more than borders",
                 yaml_describe(rows, found), (int) borders->count + 1);
  }
  int width = 0, n = 0;
  for (const yamlNode *row = rows->first; row; row = row->next) {
    if (row->kind != NODE_SEQUENCE || row->count < 1 || row->count > MAX_COEFFICIENTS) {
      error_refuse(row->place, "found %s, expected a list of 1 to %d coefficients",
                   yaml_describe(row, found), MAX_COEFFICIENTS);
    }
    if (row->count > width) width = row->count;
  }

  const size_t count = (size_t) rows->count;
  double *border = arena_alloc(&reader->scratch, count, sizeof *border);
  double *c = arena_alloc(&reader->scratch, count * (size_t) width, sizeof *c);
  for (const yamlNode *item = borders->first; item; item = item->next) {
    reader_read_number(reader, item, x, &border[n++], NULL);
  }
  n = 0;
  for (const yamlNode *row = rows->first; row; row = row->next, n++) {
    double *own = c + (size_t) n * (size_t) width;
    baseDimension expected = f;
    for (const yamlNode *item = row->first; item; item = item->next) {
      reader_read_number(reader, item, expected, own++, NULL);
      expected = unit_product(expected, x, -1);
    }
  }
  *law = (artLawDef){.type = ART_LAW_SEGMENTS, .n = n, .x = border, .f = c, .width = width};
}


//---- air -----------------------------------------------------------------------------------------

static void read_air(modelReader *reader, const fieldKey *key, const yamlNode *node, artLawDef *law)
{
  if (key->quantity != Q_X && key->quantity != Q_LENGTH) {
    error_refuse(node->key_place, "'air' is a law for springs, not for '%s'", key->name);
  }
  const fieldAxis outer = reader->axis;
  if (key->quantity == Q_LENGTH) reader->axis = AXIS_LINEAR;
  *law = (artLawDef){.type = ART_LAW_AIR};
  field_set_defaults(&field_form_air, &law->air);
  reader_read_form(reader, &field_form_air, node, &law->air);
  reader->axis = outer;
}


//---- laws ----------------------------------------------------------------------------------------

void reader_read_law(modelReader *reader, const fieldKey *key, const yamlNode *node, artLawDef *law)
{
  // the key's quantity is the law's argument: of a joint coordinate, or between two points
  const keyQuantity force = key->quantity >= Q_X ? Q_X_FORCE : Q_FORCE;
  const baseDimension x = field_dimension(key->quantity, reader->axis);
  const baseDimension f = field_dimension(force, reader->axis);

  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_MAPPING || node->count != 1) {
    error_refuse(node->place,
                 "'%s' is %s, expected a mapping with one of 'polynomial', 'piecewise', "
                 "'table', 'segments', 'air'; a single coefficient goes under '%s'",
                 key->name, yaml_describe(node, found), key->rival);
  }
  const yamlNode *value = node->first;
  const bool is_piecewise = strcmp(value->key, "piecewise") == 0;
  if (strcmp(value->key, "polynomial") == 0) {
    read_polynomial_law(reader, value, x, f, law);
  } else if (is_piecewise || strcmp(value->key, "table") == 0) {
    fieldRows rows = {0};
    reader_read_rows(reader, value, x, f, &rows);
    *law = (artLawDef){.type = is_piecewise ? ART_LAW_PIECEWISE : ART_LAW_TABLE,
                       .n = rows.n,
                       .x = rows.x,
                       .f = rows.f};
  } else if (strcmp(value->key, "segments") == 0) {
    read_segments(reader, value, x, f, law);
  } else if (strcmp(value->key, "air") == 0) {
    read_air(reader, key, value, law);
  } else {
    error_refuse(value->key_place,
                 "'%.40s' is not a kind of law; there are polynomial, piecewise, table, "
                 "segments, air",
                 value->key);
  }
}
