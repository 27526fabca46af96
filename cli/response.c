// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula response: from the height of the road to the outputs, by frequency.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "table.h"

enum { SHOWN_PEAKS = 3 };

// less is rounding: by metre, and of the largest of the same unit
static const double NO_ANSWER = 1e-7, LITTLE = 1e-9;

typedef struct responseJob {
  const cliCall *call;
  artModel *model;
  artData *data;
  artStudyDef study;
  artTable *table;
} responseJob;


static artStatus find_table(responseJob *job, artError *error)
{
  artStatus status = cli_choose_study(job->call, job->model, ART_RESPONSE, &job->study, error);
  if (!status && job->study.at_equilibrium) {
    status = cli_find_equilibrium(job->model, job->data, &job->study, NULL, NULL, error);
  }
  if (status) return status;
  return art_find_response(job->model, job->data, &job->study, &job->table, error);
}


//---- peaks ---------------------------------------------------------------------------------------

static double magnitude(const artTable *t, long row, int column)
{
  return t->value[row * t->columns + column];
}


static double largest(const artTable *t, int column)
{
  double most = 0;
  for (long r = 0; r < t->rows; r++) most = base_larger(most, magnitude(t, r, column));
  return most;
}


// does an output answer at all?
static bool has_answer(const artTable *t, int column)
{
  double most = 0;
  for (int c = 1; c < t->columns; c += 2) {
    if (strcmp(t->unit[c], t->unit[column]) == 0) most = base_larger(most, largest(t, c));
  }
  const double here = largest(t, column);
  return here > NO_ANSWER && here > LITTLE * most;
}


static bool is_peak(const artTable *t, long row, int column)
{
  const double here = magnitude(t, row, column);
  return here > magnitude(t, row - 1, column) && here >= magnitude(t, row + 1, column);
}


// the highest peak of those not above `bound`, after row `last` where equal; 0 when none is left
static long next_peak(const artTable *t, int column, double bound, long last)
{
  long best = 0;
  for (long r = 1; r + 1 < t->rows; r++) {
    const double here = magnitude(t, r, column);
    if (!is_peak(t, r, column) || here > bound || (here == bound && r <= last)) continue;
    if (best == 0 || here > magnitude(t, best, column)) best = r;
  }
  return best;
}


// the top of the parabola through three points, in log f and magnitude
static void find_top(const artTable *t, long row, int column, double *frequency, double *top)
{
  const double a = magnitude(t, row - 1, column), b = magnitude(t, row, column);
  const double c = magnitude(t, row + 1, column);
  const double bend = a - 2 * b + c, s = bend != 0 ? 0.5 * (a - c) / bend : 0;
  *top = b - 0.25 * (a - c) * s;
  *frequency = magnitude(t, row, 0) * pow(magnitude(t, row + 1, 0) / magnitude(t, row, 0), s);
}


static void print_peaks(const responseJob *job, int k)
{
  const artTable *t = job->table;
  const int column = 1 + 2 * k;
  double bound = INFINITY;
  long row = 0;
  printf("  %-24s %-12s %13.6g", art_output_name(job->model, k), t->unit[column],
         magnitude(t, 0, column));
  for (int shown = 0; shown < SHOWN_PEAKS; shown++) {
    double frequency, top;
    row = next_peak(t, column, bound, row);
    if (row == 0 || !has_answer(t, column)) break;
    bound = magnitude(t, row, column);
    find_top(t, row, column, &frequency, &top);
    printf("%s%.5g at %.4g Hz", shown ? ", " : "   ", top, frequency);
  }
  putchar('\n');
}


static void print_table(const responseJob *job, const char *csv)
{
  const char *title = art_title(job->model);
  printf("%s%s%s, response to the road from %g Hz to %g Hz\n\n", cli_bold(stdout),
         title[0] ? title : job->call->file, cli_plain(stdout), job->study.lowest,
         job->study.highest);
  printf("%s  %-24s %-12s %13s   peaks%s\n", cli_bold(stdout), "output", "unit", "at the lowest",
         cli_plain(stdout));
  for (int k = 0; 2 * k + 1 < job->table->columns; k++) print_peaks(job, k);
  printf("\nmagnitudes and phases are in %s, with a picture beside it\n", csv);
}


// what the picture shows: magnitudes of the outputs that answer
static void choose_channels(const artTable *t, const char *channel[CLI_WORDS + 1])
{
  int n = 0;
  for (int c = 1; c < t->columns && n < CLI_WORDS; c += 2) {
    if (has_answer(t, c)) channel[n++] = t->name[c];
  }
}


//---- the verb ------------------------------------------------------------------------------------

int verb_response(const cliCall *call)
{
  const char *channels[CLI_WORDS + 1] = {NULL};
  cliPicture picture = {.name = "response", .channel = channels, .log = "xy"};
  responseJob job = {.call = call};
  artError error = {0};
  const int exit_status = cli_load(call, &job.model, &job.data);
  if (exit_status) return exit_status;

  artStatus status = find_table(&job, &error);
  if (!status) choose_channels(job.table, channels);
  if (!status) status = cli_save_table(call, job.table, &picture, &error);
  if (!status && call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_text(&json, "file", call->file);
    json_text(&json, "results", picture.csv);
    cli_write_table(&json, job.table);
    json_end(&json);
  } else if (!status) {
    print_table(&job, picture.csv);
  }
  art_free_table(job.table);
  art_free_data(job.data);
  art_free_model(job.model);
  return status ? cli_fail(call, &error) : CLI_DONE;
}
