// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula sweep: one run for each of many cases.
//
// A case that is done is a line of the journal: its row of the table as it will be written, and what went
// wrong. The table is made of these in the order of cases, so that it is the same however often the sweep was
// interrupted and whoever did which case.
#include "verb_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/memory.h"
#include "par/mpi.h"
#include "par/wait.h"
#include "show/checkpoint.h"
#include "show/csv.h"

enum { MAX_THREADS = 1024, HEAD_LENGTH = 64 };
static const double PATIENCE = 1.0,
                    REFRESH = 0.2; // s of wall clock, of the line that tells progress

//---- beginning -----------------------------------------------------------------------------------

static artStatus choose_case_run(void *context, const artModel *m, artRunDef *study,
                                 artError *error)
{
  const cliSweep *s = context;
  return cli_choose_run(s->call, m, study, error);
}


static void prepare_sweep(void *context)
{
  cliSweep *s = context;
  artError *error = error_current();
  cli_choose_study(s->call, s->model, ART_RUN, &s->study);
  error_check(cli_take_settings(s->call, &s->fixed, &s->nfixed, error));
  cli_directory(s->call, "sweep", s->directory);
  error_check(file_join(s->table_path, s->directory, "results.csv", error));
  error_check(file_join(s->failures_path, s->directory, "failures.csv", error));
  error_check(file_join(s->doubts_path, s->directory, "doubts.csv", error));
  error_check(file_join(s->journal_path, s->directory, "journal", error));
  const double threads = s->call->threads;
  // auto: a GPU, or each case by itself
  const int device = s->call->device;
  s->batch = art_default_batch();
  s->batch.n = 0;
  s->batch.device = device == ART_CPU ? ART_CPU : ART_GPU;
  s->batch.or_cpu = device == ART_DEVICES;
  s->batch.precision = cli_precision(s->call);
  s->batch.corners = s->call->corners;
  s->apart = s->rounding = s->step_error = NAN;
  if (device >= 0 && s->call->no_native)
    cli_leave("cases on a device are compiled, and --no-native refuses native code");
  if (device < 0 && (s->call->precision >= 0 || s->call->corners || s->call->once))
    cli_leave("--%s is for cases on a device; add --device, or leave it out",
              s->call->corners ? "corners"
              : s->call->once  ? "once"
                               : "precision");
  if (device >= 0 && par_mpi_size() > 1) {
    cli_leave("--device has all cases in one process; leave it out under mpirun");
  }
  cli_check_whole("threads", threads, 1, MAX_THREADS);
  s->threads = !isnan(threads) ? (int) threads : par_mpi_size() > 1 ? 1 : par_cores();
  room_take(s->threads);
  s->cases.call = s->call;
  s->cases.model = s->model;
  s->cases.arena.leaves = s->arena.leaves = 1;
  sweep_find_cases(&s->cases);
  sweep_find_results(&s->results, &s->arena, s->call, s->model);
  ARENA_TAKE(&s->arena, s->is_done, s->cases.n);
  ARENA_TAKE(&s->arena, s->row, s->cases.n);
  ARENA_TAKE(&s->arena, s->why, s->cases.n);
  s->arena.leaves = 0;
}


//---- a row ---------------------------------------------------------------------------------------

static const char *const certificate_name[] = {"time [s]",
                                               "steps",
                                               "rejected",
                                               "evaluations",
                                               "events",
                                               "repartitions",
                                               "energy_error [J]",
                                               "energy_scale [J]",
                                               "position_residual",
                                               "velocity_residual",
                                               "acceleration_residual"};


// numbers of a case that came to its end
static void write_case_numbers(FILE *out, size_t n, const double *values, bool has_failed)
{
  for (size_t i = 0; i < n; i++) {
    if (has_failed) fputs(",nan", out);
    if (!has_failed) format_stream(out, ",%.17g", values[i]);
  }
}


static bool tells_error(const cliSweep *s, const artCase *c)
{
  return c->device && !s->call->once;
}


// of a row of the table, which ends with it
static bool has_verdict(const char *row, artVerdict verdict)
{
  const char *comma = strrchr(row, ',');
  return comma && strtol(comma + 1, NULL, 10) == (long) verdict;
}


