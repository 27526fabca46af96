// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula schedule: operations of generated equations on many units.
#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "sched/gantt.h"
#include "study/assemble.h"

enum { MOST_UNITS = 10000, MOST_CYCLES = 1000, MOST_MODULES = 64, MOST_MOVED = 600 };

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
  schedMachine *machine = &job->machine;
  int interval[SCHED_KINDS] = {0};
  artStatus status = ART_OK;
  *machine = machine_create();
  job->has_units = call->units != NULL;
  if (call->units)
    status = read_words("units", call->units, MOST_UNITS, machine->count, NULL, error);
  if (status == ART_OK && call->latency)
    status = read_words("latency", call->latency, MOST_CYCLES, machine->latency, interval, error);
  if (status == ART_OK) status = cli_check_whole("transfer", call->transfer, 0, MOST_CYCLES, error);
  if (status == ART_OK) status = cli_check_whole("modules", call->modules, 1, MOST_MODULES, error);
  if (status != ART_OK) return status;
  if (!isnan(call->transfer)) machine->transfer = (int) call->transfer;
  if (!isnan(call->modules)) machine->modules = (int) call->modules;
  job->nring = isnan(call->modules) ? 0 : machine->modules;
  if (job->nring > 0 && !isnan(call->transfer)) {
    return base_fail(
        error, ART_BAD_INPUT, base_nowhere(),
        "--transfer is for machines without --modules: in a ring each transfer takes one cycle");
  }
  if (job->nring > 0 && !call->units) machine->count[SCHED_MUL] = machine->count[SCHED_ADD] = 1;
  for (int k = 0; k < SCHED_KINDS; k++) {
    machine->interval[k] = interval[k] ? interval[k] : job->nring ? machine->latency[k] : 1;
  }
  return ART_OK;
}

//---- operations ----------------------------------------------------------------------------------

static artStatus make_list(cliSchedule *job, artError *error)
{
  int k = 0;
  job->form = job->w->call->form ? job->w->call->form : "accelerate";
  artStatus status = cli_find_word("form", job->form, cli_form_name, "", &k, error);
  if (status != ART_OK) return status;
  const cliForm *form = &cli_forms[k];
  const genOptions options = {
      .forms = form->bit, .parameters = job->w->call->minimal ? GEN_BARYCENTRIC : GEN_CLASSICAL};
  if (job->w->model->nrow > 0) status = study_assemble(job->w->model, job->w->data, NULL, error);
  if (status == ART_OK) {
    status = gen_create(&job->program, job->w->model, job->w->data, &options, error);
  }
  if (status != ART_OK) return status;
  const eqnFunction *function = gen_function_of(job->program, form->bit);
  if (!function) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--form %s has no function of this machine", job->form);
  }
  job->list = eqn_list_create(job->program, function, NULL);
  schedBinaryOptions apart = binary_options(&job->machine);
  apart.shape = job->w->call->balanced ? SCHED_BALANCED : SCHED_CASCADE;
  apart.with_sines = job->machine.count[SCHED_SIN] > 0;
  job->binary = job->list ? binary_create(job->list, &apart) : NULL;
  if (!job->binary || !bound_find(&job->bounds, &job->binary->graph, &job->machine)) {
    return base_no_memory(error);
  }
  return ART_OK;
}


// every kind of operation needs a unit
static artStatus check_units(const cliSchedule *job, artError *error)
{
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (job->binary->count[k] == 0 || job->machine.count[k] > 0) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "%s has %d %s, but no unit is there for them; add %s=1 to --units",
                     job->list->function->name, job->binary->count[k],
                     machine_kind_text((schedKind) k), machine_kind_name((schedKind) k));
  }
  return ART_OK;
}

//---- the work ------------------------------------------------------------------------------------

static artStatus schedule_both(cliSchedule *job, artError *error)
{
  for (int rule = SCHED_LIST; rule <= SCHED_FINISH; rule++) {
    if (!schedule_create(&job->rule[rule], &job->binary->graph, &job->machine, (schedRule) rule))
      return base_no_memory(error);
  }
  job->shorter = &job->rule[job->rule[SCHED_FINISH].cycles < job->rule[SCHED_LIST].cycles];
  return ART_OK;
}


// hundreds of schedules are made
static artStatus search(cliSchedule *job, artError *error)
{
  const schedRule rule = job->binary->n <= MOST_MOVED ? SCHED_FINISH : SCHED_LIST;
  if (!search_units(&job->search, &job->binary->graph, &job->machine, rule)) {
    return base_no_memory(error);
  }
  job->machine = search_machine(&job->machine, &job->search.fewest);
  return schedule_both(job, error);
}


