// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files of a run: results.csv, scene.arts and certificate.json, as the command writes them; and the
// checkpoint of an interrupted run, from which Python or the command continues.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "run.h"
#include "show/columns.h"
#include "study/run/run.h"


static artStatus name_columns(pyRun *r, artError *error)
{
  const artModel *m = r->owner->model;
  csv_name(&r->files.csv, "time", "s");
  for (int k = 0; k < r->columns - 1; k++) {
    csv_name(&r->files.csv, art_output_name(m, k), art_output_unit(m, k));
  }
  return csv_end_line(&r->files.csv, error);
}


static artStatus replace(const char *directory, const char *name, char path[FILE_PATH_LENGTH],
                         artError *error)
{
  const artStatus status = file_join(path, directory, name, error);
  return status ? status : file_remove(path, error);
}


static artStatus create_files(pyRun *r, artError *error)
{
  pyFiles *f = &r->files;
  char path[FILE_PATH_LENGTH];
  artStatus status = replace(f->directory, "checkpoint", path, error);
  if (!status) status = replace(f->directory, "certificate.json", path, error);
  if (!status) status = replace(f->directory, "scene.arts", path, error);
  if (!status) status = scene_create(&f->scene_file, path, &f->scene, error);
  if (!status) status = replace(f->directory, "results.csv", path, error);
  if (!status) status = csv_create(&f->csv, path, error);
  return status ? status : name_columns(r, error);
}


//---- checkpoints ---------------------------------------------------------------------------------

// read the rows of the file; positions and velocities are not in it
static artStatus read_rows(pyRun *r, const char *path, long rows, artError *error)
{
  ioColumns table = {0};
  artStatus status = columns_read(&table, path, error);
  if (!status && (table.rows < rows || table.count != r->columns)) {
    status = base_fail(error, ART_BAD_INPUT, (artPlace){.file = path},
                       "has %ld rows of %d columns, expected %ld of %d as the checkpoint says",
                       table.rows, table.count, rows, r->columns);
  }
  for (long i = 0; i < rows && !status; i++) {
    if (!run_grow(r)) status = base_no_memory(error);
    if (status) break;
    double *row = r->rows + (size_t) r->count++ * (size_t) r->width;
    for (int k = 0; k < r->width; k++) {
      row[k] = k < r->columns ? table.column[k].value[i] : NAN;
    }
  }
  columns_free(&table);
  return status;
}


// formulas of outputs are not in the hash of the model: compare their values
static artStatus check_outputs(pyRun *r, const ioCheckpoint *saved, const char *path,
                               artError *error)
{
  double *values = calloc((size_t) r->columns, sizeof *values);
  if (!values) return base_no_memory(error);
  art_outputs(r->owner->model, r->data, values);
  const int is_same = checkpoint_sum(r->columns - 1, values) == saved->values;
  free(values);
  if (is_same) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = path},
                   "the outputs of the model have changed since the run was interrupted; start "
                   "anew, without resume");
}


static artStatus take_up(pyRun *r, const ioCheckpoint *saved, artError *error)
{
  pyFiles *f = &r->files;
  char path[FILE_PATH_LENGTH];
  const artModel *m = r->owner->model;
  const ioCheckpoint now = checkpoint_describe(m, &r->study);
  artStatus status = file_join(path, f->directory, "checkpoint", error);
  if (!status) status = checkpoint_compare(path, saved, &now, error);
  if (!status) status = art_load_run(r->run, saved->state, saved->size, error);
  if (!status) status = check_outputs(r, saved, path, error);
  if (!status) status = file_join(path, f->directory, "scene.arts", error);
  if (!status) {
    status = scene_resume(&f->scene_file, path, &f->scene, (long) saved->rows, error);
  }
  if (!status) status = file_join(path, f->directory, "results.csv", error);
  if (!status) status = csv_resume(&f->csv, path, saved->length, error);
  if (!status) status = read_rows(r, path, (long) saved->rows, error);
  return status ? status : replace(f->directory, "certificate.json", path, error);
}


static artStatus resume_files(pyRun *r, artError *error)
{
  char path[FILE_PATH_LENGTH];
  ioCheckpoint saved = {0};
  artStatus status = file_join(path, r->files.directory, "checkpoint", error);
  if (!status && access(path, F_OK) != 0) {
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = r->files.directory},
                     "there is no interrupted run to resume here; start one without resume");
  }
  if (!status) status = checkpoint_load(path, &saved, error);
  if (!status) status = take_up(r, &saved, error);
  checkpoint_free(&saved);
  return status;
}


// false for a run with samplers, which cannot continue between two rows
static int goes_on_from_row(const pyRun *r)
{
  return r->owner->model->nclock > 0;
}


