// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a call, or a study of the model file, asks of a machine whose equations are written: where its loops are cut, which
// coordinates are independent, who acts.
#include "verb_generate.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/reader.h"

//---- cuts ----------------------------------------------------------------------------------------

artStatus generate_ask_cuts(cliGenerate *job, baseArena *arena, artError *error)
{
  const char **word = NULL;
  if (!job->w->call->cut) return ART_OK;
  const int n = generate_split(arena, job->w->call->cut, &word);
  if (n < 0) return base_no_memory(error);
  artModel *m = NULL;
  artStatus status =
      reader_load_cut(&m, job->w->model, job->w->call->file, n, word, "--cut", error);
  artData *d = status == ART_OK ? art_create_data(m) : NULL;
  if (status == ART_OK && !d) status = base_no_memory(error);
  if (status != ART_OK) {
    art_free_model(m);
    return status;
  }
  art_free_data(job->w->data);
  art_free_model(job->w->model);
  job->w->model = m;
  job->w->data = d;
  return ART_OK;
}

//---- independent coordinates ---------------------------------------------------------------------

artStatus generate_ask_partition(const cliGenerate *job, artError *error)
{
  const cliCall *call = job->w->call;
  artError trouble = {0};
  const artStatus status =
      study_ask_partition(job->w->model, job->w->data, call->study, call->independent, &trouble);
  if (status == ART_OK) return ART_OK;
  return base_fail(error, status, base_nowhere(), "%s%s",
                   call->independent ? "--independent: " : "", trouble.text);
}

//---- actuators -----------------------------------------------------------------------------------

static artStatus read_actuators(cliGenerate *job, baseArena *arena, artError *error)
{
  const char **word = NULL;
  const int n = generate_split(arena, job->w->call->actuators, &word);
  int *list = n < 0 ? NULL : arena_alloc(arena, (size_t) n + 1, sizeof *list);
  if (!list) return base_no_memory(error);
  artError trouble = {0};
  if (model_find_actuators(job->w->model, n, word, base_nowhere(), list, &trouble) != ART_OK) {
    return base_fail(error, trouble.status, base_nowhere(), "--actuators: %s", trouble.text);
  }
  job->options.nactuator = n;
  job->options.actuator = word;
  return ART_OK;
}


static artStatus read_weights(cliGenerate *job, baseArena *arena, artError *error)
{
  const char **word = NULL;
  if (!job->w->call->weights) return ART_OK;
  const int n = generate_split(arena, job->w->call->weights, &word);
  double *weight = n < 0 ? NULL : arena_alloc(arena, (size_t) n + 1, sizeof *weight);
  if (!weight) return base_no_memory(error);
  if (n != job->options.nactuator) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--weights has %d numbers for %d actuators; give one for each of --actuators",
                     n, job->options.nactuator);
  }
  for (int i = 0; i < n; i++) {
    char *end;
    weight[i] = strtod(word[i], &end);
    if (*end == 0 && weight[i] > 0 && weight[i] < 1e300) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--weights has '%.60s', expected a positive number", word[i]);
  }
  job->options.weight = weight;
  return ART_OK;
}


artStatus generate_ask_actuators(cliGenerate *job, baseArena *arena, artError *error)
{
  const cliCall *call = job->w->call;
  const unsigned who_acts = GEN_MACHINE_INVERSE | GEN_IMPLICIT;
  artStatus status = study_check_asked(job->w->model, call->study, "--study", call->file, error);
  if (status != ART_OK) return status;
  if (!(job->options.forms & who_acts)) {
    if (!call->actuators && !call->weights) return ART_OK;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--%s is for forces of actuators; add machine-inverse to --forms",
                     call->actuators ? "actuators" : "weights");
  }
  status = call->actuators
               ? read_actuators(job, arena, error)
               : study_ask_actuators(job->w->model, call->study, &job->options, arena, error);
  return status == ART_OK ? read_weights(job, arena, error) : status;
}