// a line of the journal into its place
static artStatus keep_line(void *context, const char *line, artError *error)
{
  cliSweep *s = context;
  const long number = strtol(line, NULL, 10);
  if (number < 1 || number > s->cases.n || s->is_done[number - 1]) return ART_OK;
  const long k = number - 1;
  char *row = arena_text(&s->arena, line);
  if (!row) return base_no_memory(error);
  char *tab = strchr(row, '\t');
  if (tab) *tab = '\0';
  s->row[k] = row;
  s->why[k] = tab ? tab + 1 : NULL;
  s->is_done[k] = 1;
  s->done++;
  s->failed += has_verdict(row, ART_VERDICT_FAILED);
  s->doubtful += has_verdict(row, ART_VERDICT_DOUBTFUL);
  return ART_OK;
}


//---- progress ------------------------------------------------------------------------------------

static void show_sweep_progress(cliSweep *s)
{
  const double now = base_now(), elapsed = now - s->begun;
  if (s->call->quiet || s->call->json || !isatty(STDERR_FILENO)) return;
  if (elapsed < PATIENCE || now - s->shown < REFRESH) return;
  s->shown = now;
  const double rate = (double) (s->done - s->resumed) / elapsed;
  format_stream(stderr, "\r%ld of %ld cases, %.3g a second", s->done, s->cases.n, rate);
  if (s->failed > 0) fprintf(stderr, ", %ld failed", s->failed);
  if (rate > 0) {
    const double left = (double) (s->cases.n - s->done) / rate;
    format_stream(stderr, ", %.0f:%02.0f left", floor(left / 60), floor(fmod(left, 60)));
  }
  fputs("\033[K", stderr);
  fflush(stderr);
}


//---- running -------------------------------------------------------------------------------------

char *sweep_line(const cliSweep *s, const artCase *c, artError *error)
{
  char *line = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&line, &length);
  if (stream) {
    // case, parameters, status, results, certificate, verdict and why
    const artCertificate *f = &c->certificate;
    const double figure[] = {f->energy_error, f->energy_scale, f->position_residual,
                             f->velocity_residual, f->acceleration_residual};
    const bool has_failed = c->error.status != ART_OK;
    const artJudgement judgement = art_judge(f, &c->error);
    fprintf(stream, "%ld", c->number + 1);
    for (int k = 0; k < s->cases.nparameter; k++) format_stream(stream, ",%.17g", c->parameter[k]);
    fprintf(stream, ",%d", (int) c->error.status);
    write_case_numbers(stream, (size_t) s->results.n, c->value, has_failed);
    format_stream(stream, ",%.17g,%ld,%ld,%ld,%ld,%ld", f->time, f->steps, f->rejected,
                  f->evaluations, f->events, f->repartitions);
    write_case_numbers(stream, sizeof figure / sizeof *figure, figure, has_failed);
    if (s->call->device >= 0) write_case_numbers(stream, 1, &f->step_error, !tells_error(s, c));
    fprintf(stream, ",%d", (int) judgement.verdict);

    // after a tab: what went wrong, or why it is doubtful, in one line
    for (int k = 0; k < judgement.reasons; k++) {
      fputs(k == 0 ? "\t" : "; ", stream);
      for (const char *t = judgement.reason[k]; *t; t++)
        fputc((unsigned char) *t < ' ' ? ' ' : *t, stream);
    }
  }
  if (stream && file_close_text(stream, &line)) return line;
  free(line);
  base_no_memory(error);
  return NULL;
}


artStatus sweep_keep(cliSweep *s, const char *line, artError *error)
{
  artStatus status = journal_add(&s->journal, line, error);
  if (!status) status = keep_line(s, line, error);
  show_sweep_progress(s);
  return status;
}


static artStatus note_case_done(void *context, const artCase *c, artError *error)
{
  cliSweep *s = context;
  char *line = sweep_line(s, c, error);
  if (!line) return ART_NO_MEMORY;
  s->in_lanes += c->lanes > 0;
  s->on_device += c->device != NULL;
  s->apart = fmax(s->apart, c->apart);
  if (c->device) s->rounding = fmax(s->rounding, c->rounding);
  const double step_error = tells_error(s, c) ? c->certificate.step_error : NAN;
  if (isfinite(step_error)) s->step_error = fmax(s->step_error, step_error);
  if (c->device) snprintf(s->device, sizeof s->device, "%s", c->device);
  if (c->aside) snprintf(s->aside, sizeof s->aside, "%s", c->aside);
  if (c->lanes > 0) s->lanes = c->lanes;
  const artStatus status = sweep_keep(s, line, error);
  free(line);
  return status;
}


static int is_sweep_stopped(void *context)
{
  (void) context;
  return interrupt_seen();
}


