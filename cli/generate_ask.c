// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a call, or a study of the model file, asks of a machine whose equations are written: where its loops are cut, which
// coordinates are independent, who acts.
#include "generate_ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"
#include "model/reader.h"

//---- cuts ----------------------------------------------------------------------------------------

static artStatus unknown_joint(const artModel *m, const char *word, artError *error)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = word};
  for (int i = 0; i < m->njoint; i++) base_consider(&nearest, m->joint[i].name);
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "--cut names '%.60s', which is no joint%s",
                   word, base_hint(&nearest, hint));
}


// itself, or at a twin of the body behind it
static bool is_cut_at(const artModel *m, int joint)
{
  for (int c = 0; c < m->ncut; c++) {
    if (m->cut[c].joint == joint) return true;
  }
  return false;
}


static artStatus check_cuts(const artModel *m, int n, const char *const *word, artError *error)
{
  for (int i = 0; i < n; i++) {
    const int j = table_find(&m->joints, word[i]);
    if (j < 0) return unknown_joint(m, word[i], error);
    if (is_cut_at(m, j)) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--cut names '%.60s', which is in no loop that the other cuts leave closed",
                     word[i]);
  }
  return ART_OK;
}


artStatus generate_ask_cuts(cliGenerate *job, baseArena *arena, artError *error)
{
  const char **word = NULL;
  if (!job->w->call->cut) return ART_OK;
  const int n = generate_split(arena, job->w->call->cut, &word);
  readerCut *cut = n < 0 ? NULL : arena_alloc(arena, (size_t) n + 1, sizeof *cut);
  if (!cut) return base_no_memory(error);
  for (int i = 0; i < n; i++) {
    if (table_find(&job->w->model->joints, word[i]) < 0) {
      return unknown_joint(job->w->model, word[i], error);
    }
    cut[i] = (readerCut){word[i], -1};
  }
  artModel *m = NULL;
  artStatus status = reader_load_recut(&m, job->w->call->file, n, cut, error);
  if (status == ART_OK) status = check_cuts(m, n, word, error);
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

// the study of a type, by the name in the call if it names one of that type; NULL: there is none
static const artStudyDef *study_of(const cliGenerate *job, artStudyType type)
{
  const artStudyDef *study = art_find_study(job->w->model, type, job->w->call->study);
  return study && study->type == type ? study : art_find_study(job->w->model, type, NULL);
}


static artStatus check_study(const cliGenerate *job, artError *error)
{
  const char *name = job->w->call->study;
  const artStudyDef *study = name ? art_find_study(job->w->model, ART_RUN, name) : NULL;
  if (!name || (study && (study->type == ART_RUN || study->type == ART_INVERSE))) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = job->w->call->file},
                   "--study names '%.60s', which is no study of type run or inverse", name);
}


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

// those of the study of type inverse
static artStatus actuators_of_study(cliGenerate *job, baseArena *arena, artError *error)
{
  const artStudyDef *def = study_of(job, ART_INVERSE);
  for (int i = 0; def && i < job->w->model->nstudy; i++) {
    const modelStudy *study = &job->w->model->study[i];
    if (&study->def != def) continue;
    const char **name = arena_alloc(arena, (size_t) study->nactuator + 1, sizeof *name);
    if (!name) return base_no_memory(error);
    for (int k = 0; k < study->nactuator; k++) {
      name[k] = arena_text(arena, job->w->model->velocity[study->actuator[k]].name);
      if (!name[k]) return base_no_memory(error);
    }
    job->options.nactuator = study->nactuator;
    job->options.actuator = name;
  }
  return ART_OK;
}


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
  artStatus status = check_study(job, error);
  if (status != ART_OK) return status;
  if (!(job->options.forms & who_acts)) {
    if (!call->actuators && !call->weights) return ART_OK;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--%s is for forces of actuators; add machine-inverse to --forms",
                     call->actuators ? "actuators" : "weights");
  }
  status =
      call->actuators ? read_actuators(job, arena, error) : actuators_of_study(job, arena, error);
  return status == ART_OK ? read_weights(job, arena, error) : status;
}