// units of one module on `modules` of them
static schedMachine ring_machine(const cliSchedule *job, int modules)
{
  schedMachine machine = job->machine;
  for (int k = 0; k < SCHED_KINDS; k++) machine.count[k] *= modules;
  machine.modules = modules;
  machine.transfer = machine.hop = 1;
  return machine;
}


// the schedule of the thesis, which knows no transfers, on the ring
static int run_blind(cliSchedule *job, const schedMachine *machine, cliRing *result, ringRun *run)
{
  schedSchedule blind;
  const schedMachine seen = ring_blind(machine);
  if (!schedule_create(&blind, &job->binary->graph, &seen, SCHED_LIST)) return 0;
  schedRing *ring = ring_create(job->binary, &blind, machine);
  const int ok = ring && ring_run(ring, run);
  result->steps = blind.steps;
  result->blind = run->cycles;
  ring_free(ring);
  schedule_free(&blind);
  return ok;
}


static int run_best(cliSchedule *job, const schedMachine *machine, cliRing *result, ringRun *run)
{
  schedSchedule best;
  if (!ring_search(job->binary, machine, &best, run)) return 0;
  ring_free(job->program_of_ring);
  schedule_free(&job->begun);
  job->program_of_ring = ring_create(job->binary, &best, machine);
  job->begun = best;
  if (!job->program_of_ring) return 0;
  run->begun = best.step;
  const int ok = ring_run(job->program_of_ring, run);
  run->begun = NULL;
  job->begun.cycles = result->cycles = run->cycles;
  result->busy = run->busy;
  result->transfers = job->program_of_ring->ntransfer;
  result->hops = job->program_of_ring->nhop;
  result->memory = run->most_alive;
  return ok;
}


static artStatus run_rings(cliSchedule *job, artError *error)
{
  int alive[2 * MOST_MODULES];
  job->ring = MEM_ARRAY(cliRing, job->nring);
  if (!job->ring) return base_no_memory(error);
  for (int modules = 1; modules <= job->nring; modules++) {
    const schedMachine machine = ring_machine(job, modules);
    cliRing *result = &job->ring[modules - 1];
    ringRun run = {.alive = alive};
    result->modules = modules;
    if (!run_blind(job, &machine, result, &run) || !run_best(job, &machine, result, &run))
      return base_no_memory(error);
  }
  job->machine = ring_machine(job, job->nring);
  return ART_OK;
}

//---- files ---------------------------------------------------------------------------------------

static artStatus write_picture(const cliSchedule *job, FILE *out, artError *error)
{
  const schedSchedule *s = job->nring > 0 ? &job->begun : job->shorter;
  const char *name =
      job->program->title && job->program->title[0] ? job->program->title : job->program->name;
  char title[400];
  snprintf(title, sizeof title, "%.200s, %s: %d operations in %d cycles", name,
           job->list->function->name, job->binary->n, s->cycles);
  return gantt_write(out, title, job->binary, s, &job->machine) ? ART_OK : base_no_memory(error);
}


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
    status = write_picture(job, file.stream, error);
  if (status == ART_OK) return file_commit(&file, error);
  file_abandon(&file);
  return status;
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

static artStatus work(cliSchedule *job, artError *error)
{
  artStatus status = make_list(job, error);
  if (status == ART_OK && (job->has_units || job->nring > 0)) status = check_units(job, error);
  if (status != ART_OK) return status;
  if (job->nring > 0)
    status = run_rings(job, error);
  else
    status = job->has_units ? schedule_both(job, error) : search(job, error);
  return status == ART_OK ? write_file(job, error) : status;
}


static void forget(cliSchedule *job)
{
  search_free(&job->search);
  schedule_free(&job->rule[SCHED_LIST]);
  schedule_free(&job->rule[SCHED_FINISH]);
  schedule_free(&job->begun);
  ring_free(job->program_of_ring);
  mem_free(job->ring);
  binary_free(job->binary);
  eqn_list_free(job->list);
  gen_free(job->program);
}


artStatus verb_schedule(cliWork *w, artError *error)
{
  cliSchedule job = {.w = w};
  artStatus status = read_machine(w->call, &job, error);
  if (status == ART_OK) status = work(&job, error);
  if (status == ART_OK) schedule_tell(&job);
  forget(&job);
  return status;
}
