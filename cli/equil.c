// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula equil: find a static equilibrium, printed as a section of a model file.
#include "command.h"
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
  const bool moves = study->speed != 0;
  json_fields(&json, "iterations: %d, residual: %g", moves ? trim->iterations : result->iterations,
              moves ? trim->residual : result->residual);
  if (!moves) json_number(&json, "moved", result->moved);
  if (moves) {
    json_fields(&json, "speed: %g, sideways: %g, yaw_rate: %g, gain: %g", study->speed,
                trim->sideways, trim->yaw_rate, trim->gain);
  } else {
    char words[WORDS_LENGTH];
    json_fields(&json, "stability: %s, reason: %s, has_potential: %i", stability(result),
                stability_words(result, words), !result->no_potential);
  }
  cli_write_state(&json, m, d, moves);
  json_end(&json);
}


artStatus verb_equil(cliWork *w, artError *error)
{
  artEquilibrium result = {0};
  artTrim trim = {0};
  const artStatus status = art_find_start(w->model, w->data, &w->study, &result, &trim, error);
  if (status == ART_OK && w->call->json) {
    write_equilibrium(w->call, w->model, w->data, &w->study, &result, &trim);
  } else if (status == ART_OK && w->study.speed != 0) {
    print_trim(w->call, w->model, w->data, &w->study, &trim);
  } else if (status == ART_OK) {
    print_equilibrium(w->call, w->model, w->data, &result);
  }
  return status;
}
