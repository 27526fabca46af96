// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters and inputs that the command line gives: --set NAME=VALUE, --input NAME=VALUE.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "command.h"
#include "model/read/mistakes.h"
#include "show/columns.h"

//---- inputs that follow a column of a table in a run: --input NAME=FILE.csv, or FILE.csv:COLUMN --

enum { NAME_LENGTH = 200 };


static bool is_table(const char *word)
{
  const char *equals = strchr(word, '=');
  return equals && record_is_named(equals);
}


static artStatus attach_record(const char *name, const char *text, artModel *m, ioColumns *columns,
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
  if (equals == word || equals - word >= NAME_LENGTH)
    return cli_wrong(error, "--input is '%.60s', expected NAME=FILE.csv with shorter names", word);
  snprintf(name, sizeof name, "%.*s", (int) (equals - word), word);
  const artStatus status = attach_record(name, equals + 1, model, &columns, error);
  columns_free(&columns);
  return status;
}


artStatus cli_attach_tables(const cliCall *call, artModel *model, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < call->input.count && !status; i++) {
    const char *word = call->input.word[i];
    if (!is_table(word)) continue;
    if (call->verb->work != verb_run && call->verb->work != verb_compare)
      return cli_wrong(error, "--input %.60s: %s takes a number; run and compare take tables", word,
                       call->verb->name);
    status = attach_word(word, model, error);
  }
  return status;
}


// a word of one of the two options
typedef struct cliSetting {
  const char *option, *text;
} cliSetting;


// number `i` of the call, parameters first; tables of inputs have no value
static bool setting_at(const cliCall *call, int i, cliSetting *setting)
{
  const bool is_set = i < call->set.count;
  *setting = is_set ? (cliSetting){"set", call->set.word[i]}
                    : (cliSetting){"input", call->input.word[i - call->set.count]};
  return is_set || !is_table(setting->text);
}


static int count_call_settings(const cliCall *call)
{
  return call->set.count + call->input.count;
}


// its value, and the dimension of its unit
static artStatus read_setting_value(const cliSetting *setting, double *value,
                                    baseDimension *dimension, artError *error)
{
  const char *text = setting->text, *equals = strchr(text, '=');
  if (!equals || equals == text)
    return cli_wrong(error, "--%s is '%.60s', expected NAME=VALUE, as in L=0.6 or L=600mm",
                     setting->option, text);
  artError why = {0};
  if (!unit_parse_quantity(value, dimension, equals + 1, base_nowhere(), UNIT_ANY, &why)) {
    return ART_OK;
  }
  return cli_wrong(error, "--%s %.60s: %s", setting->option, text, why.text);
}


artStatus cli_take_settings(const cliCall *call, artSetting **list, int *count, artError *error)
{
  const int n = count_call_settings(call);
  size_t length = 0;
  cliSetting s;
  *count = 0;
  for (int i = 0; i < n; i++) length += setting_at(call, i, &s) ? strlen(s.text) + 1 : 0;
  *list = mem_alloc(1, (size_t) n * sizeof **list + length);
  if (!*list) return base_no_memory(error);
  char *name = (char *) (*list + n); // names follow the settings
  artStatus status = ART_OK;
  for (int i = 0; i < n && !status; i++) {
    baseDimension ignored;
    artSetting *own = &(*list)[*count];
    if (!setting_at(call, i, &s)) continue;
    status = read_setting_value(&s, &own->value, &ignored, error);
    if (status) break;
    const size_t used = (size_t) (strchr(s.text, '=') - s.text);
    memcpy(name, s.text, used);
    own->name = name;
    name += used + 1;
    ++*count;
  }
  if (!status) return ART_OK;
  mem_free(*list);
  *list = NULL;
  return status;
}


//---- units ---------------------------------------------------------------------------------------

// Settings of a call, and the unit of the one that is looked at.
typedef struct settingCheck {
  const cliCall *call;
  const artModel *m;
  int count;
  artSetting *list;
  baseDimension *dimension; // [count] of no unit
} settingCheck;


