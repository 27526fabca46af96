// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula run of functional mock-up units.
#include "verb_run.h"

#include <math.h>

#include "base/clock.h"
#include "base/plain.h"
#include "base/throw.h"
#include "fmi/system_file.h"

typedef struct unitsRun {
  const cliCall *call;
  fmiSystem system;
  char directory[FILE_PATH_LENGTH], path[FILE_PATH_LENGTH];
  baseLock lock;
  ioCsv csv;
  long rows;
  double seconds; // of the clock
} unitsRun;


bool units_are_called(const cliCall *call)
{
  return system_is_file(call->file);
}


// warnings and worse, where the user sees them
static void hear_unit_message(void *context, const char *instance, int status, const char *category,
                              const char *message)
{
  const unitsRun *job = context;
  (void) category;
  if (status <= 0 || job->call->quiet || job->call->json) return;
  char line[1200];
  snprintf(line, sizeof line, "%s: %s", instance, message);
  plain_tidy(line); // the FMU may write anything, the terminal obeys some of it
  fprintf(stderr, "%s\n", line);
}


static void open_system(void *context)
{
  unitsRun *job = context;
  const cliList *natives = &job->call->natives;
  system_open(&job->system, job->call->file, (fmiNatives){natives->count, natives->word},
              hear_unit_message, job);
}


static void prepare_units_run(unitsRun *job)
{
  const cliCall *call = job->call;
  fmiMaster *m = &job->system.master;
  artError *error = error_current();
  // options that speak of a machine alone
  const struct {
    bool is_given;
    const char *name;
  } option[] = {{call->method >= 0, "method"},
                {call->integrator >= 0, "integrator"},
                {call->algebra >= 0, "algebra"},
                {call->resume, "resume"},
                {call->realtime, "realtime"},
                {call->view, "view"},
                {call->at_equilibrium, "equilibrium"},
                {call->nearest, "nearest"},
                {call->profile, "profile"},
                {call->study != NULL, "study"},
                {call->independent != NULL, "independent"},
                {call->functions.count > 0, "functions"}};
  for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
    if (!option[i].is_given) continue;
    error_refuse(base_nowhere(), "a run of FMUs takes no --%s", option[i].name);
  }
  if (call->no_native) {
    error_refuse((artPlace){.file = call->file},
                 "FMUs have native code, and --no-native refuses to load any");
  }
  // a file that cannot be read is a wrong call
  if (error_try(open_system, job, error)) {
    if (error->status == ART_IO) error->status = ART_BAD_INPUT;
    error_throw();
  }
  if (!isnan(call->from)) m->from = call->from;
  if (!isnan(call->until)) m->until = call->until;
  if (!isnan(call->step)) m->step = call->step;
  if (!isnan(call->interval)) job->system.interval = call->interval;
  if (!isnan(call->tolerance)) m->tolerance = call->tolerance;
  for (int i = 0; i < call->set.count; i++) system_set(&job->system, call->set.word[i]);
  for (int i = 0; i < call->input.count; i++) system_input(&job->system, call->input.word[i]);
  system_finish(&job->system);

  // a model of the same name has results of its own
  cli_directory(call, file_has_ending(call->file, ".fmu") ? "fmu" : NULL, job->directory);
  error_check(file_join(job->path, job->directory, "results.csv", error));
}

//---- rows ----------------------------------------------------------------------------------------

static void write_units_head(unitsRun *job)
{
  const fmiMaster *m = &job->system.master;
  const char *name;
  char words[400];
  int number;
  error_check(file_make_directory(job->directory, error_current()));
  error_check(file_lock(&job->lock, job->directory, error_current()));
  error_check(cli_remove_certificate(job->directory, error_current()));
  error_check(csv_create(&job->csv, job->path, error_current()));
  csv_name(&job->csv, "time", "s");
  for (int i = 0; i < m->npart; i++) {
    for (int k = 0; (name = part_output(&m->part[i], k, &number)); k++) {
      const char *unit = part_unit(&m->part[i], number, false);
      snprintf(words, sizeof words, "%s%s%s", job->system.is_single ? "" : m->part[i].name,
               job->system.is_single ? "" : ".", name);
      csv_name(&job->csv, words, unit && *unit ? unit : NULL);
    }
  }
  error_check(csv_end_line(&job->csv, error_current()));
}


