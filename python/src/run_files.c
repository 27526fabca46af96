// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files of a run: results.csv, scene.arts and certificate.json, as the command leaves them.
#include <stdlib.h>

#include "run.h"
#include "study/run.h"


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


artStatus files_begin(pyRun *r, artError *error)
{
  pyFiles *f = &r->files;
  if (!f->directory) return ART_OK;
  char path[FILE_PATH_LENGTH];
  const long rows = output_is_known(&r->study.run) ? art_output_count(&r->study.run) : 0;
  const sceneStudy study = {r->path, r->study, rows};
  artStatus status = scene_describe(&f->scene, r->owner->model, r->data, &study, error);
  if (!status) status = file_make_directory(f->directory, error);
  if (!status) status = file_lock(&f->lock, f->directory, error);
  if (!status) status = replace(f->directory, "checkpoint", path, error);
  if (!status) status = replace(f->directory, "certificate.json", path, error);
  if (!status) status = replace(f->directory, "scene.arts", path, error);
  if (!status) status = scene_create(&f->scene_file, path, &f->scene, error);
  if (!status) status = replace(f->directory, "results.csv", path, error);
  if (!status) status = csv_create(&f->csv, path, error);
  return status ? status : name_columns(r, error);
}


artStatus files_add_row(pyRun *r, const double *row, artError *error)
{
  pyFiles *f = &r->files;
  if (!f->directory) return ART_OK;
  csv_numbers(&f->csv, r->columns, row);
  const artStatus status = csv_end_line(&f->csv, error);
  return status ? status : scene_add_frame(&f->scene_file, r->data, row[0], row + 1, error);
}


// rows and certificate are on the disk; a run that was interrupted may still go on
artStatus files_end(pyRun *r, artError *error)
{
  pyFiles *f = &r->files;
  if (!f->directory) return ART_OK;
  char path[FILE_PATH_LENGTH];
  const ioCertificate certificate = run_certificate(r);
  artStatus status = scene_flush(&f->scene_file, error);
  if (!status) status = csv_flush(&f->csv, NULL, error);
  if (!status) status = file_join(path, f->directory, "certificate.json", error);
  return status ? status : certificate_save(path, &certificate, error);
}


void files_free(pyFiles *f)
{
  if (!f->directory) return;
  (void) csv_close(&f->csv, NULL);
  (void) scene_close(&f->scene_file, NULL);
  file_unlock(&f->lock);
  scene_free(&f->scene);
  free(f->directory);
}
