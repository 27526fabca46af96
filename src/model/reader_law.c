// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws and tables of a model file: rows of numbers that belong together.
#include "model/reader.h"

#include <string.h>


static artStatus read_row(modelReader *reader, const yamlNode *row, modelDimension x,
                          modelDimension f, readerRows *rows)
{
  char found[YAML_PHRASE_LENGTH];
  if (row->kind != NODE_SEQUENCE || row->count != 2) {
    return READER_FAIL(reader, row->place, "found %s, expected a row of two numbers",
                       yaml_describe(row, found));
  }
  const int i = rows->n;
  artStatus status = reader_read_number(reader, row->first, x, &rows->x[i], NULL);
  if (!status) status = reader_read_number(reader, row->first->next, f, &rows->f[i], NULL);
  if (status) return status;
  if (i > 0 && rows->x[i] <= rows->x[i - 1]) {
    return READER_FAIL(reader, row->first->place,
                       "the first numbers of the rows must increase, but %g follows %g", rows->x[i],
                       rows->x[i - 1]);
  }
  rows->n++;
  return ART_OK;
}


artStatus reader_read_rows(modelReader *reader, const yamlNode *node, modelDimension x,
                           modelDimension f, readerRows *rows)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_SEQUENCE || node->count < 2) {
    return READER_FAIL(reader, node->place, "found %s, expected at least two rows [x, y]",
                       yaml_describe(node, found));
  }
  rows->n = 0;
  rows->x = arena_alloc(&reader->arena, (size_t) node->count, sizeof(double));
  rows->f = arena_alloc(&reader->arena, (size_t) node->count, sizeof(double));
  if (!rows->x || !rows->f) return base_no_memory(reader->error);

  artStatus status = ART_OK;
  for (const yamlNode *row = node->first; row && !status; row = row->next) {
    status = read_row(reader, row, x, f, rows);
  }
  return status;
}


// f = c[0] x + c[1] x^2 + ..., so c[k] is measured in f / x^(k+1)
static artStatus read_polynomial(modelReader *reader, const yamlNode *node, modelDimension x,
                                 modelDimension f, artLawDef *law)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_SEQUENCE || node->count < 1 || node->count > 20) {
    return READER_FAIL(reader, node->place, "found %s, expected a list of 1 to 20 coefficients",
                       yaml_describe(node, found));
  }
  double *c = arena_alloc(&reader->arena, (size_t) node->count, sizeof(double));
  if (!c) return base_no_memory(reader->error);
  artStatus status = ART_OK;
  modelDimension expected = f;
  int n = 0;
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    expected = unit_product(expected, x, -1);
    status = reader_read_number(reader, item, expected, &c[n++], NULL);
  }
  *law = (artLawDef){.type = ART_LAW_POLYNOMIAL, .n = n, .f = c};
  return status;
}


static artStatus read_points(modelReader *reader, const yamlNode *node, artLawType type,
                             modelDimension x, modelDimension f, artLawDef *law)
{
  readerRows rows = {0};
  const artStatus status = reader_read_rows(reader, node, x, f, &rows);
  *law = (artLawDef){.type = type, .n = rows.n, .x = rows.x, .f = rows.f};
  return status;
}


artStatus reader_read_law(modelReader *reader, const readerKey *key, const yamlNode *node,
                          artLawDef *law)
{
  // the key's quantity is the law's argument: of a joint coordinate, or between two points
  const keyQuantity force = key->quantity >= Q_X ? Q_X_FORCE : Q_FORCE;
  const modelDimension x = reader_dimension(key->quantity, reader->axis);
  const modelDimension f = reader_dimension(force, reader->axis);

  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_MAPPING || node->count != 1) {
    return READER_FAIL(reader, node->place,
                       "'%s' is %s, expected a mapping with one of 'polynomial', 'piecewise', "
                       "'table'; a single coefficient goes under '%s'",
                       key->name, yaml_describe(node, found), key->rival);
  }
  const yamlNode *value = node->first;
  if (strcmp(value->key, "polynomial") == 0) return read_polynomial(reader, value, x, f, law);
  if (strcmp(value->key, "piecewise") == 0) {
    return read_points(reader, value, ART_LAW_PIECEWISE, x, f, law);
  }
  if (strcmp(value->key, "table") == 0) {
    return read_points(reader, value, ART_LAW_TABLE, x, f, law);
  }
  return READER_FAIL(reader, value->key_place,
                     "'%.40s' is not a kind of law; there are polynomial, piecewise, table",
                     value->key);
}