// the sweep that the journal belongs to: model, study, cases, results
static void write_sweep_head(const cliSweep *s, char head[HEAD_LENGTH])
{
  const sweepCases *c = &s->cases;
  const ioCheckpoint about = checkpoint_describe(s->model, &s->study);
  const double numbers[] = {s->study.run.start.speed, s->study.run.start.at_equilibrium,
                            s->study.run.start.nearest, (double) s->study.run.algebra};
  uint64_t hash = base_hash(BASE_HASH_EMPTY, &about.model, sizeof about.model);
  hash = base_hash(hash, &about.outputs, sizeof about.outputs);
  hash = base_hash(hash, about.study, strlen(about.study));
  hash = base_hash(hash, &about.method, sizeof about.method);
  hash = base_hash(hash, &about.integrator, sizeof about.integrator);
  hash = base_hash(hash, &about.from, 5 * sizeof about.from);
  hash = base_hash(hash, numbers, sizeof numbers);
  for (int k = 0; k < s->call->option.count; k++) {
    hash = base_hash(hash, s->call->option.word[k], strlen(s->call->option.word[k]) + 1);
  }
  for (int k = 0; k < c->nparameter; k++) hash = base_hash(hash, c->name[k], strlen(c->name[k]));
  hash = base_hash(hash, c->value, (size_t) c->n * (size_t) c->nparameter * sizeof *c->value);
  if (s->call->device >= 0) hash = base_hash(hash, &s->call->device, sizeof s->call->device);
  if (s->batch.precision != ART_DOUBLE) {
    hash = base_hash(hash, &s->batch.precision, sizeof s->batch.precision);
  }
  if (s->batch.corners) hash = base_hash(hash, &s->batch.corners, sizeof s->batch.corners);
  if (s->call->once) hash = base_hash(hash, "once", 4);
  hash = base_hash(hash, s->results.def, (size_t) s->results.n * sizeof *s->results.def);
  snprintf(head, HEAD_LENGTH, "articula %s sweep %016llx", about.version,
           (unsigned long long) hash);
}


static artStatus open_files(cliSweep *s, artError *error)
{
  char head[HEAD_LENGTH];
  write_sweep_head(s, head);
  if (s->call->resume) {
    if (access(s->journal_path, F_OK) != 0)
      return file_wrong(error, s->directory,
                        "there is no interrupted sweep to resume here; start one without --resume");
    const artStatus status = file_lock(&s->lock, s->directory, error);
    if (status) return status;
    return journal_resume(&s->journal, s->journal_path, head, keep_line, s, error);
  }
  artStatus status = file_make_directory(s->directory, error);
  if (!status) status = file_lock(&s->lock, s->directory, error);
  if (!status) status = cli_remove_certificate(s->directory, error);
  if (!status) status = file_remove(s->table_path, error);
  if (!status) status = file_remove(s->failures_path, error);
  if (!status) status = file_remove(s->doubts_path, error);
  if (!status) status = journal_create(&s->journal, s->journal_path, head, error);
  return status;
}


artSweepDef sweep_definition(cliSweep *s)
{
  return (artSweepDef){.path = s->call->file,
                       .nlibrary = s->call->functions.count,
                       .library = s->call->functions.word,
                       .nparameter = s->cases.nparameter,
                       .parameter = s->cases.name,
                       .ncase = s->cases.n,
                       .value = s->cases.value,
                       .nfixed = s->nfixed,
                       .fixed = s->fixed,
                       .nresult = s->results.n,
                       .result = s->results.def,
                       .is_done = s->is_done,
                       .threads = s->threads,
                       .batch = s->call->device >= 0 ? &s->batch : NULL,
                       .once = s->call->once,
                       .choose = choose_case_run,
                       .done = note_case_done,
                       .is_stopped = is_sweep_stopped,
                       .context = s};
}


static artStatus run_cases(cliSweep *s, artError *error)
{
  const artSweepDef def = sweep_definition(s);
  s->resumed = s->done;
  s->begun = base_now();
  interrupt_watch();
  const artStatus status =
      par_mpi_size() > 1 ? sweep_lead_ranks(s, error) : art_run_sweep(&def, error);
  if (s->shown > 0) fputs("\r\033[K", stderr);
  const artStatus closed = journal_close(&s->journal, status ? NULL : error);
  return status ? status : closed;
}


//---- the table -----------------------------------------------------------------------------------

