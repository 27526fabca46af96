// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula equil: find a static equilibrium, printed as a section of a model file.
#include "command.h"
#include "io/json.h"
#include "model/model.h"


static const char *stability(const artEquilibrium *result)
{
  if (result->stable < 0) return "unknown";
  return result->stable ? "stable" : "unstable";
}


static const char *stability_words(const artEquilibrium *result)
{
  if (result->stable < 0) return "stability not known: some forces have no potential";
  return result->stable ? "stable: the potential energy has a minimum there"
                        : "not stable: the potential energy has no minimum there";
}


//---- for people ----------------------------------------------------------------------------------

static void print_equilibrium(const cliCall *call, const artModel *m, const artData *d,
                              const artEquilibrium *result)
{
  printf("# equilibrium of %s\n", call->file);
  printf("# %d iteration%s, largest force out of balance %.3g N or N m, moved by at most %.6g m or "
         "rad\n",
         result->iterations, result->iterations == 1 ? "" : "s", result->residual, result->moved);
  printf("# %s\n", stability_words(result));
  cli_print_initial(m, d, false);
}


//---- for programs --------------------------------------------------------------------------------

static void write_equilibrium(const cliCall *call, const artModel *m, const artData *d,
                              const artEquilibrium *result)
{
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_text(&json, "file", call->file);
  json_integer(&json, "iterations", result->iterations);
  json_number(&json, "residual", result->residual);
  json_number(&json, "moved", result->moved);
  json_text(&json, "stability", stability(result));
  json_array(&json, "coordinates");
  for (int k = 0; k < m->tree.nq; k++) {
    json_object(&json, NULL);
    json_text(&json, "name", m->position[k].name);
    json_number(&json, "value", d->q[k]);
    json_text(&json, "unit", art_position_unit(m, k));
    json_bool(&json, "driven", cli_is_driven(m, k));
    json_end(&json);
  }
  json_end(&json);
  json_end(&json);
}


int verb_equil(const cliCall *call)
{
  artModel *model = NULL;
  artData *data = NULL;
  artError error = {0};
  artEquilibrium result = {0};
  const int exit_status = cli_load(call, &model, &data);
  if (exit_status) return exit_status;

  const artStatus status = art_find_equilibrium(model, data, &result, &error);
  if (status == ART_OK && call->json) {
    write_equilibrium(call, model, data, &result);
  } else if (status == ART_OK) {
    print_equilibrium(call, model, data, &result);
  }
  art_free_data(data);
  art_free_model(model);
  return status ? cli_fail(call, &error) : CLI_DONE;
}
