// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula inverse: the forces along a given motion.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "command.h"
#include "interrupt.h"
#include "io/csv.h"
#include "io/json.h"
#include "model/model.h"
#include "progress.h"

typedef struct inverseJob {
  const cliCall *call;
  artModel *model;
  artData *data;
  artStudyDef study;         // with the options of the call
  const artStudyDef *motion; // as it stands in the model, with the motion
  double *values;            // [outputs]
  double *tau;               // [nv]
  double *most, *when;       // [nv] largest |tau| so far, and its time
  long row, rows;
  char directory[FILE_PATH_LENGTH], csv_path[FILE_PATH_LENGTH];
  ioCsv csv;
} inverseJob;


static artStatus prepare(inverseJob *job, artError *error)
{
  artStatus status = cli_choose_study(job->call, job->model, ART_INVERSE, &job->study, error);
  job->motion = art_find_study(job->model, ART_INVERSE, job->call->study);
  if (!status && !job->motion) {
    status = base_fail(error, ART_BAD_INPUT, (artPlace){.file = job->call->file},
                       "there is no study of type inverse; add one whose `motion` gives the "
                       "coordinates as formulas of time");
  }
  if (!status) status = cli_directory(job->call, "inverse", job->directory, error);
  if (!status) status = file_join(job->csv_path, job->directory, "results.csv", error);
  if (status) return status;

  const artCounts n = art_count(job->model);
  job->rows = art_output_count(&job->study);
  job->values = MEM_ARRAY(double, n.outputs + 1);
  job->tau = MEM_ARRAY(double, n.nv + 1);
  job->most = MEM_ARRAY(double, n.nv + 1);
  job->when = MEM_ARRAY(double, n.nv + 1);
  if (!job->values || !job->tau || !job->most || !job->when) return base_no_memory(error);

  // a motion that is refused leaves earlier results alone
  return art_inverse_at(job->model, job->data, job->motion, job->study.from, job->tau, error);
}


static artStatus start_file(inverseJob *job, artError *error)
{
  artStatus status = file_make_directory(job->directory, error);
  if (!status) status = csv_create(&job->csv, job->csv_path, error);
  if (status) return status;

  const artCounts n = art_count(job->model);
  csv_name(&job->csv, "time", "s");
  for (int k = 0; k < n.outputs; k++) {
    csv_name(&job->csv, art_output_name(job->model, k), art_output_unit(job->model, k));
  }
  for (int k = 0; k < n.nv; k++) {
    char name[CLI_NAME_LENGTH], whole[CLI_NAME_LENGTH + 8];
    snprintf(whole, sizeof whole, "tau.%s", cli_displacement_name(job->model, k, name));
    csv_name(&job->csv, whole, cli_force_unit(job->model, k));
  }
  return csv_end_line(&job->csv, error);
}


// the largest force and its instant, the first row where all are zero; what is not a number stays
static void note_force(inverseJob *job, int k, double t)
{
  if (job->row > 0 && (isnan(job->most[k]) || fabs(job->tau[k]) <= job->most[k])) return;
  job->most[k] = fabs(job->tau[k]);
  job->when[k] = t;
}


static artStatus write_row(inverseJob *job, double t, artError *error)
{
  const artCounts n = art_count(job->model);
  artStatus status = art_inverse_at(job->model, job->data, job->motion, t, job->tau, error);
  if (status) return status;
  for (int k = 0; k < n.nv; k++) note_force(job, k, t);
  art_outputs(job->model, job->data, job->values);
  csv_number(&job->csv, t);
  csv_numbers(&job->csv, n.outputs, job->values);
  csv_numbers(&job->csv, n.nv, job->tau);
  status = csv_end_line(&job->csv, error);
  if (!status) job->row++;
  return status;
}


static artStatus follow(inverseJob *job, artError *error)
{
  const bool is_chatty = !job->call->quiet && !job->call->json;
  const double from = job->study.from;
  cliProgress progress = progress_begin(is_chatty, from, from, job->study.until);
  artStatus status = ART_OK;
  interrupt_watch();
  while (job->row < job->rows && !status && !interrupt_seen()) {
    const double t = art_output_time(&job->study, job->row);
    status = write_row(job, t, error);
    progress_show(&progress, t);
  }
  progress_end(&progress);
  if (!status && job->row < job->rows) {
    status = base_fail(error, ART_STOPPED, base_nowhere(),
                       "interrupted; the %ld rows so far are in %s", job->row, job->csv_path);
  }
  if (!status) return csv_close(&job->csv, error);
  (void) csv_close(&job->csv, NULL);
  return status;
}


//---- report --------------------------------------------------------------------------------------

static void print_summary(const inverseJob *job)
{
  const char *title = art_title(job->model);
  printf("%s%s%s: forces along the motion '%s', from %.6g to %.6g s\n", cli_bold(stdout),
         title[0] ? title : job->call->file, cli_plain(stdout), job->study.name, job->study.from,
         job->study.until);
  for (int k = 0; k < job->model->tree.nv; k++) {
    char name[CLI_NAME_LENGTH];
    printf("  %-24s up to %.6g %s, at %.6g s\n", cli_displacement_name(job->model, k, name),
           job->most[k], cli_force_unit(job->model, k), job->when[k]);
  }
  printf("  %s: %ld rows\n", job->csv_path, job->row);
}


static void write_json(const inverseJob *job)
{
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_text(&json, "file", job->call->file);
  json_text(&json, "study", job->study.name);
  json_text(&json, "results", job->csv_path);
  json_integer(&json, "rows", job->row);
  json_array(&json, "largest_forces");
  for (int k = 0; k < job->model->tree.nv; k++) {
    char name[CLI_NAME_LENGTH];
    json_object(&json, NULL);
    json_text(&json, "name", cli_displacement_name(job->model, k, name));
    json_number(&json, "value", job->most[k]);
    json_text(&json, "unit", cli_force_unit(job->model, k));
    json_number(&json, "time", job->when[k]);
    json_end(&json);
  }
  json_end(&json);
  json_end(&json);
}


int verb_inverse(const cliCall *call)
{
  artError error = {0};
  inverseJob job = {.call = call};
  const int exit_status = cli_load(call, &job.model, &job.data);
  if (exit_status) return exit_status;

  artStatus status = prepare(&job, &error);
  if (!status) status = start_file(&job, &error);
  if (!status) status = follow(&job, &error);
  if (!status && call->json) write_json(&job);
  if (!status && !call->json && !call->quiet) print_summary(&job);

  (void) csv_close(&job.csv, NULL);
  mem_free(job.values);
  mem_free(job.tau);
  mem_free(job.most);
  mem_free(job.when);
  art_free_data(job.data);
  art_free_model(job.model);
  return status ? cli_fail(call, &error) : CLI_DONE;
}