static artStatus write_table(cliSweep *s, artError *error)
{
  baseFile file;
  artStatus status = file_begin(&file, s->table_path, error);
  if (status) return status;
  ioCsv csv = {.stream = file.stream};
  csv_name(&csv, "case", NULL);
  for (int k = 0; k < s->cases.nparameter; k++) {
    const sweepParameter *p = &s->cases.parameter[k];
    csv_name(&csv, p->name, p->unit[0] ? p->unit : NULL);
  }
  csv_name(&csv, "status", NULL);
  for (int i = 0; i < s->results.n; i++) {
    const artResultDef *r = &s->results.def[i];
    char *name = arena_format((baseArena *) &s->arena, "%s:%s", art_digest_name(r->digest),
                              art_output_name(s->model, r->output));
    csv_name(&csv, name ? name : "", art_output_unit(s->model, r->output));
  }
  for (size_t i = 0; i < sizeof certificate_name / sizeof *certificate_name; i++) {
    csv_name(&csv, certificate_name[i], NULL);
  }
  if (s->call->device >= 0) csv_name(&csv, "step_error", NULL);
  csv_name(&csv, "verdict", NULL);
  fputc('\n', file.stream);
  for (long k = 0; k < s->cases.n; k++) fprintf(file.stream, "%s\n", s->row[k]);
  return file_commit(&file, error);
}


// cases with a verdict and its reasons; no file where there are none
static artStatus write_reasons(cliSweep *s, const char *path, artVerdict verdict, long count,
                               artError *error)
{
  baseFile file;
  if (count == 0) return file_remove(path, error);
  artStatus status = file_begin(&file, path, error);
  if (status) return status;
  fputs("case,message\n", file.stream);
  for (long k = 0; k < s->cases.n; k++) {
    if (!s->why[k] || !has_verdict(s->row[k], verdict)) continue;
    ioCsv csv = {.stream = file.stream, .cells = 1};
    fprintf(file.stream, "%ld", k + 1);
    csv_name(&csv, s->why[k], NULL);
    fputc('\n', file.stream);
  }
  return file_commit(&file, error);
}


//---- the end -------------------------------------------------------------------------------------

static void print_sweep_summary(const cliSweep *s, double seconds)
{
  char elapsed[CLI_DURATION_LENGTH];
  const long now = s->done - s->resumed;
  cli_print_title(s->call, art_title(s->model));
  printf(": %ld case%s", s->cases.n, s->cases.n == 1 ? "" : "s");
  if (s->resumed > 0) printf(", %ld of them before", s->resumed);
  printf(" in %s on %d thread%s", cli_duration(seconds, elapsed), s->threads,
         s->threads == 1 ? "" : "s");
  if (par_mpi_size() > 1) printf(" of each of %d ranks", par_mpi_size());
  if (now > 0 && seconds > 0) format_stream(stdout, ", %.3g a second", (double) now / seconds);
  putchar('\n');
  if (s->call->device >= 0 && now > 0) {
    // which device has done how many, and how far results are from results of runs
    if (s->on_device > 0) {
      printf("  %ld together on %s", s->on_device, s->device);
      if (isfinite(s->apart))
        format_stream(stdout, "; runs by themselves differ by %.1e of results", s->apart);
      if (isfinite(s->step_error))
        format_stream(stdout, "; their steps leave about %.1e", s->step_error);
      putchar('\n');
      if (s->batch.precision != ART_DOUBLE) {
        format_stream(stdout, "  accelerations in %s precision differ by %.1e at the beginning\n",
                      art_precision_name(s->batch.precision), s->rounding);
      }
    }
    if (s->on_device < now) printf("  %ld by themselves: %s\n", now - s->on_device, s->aside);
  } else if (s->study.run.backend == ART_BACKEND_GENERATED && par_mpi_size() == 1 && now > 0) {
    if (s->in_lanes > 0) printf("  %ld cases in %d lanes of generated code", s->in_lanes, s->lanes);
    if (s->in_lanes > 0 && s->in_lanes < now) printf(", %ld one by one", now - s->in_lanes);
    if (s->in_lanes == 0) {
      printf("  cases ran one by one: lanes need rk4, no switching instants, no functions of a "
             "host, loops that keep their independent coordinates");
    }
    putchar('\n');
  }
  format_show(stdout, "  %s\n", s->table_path);
  if (s->failed > 0) format_show(stdout, "  %ld failed, see %s\n", s->failed, s->failures_path);
  if (s->doubtful > 0) format_show(stdout, "  %ld doubtful, see %s\n", s->doubtful, s->doubts_path);
}


