// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula run: simulate the motion in time; rows, certificate and checkpoint.
#include "verb_run.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/throw.h"
#include "par/mpi.h"
#include "step/step.h"
#include "study/run/run.h"

// s of wall clock
static const double CHECKPOINT_INTERVAL = 10;
static const double SCENE_INTERVAL = 0.25; // so that viewers can follow

static const double MANY_INSTANTS = 1e8; // of a sampler: a minute and more


//---- beginning -----------------------------------------------------------------------------------

// an option that nobody listens to is a misunderstanding
static void check_algebra(const cliRun *job)
{
  if (job->call->algebra < 0) return;
  const int has_loops = job->data->work->loop != NULL;
  const artMethod method = model_method_for((int) job->study.run.method, has_loops);
  char names[MODEL_METHODS_LENGTH];
  if (model_method_has((int) method, METHOD_REDUCED)) return;
  model_method_list(METHOD_REDUCED, 0, "and", names);
  if (art_method_is_natural(method)) {
    if (job->study.run.algebra != ART_ALGEBRA_PLAIN) return;
    cli_leave("--algebra plain belongs to method %s; %s has dense and sparse", names,
              art_method_name(method));
  }
  cli_leave("--algebra chooses how method %s solves for closed loops; %s goes by %s; %s", names,
            has_loops ? "this run" : "this machine has none and", art_method_name(method),
            has_loops ? "choose that one, or leave the option out" : "leave the option out");
}


static void check_run_options(const cliRun *job)
{
  const artMethod method = job->study.run.method;
  const bool is_natural = art_method_is_natural(method);
  if (is_natural && job->call->integrator >= 0)
    cli_leave("method %s brings its own rule of integration and takes no integrator; leave "
              "--integrator out",
              art_method_name(method));
  if (is_natural && job->call->profile)
    cli_leave("--profile reports the stages of methods in relative coordinates; %s is not one of "
              "them",
              art_method_name(method));
  if (job->call->realtime && job->call->resume)
    cli_leave("a run in real time leaves no checkpoint and cannot be resumed; leave out "
              "--realtime or --resume");
  if (job->call->realtime && job->call->view)
    cli_leave("a run in real time writes no scene and cannot be viewed; leave out --realtime or "
              "--view");
  if (job->call->view) error_check(server_check(error_current()));
}


// everything that can be refused is refused before a file is touched
static void prepare_run(cliRun *job)
{
  artError *error = error_current();
  cli_choose_study(job->call, job->model, ART_RUN, &job->study);
  cli_directory(job->call, NULL, job->directory);
  error_check(file_join(job->csv_path, job->directory, "results.csv", error));
  error_check(file_join(job->certificate_path, job->directory, "certificate.json", error));
  error_check(file_join(job->checkpoint_path, job->directory, "checkpoint", error));
  error_check(file_join(job->scene_path, job->directory, "scene.arts", error));
  check_algebra(job);
  check_run_options(job);
  if (job->call->profile) job->data->work->profile = &job->profile;
  if (job->study.run.start.at_equilibrium) {
    job->data->time = job->study.run.from;
    error_check(art_find_start(job->model, job->data, &job->study.run.start, NULL, NULL, error));
  }
  workers_join(job);
  error_check(art_create_run(&job->run, job->model, job->data, &job->study.run, error));

  job->rows = art_output_count(&job->study.run);
  job->checkpoint = checkpoint_describe(job->model, &job->study);
  job->checkpoint.size = art_run_state_size(job->run);
  job->checkpoint.state = mem_alloc(job->checkpoint.size, 1);
  job->values = MEM_ARRAY(double, art_count(job->model).outputs + 1);
  if (!job->checkpoint.state || !job->values) error_throw();
  if (job->call->realtime) {
    realtime_prepare(job);
    return;
  }
  const long rows = output_is_known(&job->study.run) ? job->rows : 0;
  const sceneStudy study = {job->call->file, job->study, rows};
  error_check(scene_describe(&job->scene, job->model, job->data, &study, error));
}


static void resume_files(cliRun *job)
{
  ioCheckpoint *saved = &job->saved;
  artError *error = error_current();
  if (access(job->checkpoint_path, F_OK) != 0)
    error_refuse((artPlace){.file = job->directory},
                 "there is no interrupted run to resume here; start one without --resume");
  error_check(file_lock(&job->lock, job->directory, error));
  error_check(checkpoint_load(job->checkpoint_path, saved, error));
  error_check(checkpoint_compare(job->checkpoint_path, saved, &job->checkpoint, error));
  error_check(art_load_run(job->run, saved->state, saved->size, error));

  // formulas of outputs are not part of the model's fingerprint: their values tell
  const int n = art_count(job->model).outputs;
  art_outputs(job->model, job->data, job->values);
  if (checkpoint_sum(n, job->values) != saved->values)
    error_refuse((artPlace){.file = job->checkpoint_path},
                 "the outputs of the model have changed since the run was interrupted; start anew "
                 "without --resume");
  job->row = (long) saved->rows;
  job->has_checkpoint = true;
  error_check(scene_resume(&job->scene_file, job->scene_path, &job->scene, job->row, error));
  error_check(csv_resume(&job->csv, job->csv_path, saved->length, error));
  error_check(file_remove(job->certificate_path, error));
}


