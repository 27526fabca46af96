// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula equil: find a static equilibrium, printed as a section of a model file.
#include "command.h"
#include "model/model.h"
#include "show/json.h"


static const char *stability(const artEquilibrium *result)
{
  if (result->stable < 0) return "unknown";
  return result->stable ? "stable" : "unstable";
}


enum { WORDS_LENGTH = 300 };


static const char *stability_words(const artEquilibrium *result, char words[WORDS_LENGTH])
{
  if (result->no_potential) {
    snprintf(words, WORDS_LENGTH, "stability not known: force '%.150s' has no potential",
             result->no_potential);
  } else if (result->neutral) {
    snprintf(words, WORDS_LENGTH,
             "stability not known: the equilibrium is neutral, along '%.150s' the potential energy "
             "does not change to second order",
             result->neutral);
  } else {
    snprintf(words, WORDS_LENGTH, "%s",
             result->stable ? "stable: the potential energy has a minimum there"
                            : "not stable: the potential energy has no minimum there");
  }
  return words;
}


static void print_trim(const cliCall *call, const artModel *m, const artData *d,
                       const artStudyDef *study, const artTrim *trim)
{
  printf("# steady motion of %s at %.6g m/s\n", call->file, study->speed);
  printf("# %d iteration%s, accelerations that should not be %.3g m/s^2 or rad/s^2\n",
         trim->iterations, trim->iterations == 1 ? "" : "s", trim->residual);
  printf("# speed sideways %.6g m/s, yaw rate %.6g rad/s, gain of speed %.6g m/s^2\n",
         trim->sideways, trim->yaw_rate, trim->gain);
  cli_print_initial(m, d, true);
}


//---- for people ----------------------------------------------------------------------------------

static void print_equilibrium(const cliCall *call, const artModel *m, const artData *d,
                              const artEquilibrium *result)
{
  printf("# equilibrium of %s\n", call->file);
  printf("# %d iteration%s, largest force out of balance %.3g N or N m, moved by at most %.6g m or "
         "rad\n",
         result->iterations, result->iterations == 1 ? "" : "s", result->residual, result->moved);
  char words[WORDS_LENGTH];
  printf("# %s\n", stability_words(result, words));
  cli_print_initial(m, d, false);
}


//---- for programs --------------------------------------------------------------------------------

static void write_equilibrium(const cliCall *call, const artModel *m, const artData *d,
                              const artStudyDef *study, const artEquilibrium *result,
                              const artTrim *trim)
{
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_text(&json, "file", call->file);
  const int moves = study->speed != 0;
  json_fields(&json, "iterations: %d, residual: %g", moves ? trim->iterations : result->iterations,
              moves ? trim->residual : result->residual);
  if (!moves) json_number(&json, "moved", result->moved);
  if (study->speed != 0) {
    json_fields(&json, "speed: %g, sideways: %g, yaw_rate: %g, gain: %g", study->speed,
                trim->sideways, trim->yaw_rate, trim->gain);
  } else {
    char words[WORDS_LENGTH];
    json_fields(&json, "stability: %s, reason: %s, has_potential: %i", stability(result),
                stability_words(result, words), !result->no_potential);
  }
  json_array(&json, "coordinates");
  for (int k = 0; k < m->tree.nq; k++) {
    json_item(&json, NULL, "name: %s, value: %g, unit: %s, driven: %i", m->position[k].name,
              d->q[k], art_position_unit(m, k), cli_is_driven(m, k));
  }
  json_end(&json);
  json_array(&json, "velocities");
  for (int k = 0; k < m->tree.nv && moves; k++) {
    json_item(&json, NULL, "name: %s, value: %g, unit: %s", m->velocity[k].name, d->v[k],
              art_velocity_unit(m, k));
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

  artTrim trim = {0};
  artStudyDef study;
  artStatus status = cli_choose_study(call, model, ART_EQUIL, &study, &error);
  if (status == ART_OK) status = art_find_start(model, data, &study, &result, &trim, &error);
  if (status == ART_OK && call->json) {
    write_equilibrium(call, model, data, &study, &result, &trim);
  } else if (status == ART_OK && study.speed != 0) {
    print_trim(call, model, data, &study, &trim);
  } else if (status == ART_OK) {
    print_equilibrium(call, model, data, &result);
  }
  art_free_data(data);
  const int end = status ? cli_fail_study(call, model, &error) : CLI_DONE;
  art_free_model(model);
  return end;
}
