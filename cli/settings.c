// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters and inputs that the command line gives: --set NAME=VALUE, --input NAME=VALUE.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/unit.h"
#include "command.h"


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
  return is_set || !cli_input_is_table(setting->text);
}


static int count_all(const cliCall *call)
{
  return call->set.count + call->input.count;
}


// its value, and the dimension of its unit
static artStatus read_value(const cliSetting *setting, double *value, baseDimension *dimension,
                            artError *error)
{
  const char *text = setting->text, *equals = strchr(text, '=');
  if (!equals || equals == text) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--%s is '%.60s', expected NAME=VALUE, as in L=0.6 or L=600mm",
                     setting->option, text);
  }
  artError why = {0};
  if (!unit_parse_quantity(value, dimension, equals + 1, base_nowhere(), UNIT_ANY, &why)) {
    return ART_OK;
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "--%s %.60s: %s", setting->option, text,
                   why.text);
}


artStatus cli_take_settings(const cliCall *call, artSetting **list, int *count, artError *error)
{
  const int n = count_all(call);
  size_t length = 0;
  cliSetting s;
  *count = 0;
  for (int i = 0; i < n; i++) length += setting_at(call, i, &s) ? strlen(s.text) + 1 : 0;
  *list = mem_alloc(1, (size_t) n * sizeof **list + length);
  if (!*list) return base_no_memory(error);
  char *name = (char *) (*list + n); // names stand behind the settings
  artStatus status = ART_OK;
  for (int i = 0; i < n && !status; i++) {
    baseDimension ignored;
    artSetting *own = &(*list)[*count];
    if (!setting_at(call, i, &s)) continue;
    status = read_value(&s, &own->value, &ignored, error);
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


// a unit that is given must be one of what is set
static artStatus check_unit(const cliSetting *setting, const char *unit, artError *error)
{
  double value;
  baseDimension given = UNIT_ANY;
  baseUnit own;
  artStatus status = read_value(setting, &value, &given, error);
  if (!status) status = unit_parse(&own, unit, base_nowhere(), error);
  if (status || unit_agree(given, own.dimension)) return status;
  char has[UNIT_NAME_LENGTH], wants[UNIT_NAME_LENGTH];
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "--%s %.60s gives %s, expected %s",
                   setting->option, setting->text, unit_describe(given, has),
                   unit_describe(own.dimension, wants));
}


// what the word names: its unit, "" for a parameter that has none, whose numbers are in SI
static artStatus find_unit(const artModel *m, const cliSetting *setting, const char *name,
                           const char **unit, artError *error)
{
  artInputPart input;
  const int p = art_find_parameter(m, name), i = art_find_input(m, name);
  *unit = p >= 0 ? art_parameter_unit(m, p) : "";
  if (i >= 0 && art_get_input(m, i, &input)) *unit = input.unit[0] ? input.unit : "1";
  if (i >= 0 || strcmp(setting->option, "input") != 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "--input %.60s: '%.60s' is no input%s",
                   setting->text, name, p >= 0 ? " but a parameter; give it by --set" : "");
}


artStatus cli_read_model(const cliCall *call, artModel **model, artError *error)
{
  artSetting *list = NULL;
  cliSetting setting;
  int count, k = 0;
  artStatus status = cli_take_settings(call, &list, &count, error);
  *model = NULL;
  if (!status) status = art_load_model_with(model, call->file, count, list, error);
  for (int i = 0; i < count_all(call) && !status; i++) {
    const char *unit;
    if (!setting_at(call, i, &setting)) continue;
    status = find_unit(*model, &setting, list[k++].name, &unit, error);
    if (!status && unit[0]) status = check_unit(&setting, unit, error);
  }
  mem_free(list);
  return status;
}