static void begin_cli_run(void *context)
{
  cliRun *job = context;
  prepare_run(job);
  interrupt_watch();
  if (job->call->resume) {
    resume_files(job);
  } else {
    artError *error = error_current();
    error_check(file_make_directory(job->directory, error));
    error_check(file_lock(&job->lock, job->directory, error));
    error_check(file_remove(job->checkpoint_path, error));
    error_check(file_remove(job->certificate_path, error));
    error_check(file_remove(job->scene_path, error));
    error_check(csv_create(&job->csv, job->csv_path, error));
    if (!job->call->realtime) {
      error_check(scene_create(&job->scene_file, job->scene_path, &job->scene, error));
    }
    csv_name(&job->csv, "time", "s");
    for (int k = 0; k < art_count(job->model).outputs; k++) {
      csv_name(&job->csv, art_output_name(job->model, k), art_output_unit(job->model, k));
    }
    error_check(csv_end_line(&job->csv, error));
  }
  if (!job->call->view) return;
  // the server has its own thread and reads the file: the run never waits for it
  const char *const result[] = {job->directory};
  const int port = cli_read_port(job->call);
  error_check(server_start(&job->server, 1, result, NULL, NULL, 0, port, error_current()));
  cli_announce(job->call, job->server);
}


//---- running -------------------------------------------------------------------------------------

static artStatus write_run_row(cliRun *job, double t, artError *error)
{
  art_outputs(job->model, job->data, job->values);
  run_note_outputs(job->run, job->values);
  csv_number(&job->csv, t);
  csv_numbers(&job->csv, art_count(job->model).outputs, job->values);
  artStatus status = csv_end_line(&job->csv, error);
  if (!status) status = scene_add_frame(&job->scene_file, job->data, t, job->values, error);
  if (!status) job->row++;
  return status;
}


// the state that belongs to the steps after the rows so far
static artStatus keep_checkpoint_state(cliRun *job, artError *error)
{
  ioCheckpoint *c = &job->checkpoint;

  // in natural coordinates a state is as long as there are constraints
  const size_t size = art_run_state_size(job->run);
  void *state = size > c->size ? mem_resize(c->state, size, 1) : c->state;
  if (!state) return base_no_memory(error);
  c->state = state;
  c->size = size;
  c->rows = job->row;
  c->time = art_certify(job->run).time;
  c->values = checkpoint_sum(art_count(job->model).outputs, job->values);
  return art_save_run(job->run, c->state, c->size, error);
}


// A run with samplers cannot be left between two rows: it goes on from the last one.
static bool goes_on_from_row(const cliRun *job)
{
  return job->model->nclock > 0;
}


static artStatus save_checkpoint(cliRun *job, artError *error)
{
  ioCheckpoint *c = &job->checkpoint;
  artStatus status = csv_flush(&job->csv, &c->length, error);
  if (!status) status = scene_flush(&job->scene_file, error);
  if (!status && !goes_on_from_row(job)) status = keep_checkpoint_state(job, error);
  if (!status) status = checkpoint_save(job->checkpoint_path, c, error);
  if (!status) job->has_checkpoint = true;
  return status;
}


static bool is_run_over(const cliRun *job)
{
  return job->row > 0 && job->run->time >= job->study.run.until;
}


static bool is_checkpoint_due(const cliRun *job)
{
  return base_now() - job->last_saved > CHECKPOINT_INTERVAL;
}


// once, when the motion has proved stiff
static void report_stiffness(cliRun *job)
{
  const stepper *steps = job->run->stepper;
  if (job->has_told_stiff || !steps || !step_counts(steps)->is_stiff) return;
  artCertificate c = {0};
  char note[ART_REASON_LENGTH];
  job->has_told_stiff = true;
  run_account_steps(&c, step_counts(steps));
  progress_end(&job->progress);
  fprintf(stderr, "%s\n", art_stiffness_note(&c, note));
}


// rows may be far apart
static void show_run_progress(cliRun *job)
{
  if (job->is_chatty) report_stiffness(job);
  progress_show(&job->progress, job->data->time);
}


// Asked before every step. One at least is taken between two checkpoints, however slow the machine is.
static int is_to_pause(void *pauser)
{
  cliRun *job = pauser;
  show_run_progress(job);
  const bool has_stepped = job->has_stepped;
  job->has_stepped = true;
  return (is_checkpoint_due(job) && has_stepped) || interrupt_seen();
}


static int is_to_end(void *pauser)
{
  show_run_progress(pauser);
  return interrupt_seen();
}