// A parameter takes a plain number in SI, or a unit: the one that the file gives it, else one that fits where the file
// uses it. So the model is read as if the file said it with its unit.
static artStatus check_parameter(const settingCheck *c, const cliSetting *setting, int k,
                                 baseDimension given, artError *error)
{
  artError why = {0};
  c->dimension[k] = given;
  const artStatus status =
      reader_try_model(NULL, c->call->file, c->count, c->list, c->dimension, &why);
  c->dimension[k] = UNIT_ANY;
  if (!status) return ART_OK;
  return base_fail(error, status, base_nowhere(), "%.700s (by --%s %.60s)", why.text,
                   setting->option, setting->text);
}


// coordinates and inputs have units
static artStatus check_setting_unit(const cliSetting *setting, const char *unit,
                                    baseDimension given, artError *error)
{
  baseUnit own;
  const artStatus status = unit_parse(&own, unit, base_nowhere(), error);
  if (status || unit_agree(given, own.dimension)) return status;
  char has[UNIT_NAME_LENGTH], wants[UNIT_NAME_LENGTH];
  return cli_wrong(error, "--%s %.60s gives %s, expected %s", setting->option, setting->text,
                   unit_describe(given, has), unit_describe(own.dimension, wants));
}


// setting k of the list: what it names has the unit that it gives, if it gives one
static artStatus check_setting(const settingCheck *c, const cliSetting *setting, int k,
                               artError *error)
{
  ART_ASSERT(k >= 0 && k < c->count);
  const char *name = c->list[k].name;
  const int p = art_find_parameter(c->m, name), i = art_find_input(c->m, name);
  const int q = art_find_position(c->m, name), v = art_find_velocity(c->m, name);
  artInputPart input;
  baseDimension given = UNIT_ANY;
  if (i < 0 && strcmp(setting->option, "input") == 0)
    return cli_wrong(error, "--input %.60s: '%.60s' is not an input%s", setting->text, name,
                     p >= 0 ? " but a parameter; give it by --set" : "");
  const artStatus status = read_setting_value(setting, &(double){0}, &given, error);
  if (status || given.any) return status;
  if (p >= 0) return check_parameter(c, setting, k, given, error);
  if (i >= 0 && art_get_input(c->m, i, &input)) {
    return check_setting_unit(setting, input.unit[0] ? input.unit : "1", given, error);
  }
  return check_setting_unit(
      setting, q >= 0 ? art_position_unit(c->m, q) : art_velocity_unit(c->m, v), given, error);
}


static artStatus check_call_settings(const cliCall *call, const artModel *m, int count,
                                     artSetting *list, artError *error)
{
  const settingCheck c = {call, m, count, list, MEM_ARRAY(baseDimension, count + 1)};
  artStatus status = c.dimension ? ART_OK : base_no_memory(error);
  for (int k = 0; k < count && !status; k++) c.dimension[k] = UNIT_ANY;
  cliSetting setting;
  for (int i = 0, k = 0; i < count_call_settings(call) && !status; i++) {
    if (setting_at(call, i, &setting)) status = check_setting(&c, &setting, k++, error);
  }
  mem_free(c.dimension);
  return status;
}


artStatus cli_check_unit(const cliCall *call, const char *option, const char *text,
                         artSetting setting, baseDimension given, artError *error)
{
  artSetting *list = NULL;
  int count;
  artStatus status = cli_take_settings(call, &list, &count, error);
  if (status) return status;
  artSetting *all = MEM_ARRAY(artSetting, count + 1);
  baseDimension *dimension = MEM_ARRAY(baseDimension, count + 1);
  if (all && dimension) {
    memcpy(all, list, (size_t) count * sizeof *list);
    all[count] = setting;
    for (int k = 0; k < count; k++) dimension[k] = UNIT_ANY;
    const settingCheck c = {call, NULL, count + 1, all, dimension};
    status = check_parameter(&c, &(cliSetting){option, text}, count, given, error);
  } else {
    status = base_no_memory(error);
  }
  mem_free(dimension);
  mem_free(all);
  mem_free(list);
  return status;
}


artStatus cli_read_model(const cliCall *call, artModel **model, artError *error)
{
  artSetting *list = NULL;
  int count;
  artStatus status = cli_take_settings(call, &list, &count, error);
  *model = NULL;
  if (!status) status = art_load_model_with(model, call->file, count, list, error);
  if (!status) status = check_call_settings(call, *model, count, list, error);
  mem_free(list);
  return status;
}