// save the state after the rows so far
static artStatus keep_state(pyRun *r, const double *row, artError *error)
{
  ioCheckpoint *c = &r->files.checkpoint;
  const size_t size = art_run_state_size(r->run);
  void *state = size > c->size ? mem_resize(c->state, size, 1) : c->state;
  if (!state) return base_no_memory(error);
  c->state = state;
  c->size = size;
  c->rows = r->count;
  c->time = art_certify(r->run).time;
  c->values = checkpoint_sum(r->columns - 1, row + 1);
  return art_save_run(r->run, c->state, c->size, error);
}


// write a checkpoint if the run was interrupted after a row, else remove it
static artStatus leave_checkpoint(pyRun *r, const ioCertificate *certificate, artError *error)
{
  pyFiles *f = &r->files;
  ioCheckpoint *c = &f->checkpoint;
  char path[FILE_PATH_LENGTH];
  if (r->count == 0 || strcmp(certificate->status, "interrupted") != 0) {
    return replace(f->directory, "checkpoint", path, error);
  }
  const double *last = r->rows + (size_t) (r->count - 1) * (size_t) r->width;
  artStatus status = goes_on_from_row(r) ? ART_OK : keep_state(r, last, error);
  if (status) return status;
  ioCheckpoint told = checkpoint_describe(r->owner->model, &r->study);
  told.rows = c->rows;
  told.time = c->time;
  told.values = c->values;
  told.size = c->size;
  told.state = c->state;
  status = csv_flush(&f->csv, &told.length, error);
  if (!status) status = file_join(path, f->directory, "checkpoint", error);
  return status ? status : checkpoint_save(path, &told, error);
}


//---- begin, rows, end ----------------------------------------------------------------------------

artStatus files_begin(pyRun *r, artError *error)
{
  pyFiles *f = &r->files;
  if (!f->directory) return ART_OK;
  const long rows = output_is_known(&r->study.run) ? art_output_count(&r->study.run) : 0;
  const sceneStudy study = {r->path, r->study, rows};
  artStatus status = scene_describe(&f->scene, r->owner->model, r->data, &study, error);
  if (!status) status = file_make_directory(f->directory, error);
  if (!status) status = file_lock(&f->lock, f->directory, error);
  if (status) return status;
  return f->is_resumed ? resume_files(r, error) : create_files(r, error);
}


artStatus files_add_row(pyRun *r, const double *row, artError *error)
{
  pyFiles *f = &r->files;
  if (!f->directory) return ART_OK;
  csv_numbers(&f->csv, r->columns, row);
  const artStatus status = csv_end_line(&f->csv, error);
  return status ? status : scene_add_frame(&f->scene_file, r->data, row[0], row + 1, error);
}


artStatus files_go_back(pyRun *r, artError *error)
{
  const ioCheckpoint *c = &r->files.checkpoint;
  return c->state ? art_load_run(r->run, c->state, c->size, error) : ART_OK;
}


artStatus files_keep_row(pyRun *r, artError *error)
{
  if (!goes_on_from_row(r)) return ART_OK;
  return keep_state(r, r->rows + (size_t) (r->count - 1) * (size_t) r->width, error);
}


// release the folder for other runs
static artStatus release_folder(pyFiles *f, artError *error)
{
  artStatus status = csv_close(&f->csv, error);
  const artStatus closed = scene_close(&f->scene_file, status ? NULL : error);
  if (!status) status = closed;
  file_unlock(&f->lock);
  return status;
}


// Write rows and certificate to disk. An interrupted run may continue and keeps its folder; others
// release it.
artStatus files_end(pyRun *r, artError *error)
{
  pyFiles *f = &r->files;
  if (!f->directory || !f->csv.stream) return ART_OK;
  char path[FILE_PATH_LENGTH];
  const ioCertificate certificate = run_certificate(r);
  artStatus status = scene_flush(&f->scene_file, error);
  if (!status) status = csv_flush(&f->csv, NULL, error);
  if (!status) status = leave_checkpoint(r, &certificate, error);
  if (!status) status = file_join(path, f->directory, "certificate.json", error);
  if (!status) status = certificate_save(path, &certificate, error);
  if (status || strcmp(certificate.status, "interrupted") == 0) return status;
  return release_folder(f, error);
}


void files_free(pyFiles *f)
{
  checkpoint_free(&f->checkpoint);
  if (!f->directory) return;
  (void) csv_close(&f->csv, NULL);
  (void) scene_close(&f->scene_file, NULL);
  file_unlock(&f->lock);
  scene_free(&f->scene);
  free(f->directory);
}