// Row after row until the end or an interruption; a checkpoint now and then, wherever the steps are.
static artStatus advance_run(cliRun *job, artError *error)
{
  job->last_saved = job->last_shown = base_now();
  job->run->pauses = is_to_pause;
  job->run->ends = is_to_end;
  job->run->pauser = job;
  while (!is_run_over(job)) {
    // to the next row, or to a pause in front of it
    artStatus status = job->row > 0 ? art_run_next(job->run, &job->study.run, error)
                                    : art_run_to(job->run, job->study.run.from, error);
    if (!status) status = write_run_row(job, job->run->time, error);
    if (!status && goes_on_from_row(job)) status = keep_checkpoint_state(job, error);
    show_run_progress(job);
    const bool is_paused = status == ART_STOPPED && job->run->is_between;
    const bool is_ended = status == ART_STOPPED && !is_paused && job->row > 0;
    if (is_ended) return save_checkpoint(job, error);
    if (status && !is_paused) return status;
    if (is_run_over(job)) break;
    const double now = base_now();
    const bool is_shown = now - job->last_shown > SCENE_INTERVAL;
    if (is_shown) job->last_shown = now;
    status = is_shown ? scene_flush(&job->scene_file, error) : ART_OK;
    if (!status && (is_checkpoint_due(job) || interrupt_seen())) {
      status = save_checkpoint(job, error);
      job->last_saved = base_now();
      job->has_stepped = false;
    }
    if (status || interrupt_seen()) return status;
  }
  return ART_OK;
}


//---- the end -------------------------------------------------------------------------------------

static int finish_run(cliRun *job, artStatus status, artError *error)
{
  // all rows on the disk before anybody says so; where that failed, those that are there are counted
  if (!status) status = scene_close(&job->scene_file, error);
  if (!status) status = csv_flush(&job->csv, NULL, error);
  const artStatus closed = csv_close(&job->csv, status ? NULL : error);
  if (!status) status = closed;
  csv_digest(&job->csv, job->sha256);
  if (status == ART_IO || closed) (void) csv_settle(job->csv_path, &job->row, job->sha256, NULL);

  const runEnd end = status == ART_STOPPED ? RUN_INTERRUPTED
                     : status              ? RUN_FAILED
                     : is_run_over(job)    ? RUN_FINISHED
                                           : RUN_INTERRUPTED;
  const ioCertificate certificate = run_certificate(job, end, error);
  artError unwritten = {0};
  artStatus saved = certificate_save(job->certificate_path, &certificate, &unwritten);

  // a checkpoint is of use after an interruption, or when the disk was full
  if (!saved && (end == RUN_FINISHED || (end == RUN_FAILED && status != ART_IO))) {
    saved = file_remove(job->checkpoint_path, &unwritten);
  }
  file_unlock(&job->lock);
  if (saved && !status) return run_report(job, RUN_FAILED, &unwritten);
  return run_report(job, end, error);
}


// A sampler may make a run much longer than its motion does.
static void report_instants(const cliRun *job)
{
  const artRunDef *study = &job->study.run;
  for (int i = 0; i < job->model->nheld; i++) {
    const modelHeld *held = &job->model->held[i];
    const double instants = held->clock < 0 ? 0 : (study->until - study->from) / held->every;
    if (held->table || !(instants > MANY_INSTANTS)) continue;
    artError note = {0};
    base_fail(
        &note, ART_BAD_INPUT, held->place,
        "'%s' is sampled every %g s, which makes %.3g instants until %g s: the run takes long",
        held->name, held->every, instants, study->until);
    fprintf(stderr, "%s\n", note.text);
    return;
  }
}


static int carry_out_run(cliRun *job)
{
  artError error = {0};
  artStatus status = error_try(begin_cli_run, job, &error);
  if (status) return cli_refuse(job->call, &error);

  job->is_chatty = !job->call->quiet && !job->call->json;
  if (job->is_chatty) report_instants(job);
  job->progress =
      progress_begin(job->is_chatty, job->study.run.from, job->data->time, job->study.run.until);
  status = job->call->realtime ? realtime_advance(job, &error) : advance_run(job, &error);
  progress_end(&job->progress);
  const int end = finish_run(job, status, &error);
  if (job->server) cli_serve(job->call, job->server);
  return end;
}


static int run_machine(const cliCall *call)
{
  artError error = {0};
  cliRun *job = mem_alloc(1, sizeof *job);
  if (!job) {
    base_no_memory(&error);
    return cli_fail(call, &error);
  }
  job->call = call;
  job->lock.fd = -1;
  int status = cli_load(call, &job->model, &job->data);
  if (!status) status = carry_out_run(job);

  (void) csv_close(&job->csv, NULL);
  (void) scene_close(&job->scene_file, NULL);
  file_unlock(&job->lock);
  scene_free(&job->scene);
  checkpoint_free(&job->checkpoint);
  checkpoint_free(&job->saved);
  mem_free(job->values);
  mem_free(job->kept);
  if (!workers_leave(job)) return status;
  art_free_run(job->run);
  art_free_data(job->data);
  art_free_model(job->model);
  mem_free(job);
  return status;
}


void verb_run(cliWork *w)
{
  const cliCall *call = w->call;
  w->exit = units_are_called(call)  ? run_units(call)
            : par_mpi_is_launched() ? workers_launch(call, run_machine)
                                    : run_machine(call);
}
