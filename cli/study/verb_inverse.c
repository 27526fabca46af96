// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula inverse: the forces along a given motion.
#include <math.h>
#include <string.h>

#include "command_report.h"
#include "model/model.h"
#include "show/csv.h"
#include "study/study.h"

// Without an interval rows are a hundredth of the duration apart, or that halved so often, where a row between two others
// is off the line between them by more than this part of its column's range.
enum { DEEPEST = 11 };
static const double STRAIGHT = 0.01;

// Between two rows, at no even part of the way: motions that repeat themselves from row to row show there.
static const double PROBE = 0.6180339887498949;

typedef struct inverseRow {
  double t, *y; // [width] outputs, tau
} inverseRow;

typedef struct inverseJob {
  cliWork *w;                  // its study has the options of the call
  const artInverseDef *motion; // as it is in the model, with the motion
  artRunDef times;             // of the study with the options of the call: the instants of rows
  int width;                   // outputs + nv
  inverseRow last, next, probe, middle[DEEPEST];
  double *least, *largest, *rounding; // [width] of the columns so far
  double *most, *when;                // [nv] largest |tau| so far, and its time
  long row, rows;                     // written; known beforehand
  long jumps;                         // of rates along the motion,
  double jump_time;                   // the first one,
  const char *jump_name;              // and its coordinate
  char directory[FILE_PATH_LENGTH], csv_path[FILE_PATH_LENGTH];
  ioCsv csv;
  cliProgress progress;
} inverseJob;


static double *take_inverse_array(inverseJob *job, int n)
{
  return arena_alloc(&job->w->arena, (size_t) n, sizeof(double));
}


static void find_inverse_row(inverseJob *job, double t, inverseRow *row)
{
  double *tau = row->y + art_count(job->w->model).outputs;
  row->t = t;
  error_check(art_inverse_at(job->w->model, job->w->data, job->motion, t, tau, error_current()));
  art_outputs(job->w->model, job->w->data, row->y);
  for (int k = 0; k < job->width; k++) {
    job->least[k] = fmin(job->least[k], row->y[k]);
    job->largest[k] = fmax(job->largest[k], row->y[k]);
  }
}


static void note_drive_jump(void *context, const modelDrive *given, double t, double jump)
{
  inverseJob *job = context;
  (void) jump;
  if (job->jumps++ > 0 && t >= job->jump_time) return;
  job->jump_time = t;
  job->jump_name = job->w->model->position[given->position].name;
}


static void prepare_inverse_job(inverseJob *job)
{
  const artInverseDef *asked = &job->w->study.inverse;
  const artStudyDef *found = art_find_study(job->w->model, ART_INVERSE, job->w->call->study);
  job->motion = found ? &found->inverse : NULL;
  job->times = art_default_run();
  job->times.from = asked->from;
  job->times.until = asked->until;
  job->times.interval = asked->interval;
  if (!found)
    error_refuse((artPlace){.file = job->w->call->file},
                 "there is no study of type inverse; add one whose `motion` gives the "
                 "coordinates as formulas of time");
  cli_directory(job->w->call, "inverse", job->directory);
  error_check(file_join(job->csv_path, job->directory, "results.csv", error_current()));
  const artCounts n = art_count(job->w->model);
  const int width = job->width = n.outputs + n.nv;
  job->rows = art_output_count(&job->times);
  for (int i = 0; i < DEEPEST; i++) job->middle[i].y = take_inverse_array(job, width);
  job->last.y = take_inverse_array(job, width);
  job->next.y = take_inverse_array(job, width);
  job->probe.y = take_inverse_array(job, width);
  job->least = take_inverse_array(job, width);
  job->largest = take_inverse_array(job, width);
  job->rounding = take_inverse_array(job, width);
  job->most = take_inverse_array(job, n.nv);
  job->when = take_inverse_array(job, n.nv);
  for (int k = 0; k < width; k++) {
    job->least[k] = INFINITY;
    job->largest[k] = -INFINITY;
  }

  // a motion that is refused leaves earlier results alone
  error_check(study_look_at_motion(job->w->model, job->w->data, job->motion, job->times.from,
                                   job->times.until, note_drive_jump, job, error_current()));
  find_inverse_row(job, job->times.from, &job->last);
}


static void write_inverse_row(inverseJob *job, const inverseRow *row)
{
  const artCounts n = art_count(job->w->model);
  for (int k = 0; k < n.nv; k++) {
    // the largest force and its instant, the first row where all are zero; what is not a number stays
    const double size = fabs(row->y[n.outputs + k]);
    if (job->row > 0 && (isnan(job->most[k]) || size <= job->most[k])) continue;
    job->most[k] = size;
    job->when[k] = row->t;
  }
  csv_number(&job->csv, row->t);
  csv_numbers(&job->csv, job->width, row->y);
  error_check(csv_end_line(&job->csv, error_current()));
  job->row++;
}


//---- rows that follow the motion -----------------------------------------------------------------

static const char *unit_of(const inverseJob *job, int k)
{
  const int noutput = art_count(job->w->model).outputs;
  return k < noutput ? art_output_unit(job->w->model, k)
                     : cli_force_unit(job->w->model, k - noutput);
}


static bool is_straight(const inverseJob *job, const inverseRow *a, const inverseRow *b)
{
  for (int k = 0; k < job->width; k++) {
    const double line = a->y[k] + PROBE * (b->y[k] - a->y[k]);
    const double range = job->largest[k] - job->least[k];
    if (fabs(job->probe.y[k] - line) > STRAIGHT * range + job->rounding[k]) return false;
  }
  return true;
}


