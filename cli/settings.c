// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters that the command line gives: --set NAME=VALUE.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/unit.h"
#include "command.h"


// the value of a setting, and the dimension of its unit
static artStatus read_value(const char *text, double *value, baseDimension *dimension,
                            artError *error)
{
  const char *equals = strchr(text, '=');
  if (!equals || equals == text) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--set is '%.60s', expected NAME=VALUE, as in L=0.6 or L=600mm", text);
  }
  artError why = {0};
  if (!unit_parse_quantity(value, dimension, equals + 1, base_nowhere(), UNIT_ANY, &why)) {
    return ART_OK;
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "--set %.60s: %s", text, why.text);
}


artStatus cli_take_settings(const cliCall *call, artSetting **list, artError *error)
{
  const int n = call->set.count;
  size_t length = 0;
  for (int i = 0; i < n; i++) length += strlen(call->set.word[i]) + 1;
  *list = mem_alloc(1, (size_t) n * sizeof **list + length);
  if (!*list) return base_no_memory(error);
  char *name = (char *) (*list + n); // names stand behind the settings
  artStatus status = ART_OK;
  for (int i = 0; i < n && !status; i++) {
    baseDimension ignored;
    const char *text = call->set.word[i];
    status = read_value(text, &(*list)[i].value, &ignored, error);
    if (status) break;
    const size_t used = (size_t) (strchr(text, '=') - text);
    memcpy(name, text, used);
    (*list)[i].name = name;
    name += used + 1;
  }
  if (!status) return ART_OK;
  mem_free(*list);
  *list = NULL;
  return status;
}


// a unit that is given must be one of the parameter
static artStatus check_unit(const artModel *m, const char *text, const char *name, artError *error)
{
  double value;
  baseDimension given = UNIT_ANY;
  baseUnit own;
  const int i = art_find_parameter(m, name);
  if (i < 0 || !art_parameter_unit(m, i)[0]) return ART_OK;
  artStatus status = read_value(text, &value, &given, error);
  if (!status) status = unit_parse(&own, art_parameter_unit(m, i), base_nowhere(), error);
  if (status || unit_agree(given, own.dimension)) return status;
  char has[UNIT_NAME_LENGTH], wants[UNIT_NAME_LENGTH];
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "--set %.60s gives %s, expected %s", text,
                   unit_describe(given, has), unit_describe(own.dimension, wants));
}


artStatus cli_read_model(const cliCall *call, artModel **model, artError *error)
{
  artSetting *setting = NULL;
  artStatus status = cli_take_settings(call, &setting, error);
  *model = NULL;
  if (!status) {
    status = art_load_model_with(model, call->file, call->set.count, setting, error);
  }
  for (int i = 0; i < call->set.count && !status; i++) {
    status = check_unit(*model, call->set.word[i], setting[i].name, error);
  }
  mem_free(setting);
  return status;
}