static void write_units_row(unitsRun *job)
{
  fmiMaster *m = &job->system.master;
  int number;
  csv_number(&job->csv, m->time);
  for (int i = 0; i < m->npart; i++) {
    for (int k = 0; part_output(&m->part[i], k, &number); k++) {
      csv_number(&job->csv, part_get(&m->part[i], number));
    }
  }
  job->rows++;
  error_check(csv_end_line(&job->csv, error_current()));
}


//---- the end -------------------------------------------------------------------------------------

static void report_unit(cliReport *report, const fmiPart *part)
{
  const fmuFile *unit = part->unit;
  if (!unit) {
    report_item(report, NULL, "name: %s, kind: %s", "  %s: a %s\n", part->name, "machine");
    return;
  }
  const bool is_exchange = unit->own == &unit->description.exchange;
  report_item(report, NULL, "name: %s, version: %d, kind: %s", "  %s: FMI %d.0, %s\n", part->name,
              unit->description.version, is_exchange ? "model exchange" : "co-simulation");
  const int left = part_outputs_left_out(part);
  if (left > 0) say(report, "    %d output%s left out: no single number\n", left, plural_s(left));
}


static void report_run(const unitsRun *job)
{
  char duration[CLI_DURATION_LENGTH];
  const cliCall *call = job->call;
  const fmiMaster *m = &job->system.master;
  if (call->quiet && !call->json) return;
  cliReport report = report_begin(call);
  if (!call->json) {
    cli_print_title(call, job->system.title);
    say(&report, ": %.6g s in %s\n", m->time - m->from, cli_duration(job->seconds, duration));
  }
  json_array(&report, "units");
  for (int i = 0; i < m->npart; i++) report_unit(&report, &m->part[i]);
  json_end(&report);
  report_fields(
      &report, "time: %g, step: %g, steps: %ld, redone: %ld, halved: %ld, unsettled: %ld",
      "  to %.9g s in steps of %.6g s: %ld steps, %ld redone, %ld halved, %ld not settled\n",
      m->time, m->step, m->steps, m->redone, m->halved, m->unsettled);
  report_fields(&report, "rows: %ld, results: %s", "  %ld rows in %s\n", job->rows, job->path);
  if (m->has_ended) report_fields(&report, "ended: %s", "  an FMU asked for the %s\n", "end");
  report_end(&report);
}


// a run that did not come to its end, or whose iterations did not, has failed
static artStatus judge_units_run(const unitsRun *job, artError *error)
{
  const fmiMaster *m = &job->system.master;
  if (interrupt_seen()) {
    return base_fail(error, ART_STOPPED, base_nowhere(), "the run was interrupted at %.9g s",
                     m->time);
  }
  if (m->unsettled == 0) return ART_OK;
  return base_fail(
      error, ART_NO_CONVERGENCE, base_nowhere(),
      "in %ld of %ld steps inputs still changed after %d iterations; take shorter steps",
      m->unsettled, m->steps, m->iterations);
}


static void run_all_units(void *context)
{
  unitsRun *job = context;
  prepare_units_run(job);
  interrupt_watch();
  write_units_head(job);
  fmiMaster *m = &job->system.master;
  const long each = lround(job->system.interval / m->step);
  master_begin(m);
  write_units_row(job);
  while (!master_is_over(m) && !interrupt_seen()) {
    master_step(m);
    const bool is_due = m->steps % each == 0 || master_is_over(m);
    if (is_due && !m->has_ended) write_units_row(job);
  }
  error_check(csv_close(&job->csv, error_current()));
  error_check(judge_units_run(job, error_current()));
}


int run_units(const cliCall *call)
{
  unitsRun job = {.call = call, .lock.fd = -1};
  artError error = {0};
  char sha256[SHA256_LENGTH];
  const double begin = base_now();
  const artStatus status = error_try(run_all_units, &job, &error);
  (void) csv_close(&job.csv, NULL);
  // half a row on a full disk; the one who holds the lock has written it
  if (status == ART_IO && job.lock.fd >= 0) (void) csv_settle(job.path, &job.rows, sha256, NULL);
  file_unlock(&job.lock);
  job.seconds = base_now() - begin;
  if (!status) report_run(&job);
  const int end = status ? cli_fail(call, &error) : CLI_DONE;
  system_free(&job.system);
  return end;
}