// the rows after a up to b
static void fill_inverse_rows(inverseJob *job, int level, const inverseRow *a, const inverseRow *b)
{
  ART_ASSERT(level >= 0 && level <= DEEPEST);
  const bool is_deepest = level == DEEPEST || job->times.interval > 0;
  if (!is_deepest) find_inverse_row(job, a->t + PROBE * (b->t - a->t), &job->probe);
  if (is_deepest || is_straight(job, a, b)) {
    write_inverse_row(job, b);
    return;
  }
  inverseRow *middle = &job->middle[level];
  find_inverse_row(job, (a->t + b->t) / 2, middle);
  fill_inverse_rows(job, level + 1, a, middle);
  fill_inverse_rows(job, level + 1, middle, b);
}


static void follow_inverse_motion(inverseJob *job)
{
  const bool is_chatty = !job->w->call->quiet && !job->w->call->json;
  const double from = job->times.from;
  job->progress = progress_begin(is_chatty, from, from, job->times.until);
  interrupt_watch();
  if (!(job->times.interval > 0)) {
    // the columns at every hundredth; the machine is at its initial state again then
    for (long i = 1; i < job->rows && !interrupt_seen(); i++) {
      find_inverse_row(job, art_output_time(&job->times, i), &job->next);
    }
    // rounding that a column of zeros may hold, by the other columns of its unit
    for (int k = 0; k < job->width; k++) {
      job->rounding[k] = 1e-12;
      for (int i = 0; i < job->width; i++) {
        if (strcmp(unit_of(job, i), unit_of(job, k)) != 0) continue;
        const double size = fmax(fabs(job->least[i]), fabs(job->largest[i]));
        job->rounding[k] = fmax(job->rounding[k], 1e-9 * size);
      }
    }
    art_reset(job->w->model, job->w->data);
    find_inverse_row(job, job->times.from, &job->last);
  }
  write_inverse_row(job, &job->last);
  long i = 1;
  for (; i < job->rows && !interrupt_seen(); i++) {
    find_inverse_row(job, art_output_time(&job->times, i), &job->next);
    fill_inverse_rows(job, 0, &job->last, &job->next);
    const inverseRow next = job->next;
    job->next = job->last;
    job->last = next;
    progress_show(&job->progress, next.t);
  }
  progress_end(&job->progress);
  if (i < job->rows) {
    error_throw_at(ART_STOPPED, base_nowhere(), "interrupted; the %ld rows so far are in %s",
                   job->row, job->csv_path);
  }
  error_check(csv_close(&job->csv, error_current()));
}


//---- report --------------------------------------------------------------------------------------

static void report_inverse_forces(const inverseJob *job)
{
  const artModel *m = job->w->model;
  const artStudyDef *study = &job->w->study;
  cliReport r = report_begin(job->w->call);
  json_fields(&r, "file: %s, study: %s, results: %s, rows: %ld", job->w->call->file, study->name,
              job->csv_path, job->row);
  if (job->jumps > 0) {
    json_item(&r, "rate_jumps", "count: %ld, first: %s, time: %g", job->jumps, job->jump_name,
              job->jump_time);
  }
  if (report_is_text(&r)) cli_print_title(job->w->call, art_title(m));
  say(&r, ": forces along the motion '%s', from %.6g to %.6g s\n", study->name, job->times.from,
      job->times.until);
  json_array(&r, "largest_forces");
  for (int k = 0; k < m->tree.nv; k++) {
    char name[CLI_NAME_LENGTH];
    report_item(&r, NULL, "name: %s, value: %g, unit: %s, time: %g",
                "  %-24s up to %.6g %s, at %.6g s\n", cli_displacement_name(m, k, name),
                job->most[k], cli_force_unit(m, k), job->when[k]);
  }
  json_end(&r);
  if (job->jumps > 0) {
    say(&r,
        "  the rate of '%s' jumps at %.9g s%s: forces are infinite there, an impact, and rows show "
        "those before and after it\n",
        job->jump_name, job->jump_time, job->jumps > 1 ? ", and rates jump later" : "");
  }
  say(&r, "  %s: %ld rows\n", job->csv_path, job->row);
  report_end(&r);
}


static void end_inverse_job(void *kept)
{
  inverseJob *job = kept;
  progress_end(&job->progress);
  (void) csv_close(&job->csv, NULL);
}


void verb_inverse(cliWork *w)
{
  inverseJob *job = arena_alloc(&w->arena, 1, sizeof *job);
  job->w = w;
  cli_defer(w, end_inverse_job, job);
  prepare_inverse_job(job);
  error_check(file_make_directory(job->directory, error_current()));
  error_check(cli_remove_certificate(job->directory, error_current()));
  error_check(csv_create(&job->csv, job->csv_path, error_current()));
  const artCounts n = art_count(job->w->model);
  csv_name(&job->csv, "time", "s");
  for (int k = 0; k < n.outputs; k++) {
    csv_name(&job->csv, art_output_name(job->w->model, k), art_output_unit(job->w->model, k));
  }
  for (int k = 0; k < n.nv; k++) {
    char name[CLI_NAME_LENGTH], whole[CLI_NAME_LENGTH + 8];
    snprintf(whole, sizeof whole, "tau.%s", cli_displacement_name(job->w->model, k, name));
    csv_name(&job->csv, whole, cli_force_unit(job->w->model, k));
  }
  error_check(csv_end_line(&job->csv, error_current()));
  follow_inverse_motion(job);
  if (w->call->json || !w->call->quiet) report_inverse_forces(job);
}