static int report_sweep(cliSweep *s)
{
  const double seconds = base_now() - s->begun;
  const bool is_whole = s->done == s->cases.n;
  if (s->call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_fields(&json, "status: %s, cases: %ld, done: %ld, failed: %ld, doubtful: %ld",
                is_whole ? "finished" : "interrupted", s->cases.n, s->done, s->failed, s->doubtful);
    json_fields(&json, "resumed: %ld, threads: %d, ranks: %d, in_lanes: %ld, wall_time: %g",
                s->resumed, s->threads, par_mpi_size(), s->in_lanes, seconds);
    if (s->call->device >= 0) {
      json_fields(&json, "device: %s, on_device: %ld, aside: %s, apart: %g, step_error: %g",
                  s->device[0] ? s->device : NULL, s->on_device, s->aside[0] ? s->aside : NULL,
                  s->apart, s->step_error);
      json_fields(&json, "precision: %s, rounding: %g", art_precision_name(s->batch.precision),
                  s->rounding);
    }
    json_fields(&json, "results: %s, failures: %s, doubts: %s, journal: %s",
                is_whole ? s->table_path : NULL, s->failed > 0 ? s->failures_path : NULL,
                s->doubtful > 0 ? s->doubts_path : NULL, s->journal_path);
    json_end(&json);
  } else if (!is_whole) {
    format_show(stderr,
                "interrupted after %ld of %ld cases, which are in %s; repeat the call with "
                "--resume to go on\n",
                s->done, s->cases.n, s->journal_path);
  } else {
    if (!s->call->quiet) print_sweep_summary(s, seconds);
    if (s->failed == s->cases.n) {
      format_show(stderr, "%s %ld case%s failed, see %s\n", s->cases.n == 1 ? "the" : "all",
                  s->cases.n, s->cases.n == 1 ? "" : "s", s->failures_path);
    }
  }
  if (s->call->strict && s->failed + s->doubtful > 0) return CLI_FAILED;
  return is_whole && s->failed < s->cases.n ? CLI_DONE : CLI_FAILED;
}


// rank 0 could begin, this rank could not
static int lose_rank(void)
{
  return cli_lose_rank("cannot read what rank 0 reads; is the folder there on all machines?");
}


static int sweep_all(cliSweep *s)
{
  artError error = {0};
  artStatus status = error_try(prepare_sweep, s, &error);
  if (!status && par_mpi_rank() > 0) return sweep_serve(s);
  if (!status) status = open_files(s, &error);
  const int has_begun = sweep_begin_ranks(!status);
  if (par_mpi_rank() > 0) return has_begun ? lose_rank() : CLI_DONE;
  if (status) return cli_refuse(s->call, &error);
  status = run_cases(s, &error);
  if (!status && s->done == s->cases.n) {
    status = write_table(s, &error);
    if (!status) status = write_reasons(s, s->failures_path, ART_VERDICT_FAILED, s->failed, &error);
    if (!status) {
      status = write_reasons(s, s->doubts_path, ART_VERDICT_DOUBTFUL, s->doubtful, &error);
    }
  }
  return status ? cli_fail(s->call, &error) : report_sweep(s);
}


static void end_sweep(void *kept)
{
  cliSweep *s = kept;
  (void) journal_close(&s->journal, NULL);
  file_unlock(&s->lock);
  columns_free(&s->cases.table);
  arena_free(&s->cases.arena);
  arena_free(&s->arena);
  art_free_model(s->model);
  mem_free(s->fixed);
}


void verb_sweep(cliWork *w)
{
  cliSweep *s = arena_alloc(&w->arena, 1, sizeof *s);
  s->call = w->call;
  s->lock.fd = -1;
  if (par_mpi_is_launched()) error_check(par_mpi_begin(error_current()));
  cli_defer(w, end_sweep, s);
  // a file that cannot be read is refused by every rank, and one of them says why
  if (par_mpi_rank() == 0) {
    w->exit = cli_load(s->call, &s->model, NULL);
  } else {
    const artStatus status = cli_read_model(s->call, &s->model, &(artError){0});
    w->exit = status || cli_attach(s->call, s->model, NULL) ? CLI_WRONG : CLI_DONE;
  }
  if (!w->exit) {
    w->exit = sweep_all(s);
  } else if (sweep_begin_ranks(0)) {
    w->exit = lose_rank();
  }
  par_mpi_end(s->is_lost);
}
