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


bool cli_input_is_table(const char *word)
{
  const char *equals = strchr(word, '=');
  return equals && record_is_named(equals);
}


static artStatus attach(const char *name, const char *text, artModel *m, ioColumns *columns,
                        artError *error)
{
  artInputPart input;
  int k;
  const int i = art_find_input(m, name);
  baseUnit unit = {.dimension = UNIT_NUMBER};
  artStatus status = record_read(columns, name, text, &k, error);
  if (!status && i >= 0 && art_get_input(m, i, &input) && input.unit[0]) {
    status = unit_parse(&unit, input.unit, base_nowhere(), error);
  }
  if (!status) status = record_convert(columns, k, unit.dimension, error);
  if (status) return status;
  artError why = {0};
  status = art_attach_table(m, name, (int) columns->rows, columns->column[0].value,
                            columns->column[k].value, &why);
  if (!status) return ART_OK;
  return base_fail(error, status, (artPlace){.file = columns->path}, "%s", why.text);
}


static artStatus attach_word(const char *word, artModel *model, artError *error)
{
  char name[NAME_LENGTH];
  ioColumns columns = {0};
  const char *equals = strchr(word, '=');
  if (equals == word || equals - word >= NAME_LENGTH) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--input is '%.60s', expected NAME=FILE.csv with shorter names", word);
  }
  snprintf(name, sizeof name, "%.*s", (int) (equals - word), word);
  const artStatus status = attach(name, equals + 1, model, &columns, error);
  columns_free(&columns);
  return status;
}


artStatus cli_attach_tables(const cliCall *call, artModel *model, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < call->input.count && !status; i++) {
    const char *word = call->input.word[i];
    if (!cli_input_is_table(word)) continue;
    if (call->verb->work != verb_run && call->verb->work != verb_compare) {
      return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "--input %.60s: %s takes a number; run and compare take tables", word,
                       call->verb->name);
    }
    status = attach_word(word, model, error);
  }
  return status;
}
