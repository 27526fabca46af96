// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Columns of tables that inputs follow.
#include "show/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"


static const char *end_of_path(const char *text)
{
  const char *end = strstr(text, ".csv");
  return end && (end[4] == '\0' || end[4] == ':') ? end + 4 : NULL;
}


bool record_is_named(const char *text)
{
  return end_of_path(text) != NULL;
}


// the column that is asked for, that of the input's name, or the only one behind the time
static artStatus find_column(const ioColumns *columns, const char *input, const char *asked, int *k,
                             artError *error)
{
  const char *name = asked ? asked : input;
  *k = columns_find(columns, name);
  for (int i = *k + 1; *k > 0 && i < columns->count; i++) {
    if (strcmp(columns->column[i].name, name) != 0) continue;
    return base_fail(error, ART_BAD_INPUT,
                     (artPlace){.file = columns->path, .line = 1, .column = 1},
                     "columns %d and %d are both called '%.60s'", *k + 1, i + 1, name);
  }
  if (*k > 0) return ART_OK;
  if (!asked && columns->count == 2) {
    *k = 1;
    return ART_OK;
  }
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (int i = 1; i < columns->count; i++) base_consider(&nearest, columns->column[i].name);
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = columns->path},
                   "there is no column '%.60s' behind the first, which is the time%s; "
                   "%.40s=%.60s:COLUMN names another",
                   name, base_hint(&nearest, hint), input, columns->path);
}


artStatus record_read(ioColumns *columns, const char *name, const char *text, int *k,
                      artError *error)
{
  char path[FILE_PATH_LENGTH];
  const char *end = end_of_path(text);
  if (end - text >= FILE_PATH_LENGTH) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the path '%.60s' is too long", text);
  }
  snprintf(path, sizeof path, "%.*s", (int) (end - text), text);
  artStatus status = columns_read(columns, path, error);
  if (!status) status = find_column(columns, name, *end ? end + 1 : NULL, k, error);
  if (!status) status = record_convert(columns, 0, UNIT_TIME, error);
  if (!status && (columns->rows < 1 || columns->rows > 100000000)) {
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = columns->path},
                     "the table has %ld rows, expected 1 to 1e8", columns->rows);
  }
  return status;
}


artStatus record_convert(const ioColumns *columns, int k, baseDimension expected, artError *error)
{
  const ioColumn *column = &columns->column[k];
  const artPlace place = {.file = columns->path, .line = 1, .column = 1};
  baseUnit unit;
  char found[UNIT_NAME_LENGTH], wanted[UNIT_NAME_LENGTH];
  if (!column->unit[0]) return ART_OK;
  const artStatus status = unit_parse(&unit, column->unit, place, error);
  if (status) return status;
  if (!unit_agree(unit.dimension, expected)) {
    return base_fail(error, ART_BAD_INPUT, place, "column '%.60s' is %s, expected %s", column->name,
                     unit_describe(unit.dimension, found), unit_describe(expected, wanted));
  }
  for (long i = 0; i < columns->rows; i++) column->value[i] = unit_to_si(column->value[i], unit);
  return ART_OK;
}
