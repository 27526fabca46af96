// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula schedule: operations of generated equations on many units.
#include "verb_schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "study/assemble.h"

enum { MOST_UNITS = 10000, MOST_CYCLES = 1000, MOST_MOVED = 600 };

//---- what the call says --------------------------------------------------------------------------

static artStatus find_kind(const char *option, const char *word, size_t n, int *kind,
                           artError *error)
{
  char text[40], hint[BASE_HINT_LENGTH];
  snprintf(text, sizeof text, "%.*s", (int) (n < 39 ? n : 39), word);
  baseNearest nearest = {.word = text};
  for (int k = 0; k < SCHED_KINDS; k++) {
    const char *name = machine_kind_name((schedKind) k);
    if (strcmp(name, text) == 0) {
      *kind = k;
      return ART_OK;
    }
    base_consider(&nearest, name);
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--%s: '%s' is no kind of unit%s; there is mul, add, div, sin, other", option,
                   text, base_hint(&nearest, hint));
}


static artStatus read_count(const char *option, const char *word, int most, const char **end,
                            int *count, artError *error)
{
  char *rest = NULL;
  const long value = strtol(word, &rest, 10);
  const int is_number = rest != word && word[0] >= '0' && word[0] <= '9';
  if (is_number && value >= 1 && value <= most) {
    *count = (int) value;
    *end = rest;
    return ART_OK;
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--%s: found '%.40s', expected a whole number from 1 to %d", option, word, most);
}


// KIND=COUNT; of latencies KIND=CYCLES or KIND=CYCLES:INTERVAL
static artStatus read_word(const char *option, const char *word, int most, int count[SCHED_KINDS],
                           int *interval, artError *error)
{
  const char *equals = strchr(word, '='), *end = NULL;
  int kind = 0;
  if (!equals) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--%s: found '%.60s', expected a kind and a number: mul=5,add=4", option,
                     word);
  }
  artStatus status = find_kind(option, word, (size_t) (equals - word), &kind, error);
  if (status == ART_OK) status = read_count(option, equals + 1, most, &end, &count[kind], error);
  if (status == ART_OK && interval && *end == ':') {
    status = read_count(option, end + 1, count[kind], &end, &interval[kind], error);
  }
  if (status != ART_OK || *end == 0) return status;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "--%s: '%.40s' is left over in '%.60s'",
                   option, end, word);
}


static artStatus read_words(const char *option, const char *text, int most, int count[SCHED_KINDS],
                            int *interval, artError *error)
{
  char copy[400], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok_r(copy, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
    const artStatus status = read_word(option, word, most, count, interval, error);
    if (status != ART_OK) return status;
  }
  return ART_OK;
}


// units of rings are those of each module, which do not take operations in turn unless they are told so
static artStatus read_machine(const cliCall *call, cliSchedule *job, artError *error)
{
  schedMachine *machine = &job->made.machine;
  int interval[SCHED_KINDS] = {0};
  artStatus status = ART_OK;
  *machine = machine_create();
  job->has_units = call->units != NULL;
  if (call->units)
    status = read_words("units", call->units, MOST_UNITS, machine->count, NULL, error);
  if (status == ART_OK && call->latency)
    status = read_words("latency", call->latency, MOST_CYCLES, machine->latency, interval, error);
  if (status == ART_OK) status = cli_check_whole("transfer", call->transfer, 0, MOST_CYCLES, error);
  if (status == ART_OK) status = cli_check_whole("modules", call->modules, 1, SCHED_MODULES, error);
  if (status != ART_OK) return status;
  if (!isnan(call->transfer)) machine->transfer = (int) call->transfer;
  if (!isnan(call->modules)) machine->modules = (int) call->modules;
  job->made.nring = isnan(call->modules) ? 0 : machine->modules;
  if (job->made.nring > 0 && !isnan(call->transfer)) {
    return base_fail(
        error, ART_BAD_INPUT, base_nowhere(),
        "--transfer is for machines without --modules: in a ring each transfer takes one cycle");
  }
  if (job->made.nring > 0 && !call->units)
    machine->count[SCHED_MUL] = machine->count[SCHED_ADD] = 1;
  for (int k = 0; k < SCHED_KINDS; k++) {
    machine->interval[k] = interval[k] ? interval[k] : job->made.nring ? machine->latency[k] : 1;
  }
  return ART_OK;
}

//---- operations ----------------------------------------------------------------------------------

static artStatus make_list(cliSchedule *job, artError *error)
{
  char missing[100];
  int k = 0;
  const cliCall *call = job->w->call;
  job->form = call->form ? call->form : "accelerate";
  artStatus status = cli_find_word("form", job->form, cli_form_name, "", &k, error);
  if (status == ART_OK && job->w->model->nrow > 0) {
    status = study_assemble(job->w->model, job->w->data, NULL, error);
  }
  snprintf(missing, sizeof missing, "--form %.40s has no function of this machine", job->form);
  if (status == ART_OK) {
    status = sched_job_open(&job->made, job->w->model, job->w->data, cli_forms[k].bit,
                            call->minimal, call->balanced, missing, error);
  }
  const int kind = status == ART_OK && (job->has_units || job->made.nring > 0)
                       ? sched_job_missing_kind(&job->made)
                       : -1;
  if (kind < 0) return status;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "%s has %d %s, but no unit is there for them; add %s=1 to --units",
                   job->made.list->function->name, job->made.binary->count[kind],
                   machine_kind_text((schedKind) kind), machine_kind_name((schedKind) kind));
}

//---- files ---------------------------------------------------------------------------------------

static artStatus write_file(const cliSchedule *job, artError *error)
{
  const char *path = job->w->call->directory;
  baseFile file;
  if (!path) return ART_OK;
  artStatus status = file_begin(&file, path, error);
  if (status != ART_OK) return status;
  if (file_has_ending(path, ".csv"))
    schedule_write_csv(job, file.stream);
  else
    status = sched_job_draw(&job->made, job->made.nring > 0 ? &job->made.begun : job->made.shorter,
                            file.stream, error);
  return file_end(&file, status, error);
}


artStatus schedule_check(const cliCall *call, artError *error)
{
  const char *path = call->directory;
  cliSchedule scratch = {0};
  if (!path || file_has_ending(path, ".svg") || file_has_ending(path, ".csv")) {
    return read_machine(call, &scratch, error);
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--output '%.200s' ends with neither .svg, a picture, nor .csv, a table", path);
}

//---- the verb ------------------------------------------------------------------------------------

// Hundreds of schedules are made where units are searched, by the simpler rule for many operations.
static artStatus work(cliSchedule *job, artError *error)
{
  schedJob *made = &job->made;
  artStatus status = make_list(job, error);
  if (status != ART_OK) return status;
  if (made->nring > 0) {
    status = sched_job_run_rings(made, error);
  } else {
    const schedRule rule = made->binary->n <= MOST_MOVED ? SCHED_FINISH : SCHED_LIST;
    if (!job->has_units) status = sched_job_search(made, rule, error);
    if (status == ART_OK) status = sched_job_schedule(made, error);
  }
  return status == ART_OK ? write_file(job, error) : status;
}


artStatus verb_schedule(cliWork *w, artError *error)
{
  cliSchedule job = {.w = w};
  artStatus status = read_machine(w->call, &job, error);
  if (status == ART_OK) status = work(&job, error);
  if (status == ART_OK) schedule_tell(&job);
  sched_job_free(&job.made);
  return status;
}
