// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inputs that follow a column of a table in a run: --input NAME=FILE.csv, or FILE.csv:COLUMN.
#include <string.h>

#include "base/error.h"
#include "base/unit.h"
#include "command.h"
#include "show/columns.h"

enum { NAME_LENGTH = 200 };

// NAME=FILE.csv:COLUMN taken apart
typedef struct inputTable {
  const char *word; // as it was written
  char name[NAME_LENGTH], path[FILE_PATH_LENGTH];
  const char *column; // or NULL: that of the input's name
} inputTable;


bool cli_input_is_table(const char *word)
{
  const char *equals = strchr(word, '='), *end = equals ? strstr(equals, ".csv") : NULL;
  return end && (end[4] == '\0' || end[4] == ':');
}


static artStatus take_apart(const char *word, inputTable *t, artError *error)
{
  const char *equals = strchr(word, '='), *end = strstr(equals, ".csv") + 4;
  const size_t name = (size_t) (equals - word), path = (size_t) (end - equals - 1);
  if (name == 0 || name >= sizeof t->name || path >= sizeof t->path) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--input is '%.60s', expected NAME=FILE.csv with shorter names", word);
  }
  t->word = word;
  snprintf(t->name, sizeof t->name, "%.*s", (int) name, word);
  snprintf(t->path, sizeof t->path, "%.*s", (int) path, equals + 1);
  t->column = *end == ':' ? end + 1 : NULL;
  return ART_OK;
}


// the column that is asked for, that of the input's name, or the only one behind the time
static artStatus find_column(const inputTable *t, const ioColumns *columns, int *k, artError *error)
{
  const char *name = t->column ? t->column : t->name;
  *k = columns_find(columns, name);
  for (int i = *k + 1; *k > 0 && i < columns->count; i++) {
    if (strcmp(columns->column[i].name, name) != 0) continue;
    return base_fail(error, ART_BAD_INPUT,
                     (artPlace){.file = columns->path, .line = 1, .column = 1},
                     "columns %d and %d are both called '%.60s'", *k + 1, i + 1, name);
  }
  if (*k > 0) return ART_OK;
  if (!t->column && columns->count == 2) {
    *k = 1;
    return ART_OK;
  }
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (int i = 1; i < columns->count; i++) base_consider(&nearest, columns->column[i].name);
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = columns->path},
                   "there is no column '%.60s' behind the first, which is the time%s; "
                   "--input %.40s=%.60s:COLUMN names another",
                   name, base_hint(&nearest, hint), t->name, t->path);
}


// numbers of a column in SI; one without a unit is in SI
static artStatus convert(const ioColumns *columns, int k, baseDimension expected, artError *error)
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


static artStatus attach(const inputTable *t, artModel *m, const ioColumns *columns, artError *error)
{
  artInputPart input;
  int k;
  const int i = art_find_input(m, t->name);
  baseUnit unit = {.dimension = UNIT_NUMBER};
  artStatus status = find_column(t, columns, &k, error);
  if (!status && i >= 0 && art_get_input(m, i, &input) && input.unit[0]) {
    status = unit_parse(&unit, input.unit, base_nowhere(), error);
  }
  if (!status) status = convert(columns, 0, UNIT_TIME, error);
  if (!status) status = convert(columns, k, unit.dimension, error);
  if (status) return status;
  if (columns->rows < 1 || columns->rows > 100000000) {
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = columns->path},
                     "the table has %ld rows, expected 1 to 1e8", columns->rows);
  }
  artError why = {0};
  status = art_attach_table(m, t->name, (int) columns->rows, columns->column[0].value,
                            columns->column[k].value, &why);
  if (!status) return ART_OK;
  return base_fail(error, status, (artPlace){.file = columns->path}, "%s", why.text);
}


artStatus cli_attach_tables(const cliCall *call, artModel *model, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < call->input.count && !status; i++) {
    const char *word = call->input.word[i];
    inputTable table = {0};
    ioColumns columns = {0};
    if (!cli_input_is_table(word)) continue;
    if (call->verb->work != verb_run && call->verb->work != verb_compare) {
      return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "--input %.60s: %s takes a number; run and compare take tables", word,
                       call->verb->name);
    }
    status = take_apart(word, &table, error);
    if (!status) status = columns_read(&columns, table.path, error);
    if (!status) status = attach(&table, model, &columns, error);
    columns_free(&columns);
  }
  return status;
}
